/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipes.c - plans a recipe in a process of its own, because a run of argdump can be had once in a
 * process, and reads what it prints: the plan, or why there is none.
 */
#include "doctor/recipes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argdump/recipe/recipe.h"
#include "session/session.h"
#include "util/log.h"
#include "util/shell_words.h"

enum { WORDS_MAX = 64, OWN_WORDS = 4, OUTPUT_MAX = 64 << 10 };

/* ---- the run ---- */

/* Its first example has the arguments that it needs. */
static int words_make(const struct doctor *d, const struct applet *a, char **words)
{
	const char *example = a->examples ? a->examples[0].command : NULL;
	char *command = strdup(example ?: a->name);
	size_t at;
	int count = command ? shell_words_split(command, words, WORDS_MAX, &at) : 0;

	for (int i = 0; i < count; i++)
		if (!strcmp(words[i], "--")) /* a command is not run */
			count = i;
	words[count++] = "--dry-run";
	words[count++] = "-q";
	if (d->options->btf) {
		words[count++] = "--btf";
		words[count++] = (char *)d->options->btf;
	}
	words[count] = NULL;
	return count;
}

static void child(const struct doctor *d, const struct applet *a, int out, int errors)
{
	char *words[WORDS_MAX + OWN_WORDS + 1];
	int count = words_make(d, a, words), code;

	dup2(out, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	code = session_main(a, count, words);
	fflush(NULL);
	_exit(code);
}

/* Up to `max` bytes, and the rest away. */
static void text_read(int fd, char *text, size_t max)
{
	char rest[4096];
	size_t len = 0;
	ssize_t got;

	while ((got = len < max ? read(fd, text + len, max - len) : read(fd, rest, sizeof(rest))) >
	       0)
		len += len < max ? (size_t)got : 0;
	text[len < max ? len : max] = 0;
	close(fd);
}

/* ---- what it printed ---- */

static const char *line_end(const char *text)
{
	return strchrnul(text, '\n');
}

/* "argdump: what is wrong": the first line, without the name. */
static void error_say(struct doctor_result *r, const char *errors, const char *name)
{
	size_t len = strlen(name);

	if (!strncmp(errors, name, len) && !strncmp(errors + len, ": ", 2))
		errors += len + 2;
	doctor_say(r, DOCTOR_NO, 0, "%.*s", (int)(line_end(errors) - errors), errors);
}

/* Lines that do not begin with blanks name the method and what it is attached to; a method is said
 * once. */
static void plan_say(struct doctor_result *r, const char *plan)
{
	size_t size = sizeof(r->text), len = 0, method_len = 0;
	const char *method = "";
	char text[sizeof(r->text)];

	for (const char *end; *plan && len < size; plan = end + (*end != 0)) {
		size_t head = strcspn(plan, " \n");
		bool same = head == method_len && !strncmp(plan, method, head);

		end = line_end(plan);
		if (*plan == ' ')
			continue;
		len += snprintf(text + len, size - len, "%s%.*s",
				!len ? "" :
				same ? "" :
				       ", ",
				(int)(end - plan - (same ? head : 0)), plan + (same ? head : 0));
		method = plan;
		method_len = head;
	}
	if (len >= size)
		strcpy(text + size - 4, "...");
	doctor_say(r, DOCTOR_YES, 0, "%s", text);
}

static int run(struct doctor *d, const struct applet *a, char *plan, char *errors, size_t size)
{
	int out[2], err[2], status;
	pid_t pid;

	if (pipe(out))
		return -errno;
	if (pipe(err)) {
		close(out[0]);
		close(out[1]);
		return -errno;
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		child(d, a, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	text_read(out[0], plan, size);
	text_read(err[0], errors, size);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

void doctor_recipe_judge(struct doctor *d, const char *name, struct doctor_result *r)
{
	const struct applet *a = recipe_named(name);
	char *plan = malloc(OUTPUT_MAX + 1), *errors = malloc(OUTPUT_MAX + 1);
	int code = plan && errors && a ? run(d, a, plan, errors, OUTPUT_MAX) : -ENOMEM;

	if (code < 0)
		doctor_say(r, DOCTOR_UNKNOWN, -code, "it could not be tried");
	else if (code)
		error_say(r, errors, a->name);
	else
		plan_say(r, plan);
	free(plan);
	free(errors);
}
