/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscalls.h - system calls: their numbers and names, what their arguments are, and a call as text (as
 * strace(1) prints it) or JSON.
 *
 * What calls there are is data (*.tbl), packed into the binary and read at the first use.
 */
#ifndef CORETAP_SYSCALLS_H
#define CORETAP_SYSCALLS_H

#include <stdbool.h>

#include "syssnoop.h"
#include "util/buf.h"

struct syscall_options {
	uint32_t strings; /* -s: bytes of a string that is no path */
	bool verbose;	  /* -v: all members of structs */
	bool fd_paths;	  /* -y */
	unsigned column;  /* of the = before the result; 0: 40 */
};

/* NULL: the number has no name. */
const char *syscall_name(unsigned abi, uint32_t nr);
/* The number of a call, -1: this ABI has none of that name. */
int syscall_number(unsigned abi, const char *name, size_t len);
/* Calls `offer` for each name that there is. */
void syscall_names(void (*offer)(void *ctx, const char *name), void *ctx);
/* Letters of the classes that it is in (calls.tbl), "" for none. */
const char *syscall_classes(unsigned abi, uint32_t nr);
void syscall_capture_of(unsigned abi, uint32_t nr, const struct syscall_options *options,
			struct syscall_capture *out);
/* Name, arguments and result, no newline. */
void syscall_write_text(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options);
/* An object: names of arguments and their values. */
void syscall_write_json(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options);

#endif
