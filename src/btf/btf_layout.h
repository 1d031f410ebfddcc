/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout.h - a type's layout: as C with offsets, sizes and holes, or as JSON.
 */
#ifndef CORETAP_BTF_BTF_LAYOUT_H
#define CORETAP_BTF_BTF_LAYOUT_H

#include "btf/btf.h"
#include "util/buf.h"

/*
 * Prints a struct, union, enum, typedef or any other type. Members of anonymous types are shown in
 * place; all offsets are from the start of `id`. A typedef is followed by what it stands for, up to
 * the next type with a name and members. As JSON, one object per line; `module` (NULL: the kernel
 * proper) is one of its keys.
 */
void btf_layout_layout(const struct btf_view *b, uint32_t id, const char *module, bool json,
		       struct buf *o);
/* A member selected by name: one line of the same form. Offset in bits. */
void btf_layout_member(const struct btf_view *b, const char *name, const struct btf_found *found,
		       bool json, struct buf *o);
/* The type behind pointers, arrays and qualifiers; 0: void. */
uint32_t btf_layout_behind(const struct btf_view *b, uint32_t id);

#endif
