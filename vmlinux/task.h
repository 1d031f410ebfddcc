/* SPDX-License-Identifier: GPL-2.0-only */
/* task.h - processes and threads: linux/sched.h, linux/sched/signal.h, linux/cred.h. */

struct task_struct {
	int pid;  /* of the thread */
	int tgid; /* of the process */
	char comm[16];
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct mm_struct *mm;
	struct fs_struct *fs;
	struct files_struct *files;
	unsigned int flags;
};
