/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * argdump.h - what the files of probe/, count/, inspect/ and front/ share.
 *
 *	probe_spec.c	PROBE text → what it names
 *	request_build.c	the model → requests
 *	request.c	requests → probes
 *	name_choice.c	A|B, A?: which of the names this kernel has
 *	pair.c		two probes that belong together (--until)
 *	within.c	only inside of calls of other functions (--in)
 *	inside.c	@in(EXPR): what their calls keep
 *	window.c	when the recording begins and ends (--begin-if, --stop-if)
 *	stacks.c	stacks that records refer to; stack_names.c user stacks with names
 *	joint.c		which probes share a link
 *	probe.c		one probe: its program, compiled for a variant
 *	load_order.c	the attach order: variants from the cheapest to one that works everywhere
 *	attach_all.c	all probes of a run, in order
 *	post_attach.c	what is found out after everything is attached
 *	providers/	the kinds of probes: how each is found in this kernel, loaded and attached;
 *			multi*.c: many functions with one link
 *
 * A request is one PROBE with its expressions as typed. It becomes one or more probes; each probe
 * is the result of one compilation and has one schema.
 */
#ifndef CORETAP_PROBE_ARGDUMP_H
#define CORETAP_PROBE_ARGDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "count/aggregate.h"
#include "program/program_load.h"
#include "probe/kind.h"
#include "probe/pair.h"
#include "probe/request.h"
#include "probe/stacks.h"
#include "probe/window.h"
#include "probe/within.h"
#include "attach/prog.h"
#include "run/session.h"
#include "expr/expr.h"
#include "model/model.h"

/* One function. The address, or the offset from the first byte, is set if the name is ambiguous or the probe is on an
 * instruction. */
struct argdump_symbol {
	const char *name, *module; /* module NULL: the kernel proper */
	uint64_t address, offset;
	bool is_ambiguous;    /* the kernel does not tell whether other functions have this name */
	uint64_t kprobe_addr; /* faster than a lookup by name; 0: unknown */
};

/* Several functions with one link. */
struct argdump_functions {
	const struct function **items; /* the array is owned, the functions are not */
	size_t count;		       /* 0: a single function */
	/* this kernel's fentry.multi, fexit.multi or fsession.multi, depending on the kind; -1: none */
	int attach_type;
};

/* Features that exclude variants of the kind. */
struct argdump_limits {
	/* the only method allowed, because the other side of the same event uses it; or ATTACH_ANY */
	enum attach_method_id method;
	/* how its own calls are marked (within_match): only methods with the same frames can recognize them */
	enum argdump_frames { FRAMES_ANY, FRAMES_KPROBE, FRAMES_TRAMPOLINE } frames;
	/* captures kernel stacks: starting from a kprobe's registers, the kernel walks no frames of the tracing */
	bool walks_kernel;
	/* one of so many probes that methods which are slow to attach and detach are not tried */
	bool by_kprobe;
	/* probes with the same number share a link (joint_attach), in which a function is once; 0: its own */
	unsigned joint;
	/* --dry-run: what trampolines of that kernel support; NULL: ask the running kernel */
	const struct attach_kernel *kernel;
};

struct argdump_probe {
	const struct argdump_request *request;
	const struct probe_ops *kind;
	/* owned: the traced function or event, for messages and --dry-run */
	char *name;
	const char *point; /* its name in records and tables; NULL: the same as `name` */
	uint32_t number;   /* its probe number in records */
	/* types that input.site.func_id belongs to: a module's; NULL: the kernel's */
	const struct btf_view *btf;
	struct argdump_symbol symbol;
	struct argdump_functions functions;
	uint32_t first_point; /* index in argdump.points of its first function, or of itself */
	bool is_compat;	      /* the entry of a system call for 32-bit programs */
	bool is_spared;	      /* it could not be attached, and the run goes on without it */
	bool one_of_many;     /* attached one by one: -v prints a summary, -vv a line for each */
	struct argdump_limits limits;
	struct expr_target target; /* what this kernel's types promise; a variant may use less */
	struct expr_input input;   /* for the variant tried last */
	/* the variant tried last */
	struct {
		enum attach_method_id method;
		/* the variant that expr was compiled for; NULL: not compiled yet */
		const struct argdump_variant *variant;
		struct program_image image; /* of expr, during loading */
	} attempt;
	struct expr_program *expr; /* owned; compiled for that variant */
	/* --dry-run with many functions: what is shown of a program that was freed */
	struct {
		char *text;	    /* owned; NULL: use expr */
		const char *method; /* the method by which it would be attached */
		bool has_struct;    /* one of its values is a struct: for --depth */
	} plan;
	/* the variant that argdump_probe_compile_any chose or, once attached, the one in use */
	const struct argdump_variant *variant;
	struct {
		struct fdset programs, links;
		struct fdset switches; /* program arrays of switch programs (multi_attach.c) */
	} fds;
	/* a user function's calls in progress (lost_calls.c) */
	struct {
		struct fdset map;
		/* its key, as in emit_inflight.c; the last one that was checked */
		struct call_key {
			uint64_t sp;
			uint32_t tid, tgid;
		} last;
	} calls;
	void *source; /* owned by the kind; may be NULL */
	void (*source_free)(void *source);
	struct schema schema;
};

/* A compiler other than that of expressions. */
struct argdump_language {
	/* Compiles p->expr for p->input, as expr_compile does. */
	int (*compile)(struct session *s, struct argdump *a, struct argdump_probe *p,
		       struct expr_error *error);
	void (*report)(struct session *s, const struct expr_error *error);
	/* Called after an error that the kernel lacks what the request asks for: may add a hint. */
	void (*absent)(struct session *s, const struct argdump_request *request);
	/* Errors from here on are about this request, at its place in the text (log_place). NULL: about none. */
	void (*place)(struct session *s, const struct argdump_request *request);
	/* True if the run goes on where this request cannot be attached: errors are warnings from here on. NULL: ends
	 * that. */
	bool (*spares)(struct session *s, const struct argdump_request *request);
	/* True if what the request runs captures kernel stacks. */
	bool (*walks)(const struct session *s, const struct argdump_request *request);
};

/* Questions to answer instead of tracing. */
struct argdump_look {
	bool list;	    /* --list */
	const char *type;   /* --type; NULL: none */
	const char *recipe; /* a recipe to print; NULL: none */
	int dump_stage;	    /* enum expr_stage + 1; 0: none */
};

/* Files of probes to write and read. */
struct argdump_files {
	const char *save, *load; /* NULL: none */
	const char *name;	 /* with `save`: the name of the recipe to write */
	const char *pcap;	 /* where to write packets */
	const char *vmlinux;	 /* the kernel's debug information; NULL: where packages have it */
};

/* Texts before the expressions of each probe. */
struct argdump_front {
	bool caller;	   /* show the caller */
	const char *entry; /* an expression for entries; NULL: none */
	const char *leave; /* an expression for returns; NULL: none */
};

/* --diff: how calls changed the values of EXPRs. */
struct argdump_diff {
	struct option_list given;
	const char *texts[OPTION_LIST_MAX]; /* in the order given */
	/* number of calls that are not shown because nothing changed */
	uint64_t unchanged;
};

/* The pairs of --until. */
struct argdump_pairs {
	struct argdump_pair *list; /* owned */
	size_t count;
	uint64_t older;	    /* the least age for --open, in ns */
	bool calls_unknown; /* at the end only what is still open shows that there were any */
};

/* How records are shown. */
struct argdump_rows {
	const char *columns;	       /* NULL: all values of the records */
	struct field *fields;	       /* owned: the fields of `columns` */
	struct line **lines;	       /* owned: the lines of --print, by probe number */
	const struct schema **schemas; /* owned: the schema of each record, by probe number */
};

struct argdump {
	const struct argdump_language *language; /* NULL: expressions */
	struct model model;			 /* what is to be traced */
	/* Settings common to all programs; depth, zeros and string_max come from options. */
	struct expr_run run;
	struct expr_memo memo; /* cached results for the whole run */
	struct argdump_look look;
	struct argdump_files files;
	struct argdump_front front;
	/* entry and return of a call in one record, for all probes */
	bool both;
	struct argdump_within within; /* --in, $depth */
	struct argdump_window window; /* --begin-if, --stop-if, --before */
	struct argdump_diff diff;
	unsigned max_probes;	    /* the most functions to trace at once */
	struct aggregate aggregate; /* what is counted */
	bool saw_calls;		    /* a table had a row, or a call may have begun */

	struct argdump_request *requests; /* owned */
	size_t request_count;
	struct argdump_pairs pairs;
	struct argdump_probe *probes; /* owned */
	size_t probe_count;
	struct argdump_rows rows;
	struct field_name *points;   /* owned: names of all functions, for run.points */
	struct btf_modules *modules; /* owned; NULL: not needed */
	struct program_maps maps;
	struct argdump_stacks stacks;
	struct {
		bool is_known; /* only for --dry-run */
		struct attach_kernel has;
	} kernel;
};

/* True if this struct argdump marks calls for another one (within.h). */
static inline bool argdump_marks(const struct argdump *a)
{
	return a->within.of != NULL;
}

/* request_build.c: adds a request. The texts must outlive it. All requests are added before the first probe. Prints an
 * error that it returns as -EINVAL. */
int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count);
/* Ends the model, and adds a request for each of its probes. Returns 0 or -errno after printing any error. */
int argdump_requests_build(struct argdump *a);
/* True if every request only clears ("-:NAME"), so that nothing is left to trace. */
bool argdump_requests_clear(const struct argdump *a);
/* True if -r follows its PROBE. */
bool argdump_request_has_return(const struct argdump_request *r);
/* request_build.c: translates a request in the kernel's notation (r->old). Returns an exit code after printing any error. */
int argdump_request_translate(struct session *s, struct argdump_request *r);
/* Checks `count` functions against --max-probes. Returns an exit code after printing any error. */
int argdump_points_allow(const struct session *s, const struct argdump *a, size_t count);
/* joint.c: decides which probes have one link together (limits.joint). */
void joint_choose(const struct session *s, struct argdump *a);
/* multi_attach.c: attaches them; of a link that fails, none is joint any more. */
void joint_attach(struct session *s, struct argdump *a);
/* Returns the number of probes from `first` on that share its request and its link (attach_type). */
size_t argdump_request_probes(const struct argdump *a, const struct argdump_probe *first);
/* Creates and numbers the probes of all requests. Returns an exit code after printing any error. */
int argdump_requests_resolve(struct session *s, struct argdump *a);
/* attach_all.c: attaches all probes, and sets the schemas of their records. Returns an exit code after printing any
 * error. */
int argdump_probes_attach(struct session *s, struct argdump *a);
/* Sets the schemas of the records of all compiled probes, and applies --columns. Returns an exit code as above. */
int argdump_rows_prepare(struct session *s, struct argdump *a);
/* Prints why `p` could not be loaded or attached: an error in an expression is reported before missing privileges.
 * Returns the exit code. */
int argdump_failure_report(struct session *s, struct argdump *a, struct argdump_probe *p, int err);
/* tracer.c: frees all that it owns. */
void argdump_free(struct argdump *a);
/* tracer.c: the hooks of the applet. */
extern const struct tracer_ops argdump_tracer;
/* Parts of these hooks, for other tracers whose session.private begins with a struct argdump. */
/* Opens the maps of the run. Returns 0 or -errno. */
int argdump_maps_open(struct session *s, struct argdump *a);
void argdump_online(struct session *s);
void argdump_look(struct session *s);
void argdump_detach(struct session *s);

/* post_attach.c: the hook for slow work after everything is attached. */
void argdump_post_attach(struct session *s);

/* probe.c: adds a probe with only its request, kind and name. Returns NULL if out of memory. The pointer is valid
 * until the next probe is added. */
struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name);
/* Compiles p->expr for a variant. Returns what expr_compile returns. */
int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_variant *variant, struct expr_error *error);
/* Tells the language, if any, which request later errors are about; NULL: none. */
static inline void argdump_error_place_set(struct session *s, const struct argdump *a,
					   const struct argdump_request *request)
{
	if (a->language)
		a->language->place(s, request);
}
/* Compiles for the best variant that can do it (p->variant). An error here is the user's mistake. */
int argdump_probe_compile_any(struct session *s, struct argdump *a, struct argdump_probe *p,
			      struct expr_error *error);
/* The same, and prints the error. */
int argdump_probe_compile_or_report(struct session *s, struct argdump *a, struct argdump_probe *p);
void argdump_probe_error_report(const struct argdump *a, const struct argdump_probe *p,
				const struct expr_error *e);
/* Closes its links and programs: it can be attached again. */
void argdump_probe_detach(struct argdump_probe *p);
void argdump_probe_close(struct argdump_probe *p);
/* If input.site.func_id is not set, parameters are known by number only, and those of an instruction not at all. */
void argdump_probe_untyped(struct argdump_probe *p);
/* Sets $arg1 …: the registers that pass arguments, for a function without known types; `inside` a function there are
 * none. */
void argdump_registers_set(struct expr_site *site, bool inside);
void argdump_probe_drop(struct argdump *a); /* removes the last probe */
/* True if one of the probe's values is a struct. */
bool argdump_has_struct(const struct argdump_probe *p);
/* Called when all are compiled: warns if --depth has no struct to follow pointers from. */
void argdump_depth_check(const struct argdump *a);

/* True if --attach names this method, or is not given. */
bool argdump_method_asked(const struct options *o, enum attach_method_id method);
/* True if the probe is attached as a kretprobe, whose calls in progress are kept in a stack of limited size. */
bool argdump_is_kretprobe(const struct argdump_probe *p);
/* For calls: true if the entry has nothing to record, so that one program at the return suffices. */
bool argdump_is_return_alone(const struct argdump_probe *p);
const char *argdump_method_name(const struct argdump_probe *p,
				const struct argdump_variant *variant);

/* load_order.c: returns the n-th variant of p's attach order on this kernel, skipping those that the options exclude
 * or the kernel is known to lack. NULL: no more. */
const struct argdump_variant *argdump_variant_at(const struct options *o,
						 const struct btf_view *kernel,
						 const struct argdump_probe *p, size_t n);
/* For doctor: see applet.h. */
int argdump_methods(const struct btf_view *btf, enum attach_method_id methods[ATTACH_END + 1]);
/* For tracer_ops.loaded: prints each probe with its attach method. */
void argdump_loaded(struct session *s);
/* Calls `try` for each variant of the attach order until it succeeds; the default compiles, loads and attaches one
 * probe. Returns 0, or -errno of the first refusal. */
typedef int argdump_variant_try(struct session *s, struct argdump *a, struct argdump_probe *p,
				const struct argdump_variant *variant);
int argdump_variants_try(struct session *s, struct argdump *a, struct argdump_probe *p,
			 argdump_variant_try *try);
/* Compiles and loads one variant, and logs a refusal. Returns 0, or -errno with nothing left
 * loaded. */
int argdump_variant_load(struct session *s, struct argdump *a, struct argdump_probe *p,
			 const struct argdump_variant *variant);

/* True if argdump itself runs, not a recipe or another tool that uses it. */
static inline bool argdump_is_run(const struct session *s)
{
	return !strcmp(s->applet->name, "argdump");
}

#endif
