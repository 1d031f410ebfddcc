/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * only.c - which calls of FUNC are printed: --longer, --errors.
 */
#include "applets/funcgraph/only.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/errname.h"
#include "util/log.h"

const char graph_any_error[] = "any";

static bool wanted_errors[ERRNO_MOST + 1];

/* Parses 100us, 5ms, 0.5s or 20 (seconds, as in -d). Returns the text of an error, or NULL. */
static const char *time_read(const char *text, uint64_t *ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "", 1e9 } };
	char *end;
	double number = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;

	for (size_t i = 0; number >= 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) || number * units[i].ns > 1e18)
			continue;
		*ns = number * units[i].ns;
		return NULL;
	}
	return "takes a time: 100us, 5ms, 0.5s";
}

int graph_longer_set(struct graph_show *show, const char *text)
{
	const char *mistake = text ? time_read(text, &show->longer) : NULL;

	if (mistake)
		log_error("--longer %s: %s", text, mistake);
	return mistake ? -EINVAL : 0;
}

int graph_errors_set(struct graph_show *show, const char *names)
{
	size_t len;
	int number;

	show->errors = names;
	if (!names || !strcmp(names, graph_any_error))
		return 0;
	show->wanted = wanted_errors;
	for (const char *at = names; *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		number = errname_find(at, len);
		if (!number) {
			log_error("--errors '%.*s': no such error", (int)len, at);
			log_hint(
				"errors are names or numbers, with commas between them: --errors=EPERM,13");
			return -EINVAL;
		}
		wanted_errors[number] = true;
	}
	return 0;
}

void graph_errors_word_read(const char **names, int *argc, char **argv)
{
	for (int i = 0; *names == graph_any_error && *argc == 2 && i < 2; i++) {
		if (!errname_find(argv[i], strcspn(argv[i], ",")))
			continue;
		*names = argv[i];
		argv[0] = argv[1 - i];
		*argc = 1;
	}
}
