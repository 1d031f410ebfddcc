/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.bpf.h - the life of a disk request, from the place where it is first seen (when it is made
 * or, where the kernel does not show that, when it enters a queue or goes to the driver) until it
 * completes: programs for all its tracepoints.
 *
 * It is attributed to the task that runs where it is first seen, because any other task may handle
 * it later: a kworker, one that happens to run the queue, one that the disk interrupted. So where the
 * making is not shown, requests that the filter rejects are remembered, too, while they wait: the
 * task that passes them to the driver may be a traced one.
 *
 * The making is shown by the kernel's accounting (blk_account_io_start), which sets rq->part. A request
 * that has it and no entry was rejected.
 *
 * An end without an entry is not a loss. The request was rejected, or began before the tracing, or
 * it is the second end of a write that was made durable (block/blk-flush.c ends it once for its
 * data, and once more for its caller). The kernel itself counts the events for which it did not run
 * these programs.
 *
 * Where programs are preempted, the kernel leaves one out on a processor where the same one is preempted. So there each
 * tracepoint has several copies of its program (request_copies), of which a preempted task holds only one: the first that
 * runs sees the event, and the others see that it was seen (request_again). Only what none of them has seen is lost.
 *
 * A file that includes this defines before it struct request_data, the data kept for a request, and
 * after it the functions declared below.
 */
#ifndef CORETAP_LIB_REQUEST_BPF_H
#define CORETAP_LIB_REQUEST_BPF_H

#include "lib/places.bpf.h"

struct request_call {
	__u64 seen;   /* ns */
	__u64 issued; /* ns; 0: still waiting */
	__u8 wanted;
	__u8 waited; /* has been in a queue */
	__u8 made;   /* was seen when it was created */
	__u8 pad;
	__s32 error;	/* negative errno of its first part that failed */
	__u32 requeues; /* how often the driver returned it */
	__u32 event;	/* enum request_seen: the last event seen */
	__u64 tid;	/* of the task in which that happened */
	__u64 life;	/* see request_life */
	struct request_data data;
};

/* By the request's address, which is unique until it completes. */
PLACES(requests, struct request_call, 14)

/* True if any request was seen when it was created. */
bool requests_made = false;

/* True if each tracepoint has copies of its program. */
const volatile bool request_copies = false;

/* Defined by the applet; called for the task that creates the request. Returns true if the request is wanted. */
static __always_inline bool request_asked(struct request_data *data, struct request *rq);
/* Defined by the applet; called when the request goes to the driver, or failed before that. Returns true if it is
 * still wanted. */
static __always_inline bool request_issued(struct request_data *data, struct request *rq);
/* Defined by the applet; called when the request completes. Then the entry is deleted. */
static __always_inline void request_done(struct request_call *c, struct request *rq);

/* Pointers are followed by typed loads, because lockdown=confidentiality forbids reading memory by a helper. If a
 * pointer is NULL, the kernel makes such a load return 0; but before Linux 6.4 (0108a4e9f358) it may crash if the
 * program has other functions, and all programs have the filter's. So a pointer that may be NULL is tested. */
static __always_inline struct gendisk *request_disk(struct request *rq)
{
	struct request___5 *old = (void *)rq;

	return bpf_core_field_exists(old->rq_disk) ? old->rq_disk : rq->q->disk;
}

/* Returns the number of its partition on the disk; 0: none. */
static __always_inline __u32 request_part(struct request *rq)
{
	struct request___5 *old = (void *)rq;
	struct block_device *part = ((struct request___6 *)rq)->part;

	if (bpf_core_field_exists(struct hd_struct, partno))
		return old->part ? old->part->partno : 0;
	if (!part)
		return 0;
	return bpf_core_field_exists(part->__bd_flags) ? part->__bd_flags.counter & 0xff :
							 part->bd_partno;
}

/* Copies the name of its disk, 32 bytes; empty for a device that is no disk. The name is aligned to only 4 bytes, and
 * some processors' verifiers insist on alignment. */
static __always_inline void request_disk_name(struct request *rq, char *to)
{
	struct gendisk *disk = request_disk(rq);
	const __u32 *name;

	if (!disk)
		return;
	name = (const void *)disk->disk_name;
	for (int i = 0; i < 8; i++)
		((__u32 *)to)[i] = name[i];
}

/* ---- from the queue to the driver ---- */

/* True if it was rejected when it was created. */
static __always_inline bool request_rejected(struct request *rq)
{
	return requests_made && ((struct request___6 *)rq)->part;
}

enum request_seen { SEEN_MADE, SEEN_INSERTED, SEEN_ISSUED, SEEN_REQUEUED };

/* Returns when the request was allocated, because its address is reused. 0 if the disk keeps no statistics. */
static __always_inline __u64 request_life(struct request *rq)
{
	return rq->start_time_ns;
}

/* True if another copy of the program has seen this event: between two events of one kind there is one of another. */
static __always_inline bool request_again(const struct request_call *c, struct request *rq,
					  const enum request_seen event)
{
	return request_copies && c && c->event == event &&
	       c->tid == (__u32)bpf_get_current_pid_tgid() && c->life == request_life(rq);
}

static __always_inline void request_seen(struct request_call *c, struct request *rq,
					 const enum request_seen event)
{
	if (!request_copies)
		return;
	c->event = event;
	c->tid = (__u32)bpf_get_current_pid_tgid();
	c->life = request_life(rq);
}

/* Called when the request is first seen. An older entry belongs to a request whose end the kernel did not show, and
 * has counted. */
static __always_inline void request_begin(struct request *rq, const enum request_seen seen)
{
	struct request_call *c = requests_claim(rq);

	if (!c)
		return;
	__builtin_memset(&c->data, 0, sizeof(c->data));
	request_seen(c, rq, seen);
	c->seen = bpf_ktime_get_ns();
	c->error = 0;
	c->made = seen == SEEN_MADE;
	c->issued = seen == SEEN_ISSUED ? c->seen : 0;
	c->waited = seen != SEEN_ISSUED;
	c->requeues = seen == SEEN_REQUEUED;
	c->wanted = (seen != SEEN_REQUEUED || rq->state == MQ_RQ_IDLE) &&
		    request_asked(&c->data, rq);
	if (seen == SEEN_ISSUED && c->wanted)
		c->wanted = request_issued(&c->data, rq);
	if (!c->wanted && (seen == SEEN_MADE || seen == SEEN_ISSUED))
		requests_drop(c);
}

static __always_inline int on_made(struct request *rq)
{
	if (!requests_made)
		requests_made = true;
	if (!request_copies || !request_again(requests_find(rq), rq, SEEN_MADE))
		request_begin(rq, SEEN_MADE);
	return 0;
}

/* Any task may requeue a request after the driver returned it. */
static __always_inline int on_insert(struct request *rq)
{
	struct request_call *c = requests_find(rq);

	if (c && !c->issued && (c->requeues || c->made)) {
		request_seen(c, rq, SEEN_INSERTED);
		return 0;
	}
	if (request_again(c, rq, SEEN_INSERTED))
		return 0;
	if (c || !request_rejected(rq))
		request_begin(rq, SEEN_INSERTED);
	return 0;
}

static __always_inline int on_issue(struct request *rq)
{
	struct request_call *c = requests_find(rq);

	if (request_again(c, rq, SEEN_ISSUED))
		return 0;
	if (!c || c->issued) {
		if (c || !request_rejected(rq))
			request_begin(rq, SEEN_ISSUED);
		return 0;
	}
	c->issued = bpf_ktime_get_ns();
	request_seen(c, rq, SEEN_ISSUED);
	if (!c->wanted || !request_issued(&c->data, rq))
		requests_drop(c);
	return 0;
}

/* The driver returns the request, perhaps before starting it. The current task may be any, unless the request is
 * first seen here. */
static __always_inline int on_requeue(struct request *rq)
{
	struct request_call *c = requests_find(rq);

	if (request_again(c, rq, SEEN_REQUEUED))
		return 0;
	if (!c) {
		if (!request_rejected(rq))
			request_begin(rq, SEEN_REQUEUED);
		return 0;
	}
	request_seen(c, rq, SEEN_REQUEUED);
	c->issued = 0;
	c->waited = true;
	c->requeues++;
	return 0;
}

/* The request was merged into another one, and is freed. */
static __always_inline int on_merge(struct request *rq)
{
	struct request_call *c = requests_find(rq);

	if (c)
		requests_drop(c);
	return 0;
}

/* ---- completion ---- */

/* Errors by blk_status_t, for values that are the same in all kernels: blk_errors[] in block/blk-core.c. Before 5.17,
 * the argument is an errno instead. */
static const __s8 errors[] = {
	[1] = -95,  /* NOTSUPP: EOPNOTSUPP */
	[2] = -110, /* TIMEOUT: ETIMEDOUT */
	[3] = -28,  /* NOSPC: ENOSPC */
	[4] = -67,  /* TRANSPORT: ENOLINK */
	[5] = -121, /* TARGET: EREMOTEIO */
	[6] = -52,  /* RESV_CONFLICT: EBADE */
	[7] = -61,  /* MEDIUM: ENODATA */
	[8] = -84,  /* PROTECTION: EILSEQ */
	[9] = -12,  /* RESOURCE: ENOMEM */
	[10] = -5,  /* IOERR: EIO */
	[11] = -78, /* DM_REQUEUE: EREMCHG */
	[12] = -11, /* AGAIN: EAGAIN */
	[13] = -16, /* DEV_RESOURCE: EBUSY */
};

static __always_inline int error_number(int error)
{
	if (error <= 0)
		return error;
	return (__u32)error < sizeof(errors) ? errors[error] : -5;
}

/* A driver may complete a request in parts. One that never reached the driver is reported only if it failed:
 * otherwise it is a flush of the disk's cache, which becomes a separate request. */
static __always_inline int on_complete_by(struct request *rq, int error, __u32 bytes,
					  void (*done)(struct request_call *c, struct request *rq))
{
	struct request_call *c = requests_find(rq);

	if (!c)
		return 0;
	if (error && !c->error)
		c->error = error_number(error);
	if (bytes < rq->__data_len)
		return 0;
	if (c->wanted && !c->issued && c->error)
		c->wanted = request_issued(&c->data, rq);
	if (c->wanted && (c->issued || c->error))
		done(c, rq);
	requests_drop(c);
	return 0;
}

/* ---- tracepoints; before 5.10.136 most of them also have the queue as an argument ---- */

#define REQUEST_PROGRAM(program, name)                                                             \
	SEC("tp_btf")                                                                              \
	int BPF_PROG(program, struct request *rq)                                                  \
	{                                                                                          \
		return on_##name(rq);                                                              \
	}

#define REQUEST_COPIES(name)                                                                       \
	REQUEST_PROGRAM(request_##name, name)                                                      \
	REQUEST_PROGRAM(request_##name##_2, name)                                                  \
	REQUEST_PROGRAM(request_##name##_3, name)

#define REQUEST_PROGRAMS(name)                                                                     \
	REQUEST_COPIES(name)                                                                       \
	SEC("tp_btf")                                                                              \
	int BPF_PROG(request_##name##_queue, struct request_queue *q, struct request *rq)          \
	{                                                                                          \
		return on_##name(rq);                                                              \
	}

REQUEST_COPIES(made)

/* For kernels without a tracepoint for it. */
SEC("fentry")
int BPF_PROG(request_made_fentry, struct request *rq)
{
	return on_made(rq);
}

REQUEST_PROGRAMS(insert)
REQUEST_PROGRAMS(issue)
REQUEST_PROGRAMS(requeue)
REQUEST_PROGRAMS(merge)

#define REQUEST_END(program, done)                                                                 \
	SEC("tp_btf")                                                                              \
	int BPF_PROG(program, struct request *rq, int error, unsigned int bytes)                   \
	{                                                                                          \
		return on_complete_by(rq, error, bytes, done);                                     \
	}

/* A request whose first end was seen by one of them has no entry for the others. */
#define REQUEST_ENDS(name, done)                                                                   \
	REQUEST_END(name, done)                                                                    \
	REQUEST_END(name##_2, done)                                                                \
	REQUEST_END(name##_3, done)

REQUEST_ENDS(request_complete, request_done)

#endif
