/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_links.h - where BPF programs are attached, as far as the kernel says: links (BPF_LINK_GET_NEXT_ID, since 5.8), and
 * perf events of a process's descriptors (BPF_TASK_FD_QUERY). Needs CAP_SYS_ADMIN.
 */
#ifndef CORETAP_KERNEL_BPF_LINKS_H
#define CORETAP_KERNEL_BPF_LINKS_H

#include <stdint.h>

#include "util/buf.h"

/* Called for each place. `function` is the BTF id, in the object `types`, of the kernel's function or of another program's
 * that a link names only by number; 0: `place` has it all. */
struct bpf_place {
	uint32_t program; /* its id */
	const char *place;
	uint32_t types, function;
	uint32_t link; /* id of the link; 0: a perf event */
	uint32_t
		count; /* of functions that a link of kprobe.multi or uprobe.multi probes; else 0 */
};
typedef void bpf_place_fn(void *ctx, const struct bpf_place *place);

/* Calls `found` for each link. Returns 0, or -errno: -EINVAL if this kernel cannot list links. */
int bpf_links_each(bpf_place_fn *found, void *ctx);
/* Calls `found` for the program of a perf event that a process holds: what is attached so has no link. */
void bpf_event_place(uint32_t pid, int fd, bpf_place_fn *found, void *ctx);

#endif
