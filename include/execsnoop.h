/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.h - an exec that succeeded or failed, or the end of what was executed. Strings follow the
 * fixed part.
 */
#ifndef CORETAP_EXECSNOOP_H
#define CORETAP_EXECSNOOP_H

#include "event.h"

#define EXECSNOOP_ARGS	    (128 << 10) /* bytes of argv kept: MAX_ARG_STRLEN, binfmts.h */
#define EXECSNOOP_ENV	    (64 << 10)	/* bytes of the environment kept */
#define EXECSNOOP_ANCESTORS 16
#define EXECSNOOP_NO_RET    (-0x7fffffff - 1) /* FIELD_MAYBE: an end */
#define EXECSNOOP_NO_ARGC   0xffffffffu

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

/* CPU time of a process, as the kernel counts it: ns. */
struct execsnoop_times {
	__u64 user, system; /* by the ticks of the clock: only their proportion is used */
	__u64 runtime;	    /* exact */
};

/* With --exit, --tree or --env each record begins with this. */
struct execsnoop_more {
	struct execsnoop_event event;
	__u32 ended;	  /* the process: there is all that follows up to max_rss */
	__u32 status;	  /* as of wait(2) */
	__u64 lived, age; /* ns since the exec, since the fork; of an exec all bits set */
	struct execsnoop_times times; /* since the fork */
	__u64 max_rss;		      /* pages */
	struct event_str ancestors;   /* --tree: struct execsnoop_ancestor, the parent first */
	struct event_str env;	      /* --env: all of it, words with a NUL each */
};

struct execsnoop_ancestor {
	__u32 pid;
	char comm[EVENT_COMM_LEN];
};

_Static_assert(sizeof(struct execsnoop_event) == 152, "execsnoop_event is an ABI");
_Static_assert(sizeof(struct execsnoop_more) == 240, "execsnoop_more is an ABI");
_Static_assert(sizeof(struct execsnoop_ancestor) == 20, "execsnoop_ancestor is an ABI");

#endif
