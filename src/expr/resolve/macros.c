/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * macros.c - constants (O_NONBLOCK, ENOENT, GFP_KERNEL) and members (sk->sk_dport) that are macros
 * in the kernel's source, and therefore not in its BTF. Enumerators are, and come first.
 *
 * Part of resolve.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "output/field/flag_names.h"
#include "util/errname.h"

enum { ERRNO_END = 600 }; /* behind those that are internal to the kernel: linux/errno.h */

/* ---- constants ---- */

static bool names_find(const struct field_name *names, const char *name, uint64_t *value)
{
	for (; names && names->name; names++) {
		if (strcmp(names->name, name))
			continue;
		*value = names->value;
		return true;
	}
	return false;
}

static bool errno_find(const char *name, uint64_t *value)
{
	const char *known;

	for (int i = 1; *name == 'E' && i < ERRNO_END; i++) {
		known = errname(i);
		if (!known || strcmp(known, name))
			continue;
		*value = i;
		return true;
	}
	return false;
}

static bool constant_find(struct compile *c, const char *name, uint64_t *value)
{
	for (const struct field_name *const *names = flags_constants; *names; names++) {
		if (names_find(*names, name, value))
			return true;
	}
	return errno_find(name, value) ||
	       (strstr(name, "GFP_") && names_find(gfp_names(c), name, value));
}

/* As in C: an int if it fits. AT_FDCWD is stored in 32 bits. */
bool macro_constant_find(struct compile *c, struct node *n)
{
	uint64_t value;
	char name[40];

	compile_text(c, n->name, name, sizeof(name));
	if (!constant_find(c, name, &value))
		return false;
	n->kind = NODE_NUMBER;
	n->number = strcmp(name, "AT_FDCWD") ? (int64_t)value : (int32_t)value;
	n->number_long = value > UINT32_MAX;
	n->number_unsigned = n->number > INT32_MAX;
	n->type = ctype_int(n->number_long ? 8 : 4, !n->number_unsigned);
	n->place = CATEGORY_RVALUE;
	return true;
}

/* ---- members ---- */

/* PREFIX of a member that STRUCT lacks → the member it is in, and its prefix there. */
static const struct {
	const char *name, *prefix, *via, *inner;
} aliases[] = {
	{ "sock", "sk_", "__sk_common", "skc_" },
	{ "inet_sock", "inet_", "sk", "sk_" },
	{ "inet_timewait_sock", "tw_", "__tw_common", "skc_" },
};
enum { ALIASES = sizeof(aliases) / sizeof(aliases[0]) };

static bool found_add(struct compile *c, const struct btf_found *via, const char *name,
		      struct btf_found *found)
{
	if (!btf_view_member(c->in->btf, via->type, name, strlen(name), found) &&
	    !macro_member_find(c, via->type, name, strlen(name), found))
		return false;
	found->bit_offset += via->bit_offset;
	return true;
}

bool macro_member_find(struct compile *c, uint32_t id, const char *name, size_t len,
		       struct btf_found *found)
{
	const struct btf_view *b = c->in->btf;
	const char *outer = btf_view_name(b, btf_view_strip(b, id));
	struct btf_found via;
	char inner[64];

	for (size_t i = 0; i < ALIASES; i++) {
		size_t prefix = strlen(aliases[i].prefix);

		if (strcmp(aliases[i].name, outer) || len <= prefix ||
		    strncmp(aliases[i].prefix, name, prefix) ||
		    !btf_view_member(b, id, aliases[i].via, strlen(aliases[i].via), &via))
			continue;
		snprintf(inner, sizeof(inner), "%s%.*s", aliases[i].inner, (int)(len - prefix),
			 name + prefix);
		return found_add(c, &via, inner, found);
	}
	return false;
}
