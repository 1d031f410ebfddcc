/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_plain.c - decompresses sections: System V ABI, chapter 4, Section Compression. Refuses sizes that are out of
 * proportion to the file.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "symbols/user/elf_file.h"

#ifndef ELFCOMPRESS_ZSTD /* defined by glibc 2.37 and later */
#define ELFCOMPRESS_ZSTD 2
#endif

/* Returns true if the result has exactly `size` bytes. */
static bool zlib_unpack(char *bytes, size_t size, const char *packed, size_t packed_size)
{
	uLongf room = size;

	return uncompress((Bytef *)bytes, &room, (const Bytef *)packed, packed_size) == Z_OK &&
	       room == size;
}

static bool zstd_unpack(char *bytes, size_t size, const char *packed, size_t packed_size)
{
	return ZSTD_decompress(bytes, size, packed, packed_size) == size;
}

static int bytes_unpack(const struct elf_file *e, const Elf64_Chdr *head, const char *packed,
			size_t packed_size, char **bytes)
{
	bool is_zstd = head->ch_type == ELFCOMPRESS_ZSTD;

	if (head->ch_type != ELFCOMPRESS_ZLIB && !is_zstd)
		return -ENOEXEC;
	if (head->ch_size > e->room)
		return -EFBIG;
	*bytes = malloc(head->ch_size + 1);
	if (!*bytes)
		return -ENOMEM;
	if ((is_zstd ? zstd_unpack : zlib_unpack)(*bytes, head->ch_size, packed, packed_size))
		return 0;
	free(*bytes);
	return -ENOEXEC;
}

int elf_section_plain(const struct elf_file *e, const Elf64_Shdr *s, char **bytes, size_t *size)
{
	Elf64_Chdr head;
	char *packed;
	int err = elf_section_bytes(e, s, &packed);

	*size = s->sh_size;
	*bytes = packed;
	if (err || !(s->sh_flags & SHF_COMPRESSED))
		return err;
	err = e->wide && s->sh_size >= sizeof(head) ? 0 : -ENOEXEC;
	if (!err) {
		memcpy(&head, packed, sizeof(head));
		err = bytes_unpack(e, &head, packed + sizeof(head), s->sh_size - sizeof(head),
				   bytes);
		*size = head.ch_size;
	}
	free(packed);
	return err;
}
