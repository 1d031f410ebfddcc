/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_hint.h - a PROBE that names no function, but something else that can be traced.
 */
#ifndef CORETAP_ARGDUMP_PROBE_HINT_H
#define CORETAP_ARGDUMP_PROBE_HINT_H

struct argdump_request;
struct session;

/* Reports a tracepoint or a system call that was typed as a function. Returns an exit code; EXIT_FINE:
 * it is none, and nothing was printed but a note. */
int probe_hint(struct session *s, const struct argdump_request *r);

#endif
