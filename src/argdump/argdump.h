/* SPDX-License-Identifier: GPL-2.0 */
/*
 * argdump.h - what the files of argdump share.
 *
 *	spec.c		PROBE text → what it names
 *	source_*.c	a kind of probe: where it is in this kernel, how it is loaded and attached
 *	probe.c		one probe: its program compiled for a way
 *	way.c		the ladder: ways from the cheapest to the one that works everywhere
 *	run.c		the session's hooks: several probes, one ring, one ledger
 *	set_*.c		many functions by one link, and when
 *	settle.c	what is found out when all is attached
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
#include "argdump/function_set.h"
#include "argdump/old.h"
#include "argdump/registers.h"
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
	bool session;	  /* of a call: one program for both sides */
	const char *name; /* of a call: the rungs of both */
};

/* way.c: the ladder of one kernel function. */
enum { ARGDUMP_WAYS = 7 };
extern const struct argdump_way argdump_ways[ARGDUMP_WAYS];

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
	const char **with_caller; /* owned: exprs, when the caller is shown first … */
	bool caller_alone;	  /* … and nothing else was asked for */
	struct argdump_old *old;  /* owned: a definition in the kernel's notation, else NULL */
	struct function_set functions; /* what patterns or a list of functions name */
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
	int (*resolve)(struct session *s, struct argdump *a, struct argdump_request *request);
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
	/* Instead of a ladder each: all probes of a request, which are in a row, share a link. Returns
	 * an exit code. */
	int (*attach_all)(struct session *s, struct argdump *a, struct argdump_probe *first);
};

extern const struct probe_kind *const probe_kinds[PROBE_SPEC_KINDS];
extern const struct probe_kind probe_kind_function, probe_kind_return, probe_kind_call,
	probe_kind_syscall, probe_kind_user;
/* Of a tracepoint: its arguments first, or the fields of its event. */
extern const struct probe_kind probe_kind_tracepoint, probe_kind_event;
extern const struct probe_kind probe_kind_instruction;
/* set_attach.c: many functions by one link, at their entries, their returns, or both. */
extern const struct probe_kind probe_kind_function_set, probe_kind_return_set, probe_kind_call_set;

/* source_function.c: what kinds on one function have in common. */
int argdump_function_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
			  size_t log_size);
int argdump_function_attach(struct argdump_probe *p, const struct argdump_way *way);
int argdump_function_explain(struct session *s, struct argdump_probe *p, int err);
/* A program for a trampoline on p's function: an fd or -errno. Sets the rest of *type. */
int argdump_typed_load(struct argdump_probe *p, const struct bpf_insn *insns, size_t count,
		       struct program_type *type, char *log, size_t log_size);
int argdump_kprobe_attach(const struct argdump_probe *p, int prog_fd, bool is_return);

/* set_kind.c: how a set is attached. */
struct set_kind {
	const struct probe_kind *kind;
	const struct probe_kind *rest; /* of what kind cannot have: functions that no BTF id tells;
					* NULL: it can have all */
	int attach_type; /* of kind: fentry.multi or its like; -1: none */
	bool by_kprobe;	 /* many, one by one */
};
struct set_kind set_kind_choose(const struct session *s, const struct argdump *a,
				struct argdump_request *r, const struct expr_target *target);

/* source_set.c: resolve for a list of functions, or patterns. */
int function_set_resolve(struct session *s, struct argdump *a, struct argdump_request *request);

struct argdump_probe {
	const struct argdump_request *request;
	const struct probe_kind *kind;
	char *name;		     /* owned: what is traced, in messages and --dry-run */
	uint32_t number;	     /* in its records */
	const struct btf_view *btf;  /* of input.func_id: a module's; NULL: the kernel's */
	/* one function: its name, its module's (NULL: none), and where names do not tell or it is
	 * about an instruction its address or the offset from its first byte */
	const char *symbol, *module;
	uint64_t address, offset;
	bool one_of_all; /* by a name of which the kernel does not tell whether others have it */
	uint64_t place; /* where a kprobe finds it sooner than by its name; 0: unknown */
	bool by_kprobe; /* one of so many that nothing dearer to attach and detach is tried */
	/* what it is attached to, where that is more than one function; owned, not what they are */
	const struct function **functions;
	size_t function_count;
	uint32_t first_point;	     /* of its functions, or itself, in argdump.points */
	bool is_compat;		     /* of a system call: what 32-bit programs enter it by */
	int attach_type;	     /* of fentry.multi, fexit.multi or fsession.multi, as its kind
				      * is, in this kernel; -1: it has none */
	struct expr_target target;   /* what this kernel's types promise; a way takes from it */
	struct expr_input input;     /* of the way that was tried last */
	enum probe_rung rung;	     /* of that way */
	struct expr_program *expr;   /* owned; of that way too */
	const struct argdump_way *way; /* that argdump_probe_compile_any took; once attached, that */
	struct fd_list programs, links;
	void *source;		     /* the kind's own; NULL: nothing */
	void (*source_free)(void *source);
	struct fd_list switches;     /* maps of programs */
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
	bool both;	     /* entry and return of a call in one record */
	struct {
		bool list;	  /* --list */
		const char *type; /* --type; NULL: not given */
	} look; /* instead of tracing */
	struct option_list diff; /* --diff */
	const char *condition; /* --if; NULL: none */
	const char *save, *load; /* files of probes; NULL: not given */
	struct aggregate_options aggregate_options;

	struct aggregate aggregate; /* what they ask for */
	const char *diffs[OPTION_LIST_MAX]; /* the texts of `diff` */
	uint64_t unchanged;	    /* calls that are not shown for it */

	struct argdump_request *requests; /* owned */
	size_t request_count;
	struct argdump_probe *probes; /* owned */
	size_t probe_count;
	bool many;		      /* functions or probes: records carry which one they are of */
	struct field_name *points;    /* owned: names of all functions, for $func and a column … */
	size_t point_count;
	unsigned point_width;	      /* … of this width */
	bool one_call;		      /* a system call, and the same of 32-bit programs: no column */
	struct btf_modules *modules;  /* owned; NULL: nobody asked for them */
	struct program_maps maps;
};

/* run.c: the applet's hooks, and what they begin with. Texts outlive it; -EINVAL is said. All
 * requests come before the first probe. */
/* `text` is what stands before exprs[0] in its array. */
int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count);
/* How many probes there are, in a row, of the request whose first probe this is, or whose first of
 * another link. */
size_t argdump_request_probes(const struct argdump *a, const struct argdump_probe *first);
int argdump_attach(struct session *s);
int argdump_plan(struct session *s);
void argdump_detach(struct session *s);
void argdump_close(struct session *s);

/* settle.c: the hook for what may take its time. */
void argdump_settle(struct session *s);

/* probe.c. argdump_probe_add: a probe with nothing but its request, kind and name, or NULL where
 * there is no memory; good until the next one is added. */
struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name);
/* Numbers and names what was hit: once all probes are there. 0 or -ENOMEM. */
int argdump_points_make(struct argdump *a);
/* Makes p->expr for a way. Returns what expr_compile does. */
int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_way *way, struct expr_error *error);
/* The same for the best way that can do it (p->way): an error there is the user's mistake. */
int argdump_probe_compile_any(struct session *s, struct argdump *a, struct argdump_probe *p,
			      struct expr_error *error);
/* That, and said when wrong. */
int argdump_probe_compile_or_tell(struct session *s, struct argdump *a, struct argdump_probe *p);
void argdump_probe_error_tell(const struct argdump_probe *p, const struct expr_error *e);
void argdump_probe_close(struct argdump_probe *p);
/* Without input.func_id parameters are known by number alone, of an instruction none. */
void argdump_probe_untyped(struct argdump_probe *p);
/* $arg1 …: where a function that nobody describes is given them. */
extern const struct expr_param argdump_registers[ARGDUMP_REGISTERS];
void argdump_probe_drop(struct argdump *a); /* the last one */

/* Is it --rung, or is there none? */
bool argdump_rung_asked(const struct session *s, enum probe_rung rung);
/* Neither asked not to, nor known to lack it. */
bool argdump_way_possible(const struct session *s, const struct argdump_probe *p,
			  const struct argdump_way *way);
const char *argdump_rung_name(const struct argdump_probe *p, const struct argdump_way *way);

/* way.c: down the ladder until `try` succeeds, by default for one probe: compile, load, attach.
 * Returns 0, or -errno of the first refusal. */
typedef int argdump_way_try(struct session *s, struct argdump *a, struct argdump_probe *p,
			    const struct argdump_way *way);
int argdump_ways_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		     argdump_way_try *try);
/* Compile and load one, telling what was refused: 0, or -errno with nothing left. */
int argdump_way_load(struct session *s, struct argdump *a, struct argdump_probe *p,
		     const struct argdump_way *way);

#endif
