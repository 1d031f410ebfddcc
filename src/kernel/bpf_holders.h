/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_holders.h - which processes hold BPF programs, by their descriptors: a program, a link, or a perf event that runs
 * one.
 */
#ifndef CORETAP_KERNEL_BPF_HOLDERS_H
#define CORETAP_KERNEL_BPF_HOLDERS_H

#include <stdint.h>

enum bpf_holding { BPF_HOLDS_PROGRAM, BPF_HOLDS_EVENT };

/* Calls `found` for each descriptor of each process that may be read. `program` is an id; of an event it is 0, and `fd`
 * is what bpf_event_place asks about. */
void bpf_holders_each(void (*found)(void *ctx, uint32_t pid, int fd, enum bpf_holding what,
				    uint32_t program),
		      void *ctx);
/* Returns the bytes of locked memory of the program behind our own descriptor, as fdinfo has it; 0: unknown. */
uint64_t bpf_program_memory(int fd);

#endif
