/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - translates the options into the filter that BPF programs read, with the kernel's own
 * pids.
 */
#include "run/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "kernel/own_rights.h"
#include "run/container_find.h"
#include "run/session.h"
#include "util/log.h"

bool filter_has_family(const struct options *o)
{
	return o->follow || (o->command && !o->command_beside);
}

static int cgroup_open(struct session *s, const char *path)
{
	struct statfs fs = { 0 };
	int fd = own_open(path, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		log_error("cannot open cgroup '%s': %s", path, strerror(-fd));
	else if (fstatfs(fd, &fs))
		log_error("cannot look at cgroup '%s': %s", path, strerror(errno));
	else if (fs.f_type == CGROUP2_SUPER_MAGIC)
		return filter_cgroup_add(s, fd);
	else
		log_error(
			"'%s' is a %s", path,
			fs.f_type == CGROUP_SUPER_MAGIC ?
				"cgroup of version 1, and only those of version 2 can be filtered by" :
				"directory, but not a cgroup");
	if (fd >= 0)
		close(fd);
	log_hint("expected a directory of the cgroup2 file system, often below /sys/fs/cgroup%s",
		 fs.f_type == CGROUP_SUPER_MAGIC ? " or /sys/fs/cgroup/unified" : "");
	return EXIT_USAGE;
}

int filter_cgroups_open(struct session *s)
{
	const struct options *o = &s->options;
	int code = EXIT_FINE;

	for (size_t i = 0; i < o->cgroups.count && !code; i++)
		code = cgroup_open(s, o->cgroups.items[i].text);
	for (size_t i = 0; i < o->containers.count && !code; i++)
		code = container_find(s, o->containers.items[i].text);
	return code;
}

void filter_fill(const struct session *s, struct event_filter *f)
{
	const struct options *o = &s->options;

	*f = (struct event_filter){
		.self = s->pidns.self ?: (uint32_t)getpid(),
		.pids = s->pids,
		.tids = s->tids,
		.uids = o->uids,
		.by_lists = s->pids.count > 1 || s->tids.count > 1 || o->uids.count > 1,
		.by_comm = o->names.count && !o->names.table,
		.by_names = o->names.table != NULL,
		.by_cgroup = s->cgroup_count,
		.follow = filter_has_family(o),
		.want_ts = options_want_times(o),
		.failed_only = o->failed_only,
		.want_cgroup = o->with_container || options_want_all(o),
		.want_inner = o->inner_pids,
		.interrupts = !o->btf, /* asked of a variable by its id in the kernel's own BTF */
	};
	f->is_open = !f->pids.count && !f->tids.count && !f->uids.count && !f->by_comm &&
		     !f->by_names && !f->by_cgroup && !f->follow;
	f->numbers = s->pidns.numbers;
	if (o->host_pids) {
		f->numbers.ns = f->numbers.level = 0;
		f->numbers.upid = s->pidns.upid;
	}
	if (f->by_comm)
		memcpy(f->comm, o->names.items[0], o->names.lengths[0]);
}

bool filter_is_any(const struct options *o)
{
	return o->pids.count || o->tids.count || o->uids.count || o->names.count ||
	       o->cgroups.count || o->containers.count || o->failed_only || filter_has_family(o);
}

/* ---- which pids: the kernel's own, or a pid namespace's ---- */

static int ids_translate(struct session *s, struct event_ids *ids, bool threads)
{
	uint32_t missing;
	int err = s->options.host_pids ? 0 : pidns_translate(&s->pidns, ids, threads, &missing);

	if (err != -ESRCH)
		return err;
	log_error("there is no %s %u in this pid namespace", threads ? "thread" : "process",
		  missing);
	log_hint("--host-pids takes and shows the host's numbers");
	return err;
}

static int numbers_fail(int err)
{
	log_error(
		"cannot find out which numbers the host has for the processes of this pid namespace: %s",
		strerror(-err));
	log_hint("run coretap outside the container on this kernel");
	return EXIT_CANNOT;
}

static void numbers_tell(const struct session *s)
{
	if (s->pidns.unknown)
		log_warn(
			"PIDs may be those of another pid namespace: that cannot be checked without /proc");
	if (s->pidns.inside && !s->options.host_pids)
		log_note("PIDs are those of this pid namespace; a process outside it is shown as 0 "
			 "(--host-pids shows the host's)");
}

/* A lack of privileges is reported later, at attach. */
int filter_numbers_prepare(struct session *s)
{
	const struct options *o = &s->options;
	int err = pidns_open(&s->pidns, o->btf, s->btf);

	if (err && err != -EPERM)
		return numbers_fail(err);
	s->proc_is_other = pidns_proc_self() != (o->host_pids ? s->pidns.self : (uint32_t)getpid());
	if (!err)
		err = ids_translate(s, &s->pids, false);
	if (!err)
		err = ids_translate(s, &s->tids, true);
	if (err == -ESRCH)
		return EXIT_USAGE;
	if (!err && o->inner_pids)
		err = pidns_layout(&s->pidns, s->btf);
	if (err && err != -EPERM)
		return numbers_fail(err);
	numbers_tell(s);
	return EXIT_FINE;
}
