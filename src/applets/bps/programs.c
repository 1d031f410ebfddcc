/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * programs.c - the rows of bps: each program with its costs, who holds it, and where it is attached.
 */
#include "applets/bps/programs.h"

#include <bpf/bpf.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/bpf_holders.h"
#include "kernel/bpf_links.h"
#include "kernel/bpf_programs.h"
#include "output/field/timestamp.h"
#include "probe/providers/bpf_search.h"
#include "probe/providers/bpf_types.h"
#include "util/array.h"
#include "util/buf.h"
#include "util/clock.h"

/* A program of one report, with the texts of its row. */
struct bps_program {
	struct bps_row row;
	char name[128], tag[BPF_PROGRAM_TAG];
	struct buf when, pids, attached, maps; /* owned */
	uint32_t last_pid;
};

/* A program's counters at the start of an interval. */
struct bps_count {
	uint32_t id;
	uint64_t runs, time;
};

static struct {
	const struct bps_choice *choice;
	struct bps_program *programs;
	size_t program_count, program_room;
	struct bps_count *counts;
	size_t count_count, count_room;
	uint64_t since; /* CLOCK_MONOTONIC ns: the time of `counts`; 0: there are none */
} bps;

/* ---- one program ---- */

static void programs_free(void)
{
	for (size_t i = 0; i < bps.program_count; i++) {
		buf_free(&bps.programs[i].when);
		buf_free(&bps.programs[i].pids);
		buf_free(&bps.programs[i].attached);
		buf_free(&bps.programs[i].maps);
	}
	bps.program_count = 0;
}

static bool is_wanted(const struct bpf_program_info *info)
{
	bool wanted = !bps.choice->count;

	for (int i = 0; i < bps.choice->count; i++)
		wanted |= bpf_program_matches(bps.choice->kernel, bps.choice->wanted[i], info);
	return wanted;
}

static const struct bps_count *count_find(uint32_t id)
{
	for (size_t i = 0; i < bps.count_count; i++)
		if (bps.counts[i].id == id)
			return &bps.counts[i];
	return NULL;
}

/* Sets what the program did since the report's time began, or since it was loaded. */
static void cost_set(struct bps_row *row, const struct bpf_program_info *info, uint64_t elapsed)
{
	const struct bps_count *before = count_find(info->id);

	row->runs = info->runs - (before ? before->runs : 0);
	row->time = info->run_ns - (before ? before->time : 0);
	row->each = row->runs ? row->time / row->runs : 0;
	row->cpu = elapsed ? (int64_t)(row->time * 10000.0 / elapsed) : 0;
}

/* Writes ID:NAME of each map. */
static void maps_write(struct buf *o, int fd, uint32_t count)
{
	uint32_t ids[count + 1];
	struct bpf_prog_info info = { .map_ids = (uintptr_t)ids, .nr_map_ids = count };
	__u32 len = sizeof(info);

	if (!count || bpf_obj_get_info_by_fd(fd, &info, &len))
		return;
	for (uint32_t i = 0; i < count && i < info.nr_map_ids; i++) {
		struct bpf_map_info map = { 0 };
		int map_fd = bpf_map_get_fd_by_id(ids[i]);

		len = sizeof(map);
		if (map_fd >= 0 && !bpf_obj_get_info_by_fd(map_fd, &map, &len))
			buf_printf(o, "%s%u:%s", o->len ? " " : "", ids[i], map.name);
		if (map_fd >= 0)
			close(map_fd);
	}
}

static int program_add(void *ctx, const struct bpf_program_info *info, int fd)
{
	const uint64_t *elapsed = ctx;
	/* CLOCK_BOOTTIME goes on while the machine sleeps */
	uint64_t now = now_ns(), asleep = clock_ns(CLOCK_BOOTTIME) - now;
	struct bps_program *p;

	if (!is_wanted(info))
		return 0;
	if (!ARRAY_RESERVE(bps.programs, bps.program_count, bps.program_room, 64))
		return -ENOMEM;
	p = &bps.programs[bps.program_count++];
	*p = (struct bps_program){ .row = { .order = htobe32(info->id),
					    .id = info->id,
					    .uid = info->uid,
					    .maps = info->map_count,
					    .memory = bpf_program_memory(fd) } };
	p->row.type = bpf_program_type(bps.choice->kernel, info->type) ?: "unknown type";
	p->row.loaded = info->loaded > asleep ? info->loaded - asleep : 1;
	snprintf(p->name, sizeof(p->name), "%s", bpf_function_name(bps.choice->kernel, info, 0));
	memcpy(p->tag, info->tag, sizeof(p->tag));
	buf_init(&p->when, -1);
	buf_init(&p->pids, -1);
	buf_init(&p->attached, -1);
	buf_init(&p->maps, -1);
	cost_set(&p->row, info, *elapsed);
	if (bps.choice->count)
		maps_write(&p->maps, fd, info->map_count);
	return 0;
}

/* ---- who holds it, where it is attached ---- */

static struct bps_program *program_find(uint32_t id)
{
	for (size_t i = 0; i < bps.program_count; i++)
		if (bps.programs[i].row.id == id)
			return &bps.programs[i];
	return NULL;
}

static void word_add(struct buf *o, const char *word)
{
	buf_printf(o, "%s%s", o->len ? " " : "", word);
}

/* Returns the types that a link is about; the caller closes what is not the kernel's. NULL: unknown. */
static struct btf_view *types_open(uint32_t id)
{
	struct btf_view *view = NULL;
	void *bytes;
	size_t size;

	if (bpf_types_read(id, &bytes, &size))
		return NULL;
	if (btf_view_from(bytes, size, &view) &&
	    btf_view_from_split(bps.choice->kernel, bytes, size, &view)) {
		free(bytes);
		return NULL;
	}
	return view;
}

/* Writes the name of the function that a program of fentry, LSM … is attached to. */
static void function_write(struct buf *o, uint32_t types, uint32_t function)
{
	struct btf_view *view;

	if (bpf_types_are_kernel(types)) {
		buf_printf(o, ":%s", btf_view_name(bps.choice->kernel, function));
		return;
	}
	view = types_open(types);
	if (view)
		buf_printf(o, ":%s", btf_view_name(view, function));
	btf_view_close(view);
}

static void place_add(void *ctx, const struct bpf_place *place)
{
	struct bps_program *p = program_find(place->program);

	(void)ctx;
	if (!p)
		return;
	word_add(&p->attached, place->place);
	if (place->function)
		function_write(&p->attached, place->types, place->function);
}

static void pid_add(uint32_t program, uint32_t pid)
{
	struct bps_program *p = program_find(program);

	/* one process has the program, its link, and copies of both */
	if (!p || p->last_pid == pid)
		return;
	p->last_pid = pid;
	buf_printf(&p->pids, "%s%u", p->pids.len ? "," : "", pid);
}

static void event_add(void *ctx, const struct bpf_place *place)
{
	place_add(NULL, place);
	pid_add(place->program, *(const uint32_t *)ctx);
}

static void holder_add(void *ctx, const struct bpf_holder *holder)
{
	uint32_t pid = holder->pid;

	(void)ctx;
	if (holder->what == BPF_HOLDS_EVENT)
		bpf_event_place(pid, holder->fd, event_add, &pid);
	else if (holder->program)
		pid_add(holder->program, pid);
}

/* ---- all programs ---- */

static int programs_read(void)
{
	uint64_t elapsed = bps.since ? now_ns() - bps.since : 0;

	programs_free();
	return bpf_programs_each(program_add, &elapsed);
}

static int count_add(void *ctx, const struct bpf_program_info *info, int fd)
{
	(void)ctx, (void)fd;
	if (!ARRAY_RESERVE(bps.counts, bps.count_count, bps.count_room, 64))
		return -ENOMEM;
	bps.counts[bps.count_count++] = (struct bps_count){ info->id, info->runs, info->run_ns };
	return 0;
}

int bps_counts_read(void)
{
	bps.count_count = 0;
	bps.since = now_ns();
	return bpf_programs_each(count_add, NULL);
}

/* ---- the rows ---- */

/* A text of the row; NULL: there is none. */
static const char *text_of(struct buf *o)
{
	if (!o->len)
		return NULL;
	buf_char(o, '\0');
	return o->error ? NULL : o->data;
}

static void texts_set(struct bps_program *p)
{
	timestamp_write_as(&p->when, p->row.loaded, "%F %T");
	p->row.when = text_of(&p->when);
	p->row.name = p->name;
	p->row.tag = p->tag;
	p->row.pids = text_of(&p->pids);
	p->row.attached = text_of(&p->attached);
	p->row.map_list = text_of(&p->maps);
}

int bps_programs_read(const struct bps_choice *choice)
{
	int err;

	bps.choice = choice;
	err = programs_read() ?: bpf_links_each(place_add, NULL);
	if (err == -EINVAL) /* before 5.8 */
		err = 0;
	bpf_holders_each(holder_add, NULL);
	for (size_t i = 0; i < bps.program_count; i++)
		texts_set(&bps.programs[i]);
	return err;
}

const struct bps_row *bps_programs_row(size_t i)
{
	return i < bps.program_count ? &bps.programs[i].row : NULL;
}

static int is_one(void *ctx, const struct bpf_program_info *info, int fd)
{
	const struct bps_choice *one = ctx;

	(void)fd;
	return bpf_program_matches(one->kernel, *one->wanted, info);
}

bool bps_program_exists(const struct bps_choice *choice, size_t i)
{
	struct bps_choice one = { choice->wanted + i, 1, choice->kernel };

	return bpf_programs_each(is_one, &one) > 0;
}

void bps_programs_free(void)
{
	programs_free();
	free(bps.programs);
	free(bps.counts);
}
