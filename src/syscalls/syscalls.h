/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscalls.h - system calls: their numbers and names, their arguments, and a call as text (like strace(1)) or JSON.
 *
 * The calls are defined by data (*.tbl), packed into the binary and read on first use.
 */
#ifndef CORETAP_SYSCALLS_H
#define CORETAP_SYSCALLS_H

#include <stdbool.h>

#include "syssnoop.h"
#include "util/buf.h"

/* Numbers of calls, by ABI. */
struct syscall_set {
	uint64_t bits[SYSCALL_ABIS][SYSCALL_NUMBERS / 64];
};
static inline bool syscall_set_has(const struct syscall_set *s, unsigned abi, uint32_t nr)
{
	return s && nr < SYSCALL_NUMBERS && s->bits[abi][nr / 64] >> nr % 64 & 1;
}
/* Descriptors. */
struct syscall_fds {
	uint64_t bits[SYSSNOOP_FDS / 64];
	bool higher; /* SYSSNOOP_FDS and above */
};
static inline bool syscall_fds_have(const struct syscall_fds *s, uint64_t fd)
{
	return s && (fd < SYSSNOOP_FDS ? s->bits[fd / 64] >> fd % 64 & 1 : s->higher);
}

/* -x, -xx: which bytes of strings are hexadecimal numbers. */
enum syscall_hex {
	SYSCALL_HEX_NONE,
	SYSCALL_HEX_CHARS, /* those that are numbers as it is */
	SYSCALL_HEX_ODD,   /* all of a string that has any of these */
	SYSCALL_HEX_ALL,
};
/* -X: constants as names, numbers, or both. */
enum syscall_style { SYSCALL_NAMES, SYSCALL_NUMBERS_ONLY, SYSCALL_BOTH };
/* -y, -yy: what is printed of descriptors. */
enum syscall_fd_part {
	SYSCALL_FD_PATH = 1,
	SYSCALL_FD_SOCKET = 2,
	SYSCALL_FD_DEV = 4,
	SYSCALL_FD_EVENTFD = 8,
	SYSCALL_FD_PIDFD = 16,
	SYSCALL_FD_SIGNALFD = 32,
	SYSCALL_FD_ALL = 63,
	SYSCALL_FD_SPECIAL = SYSCALL_FD_ALL & ~SYSCALL_FD_PATH,
};

/* read(3 <unfinished ...> | <... read resumed>, "x", 1) = 1 */
enum syscall_part {
	SYSCALL_WHOLE,
	SYSCALL_HEAD,
	SYSCALL_REST,
	SYSCALL_ENDED,	    /* all of a call whose thread ended first */
	SYSCALL_REST_ENDED, /* what is left of it */
};

struct syscall_options {
	uint32_t strings;   /* -s: bytes of a string that is no path */
	bool verbose;	    /* -v: all members of structs */
	bool fd_paths;	    /* -y: descriptors have their files … */
	uint8_t fd_parts;   /* … or of these what is asked for: enum syscall_fd_part; 0: all */
	uint8_t hex, style; /* enum syscall_hex, syscall_style */
	bool arg_names, pid_names; /* -N, -Y */
	/* returns what number `nr` of the thread's pid namespace is here, 0: none; NULL: it is not shown */
	uint32_t (*pid_here)(uint32_t tid, uint32_t nr);
	unsigned column; /* of the = before the result; 0: 40 */
	uint8_t part;	 /* enum syscall_part */
	/* which calls have all members, no data, nothing but numbers; NULL: none */
	const struct syscall_set *full, *flat, *raw;
	const struct syscall_fds *reads, *writes; /* of which all data are taken; NULL: none */
};

/* NULL: the number has no name. */
const char *syscall_name(unsigned abi, uint32_t nr);
/* The same, but "syscall_0x1f4" for such a number, until the next call. */
const char *syscall_label(unsigned abi, uint32_t nr);
/* The number of a call, -1: this ABI has none of that name. */
int syscall_number(unsigned abi, const char *name, size_t len);
/* Calls `offer` for each name that there is. */
void syscall_names(void (*offer)(void *ctx, const char *name), void *ctx);
/* Letters of the classes that it is in (calls.tbl), "" for none. */
const char *syscall_classes(unsigned abi, uint32_t nr);
void syscall_capture_of(unsigned abi, uint32_t nr, const struct syscall_options *options,
			struct syscall_capture *out);
/* Calls `visit` for each variant of a call with values that vary (TAKE_VARIES). */
void syscall_capture_variants(unsigned abi, uint32_t nr, const struct syscall_options *options,
			      void (*visit)(void *ctx, uint32_t value,
					    const struct syssnoop_variant *v),
			      void *ctx);
/* Name, arguments and result, no newline. */
void syscall_write_text(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options);
/* All data that it moved by a descriptor that is in options->reads or ->writes, as lines. */
void syscall_write_dump(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options);
/* A name between < and >. */
void syscall_write_name(struct buf *o, const char *name, size_t len,
			const struct syscall_options *options);
/* Returns the chunk about the caller (SYSSNOOP_CALLER); NULL: none. */
const struct syssnoop_chunk *syscall_caller(const struct syssnoop_event *e, unsigned part);
/* An object: names of arguments and their values. */
void syscall_write_json(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options);

#endif
