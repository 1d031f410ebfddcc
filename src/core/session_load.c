/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session_load.c - an applet's skeleton, from its packed bytes to loaded programs.
 *
 * One pass over the kernel's types answers everything: the plan's functions, and the structs that the
 * programs' relocations ask for, which libbpf is then given as a file of their own (btf_small.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/btf_small.h"
#include "core/btf_wanted.h"
#include "core/session.h"

/* ---- types ---- */

const char *session_opening(struct session *s)
{
	if (probe_plan_handle(&s->plan))
		return NULL;
	s->types_fd = memfd_create("types", MFD_CLOEXEC);
	snprintf(s->types_path, sizeof(s->types_path), "/proc/self/fd/%d", s->types_fd);
	if (s->types_fd >= 0 && !access(s->types_path, R_OK))
		return s->types_path;
	/* no /proc: libbpf reads all types by itself */
	if (s->types_fd >= 0)
		close(s->types_fd);
	s->types_fd = -1;
	return s->options.btf;
}

static int types_write(const struct session *s, const struct btf_small *m,
		       const struct btf_wanted *w)
{
	void *data;
	size_t size;
	int err = btf_small_make(m, s->btf, w, &data, &size);

	if (err)
		return err;
	if (write(s->types_fd, data, size) != (ssize_t)size)
		err = -EIO;
	free(data);
	return err;
}

/* The programs that attach by number want the running kernel's, whatever file --btf names. */
static int plan_number(struct session *s)
{
	struct probe_plan running = { 0 };
	struct btf_view *kernel;
	int err;

	if (!s->options.btf || btf_view_open(NULL, &kernel))
		return 0; /* without types it has no fentry either, and says so */
	err = probe_plan_make(&running, s->applet->hooks, kernel, s->rung);
	for (size_t i = 0; !err && i < s->plan.count; i++)
		s->plan.hooks[i].btf_id = running.hooks[i].btf_id;
	probe_plan_free(&running);
	btf_view_close(kernel);
	return err;
}

/* What is asked for by name is let pass. */
bool session_rung_misses(const struct session *s)
{
	return s->plan.rung == PROBE_RUNG_KPROBE_MULTI && !s->plan.multi_unlimited &&
	       s->options.rung != PROBE_RUNG_KPROBE_MULTI;
}

static int plan_make(struct session *s, const struct btf_small *m)
{
	struct btf_wanted w = { 0 };
	int err;

	probe_plan_want(s->applet->hooks, &w);
	btf_small_want(m, &w);
	err = btf_wanted_find(&w, s->btf);
	if (!err)
		err = probe_plan_decide(&s->plan, s->applet->hooks, s->btf, &w, s->rung);
	if (!err && session_rung_misses(s))
		err = -EOPNOTSUPP;
	if (!err && s->types_fd >= 0)
		err = types_write(s, m, &w);
	btf_wanted_free(&w);
	return err;
}

/* Needs the object open, for it says which types are wanted. */
static int types_prepare(struct session *s)
{
	struct bpf_object_skeleton *base = s->skeleton_base;
	struct btf_small small = { 0 };
	int err = session_types_open(s) ? -EIO : 0;

	if (!err && s->types_fd >= 0)
		err = btf_small_open(&small, base->data, base->data_sz);
	if (!err)
		err = plan_make(s, &small);
	if (!err)
		err = plan_number(s);
	btf_small_close(&small);
	session_types_close(s);
	return err;
}

/* ---- maps and programs ---- */

static int map_fd(struct session *s, const char *name)
{
	return bpf_object__find_map_fd_by_name(s->object, name);
}

static int map_size(struct session *s, const char *name, uint32_t entries)
{
	struct bpf_map *map = bpf_object__find_map_by_name(s->object, name);

	return map ? bpf_map__set_max_entries(map, entries) : 0;
}

/* Maps scratch, scratch_…: an entry a CPU. */
static int scratch_size(struct session *s)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, s->object)
		if (!err && !strncmp(bpf_map__name(map), "scratch", strlen("scratch")))
			err = bpf_map__set_max_entries(map, libbpf_num_possible_cpus());
	return err;
}

static int maps_size(struct session *s)
{
	int err = map_size(s, "ring", s->options.buffer);

	if (!err && !session_family_wanted(s)) /* each entry is made at once */
		err = map_size(s, "followed", 1);
	return err ?: scratch_size(s);
}

static int object_load(struct session *s)
{
	int err = maps_size(s);

	session_filter_fill(s, s->filter);
	if (!err)
		err = probe_plan_apply(&s->plan, s->object);
	if (!err)
		err = bpf_object__load_skeleton(s->skeleton_base);
	if (err)
		return err;
	s->ring_fd = map_fd(s, "ring");
	s->losses_fd = map_fd(s, "losses");
	s->followed_fd = map_fd(s, "followed");
	s->cgroups_fd = map_fd(s, "cgroups");
	return 0;
}

int session_load(struct session *s, enum probe_rung rung)
{
	int err;

	s->rung = rung;
	err = s->applet->open(s);
	if (!err)
		err = types_prepare(s);
	if (!err)
		err = object_load(s);
	if (s->types_fd >= 0)
		close(s->types_fd);
	s->types_fd = -1;
	return err;
}

void session_unload(struct session *s)
{
	probe_plan_detach(&s->plan);
	if (s->skeleton) {
		free((void *)s->skeleton_base->data); /* unpacked for it */
		s->skeleton_destroy(s->skeleton);
	}
	s->skeleton = NULL;
	s->object = NULL;
}
