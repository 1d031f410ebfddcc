/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path_text.c - a path as a string, as records show it: /a/b, pipe:[123], (unreachable)/b,
 * …/b if it was cut.
 *
 * The walk goes from the last name to the first, so the text is written from its end to its
 * beginning, in a buffer that this path has on each CPU. A name must be as long as its dentry
 * says. Else it is being renamed, and the walk begins again.
 *
 * The resulting string is read like any other one: compared, or copied into a key.
 */
#include "expr/emit/emit_slot.h"
#include "output/field/value.h"

#include <string.h>

enum {
	MASK = 4095,	  /* mask for the offset of the first byte … */
	TEXT_END = MASK,  /* … and the offset of the NUL */
	TEXT_ROOM = 4360, /* a name may be read from MASK + 1 on, with its NUL and one more byte */
	LOWEST = NAME_ROOM + 32, /* a name and a prefix fit below */
	REG_AT = REG_CTX,	 /* the offset of the first byte */

	AT_CONTEXT = AT_OWN,
	AT_BUFFER = AT_OWN + 8,
	AT_BYTE = AT_OWN + 16,
	AT_TYPE = AT_OWN + 24,
	TYPE_ROOM = 24,
};
_Static_assert(AT_TYPE + TYPE_ROOM <= STACK_WORK, "the stack is full");

/* ---- pieces ---- */

/* Moves the offset back. The mask gives the verifier the same bounds on each way through the loop;
 * without it, it would follow every mixture of names and mounts. */
static void move_back(struct path_code *w, int bytes)
{
	emit_alu_imm(w->k, BPF_ADD, REG_AT, MASK + 1 - bytes);
	emit_alu_imm(w->k, BPF_AND, REG_AT, MASK);
}

/* dst = the address of offset `reg` */
static void address(struct path_code *w, int dst, int reg)
{
	emit_load(w->k, 8, dst, BPF_REG_10, w->raised + AT_BUFFER);
	emit_alu(w->k, BPF_ADD, dst, reg);
}

static void append_text(struct path_code *w, const char *text)
{
	int len = strlen(text);

	move_back(w, len);
	address(w, BPF_REG_3, REG_AT);
	for (int i = 0; i < len; i++)
		emit_store_imm(w->k, 1, BPF_REG_3, i, (unsigned char)text[i]);
}

/* r1 = the length of the name */
static void load_length(struct path_code *w)
{
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, w->raised + AT_LENGTH);
	emit_alu_imm(w->k, BPF_AND, BPF_REG_1, 255);
}

/* Adds a slash and the name at AT_NAME. The NUL that is read overwrites the first byte of the
 * text, which is restored. */
static void append_name(struct path_code *w)
{
	emit_jump(w->k, BPF_JLT, REG_AT, w->limit, w->cut);
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, w->raised + AT_LENGTH);
	emit_jump(w->k, BPF_JGT, BPF_REG_1, NAME_ROOM - 1, w->doubt);
	address(w, BPF_REG_3, REG_AT);
	emit_load(w->k, 1, BPF_REG_2, BPF_REG_3, 0);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_BYTE, BPF_REG_2);
	emit_alu(w->k, BPF_SUB, REG_AT, BPF_REG_1);
	move_back(w, 1);
	emit_address(w->k, BPF_REG_2, BPF_REG_1, 2); /* a longer name must not match */
	address(w, BPF_REG_1, REG_AT);
	emit_store_imm(w->k, 1, BPF_REG_1, 0, '/');
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, 1);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_NAME);
	emit_call(w->k, HELPER_READ_KERNEL_STR);
	load_length(w);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, 1);
	emit_jump_reg(w->k, BPF_JNE, BPF_REG_0, BPF_REG_1, w->doubt);
	address(w, BPF_REG_3, REG_AT);
	emit_alu(w->k, BPF_ADD, BPF_REG_3, BPF_REG_1);
	emit_load(w->k, 8, BPF_REG_2, BPF_REG_10, w->raised + AT_BYTE);
	emit_store(w->k, 1, BPF_REG_3, 0, BPF_REG_2);
}

/* The same without the slash. */
static void append_word(struct path_code *w)
{
	append_name(w);
	emit_alu_imm(w->k, BPF_ADD, REG_AT, 1);
}

/* Adds [123]: the number at AT_PATH, of which records hold 32 bits. */
static void append_number(struct path_code *w)
{
	int again = label_new(w->k), done = label_new(w->k);

	append_text(w, "]");
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, w->raised + AT_PATH);
	emit_move_imm(w->k, BPF_REG_4, 10); /* digits */
	label_bind(w->k, again);
	emit_move(w->k, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(w->k, BPF_MOD, BPF_REG_2, 10);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_2, '0');
	move_back(w, 1);
	address(w, BPF_REG_3, REG_AT);
	emit_store(w->k, 1, BPF_REG_3, 0, BPF_REG_2);
	emit_alu_imm(w->k, BPF_DIV, BPF_REG_1, 10);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, done);
	emit_alu_imm(w->k, BPF_SUB, BPF_REG_4, 1);
	emit_jump(w->k, BPF_JNE, BPF_REG_4, 0, again);
	label_bind(w->k, done);
	append_text(w, "[");
}

/* ---- files that are in no directory ---- */

/* As in output/field/value_text.c. */
static const struct anonymous {
	const char *type, *text;
	bool numbered;
} kinds[] = {
	{ "pipefs", "pipe:", true },
	{ "sockfs", "socket:", true },
	{ "anon_ino", "anon_inode:", false }, /* anon_inodefs */
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* r1 = the first word of the type's name, r2 = the first word of `kind` */
static void load_kind(struct path_code *w, const struct anonymous *a)
{
	uint64_t word = 0;

	memcpy(&word, a->type, strlen(a->type));
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_TYPE);
	emit_imm64(w->k, BPF_REG_2, word);
}

/* Adds the number, or the file's own name. */
static void append_own(struct path_code *w)
{
	int number = label_new(w->k), done = label_new(w->k);

	for (int i = 0; i < KINDS; i++) {
		if (!kinds[i].numbered)
			continue;
		load_kind(w, &kinds[i]);
		emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, BPF_REG_2, number);
	}
	load_length(w);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, number);
	append_word(w);
	emit_goto(w->k, done);
	label_bind(w->k, number);
	append_number(w);
	label_bind(w->k, done);
}

/* Reads the name of the type to AT_TYPE. */
static void read_type(struct path_code *w)
{
	gen_walk_anonymous(w);
	emit_zero(w->k, BPF_REG_10, w->raised + AT_TYPE, TYPE_ROOM);
	emit_address(w->k, BPF_REG_1, BPF_REG_10, w->raised + AT_TYPE);
	emit_move_imm(w->k, BPF_REG_2, TYPE_ROOM);
	emit_call(w->k, HELPER_READ_KERNEL_STR);
	emit_jump(w->k, BPF_JSLT, BPF_REG_0, 1, w->doubt);
	emit_alu_imm(w->k, BPF_SUB, BPF_REG_0, 1);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_ROUND, BPF_REG_0); /* its length */
}

static void append_anonymous(struct path_code *w, int done)
{
	int other;

	read_type(w);
	append_own(w);
	for (int i = 0; i < KINDS; i++) {
		other = label_new(w->k);
		load_kind(w, &kinds[i]);
		emit_jump_reg(w->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
		append_text(w, kinds[i].text);
		emit_goto(w->k, done);
		label_bind(w->k, other);
	}
	append_text(w, ":");
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ROUND);
	emit_store(w->k, 4, BPF_REG_10, w->raised + AT_LENGTH, BPF_REG_1);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ONE);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_NAME, BPF_REG_1);
	append_word(w);
	emit_goto(w->k, done);
}

/* The dentry has no parent and is not the root of its mount (emit_slot.c). A root that is mounted
 * nowhere is called "/". */
static void end_outside(struct path_code *w, int done)
{
	int root = label_new(w->k), moved = label_new(w->k), own = label_new(w->k);

	label_bind(w->k, w->outside);
	emit_jump(w->k, BPF_JNE, REG_AT, TEXT_END, moved);
	load_length(w);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 1, own);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_NAME);
	gen_walk_read(w, AT_BYTE, 1, BPF_REG_3, 0);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, w->raised + AT_BYTE);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, '/', root);
	label_bind(w->k, own);
	append_anonymous(w, done);
	label_bind(w->k, root);
	append_text(w, "/");
	label_bind(w->k, moved);
	append_text(w, "(unreachable)");
	emit_goto(w->k, done);
}

/* ---- the whole path ---- */

/* The path is too long: its end is kept. */
static void end_cut(struct path_code *w, int done)
{
	int fits = label_new(w->k);

	label_bind(w->k, w->cut);
	emit_jump(w->k, BPF_JGE, REG_AT, w->limit, fits);
	emit_move_imm(w->k, REG_AT, w->limit);
	label_bind(w->k, fits);
	append_text(w, "…");
	gen_count_loss(w->g, LOSS_CUT);
	emit_goto(w->k, done);
}

static void end_root(struct path_code *w)
{
	int named = label_new(w->k);

	label_bind(w->k, w->end);
	emit_jump(w->k, BPF_JNE, REG_AT, TEXT_END, named);
	append_text(w, "/");
	label_bind(w->k, named);
}

/* Gets the buffer, and writes the NUL of the text. */
static void text_begin(struct path_code *w, unsigned number, unsigned count)
{
	struct expr_map map = {
		EXPR_MAP_PATHS, BPF_MAP_TYPE_PERCPU_ARRAY, 4, TEXT_ROOM, count, NULL
	};

	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_CONTEXT, REG_CTX);
	emit_store_imm(w->k, 4, BPF_REG_10, STACK_SCRATCH, number);
	emit_map(w->k, BPF_REG_1, map_index(w->g->c, &map));
	emit_address(w->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(w->k, HELPER_MAP_LOOKUP);
	emit_jump(w->k, BPF_JEQ, BPF_REG_0, 0, w->doubt); /* cannot happen */
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_BUFFER, BPF_REG_0);
	emit_store_imm(w->k, 1, BPF_REG_0, TEXT_END, 0);
	emit_move_imm(w->k, REG_AT, TEXT_END);
}

static void gen_text(struct path_code *w)
{
	int done = label_new(w->k);

	gen_walk(w);
	end_cut(w, done);
	end_outside(w, done);
	end_root(w);
	emit_jump(w->k, BPF_JLT, REG_AT, w->limit, w->cut);
	label_bind(w->k, done);
	address(w, REG_VALUE, REG_AT);
	gen_scalar(w->g);
	emit_load(w->k, 8, REG_CTX, BPF_REG_10, w->raised + AT_CONTEXT);
}

void gen_path_at(struct gen *g, const struct path_want *want, int fail)
{
	int32_t limit = TEXT_END + 1 - want->room + (int32_t)strlen("…"), done = label_new(g->k);
	struct path_code w = { .g = g,
			       .k = g->k,
			       .at = g->c->paths,
			       .is_dentry = want->is_dentry,
			       .put = append_name,
			       .raised = want->raised,
			       .limit = want->room && limit > LOWEST ? limit : LOWEST,
			       .doubt = label_new(g->k),
			       .end = label_new(g->k),
			       .cut = label_new(g->k),
			       .outside = label_new(g->k) };

	text_begin(&w, want->number, want->count);
	gen_text(&w);
	emit_goto(g->k, done);
	label_bind(g->k, w.doubt);
	emit_load(g->k, 8, REG_CTX, BPF_REG_10, w.raised + AT_CONTEXT);
	emit_goto(g->k, fail);
	label_bind(g->k, done);
}

void gen_path_text(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	const struct plan *plan = &g->p->plan;
	struct path_want want = { .is_dentry = v->sign, .room = v->imm };

	for (size_t i = 0; i < plan->value_count; i++) {
		want.number += plan->values[i].op == VREG_PATH && &plan->values[i] < v;
		want.count += plan->values[i].op == VREG_PATH;
	}
	if (exact)
		gen_blame(g, FIELD_STATUS_NULL | link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, exact ? labels->fail : labels->exact);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | link);
	if (v->sign) /* is compared with addresses that were read */
		gen_scalar(g);
	gen_path_at(g, &want, exact ? labels->fail : labels->exact);
}
