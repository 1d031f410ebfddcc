// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate.c - options → what is measured and by which key; the maps that it is kept in.
 *
 * With --clear there are two maps and the programs find the one in use through a third: exchanging
 * them waits for the programs that still run, so no call is lost between reading and clearing.
 */
#include "argdump/aggregate.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/program.h"

enum {
	KEYS_DEFAULT = 16384,
	KEYS_LEAST = 256,
	MEMORY = 64 << 20, /* bytes that default keys may take on all CPUs */
};

/* ---- options ---- */

static enum expr_measure_kind kind_of(const char *option)
{
	static const char *const names[] = { "count", "sum", "avg", "min", "max", "hist", "lhist" };
	int kind = 0;

	while (strcmp(names[kind], option))
		kind++;
	return kind;
}

/* ",0,100,10" at the end of `text` is cut off it. */
static int steps_take(char *text, struct expr_measure *m)
{
	long long low, high, step;
	char *comma = text + strlen(text);
	int used = 0;

	for (int i = 0; i < 3; i++) {
		while (comma > text && *--comma != ',')
			;
	}
	if (sscanf(comma, ",%lld,%lld,%lld%n", &low, &high, &step, &used) != 3 || comma[used] ||
	    comma == text || step <= 0 || low >= high)
		return -EINVAL;
	*comma = '\0';
	m->low = low;
	m->high = high;
	m->step = step;
	return 0;
}

static int measure_add(struct aggregate *a, const char *option, char *text)
{
	struct expr_measure *m = &a->measures[a->input.count++];

	*m = (struct expr_measure){ .kind = kind_of(option), .text = text };
	if (m->kind != EXPR_LHIST || !steps_take(text, m))
		return 0;
	diag_error("--lhist '%s': an expression, the lowest value, the highest and the step are "
		   "wanted", text);
	diag_hint("--lhist 'count,0,4096,512'");
	return -EINVAL;
}

/* Where the first expression of a list ends: at a comma that is in no parentheses and no text. */
static char *expr_end(char *text)
{
	int depth = 0;
	char quote = 0;

	for (; *text; text++) {
		if (*text == '\\' && quote && text[1])
			text++;
		else if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else if (*text == '(' || *text == '[')
			depth++;
		else if (*text == ')' || *text == ']')
			depth--;
		else if (*text == ',' && depth <= 0)
			break;
	}
	return text;
}

static int keys_add(struct aggregate *a, char *list)
{
	char *end;

	do {
		end = expr_end(list);
		if (a->key_count == OPTION_LIST_MAX || end == list) {
			diag_error(end == list ? "--by '%s': an expression is empty"
					       : "--by '%s': these are too many expressions", list);
			return -EINVAL;
		}
		a->keys[a->key_count++] = list;
		list = end + (*end == ',');
		if (*end)
			*end = '\0';
		else
			return 0;
	} while (true);
}

static int options_check(const struct aggregate_options *o)
{
	const char *alone = o->by.count	     ? "by" :
			    o->top	     ? "top" :
			    o->interval_ns   ? "interval" :
			    o->keys	     ? "keys" :
			    o->clear	     ? "clear" : NULL;

	if (!o->measures.count && alone) {
		diag_error("--%s is for calls that are counted", alone);
		diag_hint("add --count, or --sum, --avg, --min, --max, --hist, --lhist");
		return -EINVAL;
	}
	if (o->clear && !o->interval_ns) {
		diag_error("--clear is for --interval: at the end all is cleared anyway");
		return -EINVAL;
	}
	return 0;
}

/* Copies of the options' texts, to be cut into pieces. */
static int texts_copy(struct aggregate *a, const struct option_list *l, char **copies)
{
	for (size_t i = 0; i < l->count; i++) {
		copies[i] = l->items[i].text ? strdup(l->items[i].text) : NULL;
		if (l->items[i].text && !copies[i])
			return -ENOMEM;
		a->texts[a->text_count++] = copies[i];
	}
	return 0;
}

int aggregate_set(struct aggregate *a, const struct aggregate_options *o)
{
	char *copies[OPTION_LIST_MAX];
	int err = options_check(o);

	a->options = o;
	a->maps[0] = a->maps[1] = -1;
	a->input = (struct expr_aggregate){ .measures = a->measures, .table_fd = -1,
					    .blank_fd = -1, .scratch_fd = -1,
					    .switched = o->clear };
	if (!err)
		err = texts_copy(a, &o->measures, copies);
	for (size_t i = 0; i < o->measures.count && !err; i++)
		err = measure_add(a, o->measures.items[i].spec->name, copies[i]);
	if (!err)
		err = texts_copy(a, &o->by, copies);
	for (size_t i = 0; i < o->by.count && !err; i++)
		err = keys_add(a, copies[i]);
	return err;
}

/* ---- maps ---- */

/* As many as the memory allows, unless they are given. */
static uint32_t keys_room(const struct aggregate *a, const struct expr_table *t)
{
	uint64_t each = t->key_size + (uint64_t)t->words * 8 * a->cpus, fit = MEMORY / each;

	if (a->options->keys)
		return a->options->keys;
	return fit > KEYS_DEFAULT ? KEYS_DEFAULT : fit < KEYS_LEAST ? KEYS_LEAST : fit;
}

static int table_create(const struct aggregate *a, const struct expr_table *t)
{
	if (t->key_size)
		return program_map_create(BPF_MAP_TYPE_PERCPU_HASH, "counts", t->key_size,
					  t->words * 8, keys_room(a, t), 0);
	return program_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "counts", 4, t->words * 8,
				  a->programs, 0);
}

/* The one map that leads to the table in use. */
static int switch_create(struct aggregate *a)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = a->maps[0]);
	uint32_t slot = 0;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "counted", 4, 4, 1, &opts);

	if (fd >= 0 && bpf_map_update_elem(fd, &slot, &a->maps[0], BPF_ANY)) {
		close(fd);
		return -1;
	}
	return fd;
}

int aggregate_open(struct aggregate *a, const struct expr_program *p, unsigned programs)
{
	const struct expr_table *t = expr_table(p);
	struct expr_aggregate *in = &a->input;
	int err = 0;

	a->cpus = libbpf_num_possible_cpus();
	a->programs = programs;
	a->maps[0] = table_create(a, t);
	in->table_fd = a->maps[0];
	if (in->switched && a->maps[0] >= 0) {
		a->maps[1] = table_create(a, t);
		in->table_fd = a->maps[1] < 0 ? -1 : switch_create(a);
	}
	if (in->table_fd < 0)
		err = -errno;
	if (!err && t->key_size) {
		in->blank_fd = program_map_create(BPF_MAP_TYPE_ARRAY, "blank", 4, t->words * 8, 1, 0);
		err = in->blank_fd < 0 ? -errno : 0;
	}
	if (!err && t->scratch_size) {
		in->scratch_fd = program_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "scratch", 4,
						    t->scratch_size, programs, 0);
		err = in->scratch_fd < 0 ? -errno : 0;
	}
	return err;
}

bool aggregate_alike(const struct expr_program *a, const struct expr_program *b)
{
	const struct expr_table *x = expr_table(a), *y = expr_table(b);
	bool alike = x->key_size == y->key_size && x->words == y->words &&
		     x->scratch_size == y->scratch_size &&
		     expr_schema(a)->count == expr_schema(b)->count;

	for (size_t i = 0; i < x->count && alike; i++)
		alike = x->results[i].word == y->results[i].word &&
			x->results[i].is_signed == y->results[i].is_signed;
	return alike;
}

static void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void aggregate_close(struct aggregate *a)
{
	if (a->input.switched)
		fd_close(&a->input.table_fd);
	if (a->options) {
		fd_close(&a->maps[0]);
		fd_close(&a->maps[1]);
		fd_close(&a->input.blank_fd);
		fd_close(&a->input.scratch_fd);
	}
	for (size_t i = 0; i < a->text_count; i++)
		free(a->texts[i]);
	a->text_count = 0;
}
