/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * traced.h - what is traced and may end: the processes of -p, the threads of -t, with -f their descendants, and the
 * command.
 */
#ifndef CORETAP_RUN_TRACED_H
#define CORETAP_RUN_TRACED_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "run/command.h"

struct session;

/* All but those that return bool return an exit status after printing any error. */
int traced_open(struct session *s);
/* Starts the command, which waits until it is released. traced_family_open calls it if nobody did before. Returns an
 * exit status after printing any error. */
int traced_command_begin(struct session *s);
/* Adds what the process tree needs to the first search of the types: call it before that. */
void traced_family_expect(struct session *s);
/* Call when everything is attached: opens the process tree, and starts a command, which waits. */
int traced_family_open(struct session *s);
/* Lets the command run. */
int traced_command_release(struct session *s);
/* Called at the end: stops a command that is still running, unless it is meant to go on. */
void traced_command_finish(struct session *s);
void traced_close(struct session *s);

/* True if all tasks of -p and -t have ended, with -f also their descendants; prints a note. */
bool traced_ended(struct session *s);
/* True if all of --cgroup and --container have been removed; prints a note. */
bool traced_cgroups_gone(const struct session *s);
/* True if the command has ended, and with it the run. */
bool traced_command_ended(struct session *s);
/* Waits for children that the command made ours (CLONE_PARENT): it would never see their end. */
void traced_strangers_reap(const struct session *s);
/* True if the end must be polled for: of a thread, of the last descendant, or of a process without a pidfd. */
bool traced_must_poll(const struct session *s);

/* ---- a process or thread by its id ---- */

struct task {
	uint32_t id; /* a number of the caller's pid namespace */
	bool is_thread;
	int fd; /* a pidfd; -1: none, so the id is polled */
};

/* The tasks of one option. */
struct task_list {
	uint32_t count;
	struct task tasks[EVENT_IDS_MAX];
	uint64_t ended_at; /* since when all have been gone: CLOCK_MONOTONIC ns; 0: not yet */
};

/* ---- the process tree: -p PID -f, and -- COMMAND (proc_tree.c) ---- */

struct btf_view;
struct event_ids;
struct proc_tree;
struct lost;

/* Keeps map followed_fd (hash u32 tgid → u8) equal to `pids` and their descendants; misses are counted in lost_fd.
 * `types` are those of file `btf`, or the kernel's if that is NULL; opened if *types is NULL. Returns 0 or -errno. */
int proc_tree_open(struct proc_tree **out, const struct event_ids *pids, int followed_fd,
		   int lost_fd, const char *btf, struct btf_view **types);
/* Adds what proc_tree_open needs to the next search of `types`. */
void proc_tree_expect(struct btf_view *types);
/* Writes `pids` into the map, without their descendants. Returns 0 or -errno. */
int proc_tree_fill(const struct event_ids *pids, int followed_fd);
/* Adds forks that were missed to the ledger. */
void proc_tree_account(const struct proc_tree *f, struct lost *l);
/* True if all descendants of `pids` have ended. Call it after `pids` themselves have ended. */
bool proc_tree_ended(struct proc_tree *f);
void proc_tree_close(struct proc_tree *f);

#endif
