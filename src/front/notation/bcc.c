/* SPDX-License-Identifier: GPL-2.0-only */
/* bcc.c - converts probes of bcc's trace and argdist to PROBE; the meaning of names there; probes of trace. */
#include "front/notation/bcc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expr/legacy/legacy.h"

/* ---- the probe ---- */

/* Finds libraries as the linker does; libpthread is part of libc since glibc 2.34. */
static const char *library_name(struct notation *n, const char *name)
{
	static const char *const libraries[] = { "m", "dl", "ssl", "crypto", "z", "stdc++", "rt" };

	if (!strcmp(name, "c"))
		return "libc";
	if (!strcmp(name, "pthread")) {
		notation_note(n, "looking up pthread in libc, which contains it since glibc 2.34");
		return "libc";
	}
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (!strcmp(libraries[i], name))
			return notation_print(n, "lib%s", name);
	return name;
}

static void function_set(struct notation *n, struct bcc_probe *p, const char *name)
{
	const char *call = notation_syscall(name);
	size_t row = 0;
	bool dead;

	if (call) {
		p->is_syscall = true;
		p->probe = notation_print(n, "s:%s", call);
		return;
	}
	legacy_renamed(name, &row, &dead, &p->moved);
	p->probe = notation_function(n, name);
}

/* Converts t:syscalls:sys_enter_X to s:X. */
static void tracepoint_set(struct notation *n, struct bcc_probe *p, const char *category,
			   const char *name)
{
	bool enter = !strncmp(name, "sys_enter_", 10), leave = !strncmp(name, "sys_exit_", 9);

	p->is_syscall = !strcmp(category, "syscalls") && (enter || leave);
	if (p->is_syscall)
		p->probe = notation_print(n, "s:%s%s", name + (enter ? 10 : 9),
					  enter ? "" : "%return");
	else
		p->probe = notation_print(n, "t:%s:%s", category, name);
}

static void parts_set(struct notation *n, struct bcc_probe *p, const char *place, const char *name)
{
	p->is_user = p->kind != 't' && *place;
	if (!*name)
		notation_fail(n, p->start, p->end, "FUNCTION, p:LIBRARY:FUNCTION, t:CATEGORY:EVENT",
			      "missing name");
	else if (p->kind == 't')
		tracepoint_set(n, p, place, name);
	else if (p->kind == 'u')
		p->probe = notation_print(n, "u:%s:%s%s", library_name(n, place),
					  strchr(name, ':') ? "" : "*:", name);
	else if (*place)
		p->probe = notation_print(n, "u:%s:%s", library_name(n, place), name);
	else
		function_set(n, p, name);
}

static void spec_split(struct notation *n, struct bcc_probe *p)
{
	const char *text = notation_copy(n, p->start, p->end), *colon = strchr(text, ':'), *second;
	const char *place = "", *name = text;

	p->kind = 'p';
	second = colon ? strchr(colon + 1, ':') : NULL;
	if (second) {
		p->kind = colon == text ? 'p' : text[0];
		if (colon > text + 1 || !strchr("prtu", p->kind)) {
			notation_fail(n, p->start, p->start + (colon - text),
				      "p, r, t or u: entry, return, tracepoint, USDT",
				      "unknown kind of probe");
			return;
		}
		place = notation_print(n, "%.*s", (int)(second - colon - 1), colon + 1);
		name = second + 1;
	} else if (colon) {
		place = notation_print(n, "%.*s", (int)(colon - text), text);
		name = colon + 1;
	}
	parts_set(n, p, place, name);
}

/* ---- the signature ---- */

/* One parameter in bytes [start, end): its name is the last word. */
static void param_read(struct notation *n, struct bcc_probe *p, size_t start, size_t end)
{
	size_t name;

	while (start < end && isspace((unsigned char)n->text[start]))
		start++;
	while (end > start && isspace((unsigned char)n->text[end - 1]))
		end--;
	for (name = end; name > start &&
			 (isalnum((unsigned char)n->text[name - 1]) || n->text[name - 1] == '_');)
		name--;
	if (start == end || p->param_count == BCC_PARAMS_MAX)
		return;
	p->params[p->param_count].name = notation_copy(n, name, end);
	p->params[p->param_count++].type = notation_copy(n, start, name);
}

/* Reads from the '(' on. Returns the byte after the ')'. */
static size_t signature_read(struct notation *n, struct bcc_probe *p, size_t at)
{
	size_t start = at + 1, depth = 0;

	for (; at < n->limit; at++) {
		char c = n->text[at];

		depth += c == '(';
		depth -= c == ')';
		if (!depth || (c == ',' && depth == 1)) {
			param_read(n, p, start, at);
			start = at + 1;
		}
		if (!depth)
			return at + 1;
	}
	notation_fail(n, start - 1, n->limit, NULL, "missing )");
	return n->limit;
}

void bcc_probe_read(struct notation *n, struct bcc_probe *p)
{
	size_t at = notation_blank(n, 0);

	p->start = at;
	while (at < n->limit && !isspace((unsigned char)n->text[at]) && n->text[at] != '(')
		at++;
	p->end = at;
	spec_split(n, p);
	if (!n->failed && at < n->limit && n->text[at] == '(')
		at = signature_read(n, p, at);
	if (!n->failed)
		n->at = at;
}

void bcc_probe_add(struct notation *n, const struct bcc_probe *p)
{
	bool is_return = p->kind == 'r' && !p->is_call && !p->is_pair;
	const struct model_text *probe = notation_join(n, "%s%s", p->probe,
						       is_return ? "%return" : "");

	probe = notation_placed(n, probe, p->start, p->end);
	if (!n->failed && model_probe_add(n->model, *probe))
		notation_fail(n, 0, 0, NULL, "out of memory");
	if (p->is_pair)
		notation_option_add(n, "until", notation_join(n, "%s%s", p->probe, "%return"));
	else if (p->is_call)
		notation_option_add(n, "return", NULL);
}

/* ---- names ---- */

static const struct {
	const char *there, *here;
} words[] = {
	{ "$pid", "$tid" },	  { "$tgid", "$pid" },	  { "$uid", "$uid" },
	{ "$gid", "$gid" },	  { "$cpu", "$cpu" },	  { "$task", "$task" },
	{ "$PID", "$pid" },	  { "$TGID", "$pid" },	  { "$TID", "$tid" },
	{ "$UID", "$uid" },	  { "$GID", "$gid" },	  { "$COMM", "$comm" },
	{ "$CPU", "$cpu" },	  { "$retval", "$ret" },  { "retval", "$ret" },
	{ "$comm", "$comm" },	  { "$latency", "$lat" }, { "$kstack", "$kstack" },
	{ "$ustack", "$ustack" }, { "true", "1" },	  { "false", "0" },
};

static bool is_pointer(const char *type)
{
	return strchr(type, '*') != NULL;
}

static bool is_text(const char *type)
{
	return is_pointer(type) && strstr(type, "char");
}

/* Uses the types of the signature where an argument's type is otherwise unknown. */
static const struct model_text *typed(struct notation *n, const struct bcc_probe *p, size_t i,
				      const struct model_text *text)
{
	static const char *const wide[] = { "size_t", "u64", "uint64_t", "unsigned long", "long" };
	const char *type = p->params[i].type, *begin;
	size_t len = strlen(type), stars;

	while (len && type[len - 1] == ' ')
		len--;
	if ((!p->is_user && !(p->is_syscall && is_pointer(type))) || !len || is_text(type) ||
	    !strncmp(type, "void", 4))
		return text;
	for (size_t w = 0; w < sizeof(wide) / sizeof(wide[0]); w++)
		if (len == strlen(wide[w]) && !strncmp(type, wide[w], len))
			return text;
	if (!is_pointer(type))
		return notation_join(n, "(%s)%t", notation_print(n, "%.*s", (int)len, type), text);
	/* the kernel has another struct for what programs call timespec */
	if (!strncmp(type, "struct timespec", 15) && !isalnum((unsigned char)type[15]))
		return notation_join(n, "((struct __kernel_timespec __user *)%t)", text);
	stars = strcspn(type, "*");
	begin = notation_print(n, "%.*s__user %.*s", (int)stars, type, (int)(len - stars),
			       type + stars);
	return notation_join(n, "((%s)%t)", begin, text);
}

static const struct model_text *argument(struct notation_view *v, const struct notation_node *node,
					 unsigned long number)
{
	struct bcc_probe *p = v->ctx;

	if (!number || number > 12) {
		notation_fail_node(v->n, node, NULL, "arguments are arg1, arg2 …");
		return notation_join(v->n, "");
	}
	p->is_call |= p->kind == 'r';
	p->has_arguments |= p->kind == 'r';
	if (p->moved && number <= 5 && p->moved[number - 1])
		return notation_join(v->n, "%s", p->moved[number - 1]);
	return notation_join(v->n, "%s", notation_print(v->n, "$arg%lu", number));
}

static const struct model_text *name_of(struct notation_view *v, const struct notation_node *node)
{
	struct bcc_probe *p = v->ctx;
	const char *name = node->text;

	if (!strcmp(name, "$entry") && node->kid)
		return notation_text(v, node->kid);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].there, name))
			continue;
		p->is_call |= !strcmp(name, "$latency");
		if (!strcmp(words[i].here, "$ret") && p->kind != 'r')
			notation_fail_node(v->n, node, "use r:…, a probe of the return",
					   "the result is not known at the entry");
		return notation_join(v->n, "%s",
				     p->is_pair && !strcmp(words[i].here, "$ret") ? "@end($ret)" :
										    words[i].here);
	}
	for (size_t i = 0; i < p->param_count; i++)
		if (!strcmp(p->params[i].name, name))
			return typed(v->n, p, i, argument(v, node, i + 1));
	if (!strncmp(name, "arg", 3) && isdigit((unsigned char)name[3]))
		return argument(v, node, strtoul(name + 3, NULL, 10));
	if (name[0] == '$')
		notation_fail_node(v->n, node,
				   "$pid $tgid $uid $gid $cpu $task $retval $latency $entry(x)",
				   "there is no %s", name);
	return notation_join(v->n, "%s", name);
}

static const struct model_text *arg_of(struct notation_view *v, const struct notation_node *node,
				       const char *member)
{
	const struct bcc_probe *p = v->ctx;

	if (p->kind != 't')
		notation_fail_node(v->n, node, "arg1, arg2 … are its arguments",
				   "only tracepoints have args");
	return notation_join(v->n, "%s", p->is_syscall && !strcmp(member, "ret") ? "$ret" : member);
}

void bcc_view(struct notation *n, struct bcc_probe *p, struct notation_view *v)
{
	*v = (struct notation_view){ .n = n,
				     .name = name_of,
				     .arg = arg_of,
				     .is_user = p->is_user || p->is_syscall,
				     .is_untyped = p->is_user,
				     .ctx = p };
}

/*
 * Parses a probe of bcc's trace:
 *
 * 	PROBE ['(' condition ')'] ['"' format '"' {',' value}]
 */

/* Skips @user in arg2@user: the compiler knows whose memory it is. */
static void users_skip(struct notation *n)
{
	char *copy = (char *)notation_copy(n, 0, strlen(n->text)), *at = copy;

	while ((at = strstr(at, "@user")))
		memset(at, ' ', 5);
	if (!n->failed)
		n->text = copy;
}

struct trace {
	struct notation_node *condition, *format, *values;
};

static void rest_read(struct notation *n, struct trace *t)
{
	struct notation_node **end = &t->values;

	notation_next(n);
	if (notation_is(n, "(")) {
		notation_next(n);
		t->condition = notation_expr(n);
		notation_expect(n, ")");
	}
	if (n->token == NOTATION_STRING) {
		t->format = notation_node(n, NOTATION_LITERAL, notation_token_text(n), NULL);
		if (t->format) {
			t->format->start = n->start;
			t->format->end = n->end;
		}
		notation_next(n);
	}
	while (!n->failed && notation_accept(n, ",")) {
		*end = notation_expr(n);
		if (*end)
			end = &(*end)->next;
	}
	if (!n->failed && n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, "PROBE (CONDITION) \"FORMAT\", VALUE, …",
			      "unexpected text");
}

void notation_trace(struct notation *n, bool with_cpu)
{
	struct notation_line line = { .count = 0 };
	const struct model_text *condition = NULL;
	struct bcc_probe p = { 0 };
	struct notation_view v;
	struct trace t = { 0 };

	users_skip(n);
	bcc_probe_read(n, &p);
	if (!n->failed)
		rest_read(n, &t);
	if (n->failed)
		return;
	bcc_view(n, &p, &v);
	if (t.format)
		notation_printf(&v, t.format, t.values, &line);
	if (t.condition)
		condition = notation_text(&v, t.condition);
	bcc_probe_add(n, &p);
	for (size_t i = 0; i < line.count; i++)
		notation_expr_add(n, line.words[i]);
	if (with_cpu)
		notation_expr_add(n, notation_join(n, "$cpu"));
	if (condition)
		notation_option_add(n, "if", condition);
}
