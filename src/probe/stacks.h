/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - $kstack and $ustack: the maps in which the kernel side stores stacks, and the names of their frames.
 */
#ifndef CORETAP_PROBE_STACKS_H
#define CORETAP_PROBE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "util/buf.h"
#include "event.h"

enum { STACKS_MOST = 16384 /* different copied stacks, without --keys */ };

struct argdump;
struct copies;
struct field;
struct frame;
struct session;
struct value;

struct argdump_stacks {
	int kept, news;		  /* maps, not owned */
	struct event_stack *room; /* owned: room for one stack; NULL: no program has stacks */
	void *named;		  /* owned: user stacks that have been named, a search tree */
	size_t most;		  /* stacks that the map can hold, or of copies that are named */
	size_t named_count;	  /* copies */
	struct copies *copies;	  /* owned; NULL: user stacks are not copied (copies.h) */
	bool is_sweeping;
	struct buf old, used; /* owned, during a sweep: arrays of struct stack_id */
};

/* True if an expression names a stack. Call it before symbols are read. */
void stacks_announce(struct session *s, const struct argdump *a);
/* --dwarf: returns 0, or -EINVAL after printing an error if no user stack would be copied, or a begin would store one. */
int stacks_copy_check(const struct session *s, const struct argdump *a);
/* Call it after the programs are loaded: their records' stacks can then be shown. Returns 0 or -errno. */
int stacks_open(struct argdump *a);
/* Returns the stack with that id, valid until the next lookup, and its names if it has been named (stack_id.h); `ctx`
 * is struct argdump_stacks. NULL: it does not exist. */
const struct event_stack *stacks_find(void *ctx, const struct stack_id *id,
				      const struct frame **named);
/* The hook tracer_ops.poll: names new user stacks. */
void stacks_poll(struct session *s);
/* Unwinds and names a copied stack: `field` and `v` as in stack_copy.h. Returns the hash for its id, or an enum stack_none. */
uint64_t stacks_copy_name(struct argdump_stacks *k, const struct stack_id *copy,
			  const struct field *field, const struct value *v);
/* Forgets the names of copied stacks, of which no row may be left, if many are kept. */
void stacks_copies_forget(struct argdump_stacks *k);
/* --clear: called before and after counts are read. Deletes stacks that no row used, if the map is nearly full. */
void stacks_sweep_begin(struct argdump *a);
void stacks_sweep_end(struct argdump *a);
void stacks_close(struct argdump *a);

#endif
