/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * no_deflate.c - keeps zlib's compressor, 33 KB, out of the static binary.
 *
 * libelf refers to it for elf_compress(3), libbpf by gzclose(3): coretap compresses nothing. These stand in
 * front of zlib's own and refuse. Unit tests are not linked with them (Makefile).
 */
#include <zlib.h>

int deflateInit_(z_streamp stream, int level, const char *version, int stream_size)
{
	(void)stream, (void)level, (void)version, (void)stream_size;
	return Z_STREAM_ERROR;
}

int deflateInit2_(z_streamp stream, int level, int method, int window, int memory, int strategy,
		  const char *version, int stream_size)
{
	(void)stream, (void)level, (void)method, (void)window, (void)memory, (void)strategy;
	(void)version, (void)stream_size;
	return Z_STREAM_ERROR;
}

int deflateParams(z_streamp stream, int level, int strategy)
{
	(void)stream, (void)level, (void)strategy;
	return Z_STREAM_ERROR;
}

int deflateReset(z_streamp stream)
{
	(void)stream;
	return Z_STREAM_ERROR;
}

int deflate(z_streamp stream, int flush)
{
	(void)stream, (void)flush;
	return Z_STREAM_ERROR;
}

int deflateEnd(z_streamp stream)
{
	(void)stream;
	return Z_STREAM_ERROR;
}
