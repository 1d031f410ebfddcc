/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inner.c - emits arguments of USDT probes: expressions of argdump's language that locate them (probe/usdt_arg.c).
 *
 *  *	(long)(int)($reg(di))	(unsigned char)($reg(ax) >> 8)	*(int __user *)(-20 + $reg(bp) + $reg(dx) * 4)
 *
 * Supports only what these texts contain: casts, sums, products, shifts, registers, numbers and user memory.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "script/emit/gen.h"

struct inner {
	struct sgen *g;
	const char *at;
	bool is_bad;
};

static void shifts(struct inner *r);

static bool accept(struct inner *r, const char *text)
{
	r->at += strspn(r->at, " ");
	if (strncmp(r->at, text, strlen(text)))
		return false;
	r->at += strlen(text);
	return true;
}

/* "unsigned int", "long __user *": up to the parenthesis */
static struct script_type type_read(struct inner *r)
{
	size_t length = strcspn(r->at, ")");
	char words[64] = "";

	memcpy(words, r->at, length < sizeof(words) ? length : 0);
	r->at += length;
	r->is_bad |= !accept(r, ")");
	return script_int(strstr(words, "char")	 ? 1 :
			  strstr(words, "short") ? 2 :
			  strstr(words, "long")	 ? 8 :
						   4,
			  !strstr(words, "unsigned"));
}

/* True if a type follows the parenthesis. */
static bool is_cast(const struct inner *r)
{
	return isalpha((unsigned char)r->at[strspn(r->at, " ")]);
}

static void reg_read(struct inner *r)
{
	char name[16] = "";
	size_t length = strcspn(r->at, ")");
	int number;

	memcpy(name, r->at, length < sizeof(name) ? length : 0);
	r->at += length;
	number = arch_register(target_arch(r->g->target), name);
	r->is_bad |= !accept(r, ")") || number < 0;
	if (!r->is_bad)
		emit_load(r->g->k, 8, BPF_REG_0, context_reg(r->g, BPF_REG_0), arch_offset(number));
}

static void number_read(struct inner *r)
{
	char *end;
	uint64_t number;

	r->at += strspn(r->at, " ");
	number = *r->at == '-' ? (uint64_t)strtoll(r->at, &end, 0) : strtoull(r->at, &end, 0);
	r->is_bad |= end == r->at;
	r->at = end + strspn(end, "UL");
	emit_imm64(r->g->k, BPF_REG_0, number);
}

static void unary(struct inner *r);

/* Parses what follows the star: (TYPE __user *)ADDRESS */
static void memory_read(struct inner *r)
{
	struct mark m = frame_mark(r->g);
	struct place to = place_alloc_small(r->g, 8);
	struct script_type type;

	r->is_bad |= !accept(r, "(");
	type = type_read(r);
	unary(r);
	emit_move(r->g->k, BPF_REG_3, BPF_REG_0);
	read_gen(r->g, to, type.size, true);
	scalar_load(r->g, BPF_REG_0, place_reg(r->g, to), to.off, &type);
	frame_drop(r->g, m);
}

static void unary(struct inner *r)
{
	struct script_type type;

	if (r->is_bad)
		return;
	if (accept(r, "*")) {
		memory_read(r);
	} else if (accept(r, "$reg(")) {
		reg_read(r);
	} else if (!accept(r, "(")) {
		number_read(r);
	} else if (is_cast(r)) {
		type = type_read(r);
		unary(r);
		extend_gen(r->g, BPF_REG_0, type.size, type.is_signed);
	} else {
		shifts(r);
		r->is_bad |= !accept(r, ")");
	}
}

/* r0 = r0 oper the result of `operand` */
static void combine(struct inner *r, int oper, void (*operand)(struct inner *r))
{
	struct mark m = frame_mark(r->g);
	struct place left = spill(r->g, BPF_REG_0);

	operand(r);
	emit_move(r->g->k, BPF_REG_1, BPF_REG_0);
	place_load(r->g, 8, BPF_REG_0, left);
	emit_alu(r->g->k, oper, BPF_REG_0, BPF_REG_1);
	frame_drop(r->g, m);
}

static void products(struct inner *r)
{
	unary(r);
	while (!r->is_bad && accept(r, "*"))
		combine(r, BPF_MUL, unary);
}

static void sums(struct inner *r)
{
	products(r);
	while (!r->is_bad && accept(r, "+"))
		combine(r, BPF_ADD, products);
}

static void shifts(struct inner *r)
{
	sums(r);
	while (!r->is_bad && (accept(r, "<<") || accept(r, ">>")))
		combine(r, r->at[-1] == '<' ? BPF_LSH : BPF_RSH, sums);
}

void inner_gen(struct sgen *g, struct script_expr *e, const struct expr_param *p)
{
	struct inner r = { .g = g, .at = p->inner };

	if (!p->inner) {
		script_fail(g->c, e->span, "this argument of the probe cannot be read: it is %s",
			    p->type);
		return;
	}
	if (g->target->method != EXPR_CTX_KPROBE) {
		script_refuse(g->c, e->span, "only uprobes can read registers");
		return;
	}
	shifts(&r);
	if (r.is_bad || *r.at)
		script_unsupported(g->c, e->span, "the argument %s", p->inner);
}
