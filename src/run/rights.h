/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rights.h - drops the rights that a session no longer needs once everything is attached; --run-as.
 */
#ifndef CORETAP_RUN_RIGHTS_H
#define CORETAP_RUN_RIGHTS_H

struct session;
struct user_login;

/* Finds a user named by an option. Returns 0, or -errno after printing the error. */
int rights_user_find(const char *option, const char *name, struct user_login *u);

/* Finds the user of --run-as, if any. Returns an exit status after printing any error. */
int rights_open(const struct session *s);
/* Drops the rights that are not needed from here on (kernel/least.h). Call it when everything is attached and the
 * command waits for its start. Returns an exit status after printing any error. */
int rights_drop(struct session *s);

#endif
