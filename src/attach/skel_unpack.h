/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * skel_unpack.h - the BPF objects of skeletons: compressed, each after the same one, the prefix (tools/pack-skel.c).
 */
#ifndef CORETAP_ATTACH_SKEL_UNPACK_H
#define CORETAP_ATTACH_SKEL_UNPACK_H

#include <stddef.h>

/* Returns the object of `size` bytes, which the caller frees. NULL: memory is short. */
const void *skel_unpack(const void *packed, size_t packed_size, size_t size);
/* Returns the object that is the prefix, and its size. */
const void *skel_prefix(size_t *size);

#endif
