/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_programs.h - the BPF programs that are loaded in this kernel, by bpf(2)'s BPF_PROG_GET_NEXT_ID. Needs
 * CAP_SYS_ADMIN.
 */
#ifndef CORETAP_KERNEL_BPF_PROGRAMS_H
#define CORETAP_KERNEL_BPF_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BPF_PROGRAM_NAME = 16, BPF_PROGRAM_TAG = 17, BPF_PROGRAM_FUNCTIONS = 256 };

/* One program, as bpf_prog_info describes it. */
struct bpf_program_info {
	uint32_t id, type; /* type: enum bpf_prog_type */
	uint32_t btf_id;   /* of the object with its types; 0: none */
	uint32_t uid;	   /* of the user that loaded it */
	bool is_jited;
	char name[BPF_PROGRAM_NAME]; /* as loaded: at most 15 characters */
	char tag[BPF_PROGRAM_TAG];   /* hexadecimal */
	uint64_t runs, run_ns;	     /* since statistics are switched on */
	uint64_t loaded;	     /* CLOCK_BOOTTIME ns */
	uint32_t map_count;
	/* BTF ids of its functions, the program itself first; more than that are left out */
	uint32_t functions[BPF_PROGRAM_FUNCTIONS];
	size_t function_count;
};

/* Called for a program, with its descriptor, which stays open until the return. Anything but 0 ends the walk. */
typedef int bpf_program_fn(void *ctx, const struct bpf_program_info *info, int fd);
/* Calls `each` for the programs in the order of their ids; those that are gone meanwhile are skipped. Returns 0, what
 * `each` returned, or -errno. */
int bpf_programs_each(bpf_program_fn *each, void *ctx);
/* Reads the BTF object. Returns 0 with *bytes, which the caller frees, or -errno. */
int bpf_types_read(uint32_t btf_id, void **bytes, size_t *size);
/* True if it is the kernel's own, without those of modules. */
bool bpf_types_are_kernel(uint32_t btf_id);

#endif
