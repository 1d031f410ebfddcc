/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - what programs in bpftrace's language print: text and JSON to the byte as bpftrace prints it.
 *
 *	show_value.c	a value by its type and image (script/type.h)
 *	show_ctype.c	structs, arrays and enums of C, by BTF
 *	show_names.c	addresses, stacks, times, numbers that have a name
 *	show_cgroup.c	the path of a cgroup
 *	show_printf.c	a format with its arguments
 *	show_gfp.c	flags of an allocation
 *	show_rows.c	rows of emit()
 *	show_merge.c	the images of a map's value, one for each CPU, as one
 *	show_map.c	a map: order, keys, values
 *	show_hist.c	histograms
 *	show_series.c	time series
 *	show_message.c	messages of the run, with the place in the program
 *	show_action.c	actions, as their records arrive
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

/* Finds names. NULL functions: the tables of this system (symbols/, /etc/passwd, cgroupfs); no stack is known. */
struct bt_names {
	void *ctx;
	void (*symbols)(void); /* called before the first of the kernel's is looked up, and again */
	/* The symbol that contains an address, or NULL. A text is valid until the next call. */
	const char *(*kernel)(void *ctx, uint64_t address, uint64_t *offset);
	const char *(*user)(void *ctx, const struct script_usym *symbol, uint64_t *offset);
	/* The frames of a stack; NULL: it is not known. *named: its names of an earlier look, or NULL (stack_id.h). */
	const struct event_stack *(*stack)(void *ctx, const struct stack_id *id,
					   const struct frame **named);
	/* Texts of kernel stacks that were shown, to be freed by bt_stack_texts_free; NULL: none are kept. */
	struct bt_stack_texts *stack_texts;
	const char *(*user_name)(void *ctx, uint32_t uid);
	/* Appends "unified:/path,…" of the hierarchies whose name matches the filter ("": all). */
	void (*cgroup)(void *ctx, struct buf *o, uint64_t id, const char *filter);
	/* The same of a point, for the time of its action. */
	const struct btf_view *(*types)(void *ctx, uint32_t point);
};

enum { BT_PACKET_FILES = 8 };
struct bt_packet_file {
	const char *path; /* the program's */
	int fd;
};

struct bt_show {
	struct buf *out, *err;	       /* standard output and error; the caller flushes */
	bool json;		       /* -f json */
	const struct sink_form *form;  /* of rows, as events; NULL: a table, or JSON */
	bool csv;		       /* … or comma-separated values */
	enum timestamp_form timestamp; /* of times in rows */
	const char *tool; /* which the program is: "type" of its rows in JSON; NULL: none */
	bool no_warnings; /* warnf() and the like print nothing */
	unsigned errors;  /* of errorf() */
	/* Control characters inside of strings of traced programs are escaped where a terminal would obey them. What
	 * the program's own text has, the user wants. A pipe or file gets the bytes as they are, as from bpftrace. */
	bool out_is_terminal, err_is_terminal;
	const char *file;	     /* name of the program in messages: "stdin", a path */
	const struct script *script; /* its text, texts and config */
	const struct script_names *points;
	const struct btf_view *
		btf; /* types of records and enums; of maps: those of the point that last used it */
	struct bt_names names;
	/* ns of the real time minus ns of each clock. bt_show_clocks sets it. */
	int64_t clock_offset[SCRIPT_CLOCK_SW_TAI + 1];
	/* show_rows.c: of each action that is an emit(); the last one */
	struct bt_row_shape **row_shapes, *row_last;
	size_t row_shape_count;
	struct field *row_columns; /* owned: of --columns … */
	bool chooses;		   /* … which is given */
	bool reports;		   /* rows are those of reports */
	struct bt_packet_file packet_files[BT_PACKET_FILES];
	size_t packet_file_count;
};

script_syscall_fn bt_syscall_name;

/* ---- packets.c ---- */

/* Makes the files of all skboutput(). Returns 0, or -errno after printing the error. */
int bt_packets_open(struct bt_show *s);
/* Appends a packet to its file. Returns 0 or -errno. */
int bt_packet_write(struct bt_show *s, const struct script_action *a, const void *record,
		    size_t size);
void bt_packets_close(struct bt_show *s);

/* NULL: no memory. */
struct bt_stack_texts *bt_stack_texts_new(void);
void bt_stack_texts_free(struct bt_stack_texts *k);
/* Measures clock_offset. Call it when the run begins. */
void bt_show_clocks(struct bt_show *s);

/* ---- records ---- */

/* Appends the action's format with its arguments. `size` bytes of record. Returns 0, or -EBADMSG if it is too short. */
int bt_format_write(const struct bt_show *s, struct buf *o, const struct script_action *a,
		    const void *record, size_t size);

/* ---- maps ---- */

/* Gives the entries of a map, in any order. */
struct bt_entries {
	void *ctx;
	/* Returns 1, 0 behind the last entry, or -errno. *key is NULL for a map without keys. Both are valid until the
	 * next call. */
	int (*next)(void *ctx, const void **key, const void **values);
	uint32_t images; /* of the value in *values: 1, or that of each CPU … */
	uint32_t stride; /* … so many bytes apart */
};

/*
 * Prints a map: the `top` highest entries (0: all), values divided by `div` (0, 1: as they are). A map without keys and
 * without an entry prints nothing. Returns 0, -ENOMEM, or what `next` returned.
 */
int bt_map_show(struct bt_show *s, const struct script_map *map, const struct bt_entries *entries,
		uint64_t top, uint64_t div);
/* Merges the images of one value into one: `to` has room for type->size bytes. */
void bt_value_merge(const struct script_type *type, void *to, const void *values, uint32_t images,
		    uint32_t stride);

/* ---- rows ---- */

/* --columns, if it is not NULL. Returns 0, -EINVAL after printing what is wrong, or -ENOMEM. `s` must stay where it
 * is. */
int bt_rows_choose(struct bt_show *s, const char *columns);
/* The columns of an emit() as those of a report. NULL: no memory. */
const struct schema *bt_rows_schema(struct bt_show *s, const struct script_action *a);
/* The header of the last row, or before there is one that of the first emit(). */
void bt_rows_header(struct bt_show *s);
/* A row of emit(). Returns 0, -EBADMSG or -ENOMEM. `s` must stay where it is. */
int bt_row_show(struct bt_show *s, const struct script_action *a, const void *record, size_t size);
void bt_rows_free(struct bt_show *s);

/* ---- actions ---- */

/* assert() failed. Returns 0, or -EBADMSG: the record is too short. */
int bt_assert_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size);
/*
 * Does an action whose record arrived: `record` are its `size` bytes, from struct script_record on. Returns 1; 0 if it
 * is none of PRINTF, ERRORF, WARNF, PRINT, PRINT_ENTRY, EMIT, TIME, JOIN, CAT, SYSTEM and DELETE_MISSED: the caller does
 * those (PRINT_MAP with bt_action_number and bt_map_show); -EBADMSG: the record is too short; -errno of a command that
 * could not be started.
 */
int bt_action_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size);
/* Argument i, an integer, of a record; `otherwise` if there is none: the top and div of PRINT_MAP, the code of EXIT. */
int64_t bt_action_number(const struct script_action *a, size_t i, const void *record, size_t size,
			 int64_t otherwise);

/* ---- messages of the run ---- */

void bt_attached_show(struct bt_show *s, uint64_t probes); /* "Attached 2 probes" */
/* What bpftrace prints when probes are detached, before END and the maps: two newlines, in JSON nothing. */
void bt_detached_show(struct bt_show *s);
/* stdin:1:9-62: WARNING: text, and the line of the program with the place marked. */
void bt_warning_show(struct bt_show *s, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
