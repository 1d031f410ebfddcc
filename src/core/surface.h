/* SPDX-License-Identifier: GPL-2.0 */
/*
 * surface.h - does a kernel have the fields that the suite's own types (vmlinux/) name?
 *
 * Compares two BTFs the way CO-RE does at load: by name, through anonymous members, with a
 * ___suffix of a type left out. Used by the check of all kernels at build time and by doctor.
 */
#ifndef CORETAP_SURFACE_H
#define CORETAP_SURFACE_H

#include "core/btf.h"

enum surface_fault {
	SURFACE_FINE,
	SURFACE_NO_TYPE,  /* the kernel has no struct of that name */
	SURFACE_NO_FIELD,
	SURFACE_KIND,	  /* pointer for integer, struct for pointer, … */
	SURFACE_SIZE,	  /* an integer of another size, a shorter array */
	SURFACE_TARGET,	  /* points to, or is, another struct */
};
const char *surface_fault_text(enum surface_fault fault);

/* May a kernel lack it? Listed in vmlinux/optional.def, or of a type with a ___suffix. */
bool surface_optional(const char *path);

/* A field as `type.field`, `type.field.inner`; `type` keeps its ___suffix. */
typedef void (*surface_fn)(void *ctx, const char *path, enum surface_fault fault);

/* The BTF inside an ELF object (build/bpf/surface.o holds ours); it points into `elf`. Returns 0,
 * or -EBADMSG for an object without BTF. */
int surface_types(const void *elf, size_t size, struct btf_view **out);

/* Calls fn for every field of every struct in `ours`, in its order. Returns 0, -ENOMEM or
 * -EBADMSG. */
int surface_compare(struct btf_view *ours, struct btf_view *kernel, surface_fn fn, void *ctx);

#endif
