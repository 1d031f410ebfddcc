/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt.h - a run of a program in bpftrace's language: what its files share.
 *
 *	applet.c	the command line
 *	tool.c		options of a program that is a tool
 *	point_text.c	an attach point of the program → PROBE
 *	files.c		the files that an attach point means
 *	import.c	the files that a program imports
 *	places.c	requests for all attach points
 *	points.c	the places of these: names, and the compilation for each
 *	world.c		what the compiler asks of this machine
 *	report.c	report: rows that are counted
 *	special.c	BEGIN, END, self, iterators: programs that this process runs
 *	tests.c		test: and bench:
 *	packets.c	skboutput()
 *	iterator.c	iter:NAME
 *	maps.c		maps of the program: read, cleared
 *	walk.c		… walked for a program, where the kernel lets no program do it
 *	tracer.c	the run: attach, records, the end
 *	list.c		-l
 *	print.c		actions and maps, for this kernel
 *	show*.c		values, maps and actions as text and JSON
 *
 * Probes are found, loaded and attached by argdump's kinds of probes (probe/); only the compiler is another (script/).
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
	int walk_fd; /* walk.c; -1: it walks maps itself, or none */
	uint32_t walk_size;
	uint64_t period, next; /* of an interval: ns, CLOCK_MONOTONIC */
	uint32_t result;       /* what its last run returned */
};

static inline bool bt_is_special(enum script_probe_kind kind)
{
	return kind == PROBE_BEGIN || kind == PROBE_END || kind == PROBE_REPORT ||
	       kind == PROBE_SELF || kind == PROBE_ITER;
}

/* The attach point of a request of argdump's, by its number. */
struct bt_place {
	const struct script_probe *probe;
	const struct script_attach *attach;
	struct script_attach *of_file;	   /* owned: `attach`, if it is for one of several files */
	const struct script_attach *typed; /* … as it is in the program */
	char *text;			   /* owned: PROBE */
};

/* A program that is a tool: its rows and messages are the tool's, maps are not printed at the end. */
struct bt_tool {
	const char *name, *text;
	const char *path; /* imports are relative to its folder */
	/* text that can be imported by this name; NULL: none */
	const char *(*part)(const char *name);
	bool reports; /* its rows are those of the probe `report` … */
	bool folds;   /* … or `folded`: lines for flame graphs */
};

/* Options of bt's own. */
struct bt_asked {
	struct option_list headers; /* -I: folders */
	bool no_warnings;	    /* --no-warnings */
	bool lists;	    /* -l: print the probes of the program instead of running it … */
	const char *listed; /* … or a type, iterators; NULL: the program's */
	uint64_t limit;	    /* -n; 0: none */
	enum script_probe_kind
		tested; /* PROBE_TEST: --test, PROBE_BENCH: --bench; else PROBE_BEGIN */
};

struct bt {
	struct argdump a; /* first: argdump's functions find it as session.private */
	const struct session *session;
	const char *text, *file;    /* the program; "stdin" if it has no file */
	const char *file_path;	    /* … NULL then */
	const struct bt_tool *tool; /* … or the tool that it is; NULL: none */
	struct report *report;	    /* that is being made … */
	struct folded *folded;	    /* … and its stacks */
	struct script *script;
	struct script_args args;
	struct bt_asked asked;
	struct script_world world;
	struct script_error error; /* the last */
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
	bool is_exiting; /* exit() was called, or the last record was shown */
};

static inline struct bt *bt_of(const struct session *s)
{
	return s->private;
}

/* ---- applet.c ---- */

extern const struct applet bt_applet;
/* ---- tool.c ---- */

/* What the program of a tool can have besides the options of all tools; ends with name == NULL. */
enum { BT_TOOL_OPTIONS = 4 };
extern const struct option_spec bt_tool_options[BT_TOOL_OPTIONS + 1];
/* The columns that they add to each emit(). */
void bt_tool_columns(struct script_args *args, const struct options *o);
/* Parses the program of a tool, which must outlive the run. Returns 0, or -errno after printing the error. */
int bt_tool_parse(struct session *s, const struct bt_tool *tool);

/* ---- point_text.c ---- */

/* Owned by the caller. NULL: it cannot be parsed, or there is no memory. */
char *bt_point_text(const struct script_attach *at);
/* The same of a user function at an offset in the file. */
char *bt_offset_text(const struct script_attach *at, uint64_t offset);
/* The form of a kind's attach points; may be empty. */
const char *bt_point_hint(enum script_probe_kind kind);
/* ns of an interval; 0: it cannot be parsed. */
uint64_t bt_period(const struct script_attach *at);
/* The signal of self:signal:NAME, or -EINVAL. */
int bt_signal_number(const struct script_attach *at);

/* ---- files.c ---- */

struct bt_files {
	char **paths; /* owned */
	size_t count, room;
	bool is_pattern;    /* the attach point is for each of these; else for what it names */
	bool is_of_process; /* those of -p */
	const char *behind; /* what follows FILE: in the attach point */
};
/* Returns 0 or -ENOMEM; to be freed in any case. */
int bt_files_find(const struct session *s, const struct script_attach *at, struct bt_files *f);
void bt_files_free(struct bt_files *f);
/* Of FILE in FILE:…, which a probe at an address names. */
size_t bt_file_length(const struct script_attach *at);
/* uprobe:FILE:ADDRESS names an address of the file's headers; argdump takes offsets in the file. Returns 1 with the offset;
 * 0: it is not of this form; -ENOENT: there is no code at the address; -ENOMEM. */
/* … and uprobe:FILE@SOURCE:LINE[:COLUMN] a line: -ENODATA: the file knows no lines. */
int bt_address_find(const struct session *s, const struct script_attach *at, uint64_t *offset);

/* ---- import.c ---- */

/* The whole file, or that of standard input ("-"); owned by the caller. NULL with *err. */
char *bt_file_read(const char *path, int *err);
/* script_args.import: `ctx` is the struct bt. */
const char *bt_import(void *ctx, struct script_import *i);

/* ---- places.c ---- */

/* Prints the error with a caret below its place in the text. */
void bt_error_report(const struct bt *b, const struct script_error *e);
/* Prints an error about an attach point; -EINVAL. */
int bt_place_fail(const struct bt *b, const struct script_attach *at, const char *message,
		  const char *hint);
/* Adds a request for each attach point, and the special programs. Returns 0, or -errno after printing the error. */
int bt_places_add(struct bt *b);
/* After bt_world_set: those whose place depends on the kernel. Returns as bt_places_add. */
int bt_places_add_late(struct bt *b);
void bt_places_free(struct bt *b);

/* ---- points.c ---- */

/* After the requests are resolved: names all points, and finds the types of the program. Returns an exit status after
 * printing any error. */
int bt_types_find(struct session *s, struct bt *b);
extern const struct argdump_language bt_language;

/* ---- world.c ---- */

/* Sets b->world: what is known before the program is compiled. */
void bt_world_set(struct session *s, struct bt *b);

/* ---- report.c ---- */

/* When all is compiled: makes the rows of `report` those of the session's reports. Returns an exit status after printing
 * any error. */
int bt_report_begin(struct session *s, struct bt *b);
/* A row of a report is taken: 1; 0: it is none; or -errno. */
int bt_report_read(struct bt *b, const void *record, size_t size);

/* ---- special.c ---- */

/* Compiles them, and loads them unless this is a dry run. Returns an exit status after printing any error. */
int bt_specials_load(struct session *s, struct bt *b);
/* Runs one, and keeps its result. Returns 0 or -errno. */
int bt_special_run(const struct bt *b, struct bt_special *p);
/* Runs all of a kind, in order. Returns 0 or -errno. */
int bt_specials_run(struct bt *b, enum script_probe_kind kind);
/* From now on signals run their programs. Returns 0 or -errno. */
int bt_signals_catch(struct bt *b);
/* Runs the intervals that are due, and sets session.needs.poll_at. */
void bt_intervals_run(struct session *s, struct bt *b);
void bt_specials_close(struct bt *b);

/* ---- tests.c ---- */

/* Runs all probes of b->tested, prints how, sets the exit status, and ends the run. */
void bt_tests_run(struct session *s, struct bt *b);

/* ---- walk.c ---- */

/* Keeps the map of a program's requests, if it has one. Returns 0 or -errno. */
int bt_walk_open(struct bt_special *p, const struct expr_program *program,
		 const struct program_image *image);
/* Runs the program to its end. Returns 0 or -errno. */
int bt_walk_run(const struct bt *b, struct bt_special *p);

/* ---- iterator.c ---- */

/* The function that programs of iter:NAME are of; 0: there is no such iterator. */
uint32_t bt_iterator_id(const struct btf_view *btf, const char *name);
/* Says so. Returns the exit status. */
int bt_iterator_unknown(struct session *s, struct bt *b, const struct bt_special *p);
/* Runs all iterators, in order. Returns an exit status after printing any error. */
int bt_iterators_run(struct bt *b);
/* Appends those whose names match. */
void bt_list_iterators(struct session *s, const char *pattern);

/* ---- maps.c ---- */

struct bt_map_copy {
	uint32_t key_size,
		value_size; /* bytes; value_size of one processor, a multiple of 8 if there are several */
	unsigned copies; /* values of an entry: one for each processor, or 1 */
	size_t stride;	 /* bytes of all values of an entry */
	size_t count;
	char *keys, *values; /* owned */
};
/* Reads all entries. Returns 0 or -errno. */
int bt_map_read(const struct bt *b, const struct script_map *map, struct bt_map_copy *out);
/* Of a map without key: is there a value? */
bool bt_map_has_value(const struct bt_map_copy *e);
void bt_map_copy_free(struct bt_map_copy *e);
/* Removes all entries, or sets their values to zeros. Returns 0 or -errno. */
int bt_map_clear(const struct bt *b, const struct script_map *map);
int bt_map_zero(const struct bt *b, const struct script_map *map);

/* ---- list.c: each appends to the output ---- */

/* "struct NAME": its members. Returns an exit status after printing any error. */
int bt_list_type(struct session *s, const char *text);
/* The places that were found, with -v and their arguments. */
void bt_list_probes(struct session *s, const struct bt *b);
/* Of software: or hardware:, without a period: a list says which events there are. */
bool bt_is_listed_event(const struct script_attach *at);

/* ---- print.c ---- */

/* Before anything is printed. */
void bt_print_prepare(struct session *s, struct bt *b);
/* Does what an action asks for, but exit(): appends to the output, reads, clears. Returns 0 or -errno. */
int bt_print_action(struct bt *b, const struct script_action *action, const void *record,
		    size_t size);
/* Appends all entries of a map; top and div as of print(), 0: none. `at_end`: a map without key and value is left out. */
int bt_print_map(struct bt *b, const struct script_map *map, uint64_t top, uint64_t div,
		 bool at_end);

/* ---- tracer.c ---- */

extern const struct tracer_ops bt_tracer;

#endif
