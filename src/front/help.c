/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.c - what argdump's language is, and examples of it.
 */
#include "front/front.h"

const struct example argdump_examples[] = {
	{ "argdump vfs_read 'file->f_inode->i_sb->s_type->name'",
	  "the file system behind every read" },
	{ "argdump do_sys_openat2", "every parameter of the function" },
	{ "argdump s:connect '$arg2:sockaddr'", "connections: who, and to which address" },
	{ "argdump t:sched:sched_process_exec", "a tracepoint, with its event's fields" },
	{ "argdump u:/bin/bash:readline%return '$ret:ustr'", "lines typed into bash" },
	{ "argdump 'vfs_*(struct file *)' 'file->f_inode->i_ino'",
	  "all functions that match the name and have such a parameter" },
	{ "argdump 'vfs_*' --count --by '$func'", "number of calls of each function" },
	{ "argdump 't:block:block_io_start|block:block_rq_issue' 'rq->__data_len'",
	  "whichever of the two this kernel has: requests to disks" },
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
	{ "argdump -r --if '$lat > 10000000 || $ret < 0' s:fsync",
	  "only calls that took more than 10 ms or failed" },
	{ "argdump -r u:libc:getaddrinfo 'host=$arg1:ustr' '(int)$ret' '$lat'",
	  "names that programs look up, with result and duration" },
	{ "argdump -r --count --sum '$lat' --by '$func' -d 5 'u:libc:pthread_*'",
	  "number of calls of each function of a library, and the time in them" },
	{ "argdump -r --avg '$lat' --count --by '$func' -d 5 'vfs_*'",
	  "number of calls and average duration of each function" },
	{ "argdump t:block:block_rq_issue --until t:block:block_rq_complete --on rq",
	  "how long the disk takes for each request: from one probe to the other" },
	{ "argdump --hist '$lat/1000' t:sched:sched_process_exec --until do_exit",
	  "how long programs run, in microseconds: from their exec to their end" },
	{ "argdump -d 5 -r vfs_read,vfs_write '$depth' --in ksys_read,ksys_write",
	  "what system calls do, not what others do in the kernel" },
	{ "argdump -d 5 --sum count --by '$comm,fd=@in(fd)' vfs_read --in ksys_read",
	  "bytes asked for by file descriptor, which vfs_read itself does not know" },
	{ "argdump -d 5 --count --sum 'skb->len' --by skb:flow ip_rcv",
	  "packets and bytes that arrive, by addresses and ports" },
	{ "argdump -r vfs_read file --stop-if '$lat > 100ms' --before 20",
	  "the first read that takes more than 100 ms, and the 20 before it" },
	{ "argdump --open --older 1 vfs_read --until vfs_read%return",
	  "reads that still wait at the end, for a second or more" },
	{ "argdump --first do_sys_openat2 filename '$lat' --until do_exit",
	  "the first file that each thread opens, and how long it lives on" },
	{ "argdump -j --json-strings vfs_read 'at=(u64)file' | jq .args.at",
	  "an address exactly, also with a jq that rounds numbers" },
	{ "argdump --diff 'file->f_inode' -c cp vfs_write", "what a write changes in its inode" },
	{ "argdump -k autoremove_wake_function '$ctx'",
	  "in which context the kernel wakes up a task, and from where" },
	{ "argdump kernel_sendmsg 'bytes=@sum(i < num, vec[i].iov_len)'",
	  "an array: the bytes of all parts of a message" },
	{ "argdump --if 'sk:sock ~ \"*:443\"' tcp_sendmsg sk:sock size",
	  "what is sent over connections from or to port 443" },
	{ "argdump 'do_sys_openat2%return' '$ret' 'how->flags:openflags'",
	  "the result, and parameters as they were at the entry" },
	{ "argdump --folded -d 5 vfs_read", "stacks of all reads, for flamegraph.pl" },
	{ "argdump --folded --svg cpu.svg -d 10 hz:99",
	  "a flame graph of all processors, for a browser" },
	{ "argdump --heatmap -r --hist '$lat' vfs_read",
	  "how the latency of reads changes, a line each second" },
	{ "argdump --trace-json trace.json -d 5 -r 'vfs_*'",
	  "each call as a span, for ui.perfetto.dev" },
	{ "argdump --ftrace -d 5 vfs_read '$ctx' count",
	  "as the kernel's own trace file, for KernelShark and scripts" },
	{ "argdump --folded -d 10 hz:99 --if '$pid'",
	  "where the processors spend their time: samples of all stacks, but those of idle ones" },
	{ "argdump --count --by '$comm' sw:page-faults", "page faults by command, exactly" },
	{ "argdump --folded -r --sum 'us=$lat/1000' -d 5 schedule",
	  "an off-CPU flame graph: microseconds by stack" },
	{ "argdump -r --count --sum '$lat' --by '$kstack' --top 10 mutex_lock",
	  "the ten places that wait longest for mutexes" },
	{ "argdump --avg count --by 'file->f_inode->i_sb->s_type->name' vfs_read",
	  "average size that reads ask for, by file system" },
	{ "argdump --hist count -d 10 vfs_read",
	  "histogram of the sizes that reads ask for, for ten seconds" },
	{ "argdump --count --by '$comm,$pid' --top 10 --interval 1 --clear vfs_read",
	  "the ten processes that read most often, every second" },
	{ "argdump vfs_read --sum r=count --and vfs_write --sum w=count --by '$comm'",
	  "two probes in one table: bytes that each command reads and writes" },
	{ "argdump vfs_read --until vfs_read%return --and fput --until fput%return",
	  "two pairs, each with its own values and times" },
	{ "argdump -r --sum '$lat' --by 'desc->action->name' handle_irq_event",
	  "the time that each interrupt takes, by what was known when it began" },
	{ "argdump -r 'vfs_*' --count n --sum 'bad=$ret<0' --show 'pct=100*bad/n,n'",
	  "how many of 100 calls of each function fail" },
	{ "argdump -r --count --pct '50,90,99=$lat' --by '$func' 'vfs_*'",
	  "percentiles of how long each function takes" },
	{ "argdump --count --by '$comm' --interval 1 --clear --screen vfs_read",
	  "who reads, in a table that stays in place" },
	{ "argdump --columns '$comm,count,file' vfs_read count file",
	  "values aligned below a header" },
	{ "argdump --recipe tcplife", "the lines behind the tool tcplife" },
	{ "argdump vfs_open path --and vfs_unlink dentry:path",
	  "two probes, with EXPRs of their own" },
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

const char argdump_description[] =
	"Each EXPR is a C expression over the parameters of PROBE. Pointers are followed to any "
	"depth, using the running kernel's own types. Without EXPR all parameters are "
	"printed: --help=language. Values are shown by type; :FORMAT overrides that: "
	"--help=formats. Returns, pairs, counting, stacks, samples: --help=details.";

static const char language[] =
	"PROBE:\n"
	"  FUNC MODULE:FUNC  a kernel function, by its parameters\n"
	"  'tcp_*' 'A,B' '*(struct sk_buff *)'  several, by name or a parameter's type\n"
	"  'A|B' 'A,B?'  the first that this kernel has, of any kind; B may be missing\n"
	"  FUNC%return  its return: $ret\n"
	"  FUNC+OFFSET  an instruction: registers only\n"
	"  t:GROUP:NAME  a tracepoint, by its arguments or its event's fields\n"
	"  s:NAME s:NAME%return  a system call, by its parameters; 32-bit ones marked\n"
	"  u:FILE:SYMBOL[%return] u:FILE:0xOFFSET  a user function: $arg1 ... $ret\n"
	"  'u:libc:m*alloc'  all functions of a file whose names match\n"
	"  u:FILE:PROVIDER:NAME  a USDT probe of a program: its $arg1 ... $arg12\n"
	"  hz:N  whatever runs, N times a second on each CPU; every:SEC  once (gauges)\n"
	"  hw:EVENT[:PERIOD] sw:EVENT[:PERIOD]  the same, by events of CPU or kernel\n\n"
	"With several functions a column shows which one was called ($func). Functions that "
	"cannot be traced, or that the expressions do not fit, are left out and counted. If "
	"several functions share a name, all are traced and a note says so. Functions "
	"without BTF get $arg1 to $arg6. More than 2000 need --max-probes. In 'A|B,C' the "
	"comma separates A or B from C; what exists but cannot be traced counts as missing, "
	"as -v explains; a name after | may have a prefix, else it is of the kind before it, or a "
	"function. A ? at the end of a name is no pattern.\n\n"
	"EXPR is C with its operators, casts to any type of the kernel, sizeof, "
	"container_of(PTR, struct T, MEMBER), percpu(PTR) (this CPU's copy), enum constants, known macros (O_NONBLOCK, "
	"ENOENT, GFP_KERNEL, sk->sk_dport), 'c', \"text\", sizes and times (64K, 5ms), and:\n"
	"  $pid $tid $ppid $uid $gid $comm $cgroup $task  the current task\n"
	"  $cpu $ts $func $caller  CPU, time (ns), function, caller\n"
	"  $frame  where the call is on its stack: calls inside of it are below\n"
	"  $ctx  interrupts and preemption: ftrace's latency field\n"
	"  $irq  1 in a soft interrupt, 2 in a hard one, 0 in neither\n"
	"  $kstack $ustack  the stack of the kernel, and of the program\n"
	"  $ret $lat  result, duration in ns\n"
	"  $depth  calls around: of all functions that -r traces, else of --in's\n"
	"  @in(EXPR)  what the call around, of --in FUNC, had as EXPR when it began\n"
	"  $arg1 ... $arg* $reg(di) $stack $ip  parameters by number, all, registers\n"
	"  @jiffies  a kernel variable; for a per-CPU one, this CPU's copy\n"
	"  @avenrun[0] @avenrun:u64[3]  words of one that the kernel's types do not describe\n"
	"  A ?? B  A if this kernel has it, else B\n"
	"  @sum(i < N, EXPR)  EXPR for i = 0 ... N-1, added up: sg[i].length\n"
	"  @count(i < N, EXPR) @any(i < N, EXPR)  how often it is true; whether ever\n"
	"  @sum(@list(HEAD, struct T, MEMBER)->X)  the same of a list's elements\n"
	"  == != ~ contains(EXPR, \"text\")  compare strings; ~ with a pattern\n"
	"  $func ~ \"vfs_*\"  which function it is, by its name\n"
	"  sk->sk_dport == 443  __be16 and the like compare with the number that they mean\n"
	"  EXPR:path  the path, where it is compared: file:path ~ \"/etc/*\"\n"
	"  sk:sock sk:local sk:peer  either end, or one, compares with 127.0.0.1:80; ~ with\n"
	"               *:443 10.0.0.1:* 10.* 10.0.0.0/8 [::1]:22; sk:sock ~ \"10.* -> *:443\"\n\n"
	"If a pointer along the way is NULL, or memory cannot be read, the output names it "
	"instead of a value.";

static const char formats[] =
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
	"               at most -s of them, or N: 'buf:hex[nr]:16'\n"
	"  hex[N] mac ip4 ip6 uuid sockaddr  bytes at an address, of an array, a struct\n"
	"  sock local peer peerip  both addresses of a struct sock * or struct socket *, one of them\n"
	"  flow  the same of a struct sk_buff *, from the packet's own headers\n"
	"  port be errno sym filemode family proto signal cap dirfd syscall  what a number stands for\n"
	"  ns us ms hundredths  a time span; a number in hundredths: 1.76\n"
	"  dev user usym  dev_t as 8:0, a user, a user program's function\n"
	"  openflags resolve gfp clone prot mmap mount socktype msg  flags by name\n"
	"  enum(CONSTANT)  a number by the enum that has this constant\n"
	"  TYPE[N]  an array: 'dev->dev_addr:x8[6]'\n\n"
	"An EXPR may be a whole struct: '*file', 'file->f_path'. Its nonzero members are shown; "
	"--depth follows the pointers in it.";

static const char details[] =
	"@sum, @count and @any take at most 128 elements; what they leave out is counted as "
	"cut. So a list ends, too, that is damaged. HEAD is a struct list_head or hlist_head, or a pointer to "
	"one, MEMBER links the elements: @count(@list(&$task->children, struct task_struct, sibling)). A list "
	"may change meanwhile. If an element cannot be read, the whole has no value.\n\n"
	"A path is compared, and counted by, as records show it: pipe:[123], (unreachable)/x. "
	"Of more than 64 directories and mounts, or 3800 bytes, the last are taken, with … before "
	"them; such calls are counted as cut. In a chroot or container it is the path from the root of "
	"the mount namespace; a dentry's, from the root of its file system.\n\n"
	"skb:flow reads the IP header of a packet, and ports behind it (TCP, UDP, SCTP, DCCP): "
	"127.0.0.1:42188 -> 10.0.0.1:443. Without ports, as of a later fragment or behind IPv6's extension headers, the protocol "
	"follows: 10.0.0.1 -> 10.0.0.2 IPPROTO_ICMP. What is no IP is shown as EtherType 0x0806; while the kernel "
	"has not set where the network header is, as no headers yet (JSON: null). It can be counted by.\n\n"
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
	"@ret(buf):str shows them up to a NUL. Counting options take the same: --by EXPR and --sum EXPR are "
	"those of the entry, @ret(EXPR), $ret and $lat of the return. For the durations of many functions use --avg '$lat' --by '$func'.\n\n"
	"A pattern of user functions takes each function once, whatever names it has; -v lists "
	"them. Left out are functions that are chosen when the file is loaded (IFUNCs), parts "
	"of functions (NAME.cold) and, where returns are traced, code whose return address "
	"must not change (_start, setjmp).\n\n"
	"--until PROBE2 makes a pair of two probes of any kind: PROBE begins what PROBE2 ends, "
	"and the end prints the record. EXPRs are those of the begin, as are PID, TID, COMM, -k and "
	"the filters by process; @end(EXPR) is evaluated at the end, and $lat is the time between "
	"(ns). Both may stand in one EXPR: '@end(nr) - nr'. What belongs together is said by --on "
	"KEY, an EXPR of both sides or 'EXPR == @end(EXPR)'; without it, it is the thread ($tid). Of "
	"an --if, each operand of && decides by itself: what begins, what ends, or, with values of "
	"both, what is shown. A begin whose key is in progress replaces the older one, which is "
	"counted; with --first the older one stays; --keys N makes room for N. An event that is "
	"both ends first, and then begins: PROBE --until PROBE is the time since the last one. What had not ended is counted "
	"at the end; --open prints it instead, or, with --count or --sum, counts it. With -r the begin is a whole call: EXPRs are those of "
	"its entry, $ret and @ret(EXPR) those of its return, when it begins what PROBE2 ends. The key, "
	"and what is counted or computed with at the end, are evaluated at that return, from the "
	"parameters as they were at the entry.\n\n"
	"--and PROBE2 traces another probe, too. The EXPRs, --if, --until, --by and counting options behind "
	"a PROBE are then its own, those before the first PROBE everybody's. Its measures are columns of one table: "
	"rows of equal keys are one row, in which other probes' calls add 0 to them. A probe without a "
	"--by takes everybody's, else the last one given; their names must be equal. --count=NAME, "
	"or --count NAME behind PROBE, counts the probe's calls, --count those of all.\n\n"
	"--in FUNC traces only what a thread does inside of FUNC's calls: vfs_read --in ksys_read. Of a list or "
	"pattern one is enough; of several --in all must hold; behind a PROBE of several it is that PROBE's own. "
	"A function's own call does not count: --in vfs_read of vfs_read itself are calls in calls. An "
	"interrupt that comes meanwhile is inside, what other threads do is not. Calls whose return "
	"the kernel missed are over with that thread's next one. Of --until's two probes the first one is "
	"meant. $depth is how many calls are around: "
	"with -r, of all functions that are traced, for call trees; else of the first --in's.\n\n"
	"@in(EXPR) is EXPR as the call of --in FUNC had it when it began: FUNC's parameters, and what they lead to, as "
	"in skb_copy_datagram_iter 'sk=@in(sock->sk)' --in unix_stream_recvmsg. Of calls in calls it is the innermost "
	"around, not the traced call itself. EXPR is a number or a pointer; a format, or what follows the pointer, "
	"stands behind: @in(filename):str, and is read now. With FUNC,FUNC each has to know EXPR, with one type; of a "
	"pattern, those that do not are left out. At most four values are kept, and those of the outer four of nested calls; where there "
	"is none it is shown as - (JSON: null).\n\n"
	"--begin-if EXPR records nothing until EXPR is true, --stop-if EXPR ends with the first record "
	"for which it is, both of calls that --if lets pass. With --before N nothing is printed until then, and then "
	"the last N records, too: --stop-if '$lat > 100ms' --before 1000. Until --begin-if is true calls "
	"cost little, but with --before as much as records do.\n\n"
	"--print 'read {n:8} by {$comm:-16}' prints a record as this text: {NAME} is a value, with :WIDTH "
	"blanks before it, with :-WIDTH behind it; {n:%08x} is a number as printf(3) of C prints it, of 64 bits, by d i u "
	"x X o c, {$comm:%.8s} a text, {ts:@%H:%M:%S} a time of CLOCK_MONOTONIC (ts='$ts') as by strftime(3), with %f for "
	"microseconds, {name:+, } a value that is there with a text before it. {{ is a brace, \\n and \\t are a new line "
	"and a tab; \\c at the end: no new line. Behind a PROBE it is its own. Time and stacks stay around it; JSON is as it would be.\n\n"
	"--show 'n,bad,pct=100*bad/n' prints these columns behind those of --by: results by name, or "
	"computed from them and from keys when a row is printed, in C: integers, comparisons, && || ?:. "
	"What is divided by 0 has no value (-, in JSON null). EXPR:ns is a time, EXPR:x hex, EXPR:hundredths a number with two decimals. Rows are "
	"sorted by the first of these columns. count, hist, p50 and so on are the names of results "
	"without a NAME. With --screen on a terminal the table stays in place, below the time, the load and "
	"the use of processors.\n\n"
	"u:FILE:PROVIDER:NAME is a probe that FILE's author has put there (USDT, sys/sdt.h; FILE as "
	"with u:FILE:SYMBOL). $arg1 ... have the sizes and signs that its notes say. A probe "
	"in several places is one probe: an argument with another size in some of them has 8 bytes. A "
	"semaphore, by which a program knows that it is traced, is set for all processes of "
	"FILE as long as the tracing lasts. Arguments in floating point registers cannot be read.\n\n"
	"hz:, hw: and sw: take samples: on each CPU that is online at the start, of the task that "
	"runs there, with the registers that were interrupted ($ip, -k, -U, --folded). The idle "
	"tasks are swapper/N, with $pid 0: --if '$pid' leaves them out. hw:cycles:1000000 takes a "
	"sample at each millionth cycle of a CPU; sw:page-faults at each fault, unless a period is "
	"given; -l 'hw:*' and -l 'sw:*' list the events and their periods. Values of a sample are "
	"period and addr, the address that a fault was about. every:SEC runs on one CPU only, "
	"in whatever task its timer interrupts, and no filter by process holds for it: @variables "
	"are what it is for. Samples that come faster than the kernel allows "
	"(kernel.perf_event_max_sample_rate, kernel.perf_cpu_time_max_percent) are left out by the "
	"kernel, which does not count them.\n\n"
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
	"name for it, [FILE?] if the file was written meanwhile, so that the name may be wrong. The "
	"kernel follows frame pointers, so -U alone misses callers in programs and libraries without "
	"them, which is most. --dwarf reads the programs' unwind tables instead (.eh_frame; not those "
	"of 32-bit programs), and frame pointers where code has no table: the record takes a copy "
	"of the top of the stack with it, 8K by default, which is all that frames are sought in, and the ring buffer is 16M unless --buffer says otherwise. A stack "
	"that ends early has a last line, in JSON a last element, <cut: WHY>. --lines adds where in the "
	"source a frame is, FILE:LINE, if the program or library has debug information, or if a file "
	"of its own has it: by its build id in /usr/lib/debug/.build-id, or of the name that "
	"objcopy --add-gnu-debuglink left, beside it, in .debug there or below /usr/lib/debug. "
	"$kstack and $ustack are the same as values: shown as one of a record's, and counted by in "
	"--by, where stacks that look the same are one row. With -r they are taken at the return if "
	"nothing else has to be kept from the entry: the stack is the same, though of a user function "
	"without the function itself. --folded counts calls by both stacks and prints lines for flame "
	"graph scripts: COMM;OUTERMOST;...;INNERMOST COUNT, the kernel's frames marked _[k]. With "
	"--sum EXPR that sum is printed instead of the count; --by replaces COMM by its values, and, if "
	"it names a stack, the stacks.\n\n"
	"--count, --sum, --avg, --min, --max, --hist, --lhist and --pct print no calls: they are "
	"counted in the kernel, and a table is printed at the end, or every --interval, sorted "
	"by the first of these options. They may be combined and repeated. With --by there is "
	"a row for each value of its expressions (the first 64 bytes of a string, the last 188 "
	"of a path: path:N takes N); a NULL pointer along the way is a value, too. What records "
	"show as a path is counted by the path (--by file), the rest by its number; file:p is "
	"the pointer. Calls of several functions are in one row if these values are equal: '$func' "
	"in --by tells them apart. A percentile with a ~ is estimated, as if "
	"values were spread evenly within their power of two; the least and the largest value "
	"are exact, so the percentiles of one number are that number. Those of --pct, columns p50 and so "
	"on, are within an eighth of the value: each power of two has eight buckets. The last line has the "
	"number of all calls and the time they were counted for, in JSON each row (total, "
	"elapsed_ns): since the start, with --clear since the last print. Calls for which "
	"there was no room for another group are counted as lost. In JSON a row is an object "
	"of type count.\n\n"
	"--list PROBE... prints what can be traced: a name, MODULE:NAME, a pattern, "
	"'*(struct sock *)' (with such a parameter), t:GROUP:NAME, s:NAME, u:FILE:NAME, 'u:FILE:*:*' (USDT), 'hw:*', 'sw:*'. The first column of a "
	"function is the cheapest attach method: fentry, kprobe.multi, kprobe, - (none) or ? "
	"(unknown without root); a comment says what does not work and why. Prototypes and "
	"--type need no root.\n\n"
	"--type [MODULE:]TYPE[.MEMBER...] prints where members are: offset in bytes (:BIT of "
	"a bitfield), declaration, size, and holes. With -j both print one object per line.";

const struct help_topic argdump_topics[] = {
	{ "language", language },
	{ "formats", formats },
	{ "details", details },
	{ 0 },
};
