/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chance.h - random numbers of a seed, for tests that make up their input.
 */
#ifndef CORETAP_CHANCE_H
#define CORETAP_CHANCE_H

#include <stdint.h>

struct chance {
	uint64_t state;
};

static inline uint64_t chance_next(struct chance *c)
{
	c->state ^= c->state >> 12;
	c->state ^= c->state << 25;
	c->state ^= c->state >> 27;
	return c->state * 0x2545f4914f6cdd1dULL;
}

static inline uint32_t chance_below(struct chance *c, uint32_t n)
{
	return chance_next(c) % n;
}

/* Number `i` of a seed. */
static inline struct chance chance_of(uint64_t seed, uint64_t i)
{
	struct chance c = { (seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

	return c;
}

#endif
