/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - argdump --list: one function for each kind of PROBE (list_function.c, list_event.c,
 * list_user.c, list_sample.c, list_usdt.c).
 */
#ifndef CORETAP_INSPECT_LIST_H
#define CORETAP_INSPECT_LIST_H

struct argdump_request;
struct probe_spec_item;
struct session;

/* They return exit codes. */
int list_functions(struct session *s, const struct argdump_request *request);
int list_tracepoints(struct session *s, const struct argdump_request *request);
int list_syscalls(struct session *s, const struct argdump_request *request);
int list_user(struct session *s, const struct argdump_request *request);
int list_usdt(struct session *s, const struct probe_spec_item *item);
int list_samples(struct session *s, const struct argdump_request *request);

#endif
