/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf_small.h - the few kernel types that an object's CO-RE relocations ask for, as BTF of their
 * own: a few kilobytes that libbpf is done with at once, where all of the kernel's cost it 50 ms
 * and 8 MB.
 *
 *	btf_small_open(&m, elf, size);
 *	btf_small_want(&m, &wanted);
 *	btf_wanted_find(&wanted, kernel);
 *	btf_small_make(&m, kernel, &wanted, &data, &size);
 *
 * Ids are other ones than the kernel's: fields, sizes and existence can be relocated by it, type
 * ids cannot.
 */
#ifndef CORETAP_BTF_SMALL_H
#define CORETAP_BTF_SMALL_H

#include "core/btf_wanted.h"

#define BTF_SMALL_ROOTS 64

struct btf_small {
	struct btf_view *ours; /* the object's own types */
	uint32_t roots[BTF_SMALL_ROOTS]; /* types of it that relocations begin at */
	size_t root_count;
};

/* `elf` must outlive it. Returns 0; -EBADMSG for an object without BTF; -EOPNOTSUPP for one that has
 * relocations of another kind, or too many types. */
int btf_small_open(struct btf_small *m, const void *elf, size_t size);
void btf_small_want(const struct btf_small *m, struct btf_wanted *w);
/* Types that the kernel does not have are left out. *data is to be freed. Returns 0 or -errno. */
int btf_small_make(const struct btf_small *m, const struct btf_view *kernel,
		   const struct btf_wanted *w, void **data, size_t *size);
void btf_small_close(struct btf_small *m);

#endif
