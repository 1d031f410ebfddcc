/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - option tables: the common options and an applet's own, both parsed by argp.
 *
 * An option is a row: its name, letter, argument, how the argument is parsed and where the value
 * goes. A letter has the same meaning in the whole suite.
 */
#ifndef CORETAP_CLI_OPTIONS_H
#define CORETAP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "output/field/record.h"
#include "output/field/timestamp.h"
#include "util/glob.h"

struct applet;
struct session;
/* Offers words (completion_word), or only those that begin with `begin` if there are many. */
struct completion;
typedef void completion_fn(struct completion *c, const char *begin);

/* How an argument is parsed, and the type that option_spec.value points to. */
enum option_type {
	OPTION_FLAG,	/* bool, set to true */
	OPTION_COUNT,	/* int, incremented each time */
	OPTION_UINT,	/* uint32_t, decimal, not 0 */
	OPTION_IDS,	/* struct event_ids: 1,2,3, none of them 0; each use adds */
	OPTION_USERS,	/* struct event_ids: numbers, also 0, or names of /etc/passwd; each adds */
	OPTION_NAMES,	/* struct option_names: patterns of names; each use adds */
	OPTION_STRING,	/* const char * into argv */
	OPTION_SECONDS, /* uint64_t ns: 5, 0.5, 2m, 1h */
	OPTION_SIZE,	/* uint64_t bytes, a power of two: 64K, 8M */
	OPTION_BYTES,	/* uint64_t bytes, any number: 4096, 8K */
	OPTION_TIME,	/* enum timestamp_form; the argument may be left out */
	OPTION_CHOICE,	/* int: index of the argument in `choices` */
	OPTION_LIST,	/* struct option_list: each use adds one; several options may share it */
};

/* Patterns inside of argv, which end at a comma or a NUL. */
enum { OPTION_NAMES_MAX = 32 };
struct option_names {
	const char *items[OPTION_NAMES_MAX];
	size_t lengths[OPTION_NAMES_MAX];
	size_t count;
	glob_table *table; /* compiled by options_parse; NULL: a single name without a pattern */
};

/* Which applets have an option: an applet lists the groups that make sense for it. */
enum option_group {
	OPTION_GROUP_BASIC = 1 << 0,	/* -q -v: all */
	OPTION_GROUP_TRACE = 1 << 1,	/* -d -o -T …: applets that trace */
	OPTION_GROUP_TASK = 1 << 2,	/* -p -t -u -c --cgroup -f -- CMD */
	OPTION_GROUP_FAILED = 1 << 3,	/* -x */
	OPTION_GROUP_JSON = 1 << 4,	/* -j only */
	OPTION_GROUP_BTF = 1 << 5,	/* --btf */
	OPTION_GROUP_EXTENDED = 1 << 6, /* --extended --columns: of a table of the applet's own */
	OPTION_GROUP_STACK = 1 << 7,	/* -k -U --stack-depth --folded --ftrace */
	OPTION_GROUP_AGGREGATE =
		1 << 8, /* --top --interval --clear --svg --heatmap: applets with a `report` */
	/* -n --buffer --trace-json: applets that print records as they come */
	OPTION_GROUP_RECORDS = 1 << 9,
	OPTION_GROUP_RING = 1 << 10,  /* --ring --rotate: applets whose records stand alone */
	OPTION_GROUP_UNTIL = 1 << 11, /* --until: applets with a schema of their own */
	OPTION_GROUP_MOUNTS =
		1 << 12, /* --mntnsmap: applets in C, whose programs have the filter */
	OPTION_GROUP_PROBES = 1 << 13, /* --attach …: applets that attach programs */

	/* what every applet that traces tasks has */
	OPTION_GROUPS_TRACER = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_PROBES |
			       OPTION_GROUP_TASK | OPTION_GROUP_JSON | OPTION_GROUP_BTF,
};

/* The heading of an option in help and man page. */
enum option_section {
	SECTION_AUTO, /* an applet's own: SECTION_OWN; a common option: the section of its group */
	SECTION_OWN,
	SECTION_CALLS,
	SECTION_SHOW,
	SECTION_COUNT,
	SECTION_STACKS,
	SECTION_FILTERS,
	SECTION_OUTPUT,
	SECTION_LIMITS,
	SECTION_ATTACH,
	SECTION_LOOK,
};

/* When the page of --help has a line for it; otherwise it is only named. */
enum option_rank { RANK_ALWAYS, RANK_ROOM /* if all options of this rank fit */, RANK_NEVER };

enum { OPTION_LIST_MAX = 32 };
struct option_list {
	struct option_item {
		const struct option_spec *spec;
		const char *text; /* points into argv; NULL: an option without an argument */
	} items[OPTION_LIST_MAX];
	size_t count;
};

struct option_spec {
	const char *name;    /* long name */
	char letter;	     /* 0: none */
	bool letter_is_bare; /* its argument may follow only the long name (applet.line) */
	/* The option that replaces this letter before a number (applet.line); or NULL. */
	const char *with_number;
	const char *alias; /* a second long name that --help does not show, or NULL */
	enum option_type type;
	const char *arg; /* name of the argument in the help */
	const char *help;
	void *value;		    /* where it is stored, for an applet's own options */
	size_t offset;		    /* where it is stored in struct options, for the common ones */
	unsigned group;		    /* common ones: enum option_group */
	const char *const *choices; /* OPTION_CHOICE, end with NULL */
	bool is_saved;		    /* argdump --save writes it */
	bool not_in_files; /* only on the command line: it sets what is done with the probes */
	/* OPTION_LIST: the argument is optional; it is the text after =, or the next word (applet.word) */
	bool may_be_bare;
	/* OPTION_LIST: receives each argument instead of `value`, in the order of the command line. Returns NULL, or
	 * the text of an error. */
	const char *(*add)(const struct option_spec *spec, const char *arg);
	unsigned setting; /* for `add` */
	const char *bare; /* the argument is optional; this is its default */
	/* Text for --help, one line; NULL: as much of `help` as fits. */
	const char *brief;
	enum option_rank rank;
	enum option_section section;
	/* Offers the words that may be its argument, for the shell; NULL: by type and `arg`. */
	completion_fn *complete;
};

/* An option of another tool that has another form here: refused, with a hint. */
struct option_habit {
	char letter;	  /* not a letter of our own options; 0: none */
	const char *name; /* long name; NULL: none */
	const char *hint;
	const char *arg; /* name of its argument; NULL: no argument */
	bool is_taken;	 /* it has no effect here: accepted with a note; else it is refused */
};

enum { RECORDER_MAX = 1000000 }; /* records that --ring and --before keep */

/* Recipes have an option of this name too: for them it is a condition of their probes. */
#define OPTION_MNTNSMAP_HELP                                                                        \
	"trace only tasks in the mount namespaces whose numbers are the keys of a pinned BPF map, " \
	"as it is at the start: /sys/fs/bpf/NAME"

/* The values of the common options, grouped by subject. */

/* Which tasks' events. */
struct options_tasks {
	struct event_ids pids, tids; /* of our pid namespace or, with host_pids, the kernel's own */
	/* of options that a recipe defines itself: its probes test these, the tracing only has to end with them */
	struct event_ids subject_pids, subject_tids;
	struct event_ids uids;
	struct option_names names;
	struct option_list cgroups, containers, cgroup_maps, mount_maps;
	bool host_pids;
	bool follow;
};

struct options_stacks {
	bool kernel, user;
	uint32_t depth; /* frames; 0: the default */
	bool lines;	/* print source lines in user stacks */
	uint64_t dwarf; /* bytes of the user stack to copy; 0: use frame pointers */
	bool folded;
	bool lines_folded; /* --folded of a tool that folds by itself */
	bool blocks; /* on a terminal, counted stacks are blocks: a recipe's, not asked for by --folded */
};

struct options_report {
	uint32_t top;	      /* rows, 0: all */
	const char *sort;     /* NULL: the applet's order */
	uint64_t interval_ns; /* between reports; 0: one at the end */
	bool clear, screen;
	const char *svg;
	bool heatmap;
};

/* How records are printed, and which columns. */
struct options_rows {
	bool json, meta;
	bool ftrace, csv;
	bool wide; /* lines may be longer than the terminal's */
	enum timestamp_form timestamp;
	const char *columns; /* NULL: the applet's default */
	/* columns that may be missing on a narrow terminal, beside those that are FIELD_MINOR; or NULL */
	const char *minor;
	bool extended;
	bool with_container, inner_pids;
	bool failed_only;
	const char *contains;	  /* print only records that have this text in a value */
	struct option_list where; /* print only records for which these are true */
};

struct options_files {
	const char *output; /* also for trace_json */
	bool append;	    /* append to output */
	/* the applet itself writes files named after output, which is not opened */
	bool is_split;
	const char *trace_json, *pcap;
	const char *openmetrics, *listen;
	const char *rotate;
	struct rotate_size {
		uint64_t size;	/* size of a file in bytes; 0: no rotation */
		uint64_t files; /* number of old files to keep */
	} rotated;		/* parsed from rotate */
};

struct options_limits {
	uint32_t events; /* 0: no limit */
	uint32_t ring;	 /* 0: records are written as they arrive */
	const char *until;
	uint64_t duration_ns;
};

/* Users, and whether privileges are kept. */
struct options_rights {
	const char *as_user, *run_as;
	bool keep;
};

struct options_attach {
	int method; /* enum attach_method_id */
	const char *btf;
	bool btf_force;
	uint64_t buffer;
	bool dry_run;
	bool load_only;
};

struct options_child {
	char **command;	    /* after --, or NULL */
	bool is_beside;	    /* its end ends the run; other tasks are also traced */
	bool is_bare;	    /* given without --, or to an applet under its second name */
	bool is_alone;	    /* without its children */
	bool is_waited_for; /* its end does not end the run if other traced tasks are alive */
	const char *argv0;  /* name to run it under; NULL: the command's name */
	const struct option_list *environ; /* NAME=VALUE to set, or NAME to remove; or NULL */
};

struct options {
	struct options_tasks tasks;
	struct options_stacks stacks;
	struct options_report report;
	struct options_rows rows;
	struct options_files files;
	struct options_limits limits;
	struct options_rights rights;
	struct options_attach attach;
	struct options_child child;
	struct option_list
		typed; /* common options of the command line, in its order: the first that fit */
	bool quiet;
	int verbose;
};

extern const struct option_spec options_common[];
/* … or reuse its letter: returns 0 then. */
char option_letter(const struct applet *applet, const struct option_spec *common);

/* Returns the option after `s` (NULL: the first), or NULL at the end. An applet's own options precede the common
 * ones. */
const struct option_spec *option_next(const struct applet *applet, const struct option_spec *s);
/* Reports an option that does not exist, with the nearest one that does: getopt would report it without. `word` is what
 * follows --, with its value. Exits with EXIT_USAGE. */
void option_unknown_exit(const struct applet *applet, const char *word) __attribute__((noreturn));

/* True if records need a time. */
static inline bool options_want_times(const struct options *o)
{
	return o->rows.json || o->files.trace_json || o->files.pcap || o->rows.ftrace ||
	       o->files.listen || o->rows.timestamp != TIMESTAMP_NONE;
}

/* True if there are metrics, which only grow. */
static inline bool options_want_metrics(const struct options *o)
{
	return o->files.openmetrics || o->files.listen;
}

/* True if all fields are written, not only those of columns. */
static inline bool options_want_all(const struct options *o)
{
	return o->rows.json || o->files.trace_json;
}

/* True if the programs have to fill all fields: they are written, or the live view shows them. */
static inline bool options_fill_all(const struct options *o)
{
	return options_want_all(o) || o->files.listen;
}

/*
 * Parses the command line of an applet. Positional arguments go to `args` (an array that the caller frees; the
 * strings are argv's). Exits with EXIT_USAGE after an error, and with 0 after --help and --version, as argp does.
 */
void options_parse(const struct applet *applet, int argc, char **argv, struct options *options,
		   char ***args, int *arg_count);

/* True for a common option, whether or not an applet has it. */
bool option_is_shared(const char *name);
/* Returns the option of an applet with this name, or with this letter, written "-x". NULL: none. */
const struct option_spec *option_find(const struct applet *applet, const char *name);
/* Sets an option that has no value yet. Returns NULL, or the text of an error. */
const char *option_default(const struct option_spec *spec, const char *arg,
			   struct options *options);

/* Returns the location of an option's value. */
static inline void *option_value(const struct option_spec *spec, struct options *options)
{
	return spec->value ? spec->value : (char *)options + spec->offset;
}

/* ---- lists of expressions: EXPR,EXPR… ---- */

/* Cuts `text` at its commas and appends the expressions to items[*count], an array of `room` items; they point into
 * the text. On an error prints it, with the name `option`, and returns -EINVAL. */
int option_list_split(const char *option, char *text, const char **items, size_t room,
		      size_t *count);

#endif
