/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * skeleton.h - takes a BPF object from its packed bytes to attached programs, and back: open, types, sizes of maps,
 * load, attach, detach. This file knows nothing about a run: the caller passes what it needs (config).
 *
 * Errors are -errno; messages are only for log_debug.
 */
#ifndef CORETAP_ATTACH_SKELETON_H
#define CORETAP_ATTACH_SKELETON_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "attach/plan.h"
#include "event.h"
#include "util/glob.h"

struct skeleton;

/* An object of BPF programs, and the events that they see. */
struct skeleton_source {
	const struct hook *hooks; /* end with name == NULL; NULL: the end of a list of sources */
	/* the attach methods to try if programs may be preempted, up to ATTACH_END; NULL: the usual order */
	const enum attach_method_id *order_preempted;
	/* programs that are loaded, but attached by the caller, up to NULL; or NULL */
	const char *const *unattached;
	/* Calls SKELETON_OPEN, then applies the object's own settings for sk->method: rodata, sizes of maps. `param`
	 * is the caller's; for an applet, its struct options. Returns 0 or -errno. */
	int (*open)(struct skeleton *sk, const void *param);
	/* called between load and attach: sets contents of maps; may be NULL. Returns 0 or -errno */
	int (*loaded)(struct skeleton *sk);
	void (*ending)(struct skeleton *sk); /* called before detach; may be NULL */
};

/* The fds of bpf/lib's maps; -1: none. */
struct skeleton_maps {
	int ring, losses, followed, cgroups, inners;
};
#define SKELETON_NO_MAPS                                                                           \
	{                                                                                          \
		-1, -1, -1, -1, -1                                                                 \
	}

struct skeleton_config {
	const void *param; /* passed to source->open */
	const char *btf;   /* a file of types; NULL: the kernel's */
	/* the opened types, of the caller, who closes them; opened here if NULL. Searching them takes a third of the
	 * time until a tool is ready, so that objects share them. */
	struct btf_view **types;
	/* chosen by the user, so used even if it misses something; or ATTACH_ANY */
	enum attach_method_id asked;
	const struct event_filter *filter;
	uint64_t buffer;	     /* size of map `ring` in bytes */
	bool family;		     /* map `followed` is used */
	const int *cgroup_fds;	     /* for map `cgroups` */
	uint32_t cgroup_count;	     /* number of cgroup_fds */
	glob_table *names;	     /* for map `names`; NULL: none */
	struct skeleton_maps shared; /* maps to use instead of its own */
	bool load_only;		     /* attach nothing */
};

struct skeleton {
	const struct skeleton_source *source;
	const struct skeleton_config *config; /* valid during loading */
	enum attach_method_id method;	      /* the one being tried, or in use */
	struct attach_plan plan;	      /* kept after close, to explain a failure */
	char failed
		/* the function that could not be attached, to go with the returned error; or "" */
		[64];
	struct bpf_object *object; /* NULL: not loaded */
	struct skeleton_maps maps;
	void *skel; /* the generated skeleton, owned with its contents */
	struct bpf_object_skeleton *base;
	void (*destroy)(void *skel);
	struct event_filter *filter; /* in rodata, until load */
	/* a file with the kernel types that the object needs (btf_min.h); -1: none */
	int types_fd;
	char types_path[32];
};

/* Opens skeleton NAME_bpf into `sk`; evaluates to it, or NULL with errno set. */
#define SKELETON_OPEN(sk, name)                                                                    \
	({                                                                                         \
		LIBBPF_OPTS(bpf_object_open_opts, opts_, .btf_custom_path = skeleton_prepare(sk)); \
		struct name##_bpf *skel_ = name##_bpf__open_opts(&opts_);                          \
		if (skel_) {                                                                       \
			(sk)->object = skel_->obj;                                                 \
			(sk)->base = skel_->skeleton;                                              \
			(sk)->skel = skel_;                                                        \
			(sk)->destroy = (void (*)(void *))name##_bpf__destroy;                     \
			(sk)->filter = &skel_->rodata->filter;                                     \
		}                                                                                  \
		skel_;                                                                             \
	})
/* For SKELETON_OPEN: prepares, and returns the file in which libbpf finds types; NULL: the kernel's. */
const char *skeleton_prepare(struct skeleton *sk);

/* Returns the attach methods to try in turn, up to ATTACH_END. */
const enum attach_method_id *skeleton_order(const struct skeleton_source *source, bool preempts);
/* Loads and attaches by the first method of `order` that works. Returns 0, or the most useful -errno of all methods;
 * -ENOENT if a function is missing. */
int skeleton_load(struct skeleton *sk, const struct skeleton_source *source,
		  const struct skeleton_config *config, const enum attach_method_id *order);
/* The same by one method. Returns -EOPNOTSUPP if that would miss something here. Undoes everything on failure. */
int skeleton_try(struct skeleton *sk, const struct skeleton_source *source,
		 const struct skeleton_config *config, enum attach_method_id method);
/* Only opens it, for callers that read sk->base->data, the object's ELF file. Needs no rights. Returns 0 or -errno;
 * call skeleton_free in any case. */
int skeleton_open(struct skeleton *sk, const struct skeleton_source *source,
		  const struct skeleton_config *config);
/* Adds what the object needs to the next search of `types`. Returns 0 or -errno; on failure only time is lost. */
int skeleton_expect(const struct skeleton_source *source, const struct skeleton_config *config,
		    struct btf_view *types);
/* Undoes everything, and frees the plan. */
void skeleton_free(struct skeleton *sk);

#endif
