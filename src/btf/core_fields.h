/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core_fields.h - checks that a kernel has the fields of our own types (vmlinux/).
 *
 * Compares two BTFs as CO-RE does at load: by name, through anonymous members, without a type's ___suffix. Used by
 * the check of all kernels at build time and by doctor.
 */
#ifndef CORETAP_BTF_CORE_FIELDS_H
#define CORETAP_BTF_CORE_FIELDS_H

#include "btf/btf.h"

enum core_fields_fault {
	CORE_FIELDS_FINE,
	CORE_FIELDS_NO_TYPE, /* the kernel has no struct of that name */
	CORE_FIELDS_NO_FIELD,
	CORE_FIELDS_KIND, /* a pointer instead of an integer, a struct instead of a pointer, … */
	CORE_FIELDS_SIZE, /* an integer of another size, a shorter array */
	CORE_FIELDS_TARGET, /* points to, or is, another struct */
};

/* True if a kernel may lack the field: vmlinux/optional.def lists it, or its type has a ___suffix. */
bool core_fields_optional(const char *path);

/* Called with a field as `type.field` or `type.field.inner`; `type` keeps its ___suffix. */
typedef void (*core_fields_fn)(void *ctx, const char *path, enum core_fields_fault fault);

/* Opens the BTF inside an ELF object (build/bpf/surface.o holds ours); it points into `elf`. Returns 0, or -EBADMSG
 * for an object without BTF. */
int core_fields_types(const void *elf, size_t size, struct btf_view **out);

/* Calls fn for every field of every struct in `ours`, in its order. Returns 0, -ENOMEM or -EBADMSG. */
int core_fields_compare(struct btf_view *ours, struct btf_view *kernel, core_fields_fn fn,
			void *ctx);

#endif
