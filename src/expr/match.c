// SPDX-License-Identifier: GPL-2.0
/*
 * match.c - a string in memory against a text or a pattern: 1 or 0 in REG_VALUE.
 *
 * A text, or the beginning that a pattern asks for, is compared by words: read one by one by a typed
 * load where the address can be cast, else after a helper has copied the string to the stack. Other
 * patterns are tables (glob.h) that a loop follows byte by byte over a copy of the string in a map.
 * Exact: the _str helper that fits the address, which tells the string's length, too.
 */
#include <string.h>

#include "expr/emit.h"
#include "expr/glob.h"

/* The lowest part of the stack, below what slots keep. */
enum { MATCH_COPY = -512, MATCH_COPY_SIZE = 112, MATCH_MAP = -400 };

_Static_assert(STACK_TEMPS - 8 * (6 + TEMPS_LOCAL_MAX) >= MATCH_MAP, "the stack is full");

struct match {
	struct gen *g;
	struct code *k;
	const struct slot *s;
	const struct plan_text *text;
	uint32_t size; /* bytes to compare: with the NUL, unless the end is open */
	int no, done, doubt;
	bool exact;
};

/* ---- words ---- */

static uint64_t word_of(const struct match *m, uint32_t at, uint64_t *mask)
{
	uint32_t rest = m->size - at;
	uint64_t word = 0;

	*mask = rest < 8 ? (1ull << rest * 8) - 1 : ~0ull;
	memcpy(&word, m->text->bytes + at, rest < 8 ? rest : 8);
	return word;
}

/* r1, the word at `at`, against what it should be. */
static void compare_word(struct match *m, uint32_t at)
{
	uint64_t mask, word = word_of(m, at, &mask);

	if (mask == ~0ull || mask == UINT32_MAX) {
		if (mask != ~0ull)
			emit_move32(m->k, BPF_REG_1, BPF_REG_1);
	} else {
		emit_imm64(m->k, BPF_REG_2, mask);
		emit_alu(m->k, BPF_AND, BPF_REG_1, BPF_REG_2);
	}
	emit_imm64(m->k, BPF_REG_2, word);
	emit_jump_reg(m->k, BPF_JNE, BPF_REG_1, BPF_REG_2, m->no);
}

static bool can_cast(const struct match *m)
{
	const struct expr_target *t = m->g->target;
	uint32_t size = (m->size + 7) & ~7u;

	return t->typed_loads && t->rdonly_cast_id &&
	       (t->rdonly_cast_void ||
	        (t->pt_regs_id && typed_bytes(m->g->c->in->btf, t->pt_regs_id, 0, size)));
}

/* A load that faults gives 0. So does one whose second half lies in a page that is not there: then
 * the first byte is no 0, and a helper has to look. */
static void words_typed(struct match *m)
{
	gen_cast(m->g, 0, m->g->target->rdonly_cast_void ? 0 : m->g->target->pt_regs_id);
	for (uint32_t at = 0; at < m->size; at += 8) {
		int fine = label_new(m->k);

		emit_load(m->k, 8, BPF_REG_1, BPF_REG_0, at);
		emit_jump(m->k, BPF_JNE, BPF_REG_1, 0, fine);
		emit_load(m->k, 1, BPF_REG_2, BPF_REG_0, at);
		emit_jump(m->k, BPF_JNE, BPF_REG_2, 0, m->doubt);
		label_place(m->k, fine);
		compare_word(m, at);
	}
}

static void words_copied(struct match *m)
{
	for (uint32_t at = 0; at < m->size; at += 8) {
		emit_load(m->k, 8, BPF_REG_1, BPF_REG_10, MATCH_COPY + at);
		compare_word(m, at);
	}
}

/* ---- a text ---- */

static void text_typed(struct match *m)
{
	emit_jump(m->k, BPF_JSGE, REG_VALUE, 0, m->doubt);
	words_typed(m);
}

/* The string's beginning onto the stack; its length tells at once whether it can be the one. */
static void text_copied(struct match *m)
{
	uint32_t room = m->size + 1; /* a byte more than what is compared: is the string longer? */

	for (uint32_t at = 0; at < m->size; at += 8)
		emit_store_imm(m->k, 8, BPF_REG_10, MATCH_COPY + at, 0);
	emit_address(m->k, BPF_REG_1, BPF_REG_10, MATCH_COPY);
	emit_move_imm(m->k, BPF_REG_2, room);
	emit_move(m->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(m->g, STRING_BY_ADDRESS, HELPER_READ_KERNEL_STR, HELPER_READ_USER_STR,
	                    m->s);
	emit_jump(m->k, BPF_JSLT, BPF_REG_0, 0, m->doubt);
	emit_jump(m->k, BPF_JNE, BPF_REG_0, m->text->open_end ? room : m->size, m->no);
	words_copied(m);
}

static void match_text(struct match *m)
{
	if (!m->exact && can_cast(m))
		text_typed(m);
	else
		text_copied(m);
}

/* ---- a pattern ---- */

/* r0 = room for the string: this CPU's. */
static void glob_room(struct match *m)
{
	emit_store_imm(m->k, 4, BPF_REG_10, STACK_SCRATCH, 0);
	emit_map(m->k, BPF_REG_1, m->g->c->in->text_fd);
	emit_address(m->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(m->k, HELPER_MAP_LOOKUP);
	emit_jump(m->k, BPF_JEQ, BPF_REG_0, 0, m->no);
	emit_store(m->k, 8, BPF_REG_10, MATCH_MAP, BPF_REG_0);
}

static void glob_copy(struct match *m)
{
	int whole = label_new(m->k);

	emit_move(m->k, BPF_REG_1, BPF_REG_0);
	emit_move_imm(m->k, BPF_REG_2, EXPR_TEXT_SIZE);
	emit_move(m->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(m->g, STRING_BY_ADDRESS, HELPER_READ_KERNEL_STR, HELPER_READ_USER_STR,
	                    m->s);
	emit_jump(m->k, BPF_JSLT, BPF_REG_0, 0, m->doubt);
	emit_jump(m->k, BPF_JLT, BPF_REG_0, EXPR_TEXT_SIZE, whole);
	gen_count_loss(m->g, LOSS_CUT); /* its end was not looked at */
	label_place(m->k, whole);
}

/* r1 string, r2 index, r3 state, r4 table. The copy has a NUL, so it always ends in the table. */
static void glob_loop(struct match *m)
{
	int again = label_new(m->k), end = label_new(m->k);

	emit_load(m->k, 8, BPF_REG_1, BPF_REG_10, MATCH_MAP);
	emit_move_imm(m->k, BPF_REG_2, 0);
	emit_move_imm(m->k, BPF_REG_3, GLOB_START);
	emit_map_value(m->k, BPF_REG_4, m->text->table_fd);
	label_place(m->k, again);
	emit_move(m->k, BPF_REG_5, BPF_REG_1);
	emit_alu(m->k, BPF_ADD, BPF_REG_5, BPF_REG_2);
	emit_load(m->k, 1, BPF_REG_5, BPF_REG_5, 0);
	emit_alu_imm(m->k, BPF_LSH, BPF_REG_3, 8);
	emit_alu(m->k, BPF_ADD, BPF_REG_3, BPF_REG_5);
	emit_move(m->k, BPF_REG_0, BPF_REG_4);
	emit_alu(m->k, BPF_ADD, BPF_REG_0, BPF_REG_3);
	emit_load(m->k, 1, BPF_REG_3, BPF_REG_0, 0);
	emit_jump(m->k, BPF_JLE, BPF_REG_3, GLOB_YES, end);
	emit_alu_imm(m->k, BPF_ADD, BPF_REG_2, 1);
	emit_jump(m->k, BPF_JLT, BPF_REG_2, EXPR_TEXT_SIZE, again);
	label_place(m->k, end);
	emit_jump(m->k, BPF_JNE, BPF_REG_3, GLOB_YES, m->no);
}

static void match_glob(struct match *m)
{
	glob_room(m);
	glob_copy(m);
	glob_loop(m);
}

/* ---- both ---- */

void gen_match(struct gen *g, const struct slot *s, const struct plan_value *v, int link, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	struct match m = {
		.g = g,
		.k = g->k,
		.s = s,
		.text = v->text,
		.size = v->text->len + !v->text->open_end,
		.no = label_new(g->k),
		.done = label_new(g->k),
		.doubt = exact ? labels->fail : labels->exact,
		.exact = exact,
	};

	if (exact)
		gen_blame(g, FIELD_STATUS_NULL | link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, m.doubt);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | link);
	if (v->text->is_glob)
		match_glob(&m);
	else if (m.size)
		match_text(&m);
	emit_move_imm(g->k, REG_VALUE, 1);
	if (!m.size && !v->text->is_glob) /* "*": there is nothing that could be otherwise */
		return;
	emit_goto(g->k, m.done);
	label_place(g->k, m.no);
	emit_move_imm(g->k, REG_VALUE, 0);
	label_place(g->k, m.done);
}

/* What the match reads a string with, when no helper may: a cast. */
bool match_needs_helper(const struct btf_view *b, const struct expr_target *t,
                        const struct plan_text *text)
{
	uint32_t size = (text->len + !text->open_end + 7) & ~7u;

	return text->is_glob || !t->typed_loads || !t->rdonly_cast_id ||
	       (!t->rdonly_cast_void && (!t->pt_regs_id || !typed_bytes(b, t->pt_regs_id, 0, size)));
}
