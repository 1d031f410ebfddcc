/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rights.h - what a session still needs when all is attached, and --run-as.
 */
#ifndef CORETAP_RUN_RIGHTS_H
#define CORETAP_RUN_RIGHTS_H

struct session;
struct user_login;

/* Finds a user that an option names. Returns 0, or -errno after printing the error. */
int rights_user_find(const char *option, const char *name, struct user_login *u);

/* Finds the user of --run-as, if any. Returns an exit status after printing any error. */
int rights_open(const struct session *s);
/* Gives up what is not needed from here on (kernel/least.h): all that is attached is attached, and the command
 * waits for its start. Returns an exit status after printing any error. */
int rights_drop(struct session *s);

#endif
