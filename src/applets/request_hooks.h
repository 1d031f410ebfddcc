/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request_hooks.h - the hooks of an applet that follows disk requests: the programs of
 * bpf/lib/request.bpf.h.
 */
#ifndef CORETAP_APPLETS_REQUEST_HOOKS_H
#define CORETAP_APPLETS_REQUEST_HOOKS_H

#include "attach/plan.h"

/* clang-format off */
/* A tracepoint, and its form up to 5.10.136, which passes the queue before the request. */
#define REQUEST_HOOK(name_, tracepoint_, bpf_)                                                     \
	{ .name = name_,                                                                           \
	  .functions = tracepoint_,                                                                \
	  BY(TRACEPOINT) = bpf_,                                                                   \
	  .params = 1,                                                                             \
	  .or_next = true },                                                                       \
	{ .name = name_, .functions = tracepoint_, BY(TRACEPOINT) = bpf_ "_queue", .params = 2 }

/* Copies of a tracepoint's program, for kernels that preempt programs. */
#define REQUEST_COPY(when_, name_, tracepoint_, bpf_, number_, params_)                            \
	{ .name = name_,                                                                           \
	  .functions = tracepoint_,                                                                \
	  BY(TRACEPOINT) = bpf_ number_,                                                           \
	  .copy_of = bpf_,                                                                         \
	  .params = params_,                                                                       \
	  .optional = true,                                                                        \
	  .only_if = when_ }
#define REQUEST_COPIES(when_, name_, tracepoint_, bpf_, params_)                                   \
	REQUEST_COPY(when_, name_, tracepoint_, bpf_, "_2", params_),                              \
	REQUEST_COPY(when_, name_, tracepoint_, bpf_, "_3", params_)
/* `done_` tells whether request_complete is the program for the end. */
#define REQUEST_ALL_COPIES(done_)                                                                  \
	REQUEST_COPIES(done_, "request, done", "block_rq_complete", "request_complete", 3),        \
	REQUEST_COPIES(&request_copies, "request, merged into another", "block_rq_merge",          \
		       "request_merge", 1),                                                        \
	REQUEST_COPIES(&request_copies, "request, given back", "block_rq_requeue",                 \
		       "request_requeue", 1),                                                      \
	REQUEST_COPIES(&request_copies, "request, to the driver", "block_rq_issue",                \
		       "request_issue", 1),                                                        \
	REQUEST_COPIES(&request_copies, "request, into a queue", "block_rq_insert",                \
		       "request_insert", 1),                                                       \
	REQUEST_COPIES(&request_copies, "request, made", "block_io_start", "request_made", 1)

/* `complete_` is the program for the end. The creation of a request is visible from 6.5 on, and on kernels that did
 * not inline its function; elsewhere a request begins in its queue or at the driver. */
#define REQUEST_HOOKS(complete_)                                                                   \
	{ .name = "request, done",                                                                 \
	  .functions = "block_rq_complete",                                                        \
	  BY(TRACEPOINT) = complete_,                                                              \
	  .params = 3 },                                                                           \
	REQUEST_HOOK("request, merged into another", "block_rq_merge", "request_merge"),           \
	REQUEST_HOOK("request, given back", "block_rq_requeue", "request_requeue"),                \
	REQUEST_HOOK("request, to the driver", "block_rq_issue", "request_issue"),                 \
	REQUEST_HOOK("request, into a queue", "block_rq_insert", "request_insert"),                \
	{ .name = "request, made",                                                                 \
	  .functions = "block_io_start",                                                           \
	  BY(TRACEPOINT) = "request_made",                                                         \
	  .params = 1,                                                                             \
	  .or_next = true },                                                                       \
	{ .name = "request, made",                                                                 \
	  .functions = "__blk_account_io_start blk_account_io_start",                              \
	  BY(FENTRY) = "request_made_fentry",                                                      \
	  .methods = 1u << ATTACH_FENTRY,                                                          \
	  .params = 1,                                                                             \
	  .optional = true }
/* clang-format on */

extern const struct hook request_hooks[];
/* True if the programs need copies because this kernel preempts programs; set before the hooks are used. */
extern bool request_copies;

#endif
