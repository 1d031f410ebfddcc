/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.c - @name: a kernel variable, by its address; and percpu(EXPR).
 *
 * BTF has types only for per-CPU variables (which are at an offset in each CPU's area). The types
 * of a few other common variables are listed here. All others are read as words, and a cast gives
 * them a type: ((struct T *)&@name)->member.
 */
#include <stdio.h>
#include <string.h>

#include "expr/resolve/resolve.h"
#include "expr/ctype.h"
#include "expr/syntax/syntax.h"

static const struct {
	const char *symbol, *type; /* a struct; NULL: unsigned long */
} known[] = {
	{ "jiffies", NULL },
	{ "jiffies_64", NULL },
	{ "init_task", "task_struct" },
	{ "init_mm", "mm_struct" },
	{ "init_net", "net" },
	{ "init_nsproxy", "nsproxy" },
	{ "init_pid_ns", "pid_namespace" },
	{ "init_user_ns", "user_namespace" },
	{ "init_uts_ns", "uts_namespace" },
	{ "init_cred", "cred" },
	{ "init_fs", "fs_struct" },
	{ "init_files", "files_struct" },
	{ "root_task_group", "task_group" },
	{ "tasklist_lock", "rwlock" },
	{ "modules", "list_head" },
	{ "super_blocks", "list_head" },
};

static struct ctype known_type(struct compile *c, const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint32_t id = 0;

		if (strcmp(known[i].symbol, name))
			continue;
		if (known[i].type)
			id = btf_view_find(c->in->btf, BTF_KIND_STRUCT, known[i].type);
		if (id)
			return ctype_of(id);
	}
	return ctype_int(8, false);
}

static void symbol_percpu(struct compile *c, struct node *n, uint32_t var)
{
	n->percpu = var;
	n->type = ctype_of(btf_view_type(c->in->btf, var)->type);
}

static void symbol_address(struct compile *c, struct node *n, const char *name)
{
	if (c->in->run.symbol)
		n->address = c->in->run.symbol(c->in->run.symbol_ctx, name);
	n->type = known_type(c, name);
	if (n->address)
		return;
	compile_fail(c, n->name, "the kernel's symbols have no variable %s", name);
	compile_hint(
		c,
		"names are in /proc/kallsyms, of some kernels without variables (CONFIG_KALLSYMS_ALL); "
		"its addresses are hidden without CAP_SYSLOG, and by kernel.kptr_restrict=2");
}

bool symbol_is_untyped(const struct compile *c, const struct node *n)
{
	return n->kind == NODE_SYMBOL && !n->percpu && ctype_is_integer(c->in->btf, n->type);
}

/* Older BTF has no types of per-CPU variables. Where their addresses begin at 0 (x86-64), they are
 * offsets, not kernel addresses. */
void symbol_hint(struct compile *c, const struct node *n)
{
	const char *name = c->slot->text + n->name.start;
	int len = n->name.end - n->name.start;

	if (!symbol_is_untyped(c, n))
		return;
	if ((int64_t)n->address > 0)
		compile_hint(
			c,
			"BTF has no type for it; a cast gives it one: percpu((struct T *)&@%.*s)->member",
			len, name);
	else
		compile_hint(
			c,
			"BTF has no type for it; a cast gives it one: ((struct T *)&@%.*s)->member",
			len, name);
}

struct node *symbol_words(struct compile *c, struct node *n)
{
	return compile_node(c, n, NODE_ADDRESS, ctype_pointer_to(n->type), n, NULL) ?: n;
}

/* Fails if BTF names a variable that the kernel does not find (run.variable). */
static bool has_symbol(struct compile *c, const struct node *n, const char *name)
{
	if (!btf_view_find(c->in->btf, BTF_KIND_VAR, name))
		return true;
	compile_fail(c, n->name, "this kernel keeps no symbol of the per-CPU variable %s", name);
	compile_hint(
		c,
		"it was built without CONFIG_KALLSYMS_ALL, so programs find no variables; EXPR ?? "
		"OTHER has another value then");
	return false;
}

uint32_t symbol_variable(const struct compile *c, const char *name)
{
	uint32_t var = btf_view_find(c->in->btf, BTF_KIND_VAR, name);

	return var && c->in->run.variable && !c->in->run.variable(c->in->btf, var) ? 0 : var;
}

void resolve_symbol(struct compile *c, struct node *n)
{
	char name[128];
	uint32_t var;

	compile_text(c, n->name, name, sizeof(name));
	n->category = CATEGORY_LVALUE;
	var = symbol_variable(c, name);
	if (var)
		symbol_percpu(c, n, var);
	else if (has_symbol(c, n, name))
		symbol_address(c, n, name);
}

/*
 * ---- percpu(EXPR): this CPU's copy of the target of a per-CPU pointer, with the type of EXPR
 * ----
 *
 * Such a pointer is an offset that is the same for all CPUs. Each CPU adds its own, which is in a
 * per-CPU variable on x86-64, and in a table everywhere.
 */

static const char *offset_text(const struct compile *c)
{
	if (symbol_variable(c, "this_cpu_off"))
		return "@this_cpu_off";
	return "*(u64 *)((u64)&@__per_cpu_offset + 8 * $cpu)";
}

/* True for the address of a variable with a per-CPU type. It is already this CPU's, also after a cast, which kernels
 * without such types need. */
static bool is_this_cpu(const struct node *n)
{
	while (n->kind == NODE_CAST)
		n = n->child;
	return n->kind == NODE_ADDRESS && n->child->kind == NODE_SYMBOL && n->child->percpu;
}

void resolve_percpu(struct compile *c, struct node *n)
{
	struct ctype word = ctype_int(8, false), type = n->child->type;
	struct node *sum, *offset;
	char text[DECLARATION_MAX];

	if (!ctype_is_pointer(c->in->btf, type) && !ctype_is_integer(c->in->btf, type)) {
		compile_fail(c, n->child->span, "percpu needs a pointer, but this is %s",
			     compile_declared(c, type, text));
		return;
	}
	if (is_this_cpu(n->child)) {
		*n = *n->child;
		return;
	}
	offset = parse_inner(c, offset_text(c));
	sum = compile_node(c, n, NODE_CAST, word, n->child, NULL);
	sum = compile_node(c, n, NODE_BINARY, word, sum, offset);
	if (c->err)
		return;
	sum->oper = OPER_ADD;
	n->kind = NODE_CAST;
	n->child = sum;
	n->type = ctype_is_pointer(c->in->btf, type) ? type : word;
	n->category = CATEGORY_RVALUE;
}
