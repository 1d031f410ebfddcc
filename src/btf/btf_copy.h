/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_copy.h - copies types that stand alone, as those of a BPF program, on top of others.
 */
#ifndef CORETAP_BTF_BTF_COPY_H
#define CORETAP_BTF_BTF_COPY_H

#include <stddef.h>
#include <stdint.h>

struct btf_view;

/* Copies all types of `from` into BTF that continues `base`: id N becomes btf_copy_id(base, N). Returns 0 with
 * *bytes, which the caller frees; -EBADMSG for damaged types or a kind that is unknown; or -ENOMEM. */
int btf_copy_on(const struct btf_view *base, const struct btf_view *from, void **bytes,
		size_t *size);
uint32_t btf_copy_id(const struct btf_view *base, uint32_t id);

#endif
