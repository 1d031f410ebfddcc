/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.h - a check of doctor: a row of a table, its result, and the programs that it tries.
 */
#ifndef CORETAP_DOCTOR_CHECK_H
#define CORETAP_DOCTOR_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "attach/method.h"
#include "btf/btf.h"
#include "cli/applet.h"
#include "cli/options.h"
#include "kernel/privileges.h"
#include "output/rows/sink.h"

enum doctor_answer {
	DOCTOR_YES,
	DOCTOR_PARTLY,
	DOCTOR_NO,
	DOCTOR_UNKNOWN, /* could not be tested; the text is the reason */
	DOCTOR_FACT,	/* neither good nor bad */
	DOCTOR_SKIP,	/* irrelevant here: not shown */
};

struct doctor_result {
	enum doctor_answer answer;
	int error;	    /* errno of DOCTOR_NO, positive, or 0 */
	char text[320];	    /* the fact, or the reason */
	char log[256];	    /* the verifier's last line, or "" */
	capabilities needs; /* the capabilities that a working tool needs */
};

/* Features of programs that applets need. */
enum doctor_ability {
	DOCTOR_RING,
	DOCTOR_TYPED_LOADS,
	DOCTOR_PROBE_READ,
	DOCTOR_RDONLY_CAST,
	DOCTOR_ABILITIES,
};

struct doctor {
	const struct options *options;
	const char *kernel;   /* with --kernel: its name; else NULL */
	struct btf_view *btf; /* NULL: the kernel has none */
	int btf_error;	      /* the reason, a positive errno */
	struct privileges rights;
	capabilities for_perf, for_uprobes, for_maps; /* needed for these besides CAPS_TRACE */
	bool tries; /* programs are loaded; false without privileges, or with --btf */
	bool works[DOCTOR_ABILITIES];
	/* for each attach method: works at the entry, at the return */
	bool attaches[ATTACH_END][2];
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
	unsigned needs;	   /* a mask of enum doctor_need */
	const char *why;   /* what needs it */
	const char *todo;  /* what to do if the answer is no; NULL: nothing can be done */
};

/* Sets the answer and its text: doctor_report(r, DOCTOR_NO, EINVAL, "the kernel refuses %s", …). */
void doctor_report(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt,
		   ...) __attribute__((format(printf, 4, 5)));

/* True if it works at least in part. */
bool doctor_works(const struct doctor_result *r);

/* ---- tiny programs ---- */

struct bpf_insn;
struct bpf_prog_load_opts;
/* Loads a program; on failure sets the result, with the verifier's last line. May change `opts`. Returns an fd or
 * -1. */
int doctor_load(int prog_type, const struct bpf_insn *insns, size_t count,
		struct bpf_prog_load_opts *opts, struct doctor_result *r);
/* A harmless function of every kernel: prctl(PR_SET_NAME) calls it, from another source file. */
#define DOCTOR_FUNCTION	  "__set_task_comm"
#define DOCTOR_TRACEPOINT "task_rename"

/* ---- the tables of checks; they end with name == NULL ---- */

const struct doctor_check *doctor_attach(void); /* attach methods (attach.c) */

/* Features of loaded programs (features.c). */
extern const struct doctor_check doctor_features[];

/* The kernel, its types, the rights of this process (kernel.c). */
extern const struct doctor_check doctor_kernel[];
/* Returns how many functions the kernel's types describe. */
unsigned doctor_functions(struct btf_view *btf);

/* Fields of our own types that a kernel lacks, or has in another form. */
struct doctor_lacking {
	const struct btf_view *of; /* count only fields that these types also have; NULL: all */
	unsigned fields, optional, count;
	char names[192]; /* names of the required ones */
};
/* Adds to `l`. Returns 0 or -errno. */
int doctor_fields_compare(struct btf_view *kernel, struct doctor_lacking *l);

/* ---- tools (applets.c) ---- */

/* Checks that an applet works here, and sets the result as a check does. */
void doctor_judge(struct doctor *d, const struct applet *applet, struct doctor_result *r);

/* ---- rows of the report ---- */

/* Does not own its texts, which may be NULL. */
struct doctor_row {
	const char *group, *name, *why, *todo;
	const struct doctor_result *result;
	bool with_log; /* the log is also shown in text */
	const char *kernel;

	/* set from the result by doctor_row_write */
	const char *answer, *text, *rights, *error, *log;
	char number[16];
};

enum { DOCTOR_FIELDS = 10 };
extern const struct field doctor_fields[DOCTOR_FIELDS];
extern const struct schema doctor_schema;

/* Returns the word for an answer. */
const char *doctor_answer_name(enum doctor_answer answer);
/* Writes it in its color, padded to the width; nothing for a fact. */
void doctor_answer_write(struct buf *o, enum doctor_answer answer, unsigned width);
/* Writes the row at once, because the next check may take a second. */
void doctor_row_write(struct sink *s, struct doctor_row *row);

/* ---- trial runs of tools (tool_run.c) ---- */

/* A tool runs in a child process, because a process can run only one tool. */
struct doctor_trial {
	pid_t pid;	    /* or -errno */
	int out_fd, err_fd; /* pipes from the child */
	/* owned: the plan, or why there is none; complete after doctor_trial_wait */
	char *plan, *errors;
};

/* Starts `command` without the COMMAND after --. With the rights to trace, its programs are loaded (--load-only), else
 * planned (--dry-run). Several trials may run at a time. */
void doctor_trial_start(const struct doctor *d, const struct applet *a, const char *command,
			struct doctor_trial *t);
/* Returns its exit status, or -errno. Free what it left by doctor_trial_free. */
int doctor_trial_wait(struct doctor_trial *t);
void doctor_trial_free(struct doctor_trial *t);

/* ---- recipes (applets.c) ---- */

struct doctor_recipe {
	char name[256];
	struct doctor_trial trial;
};

/* Starts a trial of the first example of a recipe, which doctor_recipe_judge must follow. */
void doctor_recipe_start(struct doctor *d, const char *name, struct doctor_recipe *recipe);
/* Waits for the trial, and sets the result as a check does: the text lists what is attached, or what is missing. */
void doctor_recipe_judge(struct doctor_recipe *recipe, struct doctor_result *r);

#endif
