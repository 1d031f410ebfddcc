/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_message.c - prints messages: those of the program with their location in its text, and those of the run.
 */
#include <stdarg.h>
#include <stdio.h>

#include "front/bt/show_parts.h"
#include "script/ast.h"
#include "util/escape.h"

/* ---- JSON ---- */

void bt_json_begin(struct buf *o, const char *type)
{
	buf_str(o, "{\"type\": \"");
	buf_str(o, type);
	buf_str(o, "\", \"data\": ");
}

void bt_json_end(struct buf *o)
{
	buf_str(o, "}\n");
}

void bt_json_text(struct buf *o, const char *type, const char *text, size_t len)
{
	bt_json_begin(o, type);
	escape_write_json(o, text, len);
	bt_json_end(o);
}

/* ---- locations ---- */

/* Lines and columns from 1; the last column is the one after the end. */
struct place {
	size_t line, column, last_line, last_column;
	const char *text; /* of the first line */
	size_t len;
};

static void position_find(const char *text, size_t at, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at && text[i]; i++) {
		++*column;
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		}
	}
}

static struct place place_find(const struct bt_show *s, struct span where)
{
	const char *text = s->script && s->script->text ? s->script->text : "";
	size_t len = strlen(text), start = where.start < len ? where.start : len;
	struct place p = { 0 };

	position_find(text, start, &p.line, &p.column);
	position_find(text, where.end < start ? start : where.end, &p.last_line, &p.last_column);
	p.text = text + start - (p.column - 1);
	p.len = strcspn(p.text, "\n");
	return p;
}

/* Writes stdin:1:9-62: WARNING:  ; for several lines stdin:1-3: */
static void place_write(const struct bt_show *s, const struct place *p, const char *level)
{
	if (p->line == p->last_line)
		buf_printf(s->err, "%s:%zu:%zu-%zu: %s: ", s->file, p->line, p->column,
			   p->last_column, level);
	else
		buf_printf(s->err, "%s:%zu-%zu: %s: ", s->file, p->line, p->last_line, level);
}

/* Writes the line, and tildes below the location. A tab counts as four columns. */
static void source_write(const struct bt_show *s, const struct place *p)
{
	if (p->line != p->last_line)
		return;
	for (size_t i = 0; i < p->len; i++)
		buf_str(s->err, p->text[i] == '\t' ? "    " : (char[]){ p->text[i], '\0' });
	buf_char(s->err, '\n');
	for (size_t i = 0; i < p->len && i + 1 < p->last_column; i++)
		buf_repeat(s->err, i + 1 < p->column ? ' ' : '~', p->text[i] == '\t' ? 4 : 1);
	buf_char(s->err, '\n');
}

static void json_place_write(const struct bt_show *s, const struct place *p)
{
	buf_str(s->out, ", \"filename\": ");
	escape_write_json(s->out, s->file, strlen(s->file));
	buf_printf(s->out, ", \"line\": %zu, \"col\": %zu}\n", p->line, p->column);
}

/* {"type": "TYPE", "msg": "TEXT" */
static void json_message_begin(const struct bt_show *s, const char *type, const char *text,
			       size_t len)
{
	buf_str(s->out, "{\"type\": \"");
	buf_str(s->out, type);
	buf_str(s->out, "\", \"msg\": ");
	escape_write_json(s->out, text, len);
}

/* Adds a newline unless the text ends with one. */
void bt_message_show(struct bt_show *s, struct span where, const char *type, const char *text,
		     size_t len)
{
	struct place p = place_find(s, where);

	if (s->json) {
		json_message_begin(s, type, text, len);
		json_place_write(s, &p);
		return;
	}
	place_write(s, &p, strcmp(type, "errorf") ? "WARNING" : "ERROR");
	buf_bytes(s->err, text, len);
	if (!len || text[len - 1] != '\n')
		buf_char(s->err, '\n');
}

void bt_warning_show(struct bt_show *s, struct span where, const char *fmt, ...)
{
	struct place p = place_find(s, where);
	char text[512];
	va_list args;

	if (s->no_warnings)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (s->json) {
		bt_message_show(s, where, "runtime_error", text, strlen(text));
		return;
	}
	place_write(s, &p, "WARNING");
	escape_write_lines(s->err, text, strlen(text));
	buf_char(s->err, '\n');
	source_write(s, &p);
}

void bt_helper_show(struct bt_show *s, struct span where, const char *text, const char *helper,
		    int error)
{
	struct place p = place_find(s, where);
	const char *why = strerror(error);

	if (!s->json) {
		bt_warning_show(s, where, "%s\nAdditional Info - helper: %s, retcode: %d", text,
				helper, -error);
		return;
	}
	if (s->no_warnings)
		return;
	json_message_begin(s, "helper_error", why, strlen(why));
	buf_printf(s->out, ", \"helper\": \"%s\", \"retcode\": %d", helper, -error);
	json_place_write(s, &p);
}

void bt_expansions_show(struct bt_show *s, const struct script_expr *call, bool is_error)
{
	const struct script_expansion *e = s->script && !s->json ? s->script->expansions : NULL;

	while (e && e->of != call)
		e = e->next;
	for (; call && e && (is_error || !s->no_warnings); e = e->outer) {
		struct place p = place_find(s, e->call);

		place_write(s, &p, is_error ? "ERROR" : "WARNING");
		buf_str(s->err, "expanded from\n");
		source_write(s, &p);
	}
}

/* ---- the run ---- */

void bt_attached_show(struct bt_show *s, uint64_t probes)
{
	if (s->json)
		buf_printf(
			s->out,
			"{\"type\": \"attached_probes\", \"count\": %llu, \"data\": {\"probes\": %llu}}\n",
			(unsigned long long)probes, (unsigned long long)probes);
	else
		buf_printf(s->err, "Attached %llu probe%s\n", (unsigned long long)probes,
			   probes == 1 ? "" : "s");
}

void bt_detached_show(struct bt_show *s)
{
	if (!s->json)
		buf_str(s->out, "\n\n");
}
