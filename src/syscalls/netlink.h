/* SPDX-License-Identifier: GPL-2.0-only */
/* netlink.h - private to syscalls/: what netlink.c and attrs.c share. */
#ifndef CORETAP_SYSCALLS_NETLINK_H
#define CORETAP_SYSCALLS_NETLINK_H

#include "syscalls/text.h"

/* What is read: more may have been passed than was taken. */
struct reader {
	struct out *out;
	const char *start, *end;
	uint64_t address;
	uint32_t protocol;
	unsigned family; /* that a message begins with */
	char word[16];	 /* the last short string among the attributes: the kind of a link, */
	const struct member *word_of; /* and which it was */
};

bool reader_has(const struct reader *r, const char *p, size_t len);
uint64_t reader_address(const struct reader *r, const char *p);
/* Bytes in quotes, or where they are if they were not taken. */
void reader_hex(struct reader *r, const char *p, size_t len);
/* The head of the next of a list, `shown` before it. Returns false if it is not there. */
bool reader_head(struct reader *r, const char *p, size_t len, size_t head, uint32_t shown);
/* Where what follows `at` begins, of which there are `len` bytes; 0: nothing does. */
size_t reader_next(size_t at, size_t len, size_t own, size_t least);
/* A list of attributes; `set`: %NAME of structs.tbl; NULL: they have no names. */
void attrs_write(struct reader *r, const struct layout *set, const char *p, size_t len);
/* The data of attribute `m` of a set, or what is behind the head of a message: attributes of the set that its type means,
 * or a value; bytes if there is none. */
void attrs_or_bytes_write(struct reader *r, const struct layout *set, const struct member *m,
			  const char *p, size_t len);

#endif
