/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shells.h - the files in which shells have the function that reads a line, readline or zsh's zleentry:
 * those that processes run or map, and a probe on each.
 *
 * A file is probed once, for all processes that run or map it, whatever container they are in.
 */
#ifndef CORETAP_APPLETS_BASHREADLINE_SHELLS_H
#define CORETAP_APPLETS_BASHREADLINE_SHELLS_H

#include <stdint.h>

#include "cli/options.h"

struct shell_programs {
	int readline;		   /* at its return */
	int zle_entered, zle_read; /* at the entry of zleentry, and its return */
};

/* From now on: the names of the programs that are shells (borrowed), and the programs for their functions. */
void shells_begin(const struct option_list *names, const struct shell_programs *fds);
/* Probes what the shells that run now have, and those that our own PATH leads to. The last error that
 * the kernel refused a probe with, or 0. */
int shells_scan(void);
/* A process has just begun to run a shell; it may not have mapped its libraries yet. */
void shells_started(uint32_t pid);
unsigned shells_probed(void);  /* files */
unsigned shells_running(void); /* processes with a probed file, in the last scan */
/* Removes the probes. */
void shells_end(void);

#endif
