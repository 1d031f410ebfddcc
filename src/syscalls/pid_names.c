/* SPDX-License-Identifier: GPL-2.0-only */
/* pid_names.c - the names of processes behind their numbers, and their numbers here. */
#include <stdio.h>
#include <string.h>

#include "syscalls/text.h"
#include "util/small_file.h"

enum { NAMES = 1024 }; /* a name replaces that of another thread in its place */

struct name {
	uint32_t tid; /* 0: none yet */
	char comm[EVENT_COMM_LEN];
};

static bool comm_read(uint64_t pid, char comm[EVENT_COMM_LEN])
{
	char path[40], name[EVENT_COMM_LEN + 1] = "";

	snprintf(path, sizeof(path), "/proc/%llu/comm", (unsigned long long)pid);
	if (small_file_line(path, name, sizeof(name)) < 0)
		return false;
	memcpy(comm, name, EVENT_COMM_LEN);
	return true;
}

static struct name *name_of(uint32_t tid)
{
	static struct name names[NAMES];

	return &names[tid % NAMES];
}

void pid_name_keep(const struct event_header *h)
{
	struct name *n = name_of(h->tid);

	n->tid = h->tid;
	memcpy(n->comm, h->comm, sizeof(n->comm));
}

/* The name of one that has ended since is that of its last record. */
static bool name_find(uint64_t pid, char comm[EVENT_COMM_LEN])
{
	const struct name *n = name_of((uint32_t)pid);

	if (comm_read(pid, comm))
		return true;
	if (n->tid != pid)
		return false;
	memcpy(comm, n->comm, EVENT_COMM_LEN);
	return true;
}

/* The caller's name is in its record; for another process it is what /proc has now. */
void out_pid_name(struct out *out, const char *name, const struct type *t, uint64_t v)
{
	static const char names[] = " pid tgid upid pgid pid1 pid2 ";
	const struct event_header *h = &out->event->header;
	const char *at = strstr(names, name);
	char comm[EVENT_COMM_LEN] = { 0 };

	if (!at || at[-1] != ' ' || at[strlen(name)] != ' ' || t->kind != TYPE_INT || t->ptr ||
	    (int32_t)v <= 0 || out->json)
		return;
	if (v == h->tid)
		memcpy(comm, h->comm, sizeof(comm));
	else if (!name_find(v, comm))
		return;
	out_bracketed(out, comm, strnlen(comm, sizeof(comm)));
}

RARE void out_pid_here(struct out *out, const char *name, const struct type *t, uint64_t v)
{
	static const char names[] = " pid tgid upid pgid pid1 pid2 l_pid ";
	const char *at = strstr(names, name);
	bool is_pid = at && at[-1] == ' ' && at[strlen(name)] == ' ' && t->kind <= TYPE_UINT;
	uint32_t here;

	if (!out->options->pid_here || out->json || !(is_pid || (t->kind == TYPE_INT && t->bit)))
		return;
	here = out->options->pid_here(out->event->header.tid, (uint32_t)v);
	if (here && here != (uint32_t)v)
		buf_printf(out->o, " /* %u in strace's PID NS */", here);
}
