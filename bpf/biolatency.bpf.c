/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biolatency.bpf.c - how long disk requests take, as histograms.
 */
#include "lib/hist.bpf.h"
#include "lib/disks.bpf.h"
#include "biolatency.h"

/* --disk, --flags, --queued */
const volatile bool by_disk = false, by_flags = false, with_queue = false;
const volatile __u64 unit = 1000; /* ns per unit */

HIST(latencies, struct biolatency_key, BIOLATENCY_KEYS);

struct request_data {
};

#include "lib/request.bpf.h"

static __always_inline bool request_asked(struct request_data *data, struct request *rq)
{
	return filter_pass();
}

static __always_inline bool request_issued(struct request_data *data, struct request *rq)
{
	char disk[32] __attribute__((aligned(8))) = {};

	if (!disk_count)
		return true;
	request_disk_name(rq, disk);
	return disk_pass(disk, request_part(rq));
}

static __always_inline void request_done(struct request_call *c, struct request *rq)
{
	struct biolatency_key key = {};

	if (!c->issued)
		return;
	if (by_disk)
		request_disk_name(rq, key.disk);
	if (by_flags)
		key.flags = rq->cmd_flags & BIOLATENCY_FLAGS;
	hist_add(&latencies, &key,
		 (bpf_ktime_get_ns() - (with_queue ? c->seen : c->issued)) / unit);
}

char LICENSE[] SEC("license") = "GPL";
