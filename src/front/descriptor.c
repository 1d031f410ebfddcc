/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.c - argdump's descriptor: arguments of kernel functions, followed through pointers by
 * name.
 *
 * expr/ compiles the language; probe/ turns the result into a running probe.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_check.h"
#include "probe/argdump.h"
#include "front/front.h"
#include "inspect/inspect.h"
#include "front/notation/notation.h"
#include "front/recipe/recipe.h"
#include "util/escape.h"
#include "util/log.h"

/* --dwarf: a record is as large as 100 ordinary ones */
enum { COPIES_BUFFER = 16 << 20 };

enum { MAX_PROBES = 2000 };

static struct argdump argdump;

static const char *const dump_choices[] = { "none", "tokens", "ast",   "types",
					    "plan", "layout", "insns", NULL };

static void diffs_set(struct argdump *a)
{
	for (size_t i = 0; i < a->diff.given.count; i++)
		a->diff.texts[i] = a->diff.given.items[i].text;
	a->both |= a->diff.given.count != 0;
}

static int recipe_show(const char *name)
{
	struct buf o;
	int code;

	buf_init(&o, STDOUT_FILENO);
	code = recipe_print(name, &o);
	if (buf_flush(&o))
		code = EXIT_FAILED;
	buf_free(&o);
	return code;
}

/* The hooks of the option parser: options of a probe, or of all probes, go to the model. */
static const char *setting_add(const struct option_spec *spec, const char *arg)
{
	return model_option_add(&argdump.model, spec, model_typed(arg));
}

static const char *word_add(const char *arg, bool is_behind)
{
	return model_word_add(&argdump.model, arg, is_behind) ? "out of memory" : NULL;
}

static int wrong_report(const struct option_spec *spec, const char *arg, const char *wrong)
{
	if (!wrong)
		return 0;
	log_error("--%s '%s': %s", spec->name, arg ?: "", wrong);
	return -EINVAL;
}

/* Sets the options in a list that the model stores without interpreting, unless the user has set them. */
static int settings_apply(const struct model_options *list, struct options *o)
{
	const struct model_option *option = NULL;
	int err = 0;

	while (!err && (option = model_options_next(list, MODEL_NONE, option)))
		err = wrong_report(option->spec, option->text.text,
				   option_default(option->spec, option->text.text, o));
	return err;
}

/* Sets the options of front ends and files. */
static int settings_set(struct session *s)
{
	const struct model *m = &argdump.model;
	int err = settings_apply(&m->all, &s->options);

	for (size_t i = 0; i < m->count && !err; i++)
		err = settings_apply(&m->probes[i].own, &s->options);
	if (!err)
		options_check_or_exit(&s->options);
	return err;
}

/* Sets what only some runs have. */
static int parts_set(struct argdump *a, const struct options *o)
{
	const unsigned given = a->model.given;
	int err = 0;

	if (given & MODEL_PAIR || a->pairs.older)
		err = pair_set(a, o);
	if (!err && (given & MODEL_BIT(MODEL_IN) || model_mentions(&a->model, "$depth")))
		err = within_set(a);
	if (!err && (given & MODEL_WINDOW || a->window.before.most))
		err = window_set(a, o);
	return err;
}

static int argdump_args(struct session *s, int argc, char **argv)
{
	int err = 0;

	(void)argc;
	(void)argv;

	probe_kinds = probe_kinds_all;
	argdump.max_probes = argdump.max_probes ?: MAX_PROBES;
	argdump.maps = (struct program_maps)PROGRAM_MAPS_NONE;
	if (argdump.look.list || argdump.look.type) {
		s->private = &argdump;
		return inspect_args(s, &argdump);
	}
	if (argdump.look.recipe)
		exit(recipe_show(argdump.look.recipe));
	if (!argdump.model.count && !argdump.files.load) {
		log_error("missing function; usage: argdump FUNC [EXPR...]");
		log_hint("for example: argdump vfs_read 'file->f_inode->i_sb->s_type->name'");
		return -EINVAL;
	}
	s->private = &argdump;
	s->options.attach.dry_run |= argdump.look.dump_stage || argdump.files.save;
	if (argdump.files.load)
		err = probe_file_read(&argdump);
	if (!err)
		err = settings_set(s) ?: argdump_requests_build(&argdump);
	s->options.files.pcap = argdump.files.pcap;
	if (!err && !argdump.request_count) {
		log_error("'%s' has options but no PROBE", argdump.files.load);
		log_hint("start a line with each PROBE");
		err = -EINVAL;
	}
	diffs_set(&argdump);
	if (!err)
		err = aggregate_set(&argdump.aggregate, &argdump.model, &s->options);
	if (!err && s->options.stacks.folded) /* stacks are keys then */
		s->options.stacks.kernel = s->options.stacks.user = false;
	if (!err && s->options.stacks.dwarf && !aggregate_wanted(&argdump.aggregate))
		s->options.stacks.user = true;
	stacks_announce(s, &argdump);
	if (!err)
		err = argdump_options_check(s, &argdump);
	if (!err && s->options.stacks.dwarf)
		err = stacks_copy_check(s, &argdump);
	if (!err)
		err = parts_set(&argdump, &s->options);
	if (s->options.stacks.dwarf && s->options.attach.buffer == argdump_applet.buffer)
		s->options.attach.buffer = COPIES_BUFFER;
	if (!err)
		s->options.attach.dry_run |= argdump_requests_clear(&argdump);
	return err;
}

/* ---- for other front ends ---- */

struct model *argdump_model(void)
{
	return &argdump.model;
}

int argdump_option_add(const char *name, const char *arg)
{
	const struct option_spec *spec = option_find(&argdump_applet, name);

	return wrong_report(spec, arg, model_option_add(&argdump.model, spec, model_typed(arg)));
}

int argdump_filled_run(struct session *s, void (*show)(const char *words))
{
	struct buf o;

	buf_init(&o, -1);
	buf_str(&o, "argdump");
	model_typed_write(&o, &s->options);
	model_command_write(&o, &argdump.model);
	if (s->options.child.command) {
		buf_str(&o, " --");
		escape_write_shell_line(&o, s->options.child.command);
	}
	buf_char(&o, 0);
	show(o.error ? "" : o.data);
	buf_free(&o);
	return argdump_args(s, 0, NULL);
}

/* clang-format off */
static const struct option_spec argdump_options[] = {
	{ .name = "dump", .not_in_files = true, .type = OPTION_CHOICE, .arg = "STAGE", .value = &argdump.look.dump_stage,
	  .choices = dump_choices,
	  .help = "print the output of a compiler stage, then exit: tokens, ast, types, plan, "
		  "layout or insns", .section = SECTION_LOOK, .rank = RANK_NEVER },
	{ .name = "caller", .is_saved = true, .type = OPTION_FLAG, .value = &argdump.front.caller,
	  .help = "show the caller: caller->FUNC(values), at a return (caller+0xc/0xe <- FUNC); in "
		  "JSON as caller='$caller:sym'", .section = SECTION_SHOW, .rank = RANK_NEVER },
	{ .name = "return", .is_saved = true, .letter = 'r', .type = OPTION_LIST,
	  .add = setting_add, .setting = MODEL_RETURN,
	  .help = "print a call when it returns: EXPRs as they were at the entry, its result and "
		  "duration ($ret and $lat, unless EXPRs name them); @ret(EXPR) is evaluated at the "
		  "return", .section = SECTION_CALLS,
	  .brief = "print whole calls: result and duration ($ret, $lat)" },
	{ .name = "diff", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .value = &argdump.diff.given,
	  .help = "show how the call changed EXPR, as OLD -> NEW (for a pointer: the object it points "
		  "to); implies -r. Calls that changed nothing are only counted (-z prints them)", .section = SECTION_SHOW,
	  .brief = "show how the call changed EXPR: OLD -> NEW" },
	PAIR_OPTIONS(setting_add, argdump.pairs.older),
	WITHIN_OPTIONS(setting_add),
	WINDOW_OPTIONS(setting_add, argdump.window),
	{ .name = "and", .type = OPTION_LIST, .arg = "PROBE", .add = setting_add, .setting = MODEL_AND,
	  .help = "also trace PROBE: the EXPRs, --if, --by and counting options after it are its own", .section = SECTION_CALLS, .brief = "also trace PROBE, with its own EXPRs" },
	{ .name = "list", .not_in_files = true, .letter = 'l', .type = OPTION_FLAG, .value = &argdump.look.list,
	  .help = "list what PROBE matches, with prototypes and attach methods, or why it cannot be attached; "
		  "then exit", .section = SECTION_LOOK,
	  .brief = "list what PROBE matches, then exit" },
	{ .name = "type", .not_in_files = true, .type = OPTION_STRING, .arg = "TYPE", .value = &argdump.look.type,
	  .complete = argdump_complete_type,
	  .help = "print the layout of a type, e.g. 'struct file', file.f_path or "
		  "btrfs:btrfs_inode, then exit", .rank = RANK_ROOM, .section = SECTION_LOOK,
	  .brief = "print the layout of a type, then exit" },
	{ .name = "if", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .add = setting_add, .setting = MODEL_IF,
	  .help = "trace only calls for which EXPR is true, filtered in the kernel; ==, != and ~ (a "
		  "pattern) compare strings; if repeated, all must be true", .section = SECTION_CALLS,
	  .brief = "only calls for which EXPR is true" },
	{ .name = "packet", .is_saved = true, .type = OPTION_LIST, .arg = "FILTER", .add = setting_add, .setting = MODEL_PACKET,
	  .help = "trace only calls whose packet (the first parameter that is a struct sk_buff *, xdp_buff * or "
		  "xdp_frame *) matches FILTER, in the language of tcpdump: pcap-filter(7); short for --if "
		  "'pcap(\"FILTER\")', and pcap(EXPR, \"FILTER\") names another packet", .section = SECTION_CALLS,
	  .rank = RANK_ROOM, .brief = "only packets that match FILTER, as in tcpdump" },
	{ .name = "depth", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &argdump.run.depth,
	  .help = "in whole structs, follow pointers to structs N levels deep", .rank = RANK_ROOM, .section = SECTION_SHOW,
	  .brief = "in structs, follow pointers N levels deep" },
	AGGREGATE_OPTIONS(setting_add, argdump.aggregate.options),
	{ .name = "string", .is_saved = true, .letter = 's', .type = OPTION_UINT, .arg = "BYTES",
	  .value = &argdump.run.string_max,
	  .help = "maximum string size in bytes, including NUL (default: 128; in --by 64)", .rank = RANK_ROOM, .section = SECTION_SHOW,
	  .brief = "maximum string size (default: 128)" },
	{ .name = "pcap", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.files.pcap,
	  .help = "write the packet of each call (EXPR:packet) to FILE, as pcapng for Wireshark, tshark and tcpdump: "
		  "function, task, other values and stacks are its comment, a value called dev is its interface",
	  .section = SECTION_OUTPUT, .rank = RANK_ROOM, .brief = "write packets (EXPR:packet) to FILE, for Wireshark" },
	{ .name = "zeros", .is_saved = true, .letter = 'z', .type = OPTION_FLAG, .value = &argdump.run.zeros,
	  .help = "also print zero members of whole structs; with --diff, also calls that changed "
		  "nothing", .section = SECTION_SHOW, .rank = RANK_NEVER },
	{ .name = "max-probes", .type = OPTION_UINT, .arg = "N", .value = &argdump.max_probes,
	  .help = "trace at most N functions at once (default: 2000): attaching to more takes many "
		  "seconds and can slow down the whole system", .section = SECTION_CALLS, .rank = RANK_NEVER },
	{ .name = "vmlinux", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.files.vmlinux,
	  .help = "the kernel's file with its debug information, for lines (fs/sync.c:180, FUNCTION:LINE) and inlined "
		  "functions (default: where packages install it)", .section = SECTION_CALLS, .rank = RANK_NEVER },
	{ .name = "columns", .is_saved = true, .type = OPTION_STRING, .arg = "NAME,...",
	  .value = &argdump.rows.columns,
	  .help = "show only these values, in this order, aligned below a header: names of values, or "
		  "$pid, $tid, $comm, $func", .section = SECTION_SHOW,
	  .brief = "only these values, aligned below a header" },
	{ .name = "print", .is_saved = true, .type = OPTION_LIST, .arg = "TEXT",
	  .add = setting_add, .setting = MODEL_PRINT,
	  .help = "print each record as this text: {NAME} is a value; every record has {$pid}, "
		  "{$tid}, {$comm}, {$func}; {NAME:-16} pads on the right, {NAME:16} on the left; "
		  "{NAME:%08x} formats as printf does", .rank = RANK_ROOM, .section = SECTION_SHOW,
	  .brief = "print this text: '{$comm:-16} read {count}'" },
	{ .name = "recipe", .not_in_files = true, .type = OPTION_STRING, .arg = "NAME", .value = &argdump.look.recipe,
	  .help = "print the recipe of the tool NAME (coretap --list), then exit", .section = SECTION_LOOK, .rank = RANK_NEVER },
	{ .name = "name", .not_in_files = true, .type = OPTION_STRING, .arg = "NAME", .value = &argdump.files.name,
	  .help = "with --save: write a recipe for a tool NAME", .section = SECTION_LOOK, .rank = RANK_NEVER },
	{ .name = "save", .not_in_files = true, .type = OPTION_STRING, .arg = "FILE", .value = &argdump.files.save,
	  .help = "write the probe with its expressions to FILE, then exit", .rank = RANK_ROOM, .section = SECTION_LOOK,
	  .brief = "write the probe to FILE, then exit" },
	{ .name = "load", .not_in_files = true, .type = OPTION_STRING, .arg = "FILE", .value = &argdump.files.load,
	  .help = "trace the probes in FILE, one per line: PROBE [-r] EXPR... [--if CONDITION]...; "
		  "options on their own line apply to all probes", .rank = RANK_ROOM, .section = SECTION_LOOK, .brief = "trace the probes in FILE" },
	{ 0 },
};
/* clang-format on */

const struct applet argdump_applet = {
	.name = "argdump",
	.summary = "print arguments of any kernel function, through any pointers, by name",
	.description = argdump_description,
	.buffer = 2 << 20,
	.args = "PROBE [[NAME=]EXPR[:FORMAT]...] [--and PROBE...]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_RING |
		  OPTION_GROUP_STACK | OPTION_GROUP_AGGREGATE,
	.options = argdump_options,
	.examples = argdump_examples,
	.overhead =
		"On 6.12 a chain of four pointers with a string costs the traced call about 360 "
		"instructions, and 510 go into its printing; the kernel's own kprobe event "
		"of the same costs 2410. About 167 if --if rejects the call, or if calls are only "
		"counted; -k 5300, --dwarf 5550 (and 8 KiB of the ring a record; in the tool 51000 for nine frames), --by '$kstack' 5500, --by '$ustack' 1780. Kernels that preempt programs (lazy, full) are traced by "
		"kprobe.multi, which costs 140 to 260 more at an entry, 500 to 600 more at a return; "
		"--attach fentry is the cheapest there, but misses calls.",
	.blind_spots =
		"Calls that the compiler inlined; with debug information they are seen at their beginning: of a program's function, "
		"and of one of the kernel that has no code of its own. Functions that the kernel marks notrace. "
		"With a kretprobe (--attach kprobe, and several functions if the kernel has no "
		"kprobe.multi): returns of calls in progress at the same time beyond a few per CPU; "
		"they are counted (before 6.7 not under lockdown=confidentiality). "
		"With fentry on kernels that preempt programs (--attach fentry, and returns with "
		"parameters): calls made while another task is preempted inside the same program; "
		"they are counted. "
		"hz:, hw:, sw: code that runs with interrupts off is seen when they are on again (with "
		"counters that interrupt by NMI, at once); samples that come while another BPF program "
		"runs on that CPU, and the first moments of a CPU that comes online, are not seen, nor "
		"counted. "
		"-r of a user function: calls nested more than 64 deep in a thread. "
		"$ctx: if an fentry or kprobe.multi is on the same function, ftrace disables "
		"preemption once more; where ftrace has no hook, a kprobe's trap counts as an NMI. "
		"coretap's own calls.",
	.args_set = argdump_args,
	.line.word = word_add,
	.tracer = &argdump_tracer,
	.topics = argdump_topics,
	.complete = argdump_complete,
};
