/* SPDX-License-Identifier: GPL-2.0 */
/* opensnoop.h - what opensnoop's programs tell about an open. */
#ifndef CORETAP_OPENSNOOP_H
#define CORETAP_OPENSNOOP_H

#include "event.h"

enum opensnoop_kind {
	OPENSNOOP_OPEN,	    /* open, openat, openat2, creat */
	OPENSNOOP_IO_URING, /* IORING_OP_OPENAT, IORING_OP_OPENAT2 */
	OPENSNOOP_EXEC,	    /* the kernel, for exec: program, interpreter, loader */
	OPENSNOOP_KERNEL,   /* the kernel, for swapon, acct, core dumps, firmware … */
};

/* There is none (see FIELD_MAYBE): ret of an open without descriptor, mode of one that does not
 * create. */
#define OPENSNOOP_NO_FD (-0x7fffffffffffffffLL - 1)
#define OPENSNOOP_NO_MODE 0xffffffffu

struct opensnoop_event {
	struct event_header header;
	__s64 ret;	/* descriptor or -errno */
	__u64 latency;	/* ns */
	__u64 flags;	/* O_… as the caller gave them; of the kernel's own as it keeps them */
	__u64 resolve;	/* RESOLVE_… of openat2 */
	__u64 cgroup;	/* id in the v2 hierarchy */
	__u32 mode;
	__s32 dirfd;
	__u32 uid;
	__u8 kind;	/* enum opensnoop_kind */
	__u8 pad[3];
	struct event_str path; /* as given */
	/* FIELD_PATH: `path` as the leaf, whatever slashes it has, then its directory's components.
	 * A leading slash of `path` is left out, for the leaf gets one anyway. */
	struct event_str full_path;
	/* then the bytes: path, NUL, directory */
};

_Static_assert(sizeof(struct opensnoop_event) == 120, "opensnoop_event is an ABI");

#endif
