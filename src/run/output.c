/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.c - opens where the records of a run are written.
 *
 * What is written of a command by an applet whose line takes words goes to stderr, where strace(1) writes; but JSON is for
 * programs, which read stdout.
 */
#include "run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/place.h"
#include "run/session.h"
#include "util/log.h"
#include "util/terminal.h"

static pid_t reader; /* of '|COMMAND'; 0: there is none */

static bool is_program(const struct session *s, const char *path)
{
	return s->applet->line.takes_words && (*path == '|' || *path == '!');
}

/* It has the rights of whoever runs this, as a command on the other side of a pipe. */
static int program_start(const char *line)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	reader = fork();
	if (!reader) {
		dup2(ends[0], STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", line, NULL);
		_exit(127);
	}
	close(ends[0]);
	if (reader > 0)
		return ends[1];
	close(ends[1]);
	return -errno;
}

static int fd_open(const struct session *s, const char *path)
{
	const struct options *o = &s->options;
	bool is_beside = s->applet->line.takes_words && !o->rows.json && !o->attach.dry_run &&
			 (o->child.command || o->child.is_bare);

	if (!path || o->attach.dry_run) /* a plan does not replace a recording */
		return is_beside ? STDERR_FILENO : STDOUT_FILENO;
	if (is_program(s, path))
		return program_start(path + 1);
	if (o->files.is_split)
		path = "/dev/null";
	return o->files.append ? place_append_at(path, 0666) : place_create_at(path, 0666);
}

int output_open(struct session *s)
{
	struct stat st;
	int fd;

	if (s->options.files.trace_json)
		s->options.files.output = s->options.files.trace_json;
	if (s->options.files.pcap)
		s->options.files.output = s->options.files.pcap;
	fd = fd_open(s, s->options.files.output);
	if (fd < 0) {
		file_failed(s->options.files.output, fd);
		return EXIT_USAGE;
	}
	buf_init(&s->out, fd);
	terminal_find(&s->out);
	if (s->options.rows.wide)
		s->out.columns = 0;
	s->out.by_lines = !s->options.files.pcap && !fstat(fd, &st) &&
			  (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	s->out.can_wait = true;
	return EXIT_FINE;
}

int output_program(void)
{
	return reader;
}

void output_keep_alone(const struct session *s)
{
	int null;

	if (!s->applet->line.takes_words || s->out.fd == STDOUT_FILENO)
		return;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	close(null);
}

void output_close(struct session *s)
{
	int fd = s->out.fd;

	buf_free(&s->out);
	if (reader <= 0)
		return;
	close(fd);
	waitpid(reader, NULL, 0);
}
