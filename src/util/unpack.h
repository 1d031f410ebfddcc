/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - compressed bytes, by their magic: gzip, zstd, xz, lzma, and lz4 as kernels use it (lz4 -l).
 *
 * The bytes are not trusted: the output is bounded by UNPACK_MAX, and what follows the end of the
 * compressed stream is ignored (a kernel has its size there).
 */
#ifndef CORETAP_UTIL_UNPACK_H
#define CORETAP_UTIL_UNPACK_H

#include <stddef.h>

#define UNPACK_MAX (1ull << 30) /* bytes; a kernel with its debug information has less */

/* Writes the decompressed bytes to fd. -EBADMSG: they are not compressed, or damaged before the first
 * byte; -ENOPKG: compressed in a format that is only recognized, which unpack_format names; -EFBIG;
 * or another -errno. Of bytes that are damaged further on, what comes before is written. */
int unpack_to(int fd, const void *packed, size_t size);
/* The program that packs so, as "bzip2"; NULL: the bytes are in no known format. */
const char *unpack_format(const void *packed, size_t size);

/* Decompresses what the build packed into the binary (tools/pack.h): `size` bytes, and a NUL. The caller frees
 * them. NULL: the bytes are damaged, they are not as many, or memory is short. */
void *unpack_embedded(const void *packed, size_t packed_size, size_t size);

#endif
