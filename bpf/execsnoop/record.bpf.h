/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.bpf.h - the record being built, and the strings appended to it.
 *
 * This file does not know whether the exec succeeded.
 */
#ifndef CORETAP_EXECSNOOP_RECORD_BPF_H
#define CORETAP_EXECSNOOP_RECORD_BPF_H

#define PATH_SLOTS 2
#include "lib/path.bpf.h"
#include "execsnoop.h"

enum { SLOT_DONE, SLOT_FAILED }; /* slots of path walks */

#define FILENAME_ROOM 4097 /* PATH_MAX and one more byte, to detect a cut */
/* with "/dev/fd/N/" before it, as alloc_bprm in fs/exec.c prepends */
#define FDNAME_ROOM    (FILENAME_ROOM + 32)
#define INTERP_ROOM    512 /* twice BINPRM_BUF_SIZE of binfmts.h: never cut */
#define ARGS_AT_MOST   (sizeof(struct execsnoop_more) + FDNAME_ROOM + INTERP_ROOM + 2 * PATH_ROOM)
#define ANCESTORS_ROOM (EXECSNOOP_ANCESTORS * sizeof(struct execsnoop_ancestor))
#define WORD_PIECE     16384 /* bytes of the pieces in which a failed exec's words are copied */

/* Hides a number's bounds from the compiler: bounds that it derives are unknown to the verifier. */
#define OPAQUE(number) asm volatile("" : "+r"(number))

/* Paths, which only JSON and --extended show, cost more than everything else together. */
const volatile bool want_paths = false;
/* --ppid: numbers as they are shown. */
const volatile struct event_ids parents = {};

/* argv or envp of a failed exec, being copied from user memory to a record. */
struct words {
	__u64 argv;	  /* address of the next pointer */
	__u64 total;	  /* bytes so far; bytes beyond `most` are left out */
	__u64 unreadable; /* see struct event_words */
	__u32 pointer;	  /* size of a pointer */
	__u32 count;
	__u32 base; /* where the words start in the record */
	__u32 over; /* more words follow that were not counted */
	__u32 most; /* total number of bytes to keep */
};

struct execsnoop_scratch {
	union {
		struct execsnoop_event event;
		struct execsnoop_more more;
		/* after argv: a piece of a word, or ancestors and the environment, and then one more piece */
		char bytes[ARGS_AT_MOST + EXECSNOOP_ARGS + ANCESTORS_ROOM + EXECSNOOP_ENV +
			   WORD_PIECE];
	};
	struct words words;
	__u64 users;
	__u64 bprm; /* passed to a global function, which cannot take a typed pointer */
};

/* Failed execs use another scratch: their program may be preempted by one for a successful exec. */
SCRATCH(struct execsnoop_scratch);
SCRATCH_AS(scratch_failed, struct execsnoop_scratch);

static __always_inline void string_none(struct event_str *str, __u32 status)
{
	*str = (struct event_str){ .status = status };
	if (status == EVENT_FAULT)
		loss_count(LOSS_FAULT, 1);
}

/* Describes the result of a helper that reads a string: bytes including the NUL, or an error. Returns the end. An
 * empty string has 1 byte or, read from user memory before 6.13, none (mm/maccess.c). */
static __always_inline __u64 string_end(struct event_str *str, __u64 at, __u64 n, const __u64 room)
{
	OPAQUE(n);
	if (n > room) {
		string_none(str, EVENT_FAULT);
		return at;
	}
	str->off = at;
	str->len = n ? n - 1 : 0;
	str->left_out = 0;
	str->status = n == room ? EVENT_CUT : EVENT_OK;
	if (n == room)
		loss_count(LOSS_CUT, 1);
	return at + n;
}

static __always_inline __u64 path_add(struct execsnoop_scratch *s, __u64 at, __u32 slot,
				      const struct path *path, const struct path *root,
				      struct event_str *str)
{
	struct path_walk *w = path_walk(slot, path, root);

	if (w && w->status == EVENT_CUT)
		loss_count(LOSS_CUT, 1);
	if (w && w->status == EVENT_FAULT)
		loss_count(LOSS_FAULT, 1);
	return w ? path_append(s->bytes, at, ARGS_AT_MOST, w, str) : at;
}

/* Adds the file of the current address space: what /proc/PID/exe shows. */
static __always_inline __u64 exe_add(struct execsnoop_scratch *s, __u64 at, __u32 slot,
				     const struct path *root)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct file *file = BPF_CORE_READ(task, mm, exe_file);
	struct path exe;

	path_read(&exe, &file->f_path);
	return path_add(s, at, slot, &exe, root, &s->event.exe);
}

/*
 * Adds user, working directory, and the file. Returns the end. A global function, so that there is only one copy; on
 * 5.10 such a function takes only numbers, so it looks up its scratch again.
 */
__attribute__((noinline)) int execsnoop_paths_add(__u32 slot, __u32 at, int with_exe)
{
	struct execsnoop_scratch *s = slot == SLOT_DONE ? scratch_get() : scratch_failed_get();
	__u64 uid_gid = bpf_get_current_uid_gid();
	struct path cwd, root;

	if (!s)
		return at;
	s->event.uid = uid_gid;
	s->event.gid = uid_gid >> 32;
	path_current(&cwd, &root);
	at = path_add(s, at, slot, &cwd, &root, &s->event.cwd);
	if (with_exe)
		at = exe_add(s, at, slot, &root);
	return at;
}

#endif
