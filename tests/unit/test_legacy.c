/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_legacy.c - the kernel's own notations in coretap's words: every example of its documents, every
 * old line of what people type, and where wrong ones are wrong.
 */
#include <stdarg.h>
#include <string.h>

#include "unit.h"
#include "expr/legacy/legacy.h"

/* A kernel of today. */
static bool exists(const void *context, const char *function)
{
	static const char *const functions[] = {
		"do_sys_open",
		"do_sys_openat2",
		"vfs_read",
		"vfs_write",
		"ip_rcv",
		"kernel_clone",
		"do_file_open",
		"submit_bio_noacct",
		"sk_skb_reason_drop",
		"__common_interrupt",
		"sys_off_notify",
	};

	(void)context;
	for (size_t i = 0; i < COUNT(functions); i++) {
		if (!strcmp(functions[i], function))
			return true;
	}
	return false;
}

/* probe | text | text …, with a <- before it where the caller is shown */
static const char *said(const char *definition)
{
	static char text[4096];
	struct expr_error error;
	struct legacy_probe *p;
	size_t len;
	int err = legacy_translate(definition, exists, NULL, &p, &error);

	if (err) {
		snprintf(text, sizeof(text), "%zu-%zu %s", error.start, error.end, error.message);
		return text;
	}
	len = snprintf(text, sizeof(text), "%s%s", p->caller ? "<- " : "",
		       p->probe ? p->probe : "nothing");
	for (size_t i = 0; i < p->count; i++)
		len += snprintf(text + len, sizeof(text) - len, " | %s", p->texts[i].text);
	legacy_free(p);
	return text;
}

struct pair {
	const char *definition, *want;
};

static void check(const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_string_equal(said(pairs[i].definition), pairs[i].want);
}

static void test_kprobetrace(void **state)
{
	static const struct pair pairs[] = {
		{ "p:myprobe do_sys_open dfd=%ax filename=%dx flags=%cx mode=+4($stack)",
		  "do_sys_openat2 | dfd=$reg(ax):x64 | filename=$arg3->flags:x64 | "
		  "flags=$arg3->mode:x64 | mode=*(u64 *)($stack + 4):x64" },
		{ "p:myprobe,do_sys_open,dfd=%ax,filename=%dx,flags=%cx,mode=+4($stack)",
		  "do_sys_openat2 | dfd=$reg(ax):x64 | filename=$arg3->flags:x64 | "
		  "flags=$arg3->mode:x64 | mode=*(u64 *)($stack + 4):x64" },
		{ "r:myretprobe do_sys_open $retval", "<- do_sys_openat2%return | arg1=$ret" },
		{ "-:myprobe", "nothing" },
		{ ":grp/myprobe", "nothing" },
		{ "p vfs_read", "vfs_read" },
		{ "p:grp/ev vfs_read+0x10 %ip", "vfs_read+0x10 | arg1=$reg(ip):x64" },
		{ "p:grp/ vfs_read+0", "vfs_read" },
		{ "p:grp.ev btrfs:btrfs_sync_file $arg1",
		  "btrfs:btrfs_sync_file | arg1=$arg1:x64" },
		{ "p vfs_read%return $retval:s32", "<- vfs_read%return | arg1=$ret:s32" },
		{ "r20:ev vfs_read+0", "<- vfs_read%return" },
		{ "p vfs_read @jiffies", "vfs_read | arg1=*(u64 *)&@jiffies:x64" },
		{ "p vfs_read @jiffies+8:u32", "vfs_read | arg1=*(u32 *)((u64)&@jiffies + 8):u32" },
		{ "p vfs_read b=@linux_banner-0x10:string",
		  "vfs_read | b=(u64)&@linux_banner - 16:str" },
		{ "p vfs_read a=@0xffffffff81000000:x8[6]",
		  "vfs_read | a=(u8 *)0xffffffff81000000:x8[6]" },
		{ "p vfs_read $stack $stack0 $stack2:s16",
		  "vfs_read | arg1=$stack:x64 | arg2=*(u64 *)$stack:x64 | "
		  "arg3=*(s16 *)($stack + 16):s16" },
		{ "p vfs_read $comm c=$COMM:string", "vfs_read | arg1=$comm | c=$comm" },
		{ "p vfs_read a=\\123 b=\\-5:s8 c=\\\"te\\xt\"",
		  "vfs_read | a=123:x64 | b=(s64)-5:s8 | c=\"te\\\\xt\"" },
		{ "p vfs_read +8($stack):x8[8]", "vfs_read | arg1=(u8 *)($stack + 8):x8[8]" },
		{ "p vfs_read f=$arg4:b4@2/32 +0($arg4):b1@0/8",
		  "vfs_read | f=$arg4:b4@2/32 | arg2=*(u8 *)$arg4:b1@0/8" },
		{ "p vfs_read s=+0(%di):string[1]", "vfs_read | s_0=*(u64 *)$reg(di):str" },
		{ "p vfs_read s=-8(%sp):ustring[3]",
		  "vfs_read | s_0=*(u64 *)($reg(sp) - 8):ustr | s_1=*(u64 *)$reg(sp):ustr | "
		  "s_2=*(u64 *)($reg(sp) + 8):ustr" },
		{ "p vfs_read u=+u4(%si) v=+u0(%si):string w=+0(%si):ustring",
		  "vfs_read | u=*(u64 __user *)($reg(si) + 4):x64 | v=$reg(si):ustr | "
		  "w=$reg(si):ustr" },
		{ "p vfs_read f=+16(+0x28(%di)):symbol g=%x0:symstr h=%di:char",
		  "vfs_read | f=*(u64 *)(*(u64 *)($reg(di) + 40) + 16):sym | g=$reg(x0):sym | "
		  "h=$reg(di):c" },
		{ "p vfs_read a=this_cpu_read(@runqueues) b=this_cpu_ptr(@x+8) c=this_cpu_read(@x-8):u32",
		  "vfs_read | a=*(u64 *)percpu(&@runqueues):x64 | b=((u64)percpu(&@x) + 8):x64 | "
		  "c=*(u32 *)((u64)percpu(&@x) - 8):u32" },
		{ "f vfs_read a=this_cpu_read(+8($arg1)):s32 b=(rq)this_cpu_ptr(@runqueues)->nr_running",
		  "vfs_read | a=*(s32 *)percpu(*(u64 *)((u64)$arg1 + 8)):s32 | "
		  "b=((struct rq *)percpu(&@runqueues))->nr_running" },
		{ "f vfs_read m=file->f_inode->i_sb->s_writers.rw_sem->read_count n=this_cpu_ptr(file->x)",
		  "vfs_read | m=file->f_inode->i_sb->s_writers.rw_sem->read_count | "
		  "n=percpu(file->x):x64" },
		{ "p vfs_open d=$arg1:%pd f=+0(%di):%pD",
		  "vfs_open | d=((struct dentry *)$arg1)->d_name.name:str | "
		  "f=((struct file *)*(u64 *)$reg(di))->f_path.dentry->d_name.name:str" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

static void test_fprobetrace(void **state)
{
	static const struct pair pairs[] = {
		{ "f:myprobe vfs_read count pos", "vfs_read | count=count | pos=pos" },
		{ "f:fprobes/myprobe vfs_read count=count pos=pos",
		  "vfs_read | count=count | pos=pos" },
		{ "f:myprobe vfs_read $arg*", "vfs_read | $arg*" },
		{ "f vfs_read%return $retval", "<- vfs_read%return | arg1=$ret" },
		{ "f10 vfs_read%return $retval", "<- vfs_read%return | arg1=$ret" },
		{ "t sched_switch preempt prev_pid=prev->pid next_pid=next->pid",
		  "t:sched_switch | preempt=preempt | prev_pid=prev->pid | next_pid=next->pid" },
		{ "t sched_switch prev->comm:string", "t:sched_switch | comm=prev->comm:str" },
		{ "f getname_flags%return $retval->name:string",
		  "<- getname_flags%return | name=$ret->name:str" },
		{ "t sched_switch $arg*", "t:sched_switch | $arg*" },
		{ "t sched_switch comm=next->comm:string next->start_time",
		  "t:sched_switch | comm=next->comm:str | start_time=next->start_time" },
		{ "f vfs_* foo->bar.baz->qux", "vfs_* | qux=foo->bar.baz->qux" },
		{ "f vfs_read f=+8(file):u32", "vfs_read | f=*(u32 *)((u64)file + 8):u32" },
		{ "t:ev sched_switch a=(task_struct)$arg2->pid b=(task_struct,rcu)(+8($arg2))->pid",
		  "t:sched_switch | a=((struct task_struct *)$arg2)->pid | "
		  "b=container_of(*(u64 *)((u64)$arg2 + 8), struct task_struct, rcu)->pid" },
		{ "f vfs_read p=$current->pid", "vfs_read | p=$task->pid" },
		{ "e:sched/switch sched.sched_switch prev=$prev_pid:u32 next=$next_pid:u32",
		  "t:sched:sched_switch | prev=prev_pid:u32 | next=next_pid:u32" },
		{ "e:openat raw_syscalls.sys_enter nr=$id filename=+8($args):ustring",
		  "t:raw_syscalls:sys_enter | nr=id | filename=(u64)args + 8:ustr" },
		{ "e sched/sched_switch (task_struct)prev->pid",
		  "t:sched:sched_switch | pid=((struct task_struct *)prev)->pid" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

static void test_uprobetracer(void **state)
{
	static const struct pair pairs[] = {
		{ "p /bin/bash:0x4245c0", "u:/bin/bash:0x4245c0" },
		{ "r /bin/bash:0x4245c0", "<- u:/bin/bash:0x4245c0%return" },
		{ "-:p_bash_0x4245c0", "nothing" },
		{ "p:zfree_entry /bin/zsh:0x46420 %ip %ax",
		  "u:/bin/zsh:0x46420 | arg1=$reg(ip):x64 | arg2=$reg(ax):x64" },
		{ "r:zfree_exit /bin/zsh:0x46420 %ip %ax",
		  "<- u:/bin/zsh:0x46420%return | arg1=$reg(ip):x64 | arg2=$reg(ax):x64" },
		{ "p:uprobes/zfree_entry /bin/zsh:0x00046420 arg1=%ip arg2=%ax",
		  "u:/bin/zsh:0x46420 | arg1=$reg(ip):x64 | arg2=$reg(ax):x64" },
		{ "p /a:b/c:16%return s=+0($retval):string",
		  "<- u:/a:b/c:0x10%return | s=$ret:ustr" },
		{ "p /x:1 a=+8(+16(%di)):u32 b=$stack1 c=@0x601000:u8[4]",
		  "u:/x:0x1 | a=*(u32 __user *)(*(u64 __user *)($reg(di) + 16) + 8):u32 | "
		  "b=*(u64 __user *)($stack + 8):x64 | c=(u8 __user *)0x601000:u8[4]" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

/* What people type today. */
static void test_old_ways(void **state)
{
	static const struct pair pairs[] = {
		{ "p:open do_sys_open file=%si", "do_sys_openat2 | file=$arg2:x64" },
		{ "p:open do_sys_open file=+0(%si):string", "do_sys_openat2 | file=$arg2:str" },
		{ "p:open do_sys_openat2 file=+0($arg2):ustring",
		  "do_sys_openat2 | file=$arg2:ustr" },
		{ "p:test sys_execve filename=+0(%di):string arg1=+0(+0(%si)):string "
		  "arg2=+0(+8(%si)):string",
		  "s:execve | filename=$arg1:ustr | arg1=*(u64 __user *)$arg2:ustr | "
		  "arg2=*(u64 __user *)((u64)$arg2 + 8):ustr" },
		{ "r sys_openat $retval", "<- s:openat%return | arg1=$ret" },
		{ "r sys_openat ret=$retval file=+0($arg2):string",
		  "s:openat%return | ret=$ret | file=$arg2:ustr" },
		{ "f vfs_read%return count ret=$retval",
		  "vfs_read%return | count=count | ret=$ret" },
		{ "p sys_off_notify %di", "sys_off_notify | arg1=$reg(di):x64" },
		{ "p:net ip_rcv dev=$arg2 name=+0($arg2):string",
		  "ip_rcv | dev=$arg2:x64 | name=$arg2:str" },
		{ "p:net ip_rcv a1=+574($arg2):x8 a6=+579($arg2):x8",
		  "ip_rcv | a1=*(u8 *)((u64)$arg2 + 574):x8 | a6=*(u8 *)((u64)$arg2 + 579):x8" },
		{ "p:crazy __vfs_read name=+0(+0(+40(+40(+32($arg1))))):string",
		  "vfs_read | name=*(u64 *)*(u64 *)(*(u64 *)(*(u64 *)((u64)$arg1 + 32) + 40) + 40)"
		  ":str" },
		{ "p:mytasklets __tasklet_schedule", "__tasklet_schedule" },
		{ "r:do_sys_open ret=$retval", "<- do_sys_openat2%return | ret=$ret" },
		{ "p:vfs_read", "vfs_read" },
		{ "p:vfs_read %di +0(%si)",
		  "vfs_read | arg1=$reg(di):x64 | arg2=*(u64 *)$reg(si):x64" },
		{ "do_sys_open(NULL, string file)", "<- do_sys_openat2 | file=$arg2:str" },
		{ "p kfree_skb $arg1", "sk_skb_reason_drop | arg1=$arg2:x64" },
		{ "p do_fork $arg1 $arg3", "kernel_clone | arg1=$arg1->flags:x64 | "
					   "arg2=$arg1->stack_size:x64" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

static void test_function_events(void **state)
{
	static const struct pair pairs[] = {
		{ "do_IRQ()", "<- __common_interrupt" },
		{ "ip_rcv(x64 skb, x64 dev)", "<- ip_rcv | skb=$arg1:x64 | dev=$arg2:x64" },
		{ "ip_rcv(x64 skb, x86 dev)", "<- ip_rcv | skb=$arg1:x64 | dev=$arg2:x64" },
		{ "ip_rcv(int skb[32], x64 dev)",
		  "<- ip_rcv | skb=*(s32 *)((u64)$arg1 + 128):s32 | dev=$arg2:x64" },
		{ "ip_rcv(int skb+4[31])", "<- ip_rcv | skb=*(s32 *)((u64)$arg1 + 128):s32" },
		{ "ip_rcv(x64 skb | int skb[32], x64 dev)",
		  "<- ip_rcv | skb=$arg1:x64 | skb_2=*(s32 *)((u64)$arg1 + 128):s32 | "
		  "dev=$arg2:x64" },
		{ "ip_rcv(x64 skb | x64 skb_2+8 | int skb[32])",
		  "<- ip_rcv | skb=$arg1:x64 | skb_2=(u64)$arg1 + 8:x64 | "
		  "skb_3=*(s32 *)((u64)$arg1 + 128):s32" },
		{ "ip_rcv(unsigned int skb[32])",
		  "<- ip_rcv | skb=*(u32 *)((u64)$arg1 + 128):u32" },
		{ "f(x64 param+4[2])", "<- f | param=*(u64 *)((u64)$arg1 + 20):x64" },
		{ "f(x64 param+4)", "<- f | param=(u64)$arg1 + 4:x64" },
		{ "__queue_work(int cpu, x64 wq, symbol func[3])",
		  "<- __queue_work | cpu=$arg1:s32 | wq=$arg2:x64 | "
		  "func=*(u64 *)((u64)$arg3 + 24):sym" },
		{ "do_IRQ(int total_forks=0xffffffff82354c18)",
		  "<- __common_interrupt | total_forks=*(s32 *)0xffffffff82354c18:s32" },
		{ "do_IRQ(int total_forks=0xffffffff82354c18, symbol regs[16])",
		  "<- __common_interrupt | total_forks=*(s32 *)0xffffffff82354c18:s32 | "
		  "regs=*(u64 *)((u64)$arg1 + 128):sym" },
		{ "do_IRQ(int 0x10 | symbol regs[16])",
		  "<- __common_interrupt | at_10=*(s32 *)0x10:s32 | "
		  "regs=*(u64 *)((u64)$arg1 + 128):sym" },
		{ "do_IRQ(int $total_forks, string b=$linux_banner)",
		  "<- __common_interrupt | total_forks=*(s32 *)&@total_forks:s32 | "
		  "b=&@linux_banner:str" },
		{ "ip_rcv(x64 skb, x8[6] perm_addr+558)",
		  "<- ip_rcv | skb=$arg1:x64 | perm_addr=(u8 *)((u64)$arg2 + 558):x8[6]" },
		{ "ip_rcv(NULL, x8[6] perm_addr+558)",
		  "<- ip_rcv | perm_addr=(u8 *)((u64)$arg2 + 558):x8[6]" },
		{ "ip_rcv(NULL,NULL,u16[4] a+8[0])",
		  "<- ip_rcv | a=(u16 *)(*(u64 *)((u64)$arg3 + 8)):u16[4]" },
		{ "link_path_walk(char[64] name)", "<- link_path_walk | name=$arg1:str:64" },
		{ "link_path_walk(string name)", "<- link_path_walk | name=$arg1:str" },
		{ "__vfs_read(symbol read+40[0]+16)",
		  "<- vfs_read | read=*(u64 *)(*(u64 *)((u64)$arg1 + 40) + 16):sym" },
		{ "__vfs_read(string name+32[0]+40[0]+40[0][0])",
		  "<- vfs_read | name=*(u64 *)*(u64 *)(*(u64 *)(*(u64 *)((u64)$arg1 + 32) + 40) + "
		  "40):str" },
		{ "  vfs_read ( NULL , char * buf , size_t count ) ",
		  "<- vfs_read | buf=$arg2:str | count=$arg3:u64" },
		{ "vfs_read(int *p, short a, unsigned char b, long c)",
		  "<- vfs_read | p=$arg1:x64 | a=$arg2:s16 | b=$arg3:u8 | c=$arg4:s64" },
		{ "sys_open(string filename, x32 flags)",
		  "<- s:open | filename=$arg1:ustr | flags=$arg2:x32" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

static void test_errors(void **state)
{
	static const struct pair pairs[] = {
		{ "p", "1-1 what to trace is missing" },
		{ "p:1x vfs_read", "2-3 expected a group's or an event's name" },
		{ "p10 vfs_read",
		  "1-3 only a return has a number here: the limit of calls at once" },
		{ "p:a/b/c vfs_read",
		  "5-7 an event's name can have letters, digits and _, not '/c'" },
		{ "p vfs_read+x", "11-12 'x' is not a valid offset" },
		{ "p vfs_read-4", "10-12 an offset cannot be before the function" },
		{ "r vfs_read+4", "10-12 a return or an f probe cannot have an offset" },
		{ "p vfs_read+4%return", "19-19 a return cannot have an offset" },
		{ "p vfs_read%ret", "10-14 after a name and a % only return can follow" },
		{ "p vfs_read a=", "13-13 expected an argument to record" },
		{ "p vfs_read a=!", "13-14 expected an argument to record" },
		{ "p vfs_read a=$retval", "13-20 the return value is not known at entry" },
		{ "p vfs_read a=$arg0", "13-18 arguments are $arg1, $arg2, …" },
		{ "p vfs_read a=$foo", "13-17 unknown variable $foo" },
		{ "p vfs_read a=$stackx", "19-20 only a number can follow $stack: $stack2" },
		{ "f vfs_read args=$arg*", "16-21 $arg* is several values: it cannot have a name" },
		{ "f vfs_read $arg* $arg*", "17-22 $arg* is given twice" },
		{ "f: vfs_read", "2-2 expected a group's or an event's name at the end" },
		{ "f100 vfs_read",
		  "1-4 only a return has a number here: the limit of calls at once" },
		{ "p vfs_read $stack10000", "11-22 the stack has no more than 2048 words" },
		{ "p /bin/bash:4 this_cpu_ptr(%di)",
		  "14-31 only the kernel has memory of each CPU" },
		{ "p vfs_read this_cpu_ptr($comm)", "24-29 this is not an address" },
		{ "p vfs_read \1", "11-12 byte 0x01 is not expected here" },
		{ "p vfs_read a=+8", "15-15 expected '(' at the end" },
		{ "p vfs_read a=+x(%di)", "14-15 'x' is not a valid offset" },
		{ "p vfs_read a=+8(%di", "19-19 expected ')' at the end" },
		{ "p vfs_read a=+8(%di)x", "20-21 'x' is not expected here" },
		{ "p vfs_read a=%di a=%si", "17-18 the name a is already in use" },
		{ "p vfs_read arg2=%di %si", "20-23 the name arg2 is already in use" },
		{ "p vfs_read common_pid=%di", "11-21 the name common_pid is already in use" },
		{ "p vfs_read file.f_mode", "15-16 file is a pointer: -> leads to its members" },
		{ "p vfs_read pos:x8[2]", "14-20 an array must be in memory" },
		{ "p vfs_read \\-9223372036854775809", "11-32 this number does not fit 64 bits" },
		{ "p vfs_*", "2-7 only an f probe has a pattern" },
		{ "r0 vfs_read", "1-2 a limit is 1 to 4096 calls at once" },
		{ "r4097 vfs_read", "1-5 a limit is 1 to 4096 calls at once" },
		{ "f vfs_read+0", "10-12 a return or an f probe cannot have an offset" },
		{ "f vfs_read %di", "11-14 only p and r probes have registers" },
		{ "f vfs_read (file)file", "11-21 a member has to follow a struct's name" },
		{ "p /x:1 $arg1", "7-12 a probe of a program has registers, but no $arg1" },
		{ "p /x:1 %di:symbol", "11-17 only symbols of the kernel are shown" },
		{ "e:a b/c if", "10-10 a filter is missing" },
		{ "p vfs_read a=+0($comm)", "16-21 this is not an address" },
		{ "p vfs_read a=%di:u9", "17-19 unknown type u9" },
		{ "p vfs_read a=%di:b9@0/8", "17-23 these bits are not in their container" },
		{ "p vfs_read a=%di:b1@0/9", "17-23 a container has 8, 16, 32 or 64 bits" },
		{ "p vfs_read a=$stack1:x8[65]", "24-26 an array must have 1 to 64 elements" },
		{ "p vfs_read a=%di:x8[4]", "16-22 an array must be in memory" },
		{ "p vfs_read $comm:u8", "16-19 this already has a type" },
		{ "p vfs_read a=\\x", "14-15 'x' is not a valid number" },
		{ "p vfs_read a=\\\"x", "16-16 expected '\"' at the end" },
		{ "p vfs_read a=99999999999999999999", "13-33 expected an argument to record" },
		{ "p vfs_read a=@", "14-14 expected a variable's name or an address" },
		{ "p vfs_read; p vfs_write", "10-23 one definition at a time" },
		{ "p /bin/bash", "2-11 the offset in the file is missing" },
		{ "p /bin/bash:x", "12-13 'x' is not a valid offset" },
		{ "p /bin/bash:4(8)", "13-16 semaphores of markers in programs are not supported" },
		{ "p /bin/bash:4 @+8", "14-17 the traced file's own memory lies elsewhere in each "
				       "process: it cannot be read by offset" },
		{ "p /bin/bash:4 @x", "15-16 a program's variables are known by address only" },
		{ "p vfs_read $stack1:x8[8]", "18-24 an array must be in memory" },
		{ "p sys_execve %ax", "13-16 no argument of a system call is in %ax" },
		{ "p do_sys_open $arg5", "14-19 do_sys_open never had so many arguments" },
		{ "e sched_switch $x", "14-14 expected '.' and an event's name" },
		{ "-:x y", "4-5 unexpected text after -:NAME" },
		{ "vfs_read(", "9-9 expected a type at the end" },
		{ "vfs_read(x9 a)", "9-11 unknown type x9" },
		{ "vfs_read(int a", "14-14 expected ')' at the end" },
		{ "vfs_read(int a,)", "15-16 expected a type" },
		{ "vfs_read(int -)", "13-14 expected address" },
		{ "vfs_read(string a[1])", "17-20 a string has no size to count by" },
		{ "vfs_read(string[2] a)", "15-18 arrays of strings are not supported" },
		{ "vfs_read(int a) x", "16-17 unexpected text after the prototype" },
		{ "vfs_read(NULL | int a)", "14-15 expected ')', not '|'" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

/* "if" FILTER of an event, and # TEXT of a line. */
static void test_filters(void **state)
{
	struct expr_error error;
	struct legacy_probe *p;

	(void)state;
	assert_int_equal(legacy_translate("e:x sched/y a=$b  if  c == 1 && d ~ \"e*\" # f", exists,
					  NULL, &p, &error),
			 0);
	assert_string_equal(p->condition, "c == 1 && d ~ \"e*\"");
	assert_int_equal(p->count, 1);
	legacy_free(p);
	assert_string_equal(said("p:g-h/e vfs_read # $nothing"), "vfs_read");
}

static void test_limits(void **state)
{
	char text[6000];
	size_t len;

	(void)state;
	for (int depth = 1; depth < 100; depth += 3) {
		len = snprintf(text, sizeof(text), "p f a=");
		for (int i = 0; i < depth; i++)
			len += snprintf(text + len, sizeof(text) - len, "+8(");
		len += snprintf(text + len, sizeof(text) - len, "%%di");
		for (int i = 0; i < depth; i++)
			text[len++] = ')';
		text[len] = '\0';
		assert_int_equal(strstr(said(text), "levels") == NULL, depth <= 14);
	}
	len = snprintf(text, sizeof(text), "p f");
	for (int i = 0; i < 65; i++)
		len += snprintf(text + len, sizeof(text) - len, " %%di");
	assert_string_equal(said(text), "260-263 more than 64 arguments");
	memset(text, 'x', 5000);
	text[5000] = '\0';
	memcpy(text, "p f ", 4);
	assert_string_equal(said(text), "0-0 longer than 4096 bytes");
}

static void test_foreign(void **state)
{
	static const struct pair pairs[] = {
		{ "kprobe:vfs_read", "vfs_read" },
		{ "kretprobe:vfs_read", "vfs_read%return" },
		{ "kretprobe:vfs_read%return", "vfs_read%return" },
		{ "kprobe:vfs_read+4", "vfs_read+4" },
		{ "kfunc:vmlinux:vfs_read", "vmlinux:vfs_read" },
		{ "fexit:vfs_*", "vfs_*%return" },
		{ "kprobe:vfs_read, kprobe:vfs_write,x", "vfs_read,vfs_write,x" },
		{ "tracepoint:sched:sched_switch", "t:sched:sched_switch" },
		{ "tracepoint:syscalls:sys_enter_openat", "s:openat" },
		{ "syscalls:sys_exit_openat", "s:openat%return" },
		{ "rawtracepoint:sched_switch", "t:sched_switch" },
		{ "uprobe:/bin/bash:readline", "u:/bin/bash:readline" },
		{ "uretprobe:/bin/bash:readline", "u:/bin/bash:readline%return" },
		{ "/bin/bash:readline", "u:/bin/bash:readline" },
		{ "c:malloc", "u:libc:malloc" },
		{ "p::vfs_read", "vfs_read" },
		{ "usdt:/bin/x:prov:name", "u:/bin/x:prov:name" },
		{ "profile:hz:99", "hz:99" },
		{ "interval:s:5", "every:5" },
		{ "hardware:cache-misses:100", "hw:cache-misses:100" },
		{ "software:page-faults", "sw:page-faults" },
		{ "profile:ms:10", "0-8 unknown kind of probe profile" },
		{ "watchpoint:0x10:8:w", "0-11 unknown kind of probe watchpoint" },
		{ "kprobe:", "0-7 the name is missing" },
		{ "kprobe:f { print(1) }",
		  "9-21 only a probe, not a script of another tracer, is accepted here" },
	};

	(void)state;
	check(pairs, COUNT(pairs));
}

static void test_words(void **state)
{
	static const struct {
		const char *words[4];
		size_t count, want;
	} cases[] = {
		{ { "vfs_read", "count" }, 2, 0 },
		{ { "p:open do_sys_openat2 file=+0($arg2):ustring", "count" }, 2, 1 },
		{ { "p:open", "do_sys_openat2", "file=%si" }, 3, 3 },
		{ { "p", "vfs_read" }, 2, 2 },
		{ { "p:vfs_read" }, 1, 1 },
		{ { "p" }, 1, 0 },
		{ { "f:x" }, 1, 0 },
		{ { "t:sched:sched_switch", "prev->pid" }, 2, 0 },
		{ { "t:sched:sched_switch" }, 1, 0 },
		{ { "t sched_switch prev->pid" }, 1, 1 },
		{ { "t:sched_switch", "next_pid" }, 2, 0 },
		{ { "t:sched_switch", "next->pid" }, 2, 0 },
		{ { "t:sched_switch,sched_waking" }, 1, 0 },
		{ { "t:ev sched_switch" }, 1, 1 },
		{ { "t:grp/ev", "sched_switch" }, 2, 2 },
		{ { "t", "sched_switch" }, 2, 2 },
		{ { "e:ev", "sched.sched_switch" }, 2, 2 },
		{ { "u:/bin/bash:readline", "x" }, 2, 0 },
		{ { "s:openat", "filename" }, 2, 0 },
		{ { "s:p", "filename" }, 2, 0 },
		{ { "put_user", "x" }, 2, 0 },
		{ { "tcp_*", "x" }, 2, 0 },
		{ { "r10:x vfs_read" }, 1, 1 },
		{ { "-:x" }, 1, 1 },
		{ { ":x", "y" }, 2, 1 },
		{ { ":x" }, 1, 1 },
		{ { "do_sys_open(NULL, string file)" }, 1, 1 },
		{ { "do_sys_open (NULL, string file)", "x" }, 2, 1 },
		{ { "kprobe:vfs_read", "count" }, 2, 1 },
		{ { "/bin/bash:readline", "x" }, 2, 1 },
		{ { "/bin/bash" }, 1, 0 },
		{ { "p:c vfs_read" }, 1, 1 },
		{ { "*(struct sk_buff *)" }, 1, 0 },
		{ { "tcp_*(struct sock *)" }, 1, 0 },
		{ { "" }, 1, 0 },
		{ { "p:a,vfs_read,count" }, 1, 1 },
	};

	(void)state;
	assert_int_equal(legacy_words(NULL, 0), 0);
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(legacy_words(cases[i].words, cases[i].count), cases[i].want);
}

/* The bytes of the definition that `part` of its first text stands for. */
static void check_place(const char *definition, const char *part, const char *want)
{
	struct expr_error error;
	struct legacy_probe *p;
	const char *at;
	size_t start, end;

	assert_int_equal(legacy_translate(definition, exists, NULL, &p, &error), 0);
	at = strstr(p->texts[0].text, part);
	if (!at)
		fail_msg("no %s in %s", part, p->texts[0].text);
	start = at - p->texts[0].text;
	end = start + strlen(part);
	legacy_place_find(&p->texts[0], &start, &end);
	if (end - start != strlen(want) || strncmp(definition + start, want, end - start))
		fail_msg("%s of %s: %.*s, not %s", part, definition, (int)(end - start),
			 definition + start, want);
	legacy_free(p);
}

static void test_places(void **state)
{
	(void)state;
	check_place("p:my vfs_read a=$arg9", "$arg9", "$arg9");
	check_place("p vfs_read x=%zz:u8", "$reg(zz)", "%zz");
	check_place("p vfs_read x=%zz:u8", "zz", "%zz");
	check_place("p vfs_read x=+8(+0(%zz)):u32", "$reg(zz)", "%zz");
	check_place("p vfs_read x=+8(+0(%zz)):u32", "*(u64 *)$reg(zz)", "+0(%zz)");
	check_place("f vfs_read n=file->nosuch->x", "nosuch", "nosuch");
	check_place("f vfs_read n=file->nosuch->x", "file->nosuch", "file->nosuch->x");
	check_place("f vfs_read n=(nosuch)$arg1->x", "nosuch", "nosuch");
	check_place("f vfs_read n=(task_struct,zz)$arg1->x", "zz", "zz");
	check_place("p vfs_read a=@nosuch+8:u16", "nosuch", "nosuch");
	check_place("p vfs_read name=$arg1:string", "name", "name");
	check_place("p vfs_read name=$arg1:string", "str", "string");
	check_place("p vfs_read $arg1", "arg1=$arg1", "$arg1");
	check_place("r vfs_read r=$retval->x", "$ret", "$retval");
	check_place("vfs_read(int a=$nosuch)", "nosuch", "nosuch");
}

static void test_spans_and_notes(void **state)
{
	const char *definition = "r10:grp/ev sys_execve  a=$retval b=%di";
	struct expr_error error;
	struct legacy_probe *p;

	(void)state;
	assert_int_equal(legacy_translate(definition, exists, NULL, &p, &error), 0);
	assert_string_equal(p->group, "grp");
	assert_string_equal(p->event, "ev");
	assert_int_equal(p->count, 2);
	assert_int_equal(p->texts[0].start, 23);
	assert_int_equal(p->texts[0].end, 32);
	assert_int_equal(p->texts[1].end, strlen(definition));
	assert_int_equal(p->note_count, 2);
	assert_non_null(strstr(p->notes[1], "10 calls"));
	assert_non_null(strstr(p->notes[0], "system call execve"));
	legacy_free(p);
	legacy_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kprobetrace),	cmocka_unit_test(test_fprobetrace),
		cmocka_unit_test(test_uprobetracer),	cmocka_unit_test(test_old_ways),
		cmocka_unit_test(test_function_events), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_filters),		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_foreign),		cmocka_unit_test(test_words),
		cmocka_unit_test(test_places),		cmocka_unit_test(test_spans_and_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
