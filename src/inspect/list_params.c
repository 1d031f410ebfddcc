/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_params.c - parameters, from a BTF prototype or a format file of tracefs.
 */
#include "inspect/list_params.h"

#include <string.h>

#include "probe/providers/tracefs.h"
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

static void put_field(const struct event_field *f, bool json, struct buf *o)
{
	const char *behind = f->name + f->name_len; /* [16] */

	if (!json) {
		escape_put(o, f->type, f->type_len);
		if (f->type_len && f->type[f->type_len - 1] != '*')
			buf_char(o, ' ');
		escape_put(o, f->name, f->end - f->name);
		return;
	}
	buf_str(o, "{\"name\":");
	escape_put_json(o, f->name, f->name_len);
	buf_str(o, ",\"ctype\":\"");
	escape_put_part(o, f->type, f->type_len, ESCAPE_JSON);
	escape_put_part(o, behind, f->end - behind, ESCAPE_JSON);
	buf_str(o, "\"}");
}

void list_fields(const char *format, bool json, struct buf *o)
{
	struct event_field f;
	bool more = false;

	while (event_field_next(&format, &f)) {
		if (more)
			buf_str(o, json ? "," : ", ");
		put_field(&f, json, o);
		more = true;
	}
	if (!more && !json)
		buf_str(o, "void");
}

void list_params_items(struct buf *o, const struct list_params *p, bool json)
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
		list_params_items(o, p, false);
	else
		buf_char(o, '?');
	buf_char(o, ')');
}
