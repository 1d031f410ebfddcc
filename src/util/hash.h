/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.h - FNV-1a of 32 bits. Its low bits are mixed best.
 */
#ifndef CORETAP_UTIL_HASH_H
#define CORETAP_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN 2166136261u

/* Adds `size` bytes to a hash; begin with HASH_BEGIN. */
static inline uint32_t hash_add(uint32_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 16777619u;
	return hash;
}

#endif
