/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * library_parts.c - parts of libraries that nothing here reaches.
 *
 * A linker picks a member of a static library for a symbol that nothing else defines. These definitions come first, so
 * the members stay out of the binary (147 KB): decoders of the formats that zstd had before 0.8 (2016), which no kernel
 * or module has; zlib's compression, which libelf and libbpf could use to write files; and libbpf's USDT probes, for
 * probe/providers/usdt.c has others.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
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

/* ---- libbpf ---- */

struct bpf_object;
struct usdt_manager;
struct bpf_link;
struct bpf_program;

struct usdt_manager *usdt_manager_new(struct bpf_object *object);
void usdt_manager_free(struct usdt_manager *m);
struct bpf_link *usdt_manager_attach_usdt(struct usdt_manager *m, const struct bpf_program *program,
					  int pid, const char *path, const char *provider,
					  const char *name, uint64_t cookie);

struct usdt_manager *usdt_manager_new(struct bpf_object *object)
{
	(void)object;
	errno = ENOTSUP;
	return NULL;
}

void usdt_manager_free(struct usdt_manager *m)
{
	(void)m;
}

struct bpf_link *usdt_manager_attach_usdt(struct usdt_manager *m, const struct bpf_program *program,
					  int pid, const char *path, const char *provider,
					  const char *name, uint64_t cookie)
{
	(void)m, (void)program, (void)pid, (void)path, (void)provider, (void)name, (void)cookie;
	errno = ENOTSUP;
	return NULL;
}
