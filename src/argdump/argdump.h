/* SPDX-License-Identifier: GPL-2.0 */
/*
 * argdump.h - what the files of argdump share.
 *
 *	spec.c		PROBE text → what it names
 *	source_*.c	a kind of probe: where it is in this kernel, how it is loaded and attached
 *	probe.c		one probe: its program compiled for a way
 *	way.c		the ladder: ways from the cheapest to the one that works everywhere
 *	run.c		the session's hooks: several probes, one ring, one ledger
 *	aggregate.c	calls that are counted in the kernel instead
 *
 * A request is one PROBE with its expressions as typed. It becomes one or more probes: a probe is
 * what one compilation serves, and has one schema.
 */
#ifndef CORETAP_ARGDUMP_H
#define CORETAP_ARGDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "argdump/aggregate.h"
#include "argdump/old.h"
#include "argdump/spec.h"
#include "core/program.h"
#include "core/session.h"
#include "expr/expr.h"

struct argdump_probe;

/*
 * One row of a ladder. Only the kernel knows what its verifier takes: a program that it refuses is
 * made again in the next way.
 */
struct argdump_way {
	enum probe_rung rung; /* its name depends on what of a call is seen: argdump_rung_name */
	enum expr_rung context; /* what the program is given */
	bool typed_loads, probe_read;
};

struct fd_list {
	int *fds; /* owned */
	size_t count;
};
/* Takes fd over, or closes it when there is no memory: 0, -ENOMEM, or fd where it is -errno. */
int fd_list_add(struct fd_list *l, int fd);
void fd_list_close(struct fd_list *l);

/* What a PROBE and its expressions say. */
struct argdump_request {
	const char *text; /* PROBE */
	struct probe_spec spec;
	const char *const *exprs;
	size_t expr_count;
	const char *const *typed; /* PROBE and then the expressions, as they were given */
	size_t typed_count;	  /* of the expressions */
	const char *condition;	  /* its own; NULL: none */
	const char **with_caller; /* owned: exprs, when the caller is shown first */
	struct argdump_old *old;  /* owned: a definition in the kernel's notation, else NULL */
};

struct argdump;

/*
 * A kind of probe. All return 0 or -errno unless they say otherwise.
 */
struct probe_kind {
	const struct argdump_way *ways; /* from the cheapest on */
	size_t way_count;
	/* Finds what the request names, and adds its probes (argdump_probe_add) with name, target and
	 * input.func_id set. Returns an exit code, having said what is wrong. */
	int (*resolve)(struct session *s, struct argdump *a, const struct argdump_request *request);
	/* Before p->expr is made for a way: sets of p->input what depends on it. NULL: nothing. */
	void (*prepare)(struct argdump_probe *p, const struct argdump_way *way);
	/* The compiled program into the kernel: fds into p->programs. A log may be asked for. */
	int (*load)(struct argdump_probe *p, const struct argdump_way *way, char *log,
		    size_t log_size);
	/* What was loaded to where it belongs: fds, whose closing detaches, into p->links. */
	int (*attach)(struct argdump_probe *p, const struct argdump_way *way);
	enum expr_scope scope;
	/* Says why there is no way; returns the exit code. */
	int (*explain)(struct session *s, struct argdump_probe *p, int err);
};

extern const struct probe_kind *const probe_kinds[PROBE_SPEC_KINDS];
extern const struct probe_kind probe_kind_function, probe_kind_return, probe_kind_syscall,
	probe_kind_user;
/* Of a tracepoint: its arguments first, or the fields of its event. */
extern const struct probe_kind probe_kind_tracepoint, probe_kind_event;

struct argdump_probe {
	const struct argdump_request *request;
	const struct probe_kind *kind;
	char *name;		     /* owned: what is traced, in messages and --dry-run */
	struct expr_target target;   /* what this kernel's types promise; a way takes from it */
	struct expr_input input;     /* of the way that was tried last */
	struct expr_program *expr;   /* owned; of that way too */
	const struct argdump_way *way; /* that argdump_probe_compile_or_tell took */
	struct fd_list programs, links;
	void *source;		     /* the kind's own; NULL: nothing */
	void (*source_free)(void *source);
	struct fd_list tables;	     /* maps of its patterns */
	struct program_maps *maps;   /* of all probes */
	const char *conditions[2];   /* those of all, and its own */
	struct schema schema;
	struct sink sink;	     /* where there are several probes */
};

struct argdump {
	/* options */
	int dump_stage;	     /* enum expr_stage + 1; 0: none */
	uint32_t depth;	     /* levels of pointers to follow from whole structs */
	bool zeros;	     /* show their members that are zero */
	uint32_t string_max; /* bytes; 0: the compiler's default */
	bool caller;	     /* show who called */
	struct {
		bool list;	  /* --list */
		const char *type; /* --type; NULL: not given */
	} look; /* instead of tracing */
	const char *condition; /* --if; NULL: none */
	const char *save, *load; /* files of probes; NULL: not given */
	struct aggregate_options aggregate_options;

	struct aggregate aggregate; /* what they ask for */

	struct argdump_request *requests; /* owned */
	size_t request_count;
	struct argdump_probe *probes; /* owned; each one's number in its records is its index */
	size_t probe_count;
	struct program_maps maps;
};

/* run.c: the applet's hooks, and what they begin with. Texts outlive it; -EINVAL is said. All
 * requests come before the first probe. */
/* `text` is what stands before exprs[0] in its array. */
int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count);
int argdump_attach(struct session *s);
int argdump_plan(struct session *s);
void argdump_detach(struct session *s);
void argdump_close(struct session *s);

/* probe.c. argdump_probe_add: a probe with nothing but its request, kind and name, or NULL where
 * there is no memory; good until the next one is added. */
struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name);
/* Makes p->expr for a way. Returns what expr_compile does. */
int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_way *way, struct expr_error *error);
/* The same for the best way that can do it, said when wrong: an error there is the user's mistake. */
int argdump_probe_compile_or_tell(struct session *s, struct argdump *a, struct argdump_probe *p);
void argdump_probe_close(struct argdump_probe *p);

const char *argdump_rung_name(const struct argdump_probe *p, const struct argdump_way *way);

/* way.c: down the ladder until a probe is attached. 0, or -errno of the first refusal. */
int argdump_ways_try(struct session *s, struct argdump *a, struct argdump_probe *p);

#endif
