/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ended_calls.c - calls of user functions (-r) whose threads have ended before the return: exit(3)
 * within main, a signal that kills.
 *
 * What is kept of such a call would stay for ever, because the next thread with that number has
 * its stack elsewhere: a few thousand, and there is no room for others. So its key is deleted here, and
 * counted. Inside a pid namespace the kernel's numbers, of which the key is one, cannot be asked for: there
 * the calls stay.
 */
#include "probe/ended_calls.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOK_CALLS = 1024 }; /* at one look, which must not take long */

int ended_calls_watch(struct argdump_probe *p)
{
	size_t count, own = 0;
	const struct expr_map *maps = expr_maps(p->expr, &count);

	for (size_t i = 0; p->input.in_user && i < count; i++) {
		if (maps[i].kind == EXPR_MAP_CALLS)
			return fdset_add(&p->calls,
					 fcntl(p->image.maps.fds[own], F_DUPFD_CLOEXEC, 0));
		own += expr_map_is_own(maps[i].kind);
	}
	return 0;
}

static bool has_ended(const struct call_key *key)
{
	return syscall(SYS_tgkill, key->tgid, key->tid, 0) && errno == ESRCH;
}

/* The next `most` calls after p->last_call. */
static void calls_look(struct session *s, struct argdump_probe *p, unsigned most)
{
	struct call_key at = p->last_call, next;
	int fd = p->calls.count && !s->pidns.inside ? p->calls.fds[0] : -1;
	bool more = fd >= 0 && !bpf_map_get_next_key(fd, &at, &next);

	for (; more && most; most--) {
		at = next; /* its successor is known only while it is there */
		more = !bpf_map_get_next_key(fd, &at, &next);
		if (has_ended(&at) && !bpf_map_delete_elem(fd, &at))
			s->losses.local[LOSS_NO_RETURN]++;
	}
	p->last_call = more ? at : (struct call_key){ 0 };
}

void ended_calls_look(struct session *s)
{
	struct argdump *a = s->private;

	for (size_t i = 0; i < a->probe_count; i++)
		calls_look(s, &a->probes[i], LOOK_CALLS);
}

void ended_calls_count(struct session *s, struct argdump_probe *p)
{
	p->last_call = (struct call_key){ 0 };
	calls_look(s, p, UINT32_MAX);
}
