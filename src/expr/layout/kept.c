/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kept.c - what the begin of a pair keeps (emit/emit_pair.c), as user space finds it in the map.
 */
#include <string.h>

#include "expr/program.h"

size_t expr_kept_size(const struct expr_program *p)
{
	return p->pair_key_size ? p->kept_size : 0;
}

size_t expr_kept_key_size(const struct expr_program *p)
{
	return p->pair_key_size;
}

static void end_fill(const struct slot *s, uint64_t age, char *record)
{
	const struct builtin *b = s->root->builtin;

	if (b && b->id == BUILTIN_LAT)
		memcpy(record + s->offset, &age, sizeof(age));
	else
		record[s->status] = FIELD_STATUS_NONE;
}

uint64_t expr_kept_record(const struct expr_program *p, const void *kept, uint64_t now,
			  void *record)
{
	uint64_t began, age;

	memcpy(&began, kept, sizeof(began));
	age = now > began ? now - began : 0;
	memcpy(record, (const char *)kept + PAIR_TIME_SIZE, p->record_size);
	if (!p->table.count)
		((struct event_header *)record)->ts = now;
	for (size_t i = p->filter_count; i < p->slot_count; i++)
		if (p->slots[i].at_end)
			end_fill(&p->slots[i], age, record);
	return age;
}
