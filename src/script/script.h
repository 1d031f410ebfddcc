/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script.h - compiles programs in bpftrace's language: text in, BPF programs, maps and a list of actions out.
 *
 *  *	syntax/		text → struct script: probes, statements, expressions
 *  *	resolve/	types of everything, maps and actions, in a kernel's types
 *  *	emit/		BPF instructions of one probe at one place
 *  *	script.c	the table of contents
 *
 * Like the compiler of expressions (expr/), this does no I/O and makes no system call. It compiles one probe at one
 * place at a time. Data that the places share (maps, actions, texts) is in struct script and only grows. Actions are
 * decoded by front/bt.
 */
#ifndef CORETAP_SCRIPT_SCRIPT_H
#define CORETAP_SCRIPT_SCRIPT_H

#include <stddef.h>

#include "expr/arena.h"
#include "expr/expr.h"
#include "script/ast.h"

/* An error and its place in the text. */
struct script_error {
	struct span span; /* empty: the error has no location */
	bool is_later;	  /* valid in the language, but not supported by this compiler yet */
	char message[256];
	char hint[400]; /* the remedy; may be empty */
};

/* A file that the program imports. */
struct script_import {
	const char *path; /* as typed */
	const char *from; /* `name` of the file that imports it; NULL: the program */
	enum {
		SCRIPT_IMPORT,	       /* import "…": a file, or a folder */
		SCRIPT_INCLUDE,	       /* #include "…" */
		SCRIPT_INCLUDE_SYSTEM, /* #include <…>, --include: skipped if the file is missing */
	} kind;
	/* ---- result ---- */
	const char *name; /* of the file found; NULL: same as `path` */
	const char *why;  /* the reason why it cannot be read; NULL: it does not exist */
};

/* Input from the user who runs the program. */
struct script_args {
	const char *const *words; /* $1 … */
	size_t count;
	/* --name=value for getopt(); value NULL: no =. */
	struct script_option {
		const char *name, *value;
		bool is_used; /* set by resolve */
	} * options;
	size_t option_count;
	bool has_times; /* the first column of each emit() is `time` */
	/* frames of the last columns, kernel_stack and user_stack; 0: no such column */
	uint32_t kernel_frames, user_frames;
	/* Reads an imported file. Returns text that outlives the script, or NULL. */
	const char *(*import)(void *ctx, struct script_import *i);
	void *import_ctx;
	const char *const *includes; /* --include: files read before the program */
	size_t include_count;
};

enum {
	SCRIPT_UNSTABLE_TSERIES,
	SCRIPT_UNSTABLE_TYPEINFO,
	SCRIPT_UNSTABLE_DW_USTACK,
	SCRIPT_SETTINGS = 27,
};

/* Settings from config = { … } or environment variables. Defaults: script_config_default. */
struct script_config {
	uint32_t max_map_keys, max_strlen, max_cat_bytes, max_probes;
	enum script_stack_mode stack_mode;
	enum { SCRIPT_MISSING_ERROR, SCRIPT_MISSING_WARN, SCRIPT_MISSING_IGNORE } missing_probes;
	bool print_maps_on_exit;
	const char *str_trunc_trailer;
	const char *license;
	const char *
		time_map; /* map without keys whose number is the time of tseries(); NULL: a clock */
	/* as given; NULL: the default, see script_setting_find */
	const char *others[SCRIPT_SETTINGS];
};
/* A setting that changes nothing here. */
struct script_setting {
	const char *name;
	enum {
		SCRIPT_SETTING_TEXT,
		SCRIPT_SETTING_NUMBER,
		SCRIPT_SETTING_BOOL,
		SCRIPT_SETTING_UNSTABLE,
		SCRIPT_SETTING_ENVIRONMENT, /* only there: BPFTRACE_NAME */
	} kind;
	const char *value; /* the default; NULL: no program reads it */
};
/* Finds a setting by its name in any case; returns NULL if there is none. */
const struct script_setting *script_setting_find(const struct script_config *c, const char *name,
						 const char **value);
/* True unless cpp_demangle is false. */
bool script_config_demangles(const struct script_config *c);
/* True if SCRIPT_UNSTABLE_… is `error`. */
bool script_is_forbidden(const struct script_config *c, unsigned setting);
void script_config_default(struct script_config *c);
/* Sets a setting. `name` may be spelled max_strlen, MAX_STRLEN or BPFTRACE_MAX_STRLEN. Returns NULL, or the text of
 * an error (static). Names of bpftrace's that change nothing here are accepted. */
const char *script_config_set(struct script_config *c, const char *name, const char *value);
extern const char script_config_unknown[]; /* the error for an unknown name */

struct script {
	struct arena arena;
	const char *text; /* not owned */
	struct script_args args;
	struct script_config config;
	struct script_probe *probes;
	size_t probe_count;
	struct script_cdef *types; /* the program's own, in order */
	/* ---- filled by resolve; each only grows ---- */
	struct script_map **maps;
	size_t map_count, map_room;
	struct script_action **actions;
	size_t action_count, action_room;
	const char **texts; /* [0] is "" */
	size_t text_count, text_room;
	const struct script_expansion *expansions;
	bool filters_itself; /* the program contains the word `traced` */
	/* Split BTF of `types` on top of a view, built on first use (resolve/cdefs.c); owned. */
	struct script_views *views;
};

/* Parses a program. Returns 0 and sets *out, -EINVAL with *error filled, or -ENOMEM. `text` and `args` must outlive
 * the script. */
int script_parse(const char *text, const struct script_args *args, struct script **out,
		 struct script_error *error);
void script_free(struct script *s);

/* One place where a probe is attached. */
struct script_point {
	const struct script_probe *probe;
	const struct script_attach *attach;
	/* Types, parameters, method and place, as for an expression (expr.h): btf, site, scope, target, point,
	 * run.siblings, probe_number. Texts and conditions are empty. */
	const struct expr_input *in;
	/* Full names of the points where the program may run, for `probe` and `func`: in->point.first is the index of
	 * the first, in->point.count their number. */
	const struct script_names *names;
};
struct script_names {
	const struct script_name {
		const char *probe; /* "kprobe:vfs_read" */
		const char *func;  /* "vfs_read"; "" if the point is not a function */
	} * all;
	size_t count;
};

/* Facts known when the program is compiled. A NULL function: fact unknown. */
struct script_world {
	void *ctx;
	uint64_t (*kernel_symbol)(void *ctx, const char *name); /* kaddr(); 0: unknown */
	/* Returns 0 or -errno; -EADDRNOTAVAIL: the file has no fixed load address. */
	int (*user_symbol)(void *ctx, const char *file, const char *name, uint64_t *address,
			   uint64_t *size);
	/* returns the id or -errno; -EXDEV: not in a cgroup file system */
	int64_t (*cgroup_id)(void *ctx, const char *path);
	/* in programs of that kind */
	bool (*kfunc_allowed)(void *ctx, enum script_probe_kind kind, const char *name);
	script_syscall_fn *syscall_name;
	uint32_t cpus;
	uint32_t child; /* cpid; 0: none */
	/* From the clock of nsecs to real time, in ns, at the start of the run: gives tseries() round times. When the
	 * clock is set later, its numbers go on as they are, and output converts them. */
	uint64_t real_offset;
	uint64_t tai_offset;   /* the same to atomic time, for nsecs(sw_tai) */
	uint64_t boot_time;    /* for `elapsed`: CLOCK_BOOTTIME in ns at the start of the run */
	bool has_unsafe;       /* --unsafe */
	bool reports_failures; /* -k */
	/* Helpers of this kernel that 5.10 lacks; detected by trial. */
	bool has_boot_clock, has_tai_clock, has_for_each, has_loop;
	bool has_lookup_per_cpu; /* bpf_map_lookup_percpu_elem */
	uint32_t key_most;	 /* largest key of a map, in bytes; 0: no limit */
};

/*
 * Infers the types of all maps and variables at all points, until nothing changes. Returns 0, -EINVAL with *error
 * filled, or -ENOMEM.
 */
int script_infer(struct script *s, const struct script_world *w, const struct script_point *points,
		 size_t count, struct script_error *error);
/*
 * Compiles one probe for one point, after script_infer. *out is like the result of expr_compile: instructions, maps
 * and relocations; it has no schema. The script's maps are of kind EXPR_MAP_SCRIPT (relocs.h), with the map's index.
 * Returns 0, -EINVAL, -EOPNOTSUPP with *error filled (another variant may work), or -ENOMEM.
 */
int script_compile(struct script *s, const struct script_world *w, const struct script_point *point,
		   struct expr_program **out, struct script_error *error);

/* The same before script_infer, to see if the probe fits the point: a map that only other probes assign has the type that
 * they would give it at this point. */
int script_try(struct script *s, const struct script_world *w, const struct script_point *point,
	       struct expr_program **out, struct script_error *error);

/* Returns the types of a view with the program's own on top, as its images refer to them. NULL: out of memory. */
const struct btf_view *script_types(struct script *s, const struct btf_view *base);

/* Prints the tree, one node a line, for tests; with types, if they are known. */
void script_dump(const struct script *s, bool with_types, struct buf *o);

#endif
