/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure.h - what programs count instead of writing records, and where its words are in a table's entry.
 */
#ifndef CORETAP_EXPR_MEASURE_H
#define CORETAP_EXPR_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/field/record.h"

/*
 * Numbers that the kernel side keeps instead of a record for each call. The expressions are the
 * key.
 */
enum expr_measure_kind {
	EXPR_COUNT,
	EXPR_SUM,
	EXPR_AVG,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_HIST,  /* by powers of two */
	EXPR_LHIST, /* by steps */
	EXPR_PCT,   /* by powers of two in 8 steps each, for percentiles */
};

struct expr_measure {
	enum expr_measure_kind kind;
	const char *text;	 /* [NAME=]EXPR; NULL for COUNT */
	int64_t low, high, step; /* LHIST: buckets of step from low on, below high */
	const char *name;	 /* COUNT: the user's name, or NULL */
	/* PCT: the percentiles to show, in thousandths of a percent, ended by 0 */
	const uint32_t *percents;
	unsigned owner; /* the expr_input.owner of programs that measure it; 0: all */
};

struct expr_aggregate {
	const struct expr_measure *measures;
	size_t count;
	bool switched; /* the map may be exchanged while counting: EXPR_MAP_COUNTED */
	unsigned cpus; /* the most processors; 0: unknown */
};

/* The words of a measure in a table entry. Sums, counts and buckets are added up over the CPUs.
 * MIN and MAX store a value such that the largest wins and 0 means none: signed values have the
 * sign bit inverted, and for MIN all bits are inverted. */
struct expr_result {
	enum expr_measure_kind kind;
	const char *name;   /* the user's name, or NULL */
	const char *text;   /* EXPR; NULL for COUNT */
	struct field field; /* how to show one value of 8 bytes */
	bool is_signed;
	/* may be added to values of the other sign: a constant that is not negative */
	bool fits_both;
	unsigned word, words; /* 8-byte words of the entry */
	unsigned unread;      /* the word that counts unreadable values; 0: all are readable */
	unsigned calls;	      /* the word that counts the calls of its owner; 0: all calls */
	bool is_own;	   /* the program measures it; false: field, is_signed, … are unknown */
	int64_t low, step; /* LHIST: the first and last buckets count values below and above */
	const uint32_t *percents; /* the measure's */
};

/* Buckets of a HIST: negative values, 0, then one per number of bits. After the buckets of any
 * histogram: the largest and the least value, stored like MAX and MIN. */
enum { EXPR_HIST_BUCKETS = 66, EXPR_HIST_ENDS = 2 };
/* Buckets of a PCT: negative values, 0 to 15, then 8 per power of two (the largest is 2^63). */
enum { EXPR_PCT_BUCKETS = 1 + 16 + 8 * 60 };

/*
 * The value of a table's entry has a slot for each processor, unless that would be too large. The kernel allocates
 * per-CPU memory a few bytes at a time: 16384 keys take 110 to 170 ms.
 */
enum {
	EXPR_KEYS = 16384,	   /* the most keys, unless the user gave their number */
	EXPR_SLOT = 64,		   /* a cache line: no two processors write to the same one */
	EXPR_SLOTS_MOST = 1 << 20, /* the largest value, in bytes … */
	EXPR_SLOTS_ALL = 32 << 20, /* … and the largest total of all values */
	/* With so many keys, two processors seldom count the same one: slots share cache lines … */
	EXPR_KEYS_MANY = 1 << 16,
	EXPR_SLOTS_MANY = 1 << 30, /* … up to this total */
};

static inline bool result_is_hist(const struct expr_result *r)
{
	return r->kind == EXPR_HIST || r->kind == EXPR_LHIST || r->kind == EXPR_PCT;
}

#endif
