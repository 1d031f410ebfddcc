/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.c - events as tracefs has them: its list of them, and the format file of one
 * (kernel/trace/trace_events.c, f_show):
 *
 *	name: sched_switch
 *	ID: 315
 *	format:
 *		field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *		field:__data_loc char[] filename;	offset:8;	size:4;	signed:0;
 */
#include "probe/providers/tracefs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "util/log.h"

#define DATA_LOC "__data_loc "
#define REL_LOC	 "__rel_loc " /* since 5.17; rarely used */

/* ---- availability ---- */

int tracefs_check(void)
{
	int fd = tracefs_open("available_events", O_RDONLY);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

void tracefs_report(const char *lack)
{
	/* without -q only, because log_hint ignores -q */
	static const char *reported;
	int err = log_is_quiet() || reported == lack ? 0 : tracefs_check();

	reported = lack;
	if (err == -EACCES) {
		log_note("%s: tracefs cannot be read", lack);
		log_hint("that needs CAP_DAC_READ_SEARCH, or " TRACEFS_ALLOW "%s",
			 capabilities_hint(CAPABILITY(CAP_DAC_READ_SEARCH)));
	} else if (err) {
		log_note("%s: tracefs is not mounted", lack);
		log_hint("mount -t tracefs tracefs /sys/kernel/tracing");
	}
}

/* ---- events ---- */

bool event_line_next(char **text, char **group, char **name)
{
	char *line = *text, *end, *colon;

	if (!line || !*line)
		return false;
	end = strchrnul(line, '\n');
	*text = *end ? end + 1 : end;
	*end = 0;
	colon = strchr(line, ':');
	*group = line;
	*name = colon ? colon + 1 : line;
	if (colon)
		*colon = 0;
	return true;
}

static const char *name_begin(const char *text, const char *end)
{
	while (end > text && (isalnum((unsigned char)end[-1]) || end[-1] == '_'))
		end--;
	return end;
}

/* "const char * filename", "char comm[16]", "__data_loc char[] name": brackets before the name
 * belong to the type. */
static void declaration_split(struct event_field *f, const char *text, const char *end)
{
	const char *bracket = memchr(text, '[', end - text);
	const char *name_end = bracket && !memchr(bracket, ' ', end - bracket) ? bracket : end;
	const char *type_end;

	f->type = text;
	f->name = type_end = name_begin(text, name_end);
	f->name_len = name_end - f->name;
	while (type_end > text && type_end[-1] == ' ')
		type_end--;
	f->type_len = type_end - text;
	f->end = end;
}

/* True for fields that the tracer adds: the common ones, __syscall_nr, and __filename_val of 7.x (the text). */
static bool is_added(const struct event_field *f)
{
	return !strncmp(f->name, "common_", 7) || !strncmp(f->name, "__", 2);
}

bool event_field_next(const char **text, struct event_field *f)
{
	static const char mark[] = "\tfield:";

	while ((*text = strstr(*text, mark))) {
		const char *begin = *text + strlen(mark), *end = begin + strcspn(begin, ";\n");

		*text = *end ? end + 1 : end; /* param_build overwrites this byte with a NUL */
		declaration_split(f, begin, end);
		if (!is_added(f))
			return true;
	}
	return false;
}

/* Terminates the texts, in memory that the caller provides. A type is copied there if the name follows its `*`
 * directly and leaves no room for a NUL. */
static int param_build(const struct event_field *f, struct expr_param *p)
{
	unsigned offset, size, is_signed = 0;
	char *type = (char *)f->type, *name = (char *)f->name;
	char *type_end = type + f->type_len;

	if (sscanf(f->end, "; offset:%u; size:%u; signed:%u", &offset, &size, &is_signed) < 2 ||
	    offset > UINT16_MAX || size > UINT16_MAX)
		return -EBADMSG;
	*p = (struct expr_param){ .where = EXPR_PARAM_FIELD,
				  .name = name,
				  .offset = offset,
				  .size = size,
				  .is_signed = is_signed,
				  .is_array = name[f->name_len] == '[' };
	if (!strncmp(type, DATA_LOC, strlen(DATA_LOC))) {
		p->where = EXPR_PARAM_DATA_LOC;
		p->is_array = true;
		type += strlen(DATA_LOC);
	}
	if (p->is_array && p->where == EXPR_PARAM_FIELD)
		p->extent = name + f->name_len + 1;
	name[f->name_len] = 0;
	if (type_end == name)
		return 0;
	*type_end = 0;
	type[strcspn(type, "[")] = 0; /* "char[] name" */
	p->type = type;
	return 0;
}

static size_t fields_count(const char *text)
{
	struct event_field f;
	size_t count = 0;

	while (event_field_next(&text, &f))
		count++;
	return count;
}

/* The number of a system call: not an argument of it, but scripts name it. */
static bool number_find(const char *text, struct event_field *f)
{
	static const char mark[] = "\tfield:", number[] = "int __syscall_nr;";
	const char *at = strstr(text, number);

	if (!at || at - text < (int)strlen(mark) || memcmp(at - strlen(mark), mark, strlen(mark)))
		return false;
	declaration_split(f, at, at + strlen(number) - 1);
	return true;
}

int tracefs_event_parse(char *text, struct tracefs_event *format)
{
	const char *at = text;
	struct event_field f, number;
	bool has_number = number_find(text, &number);
	int err = 0;

	*format = (struct tracefs_event){ .text = text };
	format->params = calloc(fields_count(text) + 2, sizeof(*format->params));
	if (!format->params)
		err = -ENOMEM;
	else if (sscanf(text, "name: %*s ID: %d", &format->id) != 1)
		err = -EBADMSG;
	while (!err && event_field_next(&at, &f)) {
		if (!strncmp(f.type, REL_LOC, strlen(REL_LOC)))
			continue;
		err = param_build(&f, &format->params[format->count]);
		format->count += !err;
	}
	if (!err && has_number) {
		err = param_build(&number, &format->params[format->count]);
		format->params[format->count].is_hidden = true;
		format->count += !err;
	}
	if (err)
		tracefs_event_free(format);
	return err;
}

int tracefs_event_read(const char *group, const char *name, struct tracefs_event *f)
{
	char path[256], *text;

	if (snprintf(path, sizeof(path), "events/%s/%s/format", group, name) >= (int)sizeof(path))
		return -ENOENT;
	text = tracefs_read(path);
	return text ? tracefs_event_parse(text, f) : -ENOENT;
}

void tracefs_event_free(struct tracefs_event *f)
{
	free(f->params);
	free(f->text);
	*f = (struct tracefs_event){ 0 };
}
