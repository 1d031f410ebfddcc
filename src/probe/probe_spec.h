/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_spec.h - a PROBE text, parsed. Nothing checks whether what it names exists.
 *
 *	vfs_read  vfs_read%return  vfs_read+0x20  btrfs:btrfs_sync_file  'tcp_*'  vfs_read,vfs_write
 *	'*(struct sk_buff *)'		functions that have such a parameter
 *	fs/sync.c:180  vfs_fsync:4	lines of the kernel's source: parsed as function 180 of module fs/sync.c
 *	t:sched:sched_switch		tracepoints; t:sched_switch looks in all groups
 *	s:openat  s:openat%return	system calls
 *	u:/bin/bash:readline%return	functions of programs and libraries; or 0x… for an offset
 *	u:/bin/prog:ns::f  u:/bin/prog:ns::f(int)	functions of C++ and Rust by name: all that have it; one
 *	u:/bin/prog:main.c:42	lines of source: parsed as offset 42 in /bin/prog:main.c, see user_statement.h
 *	b:xdp_filter  b:17%return  b:xdp_filter:parse	BPF programs, by name, id or tag; a function of one
 *	hz:99  every:1  hw:cache-misses:10000  sw:page-faults	samples of whatever runs
 *	watch:0x601040:8:w		accesses to memory
 *	a|b,c	two: the first of a and b that this kernel has, and c; each after a | may be of
 *		another kind: t:block:block_io_start|blk_account_io_start
 *	a,b?	b may be missing
 */
#ifndef CORETAP_PROBE_PROBE_SPEC_H
#define CORETAP_PROBE_PROBE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_spec_kind {
	PROBE_SPEC_FUNCTION,
	PROBE_SPEC_TRACEPOINT,
	PROBE_SPEC_SYSCALL,
	PROBE_SPEC_USER,
	PROBE_SPEC_PROGRAM,
	PROBE_SPEC_HZ, /* samples, whose names sample_spec.c parses: from here */
	PROBE_SPEC_EVERY,
	PROBE_SPEC_HARDWARE,
	PROBE_SPEC_SOFTWARE,
	PROBE_SPEC_WATCH, /* to here */
	PROBE_SPEC_KINDS,
};

/* One name of a list. */
struct probe_spec_item {
	enum probe_spec_kind kind;
	/* follows a |: used if this kernel lacks the previous item */
	bool is_other;
	bool or_function;  /* and may be a kernel function if nothing of `kind` has the name */
	bool is_optional;  /* written A? */
	const char *scope; /* module, group of tracepoints, path, or BPF program; NULL: none */
	const char *name;  /* "" for a USER probe at a plain offset */
	/* the type that one parameter must have: "struct sk_buff *"; NULL: any */
	const char *type;
	bool is_pattern; /* name contains * ? or [ */
	bool has_offset;
	uint64_t offset;   /* bytes */
	size_t start, end; /* position in the text, in bytes */
};

struct probe_spec {
	enum probe_spec_kind kind;     /* of each item that does not follow a | */
	bool is_return;		       /* applies to all items */
	struct probe_spec_item *items; /* owned */
	size_t count;		       /* at least 1 */
	char *text;		       /* owned; names point into it */
};

struct probe_spec_error {
	size_t start, end; /* position of the error in the text, in bytes */
	char message[128];
	char hint[128]; /* may be empty */
};

static inline bool probe_spec_is_sample(const struct probe_spec *spec)
{
	return spec->kind >= PROBE_SPEC_HZ && spec->kind <= PROBE_SPEC_WATCH;
}

/* True if the item is a line of the kernel's source: fs/sync.c:180, or counted from where a function is declared:
 * vfs_fsync:4. */
bool probe_spec_is_line(const struct probe_spec_item *item);
/* True if one of its names may be missing: A?  A|B */
bool probe_spec_has_choice(const struct probe_spec *spec);
/* Returns 0, -EINVAL with *error filled, or -ENOMEM. The caller frees *spec only after 0. */
int probe_spec_parse(const char *text, struct probe_spec *spec, struct probe_spec_error *error);
void probe_spec_free(struct probe_spec *spec);
/* Returns the prefix of a kind: "t:". */
const char *probe_spec_prefix(enum probe_spec_kind kind);
/* True if one of the items matches that name in that scope. */
bool probe_spec_accepts(const struct probe_spec *spec, const char *scope, const char *name);

#endif
