/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.c - conditions that begin and end the recording (--begin-if, --stop-if).
 *
 * One that the program decides is a condition after all others. One that the reader decides is a
 * value of the record that is not shown.
 */
#include "expr/resolve/format.h"
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"

void triggers_add_slots(struct compile *c, bool in_record)
{
	for (int i = EXPR_TRIGGER_BEGIN; i < EXPR_TRIGGERS && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		if (!c->in->triggers[i] || c->in->in_record[i] != in_record)
			continue;
		slot_add(c, c->in->triggers[i]);
		s->trigger = i;
	}
}

void trigger_format(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype t = s->root->type;

	format_scalar(s, FIELD_UINT, 8);
	format_refuse(c, s, "a condition");
	if (s->root->kind == NODE_STRING || (!ctype_is_integer(b, t) && !ctype_is_pointer(b, t)))
		compile_fail(c, s->root->span, "a condition is a number or a pointer");
}

bool expr_triggers(const struct expr_program *p, enum expr_trigger trigger, const void *record)
{
	const uint8_t *bytes = record;
	uint64_t value;

	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];

		if (s->trigger != trigger)
			continue;
		memcpy(&value, bytes + s->place.offset, sizeof(value));
		return value && !(s->place.status && bytes[s->place.status]);
	}
	return false;
}
