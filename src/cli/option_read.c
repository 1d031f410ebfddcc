/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_read.c - parses arguments of options; it does not know their purpose.
 */
#include "cli/option_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/timestamp.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/passwd.h"
#include "util/time_unit.h"

/* Parses an unsigned decimal number; false if there is anything else. */
static bool number_read(const char *arg, uint64_t max, uint64_t *value)
{
	char *end;

	if (*arg < '0' || *arg > '9')
		return false;
	errno = 0;
	*value = strtoull(arg, &end, 10);
	return !*end && !errno && *value <= max;
}

/* ---- lists ---- */

_Static_assert(EVENT_IDS_MAX == 32 && OPTION_NAMES_MAX == 32, "the reason is printed above");

static const char *ids_add(struct event_ids *ids, uint32_t id)
{
	for (uint32_t i = 0; i < ids->count; i++)
		if (ids->ids[i] == id)
			return NULL;
	if (ids->count == EVENT_IDS_MAX)
		return "at most 32 are allowed";
	ids->ids[ids->count++] = id;
	return NULL;
}

static const char *id_parse(const char *text, struct event_ids *ids)
{
	uint64_t n;

	if (!number_read(text, UINT32_MAX, &n) || !n)
		return "expected a number from 1 to 4294967295, or several: 17,18";
	return ids_add(ids, n);
}

static const char *user_parse(const char *text, struct event_ids *ids)
{
	uint32_t uid;
	uint64_t n;

	if (number_read(text, UINT32_MAX, &n))
		return ids_add(ids, n);
	return user_number(text, &uid) ? ids_add(ids, uid) :
					 "no such user in /etc/passwd; a number is also allowed";
}

/* Parses each item between commas. */
static const char *ids_read(const char *arg, struct event_ids *ids,
			    const char *(*take)(const char *text, struct event_ids *ids))
{
	const char *wrong = NULL, *end;

	do {
		end = strchrnul(arg, ',');
		char text[end - arg + 1];

		memcpy(text, arg, end - arg);
		text[end - arg] = 0;
		wrong = take(text, ids);
		arg = end + 1;
	} while (*end && !wrong);
	return wrong;
}

/* A comma after a \, or in a [set], is part of the name. */
static size_t name_length(const char *name)
{
	size_t len = 0;

	for (bool set = false; name[len] && (name[len] != ',' || set); len++) {
		if (name[len] == '\\' && name[len + 1])
			len++;
		else
			set = set ? name[len] != ']' : name[len] == '[';
	}
	return len;
}

static const char *names_read(const char *arg, struct option_names *names)
{
	for (;; arg++) {
		size_t len = name_length(arg);

		if (!len || (len >= EVENT_COMM_LEN && !glob_is_pattern(arg, len)))
			return "a command name has 1 to 15 bytes (the kernel keeps no more)";
		if (names->count == OPTION_NAMES_MAX)
			return "at most 32 are allowed";
		names->items[names->count] = arg;
		names->lengths[names->count++] = len;
		arg += len;
		if (!*arg)
			return NULL;
	}
}

const char *option_names_compile(struct option_names *n)
{
	struct glob_pattern patterns[OPTION_NAMES_MAX];
	int err;

	free(n->table);
	n->table = NULL;
	if (!n->count || (n->count == 1 && !glob_is_pattern(n->items[0], n->lengths[0])))
		return NULL;
	for (size_t i = 0; i < n->count; i++)
		patterns[i] = (struct glob_pattern){ n->items[i], n->lengths[i] };
	n->table = malloc(sizeof(*n->table));
	err = n->table ? glob_compile_any(patterns, n->count, *n->table) : -ENOMEM;
	if (err == -EINVAL)
		return "--comm: a [ in a pattern has no ]";
	if (err == -E2BIG)
		return "--comm: these patterns are too complex together: use fewer *, ? and names";
	return err ? "out of memory" : NULL;
}

/* ---- single values ---- */

/* Parses a decimal number with a fraction and a unit; exact to a nanosecond. */
static const char *seconds_read(const char *arg, void *value)
{
	char *end;
	double n = strtod(arg, &end);
	uint64_t unit = *end ? time_unit_ns(end, strlen(end)) : NS_PER_SEC;

	if (end == arg || !(n > 0) || *arg == '-' || *arg == '+')
		return "expected a time such as 5, 0.5, 100ms, 2m or 1h";
	if (!unit)
		return "the unit must be ns, us, ms, s, m, h or d";
	if (n * unit > 1e18 || n * unit < 1)
		return "the time is out of range (1 ns to 31 years)";
	*(uint64_t *)value = n * unit;
	return NULL;
}

static const char *bytes_read(const char *arg, void *value)
{
	static const char units[] = "KMG";
	char *end;
	uint64_t n = strtoull(arg, &end, 10);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;

	if (*arg < '0' || *arg > '9' || (*end && (!unit || end[1])))
		return "expected a size such as 65536, 512K or 8M";
	if (!n || n > UINT32_MAX)
		return "the size is out of range";
	*(uint64_t *)value = n << (unit ? 10 * (unit - units + 1) : 0);
	return NULL;
}

static const char *size_read(const char *arg, void *value)
{
	uint64_t n = 0;
	const char *wrong = bytes_read(arg, &n);

	if (!wrong && (n < 64 << 10 || n > 1ull << 30 || (n & (n - 1))))
		wrong = "expected a power of two from 64K to 1G";
	if (!wrong)
		*(uint64_t *)value = n;
	return wrong;
}

const char *const option_times[] = { "clock", "iso", "rel", "mono", "unix", "utc", NULL };

static const char *time_read(const char *arg, void *value)
{
	for (int i = 0; option_times[i]; i++) {
		if (arg && strcmp(arg, option_times[i]))
			continue;
		*(enum timestamp_form *)value = TIMESTAMP_CLOCK + i;
		return NULL;
	}
	return "expected clock, iso, rel, mono, unix or utc";
}

/* The text is valid until the next call: a run reports only one error. */
static const char *choices_list(const struct option_spec *spec)
{
	static char text[256];
	size_t len = snprintf(text, sizeof(text), "the choices are");

	for (int i = 0; spec->choices[i] && len < sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, "%s %s", i ? "," : "",
				spec->choices[i]);
	return text;
}

static const char *choice_read(const struct option_spec *spec, const char *arg, void *value)
{
	for (int i = 0; spec->choices[i]; i++) {
		if (strcmp(arg, spec->choices[i]))
			continue;
		*(int *)value = i;
		return NULL;
	}
	return choices_list(spec);
}

static const char *uint_read(const char *arg, void *value)
{
	uint64_t n;

	if (!number_read(arg, UINT32_MAX, &n) || !n)
		return "expected a number from 1 to 4294967295";
	*(uint32_t *)value = n;
	return NULL;
}

static const char *list_read(const struct option_spec *spec, const char *arg, void *value)
{
	struct option_list *list = value;

	if (list->count == OPTION_LIST_MAX)
		return "too many";
	if (arg && !*arg)
		return "it is empty";
	list->items[list->count++] = (struct option_item){ .spec = spec, .text = arg };
	return NULL;
}

bool option_adds(const struct option_spec *spec)
{
	return spec->type == OPTION_IDS || spec->type == OPTION_USERS ||
	       spec->type == OPTION_NAMES || spec->type == OPTION_LIST;
}

bool option_may_be_bare(const struct option_spec *spec)
{
	return spec->type == OPTION_TIME || spec->may_be_bare || spec->bare;
}

bool option_repeats(const struct option_spec *spec)
{
	return option_adds(spec) || spec->type == OPTION_FLAG || spec->type == OPTION_COUNT;
}

bool option_is_set(const struct option_spec *spec, const void *value)
{
	switch (spec->type) {
	case OPTION_FLAG: return *(const bool *)value;
	case OPTION_UINT: return *(const uint32_t *)value;
	case OPTION_SECONDS:
	case OPTION_SIZE:
	case OPTION_BYTES: return *(const uint64_t *)value;
	case OPTION_STRING: return *(const char *const *)value;
	case OPTION_TIME: return *(const enum timestamp_form *)value != TIMESTAMP_NONE;
	case OPTION_CHOICE: return *(const int *)value;
	default: return false;
	}
}

const char *option_read(const struct option_spec *spec, const char *arg, void *value)
{
	if (!arg)
		arg = spec->bare;
	switch (spec->type) {
	case OPTION_FLAG: *(bool *)value = true; return NULL;
	case OPTION_COUNT: ++*(int *)value; return NULL;
	case OPTION_UINT: return uint_read(arg, value);
	case OPTION_IDS: return ids_read(arg, value, id_parse);
	case OPTION_USERS: return ids_read(arg, value, user_parse);
	case OPTION_NAMES: return names_read(arg, value);
	case OPTION_STRING:
		if (!*arg)
			return "it is empty";
		*(const char **)value = arg;
		return NULL;
	case OPTION_SECONDS: return seconds_read(arg, value);
	case OPTION_SIZE: return size_read(arg, value);
	case OPTION_BYTES: return bytes_read(arg, value);
	case OPTION_TIME: return time_read(arg, value);
	case OPTION_CHOICE: return choice_read(spec, arg, value);
	case OPTION_LIST: return spec->add ? spec->add(spec, arg) : list_read(spec, arg, value);
	}
	return "unknown option type";
}

/* ---- the arguments [INTERVAL [COUNT]] ---- */

static int wrong(const char *name, const char *arg, const char *mistake)
{
	log_error("%s '%s': %s", name, arg, mistake);
	log_hint_help();
	return -EINVAL;
}

static int twice(const char *name, const char *arg, const char *option)
{
	log_error("%s is given twice, by --%s and as '%s'", name, option, arg);
	log_hint("leave one of them out");
	return -EINVAL;
}

int intervals_parse(struct options *o, int argc, char **argv, bool anew)
{
	static const struct option_spec seconds = { .type = OPTION_SECONDS },
					number = { .type = OPTION_UINT };
	uint32_t count = 0;
	const char *mistake;

	if (argc > 0 && o->report.interval_ns)
		return twice("INTERVAL", argv[0], "interval");
	mistake = argc > 0 ? option_read(&seconds, argv[0], &o->report.interval_ns) : NULL;
	if (mistake)
		return wrong("INTERVAL", argv[0], mistake);
	mistake = argc > 1 ? option_read(&number, argv[1], &count) : NULL;
	if (!mistake && count && count > UINT64_MAX / o->report.interval_ns)
		mistake = "that is too long";
	if (mistake)
		return wrong("COUNT", argv[1], mistake);
	if (count && o->limits.duration_ns)
		return twice("COUNT", argv[1], "duration");
	if (argc > 0)
		o->report.clear |= anew && !options_want_metrics(o);
	if (count)
		o->limits.duration_ns = o->report.interval_ns * count;
	return 0;
}
