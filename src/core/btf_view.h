/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf_view.h - what the files of the BTF reader share: the view itself, and windows on it.
 *
 * Where the file cannot be mapped, `data` is an empty mapping of the file's size whose pages are
 * read when first needed (view_need), so pointers into it stay valid and memory is spent only on
 * what was looked at. Whole sections are swept through a window instead, which keeps nothing.
 */
#ifndef CORETAP_BTF_VIEW_H
#define CORETAP_BTF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/btf.h"

enum {
	VIEW_STEP = 8, /* the index has the offset of every 8th type */
	VIEW_PAGE = 4096,
	VIEW_WINDOW = 64 * 1024,
};

struct btf_view {
	const uint8_t *data;
	size_t size;
	size_t mapped;  /* bytes to munmap; 0: data is the caller's */
	int fd;         /* to read pages from; -1: everything is in memory */
	uint64_t *have; /* fd >= 0: one bit a page of data */
	uint32_t types, types_end, strings, strings_end; /* sections: [begin, end) in data */
	uint32_t *index; /* offset in data of types 1, 1 + VIEW_STEP, … */
	uint32_t count;  /* ids found by the pass, 0 is void; 0: not yet passed */
	int damage;      /* -errno of the pass */
	/* a module's: its ids and string offsets go on where the base's end */
	const struct btf_view *base; /* NULL: none */
	uint32_t base_ids, base_strings; /* ids and bytes of the base, without void */
};

/* The sections and the index of types are the view's own: `index` and `count` do not count the
 * base's types. */

/* btf_view_open_split; without `map` as where the file cannot be mapped. */
int view_open(const struct btf_view *base, const char *path, bool map, struct btf_view **out);

/* A piece of the file in one run of memory. */
struct view_window {
	const uint8_t *data;
	uint32_t off, len; /* bytes of the file: [off, off + len) */
	uint8_t *buffer;   /* owned, VIEW_WINDOW bytes; NULL when everything is in memory */
};

int view_window_init(struct view_window *w, const struct btf_view *b);
/* Moves the window to begin at `off`, and to end at most at `end`. Returns 0 or -errno. */
int view_window_move(struct view_window *w, const struct btf_view *b, uint32_t off, uint32_t end);
void view_window_free(struct view_window *w);

/* Reads the pages of [off, off + len) that are not there yet. */
bool view_read(const struct btf_view *b, size_t off, size_t len);

/* Makes [off, off + len) of data readable; false when it is outside of the file or unreadable. */
static inline bool view_need(const struct btf_view *b, size_t off, size_t len)
{
	if (off > b->size || len > b->size - off)
		return false;
	return b->fd < 0 || !len || view_read(b, off, len);
}

/* Bytes of a type with all that follows it; 0 for an unknown kind. */
size_t view_type_size(const struct btf_type *t);

/* The one pass over the view's own types: measures every one and fills the index; `queries` (their
 * name offsets in `offsets`, 0: none) are answered on the way. Returns 0 or -errno. */
int view_pass(const struct btf_view *view, struct btf_query *queries, const uint32_t *offsets,
              size_t count);

#endif
