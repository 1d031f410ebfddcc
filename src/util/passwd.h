/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * passwd.h - users of /etc/passwd and groups of /etc/group, read as files: getpwnam and getpwuid would load NSS modules,
 * which a static binary cannot.
 */
#ifndef CORETAP_UTIL_PASSWD_H
#define CORETAP_UTIL_PASSWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the name of the first user with that number, or NULL. The first call reads the file. */
const char *user_name(uint32_t uid);
/* Sets *uid. False if there is no such user. */
bool user_number(const char *name, uint32_t *uid);

/* ---- becoming another user ---- */

enum { USER_GROUPS_MAX = 256 };

struct user_login {
	uid_t uid;
	gid_t gids[USER_GROUPS_MAX]; /* the user's primary group first */
	size_t count;
	char name[64], home[1024], shell[1024];
};

/* Finds a user by name or number. Returns 0, -ENOENT (no such user), or another -errno. */
int user_login_find(const char *name, struct user_login *u);
/* Sets groups, ids and environment of a child before exec. Returns 0 or a positive errno. */
int user_become(const struct user_login *u);

#endif
