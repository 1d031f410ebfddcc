/* SPDX-License-Identifier: GPL-2.0-only */
/* tool_run.h - runs a tool without tracing, in a process of its own, because a process can have one run of a tool. */
#ifndef CORETAP_DOCTOR_TOOL_RUN_H
#define CORETAP_DOCTOR_TOOL_RUN_H

#include "doctor/check.h"
#include "cli/applet.h"

/* The output of a tool: the plan, or why there is none. Freed by doctor_tool_free. */
struct doctor_tool_output {
	char *plan, *errors;
};

/* Runs `command` without the COMMAND after --. With the rights to trace its programs are loaded (--load-only), else
 * it is planned (--dry-run). Returns its exit status, or -errno. */
int doctor_tool_run(const struct doctor *d, const struct applet *a, const char *command,
		    struct doctor_tool_output *o);
void doctor_tool_free(struct doctor_tool_output *o);

#endif
