/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.h - the attach ladder: from what an applet wants to see to a program that is attached.
 *
 * An applet's hook names the kernel functions that may carry the event (names change between
 * kernels) and the BPF program for each rung. The ladder takes the first rung that works, says
 * which, and says why where none does. It must not know of records.
 */
#ifndef CORETAP_PROBE_H
#define CORETAP_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/btf.h"
#include "core/out.h"

struct bpf_object;
struct btf_wanted;

/* From the cheapest to the one that works everywhere. */
enum probe_rung {
	PROBE_RUNG_ANY, /* the ladder */
	PROBE_RUNG_FENTRY,
	PROBE_RUNG_KPROBE_MULTI,
	PROBE_RUNG_KPROBE,
	PROBE_RUNG_FENTRY_MULTI, /* one program on many functions; argdump alone */
	PROBE_RUNG_FSESSION,	 /* fentry and fexit in one program; argdump alone */
	PROBE_RUNG_TRACEPOINT, /* tp_btf: not a rung for functions */
	PROBE_RUNG_END, /* of a list */
};
const char *probe_rung_name(enum probe_rung rung, bool is_return);
extern const char *const probe_rung_choices[]; /* for --rung */

/* One thing an applet wants to see, and what may show it. */
struct hook {
	const char *name;      /* in --dry-run and doctor: "open, entry" */
	const char *functions; /* alternatives, by spaces, first found wins; tracepoint: its name */
	const char *fentry;    /* program for fentry/fexit, or NULL */
	const char *multi;     /* program for kprobe.multi/kretprobe.multi, or NULL */
	const char *kprobe;    /* program for kprobe/kretprobe, or NULL */
	const char *tracepoint; /* program for tp_btf; then `functions` is the tracepoint */
	bool is_return;
	unsigned rungs;	      /* needed only where the ladder stands there: bits 1 << rung; 0: always */
	const char *unless_field; /* not needed by fentry where the kernel has it: "struct.member" */
	bool optional;	      /* without it the applet still works: */
	const char *without;  /* … but this is not seen */
	const bool *unless;   /* attached only when *unless is false (NULL: always) */
	const bool *only_if;  /* attached only when *only_if is true (NULL: always) */
};

/* What the ladder decided for a hook. */
struct hook_plan {
	const struct hook *hook;
	char function[64];     /* "" when none of the alternatives exists */
	enum probe_rung rung;  /* PROBE_RUNG_ANY: skipped */
	const char *why;       /* skipped: the reason */
	bool needed;	       /* false: skipped because nobody asked for it, or the others do without */
	uint32_t btf_id;       /* fentry, tp_btf: the target among the kernel's types */
	int link_fd;	       /* owned, once attached; -1: not */
};

struct probe_plan {
	struct hook_plan *hooks; /* owned */
	size_t count;
	enum probe_rung rung;
	bool multi_unlimited; /* kprobe.multi sees returns however many calls are in flight: from 6.14 on,
			       * when fprobes moved from rethook's pool to the function graph's stack in
			       * each task; kretprobes have a pool, too */
	const char *failed; /* function of the hook that could not be attached; NULL: none */
};

/* Decides for every hook, from BTF alone: needs no rights. Returns 0; -ENOENT when a hook that is
 * not optional has no function here (said by probe_plan_print). */
int probe_plan_make(struct probe_plan *p, const struct hook *hooks, const struct btf_view *btf,
		    enum probe_rung rung);
/* The same in two steps, for who has other names to look up in the same pass. */
void probe_plan_want(const struct hook *hooks, struct btf_wanted *w);
int probe_plan_decide(struct probe_plan *p, const struct hook *hooks, const struct btf_view *btf,
		      const struct btf_wanted *w, enum probe_rung rung);
void probe_plan_print(const struct probe_plan *p, struct out *o);
void probe_plan_free(struct probe_plan *p);

/* ---- probe_load.c: a plan and the programs of a skeleton ---- */

/* Before an object is opened: its programs for fentry, fexit and tp_btf (bare section names) get their
 * targets from `p`, which must stay where it is. Returns 0 or -errno. */
int probe_plan_handle(struct probe_plan *p);
/* Before load: autoload of the chosen programs only. */
int probe_plan_apply(const struct probe_plan *p, struct bpf_object *object);
/* After load. 0, or -errno with everything that was attached detached again. */
int probe_plan_attach(struct probe_plan *p, struct bpf_object *object);
void probe_plan_detach(struct probe_plan *p);

/* ---- raw links, for programs loaded without libbpf; each returns an fd or -errno ---- */

/* fentry, fexit, tp_btf: by the target given at load. */
int probe_link_tracing(int prog_fd);
/* kprobe or kretprobe through perf; gone with its fd. Without a function (NULL) the offset is an
 * address. */
int probe_link_kprobe(int prog_fd, const char *function, uint64_t offset, bool is_return);
/* Does the kernel refuse a kprobe by that name because several functions have it? 1, 0, or -errno where
 * it does not let us ask (under lockdown); on old kernels always 0. Less than 0.1 ms from 6.1 on. */
int probe_name_is_shared(const char *function);
/* An event of tracefs, by the number that its format file tells. */
int probe_link_event(int prog_fd, int id);
/* uprobe or uretprobe on a file; pid 0: in every process. */
int probe_link_uprobe(int prog_fd, const char *path, uint64_t offset, bool is_return, int pid);
/* Many functions by one link. */
struct probe_multi {
	size_t count;
	const char *const *names;   /* kprobe.multi, where addresses are NULL */
	const uint64_t *addresses;  /* kprobe.multi */
	const uint32_t *ids;	    /* fentry.multi and its like: BTF ids */
	const uint64_t *cookies;    /* what bpf_get_attach_cookie says at each; NULL: 0 */
	bool is_return;
	int session; /* kprobe.session: one program at entry and return; its number in this kernel's
		      * enum bpf_attach_type. 0: kprobe.multi */
};
int probe_link_kprobe_multi(int prog_fd, const struct probe_multi *functions);
/* `type`: the number of BPF_TRACE_FENTRY_MULTI, FEXIT_MULTI or FSESSION_MULTI. */
int probe_link_fentry_multi(int prog_fd, int type, const struct probe_multi *functions);

/* ---- why not: said when an attach failed or a function is unknown ---- */

enum probe_fault {
	PROBE_FAULT_NONE,
	PROBE_FAULT_NOT_FOUND,	/* no such function in this kernel */
	PROBE_FAULT_INLINED,	/* it has BTF or a symbol with a suffix, but no body of its own */
	PROBE_FAULT_BLACKLISTED, /* notrace or on the kprobe blacklist */
	PROBE_FAULT_NOT_IN_BTF, /* a symbol, but no prototype */
	PROBE_FAULT_LOCKDOWN,
	PROBE_FAULT_CAPABILITY,
	PROBE_FAULT_OTHER,
};
/* Looks at symbols, blacklist, lockdown and capabilities; slow, only after a failure. */
enum probe_fault probe_diagnose(const char *function, const struct btf_view *btf, int error);
/* Prints the error and the hint on stderr; returns the exit code (EXIT_USAGE, EXIT_CANNOT). */
int probe_explain(const char *function, const struct btf_view *btf, int error);

#endif
