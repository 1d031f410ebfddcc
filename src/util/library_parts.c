/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * library_parts.c - parts of libraries that nothing here reaches.
 *
 * A linker picks a member of a static library for a symbol that nothing else defines. These definitions come first, so
 * the members stay out of the binary (135 KB): decoders of the formats that zstd had before 0.8 (2016), which no kernel
 * or module has; and zlib's compression, which libelf and libbpf could use to write files.
 */
#include <zlib.h>
#include <stddef.h>
#include <zstd_errors.h>

/* ---- zstd: data in an old format is refused as damaged ---- */

#define FAILURE ((size_t)-ZSTD_error_prefix_unknown)

/* Only the results matter: 0 from what allocates, FAILURE from what decodes. */
#define RETURNS(name_, value_)                                                                     \
	size_t name_(void);                                                                        \
	size_t name_(void)                                                                         \
	{                                                                                          \
		return value_;                                                                     \
	}
#define NO_FORMAT(v_)                                                                              \
	RETURNS(ZSTD##v_##_createDCtx, 0)                                                          \
	RETURNS(ZSTD##v_##_freeDCtx, 0)                                                            \
	RETURNS(ZSTD##v_##_decompress_usingDict, FAILURE)                                          \
	RETURNS(ZSTD##v_##_getFrameParams, FAILURE)                                                \
	RETURNS(ZBUFF##v_##_createDCtx, 0)                                                         \
	RETURNS(ZBUFF##v_##_freeDCtx, 0)                                                           \
	RETURNS(ZBUFF##v_##_decompressInitDictionary, FAILURE)                                     \
	RETURNS(ZBUFF##v_##_decompressContinue, FAILURE)                                           \
	void ZSTD##v_##_findFrameSizeInfoLegacy(const void *data, size_t size, size_t *packed,     \
						unsigned long long *most);                         \
	void ZSTD##v_##_findFrameSizeInfoLegacy(const void *data, size_t size, size_t *packed,     \
						unsigned long long *most)                          \
	{                                                                                          \
		(void)data, (void)size;                                                            \
		*packed = FAILURE;                                                                 \
		*most = -2ull; /* ZSTD_CONTENTSIZE_ERROR */                                        \
	}

NO_FORMAT(v05)
NO_FORMAT(v06)
NO_FORMAT(v07)

/* ---- zlib: writing fails ---- */

int deflateInit_(z_stream *z, int level, const char *version, int size)
{
	(void)z, (void)level, (void)version, (void)size;
	return Z_STREAM_ERROR;
}

int deflate(z_stream *z, int flush)
{
	(void)z, (void)flush;
	return Z_STREAM_ERROR;
}

int deflateEnd(z_stream *z)
{
	(void)z;
	return Z_STREAM_ERROR;
}

int gzclose_w(gzFile file)
{
	(void)file;
	return Z_STREAM_ERROR;
}
