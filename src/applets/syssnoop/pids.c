/* SPDX-License-Identifier: GPL-2.0-only */
/* pids.c - finds the number here of a process that a thread in another pid namespace names (--decode-pids=pidns). */
#include <bpf/bpf.h>

#include "applets/syssnoop/parts.h"
#include "syssnoop.h"

static int seen_fd = -1; /* struct syssnoop_pids by thread */

void pids_use(int map_fd)
{
	seen_fd = map_fd;
}

/* Returns the number here of one of a thread's own numbers; 0: none of them is `nr`. */
static uint32_t own_number(const struct syssnoop_pids *p, uint32_t nr)
{
	for (unsigned i = 0; i < SYSSNOOP_PIDS; i++)
		if (p->inner[i] == nr)
			return p->outer[i];
	return 0;
}

uint32_t pid_here(uint32_t tid, uint32_t nr)
{
	struct syssnoop_pids own, other;
	uint32_t key, *last = NULL, found;

	if (!nr || seen_fd < 0 || bpf_map_lookup_elem(seen_fd, &tid, &own))
		return 0;
	found = own_number(&own, nr);
	while (!found && !bpf_map_get_next_key(seen_fd, last, &key)) {
		last = &key;
		if (!bpf_map_lookup_elem(seen_fd, &key, &other) && other.ns == own.ns)
			found = own_number(&other, nr);
	}
	return found;
}
