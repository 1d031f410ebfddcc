/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.h - the attach order: from the events that an applet wants to see to attached programs.
 *
 * An applet's hook names the kernel functions that may carry the event (names change between kernels) and the BPF
 * program for each attach method. The attach order chooses the first attach method that works, or tells why none
 * does. This file knows nothing about records.
 */
#ifndef CORETAP_ATTACH_PLAN_H
#define CORETAP_ATTACH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attach/method.h"
#include "btf/btf.h"
#include "util/buf.h"

struct bpf_object;
struct bpf_program;
struct btf_lookup;

/* An event that an applet wants to see, and the functions that may show it. */
struct hook {
	const char *name; /* for --dry-run and doctor: "open, entry" */
	/* alternatives, separated by blanks: the first that exists is used; or a tracepoint */
	const char *functions;
	/* the program for each attach method, or NULL; with one for ATTACH_TRACEPOINT, `functions` names a
	 * tracepoint */
	const char *program[ATTACH_END];
	bool is_return;
	const char *event; /* for ATTACH_EVENT: "GROUP/NAME" in tracefs' events/ */
	/* bit 1 << method for each attach method that needs the hook; 0: all */
	unsigned methods;
	/* fentry does not need the hook if the kernel has this field: "struct.member" */
	const char *unless_field;
	/* a function that every kernel has with what leads to the hook, but not others: without it nothing is missed */
	const char *feature;
	bool unless_session; /* kprobe.session does not need it: another hook has both ends */
	/* The hook whose program this one copies at the same place: it sees events for which the kernel did not run
	 * the other one because that was already running on the CPU. Only events that both missed are lost. NULL:
	 * none. */
	const char *copy_of;
	bool if_missed; /* needed only if the method may miss returns */
	/* required number of parameters of the target; 0: any */
	unsigned params;
	/* the next hook is an alternative, needed only if this one is not possible */
	bool or_next;
	bool optional;	     /* the applet works without the hook */
	const char *without; /* what the applet does not see without it */
	const bool *unless;  /* attached only if *unless is false (NULL: always) */
	const bool *only_if; /* attached only if *only_if is true (NULL: always) */
};

/* Sets a hook's program in its initialiser: BY(FENTRY) = "…" */
#define BY(method) .program[ATTACH_##method]

/* What was decided for a hook. */
struct hook_plan {
	const struct hook *hook;
	char function[64];	      /* "" if none of the alternatives exists */
	enum attach_method_id method; /* ATTACH_ANY: skipped */
	const char *why;	      /* the reason, if skipped */
	bool needed;	 /* false: skipped because it was not requested, or others suffice */
	uint32_t btf_id; /* for fentry and tp_btf: the target in the kernel's types */
	int link_fd;	 /* owned once attached; -1: not attached */
};

struct attach_plan {
	struct hook_plan *hooks; /* owned */
	size_t count;
	enum attach_method_id method;
	/* kprobe.multi sees the returns of any number of calls in flight: from 6.14 on, when fprobes moved from
	 * rethook's pool, which kretprobes still use, to the function graph's stack in each task */
	bool multi_unlimited;
	bool has_session; /* the kernel has kprobe.session */
	bool by_symbol;	  /* a function was found only among symbols */
	int refused;	  /* -errno of an optional hook that could not be attached; 0: none */
	/* the function of the required hook that could not be attached; NULL: none */
	const char *failed;
};

/* Decides for every hook from BTF, and from the running kernel's symbols if that lacks a function; needs no
 * privileges. Returns 0; -ENOENT if a hook that is not optional has no function in this kernel (attach_plan_print
 * reports it); -EOPNOTSUPP if only another method can use it. */
int attach_plan_build(struct attach_plan *p, const struct hook *hooks, const struct btf_view *btf,
		      enum attach_method_id method);
/* The same in two steps, for callers that look up other names in the same pass. */
void attach_plan_want(const struct hook *hooks, struct btf_lookup *w);
int attach_plan_decide(struct attach_plan *p, const struct hook *hooks, const struct btf_view *btf,
		       const struct btf_lookup *w, enum attach_method_id method);
/* True if its attach method would miss returns here that another method sees. */
bool attach_plan_misses(const struct attach_plan *p);
void attach_plan_print(const struct attach_plan *p, struct buf *o);
void attach_plan_free(struct attach_plan *p);

/* ---- plan_load.c: applies a plan to the programs of a skeleton ---- */

/* Call before an object is opened: its programs for fentry, fexit and tp_btf (bare section names) get their targets
 * from `p`, which must not move. Returns 0 or -errno. */
int attach_plan_handle(struct attach_plan *p);
/* Call before load: enables autoload only for the chosen programs. */
int attach_plan_apply(const struct attach_plan *p, struct bpf_object *object);
/* Returns the program that the plan selected for a hook. */
const struct bpf_program *attach_plan_program(const struct hook_plan *hp,
					      const struct bpf_object *object);
/* Call after load. Returns 0, or -errno with everything detached again. */
int attach_plan_attach(struct attach_plan *p, struct bpf_object *object);
void attach_plan_detach(struct attach_plan *p);

#endif
