/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.c - decoders of compressed formats, one per row of a table.
 */
#include "util/unpack.h"

#include <errno.h>
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

/* ---- lz4: own, because liblz4 links its compressor with it ---- */

struct lz4 {
	const uint8_t *in, *in_end;
	uint8_t *block, *out, *out_end;
};

/* Adds the bytes that continue a length: each 255 is followed by another. Returns false at the end of the input. */
static bool lz4_length(struct lz4 *z, size_t *length)
{
	uint8_t more = UINT8_MAX;

	while (more == UINT8_MAX) {
		if (z->in == z->in_end)
			return false;
		more = *z->in++;
		*length += more;
	}
	return true;
}

/* Repeats bytes that were decoded; these may overlap. */
static bool lz4_repeat(struct lz4 *z, size_t length)
{
	size_t distance;

	if (z->in_end - z->in < 2)
		return false;
	distance = z->in[0] | z->in[1] << 8;
	z->in += 2;
	if (length == 15 && !lz4_length(z, &length))
		return false;
	length += 4;
	if (!distance || distance > (size_t)(z->out - z->block) ||
	    length > (size_t)(z->out_end - z->out))
		return false;
	for (const uint8_t *from = z->out - distance; length--;)
		*z->out++ = *from++;
	return true;
}

/* Decodes a block: literals and repetitions by turns, literals at the end. Returns false if it is damaged. */
static bool lz4_block(struct lz4 *z)
{
	while (z->in < z->in_end) {
		uint8_t token = *z->in++;
		size_t literals = token >> 4;

		if ((literals == 15 && !lz4_length(z, &literals)) ||
		    literals > (size_t)(z->in_end - z->in) ||
		    literals > (size_t)(z->out_end - z->out))
			return false;
		memcpy(z->out, z->in, literals);
		z->in += literals;
		z->out += literals;
		if (z->in == z->in_end)
			return true;
		if (!lz4_repeat(z, token & 15))
			return false;
	}
	return false;
}

/* Decodes the format that kernels use (lz4 -l): blocks of at most 8 MiB, each preceded by its size. */
static int lz4_unpack(const void *packed, size_t size, struct output *o)
{
	enum { BLOCK = 8 << 20, PACKED_MAX = BLOCK + BLOCK / 255 + 16 };
	const uint8_t *at = packed, *end = at + size;
	uint8_t *block = malloc(BLOCK);
	uint32_t length;
	int err = block ? 0 : -ENOMEM;

	for (at += 4; !err && end - at > (ptrdiff_t)sizeof(length); at += length) {
		struct lz4 z = { .block = block, .out = block, .out_end = block + BLOCK };

		memcpy(&length, at, sizeof(length));
		at += sizeof(length);
		if (length > end - at || length > PACKED_MAX)
			break;
		z.in = at;
		z.in_end = at + length;
		if (!lz4_block(&z) || z.out == block)
			break;
		err = output_write(o, block, z.out - block);
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
