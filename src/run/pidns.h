/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pidns.h - the pid namespace that coretap runs in, and the kernel's pids of the processes in it.
 *
 * BPF programs see the kernel's own pids, those of the initial namespace. In a container, all other tools use
 * different ones.
 */
#ifndef CORETAP_RUN_PIDNS_H
#define CORETAP_RUN_PIDNS_H

#include <stdbool.h>
#include <stdint.h>

#include "btf/btf.h"
#include "event.h"
#include "output/field/record.h"

struct pidns {
	bool inside;   /* in a namespace other than the initial one */
	bool unknown;  /* could not be found out: the initial one is assumed */
	uint32_t self; /* coretap's own pid in the kernel */
	/* where the kernel stores pids of this namespace, if `inside` */
	struct event_numbers numbers;
	struct btf_query bpf_iter;    /* types of the kernel that the iterator needs */
	uint32_t task_pid, task_tgid; /* offsets in task_struct */
	uint32_t upid;		      /* offset of numbers[0] in struct pid */
};

/* True if coretap is in the initial namespace, or if /proc cannot be read. */
bool pidns_is_first(void);

/* Returns 0; -EPERM without the privileges to find out; or another -errno: inside a namespace whose pids cannot be
 * translated. */
int pidns_open(struct pidns *n, const char *btf_path, const struct btf_view *btf);

/* Sets the offsets in `numbers`, also in the initial namespace. Returns 0 or -errno. */
int pidns_layout(struct pidns *n, const struct btf_view *btf);

/* Translates pids, or tids, of coretap's namespace to the kernel's own: replaces each of `ids`. Returns 0 or -errno;
 * for -ESRCH, *missing does not exist. */
int pidns_translate(const struct pidns *n, struct event_ids *ids, bool threads, uint32_t *missing);

/* Returns coretap's pid as /proc shows it, which may be that of another namespace, or 0. */
uint32_t pidns_proc_self(void);
/* Returns why that is not ours. */
const char *pidns_proc_why(void);

/* ---- --inner-pids ---- */

/* Shows processes of inner pid namespaces with the numbers that they have in them. The programs store these in a map
 * (bpf/lib/record.bpf.h), so that records stay small. */

/* argdump's EXPR for the same value. */
#define INNER_PID_EXPR "inner_pid=$task->signal->pids[1]->numbers[$task->signal->pids[1]->level].nr"

/* Sets the map to read from now on (borrowed). */
void inner_pids_use(int map_fd);
/* Returns the inner number of a process or thread; 0 if it is in our namespace, or unknown. */
uint32_t inner_of(uint32_t pid);
/* Shows them in a schema: replaces its fields by *owned, which the caller frees after the schema's last use. Returns
 * 0 or -ENOMEM. */
int inner_pids_show(struct schema *s, struct field **owned);

#endif
