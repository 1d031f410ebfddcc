/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - --probe-filter: drops probes whose names do not match, after all probes have contributed to the types of
 * the maps.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <regex.h>
#include <string.h>

#include "util/log.h"

/* begin, end and the like run for the program as a whole. */
static bool is_of_program(enum script_probe_kind kind)
{
	return bt_is_special(kind) && kind != PROBE_ITER;
}

static bool matches(const regex_t *regex, const char *name)
{
	return !regexec(regex, name, 0, NULL, 0);
}

/* Kprobes of a pattern have its name, as in bpftrace, however they are attached here. */
static bool has_pattern_name(const struct bt_place *place, const struct argdump_probe *p)
{
	enum script_probe_kind kind = place->attach->kind;

	return p->functions.count > 1 || ((kind == PROBE_KPROBE || kind == PROBE_KRETPROBE) &&
					  strpbrk(place->attach->text, "*?["));
}

static bool probe_matches(const struct bt *b, const regex_t *regex, const struct argdump_probe *p)
{
	const struct bt_place *place = &b->places[p->request->owner - 1];

	if (place->probe->ends_owner)
		return true;
	return matches(regex, has_pattern_name(place, p) ? place->attach->text :
							   b->names.all[p->first_point].probe);
}

/* Returns how many are kept. */
static size_t probes_filter(struct bt *b, const regex_t *regex)
{
	struct argdump_probe *all = b->a.probes;
	size_t kept = 0;

	for (size_t i = 0; i < b->a.probe_count; i++) {
		struct argdump_probe *p = &all[i];

		if (!probe_matches(b, regex, p)) {
			argdump_probe_close(p);
			continue;
		}
		if (kept != i)
			all[kept] = *p;
		b->points[kept] = b->points[i];
		b->points[kept].in = &all[kept].input;
		kept++;
	}
	return kept;
}

/* The same for those that this process runs; their points begin at `from`, and are moved to `to`. */
static size_t specials_filter(struct bt *b, const regex_t *regex, size_t from, size_t to,
			      size_t *chosen)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->special_count; i++) {
		bool of_program = is_of_program(b->specials[i].attach->kind);

		if (!of_program && !matches(regex, b->specials[i].attach->text))
			continue;
		*chosen += !of_program;
		if (kept != i)
			b->specials[kept] = b->specials[i];
		b->points[to + kept] = b->points[from + i];
		b->points[to + kept].in = &b->specials[kept].input;
		kept++;
	}
	return kept;
}

static int regex_compile(const char *pattern, regex_t *regex)
{
	int err = regcomp(regex, pattern, REG_EXTENDED | REG_NOSUB);
	char why[128];

	if (!err)
		return 0;
	regerror(err, regex, why, sizeof(why));
	log_error("--probe-filter: '%s' is not a regular expression: %s", pattern, why);
	return -EINVAL;
}

int bt_probes_filter(struct bt *b)
{
	size_t probes, chosen;
	regex_t regex;

	if (!b->asked.filter)
		return 0;
	if (regex_compile(b->asked.filter, &regex))
		return -EINVAL;
	chosen = probes = probes_filter(b, &regex);
	b->special_count = specials_filter(b, &regex, b->a.probe_count, probes, &chosen);
	b->a.probe_count = probes;
	b->point_count = probes + b->special_count;
	regfree(&regex);
	if (chosen)
		return 0;
	if (b->point_count) {
		log_warn(
			"no probe of the program matches --probe-filter '%s'; only begin and end run",
			b->asked.filter);
		return 0;
	}
	log_error("no probe of the program matches --probe-filter '%s'", b->asked.filter);
	log_hint("it is compared with names as in the program: kprobe:vfs_read, interval:s:1");
	return -EINVAL;
}
