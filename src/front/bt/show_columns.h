/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_columns.h - the rows of one emit(): its columns, and the sink that prints them.
 */
#ifndef CORETAP_FRONT_BT_SHOW_COLUMNS_H
#define CORETAP_FRONT_BT_SHOW_COLUMNS_H

#include "front/bt/show.h"
#include "output/rows/sink.h"

struct bt_row_shape {
	struct sink sink;
	struct schema schema;
	struct field *fields, *columns; /* owned */
	struct shown {
		struct bt_show *s;
		const struct script_type *type;
	} * shown; /* owned; of the printed fields */
	/* --trace-json: the values that identify the task of an event; NULL: not in the row */
	const struct script_arg *pid, *tid, *comm;
	struct buf row; /* owned: a row with a time, in the layout that the sink expects */
};

/* The head of a record with a time, and the time. */
enum { ROW_BEGIN = sizeof(struct script_record) + sizeof(uint64_t) };

/* Fills the columns and the sink of an emit(). Returns 0 or -errno; what was set is freed by bt_rows_free. */
int bt_shape_fill(struct bt_show *s, struct bt_row_shape *w, const struct script_action *a);

#endif
