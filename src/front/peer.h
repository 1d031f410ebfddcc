/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer.h - tools of others whose job argdump does: kprobe, uprobe, tpoint and perf-stat-hist of perf-tools, tplist of
 * bcc, perf probe. Their command lines become argdump's.
 */
#ifndef CORETAP_FRONT_PEER_H
#define CORETAP_FRONT_PEER_H

#include <stdbool.h>

/* True if it is the name of one. */
bool peer_is(const char *name);
/* Makes a line of argdump of it, in memory that stays; argv[0] is the tool's name. Returns the number of words; or a
 * negative number, after printing a text or what is wrong: -1 - EXIT_… */
int peer_translate(int argc, char **argv, char ***words);

#endif
