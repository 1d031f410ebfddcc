/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.h - our own reader of BTF: one pass over the types, everything else on demand.
 *
 * libbpf's reader costs tens of milliseconds and megabytes before the first answer. This one keeps
 * the offset of every 8th type and nothing else. If the kernel's file cannot be mapped (before
 * 6.16), it keeps only the pages that were used. Nothing is allocated per type.
 *
 * Bad data cannot lead an accessor outside the data: the one pass measures the types, and each id
 * and string offset is checked when it is used.
 *
 *	btf.c		opens files
 *	btf_image.c	the BTF inside a vmlinux, or a bootable image
 *	btf_index.c	pages, the one pass; types, strings and names by id or offset
 *	btf_find.c	search by name, one or many in a pass
 *	btf_strings.c	search in the string section
 *	btf_type.c	size, members and enumerators of a type; the enum that has a constant
 *	btf_decl.c	a type as a C declaration
 *
 * Reading and indexing on demand does not change any answer, so a view is const to its users; two
 * threads must not use one at once. This file knows nothing about expressions or probes.
 */
#ifndef CORETAP_BTF_H
#define CORETAP_BTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/suggest.h"

struct btf_view; /* Opaque. */

/* The folder of the running kernel's BTF: a file vmlinux, and one for each module. */
#define BTF_FOLDER "/sys/kernel/btf"
/* For kernels without BTF: the folder that is searched for a file of their types, RELEASE.btf. */
#define BTF_ADDED_FOLDER "/var/lib/coretap/btf"

/* ---- btf.c ---- */

/* Returns the running kernel's file, else the one in BTF_ADDED_FOLDER, if it exists. */
const char *btf_kernel_file(void);
/* True if that file is from BTF_ADDED_FOLDER. Then it must be checked (run/btf_trust.h). */
bool btf_kernel_file_added(void);
/* Opens the running kernel's BTF (path NULL), or that in a file: raw, or inside a vmlinux or vmlinuz (btf_image_open,
 * also for -ENOPKG). The file is mapped if the kernel allows it, else read page by page. Returns 0 or -errno;
 * -EBADMSG for bytes that are not BTF. The types are not read yet. */
int btf_view_open(const char *path, struct btf_view **out);
/* Builds a hash table of names, for callers with hundreds of lookups. Not for a module's view. Returns 0, or
 * -errno with nothing changed. */
int btf_view_names_build(struct btf_view *b);
/* True if it was opened as the running kernel's. */
bool btf_view_is_running(const struct btf_view *b);
/* The same for memory, which must outlive the view. */
int btf_view_from(const void *data, size_t size, struct btf_view **out);
/* Opens split BTF, as modules have: it continues where `base` ends, and refers to it. All accessors see both as one.
 * `base` must outlive the view, and may be split itself. Returns -EBADMSG also for a base without types. For the
 * running kernel's modules see btf_modules.h. */
int btf_view_open_split(const struct btf_view *base, const char *path, struct btf_view **out);
int btf_view_from_split(const struct btf_view *base, const void *data, size_t size,
			struct btf_view **out);
void btf_view_close(struct btf_view *b);

/* ---- btf_index.c ---- */

/* Returns the number of ids: they are 1 … count - 1; 0 is void. Returns 0 if the type section is damaged. */
uint32_t btf_view_count(const struct btf_view *b);
/* Returns the first id that is not the base's: 1, or where the base ends. */
uint32_t btf_view_first(const struct btf_view *b);
/* Returns the bytes of its strings and the base's: the offset of the first string of split BTF on top of it. */
uint32_t btf_view_string_bytes(const struct btf_view *b);
/* Returns a type, followed by all its members, parameters or values (btf_members() …). NULL for 0 (void) and for an
 * id that does not exist. */
const struct btf_type *btf_view_type(const struct btf_view *b, uint32_t id);
/* Returns "" for an offset outside the string section. */
const char *btf_view_string(const struct btf_view *b, uint32_t off);
const char *btf_view_name(const struct btf_view *b, uint32_t id); /* "" if anonymous */

/* Names two types that no source declares: an enum of Rust is a struct of the variant's number, an enum, if it is stored, and
 * a union of the variants. A number that the enum lacks is of the last variant. */
#define BTF_VARIANTS "variant-part"
/* The name of an array that is a vector of the processor (GNU C): it is passed as floats are. */
#define BTF_VECTOR "vector"
/* The name of a pointer that is a reference of C++. */
#define BTF_REFERENCE "&"
bool btf_view_is_variants(const struct btf_view *b, uint32_t id);
/* Returns BTF_KIND_UNKN for void and for an id that does not exist. */
unsigned btf_view_kind(const struct btf_view *b, uint32_t id);

/* ---- btf_find.c ---- */

/* A type to find by kind (BTF_KIND_FUNC, …) and name. `id` is the result, or 0. */
struct btf_query {
	unsigned kind;
	const char *name;
	uint32_t id;
};
/* Answers all queries in one pass over the string section and at most one over the types; the first match wins, a
 * module's own before the base's. Names that do not exist cost no pass over the types. Returns 0, -EBADMSG for
 * damaged types, or -errno if reading fails. */
int btf_view_find_all(const struct btf_view *b, struct btf_query *queries, size_t count);
uint32_t btf_view_find(const struct btf_view *b, unsigned kind, const char *name);
/* Finds a type only among the view's own types, whose names may be the base's strings: slow, compares one by one. */
uint32_t btf_view_find_own(const struct btf_view *b, unsigned kind, const char *name);
uint32_t btf_view_func(const struct btf_view *b, const char *name); /* of BTF_KIND_FUNC */
/* offers all functions */
void btf_view_func_names(const struct btf_view *b, struct suggestion *n);

/* ---- btf_type.c ---- */

/* Skips typedef, const, volatile, restrict and type tags. */
uint32_t btf_view_strip(const struct btf_view *b, uint32_t id);
/* Returns the type at the end of that chain. */
static inline const struct btf_type *btf_view_stripped(const struct btf_view *b, uint32_t id)
{
	return btf_view_type(b, btf_view_strip(b, id));
}
/* True if `tag` is one of the type tags that btf_view_strip would skip. */
bool btf_view_tagged(const struct btf_view *b, uint32_t id, const char *tag);
/* Returns the size in bytes; 0 for void, functions and incomplete types. */
uint64_t btf_view_size(const struct btf_view *b, uint32_t id);

/* A member found by name; anonymous struct and union members are searched as well. */
struct btf_found {
	uint32_t type;	     /* its declared type */
	uint32_t bit_offset; /* from the start of the outermost struct */
	uint32_t bit_size;   /* of a bitfield, else 0 */
};
bool btf_view_member(const struct btf_view *b, uint32_t struct_id, const char *name, size_t len,
		     struct btf_found *found);
/* Describes member number `i` of struct `t`; anonymous members are not entered. */
void btf_view_member_at(const struct btf_view *b, const struct btf_type *t, unsigned i,
			struct btf_found *found);
/* Calls `each` with the name and type of each member, including those of anonymous members. */
typedef void btf_member_fn(void *ctx, const char *name, uint32_t type);
void btf_view_member_each(const struct btf_view *b, uint32_t struct_id, btf_member_fn *each,
			  void *ctx);
/* Offers each member's name to `n`, including those of anonymous members. */
void btf_view_member_names(const struct btf_view *b, uint32_t struct_id, struct suggestion *n);
/* Returns value `i` of enum `t` and its name; sign-extends a 32-bit value. */
int64_t btf_view_enum_value(const struct btf_view *b, const struct btf_type *t, unsigned i,
			    const char **name);
/* Returns the value of the enumerator with that name in enum `id`; `otherwise` if it, or the enum, does not exist. */
int64_t btf_view_enumerator(const struct btf_view *b, uint32_t id, const char *name,
			    int64_t otherwise);

/* Returns the first enum that has a constant of that name, or 0. The base's enums come before a module's own. Costs a
 * pass over the strings; the first call also costs one over the types. */
uint32_t btf_view_enum_with(const struct btf_view *b, const char *name);
/* The same only for the view's own types, as btf_view_find_own. */
uint32_t btf_view_enum_own(const struct btf_view *b, const char *name);

/* ---- btf_decl.c ---- */

/* Writes the C declaration: "struct file *file", "int (*fn)(void)". Returns what snprintf would. */
int btf_view_declare(const struct btf_view *b, uint32_t id, const char *name, char *buf,
		     size_t size);
/* Writes the text before and after a name of that type: "int (*" and ")(void)". Each has room for `size` bytes and is
 * truncated to fit. */
void btf_view_declare_around(const struct btf_view *b, uint32_t id, char *before, char *after,
			     size_t size);

/* ---- what follows a struct btf_type, by its kind ---- */

static inline unsigned btf_kind(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static inline unsigned btf_vlen(const struct btf_type *t)
{
	return BTF_INFO_VLEN(t->info);
}

static inline bool btf_is_composite(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION;
}

static inline const struct btf_member *btf_members(const struct btf_type *t)
{
	return (const struct btf_member *)(t + 1);
}

static inline const struct btf_param *btf_params(const struct btf_type *t)
{
	return (const struct btf_param *)(t + 1);
}

static inline const struct btf_array *btf_array(const struct btf_type *t)
{
	return (const struct btf_array *)(t + 1);
}

static inline const struct btf_enum *btf_enums(const struct btf_type *t)
{
	return (const struct btf_enum *)(t + 1);
}

static inline const struct btf_enum64 *btf_enums64(const struct btf_type *t)
{
	return (const struct btf_enum64 *)(t + 1);
}

/* BTF_INT_ENCODING, BTF_INT_OFFSET and BTF_INT_BITS extract its parts. */
static inline uint32_t btf_int_info(const struct btf_type *t)
{
	return *(const uint32_t *)(t + 1);
}

/* ---- many names in one pass (btf_find.c) ---- */

/* Names to find in a kernel's BTF: collected first, then looked up in one pass, because a pass costs ten
 * milliseconds. */
struct btf_lookup {
	struct btf_query *queries; /* owned, with the names */
	size_t count, room;
	int err; /* -ENOMEM if a name could not be added */
};

/* Adds a copy of a name of `len` bytes, unless it was added before. */
void btf_lookup_add(struct btf_lookup *w, unsigned kind, const char *name, size_t len);
/* Looks up all names. Returns 0 or -errno. */
int btf_lookup_find(struct btf_lookup *w, const struct btf_view *btf);
/* Returns 0 if the kernel lacks it, or it was never added. */
uint32_t btf_lookup_id(const struct btf_lookup *w, unsigned kind, const char *name, size_t len);
void btf_lookup_free(struct btf_lookup *w);
/* Adds names to the next search of this view, which reads all names and types anyway. Empties *w. */
void btf_view_expect(struct btf_view *btf, struct btf_lookup *w);

/* ---- BTF inside a vmlinux or vmlinuz (btf_image.c) ---- */

/* The file is not trusted: each offset and size is checked. */

/* Returns an fd of raw BTF, which the caller closes. A file of raw BTF is opened itself; from another file BTF is
 * unpacked, which takes up to a second, so the last one is cached. Errors: -EBADMSG if the file has no BTF; -ENOPKG
 * if its compression is not supported; or another -errno. */
int btf_image_open(const char *path);
/* Returns the text of an error of btf_image_open or btf_view_open. For -ENOPKG it tells how to unpack the file. */
const char *btf_image_why(int err);

#endif
