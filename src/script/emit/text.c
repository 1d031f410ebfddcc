/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.c - emits literals, reads, copies and comparisons of strings.
 */
#include <string.h>

#include "script/emit/gen.h"

/* ---- writes ---- */

static uint32_t piece_at(int32_t off, uint32_t rest, uint32_t most)
{
	uint32_t piece = most;

	while (piece > rest || off & (piece - 1))
		piece /= 2;
	return piece;
}

void text_literal(struct sgen *g, const struct script_expr *e, uint32_t size, struct place to,
		  bool is_key)
{
	uint32_t most = e->type.kind == SCRIPT_STRING ? size - 1 :
							size; /* the NUL counts as well */
	uint32_t len = e->length < most ? e->length : most, piece;
	uint32_t end = is_key || size <= SMALL ? size : len + 1;

	for (uint32_t i = 0; i < end; i += piece) {
		int32_t word = 0;

		piece = piece_at(to.off + i, end - i, i > len ? 8 : 4);
		if (i < len)
			memcpy(&word, e->bytes + i, piece < len - i ? piece : len - i);
		place_store_imm(g, piece, place_plus(to, i), word);
	}
}

/* ---- str() ---- */

/* r2 = the number of bytes, at most `size`. The length that a program gives counts the NUL. Preserves r3. */
static void length_limit(struct sgen *g, uint32_t size)
{
	int fits = label_new(g->k);

	emit_jump(g->k, BPF_JLE, BPF_REG_2, size, fits);
	emit_move_imm(g->k, BPF_REG_2, size);
	label_bind(g->k, fits);
}

static void str_by_length(struct sgen *g, struct script_expr *e, uint32_t size, struct place to)
{
	struct place length;
	bool is_user;

	number_gen(g, e->items[1]);
	length = spill(g, BPF_REG_0);
	is_user = pointer_value_gen(g, e->items[0], BPF_REG_3);
	place_zero(g, to, size);
	place_load(g, 8, BPF_REG_2, length);
	length_limit(g, size);
	if (!is_user && !g->target->probe_read)
		script_refuse(g->c, e->span, "strings of the kernel cannot be read here");
	place_address(g, BPF_REG_1, to);
	text_read_gen(g, is_user);
}

/* Returns how many bytes of `size` a string with a constant length has: the length counts the NUL. */
static uint32_t length_bytes(const struct script_expr *e, uint32_t size)
{
	bool has_length = e->count > 1 && e->items[1]->is_constant;

	return has_length && size > 1 && e->items[1]->value < (int64_t)size ?
		       (uint32_t)(e->items[1]->value ?: 1) :
		       size;
}

void str_gen(struct sgen *g, struct script_expr *e, const struct script_type *want, struct place to,
	     bool is_key)
{
	uint32_t size = want->size < e->type.size ? want->size : e->type.size;
	uint32_t bytes = length_bytes(e, size);
	struct script_expr *from = e->items[0];
	struct script_type cut = script_string(bytes);
	bool is_user;

	if (e->count > 1 && !e->items[1]->is_constant) {
		str_by_length(g, e, size, to);
	} else if (from->type.kind == SCRIPT_STRING) {
		image_gen(g, from, &cut, to, is_key);
	} else {
		is_user = pointer_value_gen(g, from, BPF_REG_3);
		text_read(g, to, bytes, is_user, is_key);
	}
	size = bytes;
	if (size < want->size && (is_key || want->size <= SMALL))
		place_zero(g, place_plus(to, size), want->size - size);
}

/* ---- buf() ---- */

/* Limits the length: other values follow a string's room. Bytes beyond it stay 0. */
static void bytes_limit(struct sgen *g, const struct script_expr *of, uint32_t room)
{
	bool has_room = of->type.kind == SCRIPT_STRING || of->type.kind == SCRIPT_ARRAY;
	int fits = label_new(g->k);

	if (has_room && of->type.size < room) {
		emit_jump(g->k, BPF_JLE, BPF_REG_2, of->type.size, fits);
		emit_move_imm(g->k, BPF_REG_2, of->type.size);
	}
	label_bind(g->k, fits);
}

void buf_gen(struct sgen *g, struct script_expr *e, const struct script_type *want, struct place to,
	     bool is_key)
{
	uint32_t room = want->size - 4;
	struct place length;
	bool is_user;
	int fits = label_new(g->k);

	(void)is_key;
	if (e->count > 1)
		number_gen(g, e->items[1]);
	else
		emit_move_imm(g->k, BPF_REG_0, room);
	emit_jump(g->k, BPF_JLE, BPF_REG_0, room, fits);
	emit_move_imm(g->k, BPF_REG_0, room);
	label_bind(g->k, fits);
	length = spill(g, BPF_REG_0);
	place_zero(g, to, want->size);
	is_user = pointer_value_gen(g, e->items[0], BPF_REG_3);
	place_load(g, 8, BPF_REG_2, length);
	place_store(g, 4, to, BPF_REG_2);
	bytes_limit(g, e->items[0], room);
	read_gen(g, place_plus(to, 4), 0, is_user);
}

/* ---- comparisons ---- */

/* Jumps to `other` unless the string at the place is the literal. */
static void literal_compare(struct sgen *g, struct place at, const struct script_expr *e, int other)
{
	uint32_t end = e->length + 1, piece;

	for (uint32_t i = 0; i < end; i += piece) {
		uint64_t word = 0;

		piece = piece_at(at.off + i, end - i, 8);
		if (i < e->length)
			memcpy(&word, e->bytes + i, piece < e->length - i ? piece : e->length - i);
		place_load(g, piece, BPF_REG_1, place_plus(at, i));
		if (piece == 8) {
			emit_imm64(g->k, BPF_REG_2, word);
			emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
		} else {
			emit_jump32(g->k, BPF_JNE, BPF_REG_1, (uint32_t)word, other);
		}
	}
}

/* Compares byte by byte, up to the NUL or the end of the shorter room. */
void places_compare(struct sgen *g, struct place a, struct place b, uint32_t size, int other)
{
	int again = label_new(g->k), equal = label_new(g->k);

	place_address(g, BPF_REG_1, a);
	place_address(g, BPF_REG_2, b);
	emit_move_imm(g->k, BPF_REG_3, 0);
	label_bind(g->k, again);
	emit_load(g->k, 1, BPF_REG_4, BPF_REG_1, 0);
	emit_load(g->k, 1, BPF_REG_5, BPF_REG_2, 0);
	emit_leave_reg(g->k, BPF_JNE, BPF_REG_4, BPF_REG_5, other);
	emit_leave(g->k, BPF_JEQ, BPF_REG_4, 0, equal);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, 1);
	emit_jump(g->k, BPF_JLT, BPF_REG_3, size, again);
	label_bind(g->k, equal);
}

static void strings_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	uint32_t size = a->type.size < b->type.size ? a->type.size : b->type.size;

	if (b->is_constant && b->length + 1 > a->type.size)
		emit_goto(g->k, other);
	else if (b->is_constant && !comm_compare(g, a, b, other))
		literal_compare(g, image_place(g, a), b, other);
	else if (!b->is_constant) {
		struct place left = image_place(g, a);

		places_compare(g, left, image_place(g, b), size, other);
	}
}

/* ---- names of numbers: strerror(), syscall_name(), signal_name() ---- */

enum { NAMED_MOST = 4096 };

/* Compares the numbers: only user space knows the names. */
static void number_name_compare(struct sgen *g, struct script_expr *e,
				const struct script_expr *text, int other)
{
	int equal = label_new(g->k);

	named_load(g, e->type.kind, image_place(g, e));
	for (int i = 0; i < NAMED_MOST; i++) {
		if (!strcmp(script_number_name(e->type.kind, i, g->c->world->syscall_name),
			    text->bytes))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, i, equal);
	}
	emit_goto(g->k, other);
	label_bind(g->k, equal);
}

/* Compares `probe` or `func` with a text that is computed as the program runs, maybe that of another point. */
static void computed_compare(struct sgen *g, struct script_expr *a, struct script_expr *b,
			     int other)
{
	uint32_t size, b_size = b->type.size;
	struct place text = point_text_place(g, a, &size), with;

	with = b->type.kind == SCRIPT_POINT ? point_text_place(g, b, &b_size) : image_place(g, b);
	places_compare(g, text, with, size < b_size ? size : b_size, other);
}

/* Falls through if they are equal. */
static void texts_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	struct mark m = frame_mark(g);

	if (a->is_constant || b->type.kind == SCRIPT_POINT) {
		struct script_expr *swap = a;

		a = b;
		b = swap;
	}
	if (a->type.kind == SCRIPT_POINT && b->is_constant)
		point_compare(g, a, b, other);
	else if (a->type.kind == SCRIPT_POINT)
		computed_compare(g, a, b, other);
	else if (script_is_named(a->type.kind) && b->is_constant && b->type.kind == SCRIPT_STRING)
		number_name_compare(g, a, b, other);
	else if (a->type.kind != SCRIPT_STRING || b->type.kind != SCRIPT_STRING)
		script_unsupported(g->c, a->span, "comparing this with a string");
	else
		strings_compare(g, a, b, other);
	frame_drop(g, m);
}

static void compare_done(struct sgen *g, bool if_equal, int other, int label)
{
	if (if_equal)
		emit_goto(g->k, label);
	if (other != label)
		label_bind(g->k, other);
}

void text_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		 int label)
{
	int other = if_equal ? label_new(g->k) : label;

	texts_compare(g, a, b, other);
	compare_done(g, if_equal, other, label);
}

/* Jumps to `other` unless both are the same value. */
static void images_compare(struct sgen *g, const struct script_type *a, struct place left,
			   const struct script_type *b, struct place right, int other)
{
	uint32_t size = a->size < b->size ? a->size : b->size, piece;

	if (a->kind == SCRIPT_TUPLE) {
		for (uint32_t i = 0; i < a->count && i < b->count; i++) {
			const struct script_part *x = &a->parts[i],
						 *y = script_part_of(b, i, x->name) ?: &b->parts[i];

			images_compare(g, &x->type, place_plus(left, x->offset), &y->type,
				       place_plus(right, y->offset), other);
		}
	} else if (a->kind == SCRIPT_STRING) {
		places_compare(g, left, right, size, other);
	} else if (script_is_scalar(a)) {
		scalar_load(g, BPF_REG_1, place_reg(g, left), left.off, a);
		scalar_load(g, BPF_REG_2, place_reg(g, right), right.off, b);
		emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	} else {
		for (uint32_t i = 0; i < size; i += piece) {
			piece = piece_at((left.off | right.off) + (int32_t)i, size - i, 8);
			place_load(g, piece, BPF_REG_1, place_plus(left, i));
			place_load(g, piece, BPF_REG_2, place_plus(right, i));
			emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
		}
	}
}

void bytes_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		  int label)
{
	int other = if_equal ? label_new(g->k) : label;
	struct mark m = frame_mark(g);
	struct place left = place_alloc(g, a->type.size), right = place_alloc(g, b->type.size);

	image_gen(g, a, &a->type, left, true);
	image_gen(g, b, &b->type, right, true);
	images_compare(g, &a->type, left, &b->type, right, other);
	frame_drop(g, m);
	compare_done(g, if_equal, other, label);
}
