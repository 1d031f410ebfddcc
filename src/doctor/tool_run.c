/* SPDX-License-Identifier: GPL-2.0-only */
/* tool_run.c - runs a tool without tracing, in a child process. */
#include "doctor/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/session.h"
#include "util/shell_words.h"

enum { WORDS_MAX = 64, OWN_WORDS = 4, OUTPUT_MAX = 64 << 10 };

static void words_build(const struct doctor *d, const char *command, char **words)
{
	char *text = strdup(command);
	size_t at;
	int count = text ? shell_words_split(text, words, WORDS_MAX, &at) : 0;

	for (int i = 0; i < count; i++)
		if (!strcmp(words[i], "--")) /* do not run the command */
			count = i;
	words[count++] = d->tries ? "--load-only" : "--dry-run";
	words[count++] = "--quiet"; /* not -q, which a tool may refuse as another tool's option */
	if (d->options->attach.btf) {
		words[count++] = "--btf";
		words[count++] = (char *)d->options->attach.btf;
	}
	words[count] = NULL;
}

static int words_count(char *const *words)
{
	int count = 0;

	while (words[count])
		count++;
	return count;
}

static void child(const struct doctor *d, const struct applet *a, const char *command, int out,
		  int errors)
{
	char *words[WORDS_MAX + OWN_WORDS + 1];
	int code;

	words_build(d, command, words);
	dup2(out, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	code = session_main(a, words_count(words), words);
	fflush(NULL);
	_exit(code);
}

/* Reads up to `max` bytes, and discards the rest. */
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

static int run(const struct doctor *d, const struct applet *a, const char *command,
	       struct doctor_tool_output *o)
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
		child(d, a, command, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	text_read(out[0], o->plan, OUTPUT_MAX);
	text_read(err[0], o->errors, OUTPUT_MAX);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

int doctor_tool_run(const struct doctor *d, const struct applet *a, const char *command,
		    struct doctor_tool_output *o)
{
	o->plan = malloc(OUTPUT_MAX + 1);
	o->errors = malloc(OUTPUT_MAX + 1);
	return o->plan && o->errors ? run(d, a, command, o) : -ENOMEM;
}

void doctor_tool_free(struct doctor_tool_output *o)
{
	free(o->plan);
	free(o->errors);
}
