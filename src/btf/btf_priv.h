/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_priv.h - internal to the BTF reader: the view itself, and windows on it.
 *
 * If the file cannot be mapped, `data` is an empty mapping of the file's size whose pages are read when first needed
 * (view_need). So pointers into it stay valid, and only pages that were read use memory. A pass over a whole section
 * uses a window instead, which stores nothing.
 */
#ifndef CORETAP_BTF_BTF_PRIV_H
#define CORETAP_BTF_BTF_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"

enum {
	VIEW_STEP = 8, /* the index has the offset of every 8th type */
	VIEW_PAGE = 4096,
	VIEW_WINDOW = 64 * 1024,
};

/* An enum constant and its enum (btf_type.c): collected at the first query. */
struct view_constant {
	uint32_t name, id;
};

struct view_constants {
	struct view_constant *all; /* owned */
	uint32_t count;
	bool noted;
};

/* Ids of all types that have a name, by hash; slots NULL: no table. Owned. */
struct view_names {
	uint32_t *slots, mask;
};

struct btf_view {
	const uint8_t *data;
	size_t size;
	size_t mapped;	/* bytes to munmap; 0: the caller owns data */
	int fd;		/* to read pages from; -1: everything is in memory */
	uint64_t *have; /* fd >= 0: one bit per page of data */
	uint32_t types, types_end, strings, strings_end; /* sections: [begin, end) in data */
	uint32_t *index; /* offsets in data of types 1, 1 + VIEW_STEP, … */
	/* number of ids found by the pass, including void; 0: not done yet */
	uint32_t count;
	uint32_t *
		labels; /* owned, from the second pass on: the name's offset of each type; NULL: none */
	uint32_t near_id,
		near_off; /* the type that was asked for last, where most walks go on; id 0: none */
	int damage;	  /* -errno of the pass */
	bool running;	  /* opened as the running kernel's */
	struct view_constants constants; /* of its own types */
	struct view_names names;	 /* see btf_find.c */
	struct btf_lookup known;	 /* results cached by btf_find.c */
	struct btf_lookup expected;	 /* names that its next search answers, too */
	/* A module's ids and string offsets continue where those of the base end. */
	const struct btf_view *base;	 /* NULL: none */
	uint32_t base_ids, base_strings; /* ids and bytes of the base, without void */
};

/* The sections and the index of types are the view's own: `index` and `count` exclude the base's types. */

/* Opens a view as btf_view_open_split does. Without `map` it reads pages, as if the file could not be mapped. */
int view_open(const struct btf_view *base, const char *path, bool map, struct btf_view **out);

/* A contiguous piece of the file in memory. */
struct view_window {
	const uint8_t *data;
	uint32_t off, len; /* bytes of the file: [off, off + len) */
	uint8_t *buffer;   /* owned, VIEW_WINDOW bytes; NULL if everything is in memory */
};

int view_window_init(struct view_window *w, const struct btf_view *b);
/* Moves the window to begin at `off`, and to end at or before `end`. Returns 0 or -errno. */
int view_window_move(struct view_window *w, const struct btf_view *b, uint32_t off, uint32_t end);
void view_window_free(struct view_window *w);

/* Reads the missing pages of [off, off + len). */
bool view_read(const struct btf_view *b, size_t off, size_t len);

/* Returns the bytes of a type with everything that follows it; 0 for an unknown kind. */
size_t view_type_size(const struct btf_type *t);

/* Returns the query of a name, with its result; NULL: it was not added. */
struct btf_query *btf_lookup_query(const struct btf_lookup *w, unsigned kind, const char *name,
				   size_t len);

/* Results that are kept for later queries: of types by their kind, and of constants. */
enum { VIEW_CONSTANT = BTF_KIND_UNKN };
/* Sets the id, perhaps to 0, if the query was answered before; else returns false. */
bool view_cached(const struct btf_view *b, struct btf_query *q);
void view_cache(const struct btf_view *b, const struct btf_query *q);

/* Sets the offset of each name, in the view's strings or its base's. Returns 0 or -errno. */
int view_strings_find(const struct btf_view *b, const struct btf_query *queries, uint32_t *offsets,
		      size_t count);
/* Returns the offset of a name, or 0. */
uint32_t view_string_find(const struct btf_view *b, const char *name);

/* Makes [off, off + len) of data readable. Returns false if it is outside the file or unreadable. */
static inline bool view_need(const struct btf_view *b, size_t off, size_t len)
{
	if (off > b->size || len > b->size - off)
		return false;
	return b->fd < 0 || !len || view_read(b, off, len);
}

/* The one pass over the view's own types: measures each and fills the index. It also answers `queries` (the offsets
 * of their names are in `offsets`, 0: none). Returns 0 or -errno. */
int view_pass(const struct btf_view *view, struct btf_query *queries, const uint32_t *offsets,
	      size_t count);

#endif
