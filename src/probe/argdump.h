/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * argdump.h - what the files of probe/, count/, inspect/ and front/ share.
 *
 *	probe_spec.c	PROBE text → what it names
 *	request.c	requests → probes
 *	name_choice.c	A|B, A?: which of the names this kernel has
 *	pair.c		two probes that belong together (--until)
 *	within.c	only inside of calls of other functions (--in)
 *	inside.c	@in(EXPR): what their calls keep
 *	window.c	when the recording begins and ends (--begin-if, --stop-if)
 *	stacks.c	stacks that records refer to; stack_names.c user stacks with names
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
#include "probe/providers/function_list.h"
#include "probe/legacy.h"
#include "probe/pair.h"
#include "kernel/arch.h"
#include "probe/probe_spec.h"
#include "probe/stacks.h"
#include "probe/window.h"
#include "probe/within.h"
#include "attach/method_can.h"
#include "attach/prog.h"
#include "run/session.h"
#include "expr/expr.h"
#include "model/model.h"

struct argdump_probe;

/*
 * One variant of an attach order. Only the kernel knows what its verifier accepts: if it refuses a
 * program, the program is compiled again for the next variant.
 */
struct argdump_variant {
	/* --attach and messages name it by what the probe sees of a call: argdump_method_name */
	enum attach_method_id method;
	enum expr_ctx_type context; /* what the program gets as its context */
	bool typed_loads, probe_read;
};
/* A row of an attach order. */
#define ARGDUMP_VARIANT(method_, context_, typed_loads_, probe_read_)                              \
	{                                                                                          \
		.method = ATTACH_##method_, .context = EXPR_CTX_##context_,                        \
		.typed_loads = typed_loads_, .probe_read = probe_read_                             \
	}

/* load_order.c: the attach order of one kernel function. */
enum { ARGDUMP_VARIANTS = 7 };
extern const struct argdump_variant argdump_variants[ARGDUMP_VARIANTS];

/* One PROBE and its expressions. */
struct argdump_request {
	const char *text;		/* PROBE */
	char *chosen;			/* owned: the same without | and ?; NULL: it had none */
	const struct model_text *typed; /* that `text` was when it was added; NULL: nobody's */
	struct probe_spec spec;
	const char *const *exprs;
	size_t expr_count;
	const struct model_probe *given; /* what it is made of; NULL: no user asked for it */
	const char **conditions;	 /* in the model's arena: those of all, then its own */
	size_t condition_count;
	const char *triggers
		[EXPR_TRIGGERS]; /* when the recording begins and ends; NULL: not by its calls */
	uint32_t within;	 /* bits: the sets of --in that are its own or everybody's */
	size_t first_count;	 /* of texts before the exprs: */
	const char **with_first; /* owned: exprs with the caller, or another text, in front … */
	unsigned
		owner; /* the number of `given`, by which measures and keys are its own; of marks: their set */
	bool plain;	     /* an old definition: numbers are numbers */
	bool may_be_missing; /* if nothing is left of A?, the request goes: its text is NULL then */
	bool has_caller;     /* … it is the caller … */
	bool first_alone;    /* … and no other expression was given */
	bool both;	     /* -r behind it, or for all probes */
	struct argdump_pair *pair;  /* it is a side of that; NULL: of none … */
	bool is_end;		    /* … the end: it has the other's expressions */
	struct argdump_legacy *old; /* owned: a definition in the kernel's notation; NULL: none */
	struct function_list functions; /* the functions that patterns or a list name */
	/* another request has the same text: what is left out has been said */
	bool is_again;
	bool is_found; /* no user typed the names: functions that do not fit are left out */
};

struct argdump;

/* A kind of probe. All functions return 0 or -errno unless they say otherwise. */
struct probe_ops {
	/* the cheapest first; tried in the order of argdump_variant_at */
	const struct argdump_variant *variants;
	size_t variant_count;
	/* Finds what the request names, and adds its probes (argdump_probe_add) with name, target
	 * and input.site.func_id set. Returns an exit code, after printing any error. */
	int (*resolve)(struct session *s, struct argdump *a, struct argdump_request *request);
	/* Looks up what one item names; may add its probes. Returns 0 or -errno, prints nothing.
	 * NULL: name_choice.c does it. */
	int (*find)(struct session *s, struct argdump *a, struct argdump_request *request,
		    const struct probe_spec_item *item);
	/* Called before p->expr is compiled for a variant: sets what depends on the variant in
	 * p->input. NULL: nothing does. */
	void (*prepare)(struct argdump_probe *p, const struct argdump_variant *variant);
	/* Describes what p's program is attached to. */
	void (*target)(const struct argdump_probe *p, const struct argdump_variant *variant,
		       struct attach_target *t);
	/* Loads the compiled program: fds go into p->fds.programs. `log` may be NULL. */
	int (*load)(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
		    size_t log_size);
	/* Attaches what was loaded: the fds of the links go into p->fds.links; closing them detaches.
	 * If load and attach are NULL, there is one program, attached to `target`. */
	int (*attach)(struct argdump_probe *p, const struct argdump_variant *variant);
	enum expr_scope scope;
	bool is_instruction; /* not the entry of a function: parameters are nowhere known */
	/* Prints why no variant works. Returns the exit code. */
	int (*explain)(struct session *s, struct argdump_probe *p, int err);
	/* Replaces the attach order of each probe: all probes of a request, which are adjacent,
	 * share one link. Returns an exit code. */
	int (*attach_all)(struct session *s, struct argdump *a, struct argdump_probe *first);
};

extern const struct probe_ops *const probe_kinds_all[PROBE_SPEC_KINDS]; /* providers/kinds.c */
/* The same for what lies below the providers; whoever begins a run sets it. */
extern const struct probe_ops *const *probe_kinds;

/* One function. The address, or the offset from the first byte, is set where the name is ambiguous or the probe is on
 * an instruction. */
struct argdump_symbol {
	const char *name, *module; /* module NULL: none */
	uint64_t address, offset;
	bool is_ambiguous;    /* the kernel does not say whether other functions have this name */
	uint64_t kprobe_addr; /* quicker than a lookup by name; 0: unknown */
};

/* Several functions with one link. */
struct argdump_functions {
	const struct function **items; /* the array is owned, the functions are not */
	size_t count;		       /* 0: no more than one */
	/* this kernel's fentry.multi, fexit.multi or fsession.multi, whichever fits the kind; -1:
	 * none */
	int attach_type;
};

/* What excludes variants of the kind. */
struct argdump_limits {
	/* of a pair: only this one, because the other side of the same event has it; or ATTACH_ANY */
	enum attach_method_id method;
	/* how its own calls are marked (within_match): only methods that have the same frames can tell them */
	enum argdump_frames { FRAMES_ANY, FRAMES_KPROBE, FRAMES_TRAMPOLINE } frames;
	/* takes kernel stacks: from the registers that a kprobe has, the kernel walks no frames of the tracing */
	bool walks_kernel;
	/* one of so many probes that methods which are slow to attach and detach are not tried */
	bool by_kprobe;
	const struct attach_kernel *kernel; /* --dry-run: what trampolines take; NULL: not asked */
};

struct argdump_probe {
	const struct argdump_request *request;
	const struct probe_ops *kind;
	/* owned: the traced function or event, for messages and --dry-run */
	char *name;
	const char *point;	    /* what records and tables call it; NULL: as its name */
	uint32_t number;	    /* the probe number in its records */
	const struct btf_view *btf; /* of input.site.func_id: a module's; NULL: the kernel's */
	struct argdump_symbol symbol;
	struct argdump_functions functions;
	uint32_t first_point; /* of its functions, or its own, in argdump.points */
	bool is_compat;	      /* the entry of a system call for 32-bit programs */
	bool one_of_many;     /* attached one by one: -v sums up what -vv says of each */
	struct argdump_limits limits;
	struct expr_target target; /* what this kernel's types promise; a variant may use less */
	struct expr_input input;   /* for the variant tried last */
	/* the variant tried last */
	struct {
		enum attach_method_id method;
		/* that expr was compiled for; NULL: not compiled yet */
		const struct argdump_variant *variant;
		struct program_image image; /* of expr, during loading */
	} attempt;
	struct expr_program *expr; /* owned; compiled for that variant */
	/* --dry-run, of one of many: what is shown of a program that is not kept */
	struct {
		char *text;	    /* owned; NULL: see expr */
		const char *method; /* by which it would be attached */
		bool has_struct;    /* among its values: for --depth */
	} plan;
	/* the variant that argdump_probe_compile_any chose or, once attached, the one in use */
	const struct argdump_variant *variant;
	struct {
		struct fdset programs, links;
		struct fdset switches; /* program arrays of switches (multi_attach.c) */
	} fds;
	/* a user function's calls under way (lost_calls.c) */
	struct {
		struct fdset map;
		/* its key, from emit_inflight.c; the last that was looked at */
		struct call_key {
			uint64_t sp;
			uint32_t tid, tgid;
		} last;
	} calls;
	void *source; /* owned by the kind; NULL: nothing */
	void (*source_free)(void *source);
	struct schema schema;
};

/* A compiler other than that of expressions. */
struct argdump_language {
	/* Compiles p->expr for p->input; as expr_compile. */
	int (*compile)(struct session *s, struct argdump *a, struct argdump_probe *p,
		       struct expr_error *error);
	void (*report)(struct session *s, const struct expr_error *error);
	/* The kernel lacks what the request asks for, which has been reported: may add a hint. */
	void (*absent)(struct session *s, const struct argdump_request *request);
	/* What follows is about this request: its place in the text is that of errors (log_place). NULL: about none. */
	void (*place)(struct session *s, const struct argdump_request *request);
};

/* Looks instead of tracing. */
struct argdump_look {
	bool list;	    /* --list */
	const char *type;   /* --type; NULL: none */
	const char *recipe; /* to be printed; NULL: none */
	int dump_stage;	    /* enum expr_stage + 1; 0: none */
};

/* Files of probes. */
struct argdump_files {
	const char *save, *load; /* NULL: none */
	const char *name;	 /* with `save`: the recipe's */
	const char *pcap;	 /* packets are written to it */
};

/* What comes before the expressions of each probe. */
struct argdump_front {
	bool caller;	   /* show who called */
	const char *entry; /* an expression; NULL: none … */
	const char *leave; /* … and that of returns */
};

/* --diff: how calls changed what EXPRs show. */
struct argdump_diff {
	struct option_list given;
	const char *texts[OPTION_LIST_MAX]; /* of `given` */
	uint64_t unchanged;		    /* calls hidden because there was no change */
};

/* The two sides of --until. */
struct argdump_pairs {
	struct argdump_pair *list; /* owned */
	size_t count;
	uint64_t older; /* of --open, in ns */
};

/* How records are shown. */
struct argdump_rows {
	const char *columns;	       /* NULL: as the records have them */
	struct field *fields;	       /* owned: of `columns` */
	struct line **lines;	       /* owned: of --print, by probe number */
	const struct schema **schemas; /* owned: the schema of each record, by probe number */
};

struct argdump {
	const struct argdump_language *language; /* NULL: expressions */
	struct model model;			 /* what is to be traced */
	/* Settings of all programs; depth, zeros and string_max are options. */
	struct expr_run run;
	struct expr_memo memo; /* of the run */
	struct argdump_look look;
	struct argdump_files files;
	struct argdump_front front;
	bool both;		      /* entry and return of a call in one record, of all probes */
	struct argdump_within within; /* --in, $depth */
	struct argdump_window window; /* --begin-if, --stop-if, --before */
	struct argdump_diff diff;
	unsigned max_probes;	    /* functions to trace at once, at most */
	struct aggregate aggregate; /* what is counted */
	bool saw_calls;		    /* a table had a row */

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

/* It marks calls for another one (within.h). */
static inline bool argdump_marks(const struct argdump *a)
{
	return a->within.of != NULL;
}

/* request.c. The texts must outlive the request. All requests are added before the first probe. -EINVAL has been
 * printed. */
int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count);
/* Prints the caret of an error in bytes [start, end) of r->text. */
static inline void argdump_request_caret(const struct argdump_request *r, size_t start, size_t end)
{
	bool is_typed = r->typed && r->text == r->typed->text;

	model_caret(is_typed ? r->typed : NULL, r->text, start, end);
}
/* Ends the model, and adds the requests for its probes. Returns 0 or -errno, after printing any error. */
int argdump_requests_build(struct argdump *a);
/* True if every request only clears ("-:NAME"), so that nothing is left to trace. */
bool argdump_requests_clear(const struct argdump *a);
/* -r behind its PROBE. */
bool argdump_request_has_return(const struct argdump_request *r);
/* Translates a request in another notation (r->old). Returns an exit code, after printing any
 * error. */
int argdump_request_translate(struct session *s, struct argdump_request *r);
/* Checks `count` functions against --max-probes. Returns an exit code, after printing any error. */
int argdump_points_allow(const struct session *s, const struct argdump *a, size_t count);
/* The number of probes from `first` on that share its request and its link (attach_type). */
size_t argdump_request_probes(const struct argdump *a, const struct argdump_probe *first);
/* Makes and numbers the probes of all requests. Returns an exit code, after printing any error. */
int argdump_requests_resolve(struct session *s, struct argdump *a);
/* attach_all.c: attaches all probes, and takes their schemas. Returns an exit code, after printing
 * any error. */
int argdump_probes_attach(struct session *s, struct argdump *a);
/* Says why `p` could not be loaded or attached: an error in an expression comes before missing
 * privileges. Returns the exit code. */
int argdump_failure_report(struct session *s, struct argdump *a, struct argdump_probe *p, int err);
/* tracer.c: frees all that it owns. */
void argdump_free(struct argdump *a);
/* … and the applet's hooks. */
extern const struct tracer_ops argdump_tracer;
/* Parts of these hooks, for other tracers whose session.private begins with a struct argdump. */
/* Opens the maps of the run. Returns 0 or -errno. */
int argdump_maps_open(struct session *s, struct argdump *a);
void argdump_online(struct session *s);
void argdump_look(struct session *s);
void argdump_detach(struct session *s);

/* post_attach.c: the hook for slow work after everything is attached. */
void argdump_post_attach(struct session *s);

/* probe.c. argdump_probe_add: a probe with only its request, kind and name; NULL: no memory. The
 * pointer is valid until the next probe is added. */
struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name);
/* Compiles p->expr for a variant. Returns what expr_compile returns. */
int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_variant *variant, struct expr_error *error);
/* Tells the language of whom what follows is, if there is one; request NULL: of none. */
static inline void argdump_place(struct session *s, const struct argdump *a,
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
void argdump_probe_close(struct argdump_probe *p);
/* Without input.site.func_id, parameters are known by number only, and those of an instruction not at
 * all. */
void argdump_probe_untyped(struct argdump_probe *p);
/* Sets $arg1 …: the registers that pass arguments, for a function without known types; `inside` of one, none. */
void argdump_registers_set(struct expr_site *site, bool inside);
void argdump_probe_drop(struct argdump *a); /* removes the last probe */
/* True if one of the probe's values is a struct. */
bool argdump_has_struct(const struct argdump_probe *p);
/* Once all are compiled: warns if --depth has nothing to follow pointers from. */
void argdump_depth_check(const struct argdump *a);

/* True if --attach gives this method or none. */
bool argdump_method_asked(const struct options *o, enum attach_method_id method);
/* For calls: true if the entry has nothing to record, so that one program at the return is
 * enough. */
bool argdump_is_return_alone(const struct argdump_probe *p);
const char *argdump_method_name(const struct argdump_probe *p,
				const struct argdump_variant *variant);

/* load_order.c: the n-th variant of p's attach order on this kernel, without those that the options
 * exclude or the kernel is known to lack. NULL: there are not so many. */
const struct argdump_variant *argdump_variant_at(const struct options *o,
						 const struct btf_view *kernel,
						 const struct argdump_probe *p, size_t n);
/* For doctor (applet.h). */
int argdump_methods(const struct btf_view *btf, enum attach_method_id methods[ATTACH_END + 1]);
/* For tracer_ops.loaded: each probe with its attach method. */
void argdump_loaded(struct session *s);
/* Calls `try` for each variant of the attach order until it succeeds; the default compiles, loads
 * and attaches one probe. Returns 0, or -errno of the first refusal. */
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
