/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - what every record begins with, and how it points at its variable part.
 *
 * Read by BPF programs and by user space alike: plain layouts, no libc, no logic. The includer
 * brings the __u32 family (vmlinux types in BPF, <linux/types.h> in user space).
 */
#ifndef CORETAP_EVENT_H
#define CORETAP_EVENT_H

#define EVENT_COMM_LEN 16 /* TASK_COMM_LEN of every kernel, sched.h */

struct event_header {
	__u64 ts;		   /* CLOCK_MONOTONIC ns; not written where nobody asked for it */
	__u32 pid;		   /* tgid: what user space calls a process */
	__u32 tid;		   /* pid: what user space calls a thread */
	char comm[EVENT_COMM_LEN]; /* NUL-terminated, bytes of any value */
};

/*
 * Bytes in the record's tail. They are [off, off + len) from the record's first byte; len counts
 * no terminator unless the field's type says so (see field_type). What did not fit is counted in
 * left_out: a cut is never silent.
 */
struct event_str {
	__u32 off;
	__u32 len;
	__u32 left_out; /* bytes (FIELD_ARGV, FIELD_STR) or components (FIELD_PATH) not captured */
	__u32 status;	/* enum event_status */
};

/*
 * Words (FIELD_ARGV), each of which may be unreadable by itself: such a one stands as an empty
 * word among the bytes and has its bit set. A list is cut before one that has no bit.
 */
struct event_words {
	struct event_str str;
	__u64 unreadable; /* bit i: word i could not be read */
};

/*
 * Return addresses, from the innermost on; the room for them has a fixed size.
 *
 * What traces may have left its own frames in front, or not this function's (it differs by kernel
 * and by the way to attach): `function` lets the reader make frame 0 the probed function always.
 */
struct event_stack {
	__s32 size;	/* bytes of frames that are filled, or -errno of bpf_get_stack */
	__u32 pad;
	__u64 function; /* address of the probed kernel function; 0: not known, or no function */
	__u64 frames[];
};

/* How the reading of a value ended. 0 is success in every record of the suite. */
enum event_status {
	EVENT_OK = 0,
	EVENT_FAULT = 1,   /* the memory could not be read */
	EVENT_NULL = 2,	   /* a pointer on the way was NULL */
	EVENT_CUT = 3,	   /* read, but longer than the space for it */
	EVENT_NONE = 4,	   /* there is no such thing here (a kernel thread has no cwd) */
	EVENT_OUTSIDE = 5, /* a path whose walk ended outside of the process's root */
};

/*
 * What user space tells the programs: one struct in each skeleton's rodata, set before load, so
 * the verifier removes what is off. A zero means "do not filter by this".
 */
struct event_filter {
	__u32 self;	    /* tgid of coretap: its own activity is never shown */
	__u32 pid;	    /* tgid */
	__u32 tid;
	__u32 uid;
	__u8 by_uid;	    /* uid 0 is a user too */
	__u8 by_comm;
	__u8 by_cgroup;	    /* the task must be in, or below, the cgroup in map `cgroups` slot 0 */
	__u8 follow;	    /* only processes in map `followed`, which grows at fork */
	__u8 want_ts;	    /* fill event_header.ts */
	__u8 failed_only;   /* -x */
	__u8 pad[2];
	char comm[EVENT_COMM_LEN]; /* exact name, NUL-padded */
};

/*
 * A reader that sleeps is woken by the kernel at the first record (core/ring.c); one that does not,
 * only when so many bytes are queued that they should not wait for its next look.
 */
#define EVENT_WAKEUP_BYTES (256 << 10)

/* Every way a record can be lost or be incomplete: index of the per-CPU array map `losses`. */
enum loss {
	LOSS_RING_FULL,	 /* no room in the ring buffer: the record is gone */
	LOSS_MAP_FULL,	 /* no room to remember an entry: its return will not be seen */
	LOSS_NO_ENTRY,	 /* a return whose entry was not seen (it began before the tracing) */
	LOSS_FAULT,	 /* a value could not be read: the record is there, the value is not */
	LOSS_CUT,	 /* a value was cut: the record says by how much */
	LOSS_RECURSION,	 /* the kernel did not run the program: it was running on that CPU */
	LOSS_MISSED,	 /* the kernel reports missed probe hits (kretprobe slots, kprobe nmissed) */
	LOSS_OUTPUT,	 /* the record arrived, but could not be written (full disk) */
	LOSS_KEYS_FULL,	 /* no room for another key: the call is counted nowhere else */
	LOSS_MAX,
};

_Static_assert(sizeof(struct event_header) == 32, "event_header is an ABI");
_Static_assert(sizeof(struct event_str) == 16, "event_str is an ABI");
_Static_assert(sizeof(struct event_words) == 24, "event_words is an ABI");
_Static_assert(sizeof(struct event_stack) == 16, "event_stack is an ABI");

#endif
