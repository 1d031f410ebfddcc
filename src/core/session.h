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
	int types_fd; /* for the kernel types that the object needs (btf_small.h); -1: none */
	char types_path[32];
	struct event_filter *filter;	     /* rodata, until load */
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
	struct rlimit files; /* as we began: the command gets them */
	/* what is tried one after the other, up to PROBE_RUNG_END; args_set may set another */
	const enum probe_rung *ladder;
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

/* As it is before its options are known. */
#define SESSION_INIT(applet_)                                                                     \
	{ .applet = (applet_), .types_fd = -1, .ring_fd = -1, .losses_fd = -1, .followed_fd = -1, \
	  .cgroups_fd = -1, .cgroup_fd = -1 }

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
	} while (0)
/* Opens skeleton NAME_bpf into `s`; evaluates to it, or NULL with errno set. */
#define SESSION_OPEN(s, name)                                                                    \
	({                                                                                       \
		LIBBPF_OPTS(bpf_object_open_opts, opts_, .btf_custom_path = session_opening(s)); \
		struct name##_bpf *skel_ = name##_bpf__open_opts(&opts_);                        \
		if (skel_)                                                                       \
			SESSION_ADOPT(s, skel_, name##_bpf__destroy);                            \
		skel_;                                                                           \
	})
/* For SESSION_OPEN: what comes before, and where libbpf is to find types; NULL: the kernel's. */
const char *session_opening(struct session *s);

/* What the options ask for, as the programs read it. */
void session_filter_fill(const struct session *s, struct event_filter *f);

/* The kernel's types, or those of --btf, into s->btf. Returns an exit code, having said why. */
int session_types_open(struct session *s);
void session_types_close(struct session *s);

/* session_load.c: opens the applet's skeleton for one rung, plans and loads it. Returns 0 or -errno;
 * -EOPNOTSUPP for a rung that would miss something here. session_unload undoes what there is. */
int session_load(struct session *s, enum probe_rung rung);
void session_unload(struct session *s);
/* Would the rung that the plan stands on miss returns? */
bool session_rung_misses(const struct session *s);
/* Is a family of processes traced: -f, or a command? */
bool session_family_wanted(const struct session *s);

/* For applets without a skeleton, once their maps are there. The cgroup of --cgroup goes into
 * slot 0 of map `cgroups`: 0 or -errno. */
int session_cgroup_set(struct session *s);

/* poll.c: reads records until something ends it: a limit, a signal, the command's end, a closed
 * pipe. Returns 0, or -errno when tracing failed. */
int session_poll(struct session *s);

#endif
