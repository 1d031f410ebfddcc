/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - slots → places in the record or the key.
 */
#ifndef CORETAP_EXPR_LAYOUT_LAYOUT_H
#define CORETAP_EXPR_LAYOUT_LAYOUT_H

#include "expr/compile.h"
#include "util/buf.h"

void expr_layout(struct compile *c);

/* ---- schema.c: the schema of a record or key, and names of its values ---- */

void schema_build(struct compile *c);
void schema_build_key(struct compile *c);

/* Sets s->key to a unique name. Earlier slots must have theirs. */
void slot_name(struct compile *c, struct slot *s);
/* The unit that the JSON key of a value names: $lat and $ts have one, unless the user named
 * them. */
enum field_unit slot_unit(const struct slot *s);

/* ---- stack_slots.c: stacks in a record ---- */

/* Sets their size. */
void stacks_measure(struct compile *c);
/* Assigns places from `at` on; returns the end. */
uint32_t stacks_layout(struct compile *c, uint32_t at);
/* Returns the bytes of a struct event_user_copy with its registers and the copy. */
uint32_t stacks_copy_room(const struct expr_program *p);
size_t stacks_count(const struct expr_program *p);
void stacks_schema(struct expr_program *p);
bool stacks_have_name(const struct expr_program *p, const char *key);
void stacks_describe(const struct expr_program *p, struct buf *o);

/* ---- aggregate_layout.c: slots and entries of counted calls ---- */

void measures_add_slots(struct compile *c);
void measures_layout(struct compile *c);

/* ---- kept.c: what the entry of a call, or the begin of a pair, keeps ---- */

/* The head of what is kept. KEEP_RECORD: the rest of a record follows, at its usual place, or a
 * whole one if calls are counted. Pairs: the other words of the key follow, then a whole
 * record. */
struct call_kept {
	uint64_t time;
	union {
		uint32_t tgid;	/* of a call */
		uint64_t guard; /* of a pair's place: programs inside, or trying to enter */
	};
	/* array: 1, plus 1 for each program that tries to reserve the place … */
	uint32_t taken;
	uint32_t displaced; /* … and the number of keys of this place that are in the hash */
	uint64_t key;	    /* the key that owns the place; 0 for a call in the hash */
};
_Static_assert(sizeof(struct call_kept) <= sizeof(struct event_header), "a record follows");

/* log2 of the smallest power of two that is at least `size`. */
static inline unsigned call_size_bits(uint32_t size)
{
	unsigned bits = 0;

	while (1u << bits < size)
		bits++;
	return bits;
}

/* After the plan: decides on which side each slot is computed, and what the entry keeps.
 * call_layout sets its size. */
void call_keep(struct compile *c);
void call_layout(struct expr_program *p);
/* True if the entry keeps its time. In a pair, $lat begins with the begin's return. */
bool call_lat_wanted(const struct compile *c);

#endif
