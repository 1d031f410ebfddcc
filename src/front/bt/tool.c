/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tool.c - options of a program that is a tool: stacks below its rows, and the choice of columns.
 */
#include "expr/program.h"
#include "front/bt/bt.h"

const struct option_spec bt_tool_options[BT_TOOL_OPTIONS + 1] = {
	{ .name = "kernel-stack",
	  .letter = 'k',
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct options, stacks.kernel),
	  .section = SECTION_STACKS,
	  .help = "print the kernel stack of the task that runs when the row is written",
	  .brief = "print the kernel stack of the running task" },
	{ .name = "user-stack",
	  .letter = 'U',
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct options, stacks.user),
	  .section = SECTION_STACKS,
	  .help = "print its user stack (incomplete for programs without frame pointers)" },
	{ .name = "stack-depth",
	  .type = OPTION_UINT,
	  .arg = "N",
	  .offset = offsetof(struct options, stacks.depth),
	  .section = SECTION_STACKS,
	  .rank = RANK_NEVER,
	  .help = "record at most N frames per stack (default: 127)" },
	{ .name = "columns",
	  .type = OPTION_STRING,
	  .arg = "NAME,...",
	  .offset = offsetof(struct options, rows.columns),
	  .section = SECTION_OUTPUT,
	  .rank = RANK_ROOM,
	  .help = "print only these columns, in this order: keys of -j" },
	{ 0 },
};

const struct option_spec bt_fold_options[2] = {
	{ .name = "folded",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct options, stacks.lines_folded),
	  .section = SECTION_STACKS,
	  .help = "on a terminal: print one line per stack, for flame graph scripts, as in a pipe" },
	{ 0 },
};

void bt_tool_columns(struct script_args *args, const struct options *o)
{
	uint32_t frames = o->stacks.depth ?: STACK_DEFAULT;

	args->kernel_frames = o->stacks.kernel ? frames : 0;
	args->user_frames = o->stacks.user ? frames : 0;
}
