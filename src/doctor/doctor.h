/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.h - checks what works on this kernel, and why not, as rows of tables.
 *
 * Every answer is found by reading or by trying, never from a version. A check is one row: its name, the function
 * that finds out, what needs it, and what to do if it is missing.
 *
 *	check.c		a check, its result, its row of the report; tiny programs
 *	kernel.c attach.c features.c	the tables
 *	applets.c	which applets and recipes work
 *	kernels.c	files of other kernels
 *	compare.c	the same tools on many kernels: a table
 *	doctor.c	runs them all
 *	descriptor.c	the applet
 */
#ifndef CORETAP_DOCTOR_H
#define CORETAP_DOCTOR_H

#include <stddef.h>

#include "cli/options.h"
#include "doctor/check.h"
#include "output/rows/sink.h"

/* The request of the command line. */
struct doctor_request {
	bool recipes;		    /* also all recipes */
	char **tools;		    /* only these applets and recipes */
	int tool_count;		    /* 0: all applets */
	struct option_list kernels; /* --kernel: check these instead of the running kernel */
};

struct doctor;
/* Prepares for many trials of tools (doctor_trial_start): opens the types, and reads what each trial would read again.
 * Returns an exit status after printing any error. */
int doctor_warm(struct doctor *d);

/* Runs all checks and prints the report on stdout. With options->btf or request->kernels, checks only what those
 * types show, and does not touch the running kernel. Returns the exit status: EXIT_CANNOT if no tool works, or with
 * several kernels, if none works on one of them. */
int doctor_run(const struct options *options, const struct doctor_request *request); /* compare.c */
/* Checks that the named tools exist. Returns an exit status after printing any error. */
int doctor_tools_check(const struct doctor_request *q);
/* Writes the report of one kernel. `name` is that of its file, or NULL. */
int doctor_one_kernel(const struct options *options, const struct doctor_request *request,
		      const char *name);

/* ---- many kernels (compare.c) ---- */

/* ---- doctor.c ---- */

typedef void doctor_tool_fn(void *ctx, const char *group, const char *name,
			    const struct doctor_result *result);
/* Judges all requested tools, and calls `judged` for each. Returns how many work, at least in part. */
int doctor_tools_judge(struct doctor *d, const struct doctor_request *q, doctor_tool_fn *judged,
		       void *ctx);
/* Opens d->btf as the options require. Returns the exit status. */
int doctor_types_open(struct doctor *d);
/* Writes buffered output, and frees the sink and its buffer. Returns the exit status. */
int doctor_output_end(struct sink *s);

/* ---- kernels that exist only as files (kernels.c) ---- */

struct doctor_kernel {
	char *name; /* such as 6.12.117+deb13-cloud-amd64 */
	char *path; /* path of a file for btf_view_open */
};

struct doctor_kernels {
	struct doctor_kernel *all; /* sorted by version */
	size_t count;
};

/* Finds the kernels that `asked` names: a file, a folder of files, or a version whose file is where packages install
 * it. Prints any error. Returns the exit status; free *k in any case. */
int doctor_kernels_find(const struct option_list *asked, struct doctor_kernels *k);
void doctor_kernels_free(struct doctor_kernels *k);

#endif
