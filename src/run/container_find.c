/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container_find.c - finds a container by a walk through the cgroup file system; a name of docker's or
 * podman's is looked up in the files that they keep, for no daemon is asked.
 */
#include "run/container_find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/field/container.h"
#include "run/filter.h"
#include "run/session.h"
#include "util/container.h"
#include "util/log.h"
#include "util/suggest.h"

enum { DEPTH_MAX = 32, FILE_MAX = 1 << 20 };

struct search {
	struct session *s;
	const char *text;
	struct container found; /* the first that fits; len 0: none does */
	bool is_ambiguous;
	struct suggestion near;
	int code;
};

int filter_cgroup_add(struct session *s, int fd)
{
	if (s->cgroup_count < EVENT_CGROUPS_MAX) {
		s->cgroup_fds[s->cgroup_count++] = fd;
		return EXIT_FINE;
	}
	close(fd);
	log_error("at most %d cgroups can be traced at once", EVENT_CGROUPS_MAX);
	log_hint("--cgroup traces all that is below a cgroup, too");
	return EXIT_USAGE;
}

static bool fits(const struct search *f, const struct container *c)
{
	size_t len = strlen(f->text);

	if (container_is_id(c->name, c->len))
		return len <= c->len && !memcmp(c->name, f->text, len);
	return len == c->len && !memcmp(c->name, f->text, len);
}

static void cgroup_take(struct search *f, int fd, const struct container *c)
{
	bool other = f->found.len &&
		     (f->found.len != c->len || memcmp(f->found.name, c->name, c->len));

	suggest_offer(&f->near, c->name);
	if (!fits(f, c)) {
		close(fd);
		return;
	}
	f->is_ambiguous |= other;
	f->found = *c;
	f->code = filter_cgroup_add(f->s, fd);
}

/* Owns fd. What is below a container belongs to it. */
static void cgroups_walk(struct search *f, int fd, const char *parent, unsigned depth)
{
	DIR *dir = fdopendir(fd);
	struct dirent *e;

	if (!dir)
		close(fd);
	while (dir && !f->code && (e = readdir(dir))) {
		struct container c;
		int child;

		if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		child = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (child < 0)
			continue; /* it has ended meanwhile */
		if (container_of_cgroup(parent, strlen(parent), e->d_name, strlen(e->d_name), &c))
			cgroup_take(f, child, &c);
		else if (depth < DEPTH_MAX)
			cgroups_walk(f, child, e->d_name, depth + 1);
		else
			close(child);
	}
	if (dir)
		closedir(dir);
}

static void search_run(struct search *f, const char *mount)
{
	int fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	suggest_init(&f->near, f->text);
	if (fd >= 0)
		cgroups_walk(f, fd, "", 0);
}

/* ---- names ---- */

/* The file's text, which the caller frees, cut at FILE_MAX; NULL: none. */
static char *file_text(const char *path)
{
	char *text = malloc(FILE_MAX);
	FILE *in = fopen(path, "re");
	size_t len = in && text ? fread(text, 1, FILE_MAX - 1, in) : 0;

	if (in)
		fclose(in);
	if (text)
		text[len] = '\0';
	return text;
}

/* docker: /var/lib/docker/containers/ID/config.v2.json has "Name":"/NAME". */
static bool docker_id(const char *name, char id[CONTAINER_ID + 1])
{
	static const char folder[] = "/var/lib/docker/containers";
	DIR *dir = opendir(folder);
	char path[PATH_MAX], want[CONTAINER_NAME_MAX + 16], *text;
	bool found = false;
	struct dirent *e;

	snprintf(want, sizeof(want), "\"Name\":\"/%s\"", name);
	while (dir && !found && (e = readdir(dir))) {
		if (!container_is_id(e->d_name, strlen(e->d_name)))
			continue;
		snprintf(path, sizeof(path), "%s/%s/config.v2.json", folder, e->d_name);
		text = file_text(path);
		found = text && strstr(text, want);
		free(text);
		if (found)
			memcpy(id, e->d_name, CONTAINER_ID + 1);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* podman: containers.json has "id":"ID","names":["NAME"… */
static bool podman_id(const char *name, char id[CONTAINER_ID + 1])
{
	static const char path[] = "/var/lib/containers/storage/overlay-containers/containers.json";
	char *text = file_text(path), want[CONTAINER_NAME_MAX + 16], *at, *before = NULL;

	snprintf(want, sizeof(want), "\"names\":[\"%s\"", name);
	at = text ? strstr(text, want) : NULL;
	for (char *p = text; at && (p = strstr(p, "\"id\":\"")) && p < at; p++)
		before = p + strlen("\"id\":\"");
	if (before && !container_is_id(before, CONTAINER_ID))
		before = NULL;
	if (before)
		memcpy(id, before, CONTAINER_ID);
	id[CONTAINER_ID] = '\0';
	free(text);
	return before;
}

/* ---- all together ---- */

static int none_tell(const struct search *f, const char *mount)
{
	log_error("no container '%s' has a cgroup below %s now", f->text, mount);
	if (suggest_get(&f->near))
		log_hint("did you mean %s?", suggest_get(&f->near));
	else
		log_hint(
			"give the id, as docker ps, podman ps or crictl ps print it: names are known "
			"of docker's, podman's, LXC's and systemd's containers only");
	return EXIT_USAGE;
}

int container_find(struct session *s, const char *text)
{
	const char *mount = cgroup_mount();
	struct search f = { .s = s, .text = text };
	char id[CONTAINER_ID + 1];

	if (!mount) {
		log_error("--container needs cgroups of version 2, and they are not mounted");
		log_hint("mount -t cgroup2 none /sys/fs/cgroup/unified; containers must be in it");
		return EXIT_USAGE;
	}
	search_run(&f, mount);
	if (!f.found.len && !f.code && (docker_id(text, id) || podman_id(text, id))) {
		f.text = id;
		search_run(&f, mount);
		f.text = text;
	}
	if (f.code)
		return f.code;
	if (!f.found.len)
		return none_tell(&f, mount);
	if (!f.is_ambiguous)
		return EXIT_FINE;
	log_error("there are several containers '%s'…", text);
	log_hint("give more digits of the id");
	return EXIT_USAGE;
}
