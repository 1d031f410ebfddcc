/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.h - private to syscalls/: a struct in memory, of which members are asked for and printed one by one.
 *
 * Members are named by their index in the layout.
 */
#ifndef CORETAP_SYSSCALLS_WALK_H
#define CORETAP_SYSSCALLS_WALK_H

#include "syscalls/text.h"

struct walk {
	struct out *out;
	const struct layout *l;
	const char *p; /* as it was passed */
	size_t len;
	const char *after; /* as the call left it; NULL: unchanged or unknown */
	size_t after_len;
	uint32_t at[MEMBERS_MAX]; /* offset of each member */
	uint64_t room;		  /* available bytes */
	int32_t last;		  /* offset of the last printed member */
	bool any, hidden, lost;
};

/* _pad, but not __reserved. */
static inline bool name_is_hidden(const char *name)
{
	return *name == '_' && name[1] != '_';
}

static inline bool type_is_inner(const struct type *t)
{
	return t->kind == TYPE_STRUCT && t->ptr != '*' && t->count == 1;
}

/* True if an argument of the call says how many elements there are, not another member. */
static inline bool type_is_counted_by_arg(const struct type *t)
{
	return t->count_arg >= COUNT_OF_ARG && t->count_arg != COUNT_NONE;
}

/* Returns the number in a member: of one that the call fills, what it has filled in. */
uint64_t walk_number(const struct walk *w, uint8_t i);
/* Returns the number of a member in `len` bytes at `p`; 0 if it is not within them. */
uint64_t walk_number_at(const struct walk *w, const char *p, size_t len, uint8_t i);
/* True if the condition of a member's type holds. */
bool walk_holds(const struct walk *w, uint8_t i);

enum shown { SHOWN, ABSENT, HIDDEN };
/* Returns whether a member is printed. HIDDEN: "..." stands for it. */
enum shown walk_shown(const struct walk *w, uint8_t i);

/* Returns how many elements a list can have, or is to have. */
uint64_t walk_list_most(const struct walk *w, const struct type *t);
/* Returns how many elements a list has by the argument, or the member, that counts them. */
uint64_t walk_list_count(const struct walk *w, const struct type *t);
/* Returns how many elements of `size` bytes a member has, of those within `len` bytes. */
uint32_t walk_count(const struct walk *w, uint8_t i, uint32_t size, size_t len);
/* Returns how many bytes, or elements, member `by` says there are: of what the call fills, after it, less a rest. */
uint64_t walk_told_count(const struct walk *w, const struct type *t, uint8_t by);

/* Returns the bytes of a struct that another member shows, which it begins with to have a condition by them. */
uint32_t walk_shared_size(const struct walk *w, const struct type *t);
/* Returns the number of the device in `len` bytes of a stat at `p`, if it is that of a device's file; else NULL. */
const char *walk_rdev(const struct walk *w, const char *p, size_t len);

/* ---- the end of a struct (walk_end.c) ---- */

#define ZEROS_MAX 256

/* Bytes of a struct that zeros follow, and how it is written: members know their place from the beginning of the data. */
struct longer {
	char bytes[ZEROS_MAX];
	struct out out;
};

/* Copies the struct with zeros up to `end`, unless that is too far. */
void walk_zeros_append(struct walk *w, struct longer *l, uint32_t end);
/* Returns where the last of the members ends that are 0 in a struct that is too short. */
uint32_t walk_zeros_end(const struct walk *w);
/* Returns where the member ends within which the struct does, as one that later kernels extend; 0: within none. */
uint32_t walk_member_end(const struct walk *w);
/* True for a struct that says it has fewer bytes than any kernel takes: only that is shown. */
bool walk_is_too_small(const struct walk *w, const struct type *t);
/* Writes the bytes after the known members, if any is not 0. */
void walk_tail_write(struct walk *w, const struct type *t);

#endif
