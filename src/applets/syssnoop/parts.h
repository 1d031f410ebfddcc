/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - private to the applet syssnoop: its settings, and functions that its files offer each other.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_H
#define CORETAP_APPLETS_SYSSNOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "output/field/field.h"
#include "cli/options.h"
#include "syscalls/syscalls.h"
#include "syssnoop.h"

struct value;

struct hook;
struct session;

/* ---- select.c: -e ---- */

struct chosen_fds {
	bool any; /* the option was given */
	struct syscall_fds set;
};
/* The descriptors and paths of which a call must have one. */
struct chosen {
	struct chosen_fds fds;
	struct option_list paths;
};
enum status {
	STATUS_SUCCESSFUL = 1,
	STATUS_FAILED = 2,
	STATUS_UNFINISHED = 4,
	STATUS_UNAVAILABLE = 8, /* statuses that do not occur here */
	STATUS_DETACHED = 16,
	STATUS_ALL = 31,
};
/* Messages to suppress. Of strace's only those about exits exist here; the others are not strace's. */
enum quiet {
	QUIET_ATTACH = 1,
	QUIET_EXIT = 2,
	QUIET_PATHS = 4,
	QUIET_PERSONALITY = 8,
	QUIET_EXECVE = 16,
};
enum pid_part { PIDS_COMM = 1, PIDS_NAMESPACE = 2 };
struct selection {
	struct chosen has;
	bool all;
	struct syscall_set wanted;
	struct syscall_set full, flat, raw; /* as in struct syscall_options */
	struct chosen_fds reads, writes;
	uint64_t signals;
	unsigned statuses, quiet, fd_parts,
		pid_parts; /* of the enums above, enum syscall_fd_part */
};
/* Parses the texts of -e, and of options with the names of its words. Returns 0, or -EINVAL after printing the error. */
int select_read(const struct option_list *list, struct selection *s);
/* Completes the words of -e. */
void select_words(struct completion *c, const char *begin);

/* ---- options.c ---- */

/* The settings from the command line. */
struct settings {
	struct selection chosen;
	bool counts_only, counts_too; /* -c, -C */
	uint64_t longer;	      /* ns */
};
extern struct settings settings;
extern const struct option_spec syssnoop_options[];
extern const struct option_habit syssnoop_habits[];
/* Derives the settings, and those of the session, from the options. Returns 0, or -EINVAL after printing the error. */
int settings_read(struct session *s);

/* ---- paths.c: -P ---- */

int chosen_paths_check(const struct option_list *paths);
/* Returns the maximum number of forms of paths. */
size_t chosen_forms(const struct option_list *paths);
/* Writes them to the map. Returns 0 or -errno. */
int chosen_paths_write(const struct option_list *paths, int map);

/* ---- counts.c: -c, -C ---- */

struct report_form;
extern const struct report_form counts_form; /* counts_table.c: the table of strace(1) */

extern bool counts_wall; /* -w */
/* -S, -U, -O; like option_spec.add. */
const char *counts_order_add(const struct option_spec *spec, const char *arg);
const char *counts_columns_add(const struct option_spec *spec, const char *arg);
const char *counts_overhead_add(const struct option_spec *spec, const char *arg);
bool counts_are_set(void);	 /* true if sorted by one of these */
bool counts_have_extremes(void); /* true if the shortest and longest calls are printed */
/* Reports counts instead of records, as a table of that form unless another is requested; or after the records. */
void counts_report(struct session *s, const struct report_form *table);
void counts_write(struct session *s, const struct report_form *table);

/* ---- fields.c ---- */

enum { SYSSNOOP_FIELDS = 13 };
extern const struct field syssnoop_fields[SYSSNOOP_FIELDS];

/* ---- functions.c: --attach kprobe.multi ---- */

/* Sets *all to `own` hooks, and one for each function of a chosen call; owned. Returns 0, or -errno after printing
 * the error. */
int functions_add(struct session *s, const struct selection *chosen, const struct hook *own,
		  struct hook **all);

/* ---- pids.c ---- */

void pids_use(int map_fd);
/* Returns the number here of the process that has number `nr` in the pid namespace of a thread; 0: that is unknown, or
 * the namespace is this one. */
uint32_t pid_here(uint32_t tid, uint32_t nr);

/* ---- show.c: records → lines ---- */

enum show_times { TIMES_NONE, TIMES_CLOCK, TIMES_UNIX };

/* Settings of lines from the command line. */
struct show_options {
	enum show_times times; /* -t */
	/* digits after the decimal point, for -t, -r, -T */
	uint8_t times_digits, relative_digits, latency_digits;
	bool relative, latency;		 /* -r, -T */
	bool has_numbers, has_addresses; /* -n, -i */
	bool follows;			 /* print new threads and processes */
	bool has_pids;		  /* each line names its task, even if there is only one … */
	bool is_bare;		  /* … without brackets: in a file, or always */
	bool has_comm, has_inner; /* has_inner: --inner-pids, 17/2 */
	bool alone;		  /* print only the first thread of the command */
	bool appends, debugs;	  /* -A, -d */
	int style;		  /* enum syscall_style */
	unsigned quiet;		  /* enum quiet */
	uint32_t column;	  /* column of the results */
	bool stack, lines;	  /* -k, -kk */
	uint32_t stack_frames;	  /* at most; 0: no limit */
	const char *split;	  /* print each thread to FILE.TID; NULL: one output */
	const char *argv0;	  /* of the command; NULL: its own */
	struct syscall_options text;
};
extern struct show_options how;
void show_begin(struct session *s);
/* True if a line may begin at the entry of a call and end at its return. */
bool show_wants_entries(void);
int show_record(struct session *s, const void *record, size_t size);
/* Writes the calls that have not returned; `calls` has SYSSNOOP_CALLS entries. */
void show_unfinished(struct session *s, const struct syssnoop_call *calls);
void show_text(struct buf *o, const void *record);
void show_end(void); /* after the last record */

#endif
