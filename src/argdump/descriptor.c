/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.c - argdump's descriptor: arguments of kernel functions, followed through pointers by
 * name.
 *
 * expr/ compiles the language; argdump/ turns the result into a running probe.
 */
#include <errno.h>
#include <string.h>

#include "argdump/argdump.h"
#include "argdump/inspect/inspect.h"
#include "argdump/probe_file.h"
#include "util/log.h"

enum { STRING_BYTES_MAX = 4096 };

static struct argdump argdump = { .max_probes = 2000, .maps = PROGRAM_MAPS_NONE };

static const char *const dump_choices[] = { "none", "tokens", "ast",   "types",
					    "plan", "layout", "insns", NULL };

/* Counted calls are not printed, so some options make no sense with them. */
static int counting_check(const struct session *s, int argc)
{
	if (!aggregate_wanted(&argdump.aggregate))
		return 0;
	if (argdump.diff.count) {
		log_error("--diff shows calls; it cannot be combined with counting");
	} else if (s->options.kernel_stack || s->options.user_stack) {
		log_error("-k and -U show calls; they cannot be combined with counting");
		log_hint("--folded counts calls by their stacks");
	} else if (argc <= 1 && !s->options.events) {
		return 0;
	} else if (s->options.events) {
		log_error("-n stops after N records; counting makes none");
		log_hint("stop by -d SEC or -- COMMAND instead");
	} else {
		log_error("counting prints no calls, so it takes no EXPR besides PROBE");
		log_hint("--by EXPR groups the results by EXPR");
	}
	return -EINVAL;
}

/* Options that would have no effect. */
static int effect_check(const struct session *s, int argc)
{
	const struct options *o = &s->options;

	if (o->stack_depth && !o->kernel_stack && !o->user_stack)
		log_error("--stack-depth has no effect without -k, -U or --folded");
	else if (argdump.run.depth && argc == 1 && !argdump.diff.count)
		log_error("--depth has no effect without an EXPR that is a struct, e.g. '*file'");
	else if (argdump.run.string_max > STRING_BYTES_MAX)
		log_error("-s is at most %d bytes", STRING_BYTES_MAX);
	else if (argdump.save && argdump.load && !strcmp(argdump.save, argdump.load))
		log_error("--save would overwrite the file of --load: %s", argdump.load);
	else
		return 0;
	return -EINVAL;
}

static void diffs_set(struct argdump *a)
{
	for (size_t i = 0; i < a->diff.count; i++)
		a->diffs[i] = a->diff.items[i].text;
	a->both |= a->diff.count != 0;
}

static int argdump_args(struct session *s, int argc, char **argv)
{
	int err = 0;

	if (argdump.look.list || argdump.look.type) {
		s->private = &argdump;
		return inspect_args(s, &argdump, argc, argv);
	}
	if (argc < 1 && !argdump.load) {
		log_error("which function? usage: argdump FUNC [EXPR...]");
		log_hint("for example: argdump vfs_read 'file->f_inode->i_sb->s_type->name'");
		return -EINVAL;
	}
	s->private = &argdump;
	s->options.dry_run |= argdump.dump_stage || argdump.save;
	if (argdump.load)
		err = probe_file_read(&argdump, argdump.load, s);
	diffs_set(&argdump);
	if (!err)
		err = aggregate_set(&argdump.aggregate, &argdump.aggregate_options, &s->options);
	if (!err)
		err = counting_check(s, argc);
	if (!err)
		err = effect_check(s, argc);
	if (!err && argc)
		err = argdump_request_add(&argdump, argv[0], (const char *const *)argv + 1,
					  argc - 1);
	if (!err)
		err = pair_set(&argdump);
	if (!err)
		s->options.dry_run |= argdump_legacy_clears(argdump.requests[0].old);
	return err;
}

/* clang-format off */
static const struct option_spec argdump_options[] = {
	{ .name = "dump", .type = OPTION_CHOICE, .arg = "STAGE", .value = &argdump.dump_stage,
	  .choices = dump_choices,
	  .help = "print the output of a compiler stage, then exit: tokens, ast, types, plan, "
		  "layout or insns" },
	{ .name = "caller", .is_saved = true, .type = OPTION_FLAG, .value = &argdump.caller,
	  .help = "show the caller: caller->FUNC(values), at a return (caller+0xc/0xe <- FUNC); in "
		  "JSON as caller='$caller:sym'" },
	{ .name = "return", .is_saved = true, .letter = 'r', .type = OPTION_FLAG, .value = &argdump.both,
	  .help = "print a call when it returns: EXPRs as they were at the entry, its result and "
		  "duration ($ret and $lat, unless EXPRs name them); @ret(EXPR) is evaluated at the "
		  "return" },
	{ .name = "diff", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .value = &argdump.diff,
	  .help = "show how the call changed EXPR, as OLD -> NEW (of a pointer, what it points to); "
		  "implies -r. Unchanged calls are only counted (-z prints them)" },
	PAIR_OPTIONS(argdump.pair),
	{ .name = "list", .letter = 'l', .type = OPTION_FLAG, .value = &argdump.look.list,
	  .help = "list what PROBE matches, with prototype and how it can be attached, or why not; "
		  "then exit" },
	{ .name = "type", .type = OPTION_STRING, .arg = "TYPE", .value = &argdump.look.type,
	  .help = "print the layout of a type, e.g. 'struct file', file.f_path or "
		  "btrfs:btrfs_inode, then exit" },
	{ .name = "if", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .value = &argdump.conditions,
	  .help = "trace only calls for which EXPR is true, as decided in the kernel; strings compare "
		  "by ==, != and ~ (a pattern); several must all be true" },
	{ .name = "depth", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &argdump.run.depth,
	  .help = "in whole structs, follow pointers to structs N levels deep" },
	AGGREGATE_OPTIONS(argdump.aggregate_options),
	{ .name = "string", .is_saved = true, .letter = 's', .type = OPTION_UINT, .arg = "BYTES",
	  .value = &argdump.run.string_max,
	  .help = "maximum string size in bytes, including NUL (default: 128; in --by 64)" },
	{ .name = "zeros", .is_saved = true, .letter = 'z', .type = OPTION_FLAG, .value = &argdump.run.zeros,
	  .help = "in whole structs, print members that are zero, too; with --diff, unchanged calls" },
	{ .name = "max-probes", .type = OPTION_UINT, .arg = "N", .value = &argdump.max_probes,
	  .help = "trace at most N functions at once (default: 2000): attaching to more takes many "
		  "seconds and can slow down the whole system" },
	{ .name = "save", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.save,
	  .help = "write the probe with its expressions to FILE, then exit" },
	{ .name = "load", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.load,
	  .help = "trace the probes in FILE, one per line: PROBE EXPR... [--if CONDITION]..." },
	{ 0 },
};
/* clang-format on */

static const struct example argdump_examples[] = {
	{ "argdump vfs_read 'file->f_inode->i_sb->s_type->name'",
	  "the file system behind every read" },
	{ "argdump do_sys_openat2", "every parameter of the function" },
	{ "argdump s:connect '$arg2:sockaddr'", "connections: who, and to which address" },
	{ "argdump t:sched:sched_process_exec", "a tracepoint, with its event's fields" },
	{ "argdump u:/bin/bash:readline%return '$ret:ustr'", "lines typed into bash" },
	{ "argdump 'vfs_*(struct file *)' 'file->f_inode->i_ino'",
	  "all functions that match the name and have such a parameter" },
	{ "argdump 'vfs_*' --count --by '$func'", "number of calls of each function" },
	{ "argdump -c cat -n 3 vfs_read name='file->f_path.dentry->d_name.name' count",
	  "three reads by cat: name of the file, bytes asked for" },
	{ "argdump -l 'tcp_*(struct sk_buff *)'",
	  "matching functions with prototypes and how each can be attached" },
	{ "argdump -l 't:*:sched_*'",
	  "tracepoints with their fields; 's:open*' lists system calls" },
	{ "argdump --type 'struct file'", "where each member is; needs no root" },
	{ "argdump --if 'filename ~ \"/etc/*\" && $uid != 0' do_sys_openat2 filename",
	  "what non-root users open under /etc" },
	{ "argdump --if 'file:path ~ \"/etc/*\"' vfs_read count", "reads of files in /etc" },
	{ "argdump --sum count --by '$comm,file' vfs_read",
	  "bytes asked for, by command and file" },
	{ "argdump -k -n 1 tcp_sendmsg size",
	  "who sends data over TCP: the kernel stack of one call" },
	{ "argdump -r vfs_read file:path 'end=@ret(*pos)' '$ret' '$lat'",
	  "each read when it returns: file, end position, result, duration" },
	{ "argdump -r --if '$lat > 10000000 || $ret < 0' vfs_fsync_range",
	  "only calls that took more than 10 ms or failed" },
	{ "argdump -r u:libc:getaddrinfo 'host=$arg1:ustr' '(int)$ret' '$lat'",
	  "names that programs look up, with result and duration" },
	{ "argdump -r --avg '$lat' --count --by '$func' -d 5 'vfs_*'",
	  "number of calls and average duration of each function" },
	{ "argdump t:block:block_rq_issue --until t:block:block_rq_complete --on rq",
	  "how long the disk takes for each request: from one probe to the other" },
	{ "argdump --hist '$lat/1000' t:sched:sched_process_exec --until do_exit",
	  "how long programs run, in microseconds: from their exec to their end" },
	{ "argdump --open --older 1 vfs_read --until vfs_read%return",
	  "reads that still wait at the end, for a second or more" },
	{ "argdump --first do_sys_openat2 filename '$lat' --until do_exit",
	  "the first file that each thread opens, and how long it lives on" },
	{ "argdump -j --json-strings vfs_read 'at=(u64)file' | jq .args.at",
	  "an address exactly, also with a jq that rounds numbers" },
	{ "argdump --diff 'file->f_inode' -c cp vfs_write", "what a write changes in its inode" },
	{ "argdump -k autoremove_wake_function '$ctx'",
	  "in which context the kernel wakes up a task, and from where" },
	{ "argdump 'do_sys_openat2%return' '$ret' 'how->flags:openflags'",
	  "the result, and parameters as they were at the entry" },
	{ "argdump --folded -d 5 vfs_read", "stacks of all reads, for flamegraph.pl" },
	{ "argdump --avg count --by 'file->f_inode->i_sb->s_type->name' vfs_read",
	  "average size that reads ask for, by file system" },
	{ "argdump --hist count -d 10 vfs_read",
	  "histogram of the sizes that reads ask for, for ten seconds" },
	{ "argdump --count --by '$comm,$pid' --top 10 --interval 1 --clear vfs_read",
	  "the ten processes that read most often, every second" },
	{ "argdump 'p:open do_sys_openat2 file=+0($arg2):ustring'",
	  "a probe in the notation of kprobe_events" },
	{ "argdump 'do_sys_open(NULL, string file)'",
	  "a prototype of function_events; prints the caller first" },
	{ "argdump --save reads.probe vfs_read 'fs=file->f_inode->i_sb->s_type->name'",
	  "save a probe; argdump --load reads.probe runs it, also on another kernel" },
	{ "argdump --dump=plan vfs_read 'file->f_inode->i_ino'",
	  "how an expression would be evaluated; needs no root" },
	{ "argdump -n 1 --depth 1 vfs_read '*file'",
	  "a whole struct, and what its pointers point to" },
	{ "argdump ip_rcv 'dev->dev_addr:mac' 'skb->data:hex[20]'",
	  "the device's hardware address and the IP header of every packet" },
	{ 0 },
};

const struct applet argdump_applet = {
	.name = "argdump",
	.summary = "print arguments of any kernel function, through any pointers, by name",
	.description =
		"Each EXPR is a C expression over the parameters of PROBE. Pointers are followed to any "
		"depth, using the running kernel's own types. Without EXPR all parameters are "
		"printed.\n\n"
		"PROBE:\n"
		"  FUNC MODULE:FUNC  a kernel function, by its parameters\n"
		"  'tcp_*' 'A,B' '*(struct sk_buff *)'  several, by name or a parameter's type\n"
		"  FUNC%return  its return: $ret\n"
		"  FUNC+OFFSET  an instruction: registers only\n"
		"  t:GROUP:NAME  a tracepoint, by its arguments or its event's fields\n"
		"  s:NAME s:NAME%return  a system call, by its parameters; 32-bit ones marked\n"
		"  u:FILE:SYMBOL[%return] u:FILE:0xOFFSET  a user function: $arg1 ... $ret\n\n"
		"With several functions a column shows which one was called ($func). Functions that "
		"cannot be traced, or that the expressions do not fit, are left out and counted. If "
		"several functions share a name, all are traced and a note says so. Functions "
		"without BTF get $arg1 to $arg6. More than 2000 need --max-probes.\n\n"
		"EXPR is C with its operators, casts to any type of the kernel, sizeof, "
		"container_of(PTR, struct T, MEMBER), percpu(PTR) (this CPU's copy), enum constants, known macros (O_NONBLOCK, "
		"ENOENT, GFP_KERNEL, sk->sk_dport), 'c', \"text\", sizes and times (64K, 5ms), and:\n"
		"  $pid $tid $ppid $uid $gid $comm $cgroup $task  the current task\n"
		"  $cpu $ts $func $caller  CPU, time (ns), function, caller\n"
		"  $ctx  interrupts and preemption: ftrace's latency field\n"
		"  $ret $lat  result, duration in ns\n"
		"  $arg1 ... $arg* $reg(di) $stack  parameters by number, all, registers\n"
		"  @jiffies  a kernel variable; for a per-CPU one, this CPU's copy\n"
		"  A ?? B  A if this kernel has it, else B\n"
		"  == != ~ contains(EXPR, \"text\")  compare strings; ~ with a pattern\n"
		"  EXPR:path  the path, where it is compared: file:path ~ \"/etc/*\"\n\n"
		"NAME=EXPR names a value. Names must differ; in JSON the values are members of \"args\" ($lat is "
		"lat_ns), and \"errno\" beside it names the error in $ret. "
		"Values are shown by type: a struct file * as its path, a sockaddr * as the address, "
		"flags of system calls by name, functions by symbol. EXPR:FORMAT overrides that:\n"
		"  d u x o c b p  number, octal, character, true or false, pointer\n"
		"  u8 to s64, x8 to x64, b4@2/32  that many bytes or bits of it\n"
		"  path path:N  the path of a file, a struct path or a dentry; at most N bytes\n"
		"               of a dentry from its file system's root on: .../NAME\n"
		"  str ustr N str:N  a string at an address (ustr: user memory), N bytes of it\n"
		"  str[EXPR] ustr[EXPR] hex[EXPR]  that many bytes, NULs too: 'buf:str[$ret]'\n"
		"  hex[N] mac ip4 ip6 uuid sockaddr  bytes at an address, of an array, a struct\n"
		"  port errno sym filemode family proto signal cap dirfd  what a number stands for\n"
		"  openflags resolve gfp clone prot mmap mount socktype msg  flags by name\n"
		"  enum(CONSTANT)  a number by the enum that has this constant\n"
		"  TYPE[N]  an array: 'dev->dev_addr:x8[6]'\n\n"
		"An EXPR may be a whole struct: '*file', 'file->f_path'. Its nonzero members are shown; "
		"--depth follows the pointers in it.\n\n"
		"A path is compared, and counted by, as records show it: pipe:[123], (unreachable)/x. "
		"Of more than 64 directories and mounts, or 3800 bytes, the last are taken, with … before "
		"them; such calls are counted as cut. In a chroot or container it is the path from the root of "
		"the mount namespace; a dentry's, from the root of its file system.\n\n"
		"If a pointer along the way is NULL, or memory cannot be read, the output names it "
		"instead of a value.\n\n"
		"The kernel's own probe syntax is accepted unchanged: a line of kprobe_events, "
		"uprobe_events or dynamic_events (p, r, f, t, e; user memory is read as such even "
		"where it says string), or a prototype of function_events. --dry-run prints it in "
		"argdump's own language. Functions that no longer exist, and sys_NAME, are replaced by "
		"today's equivalent; a note says which.\n\n"
		"FUNC%return traces the return: $ret has the function's type (a negative int is shown "
		"as an error). Parameters have their values from the entry; memory is read at the "
		"return. A kretprobe sees no parameters.\n\n"
		"-r prints one record per call of a function, system call or user function, when it returns: "
		"EXPRs as they were at the entry, $ret, $lat (ns from the entry to the return), and @ret(EXPR), "
		"evaluated at the return. --if "
		"may use all of these. PID, TID and COMM are those at the return. Calls that began "
		"before the tracing are counted; calls that have not returned when it ends are not "
		"shown. Calls of user functions that a longjmp or the end of the thread left are "
		"counted, too. A char * followed by its size is a buffer that the call fills: at the "
		"entry it is shown as an address, at the return as the text in it, as many bytes as "
		"$ret says, if that is a long (ssize_t); with another type nothing says how many: "
		"@ret(buf):str shows them up to a NUL. For the durations of many functions use --avg '$lat' --by '$func'.\n\n"
		"--until PROBE2 makes a pair of two probes of any kind: PROBE begins what PROBE2 ends, "
		"and the end prints the record. EXPRs are those of the begin, as are PID, TID, COMM, -k and "
		"the filters by process; @end(EXPR) is evaluated at the end, and $lat is the time between "
		"(ns). Both may stand in one EXPR: '@end(nr) - nr'. What belongs together is said by --on "
		"KEY, an EXPR of both sides or 'EXPR == @end(EXPR)'; without it, it is the thread ($tid). Of "
		"an --if, each operand of && decides by itself: what begins, what ends, or, with values of "
		"both, what is shown. A begin whose key is in progress replaces the older one, which is "
		"counted; with --first the older one stays. An event that is both ends first, and then "
		"begins: PROBE --until PROBE is the time since the last one. What had not ended is counted "
		"at the end; --open prints it instead.\n\n"
		"--diff EXPR compares the same bytes at the entry and at the return, at the address that "
		"EXPR had at the entry. Pointers in them are compared as numbers, strings as far as they "
		"are read; of an array the first 64 changed elements are shown.\n\n"
		"In a container $pid and $tid are the container's own, and 0 for a process outside it. "
		"With --host-pids they are the host's, as $task->pid and the fields of events always "
		"are.\n\n"
		"$ctx is printed like this kernel's ftrace does: d (interrupts off), b D (bottom halves, both), "
		"N n p L l B (another task is due), h s H z Z (interrupt, softirq, both, NMI), how often "
		"preemption and migration are disabled; in JSON an object. Only kprobes at the entry or "
		"return of a function see it; with several functions use --attach kprobe. What the probe "
		"itself adds is measured and subtracted.\n\n"
		"-k prints the kernel stack below each record, the probed function first, -U the user "
		"stack: functions with their file or module, [FILE]+ADDRESS if a stripped file has no "
		"name for it, [FILE?] if the file was written meanwhile, so that the name may be wrong. "
		"--folded counts equal stacks instead: "
		"COMM;OUTERMOST;...;INNERMOST COUNT, the kernel's frames marked _[k].\n\n"
		"--count, --sum, --avg, --min, --max, --hist and --lhist print no calls: they are "
		"counted in the kernel, and a table is printed at the end, or every --interval, sorted "
		"by the first of these options. They may be combined and repeated. With --by there is "
		"a row for each value of its expressions (the first 64 bytes of a string, the last 188 "
		"of a path: path:N takes N); a NULL pointer along the way is a value, too. What records "
		"show as a path is counted by the path (--by file), the rest by its number; file:p is "
		"the pointer. A percentile with a ~ is estimated, as if "
		"values were spread evenly within their power of two; the least and the largest value "
		"are exact, so the percentiles of one number are that number. The last line has the "
		"number of all calls and the time they were counted for, in JSON each row (total, "
		"elapsed_ns): since the start, with --clear since the last print. Calls for which "
		"there was no room for another group are counted as lost. In JSON a row is an object "
		"of type count.\n\n"
		"--list PROBE... prints what can be traced: a name, MODULE:NAME, a pattern, "
		"'*(struct sock *)' (with such a parameter), t:GROUP:NAME, s:NAME. The first column of a "
		"function is the cheapest attach method: fentry, kprobe.multi, kprobe, - (none) or ? "
		"(unknown without root); a comment says what does not work and why. Prototypes and "
		"--type need no root.\n\n"
		"--type [MODULE:]TYPE[.MEMBER...] prints where members are: offset in bytes (:BIT of "
		"a bitfield), declaration, size, and holes. With -j both print one object per line.",
	.buffer = 2 << 20,
	.args = "PROBE [[NAME=]EXPR[:FORMAT]...]",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_TASK | OPTION_GROUP_JSON | OPTION_GROUP_BTF | OPTION_GROUP_STACK |
		  OPTION_GROUP_AGGREGATE,
	.options = argdump_options,
	.examples = argdump_examples,
	.overhead =
		"On 6.12 a chain of four pointers with a string costs the traced call about 360 "
		"instructions, and as many again go into its printing; the kernel's own kprobe event "
		"of the same costs 2400. About 170 if --if rejects the call, or if calls are only "
		"counted; -k 5500. Kernels that preempt programs (lazy, full) are traced by "
		"kprobe.multi, which costs 140 to 260 more at an entry, 500 to 600 more at a return; "
		"--attach fentry is the cheapest there, but misses calls.",
	.blind_spots =
		"Calls that the compiler inlined. Functions that the kernel marks notrace. "
		"With a kretprobe (--attach kprobe, and several functions if the kernel has no "
		"kprobe.multi): calls in progress at the same time beyond a few per CPU, which kernels "
		"before 6.7 do not count. "
		"With fentry on kernels that preempt programs (--attach fentry, and returns with "
		"parameters): calls made while another task is preempted inside the same program; "
		"they are counted. "
		"-r of a user function: calls nested more than 64 deep in a thread. "
		"$ctx: if an fentry or kprobe.multi is on the same function, ftrace disables "
		"preemption once more; where ftrace has no hook, a kprobe's trap counts as an NMI. "
		"coretap's own calls.",
	.args_set = argdump_args,
	.tracer = &argdump_tracer,
};
