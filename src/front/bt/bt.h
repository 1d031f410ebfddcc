/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt.h - shared by the files of bt: a run of a program in bpftrace's language.
 *
 *  *	applet.c	the command line
 *  *	tool.c		options of a program that is a tool
 *  *	point_text.c	an attach point of the program → PROBE
 *  *	files.c		the files that an attach point refers to
 *  *	import.c	the files that a program imports
 *  *	places.c	requests for all attach points
 *  *	points.c	the places of these: names, and the compilation for each
 *  *	world.c		facts about this machine for the compiler
 *  *	report.c	report: rows that are counted
 *  *	special.c	BEGIN, END, self, iterators: programs that this process runs
 *  *	tests.c		test: and bench:
 *  *	packets.c	skboutput()
 *  *	iterator.c	iter:NAME
 *  *	maps.c		maps of the program: read, cleared
 *  *	walk.c		… walked for a program, where the kernel does not let programs do it
 *  *	checks.c	options that a program cannot fulfil
 *  *	needs.c		names and rights that a program needs
 *  *	tracer.c	the run: attach, the end
 *  *	records.c	its records
 *  *	silence.c	why nothing was printed
 *  *	list.c		-l
 *  *	print.c		actions and maps, for this kernel
 *  *	live.c		… for the readers of --listen
 *  *	show*.c		values, maps and actions as text and JSON
 *
 * Probes are found, loaded and attached by argdump's kinds of probes (probe/); only the compiler differs (script/).
 */
#ifndef CORETAP_FRONT_BT_BT_H
#define CORETAP_FRONT_BT_BT_H

#include "probe/argdump.h"
#include "front/bt/show.h"
#include "script/script.h"

/* A program that this process runs itself. */
struct bt_special {
	const struct script_probe *probe;
	const struct script_attach *attach;
	struct expr_input input;
	int fd;	     /* -1: not loaded */
	int walk_fd; /* walk.c; -1: it walks maps itself, or walks none */
	uint32_t walk_size;
	uint64_t period, next; /* of an interval: in ns, CLOCK_MONOTONIC */
	uint32_t result;       /* result of its last run */
};

static inline bool bt_is_special(enum script_probe_kind kind)
{
	return kind == PROBE_BEGIN || kind == PROBE_END || kind == PROBE_REPORT ||
	       kind == PROBE_SELF || kind == PROBE_ITER;
}

/* The attach point of one of argdump's requests, by its number. */
struct bt_place {
	const struct script_probe *probe;
	const struct script_attach *attach;
	/* owned: replaces `attach` if that stands for several files */
	struct script_attach *of_file;
	const struct script_attach *typed; /* … as written in the program */
	char *text;			   /* owned: PROBE */
};

/* A program that is a tool: its rows and messages are the tool's, and maps are not printed at the end. */
struct bt_tool {
	const char *name, *text;
	const char *path; /* folder that imports are relative to */
	/* returns the text that can be imported by this name; NULL: none */
	const char *(*part)(const char *name);
	bool reports; /* its rows come from the probe `report` … */
	bool may_report; /* … only with one of its options; else it prints those of the other probes */
	bool folds;	 /* … or `folded`: lines for flame graphs */
};

/* bt's own options. */
struct bt_asked {
	struct option_list headers; /* -I: folders */
	bool no_warnings;	    /* --no-warnings */
	bool lists;	     /* -l: list the probes of the program instead of running it … */
	const char *listed;  /* … or a type, or iterators; NULL: the program's probes */
	const char *pattern; /* -l PATTERN that became a program; NULL: none */
	const char *filter;  /* --probe-filter; NULL: all */
	uint64_t limit;	     /* -n; 0: none */
	enum script_probe_kind
		tested; /* PROBE_TEST: --test, PROBE_BENCH: --bench; else PROBE_BEGIN */
};

struct bt {
	struct argdump a; /* first member: argdump's functions find it as session.private */
	const struct session *session;
	const char *text, *file;    /* the program; "stdin" if it is not in a file */
	const char *file_path;	    /* … NULL in that case */
	const struct bt_tool *tool; /* … or the tool that it implements; NULL: none */
	struct report *report;	    /* the report being written … */
	struct folded *folded;	    /* … and its stacks */
	struct script *script;
	struct script_args args;
	struct bt_asked asked;
	struct script_world world;
	struct script_error error; /* the last error */
	struct bt_place *places;
	size_t place_count, place_room;
	struct bt_special *specials; /* in the order of the text */
	size_t special_count;
	struct script_name *name_list; /* owned, with its texts */
	struct script_names names;
	bool is_inferring; /* compilations only collect points */
	struct script_point *points;
	size_t point_count;
	struct bt_show show;
	struct buf err;	 /* standard error */
	bool is_exiting; /* exit() was called, or the last record was printed */
};

static inline struct bt *bt_of(const struct session *s)
{
	return s->private;
}

/* ---- applet.c ---- */

extern const struct applet bt_applet;

/* ---- params.c ---- */

/* Parses words after the program, and those after --: --NAME=VALUE is for getopt(), others are positional parameters.
 * Returns 0 or -ENOMEM. */
int bt_params_parse(struct session *s, struct bt *b, const struct option_list *includes, int argc,
		    char **argv);
/* Applies BPFTRACE_MAX_STRLEN and similar variables, which come before the program's own settings. Exits with EXIT_CANNOT,
 * as bpftrace does, if a value is wrong. */
void bt_environment_apply(struct script *script);

/* ---- filter.c ---- */

/* Drops the probes that --probe-filter excludes, once types are known. Returns 0, or -EINVAL after printing an error. */
int bt_probes_filter(struct bt *b);

/* ---- tool.c ---- */

/* The most options of a tool's program besides the options of all tools, including the end (name == NULL). */
enum { BT_TOOL_OPTIONS = 4 };
extern const struct option_spec bt_tool_options[BT_TOOL_OPTIONS + 1];
/* Options of tools that count stacks. */
extern const struct option_spec bt_fold_options[2];
/* Sets the columns that they add to each emit(). */
void bt_tool_columns(struct script_args *args, const struct options *o);
/* Parses the program of a tool, which must outlive the run. Returns 0, or -errno after printing the error. */
int bt_tool_parse(struct session *s, const struct bt_tool *tool);

/* ---- point_text.c ---- */

/* Returns PROBE, owned by the caller. NULL: it cannot be parsed, or out of memory. */
char *bt_point_text(const struct script_attach *at);
/* The same for a user function at an offset in the file. */
char *bt_offset_text(const struct script_attach *at, uint64_t offset);
/* Skips the language before the name of a user function, "cpp:" or "rust:": its symbol tells it. */
const char *bt_language_skip(const char *name);
/* Returns the form of a kind's attach points; may be empty. */
const char *bt_point_hint(enum script_probe_kind kind);
/* Returns the ns of an interval; 0: it cannot be parsed. */
uint64_t bt_period(const struct script_attach *at);
/* Returns the signal of self:signal:NAME, or -EINVAL. */
int bt_signal_number(const struct script_attach *at);

/* ---- files.c ---- */

struct bt_files {
	char **paths; /* owned */
	size_t count, room;
	/* the attach point stands for each of these; else for the file that it names */
	bool is_pattern;
	bool is_of_process; /* the files of -p */
	const char *behind; /* the text after FILE: in the attach point */
};
/* Returns 0 or -ENOMEM. Free the files in any case. */
int bt_files_find(const struct session *s, const struct script_attach *at, struct bt_files *f);
void bt_files_free(struct bt_files *f);
/* Returns the length of FILE in FILE:…, for a probe at an address. */
size_t bt_file_length(const struct script_attach *at);
/* … in FILE@SOURCE:LINE[:COLUMN]; 0: it has another form. */
size_t bt_statement_file(const struct script_attach *at);
/* uprobe:FILE:ADDRESS refers to an address of the file's headers; argdump expects offsets in the file. Returns 1 with
 * the offset; 0: it is not of this form; -ENOENT: the address contains no code; -ENOMEM. */
int bt_address_find(const struct session *s, const struct script_attach *at, uint64_t *offset);

/* ---- import.c ---- */

/* Returns the contents of a file, or of standard input ("-"); owned by the caller. NULL with *err on failure. */
char *bt_file_read(const char *path, int *err);
/* script_args.import: `ctx` is the struct bt. */
const char *bt_import(void *ctx, struct script_import *i);

/* ---- places.c ---- */

/* Prints the error with a caret below its location in the text. */
void bt_error_report(const struct bt *b, const struct script_error *e);
/* Prints an error about an attach point; returns -EINVAL. */
int bt_place_fail(const struct bt *b, const struct script_attach *at, const char *message,
		  const char *hint);
/* Adds a request for each attach point, and the special programs. Returns 0, or -errno after printing the error. */
int bt_places_add(struct bt *b);
/* Runs after bt_world_set: adds attach points whose place depends on the kernel. Returns like bt_places_add. */
int bt_places_add_late(struct bt *b);
void bt_places_free(struct bt *b);

/* ---- points.c ---- */

/* Runs after the requests are resolved: names all points, and infers the types of the program. Returns an exit status
 * after printing any error. */
int bt_types_find(struct session *s, struct bt *b);
extern const struct argdump_language bt_language;

/* ---- world.c ---- */

/* Sets b->world: facts that are known before the program is compiled. */
void bt_world_set(struct session *s, struct bt *b);

/* ---- report.c ---- */

/* Runs after all is compiled: sets the rows of the session's reports to those of `report`. Returns an exit status
 * after printing any error. */
int bt_report_begin(struct session *s, struct bt *b);
/* Consumes a row of a report. Returns 1; 0: it is not a row; or -errno. */
int bt_report_read(struct bt *b, const void *record, size_t size);

/* ---- special.c ---- */

/* Compiles the special programs, and loads them unless this is a dry run. Returns an exit status after printing any
 * error. */
int bt_specials_load(struct session *s, struct bt *b);
/* Runs one, and stores its result. Returns 0 or -errno. */
int bt_special_run(const struct bt *b, struct bt_special *p);
/* Runs all of a kind, in order. Returns 0 or -errno. */
int bt_specials_run(struct bt *b, enum script_probe_kind kind);
/* Catches signals: from now on they run their programs. Returns 0 or -errno. */
int bt_signals_catch(struct bt *b);
/* Runs the intervals that are due, and sets session.needs.poll_at. */
void bt_intervals_run(struct session *s, struct bt *b);
void bt_specials_close(struct bt *b);

/* ---- tests.c ---- */

/* Runs all probes of b->tested, prints their results, sets the exit status, and ends the run. */
void bt_tests_run(struct session *s, struct bt *b);

/* ---- walk.c ---- */

/* Stores the map of a program's requests, if it has one. Returns 0 or -errno. */
int bt_walk_open(struct bt_special *p, const struct expr_program *program,
		 const struct program_image *image);
/* Runs the program to its end. Returns 0 or -errno. */
int bt_walk_run(const struct bt *b, struct bt_special *p);

/* ---- iterator.c ---- */

/* Returns the function for programs of iter:NAME; 0: unknown iterator. */
uint32_t bt_iterator_id(const struct btf_view *btf, const char *name);
/* Reports the unknown iterator. Returns the exit status. */
int bt_iterator_unknown(struct session *s, struct bt *b, const struct bt_special *p);
/* Runs all iterators, in order. Returns an exit status after printing any error. */
int bt_iterators_run(struct bt *b);
/* Appends the iterators whose names match. */
void bt_list_iterators(struct session *s, const char *pattern);

/* ---- maps.c ---- */

struct bt_map_copy {
	uint32_t key_size,
		/* bytes; value_size for one processor, a multiple of 8 if there are several */
		value_size;
	unsigned copies; /* values of an entry: one for each processor, or 1 */
	size_t stride;	 /* bytes of all values of an entry */
	size_t count;
	char *keys, *values; /* owned */
};
/* Reads all entries. Returns 0 or -errno. */
int bt_map_read(const struct bt *b, const struct script_map *map, struct bt_map_copy *out);
/* True if a map without a key has a value. */
bool bt_map_has_value(const struct bt_map_copy *e);
void bt_map_copy_free(struct bt_map_copy *e);
/* Removes all entries, or sets their values to zeros. Returns 0 or -errno. */
int bt_map_clear(const struct bt *b, const struct script_map *map);
int bt_map_zero(const struct bt *b, const struct script_map *map);

/* bpftrace's other names of perf events; the last one is NULL */
extern const struct bt_event_name {
	const char *there, *here;
} bt_event_names[];

/* ---- list.c: each appends to the output ---- */

/* Writes the members of "struct NAME". Returns an exit status after printing any error. */
int bt_list_type(struct session *s, const char *text);
/* Writes the places that were found, and with -v their arguments. */
void bt_list_probes(struct session *s, const struct bt *b);
/* True for software: or hardware: without a period: such a list shows which events exist. */
bool bt_is_listed_event(const struct script_attach *at);

/* ---- print.c ---- */

/* Warns of statements without effect. */
void bt_warnings_show(struct bt *b);
/* Call it before anything is printed. */
void bt_print_prepare(struct session *s, struct bt *b);
/* Runs an action other than exit(): appends to the output, reads, clears. Returns 0 or -errno. */
int bt_print_action(struct bt *b, const struct script_action *action, const void *record,
		    size_t size);
/* Appends all entries of a map; top and div as in print(), 0: none. `at_end`: a map without a key is skipped if it
 * has no value. */
int bt_print_map(struct bt *b, const struct script_map *map, uint64_t top, uint64_t div,
		 bool at_end);

/* The same as at the end, by another one than b->show. */
int bt_print_map_by(struct bt *b, struct bt_show *show, const struct script_map *map);

/* ---- live.c ---- */

/* Shows an action to the readers of --listen, if there are any. */
void bt_live_action(struct bt *b, const struct script_action *action, const void *record,
		    size_t size);
/* Appends all maps, as lines of JSON. */
void bt_live_maps(struct session *s, struct buf *lines);
void bt_live_close(void);

/* ---- checks.c: options that a program cannot fulfil; each prints its error ---- */

/* Refuses columns about the running task, which a row need not be about. Returns 0 or -EINVAL. */
int bt_columns_check(const struct session *s);
/* Checks pictures: they show histograms and stacks that are counted. Returns 0 or -EINVAL. */
int bt_pictures_check(const struct session *s, const struct bt_tool *tool);
/* Checks --trace-json, whose file can hold only events. Returns an exit status. */
int bt_trace_check(const struct bt *b);
/* Refuses a --NAME that no getopt() reads. Returns an exit status. */
int bt_options_check(const struct bt *b);
/* "-- --help": prints the options that the program reads, and exits, unless this is one of them. */
void bt_help_check(const struct bt *b);

/* ---- needs.c ---- */

/* Announces which addresses the program names. */
void bt_names_announce(struct session *s, const struct script *script);
/* Announces the rights that actions need after all is attached. */
void bt_rights_announce(struct session *s, const struct script *script);

/* ---- records.c ---- */

/* Passes the session's records to the program's actions from now on. */
void bt_records_begin(struct session *s);

/* ---- silence.c ---- */

/* A map that is not empty was filled by a probe: then the program was not silent. */
void bt_maps_silence_check(struct bt *b);
/* Explains silence, as argdump does. Nothing is known if the program may hide what it saw. */
void bt_silence_explain(struct session *s, struct bt *b);

/* ---- tracer.c ---- */

extern const struct tracer_ops bt_tracer;

#endif
