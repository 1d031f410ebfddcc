/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loader.c - loads the programs of each command line on stdin, in processes of its own that begin with the
 * kernel's types and symbols already read: what takes long is then done once, and not once a line. Prints a line each:
 *
 *	VERDICT <tab> LINE <tab> MILLISECONDS [<tab> WHY]
 *
 * VERDICT: yes or no. WHY: the exit status, the tool's last words, and the end of the verifier's log. The same
 * code runs as in `coretap LINE --load-only`, from its options on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets.h"
#include "front/recipe/recipe.h"
#include "doctor/doctor.h"
#include "doctor/check.h"
#include "util/clock.h"

enum { LINE_SIZE = 512, WORDS_LINES = 3, LOG_LINES = 8 };

static const struct applet *tool_named(const char *line)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " "), line);
	return applet_find(name) ?: recipe_named(name);
}

/* Is it a tool's own message, and not one of those that -v -v adds? */
static bool is_own(const char *line)
{
	return !strstr(line, ": libbpf: ") && !strstr(line, ": found ") &&
	       !strstr(line, "typed loads") && !strstr(line, " insns ");
}

/* The last lines of `text`, joined by |. Changes it. */
static void last_lines(char *text, int most)
{
	char *lines[1 << 12], *save;
	size_t count = 0;

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		if (is_own(l))
			lines[count++ % (sizeof(lines) / sizeof(*lines))] = l;
	for (size_t i = count > (size_t)most ? count - most : 0; i < count; i++)
		printf("%s|", lines[i % (sizeof(lines) / sizeof(*lines))]);
}

static void why(const struct doctor *d, const struct applet *a, const char *line, int status,
		struct doctor_trial *first)
{
	struct doctor_trial again;
	char command[LINE_SIZE + 32];

	printf("\tstatus %d|", status);
	last_lines(first->errors, WORDS_LINES);
	snprintf(command, sizeof(command), "%s --verbose --verbose", line);
	doctor_trial_start(d, a, command, &again);
	doctor_trial_wait(&again);
	last_lines(again.errors, LOG_LINES);
	doctor_trial_free(&again);
}

static void line_load(const struct doctor *d, const char *line)
{
	const struct applet *a = tool_named(line);
	struct doctor_trial trial = { 0 };
	uint64_t began = now_ns();
	int status = -1;

	if (a) {
		doctor_trial_start(d, a, line, &trial);
		status = doctor_trial_wait(&trial);
	}

	printf("%s\t%s\t%llu", status ? "no" : "yes", line,
	       (unsigned long long)(now_ns() - began) / 1000000);
	if (status && a)
		why(d, a, line, status, &trial);
	printf("\n");
	fflush(stdout);
	doctor_trial_free(&trial);
}

int main(void)
{
	const struct options options = { 0 };
	struct doctor d = { .options = &options, .tries = true };
	char line[LINE_SIZE];

	applets = applets_all;
	/* a child that exits would move the shared offset of a buffered stream back to what it has not read */
	setvbuf(stdin, NULL, _IONBF, 0);
	if (doctor_warm(&d))
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		line_load(&d, line);
	}
	return 0;
}
