/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_probes.h - probes on functions of the files that processes run or map, whatever mount namespace
 * they are in. A file is probed once, for all processes that run or map it.
 *
 * Who uses it says which processes it looks at, and when. PIDs are those of /proc.
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
	bool has;  /* one of the functions */
	bool mark; /* the user's, false at first */
};

struct file_probes {
	const struct file_probe *probes;
	/* mapped files of these names are libraries: patterns (util/glob.h), end with NULL */
	const char *const *libraries;
	const char *unseen; /* what is not seen of a file without probes, for messages */
	bool only_64;	    /* files of 32-bit programs are left alone */

	/* the rest begins as zero */
	struct probed_file *files; /* NULL: none yet */
	unsigned count;
	unsigned probed; /* so many have a probe */
	int *links, link_count;
	int refused;	  /* the last error with which the kernel refused a probe; 0: none */
	bool full, ended; /* full: that was reported */
};

/* The file at a path, probed if it has one of the functions; `name` is for messages. NULL: it cannot be
 * opened, or there are too many. */
struct probed_file *file_probes_look(struct file_probes *p, const char *path, const char *name);
/* Looks at the libraries that the process has mapped, up to one with such a function: was there one? */
bool file_probes_libraries(struct file_probes *p, uint32_t pid);
/* Calls `look` for each process. */
void file_probes_processes(void (*look)(uint32_t pid));
/* Removes the probes; what is looked at from now on gets none. */
void file_probes_end(struct file_probes *p);

#endif
