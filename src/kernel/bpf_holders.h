/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_holders.h - which processes hold BPF programs and maps, by their descriptors: a program, a link, a perf event that
 * runs one, a map.
 */
#ifndef CORETAP_KERNEL_BPF_HOLDERS_H
#define CORETAP_KERNEL_BPF_HOLDERS_H

#include <stdint.h>

enum bpf_holding {
	BPF_HOLDS_PROGRAM,
	BPF_HOLDS_MAP,
	BPF_HOLDS_LINK,
	BPF_HOLDS_EVENT,
	BPF_HOLDINGS
};

/* A descriptor of a process. */
struct bpf_holder {
	uint32_t pid;
	int fd; /* bpf_event_place asks about that of an event */
	enum bpf_holding what;
	uint32_t program; /* id; 0: not known, as of an event or a map */
	uint32_t link;	  /* id of a link; 0: not known */
};

/* Calls `found` for each descriptor of each process that may be read. */
void bpf_holders_each(void (*found)(void *ctx, const struct bpf_holder *holder), void *ctx);
/* Returns the bytes of locked memory of the program behind our own descriptor, as fdinfo has it; 0: unknown. */
uint64_t bpf_program_memory(int fd);

#endif
