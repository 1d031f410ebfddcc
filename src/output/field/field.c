/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.c - queries about fields and their values.
 */
#include "output/field/field.h"

#include <string.h>
#include <linux/types.h>

#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/hist.h"
#include "util/errname.h"
#include "event.h"
#include "output/field/value.h"

#define ERRNO_MAX 4095 /* the kernel's MAX_ERRNO, include/linux/err.h */

bool field_is_right_aligned(const struct field *f)
{
	return field_kind(f)->flags & KIND_RIGHT && !(f->flags & (FIELD_PAIR | FIELD_REMARK));
}

bool field_is_number(const struct field *f)
{
	return field_kind(f)->weight || field_kind(f)->flags & KIND_RIGHT;
}

const char *field_unit_suffix(const struct field *f)
{
	static const char suffixes[][4] = { "", "", "_ns", "_us", "_ms" };
	unsigned flags = field_kind(f)->flags;
	unsigned kind = flags & KIND_NS ? FIELD_UNIT_NS :
			flags & KIND_US ? FIELD_UNIT_US :
			flags & KIND_MS ? FIELD_UNIT_MS :
					  FIELD_UNIT_NONE;

	return suffixes[f->unit ?: f->axis ? f->axis->unit : kind];
}

double field_weight(const struct field *f, const struct value *v)
{
	const struct field_kind *kind = field_kind(f);

	if (v->status != EVENT_OK)
		return -1e30;
	if (kind->weight)
		return kind->weight(f, v);
	return kind->flags & KIND_SIGNED ? (double)(int64_t)v->u : (double)v->u;
}

/* ---- values ---- */

int value_errno(const struct value *v)
{
	int64_t result = (int64_t)v->u;

	return result < 0 && result >= -ERRNO_MAX ? (int)-result : 0;
}

const char *value_error_name(const struct field *f, const struct value *v, bool *negative)
{
	*negative = (int64_t)v->u < 0;
	if (f->type == FIELD_PTR)
		return v->u >= (uint64_t)-ERRNO_MAX ? errname(value_errno(v)) : NULL;
	if (f->type != FIELD_ERROR || !v->u)
		return NULL;
	if (*negative)
		return errname(value_errno(v));
	return v->u <= ERRNO_MAX ? errname((int)v->u) : NULL;
}

int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev)
{
	*ef = *f;
	ef->count = ef->left_out = ef->status = 0;
	ef->value = NULL;
	ef->size = f->size / f->count;
	ef->offset = i * ef->size;
	return field_load(ef, v->bytes, v->len, ev);
}

bool value_is_unreadable(const struct value *v)
{
	return v->status == EVENT_FAULT || v->status == EVENT_NULL;
}

bool value_is_nothing(const struct value *v)
{
	return v->status == EVENT_NONE || (v->status == EVENT_OK && !v->u && !v->len);
}

const char *value_link(const struct field *f, const struct value *v)
{
	return f->status && f->links ? f->links[v->link] : NULL;
}

/* Compares in the field's width: an enumerator of -1 is 0xff in a byte. */
const char *value_enum_name(const struct field *f, const struct value *v)
{
	if (f->name_count)
		return v->u < f->name_count ? f->names[v->u].name : NULL;
	for (const struct field_name *n = f->names; n && n->name; n++)
		if (!low_bits(n->value ^ v->u, field_bits(f)))
			return n->name;
	return NULL;
}

/* A bit is named only once, so O_SYNC, which comes first, wins over O_DSYNC. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named)
{
	for (const struct field_name *n = f->names; n && n->name; n++) {
		uint64_t mask = n->mask ? n->mask : n->value;

		if (!mask || mask & *named || (v->u & mask) != n->value)
			continue;
		*named |= mask;
		return n;
	}
	return NULL;
}

bool value_pop_first(struct value *v, const char **word, size_t *len)
{
	const char *nul = v->len ? memchr(v->bytes, '\0', v->len) : NULL;
	size_t used;

	*word = v->bytes;
	*len = nul ? (size_t)(nul - v->bytes) : v->len;
	used = nul ? *len + 1 : *len;
	v->bytes += used;
	v->len -= used;
	return used > 0;
}

bool value_pop_last(struct value *v, const char **word, size_t *len)
{
	const char *nul;

	if (!v->len)
		return false;
	nul = memrchr(v->bytes, '\0', v->len - 1);
	*word = nul ? nul + 1 : v->bytes;
	*len = v->bytes + v->len - 1 - *word;
	v->len = *word - v->bytes;
	return true;
}

const struct field_name *field_name_find(const struct field_name *names, const char *name)
{
	while (names->name && strcmp(names->name, name))
		names++;
	return names->name ? names : NULL;
}
