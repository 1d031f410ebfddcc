/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compare.h - the same tools on several kernels.
 */
#ifndef CORETAP_DOCTOR_COMPARE_H
#define CORETAP_DOCTOR_COMPARE_H

#include "doctor/check.h"
#include "doctor/doctor.h"
#include "doctor/kernels.h"
#include "output/rows/sink.h"

/* Judges the tools on each kernel: a table, or with --json a line for each tool and kernel. Returns
 * the exit status: EXIT_CANNOT if on one of the kernels none of them works. */
int doctor_compare(const struct options *options, const struct doctor_request *request,
		   const struct doctor_kernels *kernels);

/* ---- doctor.c ---- */

typedef void (*doctor_take)(void *ctx, const char *group, const char *name,
			    const struct doctor_result *result);
/* Judges all tools that were asked for, and hands each result on. Returns how many work, at least in
 * part. */
int doctor_tools_judge(struct doctor *d, const struct doctor_request *q, doctor_take take,
		       void *ctx);
/* Opens d->btf as the options say. Returns the exit status. */
int doctor_types_open(struct doctor *d);
/* Writes what is left, and frees the sink and its buffer. Returns the exit status. */
int doctor_output_end(struct sink *s);

#endif
