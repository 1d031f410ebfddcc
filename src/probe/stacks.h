/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - $kstack and $ustack: where the kernel side keeps the stacks, and their names.
 */
#ifndef CORETAP_PROBE_STACKS_H
#define CORETAP_PROBE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "util/buf.h"
#include "event.h"

struct argdump;
struct frame;
struct session;

struct argdump_stacks {
	int kept, news;		  /* maps, not owned */
	struct event_stack *room; /* owned: for one stack; NULL: no program has stacks */
	void *named;		  /* owned: user stacks that have been named, a tree */
	size_t most;		  /* that the map holds */
	bool is_sweeping;
	struct buf old, used; /* owned, while sweeping: struct stack_id */
};

/* True if an expression names a stack. Used before symbols are read. */
void stacks_announce(struct session *s, const struct argdump *a);
/* --dwarf: 0, or -EINVAL after a message. A copy is no key: two of the same stack differ. */
int stacks_copy_check(const struct session *s, const struct argdump *a);
/* After the programs are loaded: the stacks in their records can be shown. 0 or -errno. */
int stacks_open(struct argdump *a);
/* The stack with that id, valid until the next is looked up, and its names if it has been named (stack_id.h); `ctx` is
 * struct argdump_stacks. NULL: it is not there. */
const struct event_stack *stacks_find(void *ctx, const struct stack_id *id,
				      const struct frame **named);
/* The hook tracer_ops.poll: names the user stacks that are new. */
void stacks_poll(struct session *s);
/* --clear, before and after what was counted is read: forgets stacks that no row had, if there is
 * little room left. */
void stacks_sweep_begin(struct argdump *a);
void stacks_sweep_end(struct argdump *a);
void stacks_close(struct argdump *a);

#endif
