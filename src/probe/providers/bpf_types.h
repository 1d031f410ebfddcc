/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_types.h - names and types of the functions of BPF programs.
 */
#ifndef CORETAP_PROBE_PROVIDERS_BPF_TYPES_H
#define CORETAP_PROBE_PROVIDERS_BPF_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"
#include "kernel/bpf_programs.h"

/* Returns the whole name of a function of the program; of function 0, the program itself, as loaded (15 characters)
 * if it has no types. "": unknown. Valid until exit, or as long as `info`. */
const char *bpf_function_name(const struct btf_view *kernel, const struct bpf_program_info *info,
			      size_t function);
/* Returns the name of a type of program, "XDP", in the kernel's types; NULL: unknown. */
const char *bpf_program_type(const struct btf_view *kernel, uint32_t type);
enum bpf_types {
	BPF_TYPES_VERDICTS = 1 << 0, /* the program's result has names: XDP_DROP */
	/* calls do not fit the types: parameters have no names, but by number there are BPF_ARGUMENTS */
	BPF_TYPES_UNNAMED = 1 << 1,
};
enum { BPF_ARGUMENTS = 5 };

/* Builds the types of one function: *func_id in *view, which continues the kernel's types and lasts until exit. A
 * parameter that is the program's context has the kernel's type. `what`: enum bpf_types. Returns 0 or -errno. */
int bpf_function_types(const struct btf_view *kernel, const struct bpf_program_info *info,
		       size_t function, unsigned what, struct btf_view **view, uint32_t *func_id);

#endif
