/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_loader.c - what a kernel's verifier says about programs in bpftrace's language: compiles each line of stdin
 * for this kernel, at its probes, in several ways, and loads it. Nothing is attached. Prints a line each:
 *
 *	VERDICT <tab> WAY <tab> LINE [<tab> WHY]
 *
 * VERDICT: yes, no (the kernel refused it), later or error (the compiler did). Probes: BEGIN (as a raw tracepoint),
 * END, interval (as raw tracepoints), fentry, fexit, kprobe, kretprobe, uprobe, profile, software, hardware. A byte 1 in
 * a line stands for the end of a line of the program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/prog.h"
#include "program/program_load.h"
#include "script/script.h"

enum { LINE_SIZE = 4096, LOG_SIZE = 1 << 20, POINTS_MAX = 8 };

static struct btf_view *btf;
static struct script_world world;
static char log_text[LOG_SIZE];

static uint64_t symbol_of(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 0xffffffff81000000ull;
}

static bool has_helper(uint32_t helpers, const char *name)
{
	return btf_view_enumerator(btf, helpers, name, -1) >= 0;
}

static void world_find(void)
{
	uint32_t helpers = btf_view_find(btf, BTF_KIND_ENUM, "bpf_func_id");

	world = (struct script_world){
		.kernel_symbol = symbol_of,
		.cpus = sysconf(_SC_NPROCESSORS_CONF),
		.has_unsafe = true,
		.has_boot_clock = has_helper(helpers, "BPF_FUNC_ktime_get_boot_ns"),
		.has_tai_clock = has_helper(helpers, "BPF_FUNC_ktime_get_tai_ns"),
		.has_for_each = has_helper(helpers, "BPF_FUNC_for_each_map_elem"),
		.has_loop = has_helper(helpers, "BPF_FUNC_loop"),
		.has_lookup_per_cpu = has_helper(helpers, "BPF_FUNC_map_lookup_percpu_elem"),
	};
}

/* ---- ways to attach ---- */

struct way {
	const char *name;
	bool by_kprobe, untyped, no_probe_read;
};
static const struct way ways[] = {
	{ "typed", false, false, false },
	{ "untyped", false, true, false },
	{ "kprobe", true, false, false },
	{ "kprobe,untyped", true, true, false },
};

struct point {
	struct script_point point;
	struct expr_input in;
	struct prog_type type;
};

static bool is_return(enum script_probe_kind kind)
{
	return kind == PROBE_FEXIT || kind == PROBE_KRETPROBE || kind == PROBE_URETPROBE;
}

static bool is_function(enum script_probe_kind kind)
{
	return kind == PROBE_FENTRY || kind == PROBE_FEXIT || kind == PROBE_KPROBE ||
	       kind == PROBE_KRETPROBE;
}

static bool is_sample(enum script_probe_kind kind)
{
	return kind == PROBE_PROFILE || kind == PROBE_SOFTWARE || kind == PROBE_HARDWARE;
}

static void point_fill(struct point *p, const struct script_attach *attach, const struct way *way)
{
	const char *func = attach->part_count > 1 ? attach->parts[attach->part_count - 1] : "";
	bool is_user = attach->kind == PROBE_UPROBE || attach->kind == PROBE_URETPROBE;
	bool by_kprobe = is_user || attach->kind == PROBE_KPROBE || attach->kind == PROBE_KRETPROBE ||
			 (is_function(attach->kind) && way->by_kprobe);

	p->in = (struct expr_input){ .btf = btf, .run.filter.self = 1, .in_user = is_user };
	expr_target_detect(btf, func, &p->in.target, &p->in.func_id);
	p->in.target.typed_loads = !way->untyped;
	if (is_return(attach->kind))
		p->in.scope = EXPR_SCOPE_RETURN;
	p->in.on_function = is_function(attach->kind);
	p->type = (struct prog_type){ .prog = BPF_PROG_TYPE_RAW_TRACEPOINT };
	if (is_sample(attach->kind)) {
		p->in.target.method = EXPR_CTX_KPROBE;
		p->in.is_sample = true;
		p->type.prog = BPF_PROG_TYPE_PERF_EVENT;
	} else if (by_kprobe) {
		p->in.target.method = EXPR_CTX_KPROBE;
		p->type.prog = BPF_PROG_TYPE_KPROBE;
	} else if (is_function(attach->kind)) {
		p->type.prog = BPF_PROG_TYPE_TRACING;
		p->type.attach = is_return(attach->kind) ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
		p->type.btf_id = p->in.func_id;
	}
	p->in.points_count = 1;
	p->point.attach = attach;
	p->point.in = &p->in;
}

/* ---- loading ---- */

/* The last line but the statistics. */
static void why(char *log)
{
	char *save, *last = "", *before = "";

	for (char *l = strtok_r(log, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(l, "processed ", 10) || !strncmp(l, "verification time", 17) ||
		    !strncmp(l, "stack depth", 11))
			continue;
		before = last;
		last = l;
	}
	printf("\t%s | %s", before, last);
}

static int point_load(struct script *s, struct point *p, struct program_maps *maps,
		      struct script_error *error)
{
	struct program_facts none[2] = { 0 };
	struct expr_program *program = NULL;
	struct program_image image;
	int err = script_compile(s, &world, &p->point, &program, error), fd;

	if (err)
		return err;
	err = program_image_build(&image, program, maps, NULL, none);
	if (err) {
		snprintf(error->message, sizeof(error->message), "maps: %s", strerror(-err));
		expr_free(program);
		return err;
	}
	*log_text = '\0';
	fd = prog_load_as(image.insns, image.count, &p->type, NULL, 0);
	if (fd < 0)
		fd = prog_load_as(image.insns, image.count, &p->type, log_text, sizeof(log_text));
	if (fd < 0 && getenv("VERBOSE"))
		fprintf(stderr, "%s\n", log_text);
	program_image_free(&image);
	expr_free(program);
	if (fd < 0)
		return -EACCES;
	close(fd);
	return 0;
}

static int points_load(struct script *s, const struct way *way, struct script_error *error)
{
	static struct point points[POINTS_MAX];
	static struct script_point all[POINTS_MAX];
	struct program_maps maps = PROGRAM_MAPS_NONE;
	size_t count = 0;
	int err;

	for (size_t i = 0; i < s->probe_count; i++) {
		for (size_t j = 0; j < s->probes[i].attach_count && count < POINTS_MAX; j++) {
			point_fill(&points[count], &s->probes[i].attaches[j], way);
			points[count].point.probe = &s->probes[i];
			all[count] = points[count].point;
			count++;
		}
	}
	err = script_infer(s, &world, all, count, error);
	if (!err)
		err = program_maps_open(&maps, 1 << 16, false, false, NULL);
	for (size_t i = 0; i < count && !err; i++)
		err = point_load(s, &points[i], &maps, error);
	program_maps_close(&maps);
	return err;
}

static void line_load(char *line, const struct way *way)
{
	struct script_error error = { 0 };
	struct script *s = NULL;
	int err;

	for (char *c = line; *c; c++)
		*c = *c == 1 ? '\n' : *c;
	err = script_parse(line, NULL, &s, &error);

	if (!err)
		err = points_load(s, way, &error);
	for (char *c = line; *c; c++)
		*c = *c == '\n' ? 1 : *c;
	printf("%s\t%s\t%s", !err	       ? "yes" :
			     err == -EACCES    ? "no" :
			     error.is_later    ? "later" :
						 "error",
	       way->name, line);
	if (err == -EACCES)
		why(log_text);
	else if (err)
		printf("\t%s", error.message);
	printf("\n");
	fflush(stdout);
	script_free(s);
}

int main(void)
{
	char line[LINE_SIZE];

	if (btf_view_open(NULL, &btf))
		return 1;
	btf_view_names_keep(btf);
	world_find();
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			if (i < 1 || strstr(line, "fentry:") || strstr(line, "fexit:"))
				line_load(line, &ways[i]);
	}
	btf_view_close(btf);
	return 0;
}
