/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin.c - $name: built-in values, and $argN. $ctx and $irq are in builtin_ctx.c; $ret, $lat and $depth in
 * builtin_call.c.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/hints.h"
#include "expr/syntax/syntax.h"
#include "util/suggest.h"

static const struct builtin builtins[] = {
	{ "pid", BUILTIN_PID, 4, offsetof(struct event_header, pid) },
	{ "tid", BUILTIN_TID, 4, offsetof(struct event_header, tid) },
	{ "ppid", BUILTIN_PPID, 4, -1 },
	{ "uid", BUILTIN_UID, 4, -1 },
	{ "gid", BUILTIN_GID, 4, -1 },
	{ "comm", BUILTIN_COMM, 0, offsetof(struct event_header, comm) },
	{ "cpu", BUILTIN_CPU, 4, -1 },
	{ "func", BUILTIN_FUNC, 4, -1 },
	{ "ts", BUILTIN_TS, 8, -1 },
	{ "cgroup", BUILTIN_CGROUP, 8, -1 },
	{ "task", BUILTIN_TASK, 0, -1 },
	{ "caller", BUILTIN_CALLER, 0, -1 },
	{ "stack", BUILTIN_STACK, 8, -1 },
	{ "ip", BUILTIN_IP, 0, -1 },
	{ "reg", BUILTIN_REG, 8, -1 },
	{ "ret", BUILTIN_RET, 0, -1 },
	{ "retval", BUILTIN_RET, 0, -1 },
	{ "lat", BUILTIN_LAT, 8, -1 },
	{ "ctx", BUILTIN_CTX, 8, -1 },
	{ "irq", BUILTIN_IRQ, 4, -1 },
	{ "kstack", BUILTIN_KSTACK, 8, -1 },
	{ "ustack", BUILTIN_USTACK, 8, -1 },
	{ "depth", BUILTIN_DEPTH, 4, -1 },
	{ "frame", BUILTIN_FRAME, 8, -1 },
};
enum { BUILTIN_COUNT = sizeof(builtins) / sizeof(builtins[0]) };

const char *expr_word_name(size_t number)
{
	return number < BUILTIN_COUNT ? builtins[number].name : NULL;
}

/* In the kernel, a negative int is an error. */
void format_ret(struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	if (b && b->id == BUILTIN_LAT)
		s->store.type = FIELD_NS;
	else if (b && b->id == BUILTIN_CTX)
		s->store.type = FIELD_TRACE_CTX;
	else if (b && b->id == BUILTIN_RET && s->store.type == FIELD_INT && s->store.size >= 4)
		s->store.type = FIELD_RET;
}

/* $caller, $ip and $func: numbers in the record, names in the output. */
void format_builtin(struct compile *c, struct slot *s)
{
	format_ret(s);
	if (s->root->builtin->id == BUILTIN_CALLER || s->root->builtin->id == BUILTIN_IP)
		s->store.type = FIELD_SYM;
	if (s->root->builtin->id != BUILTIN_FUNC)
		return;
	s->store.type = FIELD_ENUM;
	s->store.names = c->in->run.points;
	s->store.name_count = c->in->run.point_count;
}

static void fail_no_builtin(struct compile *c, struct node *n)
{
	char name[64], list[200];
	struct suggestion nearest;
	size_t len = 0;

	compile_text(c, n->name, name, sizeof(name));
	compile_fail(c, n->name, "there is no %s", name);
	suggest_init(&nearest, name + 1);
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		suggest_offer(&nearest, builtins[i].name);
		len += snprintf(list + len, sizeof(list) - len, "$%s ", builtins[i].name);
	}
	if (hint_find(HINT_WORD, name, strlen(name)))
		compile_hint(c, "%s", hint_find(HINT_WORD, name, strlen(name)));
	else if (suggest_get(&nearest))
		compile_suggest(c, &nearest, &(struct suggest_words){ .before = "$" });
	else
		compile_hint(c, "known: %s$arg1 …", list);
}

static void fail_unknown_params(struct compile *c, struct node *n)
{
	compile_fail(c, n->name,
		     "%s is not the first instruction: the registers of parameters are not known",
		     c->p->func);
	compile_hint(c,
		     "$reg(...) is any register; parameters are known where the function begins");
}

/* $arg1 is the first parameter, with its type; of a user function the first register, whether types are known or not. */
static void resolve_argument(struct compile *c, struct node *n, const char *digits)
{
	unsigned first = (unsigned)c->in->site.first_register, count = param_count(c) - first,
		 number = 0;

	for (; *digits >= '0' && *digits <= '9' && number < 100; digits++)
		number = number * 10 + *digits - '0';
	if (*digits)
		fail_no_builtin(c, n);
	else if (c->in->site.params_unknown)
		fail_unknown_params(c, n);
	else if (!number || number > count)
		compile_fail(c, n->name, "%s has %u %sparameter%s", c->p->func, count,
			     c->in->site.params ? "known " : "", count == 1 ? "" : "s");
	else
		resolve_param(c, n, first + number - 1);
}

/* $arg(TYPE) is the first parameter of that type: the one by which '*(TYPE)' found the function. */
static void resolve_typed_argument(struct compile *c, struct node *n)
{
	char text[128];
	int i;

	compile_text(c, n->argument, text, sizeof(text));
	i = param_of_type(c, text);
	if (i >= 0)
		resolve_param(c, n, i);
	else
		compile_fail(c, n->span, "%s has no parameter of type %s", c->p->func, text);
}

/* ---- registers ---- */

static void register_set(struct node *n, unsigned number)
{
	n->reg = arch_offset(number);
}

/* $reg(di) */
static void resolve_register(struct compile *c, struct node *n, const char *name)
{
	const struct arch *arch = target_arch(&c->in->target);
	int number = arch_register(arch, name);
	unsigned argument = arch_argument(name);

	if (number >= 0) {
		register_set(n, number);
		return;
	}
	compile_fail(c, n->argument, "unknown register %s", name);
	if (argument && argument <= arch->argument_count)
		compile_hint(c, "argument %u is in %s here; registers: %s", argument,
			     arch->registers[arch->arguments[argument - 1]], arch->registers_text);
	else
		compile_hint(c, "registers: %s", arch->registers_text);
}

/* The register that at the entry holds the return address or points to it; at a return, the
 * instruction pointer. */
static unsigned caller_register(const struct compile *c)
{
	const struct arch *arch = target_arch(&c->in->target);

	if (c->in->scope == EXPR_SCOPE_RETURN)
		return arch->ip;
	return arch->return_size ? arch->sp : arch->return_link;
}

/* The parent's id in the namespace whose ids are shown; 0 if the parent is outside. */
static void resolve_parent(struct compile *c, struct node *n)
{
	static const char host[] = "$task->real_parent->tgid",
			  pid[] = "$task->real_parent->signal->pids[PIDTYPE_TGID]";
	unsigned level = c->in->run.filter.numbers.level;
	char text[192];

	snprintf(text, sizeof(text), "%s->level < %u ? 0 : %s->numbers[%u].nr", pid, level, pid,
		 level);
	n->child = parse_inner(c, c->in->run.filter.numbers.ns ? text : host);
}

/* $frame: of two nested calls of a function on one stack, the inner one has the lower frame. */
static void resolve_frame(struct compile *c, struct node *n)
{
	if (c->in->target.method == EXPR_CTX_EVENT)
		compile_fail(c, n->name, "%s is not a call and has no $frame", c->p->func);
}

static void builtin_set(struct compile *c, struct node *n, const struct builtin *b)
{
	bool is_reg = b->id == BUILTIN_REG;
	char name[16];

	n->builtin = b;
	n->type = ctype_int(b->int_size, false);
	n->category = CATEGORY_RVALUE;
	compile_text(c, n->argument, name, sizeof(name));
	if (is_reg != (n->argument.end != 0))
		compile_fail(c, n->span,
			     is_reg ? "which register? $reg(di)" :
				      "it has no argument in parentheses");
	else if (is_reg)
		resolve_register(c, n, name);
	else if (b->id == BUILTIN_STACK)
		register_set(n, target_arch(&c->in->target)->sp);
	else if (b->id == BUILTIN_IP)
		register_set(n, target_arch(&c->in->target)->ip);
	else if (b->id == BUILTIN_CALLER)
		register_set(n, caller_register(c));
	else if (b->id == BUILTIN_RET)
		resolve_ret(c, n);
	else if (b->id == BUILTIN_LAT)
		resolve_lat(c, n);
	else if (b->id == BUILTIN_CTX)
		resolve_context(c, n);
	else if (b->id == BUILTIN_IRQ)
		resolve_interrupt(c, n);
	else if (b->id == BUILTIN_PPID)
		resolve_parent(c, n);
	else if (b->id == BUILTIN_DEPTH)
		resolve_depth(c, n);
	else if (b->id == BUILTIN_FRAME)
		resolve_frame(c, n);
	if (b->id == BUILTIN_TASK)
		n->type = ctype_of(c->in->target.task_struct_id);
	if (b->id == BUILTIN_TASK || b->id == BUILTIN_CALLER || b->id == BUILTIN_IP)
		n->type = ctype_pointer_to(n->type);
}

/* True for words that only calls have. */
static bool is_of_call(const char *name)
{
	static const char *const words[] = { "$ret", "$retval", "$caller", "$ctx", "$frame" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i]))
			return true;
	return !strncmp(name, "$arg", 4);
}

static void fail_sample(struct compile *c, struct node *n, const char *name)
{
	compile_fail(c, n->name, "%s is not a call and has no %s", c->p->func, name);
	compile_hint(c, "$ip and $reg(...) are of the interrupted code, $task is its task; "
			"@jiffies is a variable of the kernel");
}

/* True if the compiler wrote the node. Such texts follow the user's. */
static bool is_inner(const struct compile *c, const struct node *n)
{
	return n->span.start > strlen(c->slot->text);
}

/* $fact(preempt): a small number that the loader supplies. */
static void resolve_fact(struct compile *c, struct node *n)
{
	enum expr_fact fact = EXPR_FACT_NONE + 1;
	char name[16];

	compile_text(c, n->argument, name, sizeof(name));
	while (strcmp(expr_fact_name(fact), name))
		fact++;
	n->kind = NODE_NUMBER;
	n->fact = fact;
	n->type = ctype_int(4, true);
}

void resolve_builtin(struct compile *c, struct node *n)
{
	char name[64];

	compile_text(c, n->name, name, sizeof(name));
	if (!strcmp(name, "$fact") && is_inner(c, n)) {
		resolve_fact(c, n);
		return;
	}
	if (c->in->site.is_sample && is_of_call(name)) {
		fail_sample(c, n, name);
		return;
	}
	if (!strcmp(name, "$arg") && n->argument.end) {
		resolve_typed_argument(c, n);
		return;
	}
	if (!strncmp(name, "$arg", 4) && name[4]) {
		resolve_argument(c, n, name + 4);
		return;
	}
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		if (strcmp(name + 1, builtins[i].name))
			continue;
		builtin_set(c, n, &builtins[i]);
		return;
	}
	fail_no_builtin(c, n);
}

/*
 * comm, pid, retval … without a $, as in bpftrace, where no parameter has that name. Of several functions one may have
 * such a parameter, and the arguments of an event are not its fields: then the word has to be written as it is here.
 */
bool resolve_bare(struct compile *c, struct node *n)
{
	static const char words[] = " comm pid tid uid gid ppid cpu cgroup retval ";
	char name[16], word[18];
	size_t i = 0;

	if (n->name.end - n->name.start >= sizeof(name) || c->in->site.params_elsewhere ||
	    c->in->run.point_count > 1)
		return false;
	compile_text(c, n->name, name, sizeof(name));
	snprintf(word, sizeof(word), " %s ", name);
	while (i < BUILTIN_COUNT && strcmp(builtins[i].name, name))
		i++;
	if (!strstr(words, word) || i == BUILTIN_COUNT ||
	    (c->in->site.is_sample && builtins[i].id == BUILTIN_RET))
		return false;
	n->kind = NODE_BUILTIN;
	builtin_set(c, n, &builtins[i]);
	return true;
}
