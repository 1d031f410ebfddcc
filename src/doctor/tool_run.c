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

static void trial_fail(struct doctor_trial *t)
{
	t->pid = -errno;
	close(t->out_fd);
	close(t->err_fd);
}

/* Starts the child; sets t->pid to -errno on error. */
static void start(const struct doctor *d, const struct applet *a, const char *command,
		  struct doctor_trial *t)
{
	int out[2], err[2];

	if (pipe(out)) {
		t->pid = -errno;
		return;
	}
	if (pipe(err)) {
		t->pid = -errno;
		close(out[0]);
		close(out[1]);
		return;
	}
	t->out_fd = out[0];
	t->err_fd = err[0];
	fflush(NULL);
	t->pid = fork();
	if (!t->pid)
		child(d, a, command, out[1], err[1]);
	if (t->pid < 0)
		trial_fail(t);
	close(out[1]);
	close(err[1]);
}

void doctor_trial_start(const struct doctor *d, const struct applet *a, const char *command,
			struct doctor_trial *t)
{
	*t = (struct doctor_trial){ .plan = malloc(OUTPUT_MAX + 1),
				    .errors = malloc(OUTPUT_MAX + 1) };
	if (t->plan && t->errors)
		start(d, a, command, t);
	else
		t->pid = -ENOMEM;
}

int doctor_trial_wait(struct doctor_trial *t)
{
	int status;

	if (t->pid < 0)
		return t->pid;
	text_read(t->out_fd, t->plan, OUTPUT_MAX);
	text_read(t->err_fd, t->errors, OUTPUT_MAX);
	if (waitpid(t->pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

void doctor_trial_free(struct doctor_trial *t)
{
	free(t->plan);
	free(t->errors);
}
