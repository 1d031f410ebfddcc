/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.c - shows what a program prints, and its maps, once more: as JSON, for the readers of --listen.
 *
 * What commands and files print is left out: they would run, or be read, twice.
 */
#include "front/bt/bt.h"
#include "run/live.h"
#include "run/session.h"

static struct bt_show show;
static struct buf out, err;

/* Returns how to show as -j does; NULL: out of memory. */
static struct bt_show *show_json(struct bt *b)
{
	if (show.out)
		return &show;
	buf_init(&out, -1);
	buf_init(&err, -1);
	show = b->show;
	show.out = &out;
	show.err = &err;
	show.json = true;
	show.form = NULL;
	show.csv = false;
	show.row_shapes = NULL;
	show.row_shape_count = 0;
	show.row_last = NULL;
	show.row_columns = NULL;
	return bt_rows_choose(&show, b->session->options.rows.columns) ? NULL : &show;
}

static bool is_shown(const struct script_action *action)
{
	switch (action->kind) {
	case ACTION_PRINTF:
	case ACTION_PRINT:
	case ACTION_PRINT_ENTRY:
	case ACTION_EMIT:
	case ACTION_TIME:
	case ACTION_JOIN: return true;
	default: return false;
	}
}

void bt_live_action(struct bt *b, const struct script_action *action, const void *record,
		    size_t size)
{
	if (!live_is_watched() || !is_shown(action) || !show_json(b))
		return;
	buf_rewind(&out, 0);
	if (bt_action_show(&show, action, record, size) > 0)
		live_row(out.data, out.len);
}

void bt_live_maps(struct session *s, struct buf *lines)
{
	struct bt *b = bt_of(s);

	if (b->tool || !show_json(b))
		return;
	buf_rewind(&out, 0);
	for (size_t i = 0; i < b->script->map_count; i++)
		if (!b->script->maps[i]->is_hidden)
			bt_print_map_by(b, &show, b->script->maps[i]);
	buf_bytes(lines, out.data, out.len);
}

void bt_live_close(void)
{
	if (show.out)
		bt_rows_free(&show);
	buf_free(&out);
	buf_free(&err);
	show.out = NULL;
}
