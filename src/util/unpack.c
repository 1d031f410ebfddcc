/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.c - decoders of compressed formats, one per row of a table.
 */
#include "util/unpack.h"

#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PIECE = 1 << 16 };

struct output {
	int fd;
	uint64_t written;
};

/* Returns 0 or -errno. */
static int output_write(struct output *o, const void *bytes, size_t size)
{
	const char *at = bytes, *end = at + size;

	o->written += size;
	if (o->written > UNPACK_MAX)
		return -EFBIG;
	while (at < end) {
		ssize_t n = write(o->fd, at, end - at);

		if (n <= 0)
			return n ? -errno : -EIO;
		at += n;
	}
	return 0;
}

/* ---- the formats; a stream that ends early or is damaged is no error: what was decoded is kept ---- */

static int gzip_unpack(const void *packed, size_t size, struct output *o)
{
	enum {
		GZIP_ONLY = 31
	}; /* for inflateInit2: the largest window, and 16 for a gzip header */
	z_stream z = { .next_in = (Bytef *)packed, .avail_in = size };
	unsigned char piece[PIECE];
	int state, err = 0;

	if (inflateInit2(&z, GZIP_ONLY) != Z_OK)
		return -ENOMEM;
	do {
		z.next_out = piece;
		z.avail_out = sizeof(piece);
		state = inflate(&z, Z_NO_FLUSH);
		err = output_write(o, piece, sizeof(piece) - z.avail_out);
	} while (!err && state == Z_OK);
	inflateEnd(&z);
	return err;
}

static int zstd_unpack(const void *packed, size_t size, struct output *o)
{
	ZSTD_inBuffer in = { packed, size, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	char piece[PIECE];
	size_t left;
	int err = 0;

	if (!z)
		return -ENOMEM;
	do {
		ZSTD_outBuffer out = { piece, sizeof(piece), 0 };

		left = ZSTD_decompressStream(z, &out, &in);
		err = output_write(o, piece, out.pos);
		if (in.pos == in.size && out.pos < out.size)
			break;
	} while (!err && left && !ZSTD_isError(left));
	ZSTD_freeDStream(z);
	return err;
}

/* Decodes xz, and lzma as the kernel's Makefile calls it. */
static int lzma_unpack(lzma_stream *z, const void *packed, size_t size, struct output *o)
{
	unsigned char piece[PIECE];
	lzma_ret state;
	int err;

	z->next_in = packed;
	z->avail_in = size;
	do {
		z->next_out = piece;
		z->avail_out = sizeof(piece);
		state = lzma_code(z, LZMA_RUN);
		err = output_write(o, piece, sizeof(piece) - z->avail_out);
	} while (!err && state == LZMA_OK);
	lzma_end(z);
	return err;
}

static int xz_unpack(const void *packed, size_t size, struct output *o)
{
	lzma_stream z = LZMA_STREAM_INIT;

	if (lzma_stream_decoder(&z, UINT64_MAX, 0) != LZMA_OK)
		return -ENOMEM;
	return lzma_unpack(&z, packed, size, o);
}

static int lzma_alone_unpack(const void *packed, size_t size, struct output *o)
{
	lzma_stream z = LZMA_STREAM_INIT;

	if (lzma_alone_decoder(&z, UINT64_MAX) != LZMA_OK)
		return -ENOMEM;
	return lzma_unpack(&z, packed, size, o);
}

/* Decodes the format that kernels use (lz4 -l): blocks of at most 8 MiB, each preceded by its size. */
static int lz4_unpack(const void *packed, size_t size, struct output *o)
{
	enum { BLOCK = 8 << 20 };
	const char *at = packed, *end = at + size;
	char *block = malloc(BLOCK);
	uint32_t length;
	int n = 1, err = block ? 0 : -ENOMEM;

	for (at += 4; !err && n > 0 && end - at > (ptrdiff_t)sizeof(length); at += length) {
		memcpy(&length, at, sizeof(length));
		at += sizeof(length);
		if (length > end - at || length > LZ4_COMPRESSBOUND(BLOCK))
			break;
		n = LZ4_decompress_safe(at, block, length, BLOCK);
		err = n > 0 ? output_write(o, block, n) : 0;
	}
	free(block);
	return err;
}

static const struct format {
	const char *magic;
	size_t size;
	const char *program;
	int (*unpack)(const void *packed, size_t size,
		      struct output *o); /* NULL: the format is recognized but not decoded */
} formats[] = {
	{ "\x1f\x8b\x08", 3, "gzip", gzip_unpack },
	{ "\x28\xb5\x2f\xfd", 4, "zstd", zstd_unpack },
	{ "\xfd\x37\x7a\x58\x5a\x00", 6, "xz", xz_unpack },
	{ "\x02\x21\x4c\x18", 4, "lz4", lz4_unpack },
	{ "\x5d\x00\x00", 3, "lzma", lzma_alone_unpack },
	{ "\x04\x22\x4d\x18", 4, "lz4", NULL }, /* the frame format */
	{ "BZh", 3, "bzip2", NULL },
	{ "\x89LZO", 4, "lzop", NULL },
};

static const struct format *format_find(const void *packed, size_t size)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (size >= formats[i].size && !memcmp(packed, formats[i].magic, formats[i].size))
			return &formats[i];
	return NULL;
}

const char *unpack_format(const void *packed, size_t size)
{
	const struct format *f = format_find(packed, size);

	return f ? f->program : NULL;
}

int unpack_to(int fd, const void *packed, size_t size)
{
	const struct format *f = format_find(packed, size);
	struct output o = { .fd = fd };
	int err;

	if (!f)
		return -EBADMSG;
	if (!f->unpack)
		return -ENOPKG;
	err = f->unpack(packed, size, &o);
	return err ?: o.written ? 0 : -EBADMSG;
}

void *unpack_embedded_after(const void *prefix, size_t prefix_size, const void *packed,
			    size_t packed_size, size_t size)
{
	char *bytes = malloc(size + 1);
	ZSTD_DCtx *z = ZSTD_createDCtx();
	bool whole = bytes && z && !ZSTD_isError(ZSTD_DCtx_refPrefix(z, prefix, prefix_size)) &&
		     ZSTD_decompressDCtx(z, bytes, size, packed, packed_size) == size;

	ZSTD_freeDCtx(z);
	if (whole) {
		bytes[size] = 0;
		return bytes;
	}
	free(bytes);
	return NULL;
}

void *unpack_embedded(const void *packed, size_t packed_size, size_t size)
{
	return unpack_embedded_after(NULL, 0, packed, packed_size, size);
}
