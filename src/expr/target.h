/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the kernel that a program is compiled for: what its BTF, and trying it, tell.
 */
#ifndef CORETAP_EXPR_TARGET_H
#define CORETAP_EXPR_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "btf/btf.h"
#include "kernel/arch.h"

/* The attach method. It decides how the program finds arguments and what it may load directly. */
enum expr_ctx_type {
	EXPR_CTX_FENTRY, /* ctx is u64 args[]; typed pointers */
	EXPR_CTX_KPROBE, /* ctx is struct pt_regs: perf kprobe or kprobe.multi */
	/* ctx is the event's record, as its format file in tracefs describes it */
	EXPR_CTX_EVENT,
	/* arguments as numbers, by a helper: one program for many functions */
	EXPR_CTX_FENTRY_MULTI,
	/* nothing: this process runs the program itself (BEGIN of a script) */
	EXPR_CTX_NONE,
};

/* What the running kernel offers: found by trying it, or in its BTF, never by its version. */
struct expr_target {
	enum arch_id arch;
	enum expr_ctx_type method;
	bool typed_loads;      /* false: every hop is read with bpf_probe_read_kernel */
	int rdonly_cast_id;    /* BTF id of kfunc bpf_rdonly_cast; 0: none */
	bool rdonly_cast_void; /* it accepts BTF id 0 (void): since 6.17 */
	/* struct pt_regs, the type for casts if void is not accepted; 0: none */
	int pt_regs_id;
	/* pointers to structs with this BTF id or above are numbers to the verifier: types of a BPF program; 0: none */
	uint32_t untyped_id;
	int task_struct_id;    /* struct task_struct; 0: none */
	bool current_task_btf; /* has helper bpf_get_current_task_btf */
	/* the kernel walks all of its types to find one by name (until 7.0): for each program that names a variable, and, since
	 * 6.4, four times for each pointer that is loaded through one that the verifier trusts */
	bool types_unsorted;
	struct {
		/* the per-CPU variable with the preempt count, and the offset in it; 0: BTF names none */
		uint32_t var, offset;
		/* bytes from this CPU's run queue (struct rq) to the count, where BTF does not name the variable, or a
		 * program that names it loads slowly; 0: unknown */
		int32_t from_queue;
	} preempt;
	bool preempt_wide; /* the count has interrupts in higher bits */
	bool func_arg;	   /* has helper bpf_get_func_arg (and ctx may contain an int *) */
	int session_is_return_id, session_cookie_id; /* kfuncs; 0: none (expr_target_sessions) */
	/* kfuncs that disable and enable preemption; 0: none */
	int preempt_disable_id, preempt_enable_id;
	int attach_kprobe_session, attach_fsession; /* values of enum bpf_attach_type; 0: none */
	bool kprobe_multi;			    /* has kprobe.multi */
	/* kprobe.multi is based on the function graph tracer (since 6.14): it sees all returns,
	 * however many calls are open, but few registers */
	bool multi_by_fgraph;
	bool few_registers; /* the method provides only registers of arguments and results */
	bool may_goto; /* has loops whose rounds the verifier does not follow one by one (since 6.9) */
	bool probe_read; /* bpf_probe_read_kernel is allowed (not under lockdown=confidentiality) */
};
static inline const struct arch *target_arch(const struct expr_target *t)
{
	return &arches[t->arch];
}

/* Adds the names that expr_target_detect and expr_target_sessions search for, so that one pass finds others as well. */
void expr_target_names(struct btf_lookup *names);
/* Fills a target for this machine's architecture from BTF, for the best attach method: fentry,
 * typed loads, probe_read allowed. Looks up `func` in the same pass: *func_id is its
 * BTF_KIND_FUNC, or 0. Returns 0 or what btf_view_find_all returns. */
int expr_target_detect(const struct btf_view *btf, const char *func, struct expr_target *target,
		       uint32_t *func_id);

/* Adds what one program needs to trace both sides of a call. */
void expr_target_sessions(const struct btf_view *btf, struct expr_target *target);

#endif
