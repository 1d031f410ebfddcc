/* SPDX-License-Identifier: GPL-2.0 */
/*
 * losses.c - the ledger: sums what the kernel side counted and tells what grew.
 */
#include "core/losses.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/diag.h"

/* What each loss is called, and whether a whole record is gone with it. */
static const struct loss_kind {
	const char *key; /* in JSON */
	const char *text;
	bool gone;
	const char *hint;
} kinds[LOSS_MAX] = {
	[LOSS_RING_FULL] = { "ring_full", "records lost: the ring buffer was full", true,
			     "a larger --buffer, or a narrower filter, loses less" },
	[LOSS_MAP_FULL] = { "map_full", "records lost: too many calls in flight", true, NULL },
	[LOSS_NO_ENTRY] = { "no_entry", "returns of calls that began before the tracing", false,
			    NULL },
	[LOSS_FAULT] = { "fault", "values that could not be read", false, NULL },
	[LOSS_CUT] = { "cut", "values cut to fit", false, NULL },
	[LOSS_RECURSION] = { "recursion", "events missed: the probe was already running on that CPU",
			     true, NULL },
	[LOSS_MISSED] = { "missed", "events missed by the kernel's own probes", true, NULL },
	[LOSS_KEYS_FULL] = { "keys_full", "calls not counted: no room for more keys", true,
			     "a larger --keys, or fewer expressions in --by, loses none" },
	[LOSS_OUTPUT] = { "output", "records lost: the output could not be written", true, NULL },
};

int losses_read(struct losses *l)
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t *values;
	int err = 0;

	memcpy(l->now, l->local, sizeof(l->now));
	if (l->map_fd < 0)
		return 0;
	if (cpus < 0)
		return cpus;
	values = calloc(cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < LOSS_MAX && !err; i++) {
		err = bpf_map_lookup_elem(l->map_fd, &i, values);
		for (int cpu = 0; cpu < cpus && !err; cpu++)
			l->now[i] += values[cpu];
	}
	free(values);
	return err;
}

void losses_add_program(struct losses *l, int prog_fd)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (prog_fd >= 0 && !bpf_obj_get_info_by_fd(prog_fd, &info, &len))
		l->local[LOSS_RECURSION] += info.recursion_misses;
}

/* Of struct bpf_link_info; the build's headers may end earlier. */
struct link_info {
	__u32 type, id, prog_id, pad;
	union {
		struct {
			__u64 addrs;
			__u32 count, flags;
			__u64 missed;
		} multi;
		struct {
			__u32 type, pad;
			__u64 name;
			__u32 name_len, offset;
			__u64 address, missed;
		} event;
	};
	__u8 rest[72];
};
/* ABI */
enum { LINK_TYPE_PERF_EVENT = 7, LINK_TYPE_KPROBE_MULTI = 8, EVENT_KPROBE = 3, EVENT_KRETPROBE = 4 };

/* What the probe behind a link missed; NULL: the kernel does not count it. */
static const __u64 *missed_find(int link_fd, struct link_info *info)
{
	__u32 len = sizeof(*info);

	if (bpf_obj_get_info_by_fd(link_fd, info, &len))
		return NULL;
	if (info->type == LINK_TYPE_KPROBE_MULTI)
		return &info->multi.missed;
	if (info->type == LINK_TYPE_PERF_EVENT &&
	    (info->event.type == EVENT_KPROBE || info->event.type == EVENT_KRETPROBE))
		return &info->event.missed;
	return NULL;
}

void losses_add_link(struct losses *l, int link_fd)
{
	struct link_info info = { 0 };
	const __u64 *missed = missed_find(link_fd, &info);

	if (missed)
		l->local[LOSS_MISSED] += *missed;
}

bool losses_link_counts(int link_fd)
{
	struct link_info info = { 0 };

	return missed_find(link_fd, &info) != NULL;
}

uint64_t losses_gone(const struct losses *l)
{
	uint64_t sum = 0;

	for (int i = 0; i < LOSS_MAX; i++)
		if (kinds[i].gone)
			sum += l->now[i];
	return sum;
}

static void tell_json(const struct losses *l, struct out *o, uint64_t rows, bool final)
{
	out_str(o, "{\"type\":\"lost\",\"final\":");
	out_str(o, final ? "true" : "false");
	out_str(o, ",\"records\":");
	out_uint(o, rows);
	out_str(o, ",\"lost\":");
	out_uint(o, losses_gone(l));
	for (int i = 0; i < LOSS_MAX; i++) {
		if (!l->now[i])
			continue;
		out_str(o, ",\"");
		out_str(o, kinds[i].key);
		out_str(o, "\":");
		out_uint(o, l->now[i]);
	}
	out_str(o, "}\n");
}

static void tell_text(const struct losses *l, bool final)
{
	for (int i = 0; i < LOSS_MAX; i++) {
		if (!l->now[i] || (!final && l->now[i] == l->told[i]))
			continue;
		if (kinds[i].gone)
			diag_warn("%llu %s", (unsigned long long)l->now[i], kinds[i].text);
		else
			diag_note("%llu %s", (unsigned long long)l->now[i], kinds[i].text);
		if (final && kinds[i].hint)
			diag_hint("%s", kinds[i].hint);
	}
}

void losses_tell(struct losses *l, struct out *json, uint64_t rows, bool final)
{
	bool grew = memcmp(l->now, l->told, sizeof(l->now)) != 0;
	bool any = false;

	for (int i = 0; i < LOSS_MAX; i++)
		any |= l->now[i] != 0;
	if (json && (grew || (final && any)))
		tell_json(l, json, rows, final);
	if (grew || final)
		tell_text(l, final);
	memcpy(l->told, l->now, sizeof(l->told));
}
