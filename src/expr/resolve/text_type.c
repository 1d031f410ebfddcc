/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_type.c - which types are strings of C++, Rust and Go: structs with a pointer and a length.
 */
#include "expr/resolve/text_type.h"

#include <string.h>

#include "expr/ctype.h"
#include "util/glob.h"

/* libc++, from its version 20 on without the pair. */
#define LIBCXX(rep, flag, size)                                                                    \
	"basic_string<char,*", rep ".__l.__data_", rep ".__l.__size_", true, rep ".__s." flag,     \
		rep ".__s.__data_", rep ".__s." size

/* The first row holds whose members the struct has. */
static const struct text_type types[] = {
	{ "basic_string<char,*", "_M_dataplus._M_p", "_M_string_length", true },
	{ LIBCXX("__rep_", "__is_long_", "__size_") },
	{ LIBCXX("__r_.__value_", "__is_long_", "__size_") },
	{ LIBCXX("__r_.__value_", "__size_ & 1", "__size_ >> 1") }, /* up to 14 */
	{ "basic_string_view<char,*", "_M_str", "_M_len" },
	{ "basic_string_view<char,*", "__data_", "__size_" },
	{ "basic_string_view<char,*", "__data", "__size" },
	{ "&str", "data_ptr", "length" },
	{ "&mut str", "data_ptr", "length" },
	{ "String", "vec.buf.inner.ptr.pointer.pointer", "vec.len" },
	{ "String", "vec.buf.ptr.pointer.pointer", "vec.len" },
	{ "string", "str", "len" },
};

/* ---- the type ---- */

static bool has_member(const struct btf_view *b, uint32_t id, const char *path)
{
	struct btf_found found;

	for (size_t len; path && *path && *path != ' '; path += len + (path[len] == '.')) {
		len = strcspn(path, ". ");
		if (!ctype_is_composite(b, ctype_of(id)) ||
		    !btf_view_member(b, id, path, len, &found))
			return false;
		id = found.type;
	}
	return true;
}

const struct text_type *text_type_of(const struct compile *c, struct ctype t)
{
	const struct btf_view *b = c->in->btf;
	const char *name;

	if (!c->in->site.own_types)
		return NULL;
	if (ctype_is_pointer(b, t))
		t = ctype_target(b, t);
	if (!ctype_is_composite(b, t))
		return NULL;
	t.id = btf_view_strip(b, t.id);
	name = btf_view_name(b, t.id);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (wildcard_matches(types[i].type, name) && has_member(b, t.id, types[i].bytes) &&
		    has_member(b, t.id, types[i].length) && has_member(b, t.id, types[i].is_long))
			return &types[i];
	return NULL;
}

static bool is_named(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (wildcard_matches(types[i].type, name))
			return true;
	return false;
}

bool expr_texts_exist(const struct btf_view *btf)
{
	for (uint32_t id = btf_view_first(btf); id < btf_view_count(btf); id++)
		if (btf_view_kind(btf, id) == BTF_KIND_STRUCT && is_named(btf_view_name(btf, id)))
			return true;
	return false;
}

bool text_type_is(const struct compile *c, struct ctype t)
{
	return text_type_of(c, t) != NULL;
}
