/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_login.h - becoming another user: ids, groups, environment, as /etc/passwd and /etc/group have them.
 */
#ifndef CORETAP_UTIL_USER_LOGIN_H
#define CORETAP_UTIL_USER_LOGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { USER_GROUPS_MAX = 256 };

struct user_login {
	uid_t uid;
	gid_t gids[USER_GROUPS_MAX]; /* the user's own first */
	size_t count;
	char name[64], home[1024], shell[1024];
};

/* Reads the files. Returns 0, -ENOENT (no such user), or another -errno. */
int user_login_find(const char *name, struct user_login *u);
/* For a child before it calls exec. Returns 0 or a positive errno. */
int user_become(const struct user_login *u);

#endif
