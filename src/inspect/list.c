/* SPDX-License-Identifier: GPL-2.0-only */

#include "inspect/list.h"

#include <string.h>

#include "attach/method.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "probe/providers/tracefs.h"
#include "util/escape.h"
#include "event.h"

/* ---- parameters, from a BTF prototype or a format file of tracefs ---- */

static void write_param(const struct btf_view *btf, const struct btf_param *param, bool json,
			struct buf *o)
{
	const char *name = btf_view_string(btf, param->name_off);
	char text[LIST_DECLARED_MAX] = "...";

	if (param->type)
		btf_view_declare(btf, param->type, json ? "" : name, text, sizeof(text));
	if (!json) {
		escape_write(o, text, strlen(text));
		return;
	}
	buf_str(o, "{\"name\":");
	if (*name)
		escape_write_json(o, name, strlen(name));
	else
		buf_str(o, "null");
	escape_write_json_key(o, "ctype");
	escape_write_json(o, text, strlen(text));
	buf_char(o, '}');
}

void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip, bool json,
		 struct buf *o)
{
	for (unsigned i = skip; i < btf_vlen(proto); i++) {
		if (i > skip)
			buf_str(o, json ? "," : ", ");
		write_param(btf, &btf_params(proto)[i], json, o);
	}
	if (!json && btf_vlen(proto) <= skip)
		buf_str(o, "void");
}

static void write_field(const struct event_field *f, bool json, struct buf *o)
{
	const char *after_name = f->name + f->name_len; /* [16] */

	if (!json) {
		escape_write(o, f->type, f->type_len);
		if (f->type_len && f->type[f->type_len - 1] != '*')
			buf_char(o, ' ');
		escape_write(o, f->name, f->end - f->name);
		return;
	}
	buf_str(o, "{\"name\":");
	escape_write_json(o, f->name, f->name_len);
	buf_str(o, ",\"ctype\":\"");
	escape_write_part(o, f->type, f->type_len, ESCAPE_JSON);
	escape_write_part(o, after_name, f->end - after_name, ESCAPE_JSON);
	buf_str(o, "\"}");
}

void list_fields(const char *format, bool json, struct buf *o)
{
	struct event_field f;
	bool more = false;

	while (event_field_next(&format, &f)) {
		if (more)
			buf_str(o, json ? "," : ", ");
		write_field(&f, json, o);
		more = true;
	}
	if (!more && !json)
		buf_str(o, "void");
}

/* The same without parentheses; the parameters must be known. */
static void list_params_items(struct buf *o, const struct list_params *p, bool json)
{
	if (p->format)
		list_fields(p->format, json, o);
	else
		list_params(p->btf, p->proto, p->skip, json, o);
}

void list_params_write(struct buf *o, const struct list_params *p)
{
	buf_char(o, '(');
	if (list_params_known(p))
		list_params_items(o, p, false);
	else
		buf_char(o, '?');
	buf_char(o, ')');
}

/* ---- the fields of a row of --list ---- */

static int load_params(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_raw(f, record, size, v);

	if (!list_params_known((const void *)v->bytes))
		v->status = EVENT_NONE;
	return err;
}

static size_t text_params(struct buf *o, const struct field *f, const struct value *v,
			  enum timestamp_form form)
{
	(void)f, (void)form;
	list_params_write(o, (const void *)v->bytes);
	return 0;
}

static void json_params(struct buf *o, const struct field *f, const struct value *v)
{
	(void)f;
	buf_char(o, '[');
	list_params_items(o, (const void *)v->bytes, true);
	buf_char(o, ']');
}

const struct field_kind list_params_kind = {
	"parameters",
	.load = load_params,
	.text = text_params,
	.json = json_params,
};

/* Writes a text as a JSON array of its words. */
static void json_words(struct buf *o, const struct field *f, const struct value *v)
{
	const char *at = *(const char *const *)v->bytes ?: "";
	size_t len;

	(void)f;
	buf_char(o, '[');
	for (const char *before = ""; *at; at += len + (at[len] == ' '), before = ",") {
		len = strcspn(at, " ");
		buf_str(o, before);
		escape_write_json(o, at, len);
	}
	buf_char(o, ']');
}

static const struct field_kind words_kind = {
	"names",
	.load = load_raw,
	.text = text_params,
	.json = json_words,
};

static const struct field_name attach_names[] = {
#define METHOD(id, name, ...) { 1u << ATTACH_##id, name },
#include "attach/methods.def"
	{ 0 },
};

#define TEXT(member) FIELD(struct list_row, member, FIELD_TEXT, 0, NULL)
#define PARAMS                                                                                     \
	{                                                                                          \
		.name = "params", FIELD_AT(struct list_row, params), .kind = &list_params_kind     \
	}
#define ATTACH                                                                                     \
	FIELD(struct list_row, attach, FIELD_FLAGS, 0, NULL, .names = attach_names,                \
	      .flags = FIELD_MAYBE)

const struct field list_function_fields[] = { TEXT(name), TEXT(module), TEXT(returns), PARAMS,
					      ATTACH,	  TEXT(why),	{ 0 } };
const struct field list_tracepoint_fields[] = { TEXT(group), TEXT(name), ATTACH, PARAMS, { 0 } };
const struct field list_syscall_fields[] = { TEXT(name), PARAMS, { 0 } };
const struct field list_user_fields[] = {
	TEXT(file),   TEXT(name),
	TEXT(symbol), FIELD(struct list_row, offset, FIELD_UINT, 0, NULL),
	PARAMS,	      { .name = "also", FIELD_AT(struct list_row, also), .kind = &words_kind },
	{ 0 },
};

void list_begin(struct list_rows *l, struct session *s, const char *applet,
		const struct field *fields, void (*text)(struct buf *o, const void *record),
		size_t row_size)
{
	l->schema = (struct schema){
		.fields = fields, .record_min = row_size, .bare = true, .text = text
	};
	while (fields[l->schema.count].name)
		l->schema.count++;
	l->out = &s->out;
	l->sink = (struct sink){
		.schema = &l->schema, .out = l->out, .json = s->options.rows.json, .applet = applet
	};
}

void list_write(struct list_rows *l, const void *row)
{
	sink_record(&l->sink, row, l->schema.record_min);
}

void list_end(struct list_rows *l)
{
	sink_free(&l->sink);
	buf_flush(l->out);
}

const char *list_cheapest(uint32_t attach)
{
	if (attach == LIST_UNKNOWN)
		return "?";
	for (int method = ATTACH_ANY + 1; method < ATTACH_END; method++)
		if (attach & 1u << method)
			return attach_methods[method].name;
	return "-";
}
