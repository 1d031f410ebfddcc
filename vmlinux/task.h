/* SPDX-License-Identifier: GPL-2.0-only */
/* task.h - processes and threads: linux/sched.h, linux/sched/signal.h, linux/tty.h, linux/cred.h. */

struct btf {
	u32 named_start_id; /* of types that are sorted by name */
};

struct thread_info {
	unsigned long flags; /* arm64: TIF_32BIT */
	u32 status;	     /* x86: TS_COMPAT */
};

struct tty_struct {
	char name[64];
};

struct signal_struct {
	struct tty_struct *tty; /* NULL: none */
	atomic_t live;		/* threads that have not ended */
	int nr_threads;
	int group_exit_code;
	struct task_struct
		*group_exec_task; /* it executes a program, and all others end; since 5.17 */
	struct task_struct *group_exit_task; /* its name before */
	unsigned int flags;
	u64 utime, stime; /* of threads that have ended */
	unsigned long long sum_sched_runtime;
	unsigned long maxrss; /* pages */
};

typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	sigset_t signal;
};

struct ns_common {
	unsigned int inum;
};

struct mnt_namespace {
	struct ns_common ns;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct sched_entity {
	u64 sum_exec_runtime;
};

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	int pid;  /* of the thread */
	int tgid; /* of the process */
	char comm[16];
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct mm_struct *mm;
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy; /* NULL: the task ends */
	struct signal_struct *signal;
	struct pid *thread_pid;
	struct sigpending pending;
	unsigned int flags;
	int exit_code; /* as of wait(2) */
	struct bpf_local_storage *bpf_storage;
	u64 utime, stime;
	u64 start_time; /* CLOCK_MONOTONIC */
	unsigned long nvcsw, nivcsw;
	struct sched_entity se;
};

struct upid {
	int nr;
};

/* The first number is that outside of all namespaces. The array has no length since 6.1. */
struct pid___numbers {
	unsigned int level; /* the number at this place is that in the task's own namespace */
	struct upid numbers[1];
};
