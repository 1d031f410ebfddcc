/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_plain.c - sections that may be compressed: System V ABI, chapter 4, Section Compression. What
 * they claim to be larger than the file allows is refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "symbols/elf_file.h"

static int inflate_bytes(const struct elf_file *e, const Elf64_Chdr *head, const char *packed,
			 size_t packed_size, char **bytes)
{
	uLongf size = head->ch_size;

	if (head->ch_type != ELFCOMPRESS_ZLIB)
		return -ENOEXEC;
	if (head->ch_size > e->room)
		return -EFBIG;
	*bytes = malloc(head->ch_size + 1);
	if (!*bytes)
		return -ENOMEM;
	if (uncompress((Bytef *)*bytes, &size, (const Bytef *)packed, packed_size) == Z_OK &&
	    size == head->ch_size)
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
		err = inflate_bytes(e, &head, packed + sizeof(head), s->sh_size - sizeof(head),
				    bytes);
		*size = head.ch_size;
	}
	free(packed);
	return err;
}
