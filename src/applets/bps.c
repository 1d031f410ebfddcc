/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bps.c - the BPF programs that are loaded, like ps: who loaded and holds them, where they are attached, and how much time
 * they take.
 *
 * Nothing is attached. The kernel counts runs and times of all programs itself while a descriptor of BPF_ENABLE_STATS
 * is open. A report lists the programs anew: those that are loaded during the run are in the next one.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/applet.h"
#include "cli/complete.h"
#include "kernel/bpf_holders.h"
#include "kernel/bpf_links.h"
#include "kernel/bpf_programs.h"
#include "kernel/interface.h"
#include "probe/providers/bpf_search.h"
#include "probe/providers/bpf_types.h"
#include "run/session.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/log.h"

struct bps_row {
	uint32_t id, uid, maps;
	const char *type, *name, *tag;
	uint64_t loaded;	   /* CLOCK_MONOTONIC ns */
	uint64_t memory;	   /* bytes */
	uint64_t runs, time, each; /* time, each: ns */
	int64_t cpu;		   /* hundredths of a percent of one processor */
	const char *pids, *attached, *map_list;
};

/* A program of one report, with the texts of its row. */
struct bps_program {
	struct bps_row row;
	char name[128], tag[BPF_PROGRAM_TAG];
	struct buf pids, attached, maps; /* owned */
	uint32_t last_pid;
};

/* What a program had counted when the time of a report began. */
struct bps_count {
	uint32_t id;
	uint64_t runs, time;
};

static struct {
	char **wanted; /* ids, names, tags, patterns of names */
	int wanted_count;
	bool measures; /* statistics are switched on */
	int stats;     /* the descriptor that keeps them on; -1: none */
	struct bps_program *programs;
	size_t program_count, program_room;
	struct bps_count *counts;
	size_t count_count, count_room;
	uint64_t since; /* CLOCK_MONOTONIC ns: the time of `counts` */
	const struct btf_view *kernel;
} bps = { .stats = -1 };

/* ---- one program ---- */

static void programs_free(void)
{
	for (size_t i = 0; i < bps.program_count; i++) {
		buf_free(&bps.programs[i].pids);
		buf_free(&bps.programs[i].attached);
		buf_free(&bps.programs[i].maps);
	}
	bps.program_count = 0;
}

static bool is_wanted(const struct bpf_program_info *info)
{
	bool wanted = !bps.wanted_count;

	for (int i = 0; i < bps.wanted_count; i++)
		wanted |= bpf_program_matches(bps.kernel, bps.wanted[i], info);
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

static int program_add(const struct bpf_program_info *info, int fd, uint64_t elapsed)
{
	/* CLOCK_BOOTTIME goes on while the machine sleeps */
	uint64_t now = now_ns(), asleep = clock_ns(CLOCK_BOOTTIME) - now;
	struct bps_program *p;

	if (!ARRAY_RESERVE(bps.programs, bps.program_count, bps.program_room, 64))
		return -ENOMEM;
	p = &bps.programs[bps.program_count++];
	*p = (struct bps_program){ .row = { .id = info->id,
					    .uid = info->uid,
					    .maps = info->map_count,
					    .memory = bpf_program_memory(fd) } };
	p->row.type = bpf_program_type(bps.kernel, info->type) ?: "unknown type";
	p->row.loaded = info->loaded > asleep ? info->loaded - asleep : 1;
	snprintf(p->name, sizeof(p->name), "%s", bpf_function_name(bps.kernel, info, 0));
	memcpy(p->tag, info->tag, sizeof(p->tag));
	buf_init(&p->pids, -1);
	buf_init(&p->attached, -1);
	buf_init(&p->maps, -1);
	cost_set(&p->row, info, elapsed);
	if (bps.wanted_count)
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
	    btf_view_from_split(bps.kernel, bytes, size, &view)) {
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
		buf_printf(o, ":%s", btf_view_name(bps.kernel, function));
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

static void holder_add(void *ctx, uint32_t pid, int fd, enum bpf_holding what, uint32_t program)
{
	(void)ctx;
	if (what == BPF_HOLDS_EVENT)
		bpf_event_place(pid, fd, event_add, &pid);
	else
		pid_add(program, pid);
}

/* ---- all programs ---- */

static int programs_read(uint64_t elapsed)
{
	struct bpf_program_info info;
	uint32_t id = 0;
	int fd, err = 0;

	programs_free();
	while (!err && (fd = bpf_program_next(id, &info)) >= 0) {
		id = info.id;
		err = is_wanted(&info) ? program_add(&info, fd, elapsed) : 0;
		close(fd);
	}
	return err ?: fd == -ENOENT ? 0 : fd;
}

/* From now on reports are about what the programs do from now on. */
static int counts_read(void)
{
	struct bpf_program_info info;
	uint32_t id = 0;
	int fd;

	bps.count_count = 0;
	bps.since = now_ns();
	while ((fd = bpf_program_next(id, &info)) >= 0) {
		id = info.id;
		close(fd);
		if (!ARRAY_RESERVE(bps.counts, bps.count_count, bps.count_room, 64))
			return -ENOMEM;
		bps.counts[bps.count_count++] = (struct bps_count){ id, info.runs, info.run_ns };
	}
	return fd == -ENOENT ? 0 : fd;
}

/* A text of the row; NULL: there is none. */
static const char *text_of(struct buf *o)
{
	if (!o->len)
		return NULL;
	buf_char(o, '\0');
	return o->error ? NULL : o->data;
}

static int bps_report(struct session *s, struct report *out)
{
	uint64_t elapsed = bps.measures ? now_ns() - bps.since : 0;
	int err = programs_read(elapsed);

	if (!err)
		err = bpf_links_each(place_add, NULL);
	if (err == -EINVAL) /* before 5.8 */
		err = 0;
	bpf_holders_each(holder_add, NULL);
	out->since = 0; /* no total: a program is no call */
	for (size_t i = 0; i < bps.program_count && !err; i++) {
		struct bps_program *p = &bps.programs[i];

		p->row.name = p->name;
		p->row.tag = p->tag;
		p->row.pids = text_of(&p->pids);
		p->row.attached = text_of(&p->attached);
		p->row.map_list = text_of(&p->maps);
		err = report_row(out, &p->row, sizeof(p->row));
	}
	return err ?: s->options.report.clear && bps.measures ? counts_read() : 0;
}

/* ---- the run ---- */

static int rights_fail(int err)
{
	if (err == -EPERM) {
		log_error("cannot read the list of BPF programs: that needs CAP_SYS_ADMIN");
		log_hint("run it as root");
	} else {
		log_error("cannot read the list of BPF programs: %s", strerror(-err));
	}
	return EXIT_CANNOT;
}

/* Reports a PROGRAM that is none of the kernel's. */
static int wanted_check(const char *wanted)
{
	struct bpf_program_info info;
	uint32_t id = 0;
	bool found = false;
	int fd;

	while (!found && (fd = bpf_program_next(id, &info)) >= 0) {
		id = info.id;
		found = bpf_program_matches(bps.kernel, wanted, &info);
		close(fd);
	}
	if (found)
		return EXIT_FINE;
	log_error("this kernel has no BPF program %s", wanted);
	log_hint("bps lists all of them");
	return EXIT_USAGE;
}

static int bps_attach(struct session *s)
{
	struct bpf_program_info info;
	int fd = bpf_program_next(0, &info), code = EXIT_FINE;

	if (fd < 0 && fd != -ENOENT)
		return rights_fail(fd);
	if (fd >= 0)
		close(fd);
	bps.kernel = s->btf;
	interfaces_read(); /* later that may be refused */
	for (int i = 0; i < bps.wanted_count && !code; i++)
		code = wanted_check(bps.wanted[i]);
	if (code)
		return code;
	s->needs.programs = s->needs.reads_files = true;
	if (!bps.measures)
		return EXIT_FINE;
	bps.stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (bps.stats < 0) {
		log_error("cannot switch the statistics of BPF programs on: %s", strerror(errno));
		log_hint(
			errno == EINVAL ?
				"before Linux 5.8, sysctl kernel.bpf_stats_enabled=1 does it for all programs" :
				"that needs CAP_SYS_ADMIN");
		return EXIT_CANNOT;
	}
	return counts_read() ? rights_fail(-ENOMEM) : EXIT_FINE;
}

static int bps_dry_run(struct session *s)
{
	buf_printf(&s->out, "nothing is attached%s\n",
		   bps.measures ? "; the kernel's statistics are switched on" : "");
	return EXIT_FINE;
}

static void bps_loaded(struct session *s)
{
	(void)s;
}

static void bps_detach(struct session *s)
{
	(void)s;
}

static void bps_close(struct session *s)
{
	(void)s;
	if (bps.stats >= 0)
		close(bps.stats);
	programs_free();
	free(bps.programs);
	free(bps.counts);
}

static const struct tracer_ops bps_tracer = {
	.attach = bps_attach,
	.dry_run = bps_dry_run,
	.loaded = bps_loaded,
	.detach = bps_detach,
	.close = bps_close,
};

/* ---- the descriptor ---- */

#define AT(member) FIELD_AT(struct bps_row, member)
enum { COLUMN_MAP_LIST = 13 };
/* clang-format off */
static struct field fields[] = {
	{ .name = "id", AT(id), .type = FIELD_UINT, .help = "number of the program" },
	{ .name = "program_type", .title = "TYPE", AT(type), .type = FIELD_TEXT, .help = "kind of program, by the kernel's name" },
	{ .name = "uid", AT(uid), .type = FIELD_UINT, .help = "user that loaded it" },
	{ .name = "maps", AT(maps), .type = FIELD_UINT, .help = "number of its maps" },
	{ .name = "loaded", AT(loaded), .type = FIELD_TIME, .help = "when it was loaded" },
	{ .name = "memory", AT(memory), .type = FIELD_UINT, .flags = FIELD_GAUGE, .help = "bytes of locked memory, without its maps" },
	{ .name = "name", AT(name), .type = FIELD_TEXT, .help = "its name, whole if it was loaded with types" },
	{ .name = "tag", AT(tag), .type = FIELD_TEXT, .flags = FIELD_JSON_ONLY, .help = "hash of its instructions" },
	{ .name = "runs", AT(runs), .type = FIELD_UINT, .flags = FIELD_SPARSE | FIELD_COUNTER,
	  .help = "how often it ran while statistics were on" },
	{ .name = "time", AT(time), .type = FIELD_NS, .flags = FIELD_SPARSE | FIELD_SORT | FIELD_COUNTER, .help = "time of all these runs" },
	{ .name = "each", AT(each), .type = FIELD_NS, .flags = FIELD_SPARSE | FIELD_GAUGE, .help = "average time of a run" },
	{ .name = "cpu", AT(cpu), .type = FIELD_HUNDREDTHS, .flags = FIELD_SPARSE | FIELD_GAUGE,
	  .help = "percent of one processor, with -d or --interval" },
	{ .name = "pids", AT(pids), .type = FIELD_TEXT, .help = "processes that hold it, its link or its perf event" },
	[COLUMN_MAP_LIST] = { .name = "map_names", AT(map_list), .type = FIELD_TEXT, .help = "with PROGRAM: number and name of each map" },
	{ .name = "attached", AT(attached), .type = FIELD_TEXT, .help = "where it is attached, if a link or a perf event says so" },
};
/* clang-format on */

static int bps_args(struct session *s, int argc, char **argv)
{
	bps.wanted = argv;
	bps.wanted_count = argc;
	bps.measures = s->options.limits.duration_ns || s->options.report.interval_ns;
	if (!argc)
		fields[COLUMN_MAP_LIST].flags |= FIELD_OPTIONAL;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && bps.measures; i++)
		fields[i].flags &= ~FIELD_SPARSE;
	if (bps.measures)
		return 0;
	s->options.limits.duration_ns = 1; /* one report, at once */
	log_quiet(true);
	return 0;
}

/* For the shell: names of programs, if this process may know them. */
static void bps_words(struct completion *c, const char *begin)
{
	struct bpf_program_info info;
	uint32_t id = 0;
	int fd;

	(void)begin;
	while ((fd = bpf_program_next(id, &info)) >= 0) {
		id = info.id;
		close(fd);
		completion_word(c, info.name, "BPF program");
	}
}

static const struct example examples[] = {
	{ "bps", "all programs" },
	{ "bps -d 10", "what each costs, in ten seconds" },
	{ "bps --interval 1 --clear --screen",
	  "the same as a table that is renewed each second, like top" },
	{ "bps 'on_*'", "programs by name, with their maps" },
	{ "bps -j | jq -r 'select(.program_type == \"XDP\").attached'",
	  "devices with XDP programs" },
	{ 0 },
};

const struct applet bps_applet = {
	.name = "bps",
	.summary = "list the BPF programs that are loaded, and what they cost",
	.description =
		"Prints a row for each BPF program of this kernel: its number, type and name, who loaded it and when, which "
		"processes hold it, and where it is attached. PROGRAM is a number, a name, a tag or a pattern of names; then "
		"the maps are listed, too.\n\n"
		"With -d or --interval it switches the kernel's statistics of BPF programs on, as long as it runs, and shows how "
		"often each program ran and how long. Each run of any program then costs a little more. Without these options "
		"RUNS and TIME are what the kernel has counted, if kernel.bpf_stats_enabled is 1.",
	.args = "[PROGRAM...]",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_JSON | OPTION_GROUP_BTF |
		  OPTION_GROUP_AGGREGATE,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct bps_row),
	.is_bare = true,
	.noun = "program",
	.examples = examples,
	.overhead =
		"Nothing is attached. With statistics the kernel reads a clock twice per run of each program.",
	.blind_spots =
		"The kernel tells the place of a program only through a link, or through a perf event of a process. ATTACHED has "
		"no names of functions for kprobe.multi and uprobe.multi, only their number. A program that is unloaded "
		"before a report is not in it, and neither are its runs.",
	.sees = "all BPF programs that are loaded, also those that no process holds; links, and perf events of processes that it may "
		"read",
	.unseen =
		"programs that were loaded and unloaded between two reports; places without a link (classic tc, XDP by netlink, "
		"cgroups before 5.7); links before 5.8",
	.args_set = bps_args,
	.complete = bps_words,
	.report = bps_report,
	.tracer = &bps_tracer,
};
