/* SPDX-License-Identifier: GPL-2.0-only */
/* opensnoop.h - the record of an open. */
#ifndef CORETAP_OPENSNOOP_H
#define CORETAP_OPENSNOOP_H

#include "event.h"

enum opensnoop_kind {
	OPENSNOOP_OPEN,	    /* open, openat, openat2, creat */
	OPENSNOOP_IO_URING, /* IORING_OP_OPENAT, IORING_OP_OPENAT2 */
	OPENSNOOP_EXEC,	    /* the kernel, on exec: program, interpreter, loader */
	OPENSNOOP_KERNEL,   /* the kernel, for swapon, acct, core dumps, firmware … */
	/* --also: no opens */
	OPENSNOOP_UNLINK,
	OPENSNOOP_RMDIR,
	OPENSNOOP_RENAME, /* its record is a struct opensnoop_rename */
};

/* No value (see FIELD_MAYBE): ret of an open without descriptor, mode of one that does not create a
 * file, flags of what is no open. */
#define OPENSNOOP_NO_FD	   (-0x7fffffffffffffffLL - 1)
#define OPENSNOOP_NO_MODE  0xffffffffu
#define OPENSNOOP_NO_FLAGS (-1ull)

#define OPENSNOOP_FLAGS_MAX 32 /* of --flags */

struct opensnoop_event {
	struct event_header header;
	__s64 ret;     /* descriptor or -errno */
	__u64 latency; /* ns */
	__u64 flags; /* O_… as given by the caller; for the kernel's own opens as it keeps them */
	__u64 resolve; /* RESOLVE_… of openat2 */
	struct event_task task;
	__u32 mode;
	__s32 dirfd;
	__u32 uid;
	__u8 kind; /* enum opensnoop_kind */
	__u8 pad[3];
	struct event_str path; /* as given */
	/* FIELD_PATH: `path` as the leaf, with any slashes in it, then the components of its
	 * directory. A leading slash of `path` is omitted, because the leaf gets one anyway. */
	struct event_str full_path;
	/* followed by the bytes: path, NUL, directory */
};

/* --caller: directly behind the record's head, before the bytes of its paths. */
#if defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
enum { OPENSNOOP_REGS = 34, OPENSNOOP_SP = 31, OPENSNOOP_MODE = 33 };
#elif defined(__TARGET_ARCH_riscv) || defined(__riscv)
enum { OPENSNOOP_REGS = 32, OPENSNOOP_SP = 2, OPENSNOOP_MODE = 0 };
#elif defined(__TARGET_ARCH_powerpc) || defined(__powerpc64__)
enum { OPENSNOOP_REGS = 44, OPENSNOOP_SP = 1, OPENSNOOP_MODE = 33 };
#else
enum { OPENSNOOP_REGS = 21, OPENSNOOP_SP = 19, OPENSNOOP_MODE = 17 };
#endif
#define OPENSNOOP_STACK 2048
struct opensnoop_caller {
	__u32 size, pad;	    /* as struct event_user_copy begins */
	__u64 regs[OPENSNOOP_REGS]; /* struct pt_regs as far as arch.sample_registers */
	char stack[OPENSNOOP_STACK];
};

struct opensnoop_rename {
	struct opensnoop_event event;
	struct event_str new_path, new_full_path; /* as path, full_path */
};

/* --count: of which the opens are counted. */
enum opensnoop_count { OPENSNOOP_COUNT_NONE, OPENSNOOP_COUNT_PATH, OPENSNOOP_COUNT_COMM };

#define OPENSNOOP_KEYS 16384 /* rows of --count */
#define OPENSNOOP_KEY_MAX                                                                          \
	256 /* bytes of a path in such a row, with the NUL: a key has at most 512 */

struct opensnoop_key {
	__s64 error; /* 0 or -errno */
	struct event_str what;
	char bytes[OPENSNOOP_KEY_MAX]; /* of `what`, then zeros */
};
struct opensnoop_count_row {
	struct opensnoop_key key;
	__u64 opens;
};

_Static_assert(sizeof(struct opensnoop_key) == 280, "opensnoop_key is an ABI");
_Static_assert(sizeof(struct opensnoop_event) == 120, "opensnoop_event is an ABI");

#endif
