/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_other.h - of a library that was asked for by its name, the copies that a command runs instead: those of another root
 * or mount namespace.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_OTHER_H
#define CORETAP_PROBE_PROVIDERS_USER_OTHER_H

#include <stdbool.h>

struct session;

/* Watches what the processes of a command map, if a library was asked for by its name (user_file_named). Call it before
 * anything is attached. */
void user_other_watch(struct session *s);
/* Once the tracing is over: names another copy, whose calls are missing. False: none was mapped, or nothing is watched. */
bool user_other_report(void);

#endif
