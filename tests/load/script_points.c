/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_points.c - compiling a program at its points, and loading it (script_points.h).
 *
 * Points are as bt has them: BEGIN, END and self are raw tracepoints that the process runs itself, interval, profile,
 * software and hardware are perf events, functions are probed by a way.
 */
#include "script_points.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/prog.h"
#include "probe/providers/tracefs.h"

enum { LOG_SIZE = 1 << 20, POINTS_MAX = 8, KEYS_MOST = 64, STRING_OF_KEYS = 200 };

static struct btf_view *btf;
static struct script_world world;
static struct expr_target target;
static char log_text[LOG_SIZE];
/* Of all programs, so that their large ones are made once; those of a script are closed behind it. */
static struct program_maps maps = PROGRAM_MAPS_NONE;

int points_errno;

const struct way ways[WAYS] = {
	{ "typed", false, false },
	{ "untyped", false, true },
	{ "kprobe", true, false },
	{ "kprobe,untyped", true, true },
};

char *points_log(void)
{
	return log_text;
}

const char *points_log_end(void)
{
	const char *at = log_text + strlen(log_text);

	for (int lines = 0; at > log_text && lines < 12; at--)
		lines += at[-1] == '\n';
	return at > log_text ? at + 1 : at;
}

bool points_too_long(void)
{
	return verifier_remedy(-points_errno);
}

/* ---- the world ---- */

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

/* Before 5.11 keys have 512 bytes. */
static void keys_try(void)
{
	int fd = prog_map_create(BPF_MAP_TYPE_HASH, "keys", 1024, 4, 1, 0);

	if (fd >= 0)
		close(fd);
	else
		world.key_most = 512;
}

int points_open(void)
{
	uint32_t none;
	int err = btf_view_open(NULL, &btf);

	if (!err)
		err = expr_target_detect(btf, "", &target, &none);
	if (err)
		return err;
	btf_view_names_build(btf);
	world_find();
	keys_try();
	return program_maps_open(&maps, 1 << 16, false, false, NULL);
}

void points_close(void)
{
	program_maps_close(&maps);
	btf_view_close(btf);
}

/* ---- a point ---- */

struct point {
	struct script_point point;
	struct expr_input in;
	struct prog_type type;
	struct script_name name;
	struct script_names names;
	struct tracefs_event event;
};

static bool is_return(enum script_probe_kind kind)
{
	return kind == PROBE_FEXIT || kind == PROBE_KRETPROBE || kind == PROBE_URETPROBE;
}

static bool is_user(enum script_probe_kind kind)
{
	return kind == PROBE_UPROBE || kind == PROBE_URETPROBE;
}

static bool is_function(enum script_probe_kind kind)
{
	return kind == PROBE_FENTRY || kind == PROBE_FEXIT || kind == PROBE_KPROBE ||
	       kind == PROBE_KRETPROBE;
}

static bool is_sample(enum script_probe_kind kind)
{
	return kind == PROBE_PROFILE || kind == PROBE_SOFTWARE || kind == PROBE_HARDWARE ||
	       kind == PROBE_INTERVAL;
}

static void function_fill(struct point *p, enum script_probe_kind kind, const struct way *way)
{
	p->in.site.on_function = is_function(kind);
	p->in.site.in_user = is_user(kind);
	if (is_return(kind))
		p->in.scope = EXPR_SCOPE_RETURN;
	if (is_user(kind) || kind == PROBE_KPROBE || kind == PROBE_KRETPROBE || way->by_kprobe) {
		p->in.target.method = EXPR_CTX_KPROBE;
		p->type.prog = BPF_PROG_TYPE_KPROBE;
		return;
	}
	p->type.prog = BPF_PROG_TYPE_TRACING;
	p->type.attach = is_return(kind) ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
	p->type.btf_id = p->in.site.func_id;
}

static int event_fill(struct point *p, const struct script_attach *attach)
{
	int err = tracefs_event_read(attach->parts[1], attach->parts[2], &p->event);

	if (err)
		return err;
	p->in.target.method = EXPR_CTX_EVENT;
	p->in.site.params = p->event.params;
	p->in.site.param_count = p->event.count;
	p->type.prog = BPF_PROG_TYPE_TRACEPOINT;
	return 0;
}

static void tracepoint_fill(struct point *p, const char *name)
{
	char iterator[128], hook[128];

	snprintf(iterator, sizeof(iterator), "__traceiter_%s", name);
	snprintf(hook, sizeof(hook), "btf_trace_%s", name);
	p->in.site.func_id = btf_view_func(btf, iterator);
	p->in.site.params_skipped = 1;
	p->type.prog = BPF_PROG_TYPE_TRACING;
	p->type.attach = BPF_TRACE_RAW_TP;
	p->type.btf_id = btf_view_find(btf, BTF_KIND_TYPEDEF, hook);
}

static int point_fill(struct point *p, const struct script_attach *attach, const struct way *way)
{
	const char *func = attach->part_count > 1 ? attach->parts[attach->part_count - 1] : "";
	int err = 0;

	p->in = (struct expr_input){ .btf = btf, .run.filter.self = 1, .point.count = 1 };
	p->event = (struct tracefs_event){};
	p->in.target = target;
	p->in.site.func_id = *func ? btf_view_func(btf, func) : 0;
	p->in.target.typed_loads = !way->untyped;
	p->type = (struct prog_type){ .prog = BPF_PROG_TYPE_RAW_TRACEPOINT };
	if (is_function(attach->kind) || is_user(attach->kind)) {
		function_fill(p, attach->kind, way);
	} else if (is_sample(attach->kind)) {
		p->in.target.method = EXPR_CTX_KPROBE;
		p->in.site.is_sample = true;
		p->type.prog = BPF_PROG_TYPE_PERF_EVENT;
	} else if (attach->kind == PROBE_TRACEPOINT && attach->part_count == 3) {
		err = event_fill(p, attach);
	} else if (attach->kind == PROBE_RAW_TRACEPOINT) {
		tracepoint_fill(p, func);
	} else {
		p->in.target.method = EXPR_CTX_NONE;
	}
	p->name = (struct script_name){ attach->text, is_function(attach->kind) ? func : "" };
	p->names = (struct script_names){ &p->name, 1 };
	p->point.attach = attach;
	p->point.in = &p->in;
	p->point.names = &p->names;
	return err;
}

/* ---- loading ---- */

static int image_load(const struct program_image *image, const struct prog_type *type)
{
	int fd = prog_load_as(image->insns, image->count, type, NULL, 0);

	*log_text = '\0';
	points_errno = fd < 0 ? -fd : 0;
	if (fd < 0)
		fd = prog_load_as(image->insns, image->count, type, log_text, sizeof(log_text));
	if (fd < 0 && getenv("VERBOSE"))
		fprintf(stderr, "%s\n", log_text);
	return fd < 0 ? -EACCES : fd;
}

/* The program's fd. */
static int point_load(struct script *s, struct point *p, struct script_error *error)
{
	struct program_facts none[2] = { 0 };
	struct expr_program *program = NULL;
	struct program_image image;
	int err = script_compile(s, &world, &p->point, &program, error), fd;

	if (err)
		return err;
	err = program_image_build(&image, program, &maps, NULL, none);
	if (err) {
		snprintf(error->message, sizeof(error->message), "maps: %s", strerror(-err));
		expr_free(program);
		return err;
	}
	fd = image_load(&image, &p->type);
	program_image_free(&image);
	expr_free(program);
	return fd;
}

static void scripts_close(void)
{
	for (size_t i = 0; i < maps.script_count; i++)
		if (maps.scripts[i] >= 0)
			close(maps.scripts[i]);
	maps.script_count = 0;
}

static int points_fill(struct script *s, const struct way *way, struct point *points,
		       struct script_point *all, size_t *count, struct script_error *error)
{
	*count = 0;
	for (size_t i = 0; i < s->probe_count; i++) {
		for (size_t j = 0; j < s->probes[i].attach_count && *count < POINTS_MAX; j++) {
			struct point *p = &points[*count];
			int err = point_fill(p, &s->probes[i].attaches[j], way);

			if (err) {
				snprintf(error->message, sizeof(error->message),
					 "there is no such point");
				return err;
			}
			p->point.probe = &s->probes[i];
			all[(*count)++] = p->point;
		}
	}
	return 0;
}

int points_load(struct script *s, const struct way *way, struct script_error *error,
		void (*ran)(const struct script *s, int fd, const struct program_maps *maps))
{
	static struct point points[POINTS_MAX];
	static struct script_point all[POINTS_MAX];
	size_t count = 0;
	int err = points_fill(s, way, points, all, &count, error), fd;

	if (s->config.max_map_keys > KEYS_MOST)
		s->config.max_map_keys = KEYS_MOST;
	if (world.key_most && s->config.max_strlen > STRING_OF_KEYS)
		s->config.max_strlen = STRING_OF_KEYS; /* as bt has it */
	if (!err)
		err = script_infer(s, &world, all, count, error);
	for (size_t i = 0; i < count && !err; i++) {
		fd = point_load(s, &points[i], error);
		err = fd < 0 ? fd : 0;
		if (fd >= 0 && ran)
			ran(s, fd, &maps);
		if (fd >= 0)
			close(fd);
	}
	scripts_close();
	for (size_t i = 0; i < count; i++)
		if (points[i].event.params)
			tracefs_event_free(&points[i].event);
	return err;
}
