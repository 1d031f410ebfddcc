/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost_calls.c - counts calls that a probe does not record: those that its programs miss, and those whose threads end
 * before the return.
 */
#include "probe/lost_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <sys/syscall.h>

/*
 * Calls of user functions (-r) whose threads ended before the return: exit(3) within main, a fatal signal.
 *
 * The map entry of such a call would stay forever, because the next thread with that number has its stack elsewhere;
 * after a few thousand the map would be full. So its key is deleted here, and counted. Inside a pid namespace the
 * kernel's thread numbers, which are part of the key, cannot be checked: there the entries stay.
 */

enum { LOOK_CALLS = 1024 }; /* checks per poll, which must not take long */

int ended_calls_watch(struct argdump_probe *p)
{
	size_t count, own = 0;
	const struct expr_map *maps = expr_maps(p->expr, &count);

	for (size_t i = 0; p->input.site.in_user && i < count; i++) {
		if (maps[i].kind == EXPR_MAP_CALLS)
			return fdset_add(&p->calls.map,
					 fcntl(p->attempt.image.maps.fds[own], F_DUPFD_CLOEXEC, 0));
		own += expr_map_is_own(maps[i].kind);
	}
	return 0;
}

static bool has_ended(const struct call_key *key)
{
	return syscall(SYS_tgkill, key->tgid, key->tid, 0) && errno == ESRCH;
}

/* Checks the next `most` calls after p->last_call. */
static void calls_check(struct session *s, struct argdump_probe *p, unsigned most)
{
	struct call_key at = p->calls.last, next;
	int fd = p->calls.map.count && !s->traced.pidns.inside ? p->calls.map.fds[0] : -1;
	bool more = fd >= 0 && !bpf_map_get_next_key(fd, &at, &next);

	for (; more && most; most--) {
		at = next; /* the successor can only be found before the entry is deleted */
		more = !bpf_map_get_next_key(fd, &at, &next);
		if (has_ended(&at) && !bpf_map_delete_elem(fd, &at))
			s->losses.local[LOSS_NO_RETURN]++;
	}
	p->calls.last = more ? at : (struct call_key){ 0 };
}

void ended_calls_poll(struct session *s)
{
	struct argdump *a = s->private;

	for (size_t i = 0; i < a->probe_count; i++)
		calls_check(s, &a->probes[i], LOOK_CALLS);
}

void ended_calls_count(struct session *s, struct argdump_probe *p)
{
	p->calls.last = (struct call_key){ 0 };
	calls_check(s, p, UINT32_MAX);
}

/* ---- misses ---- */

void argdump_links_account(struct lost *l, const struct argdump_probe *p)
{
	bool is_kprobe = p->variant && p->variant->method == ATTACH_KPROBE;

	for (size_t i = 0; i < p->fds.links.count; i++)
		lost_add_link(l, p->fds.links.fds[i], is_kprobe);
}

static bool sees_both_sides(const struct argdump_probe *p)
{
	return p->kind->scope == EXPR_SCOPE_CALL && !argdump_is_return_alone(p);
}

/* Programs alternate between return and entry of calls. A call is lost if its return was missed, or if its return was
 * seen but found no entry. */
static void pairs_account(struct lost *l, const struct argdump_probe *p)
{
	bool counted = expr_counts_no_entry(p->expr);

	for (size_t i = 0; i + 1 < p->fds.programs.count; i += 2) {
		uint64_t entries = lost_of_program(p->fds.programs.fds[i + 1]);

		lost_add_program(l, p->fds.programs.fds[i]);
		if (counted)
			l->entries_missed += entries;
		else
			l->local[LOSS_RECURSION] += entries;
		l->twice |= !counted && entries;
	}
}

void argdump_lost_account(struct lost *l, const struct argdump_probe *p)
{
	uint64_t before = l->local[LOSS_RECURSION];

	if (sees_both_sides(p) && p->variant && !attach_has(p->variant->method, ATTACH_SESSION)) {
		pairs_account(l, p);
		return;
	}
	for (size_t i = 0; i < p->fds.programs.count; i++)
		lost_add_program(l, p->fds.programs.fds[i]);
	/* a kprobe does not see the return of a call whose entry it missed; a trampoline may miss both sides, and
	 * counts both */
	if (sees_both_sides(p) && p->variant && !attach_has(p->variant->method, ATTACH_FPROBE))
		l->session |= l->local[LOSS_RECURSION] > before;
	l->twice |= l->session;
}
