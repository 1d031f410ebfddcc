/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_probes.h - probes on functions of the files that processes run or map, in any mount namespace. A file is
 * probed once, for all processes that run or map it.
 *
 * The caller chooses which processes to check, and when. PIDs are those of /proc.
 */
#ifndef CORETAP_ATTACH_FILE_PROBES_H
#define CORETAP_ATTACH_FILE_PROBES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A program for a function; a list of them ends with function == NULL. */
struct file_probe {
	const char *function;
	bool is_return;
	int prog_fd;
};

struct probed_file {
	struct stat st;
	bool is_overlay;
	bool has;  /* it contains one of the functions */
	bool mark; /* for the caller's use, initially false */
};

struct file_probes {
	const struct file_probe *probes;
	/* mapped files with these names are libraries: patterns (util/glob.h), end with NULL */
	const char *const *libraries;
	const char *unseen; /* for messages: what is missed in a file without probes */
	bool only_64;	    /* files of 32-bit programs are skipped */

	/* All members from here on are initially zero. */
	struct probed_file *files; /* NULL: none yet */
	unsigned count;
	unsigned probed; /* how many files have a probe */
	int *links, link_count;
	int refused;	  /* the kernel's last error for a probe, or 0 */
	bool full, ended; /* full: the limit was reached, and reported */
};

/* Probes the file at a path if it contains one of the functions. `name` is for messages. Returns NULL if the file
 * cannot be opened, or if there are too many files. */
struct probed_file *file_probes_poll(struct file_probes *p, const char *path, const char *name);
/* Checks the libraries that the process has mapped, up to the first with one of the functions. Returns true if there
 * is one. */
bool file_probes_libraries(struct file_probes *p, uint32_t pid);
/* Calls `check` for each process. */
void file_probes_processes(void (*check)(uint32_t pid));
/* Removes the probes. Files that are checked later get none. */
void file_probes_end(struct file_probes *p);

#endif
