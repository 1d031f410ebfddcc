/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - prints the output of programs in bpftrace's language: text and JSON identical to bpftrace's, byte for
 * byte.
 *
 *  *	show_value.c	a value by its type and image (script/type.h)
 *  *	show_ctype.c	structs, arrays and enums of C, by BTF
 *  *	show_names.c	addresses, stacks, times, numbers that have a name
 *  *	show_wall.c	times of the program's clocks as real time
 *  *	show_cgroup.c	the path of a cgroup
 *  *	show_printf.c	a format with its arguments
 *  *	show_gfp.c	flags of an allocation
 *  *	show_rows.c	rows of emit()
 *  *	show_merge.c	merges the images of a map's value, one for each CPU
 *  *	show_map.c	a map: order, keys, values
 *  *	show_hist.c	histograms
 *  *	show_series.c	time series
 *  *	show_message.c	messages of the run, with the location in the program
 *  *	show_action.c	actions, as their records arrive
 *
 * Nothing here reads a map or knows the kernel: callbacks do.
 */
#ifndef CORETAP_FRONT_BT_SHOW_H
#define CORETAP_FRONT_BT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "event.h"
#include "output/field/timestamp.h"
#include "script/script.h"
#include "util/buf.h"

struct frame;

/* Looks up names. NULL functions: use the tables of this system (symbols/, /etc/passwd, cgroupfs); no stack is known. */
struct bt_names {
	void *ctx;
	/* called before the first kernel symbol is looked up, and possibly again */
	void (*symbols)(void);
	/* Returns the symbol that contains an address, or NULL. The text is valid until the next call. */
	const char *(*kernel)(void *ctx, uint64_t address, uint64_t *offset);
	const char *(*user)(void *ctx, const struct script_usym *symbol, uint64_t *offset);
	/* Returns the frames of a stack; NULL: unknown. *named: its names if it was looked up before, or NULL
	 * (stack_id.h). */
	const struct event_stack *(*stack)(void *ctx, const struct stack_id *id,
					   const struct frame **named);
	/* Texts of printed kernel stacks, to be freed by bt_stack_texts_free; NULL: not cached. */
	struct bt_stack_texts *stack_texts;
	const char *(*user_name)(void *ctx, uint32_t uid);
	/* Appends "unified:/path,…" for the hierarchies whose name matches the filter ("": all). */
	void (*cgroup)(void *ctx, struct buf *o, uint64_t id, const char *filter);
	/* Returns the types of a point, valid while its action is handled. */
	const struct btf_view *(*types)(void *ctx, uint32_t point);
};

enum { BT_PACKET_FILES = 8 };
struct bt_packets {
	struct bt_packet_file {
		const char *path; /* the program's path */
		int fd;
	} files[BT_PACKET_FILES];
	size_t count;
};

struct bt_show {
	struct buf *out, *err;	       /* standard output and error; the caller flushes */
	bool json;		       /* -f json */
	const struct sink_form *form;  /* form of rows as events; NULL: a table, or JSON */
	bool csv;		       /* … or comma-separated values */
	const char *minor;	       /* as of a sink */
	enum timestamp_form timestamp; /* format of times in rows */
	/* the tool that the program implements: "type" of its rows in JSON; NULL: none */
	const char *tool;
	bool no_warnings; /* warnf() and the like print nothing */
	unsigned errors;  /* number of errorf() calls */
	/* True: escape control characters in strings of traced programs, which the terminal would obey. Those in the
	 * program's own text are intended. A pipe or file gets all bytes unchanged, as from bpftrace. */
	bool out_is_terminal, err_is_terminal;
	const char *file;	     /* name of the program in messages: "stdin", a path */
	const struct script *script; /* its text, texts and config */
	const struct script_names *points;
	const struct btf_view *
		/* types of records and enums; for a map, those of the point that used it last */
		btf;
	struct bt_names names;
	/* the clocks that the program reads; NULL: tseries() has real time */
	const struct script_world *world;
	/* show_rows.c: one per action that is an emit(); and the last one used */
	struct bt_row_shape **row_shapes, *row_last;
	size_t row_shape_count;
	struct field *row_columns; /* owned: columns of --columns … */
	bool chooses;		   /* … if that is given */
	bool reports;		   /* the rows are those of reports */
	struct bt_packets packets;
};

script_syscall_fn bt_syscall_name;

/* ---- packets.c ---- */

/* Creates the files of all skboutput() calls. Returns 0, or -errno after printing the error. */
int bt_packets_open(struct bt_show *s);
/* Appends a packet to its file. Returns 0 or -errno. */
int bt_packet_write(struct bt_show *s, const struct script_action *a, const void *record,
		    size_t size);
void bt_packets_close(struct bt_show *s);

/* Returns NULL if out of memory. */
struct bt_stack_texts *bt_stack_texts_new(void);
void bt_stack_texts_free(struct bt_stack_texts *k);

/* ---- records ---- */

/* Appends the action's format with its arguments. The record has `size` bytes. Returns 0, or -EBADMSG if it is too
 * short. */
int bt_format_write(const struct bt_show *s, struct buf *o, const struct script_action *a,
		    const void *record, size_t size);

/* ---- maps ---- */

/* Iterates over the entries of a map, in any order. */
struct bt_entries {
	void *ctx;
	/* Returns 1, 0 after the last entry, or -errno. *key is NULL for a map without keys. Both are valid until the
	 * next call. */
	int (*next)(void *ctx, const void **key, const void **values);
	uint32_t images; /* number of images in *values: 1, or one per CPU … */
	uint32_t stride; /* … this many bytes apart */
};

/*
 * Prints a map: the `top` highest entries (0: all), with values divided by `div` (0, 1: unchanged). A map without
 * keys and without an entry prints nothing. Returns 0, -ENOMEM, or the result of `next`.
 */
int bt_map_show(struct bt_show *s, const struct script_map *map, const struct bt_entries *entries,
		uint64_t top, uint64_t div);
/* Merges the images of one value into one: `to` has room for type->size bytes. */
void bt_value_merge(const struct script_type *type, void *to, const void *values, uint32_t images,
		    uint32_t stride);

/* ---- rows ---- */

/* Selects the columns of --columns, if it is not NULL. Returns 0, -EINVAL after printing an error, or -ENOMEM. `s`
 * must not move. */
int bt_rows_choose(struct bt_show *s, const char *columns);
/* Returns the columns of an emit() as those of a report. NULL: out of memory. */
const struct schema *bt_rows_schema(struct bt_show *s, const struct script_action *a);
/* Prints the header of the last row; before the first row, the header of the first emit(). */
void bt_rows_header(struct bt_show *s);
/* Prints a row of emit(). Returns 0, -EBADMSG or -ENOMEM. `s` must not move. */
int bt_row_show(struct bt_show *s, const struct script_action *a, const void *record, size_t size);
void bt_rows_free(struct bt_show *s);

/* ---- actions ---- */

/* Reports a failed assert(). Returns 0, or -EBADMSG: the record is too short. */
int bt_assert_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size);
/*
 * Runs the action of a record: `record` has `size` bytes, starting at struct script_record. Returns 1; 0 if the
 * action is not PRINTF, ERRORF, WARNF, PRINT, PRINT_ENTRY, EMIT, TIME, JOIN, CAT, SYSTEM or DELETE_MISSED: the caller
 * runs those (PRINT_MAP with bt_action_number and bt_map_show); -EBADMSG: the record is too short; -errno: a command
 * could not be started.
 */
int bt_action_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size);
/* Returns argument i of a record, an integer; `otherwise` if it is missing: the top and div of PRINT_MAP, the code of
 * EXIT. */
int64_t bt_action_number(const struct script_action *a, size_t i, const void *record, size_t size,
			 int64_t otherwise);

/* ---- messages of the run ---- */

void bt_attached_show(struct bt_show *s, uint64_t probes); /* "Attached 2 probes" */
/* Prints what bpftrace prints when probes are detached, before END and the maps: two newlines; nothing in JSON. */
void bt_detached_show(struct bt_show *s);
/* Prints stdin:1:9-62: WARNING: text, and the line of the program with the location marked. */
void bt_warning_show(struct bt_show *s, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
