/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_random.h - random programs in bpftrace's language, of all statements, expressions and types, for a seed.
 *
 * They are made by types, so the compiler accepts most of them. What a program can read at a probe is the caller's.
 */
#ifndef CORETAP_SCRIPT_RANDOM_H
#define CORETAP_SCRIPT_RANDOM_H

#include "chance.h"
#include "util/buf.h"

/* Parts that expressions at a probe may contain. Each list ends with NULL. */
struct random_place {
	const char *attach;	    /* "fentry:vfs_read"; NULL: what is at all probes */
	const char *const *numbers; /* … */
	const char *const *texts;   /* strings */
	const char *const
		*images; /* other bytes: structs, arrays, stacks, each of a type of its own */
	const char *const *addresses;  /* pointers, as numbers or with a type */
	const char *const *statements; /* statements for these probes only */
};

struct random_world {
	const struct random_place *common;
	const struct random_place *places;
	size_t place_count;
	unsigned size; /* statements of a program, about */
};

/* Appends a program. */
void script_random(struct chance *c, const struct random_world *w, struct buf *o);

#endif
