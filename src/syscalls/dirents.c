/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dirents.c - prints entries of directories.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <string.h>

#include "syscalls/text.h"

/* Writes an entry of getdents64(2), or of getdents(2), which has its type at the end. */
static void entry_write(struct out *out, const char *p, uint32_t len, bool is_old)
{
	unsigned word = is_old && out->event->abi ? 4 : 8;
	unsigned name = 2 * word + (is_old ? 2 : 3);
	char type = p[is_old ? len - 1 : name - 1];

	buf_printf(out->o, "{d_ino=%llu, d_off=%lld, d_reclen=%u",
		   (unsigned long long)memory_number(p, word),
		   (long long)memory_number(p + word, word), len);
	if (!is_old) {
		buf_str(out->o, ", d_type=");
		out_set(out, set_find("dtype"), (unsigned char)type, 1);
	}
	buf_str(out->o, ", d_name=");
	out_string(out, p + name, strnlen(p + name, len - name), false, false);
	if (is_old) {
		buf_str(out->o, ", d_type=");
		out_set(out, set_find("dtype"), (unsigned char)type, 1);
	}
	buf_char(out->o, '}');
}

/* With -v writes each entry, else their number. */
void out_dirents(struct out *out, const struct type *t, uint64_t address,
		 const struct syssnoop_chunk *c)
{
	unsigned word = t->bit && out->event->abi ? 4 : 8, head = 2 * word + 3;
	bool is_list = out->options->verbose && !out->json;
	const char *p = (const char *)(c + 1);
	uint32_t at = 0, entries = 0, reclen;

	buf_str(out->o, is_list ? "[" : "");
	for (; at + head <= c->len; at += reclen, entries++) {
		reclen = (uint32_t)memory_number(p + at + 2 * word, 2);
		if (reclen < head || reclen > c->len - at)
			break;
		if (!is_list)
			continue;
		buf_str(out->o, at ? ", " : "");
		entry_write(out, p + at, reclen, t->bit);
	}
	if (is_list)
		buf_str(out->o, c->left_out ? ", ...]" : "]");
	else if (out->json)
		buf_uint(out->o, entries);
	else
		buf_printf(out->o, "%#llx /* %u%s entries */", (unsigned long long)address, entries,
			   c->left_out ? " or more" : "");
}
