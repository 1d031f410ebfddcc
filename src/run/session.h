/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - one run of an applet: open → configure → load → attach → poll → close.
 *
 * A session owns the signals, the clock, the limits, the ring, the ledger and the output, so that
 * no applet repeats them.
 */
#ifndef CORETAP_SESSION_H
#define CORETAP_SESSION_H

#include <bpf/libbpf.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/applet.h"
#include "event.h"
#include "output/rows/condition.h"
#include "output/rows/report.h"
#include "output/rows/sink.h"
#include "run/lost.h"
#include "run/metrics.h"
#include "run/pidns.h"
#include "run/recorder.h"
#include "run/ring.h"
#include "run/rotate.h"
#include "run/traced.h"

/* Who is traced. */
struct session_traced {
	struct pidns pidns;
	struct event_ids pids, tids; /* the kernel's own numbers */
	bool proc_is_other;	     /* /proc shows other pids than those that users see and type */
	/* of -p and -t: tracing ends when all of these have ended */
	struct task_list processes, threads;
	struct task_list subjects; /* the same of a recipe's own option for a process */
	struct proc_tree *follow;
	struct command command;
	struct rlimit files;		   /* the original limit, which the command gets */
	int cgroup_fds[EVENT_CGROUPS_MAX]; /* of --cgroup and --container */
	uint32_t cgroup_count;
	struct event_ids mounts; /* of --mntnsmap */
};

/* The form of the records. */
struct session_rows {
	struct schema schema;
	struct field *column_fields; /* owned: the fields of --columns */
	struct field *pid_fields;    /* owned: the fields of --inner-pids */
	/* Tells kinds of records on the ring apart; set by applet->open or attach: see struct sink. */
	uint32_t (*tag)(const void *record, size_t size);
	const struct schema *const *schemas;
	size_t schema_count;
	const char *name; /* JSON: "type" of rows; NULL: the applet's name */
	/* replace the session's sink, for a tracer whose records have sinks of their own; NULL: they do not */
	int (*write)(struct session *s, const void *record, size_t size);
	void (*header)(struct session *s);
};

/* Addresses that are shown as names. */
struct session_names {
	bool kernel, user; /* true even without -k and -U */
	bool late;	   /* read the kernel's symbols only when an address is shown */
	bool is_watching;  /* session_name_users was called */
};

/* The condition that ends the run, and its result. */
struct session_end {
	struct condition until; /* --until */
	struct condition where; /* --where */
	bool may_come;		/* tracer_ops.has_ended knows when */
	bool is_over;		/* the record just shown was the last */
	int status;		/* exit status of a run without failure, if a program sets one */
	uint64_t at;		/* when tracing ended, before the detach: CLOCK_MONOTONIC ns */
	bool is_whole;		/* nothing failed: what was not seen was not there */
};

/* Work that remains after everything is attached; the run keeps the rights for it (rights.c). */
struct session_needs {
	bool starts_programs, reads_files; /* a program of the user asks for it */
	bool programs;	  /* the BPF programs of the kernel are listed during the run */
	bool samples;	  /* something is attached to each processor (tracer_ops.online) */
	uint64_t poll_at; /* CLOCK_MONOTONIC ns: when the tracer wants to be polled; 0: never */
};

/* Reports instead of records. */
struct session_reporting {
	struct report report;
	const struct report_form *form; /* of text, instead of columns; NULL: none */
	char *title;			/* owned: the title of pictures */
	struct report_source *sources;	/* the maps that rows are read from (reporting.c) */
	uint64_t late;	   /* reports that were due while the output accepted nothing */
	int picture_error; /* -errno of the last one that was written to --svg */
};

struct session {
	const struct applet *applet;
	struct options options;
	void *private; /* for the applet's own use */
	struct btf_view *btf;

	struct skeleton *objects; /* owned; for applets with objects (objects.h) */
	size_t object_count;
	struct {
		int ring, lost, followed, cgroups;
	} fds; /* of maps; set by the tracer; -1: none */

	struct session_traced traced;
	struct session_names names;
	struct session_needs needs;
	struct session_end end;

	struct ring *ring;
	struct lost losses;
	bool switched_off; /* a kernel setting currently keeps the programs from running (attach/method_can.h) */
	uint64_t unwritten; /* records that arrived when nothing could be written any more */

	struct session_rows rows;
	struct buf out;
	struct sink sink;
	struct rotate rotate;
	struct recorder recorder; /* --ring */
	/* Replaces recorder_output, for an applet that omits some records. */
	int (*record)(struct session *s, const void *record, size_t size);
	/* Replaces records if there is no ring: the applet's function, or one set at attach. */
	int (*report)(struct session *s, struct report *out);
	struct session_reporting reporting;
	struct metrics metrics;
};

/* The state before options are parsed. */
#define SESSION_INIT(applet_)                                                                      \
	{                                                                                          \
		.applet = (applet_), .fds = { -1, -1, -1, -1 },                                    \
	}

/* Sets the types for all later runs in this process, instead of reading them. A run owns and frees them, so a process
 * that forks a child for each run keeps its own. */
void session_types_lend(struct btf_view *types);
/* Runs an applet, from its command line to its exit status. */
int session_main(const struct applet *applet, int argc, char **argv);

/* Reads the kernel's symbols unless they are loaded; warns if that fails. */
void session_name_kernel(void);
/* Enables names for addresses of user programs (symbols/user/usyms.h). */
void session_name_users(struct session *s);

/* Writes a record. Returns 0 or -errno. */
int rotate_write(struct session *s, const void *record, size_t size);
/* The same; with --ring, stores it instead. */
int recorder_output(struct session *s, const void *record, size_t size);

/* True if this kernel may preempt programs (preempt.h). False for a plan with another kernel's types. */
bool session_preempts(const struct options *o);
/* Returns the functions that load, attach and remove the applet's programs. */
const struct tracer_ops *session_tracer(const struct session *s);

/* Opens the kernel's types, or those of --btf, into s->btf. Returns an exit status after printing
 * any error. */
int session_types_open(struct session *s);

/* True if as many records were printed as -n asks for. */
static inline bool session_count_reached(const struct session *s)
{
	return s->options.limits.events && s->sink.rows >= s->options.limits.events;
}

/* True if that holds, or the last record said so. */
static inline bool session_limit_reached(const struct session *s)
{
	return s->end.is_over || session_count_reached(s);
}

/* ---- errors of files ---- */

/* Prints that a file, or the output, cannot be written. `err` is -errno. Returns EXIT_FAILED. */
int file_failed(const char *path, int err);
int output_failed(const struct session *s);
/* Returns the name of the output for messages. */
const char *output_name(const struct session *s);

#endif
