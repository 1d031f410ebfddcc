/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_strcmp.c - comparisons of strings → values: name == "text", name ~ "/tmp/" and so on.
 */
#include "expr/lower/lower.h"

#include <string.h>

#include "util/glob.h"

enum { COMPARED_MAX = 100 }; /* in bytes: what the stack of emit_strcmp.c has room for */

/* ---- the text or pattern ---- */

static void add_table(struct compile *c, const struct node *n, struct plan_text *t)
{
	void *table = compile_alloc(c, sizeof(glob_table));
	int err = c->err ?: glob_compile(n->bytes, n->number, table);

	t->is_glob = true;
	if (err == -EINVAL)
		compile_fail(c, n->span, "a [ in the pattern has no ]");
	else if (err == -E2BIG)
		compile_fail(c, n->span, "the pattern is too complicated");
	else if (err)
		c->err = err;
	else
		t->table = map_add_table(c, table, sizeof(glob_table));
}

static const struct plan_text *text_of(struct compile *c, const struct node *n, enum oper oper)
{
	struct plan_text *t = compile_alloc(c, sizeof(*t));
	char *bytes = compile_alloc(c, n->number + 8);
	size_t count = n->number;
	bool plain = true;

	if (c->err)
		return NULL;
	memcpy(bytes, n->bytes, n->number);
	if (oper == OPER_MATCH)
		plain = glob_is_prefix(n->bytes, n->number, bytes, &count, &t->open_end);
	*t = (struct plan_text){ bytes, count, t->open_end, false, 0 };
	memset(bytes + count, 0, n->number + 8 - count);
	if (!plain || (oper == OPER_MATCH && count > COMPARED_MAX)) {
		memcpy(bytes, n->bytes, n->number);
		t->open_end = false;
		add_table(c, n, t);
	} else if (count > COMPARED_MAX) {
		compile_fail(c, n->span, "a text to compare with has at most %d bytes",
			     COMPARED_MAX);
		compile_hint(c, "~ compares with longer ones, and with patterns");
	} else if (memchr(bytes, 0, count)) {
		compile_fail(c, n->span, "no string has a NUL in it");
	}
	return t;
}

/* ---- the string ---- */

/* The address of the current task's name, which is then read like any other string. */
static int comm_address(struct compile *c, const struct node *n)
{
	struct vreg task = { .op = VREG_BUILTIN, .base = -1, .other = -1, .imm = BUILTIN_TASK };
	struct lvalue at = { .link = n->span };
	struct btf_found found;

	if (!btf_view_member(c->in->btf, c->in->target.task_struct_id, "comm", 4, &found)) {
		compile_fail(c, n->span, "this kernel's types lack the name of a task");
		return -1;
	}
	if (c->in->target.current_task_btf)
		task.pointee = c->in->target.task_struct_id;
	at.base = ir_add(c, ir_value(c, task), -1);
	at.off = found.bit_offset / 8;
	return lvalue_address(c, &at);
}

/* True if only a helper can read the string, not a cast. */
static bool match_needs_helper(const struct btf_view *b, const struct expr_target *t,
			       const struct plan_text *text)
{
	uint32_t size = (text->len + !text->open_end + 7) & ~7u;

	return text->is_glob || !t->typed_loads || !t->rdonly_cast_id ||
	       (!t->rdonly_cast_void &&
		(!t->pt_regs_id || !typed_bytes(b, t->pt_regs_id, 0, size)));
}

int plan_text(struct compile *c, const struct node *n)
{
	bool is_comm = n->child->builtin && n->child->builtin->id == BUILTIN_COMM;
	struct vreg v = { .op = VREG_MATCH, .other = -1 },
		    not = { .op = VREG_UNARY, .oper = OPER_NOT, .other = -1 };
	int value;

	v.base = is_comm ? comm_address(c, n->child) : plan_value_of(c, n->child);
	v.text = text_of(c, n->other, n->oper);
	if (!c->err && !c->in->target.probe_read &&
	    match_needs_helper(c->in->btf, &c->in->target, v.text))
		compile_refuse(
			c, n->span,
			"comparing this needs bpf_probe_read, which cannot be used here (lockdown)");
	if (c->err)
		return -1;
	value = ir_add(c, ir_value(c, v), link_add(c, n->child->span));
	if (n->oper != OPER_NE || c->err)
		return value;
	not .base = value;
	return ir_add(c, ir_value(c, not ), -1);
}
