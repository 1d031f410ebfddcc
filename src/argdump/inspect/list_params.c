/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_params.c - parameters, from a BTF prototype or a format file of tracefs; and the fields of
 * the rows of --list.
 */
#include "argdump/inspect/list.h"

#include <string.h>

#include "output/field_load.h"
#include "util/escape.h"

static void put_param(const struct btf_view *btf, const struct btf_param *param, bool json,
		      struct buf *o)
{
	const char *name = btf_view_string(btf, param->name_off);
	char text[LIST_DECLARED_MAX] = "...";

	if (param->type)
		btf_view_declare(btf, param->type, json ? "" : name, text, sizeof(text));
	if (!json) {
		escape_put(o, text, strlen(text));
		return;
	}
	buf_str(o, "{\"name\":");
	if (*name)
		escape_put_json(o, name, strlen(name));
	else
		buf_str(o, "null");
	escape_put_json_key(o, "ctype");
	escape_put_json(o, text, strlen(text));
	buf_char(o, '}');
}

void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip, bool json,
		 struct buf *o)
{
	for (unsigned i = skip; i < btf_vlen(proto); i++) {
		if (i > skip)
			buf_str(o, json ? "," : ", ");
		put_param(btf, &btf_params(proto)[i], json, o);
	}
	if (!json && btf_vlen(proto) <= skip)
		buf_str(o, "void");
}

static void params_put(struct buf *o, const struct list_params *p, bool json)
{
	if (p->format)
		list_fields(p->format, json, o);
	else
		list_params(p->btf, p->proto, p->skip, json, o);
}

void list_params_put(struct buf *o, const struct list_params *p)
{
	buf_char(o, '(');
	if (list_params_known(p))
		params_put(o, p, false);
	else
		buf_char(o, '?');
	buf_char(o, ')');
}

/* ---- fields ---- */

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
	list_params_put(o, (const void *)v->bytes);
	return 0;
}

static void json_params(struct buf *o, const struct field *f, const struct value *v)
{
	(void)f;
	buf_char(o, '[');
	params_put(o, (const void *)v->bytes, true);
	buf_char(o, ']');
}

static const struct field_kind params_kind = {
	"parameters",
	.load = load_params,
	.text = text_params,
	.json = json_params,
};

static const struct field_name attach_names[] = {
	{ LIST_FENTRY, "fentry" }, { LIST_MULTI, "kprobe.multi" },    { LIST_KPROBE, "kprobe" },
	{ LIST_TP_BTF, "tp_btf" }, { LIST_TRACEPOINT, "tracepoint" }, { 0 },
};

#define TEXT(member) FIELD(struct list_row, member, FIELD_TEXT, 0, NULL)
#define PARAMS                                                                                     \
	{                                                                                          \
		.name = "params", FIELD_AT(struct list_row, params), .kind = &params_kind          \
	}
#define ATTACH                                                                                     \
	FIELD(struct list_row, attach, FIELD_FLAGS, 0, NULL, .names = attach_names,                \
	      .flags = FIELD_MAYBE)

const struct field list_function_fields[] = { TEXT(name), TEXT(module), TEXT(returns), PARAMS,
					      ATTACH,	  TEXT(why),	{ 0 } };
const struct field list_tracepoint_fields[] = { TEXT(group), TEXT(name), ATTACH, PARAMS, { 0 } };
const struct field list_syscall_fields[] = { TEXT(name), PARAMS, { 0 } };

struct schema list_schema(const struct field *fields,
			  void (*text)(struct buf *o, const void *record))
{
	struct schema schema = {
		.fields = fields, .record_min = sizeof(struct list_row), .bare = true, .text = text
	};

	while (fields[schema.count].name)
		schema.count++;
	return schema;
}
