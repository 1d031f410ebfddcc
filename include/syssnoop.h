/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syssnoop.h - system calls, signals and ends of threads; and what is to be captured of each call.
 *
 * The programs know no system call. User space has a row of struct syscall_capture for each number
 * of each ABI, and the programs follow it.
 */
#ifndef CORETAP_SYSSNOOP_H
#define CORETAP_SYSSNOOP_H

#include "event.h"

/* How a call was made, which decides what its number means. */
enum syscall_abi {
	SYSCALL_ABI_64, /* the kernel's own: x86-64, arm64 */
	SYSCALL_ABI_32, /* i386 on x86-64 (also int $0x80 of a 64-bit program), arm on arm64 */
	SYSCALL_ABIS,
};

#define SYSCALL_NUMBERS 512 /* of each ABI; numbers beyond have no row, and no data */
#define SYSCALL_ROWS	(SYSCALL_ABIS * SYSCALL_NUMBERS) /* row abi * SYSCALL_NUMBERS + nr */
#define SYSCALL_ARGS	6
#define SYSCALL_RESULT	6 /* the index of the result, where one of an argument is expected */
#define SYSCALL_VALUES	7

/* ---- what is to be captured ---- */

/* Which data an argument leads to. Each take makes one chunk or several (struct syssnoop_chunk). */
enum syscall_take_kind {
	TAKE_NONE,
	/* up to its NUL, at most `max` bytes. The chunk has no NUL; EVENT_CUT if none was found */
	TAKE_STRING,
	/* count * size bytes, at most `max`; left_out has the rest */
	TAKE_BYTES,
	/* a list of pointers to strings up to a NULL: argv, envp. The first `number` words are taken,
	 * of each at most `max` bytes. The chunk: struct syssnoop_words, then each word */
	TAKE_WORDS,
	/* count struct iovec. Part 0: the vector itself, at most SYSSNOOP_IOVECS; part 1 + i: the
	 * first `max` bytes behind entry i. At the return no more than the result in all */
	TAKE_IOVEC,
	/* a struct msghdr. Part 0: itself, alone at the entry of a call that receives (`number` is 0);
	 * MSGHDR_…: what it leads to */
	TAKE_MSGHDR,
	/* count struct mmsghdr: the same for each, message m at part (m + 1) * MSGHDR_PARTS; part 0 is
	 * the array of them, at most SYSSNOOP_MESSAGES, and alone at the entry of a call that receives,
	 * and at the return of one that sends (`number` is 1) */
	TAKE_MMSGHDR,
	/* the file behind a descriptor, as it is then; AT_FDCWD is the working directory: struct
	 * syssnoop_file. If `size` is not 0, TAKE_NETLINK as well. COUNT_PID: only if argument count_arg
	 * is the current process */
	TAKE_FD,
	/* of a socket of netlink the protocol, a u32 in part 2; of what the other arguments lead to not
	 * `max` bytes then, but as many as there can be */
	TAKE_NETLINK,
	/* count pointers to struct iocb. Part 0: the pointers, at most SYSSNOOP_REQUESTS; request i at part
	 * 1 + i * REQUEST_PARTS, and REQUEST_BUF behind it the first `max` bytes that it writes, or the
	 * vector, as of TAKE_IOVEC */
	TAKE_REQUESTS,
	/* as struct syssnoop_variant of the call's key says: bytes or a string, and what these lead to */
	TAKE_VARIES,
	/* of a struct syscall_behind: what a pointer in each element of the list leads to, of the first
	 * SYSSNOOP_LIST of them */
	TAKE_IN_LIST,
};

enum msghdr_part {
	MSGHDR_NAME = 1,
	MSGHDR_CONTROL,
	MSGHDR_IOVEC, /* the vector, then the bytes behind its entries */
	MSGHDR_PARTS = 64,
};

enum { REQUEST_PARTS = 64, REQUEST_BUF = 6 };
#define SYSSNOOP_REQUESTS 32
#define SYSSNOOP_IOVECS	  32 /* entries whose bytes are taken */
#define SYSSNOOP_MESSAGES 32 /* as many elements as strace(1) shows */

/* Bits of syscall_take.when. An entry costs a second record: only for what the call changes. */
enum syscall_when {
	TAKE_AT_ENTRY = 1,
	TAKE_AT_RETURN = 2,  /* always … */
	TAKE_AT_SUCCESS = 4, /* … or only if the call did not fail */
	TAKE_AT_FAILURE = 8,
	TAKE_UNREAD = 16, /* with the entry's: at the return only what the entry could not read */
};

/* How many elements there are, of syscall_take.size bytes each. */
enum syscall_count {
	COUNT_NUMBER,	/* syscall_take.number */
	COUNT_ARG,	/* argument count_arg (SYSCALL_RESULT: the result, negative is none) */
	COUNT_BEHIND32, /* the u32 that argument count_arg points to */
	COUNT_BEHIND64,
	COUNT_ARG32,	/* the lower half of it, of which the rest may be anything */
	COUNT_PID,	/* of TAKE_FD */
	COUNT_ARG_LESS, /* the lesser of argument count_arg and the result (not if that is negative) */
};

struct syscall_take {
	__u8 kind;	/* enum syscall_take_kind */
	__u8 when;	/* enum syscall_when */
	__u8 count;	/* enum syscall_count */
	__u8 count_arg; /* an argument's index */
	__u32 size;	/* bytes of an element; 0 is 1 */
	__u32 number; /* COUNT_NUMBER; of TAKE_WORDS the most words that are taken, 0: counted only */
	__u32 max; /* bytes that are taken at most: SYSSNOOP_TAKE_MAX if there is no other limit */
};

/* Memory that a member of a struct points to. Its chunk is part 1 + at / 4. */
struct syscall_behind {
	__u8 arg;  /* whose struct it is */
	__u8 kind; /* TAKE_BYTES, TAKE_STRING, TAKE_FD: the file of a descriptor in the struct; TAKE_NONE: there is none, nor in the places that follow */
	__u8 word; /* bytes of the pointer; of TAKE_FD 4, and if that leads to a list of descriptors 8 or SYSSNOOP_WORD32; SYSSNOOP_ROWS: the argument is a list of elements with one at `at` */
	__u8 count_size; /* bytes of the member that says how many elements there are; 0: it is `number`; SYSSNOOP_OF_ARG: argument `count_at` */
	__u16 at,
		count_at; /* count_at of TAKE_STRING: SYSSNOOP_SPECIAL, a bit of the part, if bytes can be there, too */
	__u32 number, size; /* of elements; of TAKE_IN_LIST `number` is SYSSNOOP_INNER */
	__u32 max;
};
/* Of TAKE_IN_LIST: where in an element the pointer is, and where the number of bytes, and that one's size. */
#define SYSSNOOP_INNER(at, count_at, count_size) ((at) | (count_at) << 8 | (count_size) << 16)
#define SYSSNOOP_WORD32				 5
#define SYSSNOOP_ROWS				 6
#define SYSSNOOP_ROW				 16 /* bytes of an element of such a list */
#define SYSSNOOP_OF_ARG				 0xff
#define SYSSNOOP_BEHIND				 8	    /* a power of 2 */
#define SYSSNOOP_TAKE_MAX			 4096	    /* PATH_MAX */
#define SYSSNOOP_BYTES_MAX			 (32 << 10) /* of a string or buffer: -s, -e read= */
#define SYSSNOOP_DATA				 (56 << 10) /* the most data of a record; the rest is left out */

enum syscall_flag {
	SYSCALL_NO_RETURN = 1, /* exit, exit_group: shown at the entry */
	SYSCALL_FORKS = 2,     /* returns in the child, too, or in another program */
	SYSCALL_POLLS = 4,     /* args[0] is an array of args[1] struct pollfd */
	SYSCALL_SIGRETURNS =
		16, /* args[0] becomes the address of the mask in the frame of the signal */
	SYSCALL_SELECTS = 8, /* args[1 … 3] are sets of args[0] descriptors */
};

struct syscall_capture {
	__u8 flags; /* enum syscall_flag */
	__u8 nargs;
	__u8 at_entry, at_return; /* bit i: values[i] is taken then; set by syssnoop.c itself */
	__u8 fds, paths;	  /* bit i: it is a descriptor, a path */
	__u8 unread;		  /* bit i: values[i].when has TAKE_UNREAD; as at_entry */
	__u8 key; /* TAKE_VARIES: the argument that selects the variant; SYSCALL_ARGS: there is only one */
	struct syscall_take values[SYSCALL_VALUES]; /* the arguments, the result */
};

/* What one request of ioctl(2), one command of bpf(2) … leads to: a request that needs little costs little. */
struct syssnoop_key {
	__u32 row;
	__u32 value; /* of the argument `key`; SYSSNOOP_OTHERS: all without a row of their own */
};
#define SYSSNOOP_OTHERS 0xffffffff
struct syssnoop_variant {
	struct syscall_take values[SYSCALL_ARGS];
	struct syscall_behind behind[SYSSNOOP_BEHIND];
	__u8 leads;	 /* bit i: values[i] is a struct with members that point to more: behind */
	__u8 fds, paths; /* as of struct syscall_capture */
	__u8 pad;
};

/* ---- records ---- */

enum syssnoop_kind {
	SYSSNOOP_CALL,
	SYSSNOOP_ENTRY,	 /* data of a call's entry: user space puts them before those of the CALL */
	SYSSNOOP_SIGNAL, /* nr: its number; siginfo */
	SYSSNOOP_EXIT,	 /* of a thread; ret: as of wait(2) */
};

enum syssnoop_flag {
	SYSSNOOP_NO_RETURN = 1,	 /* exit_group(0) = ? */
	SYSSNOOP_UNFINISHED = 2, /* had not returned when the thread, or the tracing, ended */
	SYSSNOOP_NO_ENTRY = 4,	 /* began before the tracing: no latency, no data of the entry */
	SYSSNOOP_IGNORED = 8,	 /* a signal that was not delivered as it is ignored */
	SYSSNOOP_IN_CALL = 16,	 /* a signal that came while the thread was in a call */
	SYSSNOOP_KILLS = 32,	 /* a signal that was not delivered as it ends the process */
	SYSSNOOP_SUPERSEDED =
		64, /* a thread that ends as thread `nr` executes a program in its place */
	SYSSNOOP_NOT_LAST = 128, /* the end of a process's first thread; others still live */
};
#define SYSSNOOP_NOT_DELIVERED (SYSSNOOP_IGNORED | SYSSNOOP_KILLS)

#define SYSSNOOP_NO_LATENCY (~0ull) /* as for FIELD_MAYBE */

struct syssnoop_event {
	struct event_header header; /* ts: of the entry */
	__u64 latency;		    /* ns */
	__s64 ret; /* of a 32-bit call, too, with its sign; of a signal: -i, where it came */
	union {
		__u64 args[SYSCALL_ARGS]; /* of a 32-bit call: 32 bits, without a sign */
		__u8 siginfo[48];	  /* the head of a siginfo_t of the kernel's own ABI */
	};
	__u32 nr;
	__u8 kind;  /* enum syssnoop_kind */
	__u8 abi;   /* enum syscall_abi */
	__u8 flags; /* enum syssnoop_flag */
	__u8 pad;
	__u32 size; /* bytes of the record with its chunks */
	__u32 pad2;
	/* then chunks, each at a multiple of 4 */
};

struct syssnoop_chunk {
	__u8 arg;    /* 0 … 5, SYSCALL_RESULT, SYSSNOOP_CALLER */
	__u8 when;   /* TAKE_AT_ENTRY or TAKE_AT_RETURN */
	__u8 status; /* enum event_status: OK, FAULT (bytes are what could be read), CUT, NONE */
	__u8 unread; /* 1: some words of TAKE_WORDS, or bytes at the end, could not be read */
	__u16 part;  /* 0: what the argument itself points to; else see enum syscall_take_kind */
	__u16 pad2;
	__u32 len;	/* bytes that follow; then up to 3 to the next multiple of 4 */
	__u32 left_out; /* bytes of a TAKE_BYTES that were not taken; words of TAKE_WORDS */
};

/* TAKE_WORDS. */
struct syssnoop_words {
	__u32 total; /* in the list; SYSSNOOP_WORDS_MAX: at least so many */
	__u32 kept;  /* that follow: each a struct syssnoop_word and its bytes, at multiples of 4 */
};
struct syssnoop_word {
	__u32 len;
	__u32 status; /* EVENT_OK, EVENT_CUT, EVENT_FAULT: the bytes are its address, 8 of them */
};
#define SYSSNOOP_WORDS_MAX  4096
#define SYSSNOOP_WORDS_OPEN 0x80000000 /* a bit of total: the word behind them could not be read */

/* Of the caller: part 0 its stack, part 1 the address behind its instruction. */
#define SYSSNOOP_CALLER 7
/* Part 0: struct event_user_copy, registers (struct pt_regs as far as arch.sample_registers), bytes of the stack. */
#if defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
enum { SYSSNOOP_REGS = 34, SYSSNOOP_SP = 31, SYSSNOOP_MODE = 33, SYSSNOOP_IP = 32 };
#elif defined(__TARGET_ARCH_riscv) || defined(__riscv)
enum { SYSSNOOP_REGS = 32, SYSSNOOP_SP = 2, SYSSNOOP_MODE = 0, SYSSNOOP_IP = 0 };
#elif defined(__TARGET_ARCH_powerpc) || defined(__powerpc64__)
enum { SYSSNOOP_REGS = 44, SYSSNOOP_SP = 1, SYSSNOOP_MODE = 33, SYSSNOOP_IP = 32 };
#else
enum { SYSSNOOP_REGS = 21, SYSSNOOP_SP = 19, SYSSNOOP_MODE = 17, SYSSNOOP_IP = 16 };
#endif
#define SYSSNOOP_STACK_MAX (28 << 10)

/* What is in a chunk is aligned to 4 bytes, as chunks are: some processors' verifiers insist. */
#define SYSSNOOP_IN_CHUNK __attribute__((packed, aligned(4)))

/* TAKE_FD. The rest of the chunk is as FIELD_PATH has it: components from leaf to root with NULs. */
struct syssnoop_file {
	__u64 ino;    /* of EVENT_ANONYMOUS */
	__u32 status; /* enum event_status */
	__u32 unlinked; /* not 0: the path ends in " (deleted)", which is not of the file's own name */
} SYSSNOOP_IN_CHUNK;
#define SYSSNOOP_SPECIAL 0x8000 /* bit of the part, of a descriptor in a struct */
/* Of a list that a member leads to: this bit of the part, the list's own part * SYSSNOOP_LIST, the index: the file of a
 * descriptor, or what the element's pointer leads to. */
#define SYSSNOOP_IN_LIST 0x4000
#define SYSSNOOP_LIST	 8
/* The same, part 1, if more is asked for (-yy) and it is a device, a socket, a pidfd, an eventfd or a signalfd. The
 * bytes of sun_path follow that of AF_UNIX. */
struct syssnoop_special {
	__u32 rdev;		   /* of a device, as the kernel has it: major << 20 | minor */
	__u16 mode;		   /* S_IFMT of its inode */
	__u16 family;		   /* of a socket, as all that follows */
	__u16 sport;		   /* AF_INET, AF_INET6 */
	__u16 dport;		   /* network order */
	__u32 protocol;		   /* AF_NETLINK */
	__u32 port_id;		   /* AF_NETLINK */
	__u32 pid;		   /* of a pidfd; 0: it is none */
	__u64 peer;		   /* AF_UNIX: the inode at the other end, 0: none */
	__u8 saddr[16], daddr[16]; /* AF_INET: the first 4 bytes */
} SYSSNOOP_IN_CHUNK;
/* families of files that are no sockets; peer: the count of an eventfd, whose id and flags are protocol and
 * port_id, or the signals of a signalfd */
#define SYSSNOOP_EVENTFD  0xff01
#define SYSSNOOP_SIGNALFD 0xff02
#define SYSSNOOP_SUN_PATH 108
#define SYSSNOOP_TYPE_MAX 32 /* bytes of a file system's name, with its NUL */

/* ---- which paths and descriptors are wanted (-P, -e fd=) ---- */

/* A path in either of its forms: /a/b, and as FIELD_PATH has it, b NUL a NUL; filled with NULs. One that
 * fills all of it may have been cut, and is none of those that are wanted. */
#define SYSSNOOP_PATH 256
struct syssnoop_path {
	char bytes[SYSSNOOP_PATH];
};
#define SYSSNOOP_FDS 4096 /* that are told from each other */

/* ---- maps that user space reads ---- */

/* A call in flight. */
#define SYSSNOOP_CALLS_BITS 13
#define SYSSNOOP_CALLS	    (1 << SYSSNOOP_CALLS_BITS)
struct syssnoop_call {
	__u64 users; /* who claims the place, 1: it is taken */
	__u64 task;  /* the task_struct's address, 0: none */
	__u64 start; /* ns */
	__u64 ids;   /* process and thread, as shown */
	__u64 args[SYSCALL_ARGS];
	__u32 nr;
	__u8 abi;
	__u8 has_entry; /* a SYSSNOOP_ENTRY was sent */
	__u8 is_chosen; /* nothing but its return may exclude it */
	__u8 unread; /* bit i: what argument i leads to is not in the SYSSNOOP_ENTRY, or not all of it */
	__u64 runtime, switches; /* -c without -w: of the thread, at the entry */
	__u64 ip;		 /* -i */
};

/* --decode-pids=pidns: of the thread, its process, their group and session, the numbers in the thread's own pid
 * namespace, and as coretap shows them; 0: there is none. */
#define SYSSNOOP_PIDS 4
struct syssnoop_pids {
	__u64 ns; /* the address of the namespace */
	__u32 inner[SYSSNOOP_PIDS], outer[SYSSNOOP_PIDS];
};
#define SYSSNOOP_PIDS_MAX 8192 /* threads */

/* -c: calls of a number of an ABI that have returned. */
struct syssnoop_count {
	__u64 calls, errors, total;	  /* total: ns */
	__u64 cpu;			  /* ns on the processor, unless `wall` */
	__u64 min, max, cpu_min, cpu_max; /* if they are asked for */
	__u64 latency[EVENT_HIST_BUCKETS];
};

_Static_assert(sizeof(struct syssnoop_event) == 112, "syssnoop_event is an ABI");
_Static_assert(sizeof(struct syssnoop_chunk) == 16, "syssnoop_chunk is an ABI");
_Static_assert(sizeof(struct syssnoop_file) == 16, "syssnoop_file is an ABI");
_Static_assert(sizeof(struct syssnoop_special) == 64, "syssnoop_special is an ABI");
_Static_assert(sizeof(struct syscall_capture) == 120, "syscall_capture is an ABI");
_Static_assert(sizeof(struct syssnoop_variant) == 260, "syssnoop_variant is an ABI");

#endif
