/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * traced.h - what is traced and may end: the processes of -p, the threads of -t, with -f their
 * descendants, and the command.
 */
#ifndef CORETAP_RUN_TRACED_H
#define CORETAP_RUN_TRACED_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

struct session;

/* All but traced_ended and traced_must_poll return an exit status after printing any error. */
int traced_open(struct session *s);
/* Call when everything is attached: opens the process tree, and starts a command, which waits. */
int traced_family_open(struct session *s);
/* Lets the command run. */
int traced_command_release(struct session *s);
/* At the end: stops a command that is still running, unless it is to be kept. */
void traced_command_finish(struct session *s);
void traced_close(struct session *s);

/* Have all tasks of -p and -t ended, with -f also their descendants? If so, prints it. */
bool traced_ended(struct session *s);
/* Must the end be polled for? It must for a thread, for the last descendant, and for a process
 * without pidfd. */
bool traced_must_poll(const struct session *s);

/* ---- a process or thread by its id ---- */

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
