/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_call.h - the calling convention of user functions.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_CALL_H
#define CORETAP_PROBE_PROVIDERS_USER_CALL_H

#include "probe/providers/providers.h"

enum {
	WORD = 8,
	WORDS_MAX = 2, /* of a struct in registers */
};

enum word_class {
	WORD_EMPTY,
	WORD_INTEGER,
	WORD_VECTOR,
	WORD_UPPER, /* in the same vector register as the word before */
};

struct shape {
	uint64_t size;
	uint32_t alignment; /* more than that of a word; less: unknown */
	enum word_class words[WORDS_MAX];
	bool is_struct, is_array; /* Rust passes arrays as structs */
	bool is_apart;		  /* a member is not aligned, or is a long double */
	unsigned floats; /* how many floats it has, all of float_size; 0: other members too */
	unsigned float_size;
	bool has_others;
	/* the first two numbers and pointers that it consists of, and how many there are */
	struct leaf {
		uint64_t at, size;
		bool is_float;
	} leaves[WORDS_MAX];
	unsigned leaf_count;
	bool has_array, has_vector;
};

/* Where a parameter comes from. */
struct home {
	enum {
		HOME_WORDS,
		HOME_LEAVES,
		HOME_STACK,
		HOME_POINTED,
		HOME_STACK_POINTED, /* its address is on the stack */
		HOME_UNKNOWN
	} kind;
	/* numbers of arguments, for each word, or each leaf; -1: a vector register */
	int words[WORDS_MAX];
	unsigned count;
	uint64_t stack; /* bytes from the first argument there */
};

struct call_state {
	const struct user_call *call;
	const struct arch *arch;
	unsigned integers, vectors; /* used */
	uint64_t stack;
	bool is_lost; /* an earlier parameter has an unknown place */
};

struct shape shape_of(const struct btf_view *b, uint32_t type);
/* Returns where the next parameter is by the convention. `is_pointed`: its address is passed instead. */
struct home home_next(struct call_state *s, const struct shape *shape, bool is_pointed);

#endif
