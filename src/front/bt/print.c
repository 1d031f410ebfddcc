/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.c - prints actions and maps of a run through show.h: reads entries, and provides stacks and types of the run.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <unistd.h>

#include "cli/option_check.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

/* ---- callbacks of show.h ---- */

static const struct event_stack *stack_find(void *ctx, const struct stack_id *id,
					    const struct frame **named)
{
	struct bt *b = ctx;

	return stacks_find(&b->a.stacks, id, named);
}

static const struct btf_view *types_find(void *ctx, uint32_t point)
{
	const struct bt *b = ctx;

	for (size_t i = 0; i < b->point_count; i++) {
		const struct expr_input *in = b->points[i].in;

		if (point >= in->point.first && point < in->point.first + in->point.count)
			return script_types(b->script, in->btf);
	}
	return NULL;
}

static void unused_warn(struct bt *b)
{
	const struct script *s = b->script;

	for (size_t i = 0; i < s->map_count && !b->tool && !b->show.json; i++)
		if (s->maps[i]->is_declared && !s->maps[i]->is_used && !s->maps[i]->owner)
			bt_warning_show(&b->show, s->maps[i]->span, "Unused map: @%s",
					s->maps[i]->name);
	if (!b->tool && !b->show.json)
		bt_warnings_show(b);
	buf_flush(&b->err);
}

void bt_print_prepare(struct session *s, struct bt *b)
{
	b->show = (struct bt_show){
		.out = &s->out,
		.err = &b->err,
		.json = s->options.rows.json,
		.form = s->options.rows.csv ? NULL : option_record_form(&s->options),
		.csv = s->options.rows.csv,
		.minor = s->options.rows.minor,
		.timestamp = s->options.rows.timestamp,
		.tool = b->tool ? b->tool->name : NULL,
		.no_warnings = b->asked.no_warnings,
		.out_is_terminal = s->out.per_line,
		.err_is_terminal = isatty(STDERR_FILENO),
		.file = b->file,
		.script = b->script,
		.world = &b->world,
		.points = &b->names,
		.btf = script_types(b->script, s->btf),
		.names = { .ctx = b,
			   .symbols = session_name_kernel,
			   .stack = stack_find,
			   .stack_texts = bt_stack_texts_new(),
			   .types = types_find },
	};
	usyms_want_ids();
	buf_init(&b->err, STDERR_FILENO);
	unused_warn(b);
}

/* ---- maps ---- */

struct reader {
	const struct bt_map_copy *copy;
	bool has_key;
	size_t at;
};

static int entry_next(void *ctx, const void **key, const void **values)
{
	struct reader *r = ctx;

	if (r->at == r->copy->count)
		return 0;
	*key = r->has_key ? r->copy->keys + r->at * r->copy->key_size : NULL;
	*values = r->copy->values + r->at * r->copy->stride;
	r->at++;
	return 1;
}

/* Says which map had no room. The run counts what was lost, but not where. */
static void full_warn(struct bt *b, const struct script_map *map, size_t count)
{
	uint32_t most = map->entries ?: b->script->config.max_map_keys;

	if (!map->has_key || count < most || !b->session->losses.now[LOSS_KEYS_FULL] ||
	    map->storage == SCRIPT_LRU_HASH || map->storage == SCRIPT_LRU_PER_CPU)
		return;
	bt_warning_show(&b->show, map->span,
			"Map full; can't update element: @%s has no room for more than %u keys. "
			"Increase max_map_keys, or declare the map: let @%s = hash(%llu);",
			map->name, most, map->name, 4ULL * most);
	buf_flush(&b->err);
}

static int map_print(struct bt *b, struct bt_show *show, const struct script_map *map, uint64_t top,
		     uint64_t div, bool at_end)
{
	struct bt_map_copy copy;
	struct reader r = { &copy, map->has_key, 0 };
	struct bt_entries entries = { .ctx = &r, .next = entry_next };
	int err = bt_map_read(b, map, &copy);

	entries.images = copy.copies;
	entries.stride = copy.value_size;
	if (!err && at_end && !map->has_key && !bt_map_has_value(&copy))
		copy.count = 0;
	if (!err && at_end)
		full_warn(b, map, copy.count);
	if (!err)
		err = bt_map_show(show, map, &entries, top, div);
	bt_map_copy_free(&copy);
	return err;
}

int bt_print_map(struct bt *b, const struct script_map *map, uint64_t top, uint64_t div,
		 bool at_end)
{
	return map_print(b, &b->show, map, top, div, at_end);
}

int bt_print_map_by(struct bt *b, struct bt_show *show, const struct script_map *map)
{
	return map_print(b, show, map, 0, 0, true);
}

/* ---- actions ---- */

int bt_print_action(struct bt *b, const struct script_action *action, const void *record,
		    size_t size)
{
	int done = bt_action_show(&b->show, action, record, size);

	buf_flush(&b->err);
	if (done)
		return done < 0 ? done : 0;
	switch (action->kind) {
	case ACTION_PRINT_MAP:
		return bt_print_map(b, action->map, bt_action_number(action, 0, record, size, 0),
				    bt_action_number(action, 1, record, size, 0), false);
	case ACTION_CLEAR: return bt_map_clear(b, action->map);
	case ACTION_ZERO: return bt_map_zero(b, action->map);
	default: return -EOPNOTSUPP;
	}
}
