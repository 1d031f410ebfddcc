/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout.h - a type's layout: as C with offsets, sizes and holes, or as JSON.
 */
#ifndef CORETAP_BTF_BTF_LAYOUT_H
#define CORETAP_BTF_BTF_LAYOUT_H

#include "btf/btf.h"
#include "util/buf.h"

/*
 * Prints a struct, union, enum, typedef or any other type. Members of anonymous types are shown in place; all offsets
 * are from the start of `id`. After a typedef comes its target, up to the next type with a name and members. JSON has
 * one object per line; `module` is one of its keys (NULL: the kernel proper).
 */
void btf_layout_layout(const struct btf_view *b, uint32_t id, const char *module, bool json,
		       struct buf *o);
/* Prints one member, as one line of the same form. The offset is in bits. */
void btf_layout_member(const struct btf_view *b, const char *name, const struct btf_found *found,
		       bool json, struct buf *o);
/* Returns the type without pointers, arrays and qualifiers; 0 is void. */
uint32_t btf_layout_pointee(const struct btf_view *b, uint32_t id);

#endif
