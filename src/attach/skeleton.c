/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * skeleton.c - takes a BPF object from its packed bytes to attached programs.
 *
 * One pass over the kernel's types finds both the plan's functions and the structs that the programs' relocations
 * need. libbpf gets these structs as a file of their own (btf_min.h).
 */
#include "attach/skeleton.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "btf/btf.h"
#include "btf/btf_min.h"
#include "util/errname.h"
#include "util/log.h"

/* ---- types ---- */

const char *skeleton_prepare(struct skeleton *sk)
{
	if (attach_plan_handle(&sk->plan))
		return NULL;
	sk->types_fd = memfd_create("types", MFD_CLOEXEC);
	snprintf(sk->types_path, sizeof(sk->types_path), "/proc/self/fd/%d", sk->types_fd);
	if (sk->types_fd >= 0 && !access(sk->types_path, R_OK))
		return sk->types_path;
	/* without /proc, libbpf reads all types itself */
	if (sk->types_fd >= 0)
		close(sk->types_fd);
	sk->types_fd = -1;
	return sk->config->btf;
}

static int types_write(const struct skeleton *sk, const struct btf_min *m,
		       const struct btf_lookup *w)
{
	void *data;
	size_t size;
	int err = btf_min_build(m, *sk->config->types, w, &data, &size);

	if (err)
		return err;
	for (size_t done = 0; done < size && !err;) {
		ssize_t n = write(sk->types_fd, (const char *)data + done, size - done);

		if (n < 0)
			err = -errno;
		else
			done += n;
	}
	free(data);
	return err;
}

/* Programs that attach by BTF id need the running kernel's ids, whatever file --btf names. */
static int plan_number(struct skeleton *sk)
{
	struct attach_plan running = { 0 };
	struct btf_view *kernel;
	int err;

	if (!sk->config->btf || btf_view_open(NULL, &kernel))
		return 0; /* without types there is no fentry, which is reported elsewhere */
	err = attach_plan_build(&running, sk->source->hooks, kernel, sk->method);
	for (size_t i = 0; !err && i < sk->plan.count; i++)
		sk->plan.hooks[i].btf_id = running.hooks[i].btf_id;
	attach_plan_free(&running);
	btf_view_close(kernel);
	return err;
}

/* True if the method would miss something here; false if the user chose it by name. */
static bool method_misses(const struct skeleton *sk)
{
	return attach_plan_misses(&sk->plan) && sk->config->asked != sk->method;
}

static int plan_build(struct skeleton *sk, const struct btf_min *m)
{
	struct btf_lookup w = { 0 };
	int err;

	attach_plan_want(sk->source->hooks, &w);
	btf_min_want(m, &w);
	err = btf_lookup_find(&w, *sk->config->types);
	if (!err)
		err = attach_plan_decide(&sk->plan, sk->source->hooks, *sk->config->types, &w,
					 sk->method);
	if (!err && method_misses(sk))
		err = -EOPNOTSUPP;
	if (!err && sk->types_fd >= 0)
		err = types_write(sk, m, &w);
	btf_lookup_free(&w);
	return err;
}

/* The object must be open, because it names the types that it needs. */
static int types_prepare(struct skeleton *sk)
{
	struct btf_view **types = sk->config->types;
	struct btf_min small = { 0 };
	int err = *types || !btf_view_open(sk->config->btf, types) ? 0 : -EIO;

	if (!err && sk->types_fd >= 0)
		err = btf_min_open(&small, sk->base->data, sk->base->data_sz);
	if (!err)
		err = plan_build(sk, &small);
	if (!err)
		err = plan_number(sk);
	btf_min_close(&small);
	return err;
}

/* ---- maps and programs ---- */

static int map_fd(const struct skeleton *sk, const char *name)
{
	return bpf_object__find_map_fd_by_name(sk->object, name);
}

static int map_size(struct skeleton *sk, const char *name, uint32_t entries)
{
	struct bpf_map *map = bpf_object__find_map_by_name(sk->object, name);

	return map ? bpf_map__set_max_entries(map, entries) : 0;
}

/* Gives maps scratch and scratch_… one entry per CPU. */
static int scratch_size(struct skeleton *sk)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, sk->object)
		if (!err && !strncmp(bpf_map__name(map), "scratch", strlen("scratch")))
			err = bpf_map__set_max_entries(map, libbpf_num_possible_cpus());
	return err;
}

static int maps_size(struct skeleton *sk)
{
	const struct skeleton_config *c = sk->config;
	int err = map_size(sk, "ring", c->buffer);

	if (!err && !c->family) /* its entries are preallocated: shrink it if unused */
		err = map_size(sk, "followed", 1);
	if (!err && c->filter->want_inner)
		err = map_size(sk, "inners", EVENT_INNERS_MAX);
	if (!err && c->names)
		err = map_size(sk, "names", glob_rows(*c->names));
	return err ?: scratch_size(sk);
}

static int maps_share(struct skeleton *sk)
{
	const struct skeleton_maps *m = &sk->config->shared;
	const struct {
		const char *name;
		int fd;
	} shared[] = {
		{ "ring", m->ring },	   { "losses", m->losses }, { "followed", m->followed },
		{ "cgroups", m->cgroups }, { "inners", m->inners },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]) && !err; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(sk->object, shared[i].name);

		if (map && shared[i].fd >= 0)
			err = bpf_map__reuse_fd(map, shared[i].fd);
	}
	return err;
}

static int names_fill(struct skeleton *sk)
{
	glob_table *table = sk->config->names;
	uint32_t rows = table ? glob_rows(*table) : 0, i;
	int fd = map_fd(sk, "names");

	for (i = 0; i < rows; i++)
		if (bpf_map_update_elem(fd, &i, (*table)[i], BPF_ANY))
			return -errno;
	return 0;
}

static int cgroups_set(struct skeleton *sk)
{
	const struct skeleton_config *c = sk->config;

	for (uint32_t i = 0; i < c->cgroup_count; i++)
		if (bpf_map_update_elem(sk->maps.cgroups, &i, &c->cgroup_fds[i], BPF_ANY))
			return -errno;
	return 0;
}

static int unattached_want(struct skeleton *sk)
{
	const char *const *name = sk->source->unattached;
	int err = 0;

	for (; name && *name && !err; name++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(sk->object, *name);

		err = prog ? bpf_program__set_autoload(prog, true) : -ESRCH;
	}
	return err;
}

static int object_load(struct skeleton *sk)
{
	int err = maps_size(sk);

	*sk->filter = *sk->config->filter;
	if (!err)
		err = maps_share(sk);
	if (!err)
		err = attach_plan_apply(&sk->plan, sk->object);
	if (!err)
		err = unattached_want(sk);
	if (!err)
		err = bpf_object__load_skeleton(sk->base);
	if (err)
		return err;
	sk->maps = (struct skeleton_maps){ map_fd(sk, "ring"), map_fd(sk, "losses"),
					   map_fd(sk, "followed"), map_fd(sk, "cgroups"),
					   map_fd(sk, "inners") };
	err = names_fill(sk) ?: cgroups_set(sk);
	return err || !sk->source->loaded ? err : sk->source->loaded(sk);
}

static void types_drop(struct skeleton *sk)
{
	if (sk->types_fd >= 0)
		close(sk->types_fd);
	sk->types_fd = -1;
}

static int method_load(struct skeleton *sk)
{
	int err = sk->source->open(sk, sk->config->param);

	if (!err)
		err = types_prepare(sk);
	if (!err)
		err = object_load(sk);
	types_drop(sk);
	return err;
}

int skeleton_open(struct skeleton *sk, const struct skeleton_source *source,
		  const struct skeleton_config *config)
{
	int err;

	sk->source = source;
	sk->config = config;
	sk->types_fd = -1;
	err = source->open(sk, config->param);
	types_drop(sk);
	return err;
}

int skeleton_expect(const struct skeleton_source *source, const struct skeleton_config *config,
		    struct btf_view *types)
{
	struct skeleton sk = { 0 };
	struct btf_lookup names = { 0 };
	struct btf_min small = { 0 };
	int err = skeleton_open(&sk, source, config);

	if (!err)
		err = btf_min_open(&small, sk.base->data, sk.base->data_sz);
	if (!err) {
		attach_plan_want(source->hooks, &names);
		btf_min_want(&small, &names);
		btf_view_expect(types, &names);
	}
	btf_min_close(&small);
	skeleton_free(&sk);
	return err;
}

/* ---- trying the attach order ---- */

/* Fentry if the kernel has it; if the kernel refuses it, kprobes. */
static const enum attach_method_id order_usual[] = { ATTACH_ANY, ATTACH_KPROBE, ATTACH_END };

const enum attach_method_id *skeleton_order(const struct skeleton_source *source, bool preempts)
{
	return preempts && source->order_preempted ? source->order_preempted : order_usual;
}

/* Undoes everything, but keeps the plan. */
static void loaded_close(struct skeleton *sk)
{
	attach_plan_detach(&sk->plan);
	if (sk->skel) {
		free((void *)sk->base->data); /* allocated by skel_unpack */
		sk->destroy(sk->skel);
	}
	sk->skel = NULL;
	sk->object = NULL;
}

int skeleton_try(struct skeleton *sk, const struct skeleton_source *source,
		 const struct skeleton_config *config, enum attach_method_id method)
{
	int err;

	sk->source = source;
	sk->config = config;
	sk->method = method;
	sk->types_fd = -1;
	err = method_load(sk);
	if (!err && !config->load_only)
		err = attach_plan_attach(&sk->plan, sk->object);
	if (err)
		loaded_close(sk);
	return err;
}

/* True if an error is more useful than an earlier one: "no program for this method" and "no trampolines" are less
 * so. */
static bool is_more_useful(int err, int before)
{
	if (!before || before == -EOPNOTSUPP || before == -KERNEL_ENOTSUPP)
		return true;
	return err != -ENOENT && before != -EPERM && before != -ENOMEM && before != -EMFILE &&
	       before != -ERR_SWITCHED_OFF;
}

int skeleton_load(struct skeleton *sk, const struct skeleton_source *source,
		  const struct skeleton_config *config, const enum attach_method_id *order)
{
	int first = 0;

	for (const enum attach_method_id *method = order; *method != ATTACH_END; method++) {
		int err = skeleton_try(sk, source, config, *method);

		if (!err)
			return 0;
		if (is_more_useful(err, first)) {
			snprintf(sk->failed, sizeof(sk->failed), "%s", sk->plan.failed ?: "");
			first = err;
		}
		if (err == -ENOENT)
			break;
		log_debug(1, "%s refused: %s",
			  *method == ATTACH_ANY ? "fentry" : attach_method_name(*method, false),
			  errtext(-err));
	}
	return first;
}

void skeleton_free(struct skeleton *sk)
{
	loaded_close(sk);
	attach_plan_free(&sk->plan);
}
