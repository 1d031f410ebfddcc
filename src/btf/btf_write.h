/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_write.h - builds BTF: types and their names, in two buffers until both are complete.
 */
#ifndef CORETAP_BTF_BTF_WRITE_H
#define CORETAP_BTF_BTF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

struct btf_view;

struct btf_write {
	const struct btf_view *base; /* the types that it extends; NULL: none */
	struct buf types, strings;
};

void btf_write_begin(struct btf_write *w, const struct btf_view *base);
void btf_write_free(struct btf_write *w);
/* Returns the offset of a name; 0 for "" and NULL. */
uint32_t btf_write_string(struct btf_write *w, const char *s);
/* Appends the beginning of every type to `o`, which is w->types or another buffer. */
void btf_write_type(struct btf_write *w, struct buf *o, const char *name, uint32_t info,
		    uint32_t size_or_type);
static inline uint32_t btf_write_info(unsigned kind, unsigned count, bool flag)
{
	return (uint32_t)flag << 31 | kind << 24 | count;
}
static inline void btf_write_word(struct buf *o, uint32_t word)
{
	buf_bytes(o, &word, sizeof(word));
}
/* Appends the contents of `from`, and its error, to `o`, and frees `from`. */
void btf_write_join(struct buf *o, struct buf *from);
/* Returns header, types and strings; the caller frees them. NULL: out of memory. */
void *btf_write_bytes(const struct btf_write *w, size_t *size);

#endif
