/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - the start of every record, and how it refers to its variable part.
 *
 * Used by BPF programs and by user space: plain layouts, no libc, no logic. The file that includes
 * it provides the __u32 family (vmlinux types in BPF, <linux/types.h> in user space).
 */
#ifndef CORETAP_EVENT_H
#define CORETAP_EVENT_H

#define EVENT_COMM_LEN 16 /* TASK_COMM_LEN in every kernel, sched.h */

struct event_header {
	__u64 ts;		   /* CLOCK_MONOTONIC ns; written only if requested */
	__u32 pid;		   /* tgid: what user space calls a process */
	__u32 tid;		   /* pid: what user space calls a thread */
	char comm[EVENT_COMM_LEN]; /* NUL-terminated, bytes of any value */
};

/*
 * Where a task is, besides: a member of an applet's record, if it has one. Each part is written only if
 * requested (task_fill in bpf/lib).
 */
struct event_task {
	__u64 cgroup; /* id in the v2 hierarchy */
};

/*
 * Bytes in the record's tail: [off, off + len) from the record's first byte. len includes no
 * terminator unless the field's type says so (see field_type). left_out counts what did not fit: a
 * cut is never silent.
 */
struct event_str {
	__u32 off;
	__u32 len;
	__u32 left_out; /* bytes (FIELD_ARGV, FIELD_STR) or components (FIELD_PATH) not captured */
	__u32 status;	/* enum event_status */
};

/*
 * Words (FIELD_ARGV), each of which may be unreadable on its own: such a word is empty among the
 * bytes and has its bit set. A list is cut before an unreadable word that has no bit.
 */
struct event_words {
	struct event_str str;
	__u64 unreadable; /* bit i: word i could not be read */
};

/*
 * Return addresses, from the innermost outwards; their room has a fixed size.
 *
 * Tracing may have left its own frames in front, or dropped the function's (this depends on the
 * kernel and the attach method): with `function`, the reader always makes frame 0 the probed
 * function.
 */
struct event_stack {
	__s32 size; /* bytes of frames in use, or -errno of bpf_get_stack */
	__u32 skip; /* of these, bytes of frames of the tracing itself, if that is known; else 0. After an error: no meaning */
	__u64 function; /* address of the probed kernel function; 0: unknown, or not a function */
	__u64 frames[];
};

/*
 * A user stack that is read afterwards (--dwarf): the registers of user space, struct pt_regs as far
 * as arch.sample_registers, and then a copy of the stack from the stack pointer on, in room of a fixed
 * size. What is behind `size` is not written.
 */
struct event_user_copy {
	__u32 size; /* bytes of the copy; less than its room if the next page could not be read */
	__u32 pad;
	__u64 words[];
};

/*
 * The key of a stack that is kept once for all calls that have it: argdump's $kstack and $ustack. A
 * kernel stack is in a record by its hash alone.
 *
 * The hash has 63 bits: of 16384 stacks two are taken for one with a probability of less than 1 to
 * 10^10. A program may choose return addresses such that its own stacks collide, but none of another
 * process.
 */
struct stack_id {
	__u64 hash; /* or enum stack_none */
	__u32 tgid; /* of a user stack, as shown; else 0 */
	__u32 exec; /* … and how many programs it has executed: an address is one program's */
};
enum stack_none {
	STACK_NEVER,	/* nobody captured one: a program's value that was never assigned … */
	STACK_FAULT,	/* … or it could not be captured … */
	STACK_LOST,	/* … or there was no room for it */
	STACK_NONE = 4, /* from here on: a hash, which has this bit */
};

/* The result of reading a value. 0 is success in every record of the suite. */
enum event_status {
	EVENT_OK = 0,
	EVENT_FAULT = 1,   /* the memory could not be read */
	EVENT_NULL = 2,	   /* a pointer that leads to the value was NULL */
	EVENT_CUT = 3,	   /* read, but longer than its space */
	EVENT_NONE = 4,	   /* does not exist here (a kernel thread has no cwd) */
	EVENT_OUTSIDE = 5, /* a path whose walk ended outside the process's root */
	EVENT_NIL = 6,	   /* the pointer to be shown is itself NULL: nothing went wrong */
	/* the path of a file that is in no directory: its own name, then its file system's; left_out has
	 * the inode's number */
	EVENT_ANONYMOUS = 7,
};

/* Accepts one of these or, if count is 0, any. */
#define EVENT_IDS_MAX 32
struct event_ids {
	__u32 count;
	__u32 ids[EVENT_IDS_MAX];
};

/*
 * The pid namespace whose pids are shown: the address of its struct pid_namespace (0: show the
 * kernel's own pids), its depth, and the offsets of the kernel's struct members that are needed, in
 * bytes. They are given here so that programs that do not need them pay nothing for finding them.
 * With want_inner the offsets are there whatever `ns` is.
 */
struct event_numbers {
	__u64 ns;
	__u32 level;
	__u32 thread_pid; /* in task_struct */
	__u32 signal;	  /* in task_struct */
	__u32 tgid;	  /* in signal_struct: pids[PIDTYPE_TGID] */
	__u32 pid_level;  /* in struct pid */
	__u32 upid;	  /* in struct pid: numbers[level] */
};

/* --inner-pids: of so many processes what their own pid namespaces call them. */
#define EVENT_INNERS_MAX 16384

/* --cgroup, --container: at most so many, one after the other. */
#define EVENT_CGROUPS_MAX 16

/* -c with patterns: row `state` of a machine whose states are numbered by GLOB_… of util/glob.h. */
enum { EVENT_NAMES_YES = 1, EVENT_NAMES_START = 2 };
struct event_names_row {
	__u8 next[256];
};

/* struct upid of the kernel, linux/pid.h. */
struct event_upid {
	__u32 nr;
	__u32 pad;
	__u64 ns;
};

/*
 * Settings from user space for the programs: one struct in each skeleton's rodata, set before load,
 * so that the verifier removes what is off. A zero means "do not filter by this". Processes and
 * threads have the kernel's own ids, whatever is shown.
 */
struct event_filter {
	__u32 self;	       /* tgid of coretap: its own activity is never shown */
	struct event_ids pids; /* tgids */
	struct event_ids tids;
	struct event_ids uids;
	struct event_ids mounts; /* numbers of mount namespaces */
	struct event_numbers numbers;
	__u8 by_lists; /* there are several pids, tids or uids */
	__u8 by_comm;  /* by `comm` */
	__u8 by_names; /* by table `names` (util/glob.h) */
	__u8 by_cgroup; /* how many cgroups map `cgroups` has: the task must be in one, or below it */
	__u8 follow;	/* only processes in map `followed`, which grows at fork */
	__u8 is_open;	/* nothing but `self` is rejected: no other test need be made */
	__u8 want_ts;	/* fill event_header.ts */
	__u8 failed_only; /* -x */
	__u8 want_cgroup; /* fill event_task.cgroup */
	__u8 want_inner;  /* fill map `inners` */
	__u8 interrupts;  /* what interrupts coretap is not its own activity */
	__attribute__((aligned(8))) char comm[EVENT_COMM_LEN]; /* exact name, NUL-padded */
};

/*
 * If the reader sleeps, the kernel wakes it at the first record (run/ring.c). If it polls, it
 * is woken only when this many bytes are queued, which should not wait for the next poll.
 */
#define EVENT_WAKEUP_BYTES (1 << 20)

/* Every way in which a record can be lost or incomplete: index of the per-CPU array map
 * `losses`. */
enum loss {
	LOSS_RING_FULL, /* no room in the ring buffer: the record is lost */
	LOSS_MAP_FULL,	/* no room to remember an entry: its return will not be seen */
	LOSS_NO_ENTRY,	/* a return whose entry was not seen (it was before the tracing) */
	LOSS_FAULT,	/* a value could not be read: the record exists without it */
	LOSS_CUT,	/* a value was cut: the record says by how much */
	LOSS_RECURSION, /* the kernel did not run the program: it was running on that CPU */
	LOSS_MISSED,	/* the kernel reports missed probe hits (kretprobe slots, kprobe nmissed) */
	LOSS_OUTPUT,	/* the record arrived, but could not be written (full disk) */
	LOSS_KEYS_FULL, /* no room for another key: the call is not counted at all */
	LOSS_NO_RETURN, /* a call that was entered and has not returned, nor will it */
	LOSS_REPLACED,	/* a begin had the key of one that has not ended: that one is forgotten */
	LOSS_PROCESS,	/* a process of the tree is not followed: nothing it does is seen */
	LOSS_STACKS_FULL, /* no room for another stack: the call counts without its stack */
	LOSS_NOT_LEFT, /* a call of --in whose return was not seen: until the next it was not over */
	LOSS_BEGIN_BUSY, /* another program was at the place of its key: the begin is not kept */
	LOSS_END_BUSY,	 /* the same: the end ends nothing */
	LOSS_TORN, /* a tree of calls whose events are incomplete: the calls in it are not shown */
	LOSS_TOO_DEEP,	   /* a call of --in whose values are not kept: too many around it */
	LOSS_SWITCHED_OFF, /* a time during which the kernel ran no program: what was done is lost */
	LOSS_CPU,	   /* a processor that came online and is not sampled */
	LOSS_GONE,	   /* probes whose module was unloaded, or whose file was replaced */
	LOSS_ROUNDS,	   /* a loop of a program that ended before its last round */
	LOSS_LOOKUP, /* the kernel did not find memory that is always there: the event is lost */
	LOSS_MAX,
};

/* For a histogram by powers of two (output/field/hist.h): below 0, 0, then one for each number of
 * bits. */
#define EVENT_HIST_BUCKETS 66

_Static_assert(sizeof(struct event_header) == 32, "event_header is an ABI");
_Static_assert(sizeof(struct event_str) == 16, "event_str is an ABI");
_Static_assert(sizeof(struct event_words) == 24, "event_words is an ABI");
_Static_assert(sizeof(struct event_stack) == 16, "event_stack is an ABI");
_Static_assert(sizeof(struct event_user_copy) == 8, "event_user_copy is an ABI");

#endif
