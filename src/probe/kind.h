/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kind.h - a kind of probe: how it is found in this kernel, and the variants by which it is attached.
 */
#ifndef CORETAP_PROBE_KIND_H
#define CORETAP_PROBE_KIND_H

#include "attach/method_can.h"
#include "expr/expr.h"
#include "probe/probe_spec.h"

struct argdump;
struct argdump_probe;
struct argdump_request;
struct session;

/*
 * One variant of an attach order. Only the kernel knows what its verifier accepts: if it refuses a program, the
 * program is compiled again for the next variant.
 */
struct argdump_variant {
	/* --attach and messages name it by what the probe sees of a call: see argdump_method_name */
	enum attach_method_id method;
	enum expr_ctx_type context; /* what the program gets as its context */
	bool typed_loads, probe_read;
};
/* Defines a row of an attach order. */
#define ARGDUMP_VARIANT(method_, context_, typed_loads_, probe_read_)                              \
	{                                                                                          \
		.method = ATTACH_##method_, .context = EXPR_CTX_##context_,                        \
		.typed_loads = typed_loads_, .probe_read = probe_read_                             \
	}

/* The attach order of one kernel function (variants.c). */
enum { ARGDUMP_VARIANTS = 7 };
extern const struct argdump_variant argdump_variants[ARGDUMP_VARIANTS];

/* A kind of probe. All functions return 0 or -errno unless they say otherwise. */
struct probe_ops {
	/* sorted from the cheapest; tried in the order of argdump_variant_at */
	const struct argdump_variant *variants;
	size_t variant_count;
	/* Finds what the request names, and adds its probes (argdump_probe_add) with name, target and
	 * input.site.func_id set. Returns an exit code after printing any error. */
	int (*resolve)(struct session *s, struct argdump *a, struct argdump_request *request);
	/* Looks up what one item names; may add probes. Returns 0 or -errno, prints nothing. NULL: name_choice.c
	 * looks it up. */
	int (*find)(struct session *s, struct argdump *a, struct argdump_request *request,
		    const struct probe_spec_item *item);
	/* Adds the names of types that an item will search for: one pass finds all. May be NULL. */
	void (*names)(struct btf_lookup *names, const struct probe_spec_item *item);
	/* Called before p->expr is compiled for a variant: sets what depends on the variant in p->input. May be
	 * NULL. */
	void (*prepare)(struct argdump_probe *p, const struct argdump_variant *variant);
	/* Describes what p's program is attached to. */
	void (*target)(const struct argdump_probe *p, const struct argdump_variant *variant,
		       struct attach_target *t);
	/* Loads the compiled program and stores its fds in p->fds.programs. `log` may be NULL. */
	int (*load)(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
		    size_t log_size);
	/* Attaches what was loaded and stores the fds of the links in p->fds.links; closing them detaches. If load
	 * and attach are NULL, there is one program, attached to `target`. */
	int (*attach)(struct argdump_probe *p, const struct argdump_variant *variant);
	/* True if the probe may have one link with others, a kprobe session. NULL: none may. */
	bool (*joins)(const struct argdump_probe *p);
	enum expr_scope scope;
	bool is_instruction; /* not at the entry of a function, so parameters are not known */
	/* Prints why no variant works. Returns the exit code. */
	int (*explain)(struct session *s, struct argdump_probe *p, int err);
	/* Replaces the attach order of each probe: all probes of a request, which are adjacent, share one link.
	 * Returns an exit code. */
	int (*attach_all)(struct session *s, struct argdump *a, struct argdump_probe *first);
};

extern const struct probe_ops *const probe_kinds_all[PROBE_SPEC_KINDS]; /* providers/kinds.c */
/* The same for the code below the providers; set at the start of a run. */
extern const struct probe_ops *const *probe_kinds;

#endif
