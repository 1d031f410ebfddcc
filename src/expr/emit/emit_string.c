/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_string.c - copies the string at REG_VALUE to a slot.
 *
 * After the NUL a record contains whatever was read with the string, or the old contents of the
 * ring's pages: zeros at first (__GFP_ZERO in bpf_ringbuf_area_alloc), later older records for
 * the same reader, who does not look past the NUL. Zeroing it would cost up to 15 stores per
 * string. In a key every byte counts: there everything after the NUL is zeroed.
 *
 * Fast, for kernel addresses: the first words are loaded one by one and tested for a zero byte,
 * by casting the address if bpf_rdonly_cast exists, otherwise after one probe_read of two words
 * and another one of the rest. probe_read_kernel_str reads what follows. This is much cheaper
 * than the byte loop of _str, because most strings end in the first words. Exact: the _str helper
 * that fits the address, and a check whether the string was cut.
 */
#include "expr/emit/emit_slot.h"
#include "expr/lower/lower.h"
#include "output/field/value.h"

enum { FAST_WORDS = 6, FIRST_WORDS = 2 };

struct string_code {
	struct gen *g;
	struct code *k;
	const struct slot *s;
	bool by_cast;
	bool clean;	/* zero everything after the NUL (in a key) */
	uint32_t words; /* words that are tested one by one */
	int *ends;	/* clean: a label per word, for the word that contains the NUL */
	/* by_cast: for a word that is zero, or could not be loaded whole. Otherwise: writes zeros
	 * from this word on. */
	int *zeros;
	int doubt;
};

#define STRING_LOW_BITS	 0x0101010101010101ull
#define STRING_HIGH_BITS 0x8080808080808080ull

/* True if bpf_rdonly_cast accepts void, or a struct of `size` bytes of words: struct pt_regs. */
static bool can_cast(const struct gen *g, uint32_t size)
{
	const struct expr_target *t = g->target;

	if (!t->typed_loads || !t->rdonly_cast_id)
		return false;
	return t->rdonly_cast_void ||
	       (t->pt_regs_id && typed_bytes(g->c->in->btf, t->pt_regs_id, 0, size));
}

static uint32_t fast_words(const struct gen *g, const struct slot *s)
{
	uint32_t words = s->store.size / 8;

	if (g->target->probe_read && words > FAST_WORDS)
		words = FAST_WORDS;
	while (!g->target->probe_read && words && !can_cast(g, words * 8))
		words--;
	return words;
}

static void set_constants(struct code *k)
{
	emit_imm64(k, BPF_REG_4, STRING_LOW_BITS);
	emit_imm64(k, BPF_REG_5, STRING_HIGH_BITS);
}

/* r2 = the high bits of the zero bytes of r1, at least of the first one. r4 and r5 must hold the
 * constants; clobbers r3. */
static void gen_find_zero(struct code *k)
{
	emit_move(k, BPF_REG_2, BPF_REG_1);
	emit_alu(k, BPF_SUB, BPF_REG_2, BPF_REG_4);
	emit_move(k, BPF_REG_3, BPF_REG_1);
	emit_alu_imm(k, BPF_XOR, BPF_REG_3, -1);
	emit_alu(k, BPF_AND, BPF_REG_2, BPF_REG_3);
	emit_alu(k, BPF_AND, BPF_REG_2, BPF_REG_5);
}

/* After gen_find_zero with r2 != 0: clears r1 from its first zero byte on. */
static void gen_end_word(struct code *k)
{
	emit_move(k, BPF_REG_3, BPF_REG_2);
	emit_negate(k, BPF_REG_3);
	emit_alu(k, BPF_AND, BPF_REG_2, BPF_REG_3);
	emit_alu_imm(k, BPF_SUB, BPF_REG_2, 1);
	emit_alu(k, BPF_AND, BPF_REG_1, BPF_REG_2);
}

/* Jumps if r1 has a zero byte; clobbers r1. */
static void jump_if_zero(struct code *k, int label)
{
	emit_move(k, BPF_REG_2, BPF_REG_1);
	emit_alu(k, BPF_SUB, BPF_REG_2, BPF_REG_4);
	emit_alu_imm(k, BPF_XOR, BPF_REG_1, -1);
	emit_alu(k, BPF_AND, BPF_REG_2, BPF_REG_1);
	emit_jump_reg(k, BPF_JSET, BPF_REG_2, BPF_REG_5, label);
}

/* Stores word `i`, which is in r1, and tests it. */
static void test_word(struct string_code *w, uint32_t i)
{
	const struct slot_labels *labels = gen_labels(w->g, w->s);

	/* A typed load gives 0 if it faults, here or in the second half of the word. */
	if (w->by_cast)
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0,
			  w->g->target->probe_read ? w->doubt : w->zeros[i]);
	if (w->clean) {
		gen_find_zero(w->k);
		emit_jump(w->k, BPF_JNE, BPF_REG_2, 0, w->ends[i]);
	}
	if (w->by_cast)
		emit_store(w->k, 8, REG_RECORD, w->s->place.offset + 8 * i, BPF_REG_1);
	if (!w->clean)
		jump_if_zero(w->k, labels->done);
}

static void copy_words_cast(struct string_code *w)
{
	emit_move_last(w->k, BPF_REG_1, REG_VALUE);
	emit_move_imm(w->k, BPF_REG_2,
		      w->g->target->rdonly_cast_void ? 0 : w->g->target->pt_regs_id);
	emit_kfunc(w->k, w->g->target->rdonly_cast_id);
	set_constants(w->k);
	for (uint32_t i = 0; i < w->words; i++) {
		emit_load(w->k, 8, BPF_REG_1, BPF_REG_0, 8 * i);
		test_word(w, i);
	}
}

static void copy_words_read(struct string_code *w, uint32_t from, uint32_t end)
{
	emit_address(w->k, BPF_REG_1, REG_RECORD, w->s->place.offset + 8 * from);
	emit_move_imm(w->k, BPF_REG_2, 8 * (end - from));
	emit_address(w->k, BPF_REG_3, REG_VALUE, 8 * from);
	emit_call(w->k, HELPER_READ_KERNEL);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->doubt);
	set_constants(w->k);
	for (uint32_t i = from; i < end; i++) {
		emit_load(w->k, 8, BPF_REG_1, REG_RECORD, w->s->place.offset + 8 * i);
		test_word(w, i);
	}
}

static void copy_words(struct string_code *w)
{
	if (w->by_cast) {
		copy_words_cast(w);
	} else if (w->words > FIRST_WORDS) {
		copy_words_read(w, 0, FIRST_WORDS);
		copy_words_read(w, FIRST_WORDS, w->words);
	} else {
		copy_words_read(w, 0, w->words);
	}
}

/* REG_VALUE = the address. It may not hold it any more, and a typed pointer must become a number,
 * which may be 0. */
static void load_address(struct string_code *w)
{
	emit_move(w->k, REG_VALUE, BPF_REG_0);
	gen_scalar(w->g);
}

/* Copies the rest, if no word contained the NUL. */
static void copy_rest(struct string_code *w)
{
	const struct slot *s = w->s;
	uint32_t at = w->words * 8;

	if (at == s->store.size) {
		emit_goto(w->k, w->doubt);
		return;
	}
	if (w->by_cast)
		load_address(w);
	emit_address(w->k, BPF_REG_1, REG_RECORD, s->place.offset + at);
	emit_move_imm(w->k, BPF_REG_2, s->store.size - at);
	emit_address(w->k, BPF_REG_3, REG_VALUE, at);
	emit_call(w->k, HELPER_READ_KERNEL_STR);
	/* the string filled the slot, or a negative errno */
	emit_jump(w->k, BPF_JGE, BPF_REG_0, s->store.size - at, gen_labels(w->g, s)->string);
	emit_goto(w->k, gen_labels(w->g, s)->done);
}

/* Copies the rest without a helper; the string may fill the slot to its end. */
static void copy_rest_typed(struct string_code *w)
{
	int done = gen_labels(w->g, w->s)->done;
	uint32_t at = w->words * 8;

	for (; at < w->s->store.size && can_cast(w->g, at + 1); at++) {
		emit_load(w->k, 1, BPF_REG_1, BPF_REG_0, at);
		emit_store(w->k, 1, REG_RECORD, w->s->place.offset + at, BPF_REG_1);
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, done);
	}
	if (can_cast(w->g, at + 1)) {
		emit_load(w->k, 1, BPF_REG_1, BPF_REG_0, at);
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, done);
	}
	emit_store_imm(w->k, 1, REG_RECORD, w->s->place.status, FIELD_STATUS_CUT);
	emit_goto(w->k, done);
}

/* The word with the NUL keeps the bytes before it. A probe_read has also filled the words after
 * it. */
static void end_words(struct string_code *w)
{
	int done = gen_labels(w->g, w->s)->done;

	for (uint32_t i = 0; i < w->words; i++) {
		label_bind(w->k, w->ends[i]);
		gen_end_word(w->k);
		emit_store(w->k, 8, REG_RECORD, w->s->place.offset + 8 * i, BPF_REG_1);
		if (i + 1 < w->words)
			emit_goto(w->k, w->by_cast ? done : w->zeros[i + 1]);
	}
	if (w->by_cast || w->words < 2)
		return;
	emit_goto(w->k, done);
	for (uint32_t i = 1; i < w->words; i++) {
		label_bind(w->k, w->zeros[i]);
		emit_zero(w->k, REG_RECORD, w->s->place.offset + 8 * i, 8);
	}
}

/* No helper can check a word of zeros, so bytes are copied: the string may end just before an
 * unmapped page. */
static void copy_bytes(struct string_code *w)
{
	int done = gen_labels(w->g, w->s)->done;

	if (w->clean)
		emit_goto(w->k, done);
	for (uint32_t i = 0; i < w->words; i++) {
		label_bind(w->k, w->zeros[i]);
		for (uint32_t at = 8 * i; at < 8 * i + 8; at++) {
			emit_load(w->k, 1, BPF_REG_1, BPF_REG_0, at);
			emit_store(w->k, 1, REG_RECORD, w->s->place.offset + at, BPF_REG_1);
			if (at % 8 < 7)
				emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, done);
		}
		if (i + 1 < w->words)
			emit_goto(w->k, done);
	}
}

/* Jumps to the exact way, which needs the address. */
static void cast_in_doubt(struct string_code *w)
{
	if (w->clean)
		emit_goto(w->k, gen_labels(w->g, w->s)->done);
	label_bind(w->k, w->doubt);
	load_address(w);
	emit_goto(w->k, gen_labels(w->g, w->s)->string);
}

static void new_labels(struct code *k, int *labels, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		labels[i] = label_new(k);
}

/* True if an address outside the kernel jumps to `doubt`. */
static bool is_refused(const struct string_code *w)
{
	if (!w->g->target->probe_read || !target_arch(w->g->target)->helpers_test_loads)
		return false;
	return !w->by_cast || gen_loads_are_checked(w->g);
}

void gen_string_fast(struct gen *g, const struct slot *s)
{
	int ends[STRING_LIMIT / 8 + 1], zeros[STRING_LIMIT / 8 + 1];
	struct string_code w = {
		.g = g,
		.k = g->k,
		.s = s,
		.ends = ends,
		.zeros = zeros,
		.clean = slot_is_key(g->p, s),
		.words = fast_words(g, s),
		.doubt = gen_labels(g, s)->string,
	};

	w.by_cast = can_cast(g, w.words * 8);
	if (s->store.space == STRING_USER || (g->target->probe_read ? !w.words : !w.by_cast)) {
		emit_goto(g->k, w.doubt);
		return;
	}
	if (w.by_cast && g->target->probe_read)
		w.doubt = label_new(g->k);
	new_labels(g->k, ends, w.words);
	new_labels(g->k, zeros, w.words);
	if (!is_refused(&w))
		emit_jump(g->k, BPF_JSGE, REG_VALUE, 0, gen_labels(g, s)->string);
	copy_words(&w);
	if (g->target->probe_read)
		copy_rest(&w);
	else
		copy_rest_typed(&w);
	if (w.clean)
		end_words(&w);
	if (w.by_cast && g->target->probe_read)
		cast_in_doubt(&w);
	if (!g->target->probe_read && w.words)
		copy_bytes(&w);
}

/* ---- exact ---- */

/* The slot is full: marks the string as cut if it is longer. */
static void mark_cut(struct gen *g, const struct slot *s)
{
	int done = gen_labels(g, s)->done;

	emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	emit_move_imm(g->k, BPF_REG_2, 1);
	emit_address(g->k, BPF_REG_3, REG_VALUE, s->store.size - 1);
	gen_read_by_address(g, s->store.space, HELPER_READ_KERNEL, HELPER_READ_USER, s);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
	emit_load(g->k, 1, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, done);
	emit_store_imm(g->k, 1, REG_RECORD, s->place.status, FIELD_STATUS_CUT);
}

/* Two entries: labels->string, from the fast way, where a 0 may be a failed load; and
 * labels->exact. */
void gen_string_exact(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);
	int read = label_new(g->k);

	emit_jump(g->k, BPF_JNE, REG_VALUE, 0, read);
	label_bind(g->k, labels->exact);
	gen_steps_exact(g, s);
	gen_blame(g, FIELD_STATUS_NULL | s->plan.sink_link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, labels->fail);

	label_bind(g->k, read);
	gen_blame(g, FIELD_STATUS_FAULT | s->plan.sink_link);
	emit_address(g->k, BPF_REG_1, REG_RECORD, s->place.offset);
	emit_move_imm(g->k, BPF_REG_2, s->store.size);
	emit_move(g->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(g, s->store.space, HELPER_READ_KERNEL_STR, HELPER_READ_USER_STR, s);
	emit_jump(g->k, BPF_JSLT, BPF_REG_0, 0, labels->fail);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, s->store.size, labels->done);
	mark_cut(g, s);
}

/* The length comes first: it may be negative, an error, or more than the slot holds. The verifier
 * wants the size between two constants. */
void gen_counted(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);
	uint32_t room = s->store.size - sizeof(uint64_t);
	int read = label_new(g->k), fits = label_new(g->k);

	label_bind(g->k, labels->string);
	emit_jump(g->k, BPF_JNE, REG_VALUE, 0, read);
	label_bind(g->k, labels->exact);
	gen_steps_exact(g, s);
	label_bind(g->k, read);
	emit_store(g->k, 8, REG_RECORD, s->place.offset, REG_LENGTH);
	emit_jump(g->k, BPF_JSLT, REG_LENGTH, 1, labels->done);
	emit_jump(g->k, BPF_JLE, REG_LENGTH, room, fits);
	emit_move_imm(g->k, REG_LENGTH, room);
	label_bind(g->k, fits);
	gen_blame(g, FIELD_STATUS_NULL | s->plan.sink_link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, labels->fail);
	gen_blame(g, FIELD_STATUS_FAULT | s->plan.sink_link);
	emit_address(g->k, BPF_REG_1, REG_RECORD, s->place.offset + sizeof(uint64_t));
	emit_move(g->k, BPF_REG_3, REG_VALUE);
	gen_read_by_address(g, s->store.space, HELPER_READ_KERNEL, HELPER_READ_USER, s);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, labels->fail);
}

/* The kernel leaves bytes of older names after the NUL. */
void gen_key_comm(struct gen *g, int to)
{
	int second = label_new(g->k), done = label_new(g->k);

	gen_comm(g, to);
	set_constants(g->k);
	emit_load(g->k, 8, BPF_REG_1, REG_RECORD, to);
	gen_find_zero(g->k);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, second);
	gen_end_word(g->k);
	emit_store(g->k, 8, REG_RECORD, to, BPF_REG_1);
	emit_zero(g->k, REG_RECORD, to + 8, 8);
	emit_goto(g->k, done);
	label_bind(g->k, second);
	emit_load(g->k, 8, BPF_REG_1, REG_RECORD, to + 8);
	gen_find_zero(g->k);
	gen_end_word(g->k);
	emit_store(g->k, 8, REG_RECORD, to + 8, BPF_REG_1);
	label_bind(g->k, done);
}
