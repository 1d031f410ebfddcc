/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompresses bytes in a format found by its magic: gzip, zstd, xz, lzma, and lz4 as kernels use it (lz4
 * -l).
 *
 * The input is not trusted: the output is bounded by UNPACK_MAX, and bytes after the end of the compressed stream are
 * ignored (a kernel has its size there).
 */
#ifndef CORETAP_UTIL_UNPACK_H
#define CORETAP_UTIL_UNPACK_H

#include <stddef.h>

#define UNPACK_MAX (1ull << 30) /* bytes; even a kernel with its debug information is smaller */

/* Writes the decompressed bytes to fd. Returns 0; -EBADMSG: not compressed, or damaged at the beginning; -ENOPKG: a
 * format that cannot be decoded, which unpack_format names; -EFBIG; or another -errno. If later bytes are damaged,
 * writes what comes before them. */
int unpack_to(int fd, const void *packed, size_t size);
/* Returns the program that writes this format, as "bzip2"; NULL if the format is unknown. */
const char *unpack_format(const void *packed, size_t size);

/* Decompresses what the build packed into the binary (tools/pack.h): `size` bytes, and a NUL. The caller frees
 * them. NULL: the bytes are damaged, they are not as many, or memory is short. */
void *unpack_embedded(const void *packed, size_t packed_size, size_t size);
/* The same for what was packed with these bytes as its prefix. */
void *unpack_embedded_after(const void *prefix, size_t prefix_size, const void *packed,
			    size_t packed_size, size_t size);

#endif
