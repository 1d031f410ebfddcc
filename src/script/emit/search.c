/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * search.c - emits functions for strings: strncmp, strlen, strcontains, strstr, memcmp, globmatch, and path.
 *
 * They are loops that the verifier follows byte by byte, over memory that it knows. Strings elsewhere are copied
 * first.
 */
#include <string.h>

#include "expr/emit/emit_slot.h"
#include "expr/resolve/format.h"
#include "script/emit/gen.h"
#include "util/glob.h"

enum { STEPS_MOST = 1 << 16 }; /* steps of a search; the verifier follows a million instructions */

/* ---- the strings ---- */

/* Returns the location of the string and its room. */
static struct place string_place(struct sgen *g, struct script_expr *e, uint32_t *size)
{
	struct script_expr read = { .kind = X_CALL, .func = FUNC_STR, .items = &e, .count = 1 };

	*size = e->type.size;
	if (e->type.kind == SCRIPT_STRING)
		return image_place(g, e);
	if (e->type.kind == SCRIPT_POINT)
		return point_text_place(g, e, size);
	if (e->type.kind != SCRIPT_ARRAY)
		*size = g->c->s->config.max_strlen + 1;
	read.type = script_string(*size);
	read.span = e->span;
	return image_place(g, &read);
}

static void number_end(struct sgen *g, int other, int value, int otherwise)
{
	int end = label_new(g->k);

	emit_move_imm(g->k, BPF_REG_0, value);
	emit_goto(g->k, end);
	label_bind(g->k, other);
	emit_move_imm(g->k, BPF_REG_0, otherwise);
	label_bind(g->k, end);
}

/* ---- strncmp(), strlen() ---- */

void strncmp_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	uint32_t a_size, b_size,
		most = e->items[2]->value > INT32_MAX ? INT32_MAX : e->items[2]->value;
	struct place a = string_place(g, e->items[0], &a_size);
	struct place b = string_place(g, e->items[1], &b_size);
	int other = label_new(g->k);

	most = a_size < most ? a_size : most;
	most = b_size < most ? b_size : most;
	if (most)
		places_compare(g, a, b, most, other);
	number_end(g, other, 0, 1);
	frame_drop(g, m);
}

/* r0 = the length of the string, whose room is `size` bytes */
static void length_gen(struct sgen *g, struct place at, uint32_t size)
{
	int again = label_new(g->k), end = label_new(g->k);

	place_address(g, BPF_REG_1, at);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, again);
	emit_load(g->k, 1, BPF_REG_2, BPF_REG_1, 0);
	emit_leave(g->k, BPF_JEQ, BPF_REG_2, 0, end);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	emit_jump(g->k, BPF_JLT, BPF_REG_0, size, again);
	label_bind(g->k, end);
	number_hide(g);
}

void strlen_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	uint32_t size;
	struct place at = string_place(g, e->items[0], &size);

	length_gen(g, at, size);
	frame_drop(g, m);
}

/* Copies the second string after the first one, into memory where the verifier allows an index. */
void concat_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key)
{
	const struct script_type *a = &e->items[0]->type, *b = &e->items[1]->type;
	uint32_t room = a->size - 1 + b->size, size = want->size < room ? want->size : room;
	struct mark m = frame_mark(g);
	struct place second = image_place(g, e->items[1]);
	struct place all = place_alloc_work(g, (room + 7) & ~7u);
	int fits = label_new(g->k);

	if (!g->target->probe_read)
		script_refuse(g->c, e->span, "strings of the kernel cannot be read here");
	place_zero(g, all, (room + 7) & ~7u);
	image_gen(g, e->items[0], a, all, false);
	length_gen(g, all, a->size - 1);
	emit_jump(g->k, BPF_JLE, BPF_REG_0, a->size - 1, fits);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, fits);
	place_address(g, BPF_REG_1, all);
	emit_alu(g->k, BPF_ADD, BPF_REG_1, BPF_REG_0);
	emit_move_imm(g->k, BPF_REG_2, b->size);
	place_address(g, BPF_REG_3, second);
	emit_call(g->k, HELPER_READ_KERNEL_STR);
	if (is_key || want->size <= SMALL || size < want->size)
		place_zero(g, to, want->size);
	place_copy(g, to, all, size);
	if (size < room)
		place_zero(g, place_plus(to, size - 1), 1);
	frame_drop(g, m);
}

/* ---- strstr(), strcontains() ---- */

/* r3 = 0 if the literal is at r1, which is in such memory. Emits no jumps: the verifier would follow each at each
 * index. Clobbers r2, r4. */
static void literal_differs(struct sgen *g, const struct script_expr *e, const struct place *at)
{
	bool by_words = at->where == AT_WORK && target_arch(g->target)->loads_unaligned;
	uint32_t piece;

	emit_move_imm(g->k, BPF_REG_3, 0);
	for (uint32_t i = 0; i < e->length; i += piece) {
		uint64_t word = 0;

		for (piece = by_words ? 8 : 1; piece > e->length - i; piece /= 2)
			;
		memcpy(&word, e->bytes + i, piece);
		emit_load(g->k, piece, BPF_REG_2, BPF_REG_1, i);
		emit_imm64(g->k, BPF_REG_4, word);
		emit_alu(g->k, BPF_XOR, BPF_REG_2, BPF_REG_4);
		emit_alu(g->k, BPF_OR, BPF_REG_3, BPF_REG_2);
	}
}

/* Jumps to `other` unless the string at `b`, NUL included and within `size` bytes, is at r1. r5 holds the bytes that
 * remain at r1. Clobbers r2 … r4. */
static void string_at(struct sgen *g, struct place b, uint32_t size, int other)
{
	int again = label_new(g->k), found = label_new(g->k);

	emit_move_imm(g->k, BPF_REG_4, 0);
	label_bind(g->k, again);
	place_address(g, BPF_REG_2, b);
	emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_4);
	emit_load(g->k, 1, BPF_REG_2, BPF_REG_2, 0);
	emit_leave(g->k, BPF_JEQ, BPF_REG_2, 0, found);
	emit_jump_reg(g->k, BPF_JGE, BPF_REG_4, BPF_REG_5, other);
	emit_move(g->k, BPF_REG_3, BPF_REG_1);
	emit_alu(g->k, BPF_ADD, BPF_REG_3, BPF_REG_4);
	emit_load(g->k, 1, BPF_REG_3, BPF_REG_3, 0);
	emit_leave_reg(g->k, BPF_JNE, BPF_REG_2, BPF_REG_3, other);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_4, 1);
	emit_jump(g->k, BPF_JLT, BPF_REG_4, size, again);
	label_bind(g->k, found);
}

/* r0 = the index of the second string in the first one, or -1 */
void strstr_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct script_expr *needle = e->items[1];
	int again = label_new(g->k), next = label_new(g->k), none = label_new(g->k),
	    end = label_new(g->k);
	uint32_t size, needle_size, last;
	struct place at = string_place(g, e->items[0], &size), what = { 0 };

	needle_size = needle->length + 1;
	if (!needle->is_constant)
		what = string_place(g, needle, &needle_size);
	if (!needle->is_constant && (uint64_t)size * needle_size > STEPS_MOST)
		script_unsupported(g->c, needle->span,
				   "searching a string of %u bytes for one that is not a literal",
				   size);
	last = needle->is_constant ? size - needle_size : size - 1; /* the last index */
	emit_move_imm(g->k, BPF_REG_0, 0);
	if (needle->is_constant && needle_size > size)
		emit_goto(g->k, none);
	place_address(g, BPF_REG_1, at);
	label_bind(g->k, again);
	if (needle->is_constant) {
		literal_differs(g, needle, &at);
		emit_jump(g->k, BPF_JNE, BPF_REG_3, 0, next);
	} else {
		emit_move_imm(g->k, BPF_REG_5, size);
		emit_alu(g->k, BPF_SUB, BPF_REG_5, BPF_REG_0);
		string_at(g, what, needle_size, next);
	}
	emit_goto(g->k, end);
	label_bind(g->k, next);
	emit_load(g->k, 1, BPF_REG_2, BPF_REG_1, 0);
	emit_leave(g->k, BPF_JEQ, BPF_REG_2, 0, none);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	emit_jump(g->k, BPF_JLE, BPF_REG_0, last, again);
	label_bind(g->k, none);
	emit_move_imm(g->k, BPF_REG_0, -1);
	label_bind(g->k, end);
	number_hide(g);
	frame_drop(g, m);
}

void strcontains_gen(struct sgen *g, struct script_expr *e)
{
	int none = label_new(g->k);

	strstr_gen(g, e);
	emit_jump(g->k, BPF_JSLT, BPF_REG_0, 0, none);
	number_end(g, none, 1, 0);
}

/* ---- memcmp() ---- */

/* Returns a place with `size` bytes: those of a number itself, of an array, or of what a pointer points to. */
static struct place memory_place(struct sgen *g, struct script_expr *e, uint32_t size)
{
	struct place at;
	struct source from;

	if (!script_is_scalar(&e->type) && e->type.size >= size)
		return image_place(g, e);
	at = place_alloc(g, size > 8 ? size : 8);
	from = (struct source){ .is_user = e->type.is_user };
	place_zero(g, at, (size + 7) & ~7u);
	if (script_is_scalar(&e->type))
		number_gen(g, e);
	if (e->type.kind == SCRIPT_INT || e->type.kind == SCRIPT_BOOL) {
		place_store(g, e->type.size, at, BPF_REG_0);
		return at;
	}
	if (!script_is_scalar(&e->type)) {
		source_gen(g, e, &from);
		address_gen(g, &from);
	}
	emit_move(g->k, BPF_REG_3, BPF_REG_0);
	read_gen(g, at, size, from.is_user);
	return at;
}

/* r0 = the difference of the first bytes that differ; 0 if none differs */
void memcmp_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	uint32_t size = e->items[2]->value;
	int again = label_new(g->k), end = label_new(g->k);
	struct place a, b;

	if (e->items[2]->value < 0 || e->items[2]->value > 4096) {
		script_fail(g->c, e->items[2]->span, "memcmp() compares at most 4096 bytes");
		return;
	}
	a = memory_place(g, e->items[0], size ?: 1);
	b = memory_place(g, e->items[1], size ?: 1);
	place_address(g, BPF_REG_1, a);
	place_address(g, BPF_REG_2, b);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, again);
	emit_jump(g->k, BPF_JGE, BPF_REG_3, size, end);
	emit_load(g->k, 1, BPF_REG_0, BPF_REG_1, 0);
	emit_load(g->k, 1, BPF_REG_4, BPF_REG_2, 0);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_4);
	emit_leave(g->k, BPF_JNE, BPF_REG_0, 0, end);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, 1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, 1);
	emit_goto(g->k, again);
	label_bind(g->k, end);
	frame_drop(g, m);
}

/* ---- globmatch() ---- */

static const void *table_of(struct sgen *g, const struct script_expr *pattern)
{
	void *table = (void *)table_find(g, pattern);
	int err;

	if (table)
		return table;
	table = arena_alloc(&g->p->arena, sizeof(glob_table));
	err = table ? glob_compile(pattern->bytes, pattern->length, table) : -ENOMEM;
	if (err == -EINVAL)
		script_fail(g->c, pattern->span, "a [ in the pattern has no ]");
	else if (err == -E2BIG || g->table_count == TABLES_MAX)
		script_fail(g->c, pattern->span, "the pattern is too complicated");
	else if (err)
		g->c->err = err;
	else
		g->tables[g->table_count++] = (struct table_of_pattern){ pattern, table };
	return table;
}

void globmatch_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	const void *table = table_of(g, e->items[1]);
	struct place at;
	uint32_t size;
	int no = label_new(g->k);

	if (g->c->err)
		return;
	at = string_place(g, e->items[0], &size);
	place_address(g, BPF_REG_1, at);
	gen_glob(g->k, map_add_table(&g->xc, table, sizeof(glob_table)), size, no);
	number_end(g, no, 1, 0);
	frame_drop(g, m);
}

/* ---- path() ---- */

static bool path_is_possible(struct sgen *g, const struct script_expr *e)
{
	g->needs.paths++;
	if (!g->depth && format_path_known(&g->xc))
		return true;
	script_unsupported(g->c, e->span, g->depth ? "path() in a loop" : "path() on this kernel");
	return false;
}

/* Builds the path by a walk, which works at any probe, unlike bpf_d_path. The path of a dentry, which has no mount,
 * starts at the root of its file system. */
void path_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	      struct place to, bool is_key)
{
	struct path_want path = { .is_dentry = !strcmp(script_type_struct(&e->items[0]->type),
						       "dentry"),
				  .room = want->size,
				  .number = g->path_count++,
				  .count = g->known.paths,
				  .raised = (int32_t)callbacks_room(g) };
	struct place record = { 0 }, at = to;
	int fail = label_new(g->k), end = label_new(g->k);
	bool is_reading = g->is_reading;

	if (!path_is_possible(g, e))
		return;
	if (g->has_record)
		record = spill(g, REG_OUT);
	if (to.where == AT_RECORD)
		at = place_alloc(g, want->size);
	pointer_value_gen(g, e->items[0], REG_VALUE);
	g->is_reading = false; /* code that restores registers follows */
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, fail);
	gen_path_at(&g->x, &path, fail);
	emit_move(g->k, BPF_REG_3, REG_VALUE);
	text_read(g, at, want->size, false, is_key);
	emit_goto(g->k, end);
	label_bind(g->k, fail);
	if (g->has_record && is_reading)
		place_load(g, 8, REG_OUT, record);
	if (is_reading)
		emit_goto(g->k, g->unread);
	else
		place_zero(g, at, is_key || want->size <= SMALL ? want->size : 8);
	g->is_reading = is_reading;
	label_bind(g->k, end);
	if (g->has_record)
		place_load(g, 8, REG_OUT, record);
	if (to.where == AT_RECORD)
		text_copy(g, to, want->size, at, want->size, is_key);
}
