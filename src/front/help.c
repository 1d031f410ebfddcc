/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.c - describes argdump's language in --help, with examples.
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
	{ "argdump --packet 'udp port 53' ip_rcv skb:packet",
	  "each DNS packet in a line, as tcpdump prints it" },
	{ "argdump --pcap drops.pcapng -k t:skb:kfree_skb skb:packet:1500 'dev=skb->dev->name'",
	  "dropped packets and where that was, for Wireshark" },
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
	"  SOURCE:LINE FUNC:LINE  a line, by the kernel's debug information: variables in scope\n"
	"  t:GROUP:NAME  a tracepoint, by its arguments or its event's fields\n"
	"  s:NAME s:NAME%return  a system call, by its parameters; 32-bit ones marked\n"
	"  u:FILE:SYMBOL[%return] u:FILE:0xOFFSET  a user function: $arg1 ... $ret\n"
	"  u:FILE:SOURCE:LINE[:COLUMN] u:FILE:FUNC:LINE  a line of a program: variables in scope\n"
	"  'u:libc:m*alloc' 'u:FILE:ns::f(int)'  functions whose names match; of C++\n"
	"  u:FILE:PROVIDER:NAME  a USDT probe of a program: its $arg1 ... $arg12\n"
	"  b:PROGRAM b:PROGRAM:FUNCTION  a BPF program, by name, id or tag; one of its functions\n"
	"  hz:N  whatever runs, N times a second on each CPU; every:SEC  once (gauges)\n"
	"  hw:EVENT[:PERIOD] sw:EVENT[:PERIOD]  the same, by events of CPU or kernel\n"
	"  watch:ADDRESS:LENGTH:MODE  accesses to memory: r, w, rw, or x\n\n"
	"With several functions a column shows which one was called ($func). Functions that "
	"cannot be traced, or that the expressions do not fit, are left out and counted. If "
	"several functions share a name, all are traced and a note says so. Functions "
	"without BTF get $arg1 to $arg6. More than 2000 need --max-probes. In 'A|B,C' the "
	"comma separates A or B from C; what exists but cannot be traced counts as missing, "
	"as -v explains; a name after | may have a prefix, else it is of the kind before it, or a "
	"function. A ? at the end of a name is not a pattern.\n\n"
	"EXPR is C with its operators, casts to any type of the kernel, sizeof, "
	"container_of(PTR, struct T, MEMBER), percpu(PTR) (this CPU's copy), enum constants, known macros (O_NONBLOCK, "
	"ENOENT, GFP_KERNEL, sk->sk_dport), 'c', \"text\", sizes and times (64K, 5ms), and:\n"
	"  $pid $tid $ppid $uid $gid $comm $cgroup $task  the current task\n"
	"  $cpu $ts $func $caller  CPU, time (ns), function, caller\n"
	"  $frame  where the call is on its stack: calls inside it are below\n"
	"  $ctx  interrupts and preemption: ftrace's latency field\n"
	"  $irq  1 in a soft interrupt, 2 in a hard one, 0 in neither\n"
	"  $kstack $ustack  the stack of the kernel, and of the program\n"
	"  $ret $lat  result, duration in ns\n"
	"  $depth  enclosing calls: of all functions that -r traces with it, else of --in's\n"
	"  @in(EXPR)  EXPR at the entry of the enclosing call of --in FUNC\n"
	"  $arg1 ... $arg* $reg(di) $stack $ip  parameters by number, all, registers\n"
	"  @jiffies  a kernel variable; for a per-CPU one, this CPU's copy\n"
	"  @avenrun[0] @avenrun:u64[3]  words of one that the kernel's types do not describe\n"
	"  A ?? B  A if this kernel has it, else B\n"
	"  @sum(i < N, EXPR)  the sum of EXPR for i = 0 ... N-1: sg[i].length\n"
	"  @count(i < N, EXPR) @any(i < N, EXPR)  how often EXPR is true; whether it ever is\n"
	"  @sum(@list(HEAD, struct T, MEMBER)->X)  the same for a list's elements\n"
	"  == != ~ contains(EXPR, \"text\")  compare strings; ~ with a pattern\n"
	"  pcap(EXPR, \"FILTER\")  whether a packet matches a filter of tcpdump\n"
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
	"  sock local peer localip peerip  both addresses of a struct sock * or struct socket *, one of them\n"
	"  flow  the same of a struct sk_buff *, from the packet's own headers\n"
	"  eth ip ipv6 tcp udp  that header of a struct sk_buff *, as a struct\n"
	"  packet packet:N  a packet in one line, as tcpdump prints it; N bytes of it\n"
	"  port be errno sym filemode rwbs family proto signal cap dirfd syscall  what a number is\n"
	"  ns us ms hundredths  a time span; a number in hundredths: 1.76\n"
	"  dev user usym  dev_t as 8:0, a user, a user program's function\n"
	"  openflags resolve gfp clone prot mmap mount socktype msg  flags by name\n"
	"  enum(CONSTANT)  a number by the enum that has this constant\n"
	"  TYPE[N]  an array: 'dev->dev_addr:x8[6]'\n\n"
	"An EXPR may be a whole struct: '*file', 'file->f_path'. Its nonzero members are shown; "
	"--depth follows the pointers in it.";

static const char details[] =
	"@sum, @count and @any read at most 128 elements; the rest are counted as cut. This "
	"limit also ends a damaged list. HEAD is a struct list_head or hlist_head, or a pointer "
	"to one; MEMBER links the elements: @count(@list(&$task->children, struct task_struct, "
	"sibling)). The list may change while it is read. If an element cannot be read, the "
	"whole expression has no value.\n\n"
	"Comparing and counting use the path as records show it: pipe:[123], (unreachable)/x. "
	"If a path has more than 64 directories and mounts, or 3800 bytes, only the last are "
	"used, with … before them; such calls are counted as cut. In a chroot or container it "
	"is the path from the root of the mount namespace; the path of a dentry starts at the "
	"root of its file system.\n\n"
	"skb:flow reads the IP header of a packet, and the ports after it (TCP, UDP, SCTP, "
	"DCCP): 127.0.0.1:42188 -> 10.0.0.1:443. If there are no ports, for example in a later "
	"fragment or after IPv6's extension headers, the protocol follows: 10.0.0.1 -> 10.0.0.2 "
	"IPPROTO_ICMP. A packet that is not IP is shown as EtherType 0x0806. Before the kernel "
	"has set the position of the network header, it is shown as no headers yet (JSON: "
	"null). You can count by it.\n\n"
	"skb:packet copies the first 160 bytes of a packet after its link header, skb:packet:N the first N. "
	"Packets are a struct sk_buff *, xdp_buff * or xdp_frame *. [|tcp] means that the rest was not "
	"copied. --packet and pcap() read only what is at skb->head; what is beyond does not match.\n\n"
	"The kernel's own probe syntax is accepted unchanged: a line of kprobe_events, "
	"uprobe_events or dynamic_events (p, r, f, t, e; user memory is read correctly even if "
	"the line says string), or a prototype of function_events. --dry-run prints it in "
	"argdump's own language. Functions that no longer exist, and sys_NAME, are replaced by "
	"today's equivalent, with a note.\n\n"
	"FUNC%return traces the return: $ret has the function's type (a negative int is shown "
	"as an error). Parameters have their values from the entry; memory is read at the "
	"return. A kretprobe sees no parameters.\n\n"
	"-r prints one record per call of a function, system call or user function, when it "
	"returns: EXPRs with their values at the entry, $ret, $lat (ns from the entry to the "
	"return), and @ret(EXPR), evaluated at the return. --if may use all of these. PID, TID "
	"and COMM are those at the return. Calls that began before tracing are counted; calls "
	"that have not returned when it ends are not shown. Calls of user functions that were "
	"left by a longjmp or the end of the thread are also counted. A char * followed by its "
	"size is a buffer that the call fills. At the entry it is shown as an address, at the "
	"return as text of $ret bytes, if $ret is a long (ssize_t). With another type the "
	"length is unknown: @ret(buf):str shows the text up to a NUL. Counting options accept "
	"the same: --by EXPR and --sum EXPR are evaluated at the entry, @ret(EXPR), $ret and "
	"$lat at the return. For the durations of many functions use --avg '$lat' --by "
	"'$func'.\n\n"
	"A pattern of user functions traces each function once, even if it has several names; "
	"-v lists them. It skips functions that are chosen when the file is loaded (IFUNCs), "
	"parts of functions (NAME.cold) and, if returns are traced, code whose return address "
	"must not change (_start, setjmp).\n\n"
	"--until PROBE2 makes a pair of two probes of any kind: PROBE is the begin, PROBE2 the "
	"end, and the end prints the record. EXPRs, PID, TID, COMM, -k and the filters by "
	"process are those of the begin. @end(EXPR) is evaluated at the end, and $lat is the "
	"time between (ns). One EXPR may use both: '@end(nr) - nr'. --on KEY joins a begin and "
	"its end: an EXPR that both have, or 'EXPR == @end(EXPR)'; the default is the thread, "
	"also if it executes a program meanwhile. Each operand of && in an --if is a filter by itself: of begins, of ends or, "
	"with values of both, of records. A begin whose key is in progress replaces the older "
	"one, which is counted; with --first the older one is kept. --keys N is the maximum "
	"number of keys. An event that is both ends a pair first, and then begins one: PROBE "
	"--until PROBE is the time since the last event. Begins without an end are counted at "
	"the end of tracing; --open prints them instead, or, with --count or --sum, counts "
	"them. With -r the begin is a whole call: EXPRs are those of its entry, $ret and "
	"@ret(EXPR) those of its return, and the pair begins at the return. The key, and values "
	"counted or computed with at the end, are evaluated at that return, from the parameters "
	"as they were at the entry.\n\n"
	"--and PROBE2 also traces another probe. EXPRs, --if, --until, --by and counting "
	"options after a PROBE then apply to this probe; those before the first PROBE apply to "
	"all probes. The measures of all probes are columns of one table: rows with equal keys "
	"are one row, to whose measures the calls of other probes add 0. A probe without a --by "
	"uses the one for all probes, else the last one given; the names of their keys must be "
	"equal. --count=NAME, or --count NAME after PROBE, counts the probe's calls, --count "
	"the calls of all probes.\n\n"
	"--in FUNC traces only calls inside a call of FUNC by the same thread: vfs_read --in "
	"ksys_read. With a list or pattern, one of the functions is enough; with several --in, "
	"all must be true. After one PROBE of several, --in applies to this probe. The traced "
	"call itself does not count: vfs_read --in vfs_read traces nested calls. Interrupts "
	"during FUNC are inside it, other threads are not. If the kernel missed the return of a "
	"call, the call ends with the thread's next one. With --until it applies to the first "
	"probe. $depth is the number of enclosing calls: with -r, of the functions of all probes that name it, for "
	"call trees; else of those of the first --in.\n\n"
	"@in(EXPR) is the value of EXPR at the entry of the enclosing call of --in FUNC: FUNC's "
	"parameters and values reached through them, as in skb_copy_datagram_iter "
	"'sk=@in(sock->sk)' --in unix_stream_recvmsg. With nested calls it is the value of the "
	"innermost enclosing call, not of the traced call itself. EXPR is a number or a "
	"pointer. A format or members follow the parenthesis, @in(filename):str, and are read "
	"at the traced call. With FUNC,FUNC each function must have EXPR, with one type; "
	"functions of a pattern that lack it are skipped. At most four values are kept, for the "
	"outer four of nested calls; a missing value is shown as - (JSON: null).\n\n"
	"--begin-if EXPR records nothing until EXPR is true. --stop-if EXPR stops at the first "
	"record for which EXPR is true. Both test only calls that pass --if. With --before N "
	"nothing is printed until then; then the last N records are printed as well: --stop-if "
	"'$lat > 100ms' --before 1000. Until --begin-if is true, calls cost little; with "
	"--before they cost as much as records.\n\n"
	"--print 'read {n:8} by {$comm:-16}' prints a record as this text. {NAME} is a value; "
	":WIDTH pads it on the left, :-WIDTH on the right. {n:%08x} formats a 64-bit number as "
	"printf(3) does, with d i u x X o c; {$comm:%.8s} formats a string. {ts:@%H:%M:%S} "
	"formats a time of CLOCK_MONOTONIC (ts='$ts') as strftime(3) does, with %f for "
	"microseconds. {name:+, } prints a text before the value, if there is a value. {{ is a "
	"brace, \\n and \\t are a new line and a tab; \\c at the end: no new line. After a "
	"PROBE it applies to this probe. Times and stacks are printed as without it; JSON does "
	"not change.\n\n"
	"--show 'n,bad,pct=100*bad/n' prints these columns after those of --by: results by "
	"name, or expressions of results and keys, computed when a row is printed, in C: "
	"integers, comparisons, && || ?:. A division by 0 has no value (-, in JSON null). "
	"EXPR:ns is a time, EXPR:x hex, EXPR:hundredths a number with two decimals. Rows are "
	"sorted by the first of these columns. count, hist, p50 and so on are the names of "
	"results without a NAME. With --screen on a terminal the table is redrawn in place, "
	"below the time, the load and the use of processors.\n\n"
	"u:FILE:PROVIDER:NAME is a static probe in FILE's source (USDT, sys/sdt.h; FILE as with "
	"u:FILE:SYMBOL). $arg1 ... have the sizes and signs given in its ELF notes. A probe in "
	"several places is one probe: an argument whose size differs between places has 8 "
	"bytes. The semaphore that tells a program that it is traced is set for all processes "
	"of FILE while tracing lasts. Arguments in floating point registers cannot be read.\n\n"
	"b:PROGRAM is a BPF program that is loaded: by its name or a pattern, its id or its tag. "
	"Its parameter is what the kernel passes: an xdp_buff for XDP, an sk_buff for tc; with -r "
	"its $ret is shown by name (XDP_DROP). b:PROGRAM:FUNCTION is one of its functions. It needs "
	"types (BTF) and the JIT, and root; a pattern leaves out programs without types, and those "
	"that trace functions. -l 'b:*' lists programs, -l 'b:*:*' their functions, too; with "
	"kernel.bpf_stats_enabled=1 also how often and how long they ran.\n\n"
	"hz:, hw: and sw: take samples: on each CPU that is online at the start, of the task "
	"that runs there, with the registers that were interrupted ($ip, -k, -U, --folded). The "
	"idle tasks are swapper/N, with $pid 0: --if '$pid' excludes them. hw:cycles:1000000 "
	"takes a sample at each millionth cycle of a CPU; sw:page-faults at each fault, unless "
	"a period is given; -l 'hw:*' and -l 'sw:*' list the events and their periods. The "
	"values of a sample are period and addr, the address of a fault. every:SEC runs on one "
	"CPU only, in any task that its timer interrupts, and filters by process do not apply "
	"to it: use it for @variables. The kernel drops samples that exceed its limits "
	"(kernel.perf_event_max_sample_rate, kernel.perf_cpu_time_max_percent), and does not "
	"count them.\n\n"
	"watch:ADDRESS:LENGTH:MODE lets the processor watch 1, 2, 4 or 8 bytes of the kernel, or of "
	"the processes of -p or the command, in all their threads. The registers are those after the "
	"access. A processor has few watchpoints, x86 four. What a system call reads or writes there "
	"is seen, what a device does is not.\n\n"
	"--diff EXPR compares the same bytes at the entry and at the return, at the address "
	"that EXPR had at the entry. Pointers in them are compared as numbers, strings up to "
	"the length that is read. At most 64 changed elements of an array are shown.\n\n"
	"In a container $pid and $tid are the container's own, and 0 for a process outside it. "
	"With --host-pids they are the host's, as $task->pid and the fields of events always are.\n\n"
	"$ctx is printed as this kernel's ftrace prints it: d (interrupts off), b D (bottom "
	"halves, both), N n p L l B (another task is due), h s H z Z (interrupt, softirq, both, "
	"NMI), how often preemption and migration are disabled; in JSON an object. Only kprobes "
	"at the entry or return of a function see it; with several functions use --attach "
	"kprobe. The probe's own share is measured and subtracted.\n\n"
	"-k prints the kernel stack below each record, the probed function first, -U the user "
	"stack: functions with their file or module, [FILE]+ADDRESS if a stripped file has no "
	"name for it, [FILE?] if the file was modified meanwhile, so that the name may be "
	"wrong. The kernel follows frame pointers, so -U alone misses callers in programs and "
	"libraries without them; most have none. --dwarf reads the programs' unwind tables "
	"instead (.eh_frame; not those of 32-bit programs), and frame pointers where code has "
	"no table. Each record then has a copy of the top of the stack, 8K by default; frames "
	"beyond it are not found. The ring buffer is then 16M unless --buffer is given. Counts by "
	"'$ustack' and --folded copy stacks, too: a call costs the task four times as much as by frame "
	"pointers, and the reader 38,000 instructions, which suits samples (profile --dwarf). A stack "
	"that ends early has a last line, in JSON a last element, <cut: WHY>. --lines adds the "
	"source of a frame, FILE:LINE, if the program or library has debug information, or if a "
	"separate file has it: by its build id in /usr/lib/debug/.build-id, or by the name from "
	"objcopy --add-gnu-debuglink, next to the file, in .debug there or below "
	"/usr/lib/debug. $kstack and $ustack are the same stacks as values: print them in a "
	"record, or count by them in --by, where stacks that look the same are one row. With -r "
	"they are read at the return if nothing else must be kept from the entry. The stack is "
	"the same, but without the function itself if that is a user function. --folded counts calls "
	"by both stacks and prints lines for flame graph scripts: COMM;OUTERMOST;...;INNERMOST "
	"COUNT, the kernel's frames marked _[k]. With --sum EXPR that sum is printed instead of "
	"the count. --by replaces COMM by its values and, if it names a stack, replaces the stacks.\n\n"
	"--count, --sum, --avg, --min, --max, --hist, --lhist and --pct count calls in the "
	"kernel instead of printing them. A table is printed at the end, or every --interval, "
	"sorted by the first of these options. They may be combined and repeated. With --by "
	"there is a row for each value of its expressions (the first 64 bytes of a string, the "
	"last 188 of a path; path:N uses N); a NULL pointer along the way is also a value. A "
	"value that records show as a path is counted by the path (--by file), any other by its "
	"number; file:p is the pointer. Calls of several functions are in one row if these "
	"values are equal; add '$func' to --by to separate them. A percentile with a ~ is "
	"estimated, as if values were spread evenly within their power of two. The smallest and "
	"the largest value are exact, so the percentiles of a single number are that number. "
	"Percentiles of --pct, in columns p50 and so on, are within an eighth of the value: "
	"each power of two has eight buckets. The last line has the number of all calls and the "
	"time for which they were counted, in JSON each row (total, elapsed_ns): since the "
	"start, with --clear since the last print. Calls that need another row when the table "
	"is full are counted as lost. In JSON a row is an object of type count.\n\n"
	"--list PROBE... prints what can be traced: a name, MODULE:NAME, a pattern, '*(struct "
	"sock *)' (with such a parameter), t:GROUP:NAME, s:NAME, u:FILE:NAME, 'u:FILE:*:*' "
	"(USDT), 'b:*' (BPF programs), 'hw:*', 'sw:*'. The first column of a function is the cheapest attach method: "
	"fentry, kprobe.multi, kprobe, - (none) or ? (unknown without root); a comment names "
	"what does not work, and why. Prototypes and --type need no root.\n\n"
	"--type [MODULE: or u:FILE:]TYPE[.MEMBER...] prints the layout of a type: for each member its "
	"offset in bytes (:BIT of a bitfield), declaration and size; and holes. With -j both "
	"print one object per line.";

const struct help_topic argdump_topics[] = {
	{ "language", language },
	{ "formats", formats },
	{ "details", details },
	{ 0 },
};
