/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_lookup.h - names to look up in a kernel's BTF. They are collected first and answered in one
 * pass, because each pass costs ten milliseconds.
 */
#ifndef CORETAP_BTF_BTF_LOOKUP_H
#define CORETAP_BTF_BTF_LOOKUP_H

#include "btf/btf.h"

struct btf_lookup {
	struct btf_query *queries; /* owned, with their names */
	size_t count, room;
	int err; /* -ENOMEM if a name could not be added */
};

/* Adds a name of `len` bytes, which is copied; a name that was added before is looked up only
 * once. */
void btf_lookup_add(struct btf_lookup *w, unsigned kind, const char *name, size_t len);
/* Answers them all. Returns 0 or -errno. */
int btf_lookup_find(struct btf_lookup *w, const struct btf_view *btf);
/* 0: not in the kernel, or never added. */
uint32_t btf_lookup_id(const struct btf_lookup *w, unsigned kind, const char *name, size_t len);
void btf_lookup_free(struct btf_lookup *w);

#endif
