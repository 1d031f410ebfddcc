/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.h - what works on this kernel, and why not: checks as rows of tables.
 *
 * Every answer is found by looking or by trying, never from a version. A check is one row: its
 * name, the function that finds out, what needs it, and what to do if it is missing.
 *
 *	check.c		the row and its result; tiny programs
 *	kernel.c attach.c features.c	the tables
 *	applets.c	which applets work
 *	recipes.c	which recipes work
 *	kernels.c	files of other kernels
 *	compare.c	the same tools on many kernels: a table
 *	row.c		a result as a row of the report
 *	doctor.c	runs them all
 *	descriptor.c	the applet
 */
#ifndef CORETAP_DOCTOR_H
#define CORETAP_DOCTOR_H

#include "cli/options.h"

/* What was asked for. */
struct doctor_request {
	bool recipes;		    /* all of them, too */
	char **tools;		    /* only these applets and recipes … */
	int tool_count;		    /* … if it is not 0 */
	struct option_list kernels; /* --kernel: not the running one, but these */
};

struct doctor;
/* For many trials of tools (tool_run.h): opens the types, and reads what each would read for itself. Returns an exit
 * code, after printing any error. */
int doctor_warm(struct doctor *d);

/* Runs all checks and prints the report on stdout. With options->btf, or request->kernels, checks
 * only what those types show, and does not touch the running kernel. Returns the exit status:
 * EXIT_CANNOT if no tool works, of several kernels on one of them. */
int doctor_run(const struct options *options, const struct doctor_request *request); /* compare.c */
/* Are the tools that are named known? Returns an exit status after printing any error. */
int doctor_tools_check(const struct doctor_request *q);
/* Of one kernel; `name` is that of its file, or NULL. */
int doctor_one_kernel(const struct options *options, const struct doctor_request *request,
		      const char *name);

#endif
