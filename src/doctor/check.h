/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.h - a check of doctor's: a row of a table, its result, and the programs that it tries.
 */
#ifndef CORETAP_DOCTOR_CHECK_H
#define CORETAP_DOCTOR_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "attach/method.h"
#include "btf/btf.h"
#include "kernel/privileges.h"
#include "cli/options.h"

enum doctor_answer {
	DOCTOR_YES,
	DOCTOR_PARTLY,
	DOCTOR_NO,
	DOCTOR_UNKNOWN, /* could not be found out; the text says why */
	DOCTOR_FACT,	/* neither good nor bad */
	DOCTOR_SKIP,	/* irrelevant here: not shown */
};

struct doctor_result {
	enum doctor_answer answer;
	int error;	    /* errno behind DOCTOR_NO, positive; 0: none */
	char text[320];	    /* the fact, or the reason */
	char log[256];	    /* the verifier's last line, or "" */
	capabilities needs; /* of a tool that works */
};

/* What programs can do that applets need. */
enum doctor_ability {
	DOCTOR_RING,
	DOCTOR_TYPED_LOADS,
	DOCTOR_PROBE_READ,
	DOCTOR_RDONLY_CAST,
	DOCTOR_ABILITIES,
};

struct doctor {
	const struct options *options;
	const char *kernel;   /* its name, with --kernel; else NULL */
	struct btf_view *btf; /* NULL: the kernel has none */
	int btf_error;	      /* the reason, positive */
	struct privileges rights;
	capabilities for_perf, for_uprobes, for_maps; /* needed for them besides CAPS_TRACE */
	bool tries; /* programs are loaded; false without privileges, or with --btf */
	bool works[DOCTOR_ABILITIES];
	bool attaches[ATTACH_END][2]; /* per attach method: at the entry, at the return */
};

enum doctor_need {
	DOCTOR_NEED_KERNEL = 1 << 0, /* checks the running kernel: not with --btf */
	DOCTOR_NEED_RIGHTS = 1 << 1, /* loads programs: not without privileges */
};

struct doctor_check {
	const char *name;
	void (*run)(struct doctor *d, const struct doctor_check *c, struct doctor_result *r);
	const void *param; /* passed to the function */
	int ability;	   /* enum doctor_ability that is set on success; -1: none */
	unsigned needs;	   /* enum doctor_need */
	const char *why;   /* what needs it */
	const char *todo;  /* what to do if the answer is no; NULL: nothing can be done */
};

/* Sets the answer and its text: doctor_say(r, DOCTOR_NO, EINVAL, "the kernel refuses %s", …). */
void doctor_say(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* At least in part? */
bool doctor_works(const struct doctor_result *r);

/* ---- tiny programs ---- */

struct bpf_insn;
struct bpf_prog_load_opts;
/* Loads a program; on failure sets the result, with the verifier's last line. May change `opts`.
 * Returns an fd or -1. */
int doctor_load(int prog_type, const struct bpf_insn *insns, size_t count,
		struct bpf_prog_load_opts *opts, struct doctor_result *r);
/* Harmless and in every kernel: prctl(PR_SET_NAME) calls it, from another source file. */
#define DOCTOR_FUNCTION	  "__set_task_comm"
#define DOCTOR_TRACEPOINT "task_rename"

#endif
