/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biosnoop.bpf.c - every disk request when it completes, with the task that made it.
 */
#include "lib/record.bpf.h"
#include "biosnoop.h"

struct request_data {
	struct biosnoop_event e;
};

#include "lib/request.bpf.h"

static __always_inline void request_asked(struct request_data *data)
{
	header_fill(&data->e.header);
	task_fill(&data->e.task);
}

static __always_inline void request_issued(struct request_data *data, struct request *rq)
{
	request_disk_name(rq, data->e.disk);
	data->e.sector = rq->__sector;
	data->e.bytes = rq->__data_len;
	data->e.flags = rq->cmd_flags;
}

static __always_inline void request_done(struct request_call *c, struct request *rq)
{
	struct biosnoop_event *e = &c->data.e;
	__u64 now = bpf_ktime_get_ns();

	if (filter.failed_only && !c->error)
		return;
	e->header.ts = now;
	e->queued = c->waited && c->issued ? c->issued - c->seen : BIOSNOOP_NO_TIME;
	e->latency = c->issued ? now - c->issued : BIOSNOOP_NO_TIME;
	e->ret = c->error;
	e->requeues = c->requeues;
	record_output(e, sizeof(*e));
}

char LICENSE[] SEC("license") = "GPL";
