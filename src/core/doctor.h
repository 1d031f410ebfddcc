/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - what works on this kernel, and why not: checks as rows of tables.
 *
 * Every answer is found by looking or by trying, never from a version. A check is one row: what it
 * is called, the function that finds out, what needs it, what to do where it is missing.
 */
#ifndef CORETAP_DOCTOR_H
#define CORETAP_DOCTOR_H

#include <stdbool.h>

#include "core/btf.h"
#include "core/options.h"
#include "core/rights.h"

/* Runs all checks and prints the report on stdout. With options->btf: only what those types can
 * tell, nothing of the running kernel is touched. Returns the exit code: EXIT_CANNOT when no
 * applet works. */
int doctor_run(const struct options *options);

/* ---- for the tables ---- */

enum doctor_answer {
	DOCTOR_YES,
	DOCTOR_PARTLY,
	DOCTOR_NO,
	DOCTOR_UNKNOWN, /* could not be found out; the text says why */
	DOCTOR_FACT,	/* neither good nor bad */
	DOCTOR_SKIP,	/* does not matter here: not shown */
};

struct doctor_result {
	enum doctor_answer answer;
	int error;	/* errno behind a no, positive; 0: none */
	char text[320]; /* the fact, or the reason */
	char log[256];	/* the verifier's last line, or "" */
};

/* What works, for those who build on it: the ways to attach and the features. */
enum doctor_ability {
	DOCTOR_FENTRY,
	DOCTOR_FEXIT,
	DOCTOR_TP_BTF,
	DOCTOR_KPROBE,
	DOCTOR_KRETPROBE,
	DOCTOR_KPROBE_MULTI,
	DOCTOR_KPROBE_SESSION,
	DOCTOR_FSESSION,
	DOCTOR_TRACING_MULTI,
	DOCTOR_UPROBE,
	DOCTOR_RING,
	DOCTOR_TYPED_LOADS,
	DOCTOR_PROBE_READ,
	DOCTOR_RDONLY_CAST,
	DOCTOR_CURRENT_TASK,
	DOCTOR_LOOP,
	DOCTOR_FUNC_ARG,
	DOCTOR_COOKIE,
	DOCTOR_ABILITIES,
};

struct doctor {
	const struct options *options;
	struct btf_view *btf;	/* NULL: the kernel has none */
	int btf_error;		/* then why, positive */
	struct rights rights;
	bool tries;		/* programs are loaded; else no rights, or --btf */
	bool works[DOCTOR_ABILITIES];
};

enum doctor_need {
	DOCTOR_NEED_KERNEL = 1 << 0, /* looks at the running kernel: not with --btf */
	DOCTOR_NEED_RIGHTS = 1 << 1, /* loads programs: not without rights */
};

struct doctor_check {
	const char *name;
	void (*run)(struct doctor *d, const struct doctor_check *c, struct doctor_result *r);
	const void *param;    /* of the function */
	int ability;	      /* enum doctor_ability that a yes sets; -1: none */
	unsigned needs;	      /* enum doctor_need */
	const char *why;      /* what needs it */
	const char *todo;     /* what to do where the answer is no; NULL: nothing can be done */
};

/* Tables, ended by name == NULL. */
extern const struct doctor_check doctor_kernel[], doctor_attach[], doctor_features[];

/* Words an answer: doctor_say(r, DOCTOR_NO, EINVAL, "the kernel refuses %s", …). */
void doctor_say(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt,
		...) __attribute__((format(printf, 4, 5)));

struct applet;
/* Does this applet work? Fills the result as a check does. */
void doctor_judge(struct doctor *d, const struct applet *applet, struct doctor_result *r);

/* ---- tiny programs (doctor_feature.c) ---- */

struct bpf_insn;
struct bpf_prog_load_opts;
/* Loads; on failure words the result, with the verifier's last line. `opts` may be changed.
 * Returns an fd or -1. */
int doctor_load(int prog_type, const struct bpf_insn *insns, size_t count,
		struct bpf_prog_load_opts *opts, struct doctor_result *r);
/* How many functions the kernel's types describe. */
unsigned doctor_functions(struct btf_view *btf);
/* The value of an enumerator in the kernel's types, or -1. */
int doctor_enum(struct doctor *d, const char *enum_name, const char *name);
/* Harmless and on every kernel: prctl(PR_SET_NAME) calls it, in another file. */
#define DOCTOR_FUNCTION "__set_task_comm"
#define DOCTOR_TRACEPOINT "task_rename"

#endif
