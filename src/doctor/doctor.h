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
 *	row.c		a result as a row of the report
 *	doctor.c	runs them all
 *	descriptor.c	the applet
 */
#ifndef CORETAP_DOCTOR_H
#define CORETAP_DOCTOR_H

#include "session/options.h"

/* Runs all checks and prints the report on stdout. With options->btf, checks only what those types
 * show, and does not touch the running kernel. Returns the exit status: EXIT_CANNOT if no applet
 * works. */
int doctor_run(const struct options *options);

#endif
