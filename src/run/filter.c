/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - translates the options into the filter that BPF programs read, with the kernel's own
 * pids.
 */
#include "run/filter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "kernel/capabilities.h"
#include "output/field/container.h"
#include "run/session.h"
#include "util/container.h"
#include "util/log.h"
#include "util/suggest.h"

/* ---- --container ---- */

/* Finds a container by walking the cgroup file system. Names of docker and podman are read from their files; no
 * daemon is asked. */

enum { DEPTH_MAX = 32, FILE_MAX = 1 << 20 };

struct search {
	struct session *s;
	const char *text;
	struct container found; /* the first match; len 0: no match yet */
	bool is_ambiguous;
	struct suggestion near;
	int code;
};

/* Adds a cgroup to trace; owns fd. Adding one twice has no effect. */
static int filter_cgroup_add(struct session *s, int fd)
{
	if (s->traced.cgroup_count < EVENT_CGROUPS_MAX) {
		s->traced.cgroup_fds[s->traced.cgroup_count++] = fd;
		return EXIT_FINE;
	}
	close(fd);
	log_error("at most %d cgroups can be traced at once", EVENT_CGROUPS_MAX);
	log_hint("--cgroup also traces all cgroups below");
	return EXIT_USAGE;
}

static bool fits(const struct search *f, const struct container *c)
{
	size_t len = strlen(f->text);

	if (container_is_id(c->name, c->len))
		return len <= c->len && !memcmp(c->name, f->text, len);
	return len == c->len && !memcmp(c->name, f->text, len);
}

static void cgroup_check(struct search *f, int fd, const struct container *c)
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

/* Owns fd. Does not descend into a container: cgroups below it belong to it. */
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
			continue; /* the cgroup was removed in the meantime */
		if (container_of_cgroup(parent, strlen(parent), e->d_name, strlen(e->d_name), &c))
			cgroup_check(f, child, &c);
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

/* Returns the text of a file, cut at FILE_MAX, or NULL. The caller frees it. */
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

/* ---- opening cgroups ---- */

static int unknown_report(const struct search *f, const char *mount)
{
	static const struct suggest_words words = {
		.otherwise =
			"give the id, as docker ps, podman ps or crictl ps print it: names are known "
			"of docker's, podman's, LXC's and systemd's containers only",
	};

	log_error("no container '%s' has a cgroup below %s now", f->text, mount);
	suggest_hint(&f->near, &words);
	return EXIT_USAGE;
}

/* Adds the cgroups of the container `text` (filter_cgroup_add). Returns an exit status after printing any
 * error. */
static int container_find(struct session *s, const char *text)
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
		return unknown_report(&f, mount);
	if (!f.is_ambiguous)
		return EXIT_FINE;
	log_error("several containers match '%s…'", text);
	log_hint("give more digits of the id");
	return EXIT_USAGE;
}

bool filter_has_family(const struct options *o)
{
	return o->tasks.follow || (o->child.command && !o->child.is_beside);
}

static int cgroup_open(struct session *s, const char *path)
{
	struct statfs fs = { 0 };
	int fd = own_open(path, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		log_error("cannot open cgroup '%s': %s", path, strerror(-fd));
	else if (fstatfs(fd, &fs))
		log_error("cannot examine cgroup '%s': %s", path, strerror(errno));
	else if (fs.f_type == CGROUP2_SUPER_MAGIC)
		return filter_cgroup_add(s, fd);
	else
		log_error("'%s' is a %s", path,
			  fs.f_type == CGROUP_SUPER_MAGIC ?
				  "cgroup of version 1, but only version 2 can be filtered" :
				  "directory, but not a cgroup");
	if (fd >= 0)
		close(fd);
	log_hint("expected a directory of the cgroup2 file system, often below /sys/fs/cgroup%s",
		 fs.f_type == CGROUP_SUPER_MAGIC ? " or /sys/fs/cgroup/unified" : "");
	return EXIT_USAGE;
}

int filter_map_each(const char *option, const char *path, int (*each)(void *ctx, uint64_t key),
		    void *ctx)
{
	int map = bpf_obj_get(path), code = EXIT_FINE;
	struct bpf_map_info info = { 0 };
	__u32 len = sizeof(info), count = 0;
	__u64 key;

	if (map < 0) {
		log_error("cannot open the BPF map '%s': %s", path, strerror(errno));
		log_hint("it must be pinned in a file system of type bpf, as /sys/fs/bpf");
		return EXIT_USAGE;
	}
	if (bpf_obj_get_info_by_fd(map, &info, &len) || info.key_size != sizeof(key)) {
		log_error("--%s '%s': its keys have %u bytes, not 8", option, path, info.key_size);
		code = EXIT_USAGE;
	}
	for (void *at = NULL; !code && !bpf_map_get_next_key(map, at, &key); at = &key, count++)
		code = each(ctx, key);
	if (!code && !count) {
		log_error("--%s '%s' is empty: nothing would be traced", option, path);
		code = EXIT_USAGE;
	}
	close(map);
	return code;
}

static int cgroup_add(void *session, uint64_t id)
{
	int fd = cgroup_open_id(id, O_RDONLY);

	if (fd >= 0)
		return filter_cgroup_add(session, fd);
	log_error("--cgroupmap: no cgroup has the id %llu", (unsigned long long)id);
	return EXIT_USAGE;
}

static int mount_add(void *session, uint64_t number)
{
	struct event_ids *ids = &((struct session *)session)->traced.mounts;

	if (ids->count == EVENT_IDS_MAX) {
		log_error("at most %d mount namespaces can be traced at once", EVENT_IDS_MAX);
		return EXIT_USAGE;
	}
	ids->ids[ids->count++] = (uint32_t)number;
	return EXIT_FINE;
}

int filter_spaces_open(struct session *s)
{
	const struct options *o = &s->options;
	int code = EXIT_FINE;

	for (size_t i = 0; i < o->tasks.cgroups.count && !code; i++)
		code = cgroup_open(s, o->tasks.cgroups.items[i].text);
	for (size_t i = 0; i < o->tasks.containers.count && !code; i++)
		code = container_find(s, o->tasks.containers.items[i].text);
	for (size_t i = 0; i < o->tasks.cgroup_maps.count && !code; i++)
		code = filter_map_each("cgroupmap", o->tasks.cgroup_maps.items[i].text, cgroup_add,
				       s);
	for (size_t i = 0; i < o->tasks.mount_maps.count && !code; i++)
		code = filter_map_each("mntnsmap", o->tasks.mount_maps.items[i].text, mount_add, s);
	return code;
}

void filter_fill(const struct session *s, struct event_filter *f)
{
	const struct options *o = &s->options;

	*f = (struct event_filter){
		.self = s->traced.pidns.self ?: (uint32_t)getpid(),
		.pids = s->traced.pids,
		.tids = s->traced.tids,
		.uids = o->tasks.uids,
		.mounts = s->traced.mounts,
		.by_lists = s->traced.pids.count > 1 || s->traced.tids.count > 1 ||
			    o->tasks.uids.count > 1,
		.by_comm = o->tasks.names.count && !o->tasks.names.table,
		.by_names = o->tasks.names.table != NULL,
		.by_cgroup = s->traced.cgroup_count,
		.follow = filter_has_family(o),
		.want_ts = options_want_times(o),
		.failed_only = o->rows.failed_only,
		.want_cgroup = o->rows.with_container || options_fill_all(o),
		.want_inner = o->rows.inner_pids,
		.interrupts =
			!o->attach
				 .btf, /* read from a variable that is found by its id in the kernel's own BTF */
	};
	f->is_open = !f->pids.count && !f->tids.count && !f->uids.count && !f->by_comm &&
		     !f->by_names && !f->by_cgroup && !f->mounts.count && !f->follow;
	f->numbers = s->traced.pidns.numbers;
	if (o->tasks.host_pids) {
		f->numbers.ns = f->numbers.level = 0;
		f->numbers.upid = s->traced.pidns.upid;
	}
	if (f->by_comm)
		memcpy(f->comm, o->tasks.names.items[0], o->tasks.names.lengths[0]);
}

bool filter_is_any(const struct options *o)
{
	return o->tasks.pids.count || o->tasks.tids.count || o->tasks.uids.count ||
	       o->tasks.names.count || o->tasks.cgroups.count || o->tasks.containers.count ||
	       o->tasks.cgroup_maps.count || o->tasks.mount_maps.count || o->rows.failed_only ||
	       filter_has_family(o);
}

/* ---- pids: the kernel's own, or those of a pid namespace ---- */

static int ids_translate(struct session *s, struct event_ids *ids, bool threads)
{
	uint32_t missing;
	int err = s->options.tasks.host_pids ?
			  0 :
			  pidns_translate(&s->traced.pidns, ids, threads, &missing);

	if (err != -ESRCH)
		return err;
	log_error("no %s %u in this pid namespace", threads ? "thread" : "process", missing);
	log_hint("--host-pids reads and shows the host's numbers");
	return err;
}

static int numbers_fail(int err)
{
	log_error("cannot translate the PIDs of this pid namespace to the host's: %s",
		  strerror(-err));
	log_hint("run coretap outside the container on this kernel");
	return EXIT_CANNOT;
}

static void numbers_report(const struct session *s)
{
	if (s->traced.pidns.unknown)
		log_warn(
			"PIDs may be those of another pid namespace: that cannot be checked without /proc");
	if (s->traced.pidns.inside && !s->options.tasks.host_pids)
		log_note("PIDs are those of this pid namespace; a process outside it is shown as 0 "
			 "(--host-pids shows the host's)");
}

/* Does not report a lack of privileges: attaching will. */
int filter_numbers_prepare(struct session *s)
{
	const struct options *o = &s->options;
	int err = pidns_open(&s->traced.pidns, o->attach.btf, s->btf);

	if (err && err != -EPERM)
		return numbers_fail(err);
	s->traced.proc_is_other = pidns_proc_self() !=
				  (o->tasks.host_pids ? s->traced.pidns.self : (uint32_t)getpid());
	if (!err)
		err = ids_translate(s, &s->traced.pids, false);
	if (!err)
		err = ids_translate(s, &s->traced.tids, true);
	if (err == -ESRCH)
		return EXIT_USAGE;
	if (!err && o->rows.inner_pids)
		err = pidns_layout(&s->traced.pidns, s->btf);
	if (err && err != -EPERM)
		return numbers_fail(err);
	numbers_report(s);
	return EXIT_FINE;
}
