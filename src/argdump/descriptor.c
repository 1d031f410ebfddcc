/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.c - argdump's descriptor: arguments of kernel functions, followed through pointers by
 * name.
 *
 * expr/ compiles the language; argdump/ turns the result into a running probe.
 */
#include <errno.h>

#include "argdump/argdump.h"
#include "argdump/inspect/inspect.h"
#include "argdump/probe_file.h"
#include "util/log.h"

static struct argdump argdump = { .max_probes = 2000, .maps = PROGRAM_MAPS_NONE };

static const char *const dump_choices[] = { "none", "tokens", "ast",   "types",
					    "plan", "layout", "insns", NULL };

/* Counted calls are not printed, so some options make no sense with them. */
static int counting_check(const struct session *s, int argc)
{
	if (!aggregate_wanted(&argdump.aggregate))
		return 0;
	if (argdump.diff.count) {
		log_error("--diff is for records, and calls that are counted make none");
	} else if (s->options.kernel_stack || s->options.user_stack) {
		log_error("stacks are for records, and calls that are counted make none");
		log_hint("--folded alone counts calls by their stacks");
	} else if (argc <= 1 && !s->options.events) {
		return 0;
	} else if (s->options.events) {
		log_error("-n is for records, and calls that are counted make none");
		log_hint("-d SEC, or -- COMMAND, say when to stop");
	} else {
		log_error("calls that are counted are not printed: no EXPR has a place there");
		log_hint("--by EXPR counts for each value of it");
	}
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
	if (!err && argc)
		err = argdump_request_add(&argdump, argv[0], (const char *const *)argv + 1,
					  argc - 1);
	if (!err)
		s->options.dry_run |= argdump_legacy_clears(argdump.requests[0].old);
	return err;
}

/* clang-format off */
static const struct option_spec argdump_options[] = {
	{ .name = "dump", .type = OPTION_CHOICE, .arg = "STAGE", .value = &argdump.dump_stage,
	  .choices = dump_choices,
	  .help = "print what a stage of the compiler makes, and stop: tokens, ast, types, plan, "
		  "layout or insns" },
	{ .name = "caller", .is_saved = true, .type = OPTION_FLAG, .value = &argdump.caller,
	  .help = "show who called, as caller->FUNC(values), of a return (caller+0xc/0xe <- FUNC); in "
		  "JSON a member: the same as caller='$caller:sym'" },
	{ .name = "return", .is_saved = true, .letter = 'r', .type = OPTION_FLAG, .value = &argdump.both,
	  .help = "a record when FUNC returns: EXPRs as they were at its entry, what it returned and "
		  "how long it took ($ret and $lat, unless EXPRs name them); @ret(EXPR) is computed at "
		  "the return" },
	{ .name = "diff", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .value = &argdump.diff,
	  .help = "as -r, and of what lies in memory as EXPR (a struct, a number, a string; of a "
		  "pointer, what it points at) show what the call changed, OLD -> NEW by the names "
		  "of members. Calls that changed nothing are counted, not shown (but with -z)" },
	{ .name = "list", .letter = 'l', .type = OPTION_FLAG, .value = &argdump.look.list,
	  .help = "trace nothing: print what PROBE names, with its prototype, and how it can be "
		  "attached, or why not" },
	{ .name = "type", .type = OPTION_STRING, .arg = "TYPE", .value = &argdump.look.type,
	  .help = "trace nothing: print the layout of a type, as 'struct file', "
		  "file.f_path or btrfs:btrfs_inode" },
	{ .name = "if", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR", .value = &argdump.conditions,
	  .help = "only calls for which EXPR is true, decided in the kernel before anything else is "
		  "read; strings compare by ==, != and ~ (a pattern); of several all must be true" },
	{ .name = "depth", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &argdump.run.depth,
	  .help = "in structs that are shown whole, follow pointers to structs N levels" },
	AGGREGATE_OPTIONS(argdump.aggregate_options),
	{ .name = "string", .is_saved = true, .letter = 's', .type = OPTION_UINT, .arg = "BYTES",
	  .value = &argdump.run.string_max,
	  .help = "longest string, with its NUL (default 128; 64 in --by)" },
	{ .name = "zeros", .is_saved = true, .letter = 'z', .type = OPTION_FLAG, .value = &argdump.run.zeros,
	  .help = "in structs that are shown whole, members that are zero, too" },
	{ .name = "max-probes", .type = OPTION_UINT, .arg = "N", .value = &argdump.max_probes,
	  .help = "trace at most N functions at once (default 2000): attaching to more takes many "
		  "seconds, and can slow down the whole system" },
	{ .name = "save", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.save,
	  .help = "trace nothing: write the probe with its expressions to FILE" },
	{ .name = "load", .type = OPTION_STRING, .arg = "FILE", .value = &argdump.load,
	  .help = "run the probes of FILE, a line each: PROBE EXPR... [--if CONDITION]..." },
	{ 0 },
};
/* clang-format on */

static const struct example argdump_examples[] = {
	{ "argdump vfs_read 'file->f_inode->i_sb->s_type->name'",
	  "the file system behind every read" },
	{ "argdump do_sys_openat2", "every parameter of the function" },
	{ "argdump s:connect '$arg2:sockaddr'", "who connects where" },
	{ "argdump t:sched:sched_process_exec", "a tracepoint, with its event's fields" },
	{ "argdump u:/bin/bash:readline%return '$ret:ustr'", "lines typed into bash" },
	{ "argdump 'vfs_*(struct file *)' 'file->f_inode->i_ino'",
	  "all functions of a name that have a parameter of that type" },
	{ "argdump 'vfs_*' --count --by '$func'", "calls of each function" },
	{ "argdump -c cat -n 3 vfs_read name='file->f_path.dentry->d_name.name' count",
	  "three reads by cat: name of the file, bytes asked for" },
	{ "argdump -l 'tcp_*(struct sk_buff *)'",
	  "functions of such a name and parameter: prototypes, and how each can be attached" },
	{ "argdump -l 't:*:sched_*'", "tracepoints with their fields; s:open*, system calls" },
	{ "argdump --type 'struct file'", "where each member is; needs no root" },
	{ "argdump --if 'filename ~ \"/etc/*\" && $uid != 0' do_sys_openat2 filename",
	  "what others than root open below /etc" },
	{ "argdump -k -n 1 tcp_sendmsg size", "how the kernel came to send something" },
	{ "argdump -r vfs_read file:path 'end=@ret(*pos)' '$ret' '$lat'",
	  "each read when it is over: its file, where it ended, what it gave, how long it took" },
	{ "argdump -r --if '$lat > 10000000 || $ret < 0' vfs_fsync_range",
	  "only those that took more than 10 ms, or failed" },
	{ "argdump -r --avg '$lat' --count --by '$func' -d 5 'vfs_*'",
	  "how often each of many functions is called, and how long it takes" },
	{ "argdump --diff 'file->f_inode' -c cp vfs_write", "what a write changes in its inode" },
	{ "argdump -k autoremove_wake_function '$ctx'",
	  "in which context the kernel wakes somebody up, and how it came there" },
	{ "argdump 'do_sys_openat2%return' '$ret' 'how->flags:openflags'",
	  "what was returned, and parameters as they were" },
	{ "argdump --folded -d 5 vfs_read", "who reads and from where, for flamegraph.pl" },
	{ "argdump --avg count --by 'file->f_inode->i_sb->s_type->name' vfs_read",
	  "how much reads of each file system ask for" },
	{ "argdump --hist count -d 10 vfs_read", "how much reads ask for, in ten seconds" },
	{ "argdump --count --by '$comm,$pid' --top 10 --interval 1 --clear vfs_read",
	  "who reads most, each second" },
	{ "argdump 'p:open do_sys_openat2 file=+0($arg2):ustring'",
	  "a definition as kprobe_events takes it" },
	{ "argdump 'do_sys_open(NULL, string file)'",
	  "a function_events prototype; who called comes first" },
	{ "argdump --save reads.probe vfs_read 'fs=file->f_inode->i_sb->s_type->name'",
	  "a probe in a file; argdump --load reads.probe runs it, on another kernel too" },
	{ "argdump --dump=plan vfs_read 'file->f_inode->i_ino'",
	  "how an expression would be read; needs no root" },
	{ "argdump -n 1 --depth 1 vfs_read '*file'", "all of a struct, and what it points at" },
	{ "argdump ip_rcv 'dev->dev_addr:mac' 'skb->data:hex[20]'",
	  "the device's hardware address and the IP header of every packet" },
	{ 0 },
};

const struct applet argdump_applet = {
	.name = "argdump",
	.summary = "print arguments of any kernel function, through any pointers, by name",
	.description =
		"Each EXPR is a C expression over what PROBE knows by name, followed through "
		"pointers to any depth by the running kernel's own types. Without EXPR all "
		"parameters are printed.\n\n"
		"PROBE:\n"
		"  FUNC MODULE:FUNC  a kernel function, by its parameters\n"
		"  'tcp_*' 'A,B' '*(struct sk_buff *)'  several, by name or a parameter's type\n"
		"  FUNC%return  its return: $ret\n"
		"  FUNC+OFFSET  an instruction: registers only\n"
		"  t:GROUP:NAME  a tracepoint, by its arguments or its event's fields\n"
		"  s:NAME s:NAME%return  a system call, by its parameters; records of "
		"32-bit programs say so\n"
		"  u:FILE:SYMBOL[%return] u:FILE:0xOFFSET  a user function: $arg1 ... $ret\n\n"
		"Of many functions a column says which one it was ($func); those that cannot be "
		"traced, or that the expressions do not fit, are left out and counted. All that "
		"share a name are traced, which is told. Those that BTF does not describe have "
		"$arg1 to $arg6. More than 2000 are refused without --max-probes.\n\n"
		"EXPR is C with its operators, casts to any type of the kernel, sizeof, "
		"container_of(PTR, struct T, MEMBER), enum constants, known macros (O_NONBLOCK, "
		"ENOENT, GFP_KERNEL, sk->sk_dport), 'c', \"text\", sizes and times (64K, 5ms), and:\n"
		"  $pid $tid $ppid $uid $gid $comm $cgroup $task  who; a struct task_struct *\n"
		"  $cpu $ts $func $caller  where, when (ns), which function, who called it\n"
		"  $ctx  interrupts, preemption: ftrace's latency field\n"
		"  $ret $lat  what it returned, ns since the entry\n"
		"  $arg1 ... $arg* $reg(di) $stack  by number, all, registers\n"
		"  @jiffies  a variable of the kernel; of a per-CPU one, this CPU's\n"
		"  A ?? B  the first that this kernel has\n"
		"  == != ~ contains(EXPR, \"text\")  of texts; ~ by a pattern\n\n"
		"NAME=EXPR names a value; in JSON the values are members of \"args\", by their names. No "
		"two may be called the same. A value is shown by its type: a struct file * as its path, a "
		"sockaddr * as the address, the flags of a system call by name, a function by its symbol. "
		"EXPR:FORMAT says it otherwise:\n"
		"  d u x o c b p  number, octal, character, true or false, pointer\n"
		"  u8 to s64, x8 to x64, b4@2/32  so many bytes or bits of it\n"
		"  path :path:N  the name of a file, a struct path or a dentry; N bytes of it\n"
		"  str ustr :N  the string at an address, in user memory; N bytes of it at most\n"
		"  hex[N] mac ip4 ip6 uuid sockaddr  bytes at an address, of an array, a struct\n"
		"  port errno sym filemode family signal dirfd  what a number stands for\n"
		"  openflags resolve gfp clone prot mmap msg  flags by name\n"
		"  TYPE[N]  an array: 'dev->dev_addr:x8[6]'\n\n"
		"A struct is shown whole, by its members that are not zero: '*file', "
		"'file->f_path'. --depth follows the pointers in it.\n\n"
		"A pointer that is NULL, or memory that cannot be read, is named in the output "
		"instead of a value.\n\n"
		"The kernel's own notations are taken as they are: a line of kprobe_events, "
		"uprobe_events or dynamic_events (p, r, f, t, e; user memory is read as such even "
		"where it says string), or a prototype of function_events. --dry-run says the same "
		"in the words above. Functions that are gone, and sys_NAME, are traced as what has "
		"their arguments today, which is told.\n\n"
		"FUNC%return is its return: $ret is the value, with the function's type (a negative int "
		"is shown as an error). Parameters are as they were at the entry, memory as it is "
		"now; a kretprobe has no parameters.\n\n"
		"-r makes one record of a call, when it returns: EXPRs as they were at the entry, $ret, "
		"$lat (ns from the entry to the return), @ret(EXPR) as it is at the return. --if may ask "
		"for all of these. PID, TID and COMM are those at the return. Calls that began before the "
		"tracing are counted; those that are still inside when it ends are not shown. Of many "
		"functions, --avg '$lat' --by '$func' says how long each takes.\n\n"
		"--diff EXPR looks at the same bytes at both ends of a call, at the address that EXPR had "
		"at the entry. A pointer among them counts as a number; of an array the first 64 elements "
		"that changed are shown; a string counts as far as it is read.\n\n"
		"In a container $pid and $tid are its own numbers, and 0 for a process outside of it; "
		"--host-pids makes them the host's, as $task->pid and the fields of events always are.\n\n"
		"$ctx is as this kernel's ftrace prints it: d (interrupts off), b D (bottom halves, both), "
		"N n p L l B (another task is due), h s H z Z (interrupt, softirq, both, NMI), how often "
		"preemption and migration are disabled; in JSON an object. Only kprobes see it, where a "
		"function begins or returns; many functions need --attach kprobe. What the probing adds is "
		"measured and taken off.\n\n"
		"-k shows below each record the kernel's stack, the probed function first, -U the "
		"program's: functions with the file or module they are in, [FILE]+ADDRESS where a "
		"stripped file has no name for it, [FILE?] where the file was written meanwhile, so "
		"that the name may not be the event's. --folded counts equal stacks instead: "
		"COMM;OUTERMOST;...;INNERMOST COUNT, the kernel's frames marked _[k].\n\n"
		"--count, --sum, --avg, --min, --max, --hist and --lhist print no calls: the kernel "
		"side counts, and a table is printed at the end, or every --interval, the largest "
		"first by the first of them. They may be given together, and more than once. With "
		"--by there is a row for each value of its expressions, of which strings are 64 "
		"bytes; a link that was NULL is a value too. Percentiles are estimated from powers of "
		"two: within a bucket values are taken to be spread evenly. Calls that found no room "
		"for another value are counted as lost. In JSON a row is an object of type count.\n\n"
		"--list PROBE... prints what could be traced: a name, MODULE:NAME, a pattern, "
		"'*(struct sock *)' (with such a parameter), t:GROUP:NAME, s:NAME. Of functions the "
		"cheapest way to attach stands in front: fentry, kprobe.multi, kprobe, - (none) or ? "
		"(unknown without root), and in a comment what does not work and why. Prototypes and "
		"--type need no root.\n\n"
		"--type [MODULE:]TYPE[.MEMBER...] prints where members are: offset in bytes (:BIT of "
		"a bitfield), declaration, size, and holes. With -j both print an object a line.",
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
		"of the same costs 2400. About 170 where --if tells that nobody asked for the call, or "
		"where calls are only counted; -k 5500. Kernels that preempt programs (lazy, full) are "
		"traced by kprobe.multi, which costs 140 to 260 more at an entry, 500 to 600 more at a "
		"return; --attach fentry is the cheapest there, but misses calls.",
	.blind_spots =
		"Calls that the compiler inlined: they are no calls. Functions that the "
		"kernel marks notrace. By a kretprobe (--attach kprobe, and many functions where "
		"the kernel has no kprobe.multi): calls beyond the few for each processor that "
		"it has room for at a time, which kernels before 6.7 do not count. "
		"By fentry where the kernel preempts programs (--attach fentry, and returns with "
		"parameters): calls while another task waits for its processor inside the same "
		"program; they are counted. "
		"$ctx: where an fentry or kprobe.multi is on the same function ftrace disables "
		"preemption once more; where ftrace has no hook a kprobe's trap is an NMI. "
		"coretap's own calls.",
	.args_set = argdump_args,
	.tracer = &argdump_tracer,
};
