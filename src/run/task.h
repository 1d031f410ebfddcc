/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.h - a process or thread given by its id: does it exist, has it ended?
 */
#ifndef CORETAP_RUN_TASK_H
#define CORETAP_RUN_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

struct task {
	uint32_t id; /* in the caller's pid namespace */
	bool is_thread;
	int fd; /* pidfd; -1: none, so the id is checked */
};

/* The tasks of one option. */
struct task_list {
	uint32_t count;
	struct task tasks[EVENT_IDS_MAX];
	uint64_t
		ended_at; /* since when none is there, as far as seen: CLOCK_MONOTONIC ns; 0: not */
};

/* Returns an exit status after printing why it cannot be traced. */
int task_open(struct task *t, uint32_t id, bool is_thread);
/* Has it ended, with all its threads? True even if its parent has not waited for it yet. */
bool task_ended(const struct task *t);
void task_close(struct task *t);

#endif
