/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proc_tree.h - the set of processes that are traced as a tree: -p PID -f, and -- COMMAND.
 */
#ifndef CORETAP_RUN_PROC_TREE_H
#define CORETAP_RUN_PROC_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct event_ids;
struct proc_tree;
struct lost;

/* Keeps map followed_fd (hash u32 tgid → u8) equal to `pids` and their descendants; misses are
 * counted in lost_fd. Types are read from file `btf`; NULL: the kernel's. Returns 0 or -errno. */
int proc_tree_open(struct proc_tree **out, const struct event_ids *pids, int followed_fd,
		   int lost_fd, const char *btf);
/* Adds the forks that were missed to the ledger. */
void proc_tree_account(const struct proc_tree *f, struct lost *l);
/* True if all descendants of `pids` have ended. Call it after `pids` themselves have ended. */
bool proc_tree_ended(struct proc_tree *f);
void proc_tree_close(struct proc_tree *f);

#endif
