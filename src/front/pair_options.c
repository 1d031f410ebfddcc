/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair_options.c - the options of pairs → two requests each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "probe/argdump.h"
#include "probe/pair.h"
#include "util/log.h"

/* Returns the option after that PROBE, else that of all probes, else NULL. */
static const struct option_item *item_of(const struct option_list *list, unsigned owner)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->items[i].owner || list->items[i].owner == owner)
			return &list->items[i];
	return NULL;
}

static int options_check(const struct argdump *a, bool clear)
{
	const struct argdump_pair_options *o = &a->pair;

	if (o->older && !o->open.count) {
		log_error("--older needs --open");
	} else if (!o->until.count) {
		return 0;
	} else if (o->open.count && clear) {
		log_error("--open counts what has not ended: --clear cannot reset that");
	} else if (o->open.count && a->and.count && aggregate_wanted(&a->aggregate)) {
		log_error("--open counts one pair alone: it cannot be combined with --and");
		log_hint(
			"without counting options, what is open is printed, of several pairs, too");
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

/* Reports options after a PROBE that has no --until. */
static int strays_check(const struct argdump *a)
{
	const struct option_list *lists[] = { &a->pair.first, &a->pair.open, &a->pair.on };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (size_t j = 0; j < lists[i]->count; j++) {
			const struct option_item *item = &lists[i]->items[j];

			if (item->owner ? a->requests[item->owner - 1].pair != NULL :
					  a->pair_count != 0)
				continue;
			log_error("--%s needs --until", item->spec->name);
			log_hint(
				"PROBE --until PROBE2 --on KEY traces from one probe to the other");
			return -EINVAL;
		}
	return 0;
}

static int keys_set(struct argdump_pair *pair, const struct option_list *on, unsigned owner)
{
	int err = 0;

	for (size_t i = 0; i < on->count && !err; i++) {
		if (on->items[i].owner && on->items[i].owner != owner)
			continue;
		pair->texts[i] = strdup(on->items[i].text);
		err = pair->texts[i] ? option_list_split("on", pair->texts[i], pair->keys,
							 EXPR_PAIR_KEYS, &pair->input.key_count) :
				       -ENOMEM;
	}
	pair->input.keys = pair->keys;
	return err;
}

/* The request for the end of what that one begins. */
static int end_add(struct argdump *a, size_t begin, const char *text)
{
	struct argdump_pair *pair = a->requests[begin].pair;
	struct argdump_request *end;
	int err = argdump_request_add(a, text, NULL, 0);

	if (err)
		return err;
	end = &a->requests[a->request_count - 1];
	end->pair = pair;
	end->is_end = true;
	end->owner = a->requests[begin].owner;
	if (!end->old)
		return 0;
	log_error("--until '%s': the end is a PROBE of argdump's own language", text);
	log_hint("for example: --until vfs_read%%return");
	return -EINVAL;
}

static int pair_add(struct argdump *a, size_t begin)
{
	const struct argdump_pair_options *o = &a->pair;
	unsigned owner = a->requests[begin].owner;
	const struct option_item *until = item_of(&o->until, owner);
	struct argdump_pair *pair = &a->pairs[a->pair_count];
	int err;

	if (!until)
		return 0;
	a->pair_count++;
	a->requests[begin].pair = pair;
	*pair = (struct argdump_pair){
		.begin = begin,
		.input = { .keep_first = item_of(&o->first, owner),
			   .open = item_of(&o->open, owner) },
		.maps = PROGRAM_MAPS_NONE,
	};
	err = keys_set(pair, &o->on, owner);
	return err ?: end_add(a, begin, until->text);
}

int pair_set(struct argdump *a, const struct options *common)
{
	size_t begins = a->request_count;
	int err = options_check(a, common->clear);

	if (!err && option_list_is_twice(&a->pair.until, "until")) {
		log_hint("--until PROBE,PROBE ends with either");
		err = -EINVAL;
	}
	if (err)
		return err;
	a->pairs = calloc(begins + 1, sizeof(*a->pairs));
	err = a->pairs ? 0 : -ENOMEM;
	for (size_t i = 0; i < begins && !err; i++)
		err = pair_add(a, i);
	return err ?: strays_check(a);
}
