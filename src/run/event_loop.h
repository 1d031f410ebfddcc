/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_loop.h - the loop of a session.
 */
#ifndef CORETAP_RUN_EVENT_LOOP_H
#define CORETAP_RUN_EVENT_LOOP_H

struct session;

/* Reads records until something ends it (a limit, a signal, the command's end, a closed pipe); then detaches and
 * reads what is queued. Returns 0, or -errno if tracing failed. */
int event_loop_run(struct session *s);

#endif
