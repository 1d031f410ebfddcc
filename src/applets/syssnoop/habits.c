/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits.c - options of strace that syssnoop has not, and what to do instead.
 */
#include "applets/syssnoop/parts.h"

/* clang-format off */
const struct option_habit syssnoop_habits[] = {
	{ 'i', "instruction-pointer", "argdump -U s:openat prints the callers of a call" },
	{ 'k', "stack-traces", "argdump -U s:openat prints the callers of a call" },
	{ 'A', "output-append-mode", "append by the shell: syssnoop … >>FILE" },
	{ 'b', "detach-on", "nobody is attached to: -n or -d end the tracing" },
	{ 'D', "daemonize", "the command's parent need not be hidden: nobody stops it" },
	{ 'E', "env", "set it by env(1): -- env NAME=VALUE COMMAND" },
	{ 'F', NULL, "it is -f: children are followed, also of vfork(2)" },
	{ 'U', "summary-columns", "-j has all columns for jq(1)" },
	{ 'w', "summary-wall-clock", "leave it out: the times of -c are durations, from call to return" },
	{ 'X', "const-print-style", "constants are printed by their names" },
	{ 0, "trace", "-e trace=SET" },
	{ 0, "signal", "-e signal=SET" },
	{ 0, "status", "-e status=SET" },
	{ 0, "inject", "calls are watched, not changed" },
	{ 0, "fault", "calls are watched, not changed" },
	{ 0, "output-separately", "one file has all; sort it by the [pid N] of its lines" },
	{ 0 },
};
/* clang-format on */
