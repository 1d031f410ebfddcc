/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name.bpf.h - the name of an open in flight, and the directory in which it starts.
 *
 * Included by call.bpf.h, which explains `full`.
 */
#ifndef CORETAP_OPENSNOOP_NAME_BPF_H
#define CORETAP_OPENSNOOP_NAME_BPF_H

#include "opensnoop/call.bpf.h"

static __always_inline void base_read(const struct call *c, struct path *base)
{
	if (c->name[0] == '/' && !(c->e.resolve & CALL_IN_ROOT))
		path_current_root(base);
	else if (c->e.dirfd == CALL_AT_FDCWD)
		path_current_pwd(base);
	else
		path_current_fd(c->e.dirfd, base);
}

static __always_inline void long_name_store(struct call *c, const char *name)
{
	__u32 zero = 0;
	__u64 key = c->filename;
	struct long_name *l = bpf_map_lookup_elem(&long_blank, &zero);

	c->name_status = EVENT_CUT;
	if (!l || bpf_map_update_elem(&long_names, &key, l, BPF_ANY))
		return;
	l = bpf_map_lookup_elem(&long_names, &key);
	if (l && bpf_probe_read_kernel_str(l->bytes, sizeof(l->bytes), name) > 0)
		c->name_status = EVENT_OK;
}

/* Reads the kernel's copy: `name` of `filename`. */
static __always_inline void name_read(struct call *c, const struct filename *filename,
				      const char *name, const bool full)
{
	long n = bpf_probe_read_kernel_str(c->name, sizeof(c->name), name);

	c->filename = (__u64)filename;
	c->name_len = n > 0 ? n : 0;
	c->name_status = n > 0 ? EVENT_OK : EVENT_FAULT;
	if (n == sizeof(c->name))
		long_name_store(c, name);
	if (full && want_base)
		base_read(c, &c->base);
}

/* Reads the caller's name, if the kernel failed before it made a copy, or before do_filp_open. */
static __always_inline void name_read_user(struct call *c, const bool full)
{
	long n = bpf_probe_read_user_str(c->name, sizeof(c->name), (const void *)c->uname);

	if (!n) /* strncpy_from_user_nofault returns 0 for "" */
		n = 1;
	c->name_len = n > 0 ? n : 0;
	c->name_status = n > 0 ? EVENT_OK : EVENT_FAULT;
	if (full && want_base)
		base_read(c, &c->base);
}

/* Copies a name of CALL_NAME bytes or more. Returns its length including the NUL. */
static __always_inline __u64 long_name_copy(struct call *c, char *to)
{
	__u64 key = c->filename;
	struct long_name *l;
	long n = 0;

	if (!key) {
		n = bpf_probe_read_user_str(to, CALL_NAME_MAX, (const void *)c->uname);
		if (n == CALL_NAME_MAX) {
			c->name_status = EVENT_CUT;
			c->e.full_path.status = EVENT_NONE;
		}
		return n > 0 ? n : 0;
	}
	l = bpf_map_lookup_elem(&long_names, &key);
	if (!l) /* there was no room for the long name: use its first part */
		return bpf_probe_read_kernel_str(to, CALL_NAME, c->name);
	return bpf_probe_read_kernel_str(to, CALL_NAME_MAX, l->bytes);
}

#endif
