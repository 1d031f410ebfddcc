/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * skel_unpack.c - decompresses the BPF objects of skeletons.
 */
#include "attach/skel_unpack.h"

#include <stdlib.h>

#include "util/unpack.h"

extern const unsigned char skel_prefix_packed[];
extern const size_t skel_prefix_packed_size, skel_prefix_size;

const void *skel_prefix(size_t *size)
{
	*size = skel_prefix_size;
	return unpack_embedded(skel_prefix_packed, skel_prefix_packed_size, *size);
}

const void *skel_unpack(const void *packed, size_t packed_size, size_t size)
{
	size_t prefix_size;
	void *prefix = (void *)skel_prefix(&prefix_size), *object = NULL;

	if (prefix)
		object = unpack_embedded_after(prefix, prefix_size, packed, packed_size, size);
	free(prefix);
	return object;
}
