/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.c - two probes that belong together: the options, and which probe is which side.
 *
 * Nothing here knows what is compiled (expr/resolve/pair.c, expr/emit/emit_pair.c).
 */
#include "argdump/pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "argdump/expr_list.h"
#include "util/log.h"

/* ---- options ---- */

static int options_check(const struct argdump *a, bool clear)
{
	const struct argdump_pair *pair = &a->pair;

	if (!pair->until && (pair->on.count || pair->first || pair->open)) {
		log_error("--%s needs --until", pair->first ? "first" : pair->open ? "open" : "on");
		log_hint("PROBE --until PROBE2 --on KEY traces from one probe to the other");
	} else if (pair->older && !pair->open) {
		log_error("--older needs --open");
	} else if (!pair->until) {
		return 0;
	} else if (pair->open && clear) {
		log_error("--open counts what has not ended: --clear cannot reset that");
	} else if (a->diff.count) {
		log_error(
			"--until and --diff cannot be combined: both say when a record is complete");
	} else if (a->run.depth) {
		log_error("--depth cannot be combined with --until");
	} else if (a->caller) {
		log_error(
			"--caller cannot be combined with --until: name it as caller='$caller:sym'");
	} else {
		return 0;
	}
	return -EINVAL;
}

static int keys_set(struct argdump_pair *pair)
{
	int err = 0;

	for (size_t i = 0; i < pair->on.count && !err; i++) {
		pair->texts[i] = strdup(pair->on.items[i].text);
		err = pair->texts[i] ? expr_list_cut("on", pair->texts[i], pair->keys,
						     EXPR_PAIR_KEYS, &pair->input.key_count) :
				       -ENOMEM;
	}
	pair->input.keys = pair->keys;
	pair->input.keep_first = pair->first;
	pair->input.open = pair->open;
	return err;
}

int pair_set(struct argdump *a, const struct options *common)
{
	int err = options_check(a, common->clear);

	if (err || !a->pair.until)
		return err;
	err = keys_set(&a->pair);
	if (!err)
		err = argdump_request_add(a, a->pair.until, NULL, 0);
	if (err)
		return err;
	a->requests[a->request_count - 1].is_end = true;
	if (!a->requests[a->request_count - 1].old)
		return 0;
	log_error("--until '%s': the end is a PROBE of argdump's own language", a->pair.until);
	log_hint("for example: --until vfs_read%%return");
	return -EINVAL;
}

void pair_close(struct argdump_pair *pair)
{
	for (size_t i = 0; i < pair->on.count; i++) {
		free(pair->texts[i]);
		pair->texts[i] = NULL;
	}
}

/* ---- sides ---- */

struct argdump_probe *pair_other(struct argdump *a, const struct argdump_probe *p)
{
	if (!a->pair.until)
		return NULL;
	/* those that do not fit the expressions are never attached */
	for (size_t i = 0; i < a->probe_count; i++)
		if (a->probes[i].variant && a->probes[i].request != p->request)
			return &a->probes[i];
	return &a->probes[p->request->is_end ? a->pair.ends : 0];
}

bool pair_ends_last(const struct argdump *a)
{
	return a->pair.ends && a->probes->request->spec.kind != PROBE_SPEC_TRACEPOINT;
}

void pair_match(const struct argdump *a, struct argdump_probe *p)
{
	for (size_t i = 0; a->pair.until && i < a->probe_count; i++) {
		const struct argdump_probe *other = &a->probes[i];

		if (other->variant && other->request->is_end != p->request->is_end &&
		    other->request->spec.kind == p->request->spec.kind &&
		    other->kind->scope == p->kind->scope && !strcmp(other->name, p->name))
			p->same_method = other->variant->method;
	}
}

int pair_check(const struct argdump *a, const struct argdump_probe *p, struct expr_error *error)
{
	const struct argdump_probe *other = a->probes, *end = other + a->probe_count;

	while (other < end && (other == p || !other->compiled))
		other++;
	if (other == end || expr_keep_alike(other->expr, p->expr))
		return 0;
	*error = (struct expr_error){ .text = (size_t)-1 };
	snprintf(error->message, sizeof(error->message),
		 "what %s keeps has other types than the expressions have elsewhere", p->name);
	snprintf(error->hint, sizeof(error->hint), "a cast makes them the same: '(long)count'");
	return -EINVAL;
}
