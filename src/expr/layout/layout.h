/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - slots → places in the record, or in the key.
 */
#ifndef CORETAP_EXPR_LAYOUT_LAYOUT_H
#define CORETAP_EXPR_LAYOUT_LAYOUT_H

#include "expr/compile.h"
#include "util/buf.h"

void expr_layout(struct compile *c);

/* ---- schema.c: the schema of a record or key, from slots that have places and names ---- */

void schema_build(struct compile *c);
void schema_build_key(struct compile *c);

/* ---- schema.c: names of values in the output ---- */

/* Sets s->key, different from all others; earlier slots already have theirs. */
void slot_name(struct compile *c, struct slot *s);
/* The unit that a value's JSON key names: that of $lat and $ts, unless the user gave the name. */
enum field_unit slot_unit(const struct slot *s);

/* ---- stack_slots.c: stacks in a record ---- */

/* How large they are. */
void stacks_measure(struct compile *c);
/* Assigns places from `at` on; returns the end. */
uint32_t stacks_layout(struct compile *c, uint32_t at);
size_t stacks_count(const struct expr_program *p);
void stacks_schema(struct expr_program *p);
bool stacks_have_name(const struct expr_program *p, const char *key);
void stacks_describe(const struct expr_program *p, struct buf *o);

/* ---- aggregate_layout.c: layout of counted calls: slots, and places in an entry ---- */

void measures_add_slots(struct compile *c);
void measures_layout(struct compile *c);

/* ---- kept.c: what is kept of a call from its entry to its return ---- */

/* What is kept of a call. KEEP_RECORD: followed by the rest of a record, at its usual place, or if
 * calls are counted by a whole one. Of a pair: followed by the other words of its key, then a whole
 * record. */
struct call_kept {
	uint64_t time;
	union {
		uint32_t tgid;	/* of a call */
		uint64_t guard; /* of a pair's place: programs that are at it, or ask to be */
	};
	/* in the array: 1, plus 1 for each program that is just asking for the place … */
	uint32_t taken;
	uint32_t displaced; /* … and the number of keys of this place that are in the hash */
	uint64_t key;	    /* the key that owns the place; of a call in the hash 0 */
};
_Static_assert(sizeof(struct call_kept) <= sizeof(struct event_header), "a record follows");

/* The smallest power of two that what is kept fits into, as a number of bits. */
static inline unsigned call_size_bits(uint32_t size)
{
	unsigned bits = 0;

	while (1u << bits < size)
		bits++;
	return bits;
}

/* After the plan: decides on which side each slot is computed, and what is kept; then its size. */
void call_keep(struct compile *c);
void call_layout(struct expr_program *p);
/* Does the entry keep its time? Of a pair, $lat begins with the return. */
bool call_lat_wanted(const struct compile *c);

#endif
