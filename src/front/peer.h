/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer.h - other tools that do the job of argdump, or of bps: kprobe, uprobe, tpoint and perf-stat-hist of perf-tools, tplist
 * and bpflist of bcc, perf probe. Their command lines are converted.
 */
#ifndef CORETAP_FRONT_PEER_H
#define CORETAP_FRONT_PEER_H

#include <stdbool.h>

/* True for the name of such a tool. */
bool peer_is(const char *name);
/* Converts the line to one of the applet words[0], never freed; argv[0] is the tool's name. Returns the number of words, or,
 * after printing a text or an error, the negative number -1 - EXIT_… */
int peer_translate(int argc, char **argv, char ***words);

#endif
