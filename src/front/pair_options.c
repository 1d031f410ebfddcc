/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair_options.c - converts the options of a pair to two requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "probe/argdump.h"
#include "probe/pair.h"
#include "util/log.h"

static int options_check(const struct argdump *a, bool clear)
{
	bool is_open = model_has(&a->model, MODEL_OPEN);

	if (a->pairs.older && !is_open) {
		log_error("--older needs --open");
	} else if (!model_has(&a->model, MODEL_UNTIL)) {
		return 0;
	} else if (is_open && clear) {
		log_error("--open counts pairs that have not ended: --clear cannot reset them");
	} else if (is_open && a->model.count > 1 && aggregate_wanted(&a->aggregate)) {
		log_error("--open counts a single pair: it cannot be combined with --and");
		log_hint("without counting options it prints open begins, also of several pairs");
	} else if (a->diff.given.count) {
		log_error("--until and --diff cannot be combined: both define the end of a record");
	} else if (a->run.depth) {
		log_error("--depth cannot be combined with --until");
	} else if (a->front.caller) {
		log_error(
			"--caller cannot be combined with --until: name it as caller='$caller:sym'");
	} else {
		return 0;
	}
	return -EINVAL;
}

/* Checks options of all probes, or of one; `pairs`: they have an --until. */
static int list_check(const struct model_options *list, bool pairs)
{
	static const enum model_setting settings[] = { MODEL_FIRST, MODEL_OPEN, MODEL_ON };

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]) && !pairs; i++) {
		const struct model_option *o = model_options_next(list, settings[i], NULL);

		if (!o)
			continue;
		log_error("--%s needs --until", o->spec->name);
		log_hint("PROBE --until PROBE2 --on KEY traces from one probe to the other");
		return -EINVAL;
	}
	return 0;
}

/* Reports options after a PROBE that has no --until. */
static int strays_check(const struct argdump *a)
{
	int err = list_check(&a->model.all, a->pairs.count);

	for (size_t i = 0; i < a->request_count && !err; i++)
		if (a->requests[i].given && !a->requests[i].is_end)
			err = list_check(&a->requests[i].given->own, a->requests[i].pair);
	return err;
}

static int keys_set(struct argdump *a, struct argdump_pair *pair, const struct model_probe *given)
{
	int err = 0;

	model_each(on, &a->model, given, MODEL_ON)
		err = err   ?:
			      option_list_split("on", model_cut(on), pair->keys, EXPR_PAIR_KEYS,
						&pair->input.key_count);
	pair->input.keys = pair->keys;
	return err;
}

/* Adds the request for the end of a pair. */
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
	end->given = a->requests[begin].given;
	if (!end->old)
		return 0;
	log_error("--until '%s': the end is a PROBE of argdump's own language", text);
	log_hint("for example: --until vfs_read%%return");
	return -EINVAL;
}

static int pair_add(struct argdump *a, size_t begin)
{
	const struct model_probe *given = a->requests[begin].given;
	const struct model_option *until = model_next(&a->model, given, MODEL_UNTIL, NULL);
	struct argdump_pair *pair = &a->pairs.list[a->pairs.count];
	int err;

	if (!until)
		return 0;
	a->pairs.count++;
	a->requests[begin].pair = pair;
	*pair = (struct argdump_pair){
		.begin = begin,
		.input = { .keep_first = model_next(&a->model, given, MODEL_FIRST, NULL),
			   .open = model_next(&a->model, given, MODEL_OPEN, NULL) },
		.maps = PROGRAM_MAPS_NONE,
	};
	err = keys_set(a, pair, given);
	return err ?: end_add(a, begin, until->text.text);
}

int pair_set(struct argdump *a, const struct options *common)
{
	size_t begins = a->request_count;
	int err = options_check(a, common->report.clear);

	if (!err && model_is_twice(&a->model, MODEL_UNTIL)) {
		log_hint("--until PROBE,PROBE ends with either");
		err = -EINVAL;
	}
	if (err)
		return err;
	a->pairs.list = calloc(begins + 1, sizeof(*a->pairs.list));
	err = a->pairs.list ? 0 : -ENOMEM;
	for (size_t i = 0; i < begins && !err; i++)
		err = pair_add(a, i);
	return err ?: strays_check(a);
}
