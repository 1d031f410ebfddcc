/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rotate.c - --rotate: FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on; the last one is replaced.
 *
 * A file ends after the record that makes it reach the size, so no record is split between two files.
 */
#include "run/rotate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/option_read.h"
#include "run/session.h"
#include "kernel/file_replace.h"
#include "kernel/capabilities.h"
#include "util/log.h"

/* Returns FILE.number, or FILE. Never NULL: the process exits if it is out of memory. */
static char *name_of(const struct session *s, uint64_t number)
{
	char *name;

	if ((number ? asprintf(&name, "%s.%llu", s->options.files.output,
			       (unsigned long long)number) :
		      asprintf(&name, "%s", s->options.files.output)) >= 0)
		return name;
	log_error("out of memory");
	exit(EXIT_FAILED);
}

/* The same, relative to its folder. */
static void name_in_folder(const struct session *s, uint64_t number, char name[NAME_MAX + 32])
{
	const char *file = s->rotate.place.name;

	snprintf(name, NAME_MAX + 32, number ? "%s.%llu" : "%s", file, (unsigned long long)number);
}

static int file_remove(const struct session *s, uint64_t number)
{
	struct own_rights own = own_rights_begin();
	char in_folder[NAME_MAX + 32], *name = name_of(s, number);
	int err;

	name_in_folder(s, number, in_folder);
	err = unlinkat(s->rotate.place.folder, in_folder, 0) && errno != ENOENT ? -errno : 0;
	own_rights_end(own);

	if (err)
		log_error("--rotate: cannot replace '%s': %s", name, strerror(-err));
	free(name);
	return err;
}

int rotate_open(struct session *s)
{
	struct rotate *r = &s->rotate;
	struct stat st;
	int err;

	if (!r->size)
		return EXIT_FINE;
	if (fstat(s->out.fd, &st) || !S_ISREG(st.st_mode)) {
		log_error("--rotate: '%s' is not a regular file", s->options.files.output);
		return EXIT_USAGE;
	}
	err = place_open_itself(&r->place, s->options.files.output);
	if (err)
		return file_failed(s->options.files.output, err);
	for (uint64_t i = 1; i <= r->files; i++)
		if (file_remove(s, i))
			return EXIT_USAGE;
	r->rows = calloc(r->files + 1, sizeof(*r->rows));
	if (r->rows)
		return EXIT_FINE;
	log_error("out of memory");
	return EXIT_FAILED;
}

int rotate_check(const struct session *s)
{
	char *beside = name_of(s, 1);
	int err = file_replace_check(beside);

	if (err)
		log_error("--rotate: cannot create '%s': %s", beside, place_why(err));
	free(beside);
	return err ? EXIT_USAGE : EXIT_FINE;
}

static int file_move(const struct session *s, uint64_t from)
{
	const int folder = s->rotate.place.folder;
	char *old = name_of(s, from), *new = name_of(s, from + 1);
	char was[NAME_MAX + 32], is[NAME_MAX + 32];
	int err;

	name_in_folder(s, from, was);
	name_in_folder(s, from + 1, is);
	err = renameat(folder, was, folder, is) && (errno != ENOENT || !from) ? -errno : 0;

	if (err)
		log_error("--rotate: cannot rename '%s' to '%s': %s", old, new, strerror(-err));
	free(old);
	free(new);
	return err;
}

/* The output keeps its descriptor number. */
static int file_begin(struct session *s)
{
	const struct file_place *p = &s->rotate.place;
	int fd = openat(p->folder, p->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0666);
	int err = 0;

	if (fd < 0 || dup3(fd, s->out.fd, O_CLOEXEC) < 0) {
		err = -errno;
		log_error("--rotate: cannot open a new '%s': %s", s->options.files.output,
			  strerror(-err));
	}
	if (fd >= 0)
		close(fd);
	return err;
}

/* Called after each record: begins a new file if this one has reached the size. An error becomes the output's. */
static void rotate_poll(struct session *s)
{
	struct rotate *r = &s->rotate;
	struct own_rights own;
	int err = 0;

	if (s->out.written + s->out.len - r->begin < r->size || buf_flush(&s->out) || s->out.len)
		return;
	own = own_rights_begin();
	for (uint64_t i = r->files; i-- > 0 && !err;)
		err = file_move(s, i);
	err = err ?: file_begin(s);
	own_rights_end(own);
	if (err) {
		buf_fail(&s->out, err);
		return;
	}
	r->begin = s->out.written;
	r->rows[++r->count % (r->files + 1)] = s->sink.rows;
	if (s->rows.header)
		s->rows.header(s);
	else
		sink_header(&s->sink);
}

int rotate_write(struct session *s, const void *record, size_t size)
{
	int err = s->rows.write ? s->rows.write(s, record, size) :
				  sink_record(&s->sink, record, size);

	if (s->rotate.size && !err)
		rotate_poll(s);
	return err;
}

void rotate_report(const struct session *s)
{
	const struct rotate *r = &s->rotate;
	uint64_t gone = r->count > r->files ? r->rows[(r->count - r->files) % (r->files + 1)] : 0;

	if (gone)
		log_note(
			"the last %llu of %llu records are in '%s' and '%s.1' to '.%llu': older files "
			"were replaced",
			(unsigned long long)(s->sink.rows - gone), (unsigned long long)s->sink.rows,
			s->options.files.output, s->options.files.output,
			(unsigned long long)r->files);
}
