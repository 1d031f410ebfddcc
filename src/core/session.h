/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one run of an applet: open → configure → load → attach → poll → close.
 *
 * Owns the signals, the clock, the limits, the ring, the ledger and the output, so that no
 * applet repeats them.
 */
#ifndef CORETAP_SESSION_H
#define CORETAP_SESSION_H

#include <bpf/libbpf.h>
#include <stdint.h>
#include <sys/types.h>

#include "applet.h"
#include "core/folded.h"
#include "core/follow.h"
#include "core/losses.h"
#include "core/ring.h"
#include "event.h"

struct session {
	const struct applet *applet;
	struct options options;
	char **args; /* positional arguments */
	int arg_count;

	/* set by applet->open */
	struct bpf_object *object;	     /* skeleton applets */
	void *skeleton;
	struct bpf_object_skeleton *skeleton_base;
	void (*skeleton_destroy)(void *);
	struct event_filter *filter;	     /* rodata, until load */
	volatile struct event_wakeup *wakeup;
	int ring_fd, losses_fd, followed_fd, cgroups_fd; /* -1: none */

	struct btf_view *btf;
	struct probe_plan plan;
	struct schema schema;
	struct out out;
	struct sink sink;
	struct folded *folded; /* --folded */
	struct ring *ring;
	struct losses losses;
	struct follow *follow;
	struct command command;
	enum probe_rung first; /* args_set: the rung to begin with, PROBE_RUNG_ANY: the ladder's own */
	enum probe_rung rung; /* the one being tried */
	int cgroup_fd;	      /* of --cgroup, -1: none */
	void *private;	      /* the applet's */
	/* instead of sink_record, for an applet with several kinds of records; adds to sink.rows */
	int (*record)(struct session *s, const void *record, size_t size);
	/* instead of records, where there is no ring: prints what was gathered, every report_ns (0:
	 * never) and at the end; 0 or -errno */
	int (*report)(struct session *s);
	uint64_t report_ns;
};

/* Runs an applet from its command line to its exit code. */
int session_main(const struct applet *applet, int argc, char **argv);

/* For applet->open: adopts a skeleton that was opened with session_open_opts. */
#define SESSION_ADOPT(s, skel, destroy)                                                          \
	do {                                                                                     \
		(s)->object = (skel)->obj;                                                       \
		(s)->skeleton_base = (skel)->skeleton;                                           \
		(s)->skeleton = (skel);                                                          \
		(s)->skeleton_destroy = (void (*)(void *))(destroy);                             \
		(s)->filter = &(skel)->rodata->filter;                                           \
		(s)->wakeup = &(skel)->bss->wakeup;                                              \
	} while (0)
/* Opens skeleton NAME_bpf into `s`; evaluates to it, or NULL with errno set. */
#define SESSION_OPEN(s, name)                                                                    \
	({                                                                                       \
		LIBBPF_OPTS(bpf_object_open_opts, opts_, .btf_custom_path = (s)->options.btf);   \
		struct name##_bpf *skel_ = name##_bpf__open_opts(&opts_);                        \
		if (skel_)                                                                       \
			SESSION_ADOPT(s, skel_, name##_bpf__destroy);                            \
		skel_;                                                                           \
	})

/* What the options ask for, as the programs read it. */
void session_filter_fill(const struct session *s, struct event_filter *f);

/* For applets without a skeleton, once their maps are there. The cgroup of --cgroup goes into
 * slot 0 of map `cgroups`: 0 or -errno. */
void session_wakeup_set(struct session *s);
int session_cgroup_set(struct session *s);

/* poll.c: reads records until something ends it: a limit, a signal, the command's end, a closed
 * pipe. Returns 0, or -errno when tracing failed. */
int session_poll(struct session *s);

#endif
