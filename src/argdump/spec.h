/* SPDX-License-Identifier: GPL-2.0 */
/*
 * spec.h - what a PROBE text says, taken apart. Nobody is asked whether such a thing exists.
 *
 *	vfs_read  vfs_read%return  vfs_read+0x20  btrfs:btrfs_sync_file  'tcp_*'  vfs_read,vfs_write
 *	'*(struct sk_buff *)'		functions that have such a parameter
 *	t:sched:sched_switch		tracepoints; t:sched_switch looks in all groups
 *	s:openat  s:openat%return	system calls
 *	u:/bin/bash:readline%return	functions of programs and libraries; or 0x… for an offset
 */
#ifndef CORETAP_ARGDUMP_SPEC_H
#define CORETAP_ARGDUMP_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_spec_kind {
	PROBE_SPEC_FUNCTION,
	PROBE_SPEC_TRACEPOINT,
	PROBE_SPEC_SYSCALL,
	PROBE_SPEC_USER,
	PROBE_SPEC_KINDS,
};

/* One of the names in a list. */
struct probe_spec_item {
	const char *place; /* module, group of tracepoints, or path; NULL: none given */
	const char *name;  /* USER at a mere offset: "" */
	const char *type;  /* "struct sk_buff *": a parameter that it must have; NULL: any */
	bool is_pattern;   /* name has * ? or [ */
	bool has_offset;
	uint64_t offset;   /* bytes */
	size_t start, end; /* bytes of the text */
};

struct probe_spec {
	enum probe_spec_kind kind;
	bool is_return; /* of each item */
	struct probe_spec_item *items; /* owned */
	size_t count;   /* at least 1 */
	char *text;     /* owned; names point into it */
};

struct probe_spec_error {
	size_t start, end; /* bytes of the text that it is about */
	char message[128];
	char hint[128]; /* may be empty */
};

/* Returns 0, -EINVAL with *error filled, or -ENOMEM; *spec is to be freed after 0 alone. */
int probe_spec_parse(const char *text, struct probe_spec *spec, struct probe_spec_error *error);
void probe_spec_free(struct probe_spec *spec);

/* Does `name` match a pattern of * ? [a-z] [!a-z]? */
bool probe_spec_matches(const char *pattern, const char *name);

#endif
