/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request_hooks.c - the tracepoints in the life of a disk request. The end is attached first, so
 * that no request is recorded whose end would be missed.
 */
#include "applets/request_hooks.h"

/* A tracepoint, and its form up to 5.10.136, which passes the queue before the request. */
#define REQUEST_HOOK(name_, tracepoint_, bpf_)                                                     \
	{ .name = name_,                                                                           \
	  .functions = tracepoint_,                                                                \
	  BY(TRACEPOINT) = bpf_,                                                                   \
	  .params = 1,                                                                             \
	  .or_next = true },                                                                       \
	{                                                                                          \
		.name = name_, .functions = tracepoint_, BY(TRACEPOINT) = bpf_ "_queue",           \
		.params = 2                                                                        \
	}

const struct hook request_hooks[] = {
	{ .name = "request, done",
	  .functions = "block_rq_complete",
	  BY(TRACEPOINT) = "request_complete",
	  .params = 3 },
	REQUEST_HOOK("request, merged into another", "block_rq_merge", "request_merge"),
	REQUEST_HOOK("request, given back", "block_rq_requeue", "request_requeue"),
	REQUEST_HOOK("request, to the driver", "block_rq_issue", "request_issue"),
	REQUEST_HOOK("request, into a queue", "block_rq_insert", "request_insert"),
	{ 0 },
};
