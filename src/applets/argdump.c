/* SPDX-License-Identifier: GPL-2.0 */
/*
 * argdump.c - arguments of kernel functions, followed through pointers by name.
 *
 * The compiler is expr/; here its program is made for what this kernel offers, loaded, attached.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/program.h"
#include "core/session.h"
#include "expr/expr.h"

struct argdump {
	const char *function;
	uint32_t func_id;
	struct expr_target target; /* what this kernel's types promise; a way takes from it */
	struct expr_input input;
	struct expr_program *program;
	struct program_maps maps;
	int prog_fd, link_fd;
};

static struct argdump argdump;
static int dump_stage;
static uint32_t string_max;

static const char *const dump_choices[] = { "none", "tokens", "ast", "types", "plan", "layout",
					    "insns", NULL };

/*
 * What to try, best first. Only the kernel knows what its verifier takes: a program that it
 * refuses is made again in the next way.
 */
static const struct way {
	enum probe_rung rung;
	bool typed_loads, probe_read;
} ways[] = {
	{ PROBE_RUNG_FENTRY, true, true },
	{ PROBE_RUNG_FENTRY, true, false }, /* lockdown=confidentiality forbids probe_read */
	{ PROBE_RUNG_FENTRY, false, true },
	{ PROBE_RUNG_KPROBE_MULTI, true, true },
	{ PROBE_RUNG_KPROBE_MULTI, true, false },
	{ PROBE_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE, false, true },
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static int argdump_args(struct session *s, int argc, char **argv)
{
	if (argc < 1) {
		diag_error("which function? usage: argdump FUNC [EXPR...]");
		diag_hint("for example: argdump vfs_read 'file->f_inode->i_sb->s_type->name'");
		return -EINVAL;
	}
	argdump.function = argv[0];
	argdump.input.texts = (const char *const *)argv + 1;
	argdump.input.count = argc - 1;
	s->private = &argdump;
	s->options.dry_run |= dump_stage != 0;
	return 0;
}

static void error_tell(const struct argdump *a, const struct expr_error *e)
{
	diag_error("%s", e->message);
	if (e->text < a->input.count)
		diag_caret(a->input.texts[e->text], e->start, e->end);
	if (e->hint[0])
		diag_hint("%s", e->hint);
}

static int function_find(struct session *s, struct argdump *a)
{
	int err = expr_target_detect(s->btf, a->function, &a->target, &a->func_id);

	if (!err && a->func_id)
		return EXIT_FINE;
	return probe_explain(a->function, s->btf, err ? err : -ENOENT);
}

static int compile(struct session *s, struct argdump *a, const struct way *way,
		   struct expr_error *error)
{
	*error = (struct expr_error){ .text = (size_t)-1 };

	a->input.btf = s->btf;
	a->input.func_id = a->func_id;
	a->input.string_max = string_max;
	a->input.want_ts = s->options.json || s->options.timestamp != TIMESTAMP_NONE;
	session_filter_fill(s, &a->input.filter);
	a->input.target = a->target;
	a->input.target.rung =
		way->rung == PROBE_RUNG_FENTRY ? EXPR_RUNG_FENTRY : EXPR_RUNG_KPROBE;
	a->input.target.typed_loads = way->typed_loads;
	a->input.target.probe_read = way->probe_read;
	a->input.ring_fd = a->maps.ring;
	a->input.losses_fd = a->maps.losses;
	a->input.wakeup_fd = a->maps.wakeup;
	a->input.followed_fd = a->maps.followed;
	a->input.cgroups_fd = a->maps.cgroups;
	expr_free(a->program);
	a->program = NULL;
	return expr_compile(&a->input, &a->program, error);
}

/* For the best way: what is wrong with an expression there is the user's mistake. */
static int compile_or_tell(struct session *s, struct argdump *a)
{
	struct expr_error error;
	int err = compile(s, a, &ways[0], &error);

	if (err == -ENOMEM)
		diag_error("out of memory");
	else if (err)
		error_tell(a, &error);
	return err;
}

static int way_load(struct argdump *a, const struct way *way, char *log, size_t log_size)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(a->program, &count);

	return program_load(insns, count, way->rung, a->func_id, log, log_size);
}

/* -vv: why the verifier said no. */
static void refusal_tell(struct argdump *a, const struct way *way, int err)
{
	static char log[1 << 16];

	diag_debug(1, "%s with %s loads%s: %s", probe_rung_name(way->rung, false),
		   way->typed_loads ? "typed" : "probe_read",
		   way->probe_read ? "" : ", no probe_read", strerror(-err));
	if (diag_level() < 2)
		return;
	way_load(a, way, log, sizeof(log));
	diag_debug(2, "%s", log);
}

/* One way: compile, load, attach. Returns 0, or -errno to go on with the next. */
static int way_try(struct session *s, struct argdump *a, const struct way *way)
{
	struct expr_error error;
	int err = compile(s, a, way, &error);

	if (err) {
		diag_debug(1, "not by %s: %s", probe_rung_name(way->rung, false), error.message);
		return err;
	}
	a->prog_fd = way_load(a, way, NULL, 0);
	if (a->prog_fd < 0) {
		refusal_tell(a, way, a->prog_fd);
		return a->prog_fd;
	}
	a->link_fd = program_attach(a->prog_fd, way->rung, a->function);
	if (a->link_fd >= 0)
		return 0;
	diag_debug(1, "cannot attach by %s: %s", probe_rung_name(way->rung, false),
		   strerror(-a->link_fd));
	close(a->prog_fd);
	a->prog_fd = -1;
	return a->link_fd;
}

static int ways_try(struct session *s, struct argdump *a)
{
	int err = -EINVAL, first = 0;

	for (const struct way *way = ways; way < ways + WAYS; way++) {
		if (s->options.rung != PROBE_RUNG_ANY && (int)way->rung != s->options.rung)
			continue;
		err = way_try(s, a, way);
		if (!err)
			diag_debug(1, "%s %s, %s loads", probe_rung_name(way->rung, false),
				   a->function, way->typed_loads ? "typed" : "probe_read");
		if (!err)
			return 0;
		first = first ? first : err;
		if (err == -EPERM && geteuid())
			break;
	}
	return first ? first : err;
}

static int dump(struct session *s, struct argdump *a)
{
	if (compile_or_tell(s, a))
		return EXIT_USAGE;
	expr_dump(a->program, EXPR_STAGE_TOKENS + dump_stage - 1, &s->out);
	return out_flush(&s->out) ? EXIT_FAILED : EXIT_FINE;
}

static int maps_open(struct session *s, struct argdump *a)
{
	int err = program_maps_open(&a->maps, s->options.buffer,
				    s->options.follow || s->options.command,
				    s->options.cgroup != NULL);

	if (err)
		return err;
	s->ring_fd = a->maps.ring;
	s->losses_fd = a->maps.losses;
	s->followed_fd = a->maps.followed;
	s->cgroups_fd = a->maps.cgroups;
	s->wakeup = a->maps.wakeup_page;
	session_wakeup_set(s);
	return session_cgroup_set(s);
}

static int argdump_attach(struct session *s)
{
	struct argdump *a = s->private;
	int code = function_find(s, a), err;

	if (code)
		return code;
	a->prog_fd = a->link_fd = -1;
	err = maps_open(s, a);
	if (!err)
		err = ways_try(s, a);
	/* a wrong expression is told before a lack of rights */
	if (err && compile_or_tell(s, a))
		return EXIT_USAGE;
	if (err)
		return probe_explain(a->function, s->btf, err);
	s->schema = *expr_schema(a->program);
	return EXIT_FINE;
}

static int argdump_plan(struct session *s)
{
	struct argdump *a = s->private;
	int code = function_find(s, a);

	a->maps = (struct program_maps){ -1, -1, -1, -1, -1, NULL };
	if (code)
		return code;
	if (dump_stage)
		return dump(s, a);
	if (compile_or_tell(s, a))
		return EXIT_USAGE;
	out_printf(&s->out, "%s %s\n", probe_rung_name(ways[0].rung, false), a->function);
	expr_describe(a->program, &s->out);
	return EXIT_FINE;
}

static void argdump_detach(struct session *s)
{
	struct argdump *a = s->private;

	if (a->link_fd >= 0)
		close(a->link_fd);
	a->link_fd = -1;
	losses_add_program(&s->losses, a->prog_fd);
}

static void argdump_close(struct session *s)
{
	struct argdump *a = s->private;

	if (!a)
		return;
	expr_free(a->program);
	program_maps_close(&a->maps);
}

static const struct option_spec argdump_options[] = {
	{ .name = "dump", .type = OPTION_CHOICE, .arg = "STAGE", .value = &dump_stage,
	  .choices = dump_choices,
	  .help = "print what a stage of the compiler makes, and stop: tokens, ast, types, plan, "
		  "layout or insns" },
	{ .name = "string", .letter = 's', .type = OPTION_UINT, .arg = "BYTES",
	  .value = &string_max, .help = "longest string, with its NUL (default 128)" },
	{ 0 },
};

static const struct example argdump_examples[] = {
	{ "argdump vfs_read 'file->f_inode->i_sb->s_type->name'",
	  "the file system behind every read" },
	{ "argdump do_sys_openat2", "every parameter of the function" },
	{ "argdump -c cat -n 3 vfs_read name='file->f_path.dentry->d_name.name' count",
	  "three reads by cat: name of the file, bytes asked for" },
	{ "argdump --dump=plan vfs_read 'file->f_inode->i_ino'",
	  "how an expression would be read; needs no root" },
	{ 0 },
};

const struct applet argdump_applet = {
	.name = "argdump",
	.summary = "print arguments of any kernel function, through any pointers, by name",
	.description =
		"FUNC is a kernel function. Each EXPR is a C expression over its parameters: "
		"names, ->, ., [N], * and &, to any depth, resolved against the running kernel's "
		"own types. Without EXPR all parameters are printed.\n\n"
		"NAME=EXPR names a value; EXPR:FORMAT formats it: d u x o c b str ustr p.\n\n"
		"A pointer that is NULL, or memory that cannot be read, is named in the output "
		"instead of a value.",
	.buffer = 2 << 20,
	.args = "FUNC [[NAME=]EXPR[:FORMAT]...]",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_TASK |
		  OPTION_GROUP_JSON | OPTION_GROUP_BTF,
	.options = argdump_options,
	.examples = argdump_examples,
	.overhead = "",
	.blind_spots = "Calls that the compiler inlined: they are no calls. Functions that the "
		       "kernel marks notrace. coretap's own calls.",
	.args_set = argdump_args,
	.attach = argdump_attach,
	.plan = argdump_plan,
	.detach = argdump_detach,
	.close = argdump_close,
};
