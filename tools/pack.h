/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - for build tools: bytes → a C array of them, compressed with zstd, which util/unpack.h decompresses.
 */
#ifndef CORETAP_TOOLS_PACK_H
#define CORETAP_TOOLS_PACK_H

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

/* Prints "{ BYTES }". Returns the number of bytes; 0: memory is short. */
static size_t pack_print(const void *data, size_t size)
{
	size_t room = ZSTD_compressBound(size), packed_size = 0;
	unsigned char *packed = malloc(room);
	ZSTD_CCtx *z = ZSTD_createCCtx();

	if (packed && z) {
		ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_maxCLevel());
		ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
		packed_size = ZSTD_compress2(z, packed, room, data, size);
	}
	if (ZSTD_isError(packed_size))
		packed_size = 0;
	putchar('{');
	for (size_t i = 0; i < packed_size; i++)
		printf("%s%u,", i % 24 ? "" : "\n\t", packed[i]);
	printf("\n}");
	ZSTD_freeCCtx(z);
	free(packed);
	return packed_size;
}

#endif
