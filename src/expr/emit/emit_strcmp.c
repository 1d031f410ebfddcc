/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_strcmp.c - compares a string in memory with a text or a pattern: REG_VALUE = 1 or 0.
 *
 * A text, or the fixed beginning of a pattern, is compared by words: with one typed load each if
 * the address can be cast, otherwise after a helper has copied the string to the stack. Other
 * patterns are tables (glob.h); a loop follows them byte by byte over a copy of the string in a
 * map. The exact way uses the _str helper for the address, which also returns the string's
 * length.
 */
#include "expr/emit/emit_slot.h"

#include <string.h>

#include "expr/lower/lower.h"
#include "output/field/value.h"
#include "util/glob.h"

/* Stack offsets, below what slots keep. */
enum { MATCH_COPY = -512, MATCH_COPY_SIZE = 112, MATCH_MAP = STACK_WORK };

_Static_assert(STACK_TEMPS - 8 * (6 + TEMPS_LOCAL_MAX) >= STACK_WORK, "the stack is full");

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

/* Compares r1, the word at `at`, with the expected one. */
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

/* A load that faults gives 0. So does a load whose second half is in an unmapped page: then the
 * first byte is not really 0, and a helper must check. */
static void words_typed(struct match *m)
{
	gen_cast(m->g, 0, m->g->target->rdonly_cast_void ? 0 : m->g->target->pt_regs_id);
	for (uint32_t at = 0; at < m->size; at += 8) {
		int fine = label_new(m->k);

		emit_load(m->k, 8, BPF_REG_1, BPF_REG_0, at);
		emit_jump(m->k, BPF_JNE, BPF_REG_1, 0, fine);
		emit_load(m->k, 1, BPF_REG_2, BPF_REG_0, at);
		emit_jump(m->k, BPF_JNE, BPF_REG_2, 0, m->doubt);
		label_bind(m->k, fine);
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

/* Copies the beginning of the string to the stack; its length often decides at once. */
static void text_copied(struct match *m)
{
	uint32_t room = m->size + 1; /* one more byte than is compared, to detect a longer string */

	for (uint32_t at = 0; at < m->size; at += 8)
		emit_store_imm(m->k, 8, BPF_REG_10, MATCH_COPY + at, 0);
	emit_address(m->k, BPF_REG_1, BPF_REG_10, MATCH_COPY);
	emit_move_imm(m->k, BPF_REG_2, room);
	emit_move(m->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(m->g, STRING_BY_ADDRESS, HELPER_READ_KERNEL_STR, HELPER_READ_USER_STR,
			    m->s);
	emit_jump(m->k, BPF_JSLT, BPF_REG_0, 0, m->doubt);
	if (m->size == 1 && !m->text->open_end) /* "": before 6.13 the length of a user's is 0 */
		emit_jump(m->k, BPF_JGT, BPF_REG_0, 1, m->no);
	else
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

/*
 * The buffers for strings are per CPU, and claimed: another program, or another thread in this
 * one, may run in between. If all are claimed, the exact way tries again. If that also fails, the
 * value is unknown, and a filter rejects the call.
 */
static void glob_room(struct match *m)
{
	int none = label_new(m->k), ours = label_new(m->k);

	_Static_assert((int)EXPR_TEXTS == (int)CLAIMS && (int)EXPR_TEXT_CLAIM == (int)CLAIM_BYTES,
		       "see expr.h");
	gen_claim(m->g, map_index_shared(m->g->c, EXPR_MAP_TEXT), 0, EXPR_TEXT_SIZE, none);
	emit_goto(m->k, ours);
	label_bind(m->k, none);
	if (m->exact && m->s < m->g->p->slots + m->g->p->filter_count)
		gen_count_loss(m->g, LOSS_RECURSION);
	emit_goto(m->k, m->doubt);
	label_bind(m->k, ours);
	emit_store(m->k, 8, BPF_REG_10, MATCH_MAP, BPF_REG_0);
}

static void glob_leave(struct match *m)
{
	emit_load(m->k, 8, BPF_REG_2, BPF_REG_10, MATCH_MAP);
	gen_unclaim(m->g, BPF_REG_2, EXPR_TEXT_SIZE);
}

static void glob_copy(struct match *m)
{
	int fine = label_new(m->k), whole = label_new(m->k);

	emit_move(m->k, BPF_REG_1, BPF_REG_0);
	emit_move_imm(m->k, BPF_REG_2, EXPR_TEXT_SIZE);
	emit_move(m->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(m->g, STRING_BY_ADDRESS, HELPER_READ_KERNEL_STR, HELPER_READ_USER_STR,
			    m->s);
	emit_jump(m->k, BPF_JSGE, BPF_REG_0, 0, fine);
	glob_leave(m);
	emit_goto(m->k, m->doubt);
	label_bind(m->k, fine);
	emit_jump(m->k, BPF_JLT, BPF_REG_0, EXPR_TEXT_SIZE, whole);
	gen_count_loss(m->g, LOSS_CUT); /* the end of the string was not compared */
	label_bind(m->k, whole);
}

/* r2 = index, r3 = state, r4 = table. The string ends with a NUL, and every table ends at a NUL. */
void gen_glob(struct code *k, uint32_t table, uint32_t size, int no)
{
	int again = label_new(k), end = label_new(k);

	emit_move_imm(k, BPF_REG_2, 0);
	emit_move_imm(k, BPF_REG_3, GLOB_START);
	emit_map_value(k, BPF_REG_4, table);
	label_bind(k, again);
	emit_move(k, BPF_REG_5, BPF_REG_1);
	emit_alu(k, BPF_ADD, BPF_REG_5, BPF_REG_2);
	emit_load(k, 1, BPF_REG_5, BPF_REG_5, 0);
	emit_alu_imm(k, BPF_LSH, BPF_REG_3, 8);
	emit_alu(k, BPF_ADD, BPF_REG_3, BPF_REG_5);
	emit_move(k, BPF_REG_0, BPF_REG_4);
	emit_alu(k, BPF_ADD, BPF_REG_0, BPF_REG_3);
	emit_load(k, 1, BPF_REG_3, BPF_REG_0, 0);
	emit_leave(k, BPF_JLE, BPF_REG_3, GLOB_YES, end);
	emit_alu_imm(k, BPF_ADD, BPF_REG_2, 1);
	emit_jump(k, BPF_JLT, BPF_REG_2, size, again);
	label_bind(k, end);
	emit_jump(k, BPF_JNE, BPF_REG_3, GLOB_YES, no);
}

static void match_glob(struct match *m)
{
	int no = label_new(m->k), yes = label_new(m->k);

	glob_room(m);
	glob_copy(m);
	emit_load(m->k, 8, BPF_REG_1, BPF_REG_10, MATCH_MAP);
	gen_glob(m->k, m->text->table, EXPR_TEXT_SIZE, no);
	emit_goto(m->k, yes);
	label_bind(m->k, no);
	glob_leave(m);
	emit_goto(m->k, m->no);
	label_bind(m->k, yes);
	glob_leave(m);
}

/* ---- both ---- */

void gen_match(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact)
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
	if (!m.size && !v->text->is_glob) /* "*": matches everything */
		return;
	emit_goto(g->k, m.done);
	label_bind(g->k, m.no);
	emit_move_imm(g->k, REG_VALUE, 0);
	label_bind(g->k, m.done);
}
