/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - argdump --list: one function for each kind of PROBE (list_function.c, list_event.c).
 */
#ifndef CORETAP_ARGDUMP_INSPECT_LIST_H
#define CORETAP_ARGDUMP_INSPECT_LIST_H

struct argdump_request;
struct session;

/* They return exit codes. */
int list_functions(struct session *s, const struct argdump_request *request);
int list_tracepoints(struct session *s, const struct argdump_request *request);
int list_syscalls(struct session *s, const struct argdump_request *request);

#endif
