/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * more.c - prints the ends of processes, their ancestors and their environment.
 */
#include "applets/execsnoop/more.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/flag_names.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "cli/applet.h"
#include "util/log.h"

/* ---- --exit ---- */

/* Returns NULL, and sets no value, if the record is not about an end. */
static const struct execsnoop_more *end_of(const void *record, struct value *v)
{
	const struct execsnoop_more *m = record;

	v->status = m->ended ? EVENT_OK : EVENT_NONE;
	return m->ended ? m : NULL;
}

void end_code(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	if (m && m->status & 127)
		v->status = EVENT_NONE;
	v->u = m ? m->status >> 8 & 255 : 0;
}

void end_signal(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	v->u = m ? m->status & 127 : 0;
	if (!v->u)
		v->status = EVENT_NONE;
}

void end_core(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	v->u = m && m->status & 128;
}

static int status_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	*v = (struct value){ 0 };
	if (size < sizeof(struct execsnoop_more))
		return -EBADMSG;
	end_signal(f, record, v);
	if (v->status == EVENT_NONE)
		end_code(f, record, v);
	else
		v->len = 1;
	v->left_out = ((const struct execsnoop_more *)record)->status & 128;
	return 0;
}

static void status_write(struct buf *o, const struct value *v)
{
	const struct field signal = { .type = FIELD_ENUM,
				      .size = sizeof(v->u),
				      .names = flags_signal };
	const char *name = v->len ? value_enum_name(&signal, v) : NULL;

	if (name)
		buf_str(o, name);
	else
		buf_printf(o, v->len ? "SIG%u" : "%u", (unsigned)v->u);
	if (v->left_out)
		buf_str(o, ",core");
}

static TEXT_ASCII(status, status_write(o, v))

	const struct field_kind end_status = { .name = "status of a process",
					       .load = status_load,
					       .text = text_status,
					       .json = json_quoted };

/* Splits the time that a process used like the kernel: in the proportion of the ticks (cputime_adjust,
 * kernel/sched/cputime.c). */
static uint64_t system_of(const struct execsnoop_times *t)
{
	uint64_t ticks = t->user + t->system;

	return ticks ? (uint64_t)((double)t->runtime * (double)t->system / (double)ticks) : 0;
}

void end_system(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	v->u = m ? system_of(&m->times) : 0;
}

void end_user(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	v->u = m ? m->times.runtime - system_of(&m->times) : 0;
}

void end_rss(const struct field *f, const void *record, struct value *v)
{
	const struct execsnoop_more *m = end_of(record, v);

	(void)f;
	v->u = m ? m->max_rss * ((uint64_t)sysconf(_SC_PAGESIZE) >> 10) : 0;
}

/* ---- --tree: ancestors, from the last in the record to the first ---- */

static int ancestors_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_str(f, record, size, v);

	return err ?: v->len % sizeof(struct execsnoop_ancestor) ? -EBADMSG : 0;
}

static bool ancestor_parse(struct value *v, struct execsnoop_ancestor *a)
{
	if (!v->len)
		return false;
	v->len -= sizeof(*a);
	memcpy(a, v->bytes + v->len, sizeof(*a));
	return true;
}

static size_t ancestors_text(struct buf *o, const struct field *f, const struct value *value,
			     enum timestamp_form form)
{
	struct value v = *value;
	struct execsnoop_ancestor a;
	const char *before = v.status == EVENT_CUT ? "…─" : "";
	size_t columns = 0;
	int n = 0;

	(void)f, (void)form;
	for (; ancestor_parse(&v, &a); before = "─") {
		char pid[16];

		n = snprintf(pid, sizeof(pid), "(%u)", a.pid);
		buf_str(o, before);
		/* each of these characters has several bytes */
		columns += *before ? strlen(before) / 3 : 0;
		columns += escape_write(o, a.comm, strnlen(a.comm, sizeof(a.comm)));
		buf_bytes(o, pid, (size_t)n);
		columns += (size_t)n;
	}
	return columns;
}

static void ancestors_json(struct buf *o, const struct field *f, const struct value *value)
{
	struct value v = *value;
	struct execsnoop_ancestor a;
	char before = '[';

	(void)f;
	for (; ancestor_parse(&v, &a); before = ',') {
		buf_printf(o, "%c{\"pid\":%u,\"comm\":", before, a.pid);
		escape_write_json(o, a.comm, strnlen(a.comm, sizeof(a.comm)));
		buf_char(o, '}');
	}
	buf_str(o, before == '[' ? "[]" : "]");
}

const struct field_kind ancestors_kind = {
	.name = "ancestors", .load = ancestors_load, .text = ancestors_text, .json = ancestors_json
};

/* ---- --env ---- */

/* Iterates over the names NAME,NAME… of all uses of the option. */
struct env_names {
	const struct option_list *list;
	size_t i;	  /* the next item */
	const char *rest; /* rest of the last one */
	const char *name; /* the current name */
	size_t len;
};

static bool env_next(struct env_names *n)
{
	if (!n->rest || !*n->rest) {
		if (n->i == n->list->count)
			return false;
		n->rest = n->list->items[n->i++].text;
	}
	n->name = n->rest;
	n->len = strcspn(n->name, ",");
	n->rest += n->len + (n->rest[n->len] == ',');
	return true;
}

void env_check(const struct option_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *text = names->items[i].text;
		size_t len = strlen(text);

		if (len && *text != ',' && text[len - 1] != ',' && !strstr(text, ",,") &&
		    !strchr(text, '='))
			continue;
		log_error("--env '%s': expected names of variables: PATH,HOME", text);
		exit(EXIT_USAGE);
	}
}

/* Finds the first value of that name, like getenv(3). Returns false if it is not set, or was cut off. */
static bool env_find(const struct value *value, const struct env_names *n, const char **word,
		     size_t *len)
{
	struct value v = *value;

	while (value_pop_first(&v, word, len))
		if (*len > n->len && (*word)[n->len] == '=' && !memcmp(*word, n->name, n->len))
			return true;
	return false;
}

/* Marks the value as cut only if the missing part may contain a requested variable. */
static int env_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	struct env_names n = { .list = f->context };
	const char *word;
	bool complete = true;
	size_t len;
	int err = load_str(f, record, size, v);

	if (err || v->status != EVENT_CUT)
		return err;
	while (v->len && v->bytes[v->len - 1]) /* the last word may be incomplete */
		v->len--;
	while (env_next(&n))
		complete &= env_find(v, &n, &word, &len);
	if (complete)
		v->status = EVENT_OK;
	return 0;
}

static size_t env_text(struct buf *o, const struct field *f, const struct value *v,
		       enum timestamp_form form)
{
	struct env_names n = { .list = f->context };
	size_t columns = 0, len;
	const char *word;

	(void)form;
	while (env_next(&n)) {
		if (!env_find(v, &n, &word, &len))
			continue;
		if (columns)
			buf_char(o, ' ');
		columns += !!columns + escape_write_shell(o, word, len);
	}
	if (columns && v->status == EVENT_CUT)
		buf_char(o, ' ');
	columns += columns && v->status == EVENT_CUT;
	if (v->status == EVENT_CUT)
		return columns + text_write_cut(o, v);
	if (!columns)
		buf_char(o, '-');
	return columns ?: 1;
}

static void env_json(struct buf *o, const struct field *f, const struct value *v)
{
	struct env_names n = { .list = f->context };
	const char *word;
	char before = '{';
	size_t len;

	for (; env_next(&n); before = ',') {
		buf_char(o, before);
		escape_write_json(o, n.name, n.len);
		buf_char(o, ':');
		if (env_find(v, &n, &word, &len))
			escape_write_json(o, word + n.len + 1, len - n.len - 1);
		else
			buf_str(o, "null");
	}
	buf_char(o, '}');
}

const struct field_kind env_kind = {
	.name = "environment", .load = env_load, .text = env_text, .json = env_json
};
