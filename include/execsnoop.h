/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.h - an exec that succeeded or failed. Strings follow the fixed part.
 */
#ifndef CORETAP_EXECSNOOP_H
#define CORETAP_EXECSNOOP_H

#include "event.h"

#define EXECSNOOP_ARGS (128 << 10) /* bytes of argv kept: MAX_ARG_STRLEN, binfmts.h */

struct execsnoop_event {
	struct event_header header; /* tid: the thread that called exec */
	__u32 ppid;
	__s32 ret; /* 0, or a negative errno */
	__u32 uid, gid;
	struct event_task task;
	__u32 argc;
	__s32 dirfd; /* of execveat; AT_FDCWD */
	struct event_words args;
	struct event_str path; /* as given by the caller; in text only for a failed exec */
	/* only with JSON and --extended */
	struct event_str interp, exe, cwd;
};

_Static_assert(sizeof(struct execsnoop_event) == 152, "execsnoop_event is an ABI");

#endif
