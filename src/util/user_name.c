/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_name.c - /etc/passwd, read once and kept until the end.
 */
#include "util/user_name.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
