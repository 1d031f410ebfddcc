/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * things.h - a simulated kernel of one struct: its BTF, with a few functions to trace, and four things that
 * point each to the next one.
 */
#ifndef CORETAP_THINGS_H
#define CORETAP_THINGS_H

#include <stddef.h>

#include "harness.h"

enum { THINGS = 4 };
#define THING_AT(i)  (0xffff888010000000ull + 0x10000 * (i))
#define USER_AT	     0x00007f0000001000ull
#define LIST_IN_TAIL 160 /* where the end of `tail` is member `list`, too, a struct list_head */
#define LIST_AT(i)   (THING_AT(i) + offsetof(struct thing, tail) + LIST_IN_TAIL)
#define NOWHERE	     0xffff888999999000ull /* kernel memory that is not there */

struct thing {
	uint64_t next, text;
	char array[20];
	int32_t number;
	uint64_t big;
	uint8_t small;
	int8_t tiny;
	uint16_t half;
	uint32_t bits; /* low: 3, five: signed 5, kind: 4, wide: 20 */
	uint64_t numbers, table, any;
	char tail[200];
};

/* Filled in by things_build. */
extern struct btf_view *things_btf;
extern uint32_t probe_id; /* void probe(struct thing *thing, char *string, int number, u64 count) */
extern uint32_t number_probe_id; /* int number_probe(struct thing *thing) */
extern uint32_t thing_probe_id;	 /* struct thing *thing_probe(int number, struct thing *thing) */
extern uint32_t count_task_id;	 /* a task that has the preempt count in it … */
extern uint32_t queue_task_id;	 /* … or the way to its processor's run queue */

/* The name of the task, as in the kernel's task_struct: bytes of older names behind the NUL. */
extern char things_comm[16];
/* What is in memory: things_init clears it. */
extern struct thing things[THINGS];
extern char user_text[64];     /* at USER_AT; stays */
extern uint8_t task[64];       /* pid 43 of process 42, "worker" */
extern uint32_t preempt_count; /* this CPU's */

/* 0, or what btf_view_from returns. */
int things_build(void);
/* A run of probe(), in user 1000 and group 7, whose `thing` is the first one. */
void things_init(struct harness *h, const char *target);
/* Every kind of number. */
void thing_fill(struct thing *t);

#endif
