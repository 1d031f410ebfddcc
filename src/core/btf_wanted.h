/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf_wanted.h - names to look up in a kernel's BTF, gathered first and answered in one pass, for
 * each pass costs ten milliseconds.
 */
#ifndef CORETAP_BTF_WANTED_H
#define CORETAP_BTF_WANTED_H

#include "core/btf.h"

struct btf_wanted {
	struct btf_query *queries; /* owned, with their names */
	size_t count, room;
	int err; /* -ENOMEM once a name could not be taken */
};

/* A name of `len` bytes, which is copied; one that is there already is not asked twice. */
void btf_wanted_add(struct btf_wanted *w, unsigned kind, const char *name, size_t len);
/* Answers them all. Returns 0 or -errno. */
int btf_wanted_find(struct btf_wanted *w, const struct btf_view *btf);
/* 0: there is none, or it was not asked for. */
uint32_t btf_wanted_id(const struct btf_wanted *w, unsigned kind, const char *name, size_t len);
void btf_wanted_free(struct btf_wanted *w);

#endif
