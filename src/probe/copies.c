/* SPDX-License-Identifier: GPL-2.0-only */
/* copies.c - counts by copied stacks: numbers of copies become hashes of frames. */
#include "probe/copies.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "count/aggregate_read.h"
#include "kernel/arch.h"
#include "output/field/stack_copy.h"
#include "output/rows/stack_id.h"
#include "probe/argdump.h"
#include "util/clock.h"
#include "util/log.h"

enum {
	/* copies after which the counts are moved, if the map has room for twice as many */
	DRAIN_AT = 1024,
	POLL_NS = 10000000, /* while copies arrive */
	/* numbers of calls that were not counted after their stack was copied */
	NUMBERS_MAX = 65536,
};

/* A value of EXPR_MAP_NEWS. */
struct news {
	struct stack_id id; /* hash: the number */
	struct event_user_copy copy;
};

struct number {
	uint64_t number, hash;
};

struct copies {
	struct news *news;		/* owned: room for one */
	uint32_t room, drain_at;	/* copies that the map can hold, and DRAIN_AT or less */
	struct field field;		/* of its copy */
	void *numbers;			/* owned: struct number, a search tree */
	size_t number_count, undrained; /* copies since the counts were moved */
	struct aggregate_rows counts;	/* owned: those moved */
};

static int number_compare(const void *x, const void *y)
{
	const struct number *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* ---- the stacks ---- */

static void number_add(struct copies *c, uint64_t number, uint64_t hash)
{
	struct number *n = malloc(sizeof(*n));

	if (!n)
		return;
	*n = (struct number){ number, hash };
	if (!tsearch(n, &c->numbers, number_compare))
		free(n);
	else
		c->number_count++;
}

/* Removes the number. Returns its hash, or STACK_LOST if it is unknown. */
static uint64_t number_remove(struct copies *c, uint64_t number)
{
	struct number **there = tfind(&(struct number){ .number = number }, &c->numbers,
				      number_compare),
		      *n = there ? *there : NULL;
	uint64_t hash = n ? n->hash : STACK_LOST;

	if (!n)
		return hash;
	tdelete(n, &c->numbers, number_compare);
	free(n);
	c->number_count--;
	return hash;
}

static void stack_unwind(struct session *s, struct argdump_stacks *k)
{
	struct copies *c = k->copies;
	const struct value v = { .u = c->news->id.tgid,
				 .bytes = (const char *)c->news->copy.words,
				 .len = (unsigned)(arch_offset(
							   arches[ARCH_NATIVE].sample_registers) +
						   c->news->copy.size) };
	uint64_t hash = stacks_copy_name(k, &c->news->id, &c->field, &v);

	s->losses.local[LOSS_STACKS_FULL] += hash == STACK_LOST;
	s->losses.local[LOSS_FAULT] += hash == STACK_FAULT;
	number_add(c, c->news->id.hash, hash);
	c->undrained++;
}

/* Unwinds those that wait, but not for ever if programs add more. After --clear no name is in use any more. */
static void stacks_unwind(struct session *s)
{
	struct argdump_stacks *k = &((struct argdump *)s->private)->stacks;

	if (!k->copies->counts.count && !k->copies->number_count)
		stacks_copies_forget(k);
	for (uint32_t i = 0;
	     i < k->copies->room && !bpf_map_lookup_and_delete_elem(k->news, NULL, k->copies->news);
	     i++)
		stack_unwind(s, k);
}

/* ---- the counts ---- */

static void key_rename(struct copies *c, const struct schema *schema, char *key)
{
	struct stack_id id;

	for (const struct field *f = schema->fields; f < schema->fields + schema->count; f++) {
		if (f->kind != &stack_id_kinds[1])
			continue;
		memcpy(&id, key + f->offset, sizeof(id));
		if (id.hash < STACK_NONE)
			continue;
		id.hash = number_remove(c, id.hash);
		memcpy(key + f->offset, &id, sizeof(id));
	}
}

static int counts_add(const struct aggregate *g, struct aggregate_rows *to,
		      const struct aggregate_rows *from)
{
	char *bytes = realloc(to->bytes, (to->count + from->count) * from->stride + 1);

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes + to->count * from->stride, from->bytes ?: "", from->count * from->stride);
	*to = (struct aggregate_rows){ bytes, from->stride, to->count + from->count };
	aggregate_rows_merge_equal(g, to);
	return 0;
}

/* Moves the counts. A copy is announced before its call is counted: each number that is read is known afterwards. */
static int counts_drain(struct session *s)
{
	struct argdump *a = s->private;
	struct copies *c = a->stacks.copies;
	struct aggregate_rows rows;
	int err = aggregate_rows_read(&a->aggregate, &rows);

	stacks_unwind(s);
	for (size_t i = 0; i < rows.count; i++) {
		char *key = rows.bytes + i * rows.stride;

		key_rename(c, row_key_schema(&a->aggregate, key), key);
	}
	err = err ?: counts_add(&a->aggregate, &c->counts, &rows);
	free(rows.bytes);
	c->undrained = 0;
	return err;
}

void copies_poll(struct session *s)
{
	struct copies *c = ((struct argdump *)s->private)->stacks.copies;
	size_t before = c ? c->undrained : 0;

	if (!c)
		return;
	stacks_unwind(s);
	s->needs.poll_at = c->undrained > before ? now_ns() + POLL_NS : 0;
	if (c->undrained >= c->drain_at && counts_drain(s))
		log_warn("out of memory: counts by stacks are missing");
	if (c->number_count > NUMBERS_MAX) {
		tdestroy(c->numbers, free);
		c->numbers = NULL;
		c->number_count = 0;
	}
}

int copies_rows_read(struct session *s, struct aggregate_rows *rows)
{
	struct argdump *a = s->private;
	struct copies *c = a->stacks.copies;
	int err = counts_drain(s);

	*rows = c->counts;
	rows->bytes = malloc(rows->count * rows->stride + 1);
	if (err || !rows->bytes)
		return err ?: -ENOMEM;
	memcpy(rows->bytes, c->counts.bytes, rows->count * rows->stride);
	if (s->options.report.clear)
		c->counts.count = 0;
	return 0;
}

/* ---- open and close ---- */

int copies_open(struct argdump *a)
{
	struct bpf_map_info info = { 0 };
	__u32 len = sizeof(info);
	struct copies *c;

	if (!a->run.stack_copy || a->stacks.news < 0)
		return 0;
	c = a->stacks.copies = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	if (bpf_obj_get_info_by_fd(a->aggregate.maps[0], &info, &len))
		return -errno;
	c->drain_at = info.max_entries / 2 < DRAIN_AT ? info.max_entries / 2 : DRAIN_AT;
	if (bpf_obj_get_info_by_fd(a->stacks.news, &info, &len))
		return -errno;
	c->news = malloc(info.value_size);
	c->room = info.max_entries;
	c->field = (struct field){ .type = FIELD_USER_STACK,
				   .kind = &stack_copy_kind,
				   .size = info.value_size - sizeof(struct stack_id),
				   .width = a->run.stack_depth ?: STACK_DEFAULT };
	return c->news ? 0 : -ENOMEM;
}

void copies_close(struct argdump *a)
{
	struct copies *c = a->stacks.copies;

	tdestroy(c->numbers, free);
	free(c->counts.bytes);
	free(c->news);
	free(c);
	a->stacks.copies = NULL;
}
