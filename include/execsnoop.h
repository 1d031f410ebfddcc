/* SPDX-License-Identifier: GPL-2.0 */
/*
 * execsnoop.h - an exec that succeeded or failed. Strings follow the fixed part.
 */
#ifndef CORETAP_EXECSNOOP_H
#define CORETAP_EXECSNOOP_H

#include "event.h"

#define EXECSNOOP_ARGS (128 << 10) /* bytes of argv kept: MAX_ARG_STRLEN, binfmts.h */

struct execsnoop_event {
	struct event_header header; /* tid: the thread that called */
	__u32 ppid;
	__s32 ret; /* 0, or a negative errno */
	__u32 uid, gid;
	__u64 cgroup;
	__u32 argc;
	__s32 dirfd; /* of execveat; AT_FDCWD */
	struct event_words args;
	struct event_str filename; /* as the caller gave it; in text only of a failed exec */
	/* only for JSON and --extended */
	struct event_str interp, exe, cwd;
};

_Static_assert(sizeof(struct execsnoop_event) == 152, "execsnoop_event is an ABI");

#endif
