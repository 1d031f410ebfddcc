/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_call.c - where the calling convention passes the parameters of a user function: System V ABI for x86-64, section
 * 3.2.3; AAPCS64, section 6.8.2. Structs are passed by what they contain, and have up to two registers.
 */
#include "probe/providers/user_call.h"

#include <string.h>

enum {
	LEVELS_MOST = 8,
	VECTORS = 8, /* registers that pass floating-point numbers, on all processors */
};

/* ---- what kind of registers a type needs ---- */

/* Variants share their places. */
static void leaf_add(struct shape *s, uint64_t at, uint64_t size, bool is_float)
{
	for (unsigned i = 0; i < s->leaf_count && i < WORDS_MAX; i++)
		if (s->leaves[i].at == at && s->leaves[i].size == size &&
		    s->leaves[i].is_float == is_float)
			return;
	if (s->leaf_count < WORDS_MAX)
		s->leaves[s->leaf_count] = (struct leaf){ at, size, is_float };
	s->leaf_count++;
}

static bool is_vector(const struct btf_view *b, const struct btf_type *t)
{
	const char *name = btf_view_string(b, t->name_off);

	return btf_kind(t) == BTF_KIND_ARRAY ?
		       !strcmp(name, BTF_VECTOR) :
		       btf_kind(t) == BTF_KIND_FLOAT && t->size > WORD && strstr(name, "loat128") &&
			       !strstr(name, "omplex");
}

static void scalar_add(const struct btf_view *b, struct shape *s, const struct btf_type *t,
		       uint64_t size, uint64_t at)
{
	bool is_float = btf_kind(t) == BTF_KIND_FLOAT;
	bool is_complex = is_float && strstr(btf_view_string(b, t->name_off), "complex");

	leaf_add(s, at, size, is_float);
	if (size > WORD)
		s->is_apart |= (is_float && !is_complex) || at % WORD;
	else
		s->is_apart |= size && at % (is_complex ? size / 2 : size);
	for (uint64_t word = at / WORD; word < WORDS_MAX && word * WORD < at + size; word++)
		if (!is_float || s->words[word] == WORD_EMPTY)
			s->words[word] = is_float ? WORD_VECTOR : WORD_INTEGER;
	s->has_others |= !is_float || (s->floats && s->float_size != size);
	s->floats += is_float;
	s->float_size = (unsigned)size;
}

/* A number, or several, in one vector register. */
static void vector_add(struct shape *s, uint64_t size, uint64_t at)
{
	leaf_add(s, at, size, true);
	s->is_apart |= at % size;
	for (uint64_t word = at / WORD; word < WORDS_MAX && word * WORD < at + size; word++)
		if (s->words[word] == WORD_EMPTY)
			s->words[word] = word * WORD == at ? WORD_VECTOR : WORD_UPPER;
	s->has_others |= s->floats && s->float_size != size;
	s->has_vector |= size > WORDS_MAX * WORD;
	s->floats++;
	s->float_size = (unsigned)size;
}

/* Bits are numbers, and may begin at any byte. */
static void bits_add(struct shape *s, const struct btf_found *m, uint64_t at)
{
	uint64_t first = (8 * at + m->bit_offset) / 64;

	if (first < WORDS_MAX)
		s->words[first] = WORD_INTEGER;
	s->has_others = true;
}

static void shape_add(const struct btf_view *b, uint32_t type, uint64_t at, unsigned depth,
		      struct shape *s)
{
	const struct btf_type *t = btf_view_stripped(b, type);
	uint64_t size = btf_view_size(b, type);

	if (!t || depth == LEVELS_MOST || at >= (uint64_t)WORDS_MAX * 2 * WORD) {
		s->is_apart |= t != NULL;
		return;
	}
	if (size && is_vector(b, t)) {
		vector_add(s, size, at);
	} else if (btf_kind(t) == BTF_KIND_ARRAY) {
		uint64_t each = btf_view_size(b, btf_array(t)->type);

		s->has_array = true;
		for (uint64_t i = 0; each && i < size / each && i <= 2 * WORDS_MAX * WORD; i++)
			shape_add(b, btf_array(t)->type, at + i * each, depth + 1, s);
	} else if (btf_is_composite(t)) {
		for (unsigned i = 0; i < btf_vlen(t); i++) {
			struct btf_found m;

			btf_view_member_at(b, t, i, &m);
			if (m.bit_size)
				bits_add(s, &m, at);
			else
				shape_add(b, m.type, at + m.bit_offset / 8, depth + 1, s);
		}
	} else {
		scalar_add(b, s, t, size, at);
	}
}

struct shape shape_of(const struct btf_view *b, uint32_t type)
{
	const struct btf_type *t = btf_view_stripped(b, type);
	struct shape s = { .size = btf_view_size(b, type),
			   .is_array = t && btf_kind(t) == BTF_KIND_ARRAY };

	s.is_struct = s.is_array || (t && btf_is_composite(t));
	shape_add(b, type, 0, 0, &s);
	return s;
}

/* ---- the calling convention ---- */

static struct home on_stack(struct call_state *s, const struct shape *shape)
{
	struct home h = { .kind = HOME_STACK };

	if (shape->alignment > WORD)
		s->stack = (s->stack + shape->alignment - 1) / shape->alignment * shape->alignment;
	h.stack = s->stack;
	s->stack += (shape->size + WORD - 1) & ~7ull;
	return h;
}

/* Assigns a register to each word, or none if there are too few. An empty class of C++ has a byte, but no register. */
static bool words_assign(struct call_state *s, const struct shape *shape, struct home *h)
{
	unsigned integers = s->integers, vectors = s->vectors;

	h->kind = HOME_WORDS;
	h->count = (unsigned)((shape->size + WORD - 1) / WORD);
	for (unsigned i = 0; i < h->count; i++) {
		bool is_integer = shape->words[i] == WORD_INTEGER;

		h->words[i] = is_integer ? (int)integers : -1;
		integers += is_integer;
		vectors += shape->words[i] == WORD_VECTOR;
	}
	if (integers > s->arch->argument_count || vectors > VECTORS)
		return false;
	s->integers = integers;
	s->vectors = vectors;
	return true;
}

/* clang before 18 splits it between the last register and the stack. */
static bool is_split_number(const struct call_state *s, const struct shape *shape)
{
	return !s->call->is_gnu && !shape->is_struct && shape->size > WORD &&
	       shape->words[0] == WORD_INTEGER && s->integers + 1 == s->arch->argument_count;
}

static struct home home_x86(struct call_state *s, const struct shape *shape)
{
	struct home h = { 0 };

	/* where vectors of more than 16 bytes are depends on the compiler's options */
	s->is_lost |= shape->has_vector || is_split_number(s, shape);
	if (shape->size > WORDS_MAX * WORD || shape->is_apart || !words_assign(s, shape, &h))
		return on_stack(s, shape);
	return h;
}

/* A struct of one to four floats of a size is in as many vector registers. */
static bool is_of_floats(const struct shape *shape)
{
	return shape->floats && shape->floats <= 4 && !shape->has_others;
}

static struct home home_arm64(struct call_state *s, const struct shape *shape)
{
	unsigned count = (unsigned)((shape->size + WORD - 1) / WORD);
	struct home h = { .kind = HOME_WORDS, .count = count < WORDS_MAX ? count : WORDS_MAX };

	if (is_of_floats(shape)) {
		h.words[0] = h.words[1] = -1;
		s->vectors += shape->floats;
		if (s->vectors <= VECTORS)
			return h;
		s->vectors = VECTORS;
		return on_stack(s, shape);
	}
	if (shape->size > WORDS_MAX * WORD) {
		h.kind = HOME_POINTED;
		count = h.count = 1;
	} else if (count == WORDS_MAX && shape->alignment > WORD) {
		s->integers += s->integers % 2;
	}
	if (s->integers + count > s->arch->argument_count) {
		s->integers = s->arch->argument_count;
		if (h.kind == HOME_POINTED)
			h.kind = HOME_UNKNOWN;
		return h.kind == HOME_UNKNOWN ? h : on_stack(s, shape);
	}
	for (unsigned i = 0; i < count; i++)
		h.words[i] = (int)s->integers++;
	return h;
}

static struct home home_words(struct call_state *s, const struct shape *shape)
{
	return s->call->arch == ARCH_X86_64 ? home_x86(s, shape) : home_arm64(s, shape);
}

/* Rust passes a struct of two numbers in a register each; of others a large one by its address, a small one as a number. */
static bool is_pair(const struct shape *shape)
{
	const struct leaf *a = &shape->leaves[0], *b = &shape->leaves[1];

	return shape->leaf_count == WORDS_MAX && !shape->has_array && a->size <= WORD &&
	       b->size <= WORD && (a->at + a->size <= b->at || b->at + b->size <= a->at);
}

/* Assigns a register to each number, in the order of their places. */
static struct home home_pair(struct call_state *s, const struct shape *shape)
{
	unsigned first = shape->leaves[0].at > shape->leaves[1].at;
	struct home h = { .kind = HOME_LEAVES, .count = WORDS_MAX };

	for (unsigned i = 0; i < WORDS_MAX; i++) {
		unsigned leaf = i ^ first;
		bool is_float = shape->leaves[leaf].is_float;

		h.words[leaf] = is_float ? -1 : (int)s->integers;
		s->integers += !is_float;
		s->vectors += is_float;
	}
	s->is_lost |= s->integers > s->arch->argument_count || s->vectors > VECTORS;
	return h;
}

struct home home_next(struct call_state *s, const struct shape *shape, bool is_pointed)
{
	struct shape address = { .size = WORD, .words = { WORD_INTEGER }, .has_others = true };
	bool is_rust = s->call->is_rust && shape->is_struct && !is_pointed;
	struct home h;

	if (is_rust && is_pair(shape)) {
		h = home_pair(s, shape);
	} else if (is_pointed || (is_rust && shape->size > WORD)) {
		h = home_words(s, &address);
		h.kind = h.kind == HOME_WORDS ? HOME_POINTED : HOME_STACK_POINTED;
	} else if (is_rust && shape->leaf_count > 1) {
		h = home_words(s, &address);
	} else {
		h = home_words(s, shape);
	}
	/* RISC-V passes structs with floats in other ways */
	s->is_lost |= s->call->arch == ARCH_RISCV64 && (shape->floats || shape->size > WORD);
	if (s->is_lost)
		h.kind = HOME_UNKNOWN;
	return h;
}
