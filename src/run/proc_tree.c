/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proc_tree.c - the traced process tree: a set that BPF programs maintain. They are in an object of their own, apart
 * from those that trace.
 */
#include "run/traced.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "attach/skeleton.h"
#include "kernel/preempt.h"
#include "run/lost.h"
#include "follow.skel.h"

struct proc_tree {
	struct skeleton skeleton;
	int followed_fd; /* not owned */
	struct event_ids pids;
};

static bool twice; /* two programs see each fork */

enum { HOOK_FORK, HOOK_FORK_TOO, HOOK_END };

/* clang-format off */
static const struct hook hooks[] = {
	[HOOK_FORK] = { .name = "fork", .functions = "sched_process_fork",
		BY(TRACEPOINT) = "follow_fork" },
	[HOOK_FORK_TOO] = { .name = "fork, seen twice", .functions = "wake_up_new_task",
		BY(FENTRY) = "follow_wake_fentry", BY(KPROBE) = "follow_wake_kprobe",
		.only_if = &twice },
	[HOOK_END] = { .name = "end", .functions = "release_task", BY(FENTRY) = "follow_end_fentry",
		BY(KPROBE) = "follow_end_kprobe" },
	{ 0 },
};
/* clang-format on */

/* The program of a kprobe is not preempted, but cannot be loaded under lockdown=confidentiality. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE, ATTACH_ANY, ATTACH_END };

static int follow_open(struct skeleton *sk, const void *param)
{
	struct follow_bpf *skel = SKELETON_OPEN(sk, follow);

	(void)param;
	if (!skel)
		return -errno;
	skel->rodata->twice = twice;
	return 0;
}

static const struct skeleton_source source = {
	.hooks = hooks,
	.order_preempted = order_preempted,
	.open = follow_open,
};

static int set_load(struct proc_tree *f, int lost_fd, const char *btf, struct btf_view **types)
{
	static const struct event_filter none;
	const struct skeleton_config config = {
		.btf = btf,
		.types = types,
		.filter = &none,
		.family = true,
		.shared = { .ring = -1,
			    .losses = lost_fd,
			    .followed = f->followed_fd,
			    .cgroups = -1 },
	};

	twice = preempt_possible();
	return skeleton_load(&f->skeleton, &source, &config, skeleton_order(&source, twice));
}

void proc_tree_expect(struct btf_view *types)
{
	const struct skeleton_config config = { 0 };

	skeleton_expect(&source, &config, types);
}

int proc_tree_fill(const struct event_ids *pids, int followed_fd)
{
	uint8_t one = 1;
	int err = 0;

	for (uint32_t i = 0; i < pids->count && !err; i++)
		err = bpf_map_update_elem(followed_fd, &pids->ids[i], &one, BPF_ANY) ? -errno : 0;
	return err;
}

int proc_tree_open(struct proc_tree **out, const struct event_ids *pids, int followed_fd,
		   int lost_fd, const char *btf, struct btf_view **types)
{
	struct proc_tree *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->pids = *pids;
	f->followed_fd = followed_fd;
	err = set_load(f, lost_fd, btf, types);
	/* not earlier: by now a command's process exists, and forking it is not part of the command's work */
	err = err ?: proc_tree_fill(pids, followed_fd);
	if (err) {
		proc_tree_close(f);
		return err;
	}
	*out = f;
	return 0;
}

static uint64_t hook_missed(const struct hook_plan *hp, const struct bpf_object *object)
{
	const struct bpf_program *prog = attach_plan_program(hp, object);

	return lost_of_program(bpf_program__fd(prog)) + lost_of_link(hp->link_fd);
}

/*
 * Only forks that both hooks missed are lost: at most the smaller of the two counts. A missed exit is no loss,
 * because a child that gets the same pid is checked at its fork; until then the old entry occupies a slot of the map.
 */
void proc_tree_account(const struct proc_tree *f, struct lost *l)
{
	const struct hook_plan *hooks_planned = f->skeleton.plan.hooks;
	uint64_t missed = UINT64_MAX;

	for (int i = HOOK_FORK; i <= HOOK_FORK_TOO; i++) {
		const struct hook_plan *hp = &hooks_planned[i];
		uint64_t n = hp->link_fd < 0 ? UINT64_MAX : hook_missed(hp, f->skeleton.object);

		missed = n < missed ? n : missed;
	}
	l->local[LOSS_PROCESS] += missed;
}

/* Zombies count as ended: a parent that never waits keeps them in the map. */
bool proc_tree_ended(struct proc_tree *f)
{
	uint32_t next;

	for (uint32_t i = 0; i < f->pids.count; i++)
		bpf_map_delete_elem(f->followed_fd, &f->pids.ids[i]);
	return bpf_map_get_next_key(f->followed_fd, NULL, &next) != 0;
}

void proc_tree_close(struct proc_tree *f)
{
	skeleton_free(&f->skeleton);
	free(f);
}
