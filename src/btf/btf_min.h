/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_min.h - the few kernel types that an object's CO-RE relocations refer to, as a BTF of their
 * own: a few kilobytes that libbpf reads at once. All of the kernel's BTF would cost 50 ms and 8
 * MB.
 *
 *	btf_min_open(&m, elf, size);
 *	btf_min_want(&m, &wanted);
 *	btf_lookup_find(&wanted, kernel);
 *	btf_min_build(&m, kernel, &wanted, &data, &size);
 *
 * The ids differ from the kernel's: this BTF serves relocations of fields, sizes and existence, but
 * not of type ids.
 */
#ifndef CORETAP_BTF_BTF_MIN_H
#define CORETAP_BTF_BTF_MIN_H

#include "btf/btf.h"

#define BTF_MIN_ROOTS 64

struct btf_min {
	struct btf_view *ours;	       /* the object's own types */
	uint32_t roots[BTF_MIN_ROOTS]; /* types of the object that relocations start from */
	size_t root_count;
};

/* `elf` must outlive the result. Returns 0; -EBADMSG for an object without BTF; -EOPNOTSUPP for one with relocations
 * of another kind, or too many types. */
int btf_min_open(struct btf_min *m, const void *elf, size_t size);
void btf_min_want(const struct btf_min *m, struct btf_lookup *w);
/* Leaves out types that the kernel does not have. The caller frees *data. Returns 0 or -errno. */
int btf_min_build(const struct btf_min *m, const struct btf_view *kernel,
		  const struct btf_lookup *w, void **data, size_t *size);
void btf_min_close(struct btf_min *m);

#endif
