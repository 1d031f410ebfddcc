/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_write.c - writes the format of BTF, for code that builds types.
 */
#include "btf/btf_write.h"

#include <stdlib.h>
#include <string.h>

#include "btf/btf.h"

void btf_write_begin(struct btf_write *w, const struct btf_view *base)
{
	w->base = base;
	buf_init(&w->types, -1);
	buf_init(&w->strings, -1);
	buf_char(&w->strings, '\0');
}

void btf_write_free(struct btf_write *w)
{
	buf_free(&w->types);
	buf_free(&w->strings);
}

uint32_t btf_write_string(struct btf_write *w, const char *s)
{
	uint32_t at = (w->base ? btf_view_string_bytes(w->base) : 0) + w->strings.len;

	if (!s || !*s)
		return 0;
	buf_bytes(&w->strings, s, strlen(s) + 1);
	return at;
}

void btf_write_type(struct btf_write *w, struct buf *o, const char *name, uint32_t info,
		    uint32_t size_or_type)
{
	btf_write_word(o, btf_write_string(w, name));
	btf_write_word(o, info);
	btf_write_word(o, size_or_type);
}

void btf_write_join(struct buf *o, struct buf *from)
{
	if (from->len)
		buf_bytes(o, from->data, from->len);
	if (from->error)
		buf_fail(o, from->error);
	buf_free(from);
}

void *btf_write_bytes(const struct btf_write *w, size_t *size)
{
	struct btf_header h = { .magic = BTF_MAGIC,
				.version = BTF_VERSION,
				.hdr_len = sizeof(h),
				.type_len = w->types.len,
				.str_off = w->types.len,
				.str_len = w->strings.len };
	char *bytes = NULL;

	*size = sizeof(h) + h.type_len + h.str_len;
	if (!w->types.error && !w->strings.error)
		bytes = malloc(*size);
	if (!bytes)
		return NULL;
	memcpy(bytes, &h, sizeof(h));
	if (h.type_len)
		memcpy(bytes + sizeof(h), w->types.data, h.type_len);
	memcpy(bytes + sizeof(h) + h.type_len, w->strings.data, h.str_len);
	return bytes;
}
