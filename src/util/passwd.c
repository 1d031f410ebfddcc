/* SPDX-License-Identifier: GPL-2.0-only */
/* passwd.c - reads /etc/passwd once and caches it; finds a user to become. */
#include "util/passwd.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct user {
	uint32_t uid;
	char *name;
} * users;
static size_t user_count;
static bool users_known;

static bool user_add(const struct passwd *entry)
{
	struct user *more = realloc(users, (user_count + 1) * sizeof(*users));

	if (!more)
		return false;
	users = more;
	users[user_count] = (struct user){ entry->pw_uid, strdup(entry->pw_name) };
	return users[user_count++].name;
}

static void users_read(void)
{
	struct passwd *entry;
	FILE *f;

	if (users_known)
		return;
	users_known = true;
	f = fopen("/etc/passwd", "re");
	while (f && (entry = fgetpwent(f)) && user_add(entry))
		;
	if (f)
		fclose(f);
}

const char *user_name(uint32_t uid)
{
	users_read();
	for (size_t i = 0; i < user_count; i++)
		if (users[i].uid == uid)
			return users[i].name;
	return NULL;
}

bool user_number(const char *name, uint32_t *uid)
{
	users_read();
	for (size_t i = 0; i < user_count; i++) {
		if (!users[i].name || strcmp(users[i].name, name))
			continue;
		*uid = users[i].uid;
		return true;
	}
	return false;
}

/* ---- becoming another user ---- */

static int text_copy(char *to, size_t size, const char *from)
{
	if (strlen(from) >= size)
		return -ENAMETOOLONG;
	strcpy(to, from);
	return 0;
}

/* Finds the entry with that name or number. */
static int passwd_find(const char *name, struct user_login *u)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd *p;
	char *end;
	unsigned long uid = strtoul(name, &end, 10);
	int err = -ENOENT;

	while (f && err == -ENOENT && (p = fgetpwent(f))) {
		if (strcmp(p->pw_name, name) && (*end || p->pw_uid != uid))
			continue;
		u->uid = p->pw_uid;
		u->gids[0] = p->pw_gid;
		u->count = 1;
		err = text_copy(u->name, sizeof(u->name), p->pw_name)	     ?:
			      text_copy(u->home, sizeof(u->home), p->pw_dir) ?:
			      text_copy(u->shell, sizeof(u->shell),
					*p->pw_shell ? p->pw_shell : "/bin/sh");
	}
	if (f)
		fclose(f);
	return err;
}

static int groups_find(struct user_login *u)
{
	FILE *f = fopen("/etc/group", "re");
	struct group *g;
	int err = 0;

	while (f && !err && (g = fgetgrent(f))) {
		bool member = false;

		for (char **m = g->gr_mem; *m; m++)
			member |= !strcmp(*m, u->name);
		if (!member || g->gr_gid == u->gids[0])
			continue;
		if (u->count == USER_GROUPS_MAX)
			err = -E2BIG;
		else
			u->gids[u->count++] = g->gr_gid;
	}
	if (f)
		fclose(f);
	return err;
}

int user_login_find(const char *name, struct user_login *u)
{
	return passwd_find(name, u) ?: groups_find(u);
}

int user_become(const struct user_login *u)
{
	gid_t gid = u->gids[0];

	if (setgroups(u->count, u->gids) || setresgid(gid, gid, gid) ||
	    setresuid(u->uid, u->uid, u->uid))
		return errno;
	if (setenv("HOME", u->home, 1) || setenv("USER", u->name, 1) ||
	    setenv("LOGNAME", u->name, 1) || setenv("SHELL", u->shell, 1))
		return errno;
	return 0;
}
