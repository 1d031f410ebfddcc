// SPDX-License-Identifier: GPL-2.0
/*
 * event_format.c - the format file of an event (kernel/trace/trace_events.c, f_show):
 *
 *	ID: 315
 *		field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *		field:__data_loc char[] filename;	offset:8;	size:4;	signed:0;
 */
#include "argdump/event_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/list.h"

#define DATA_LOC "__data_loc "
#define REL_LOC "__rel_loc " /* since 5.17; hardly used */

/* Cuts blanks from the end of [text, end) with a NUL, and returns the text without those before. */
static char *trimmed(char *text, char *end)
{
	while (end > text && end[-1] == ' ')
		end--;
	*end = 0;
	return text + strspn(text, " ");
}

/* "const char * filename", "char comm[16]", "__data_loc char[] name" → type and name. */
static void declaration_take(struct expr_param *p, char *text, char *end)
{
	char *bracket, *name;

	if (!strncmp(text, DATA_LOC, strlen(DATA_LOC))) {
		p->where = EXPR_PARAM_DATA_LOC;
		p->is_array = true;
		text += strlen(DATA_LOC);
	}
	*end = 0;
	bracket = strchr(text, '[');
	if (bracket && !strchr(bracket, ' ')) { /* behind the name */
		p->is_array = true;
		end = bracket;
	}
	for (name = end; name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_');)
		name--;
	*end = 0;
	p->name = name;
	if (bracket && bracket < name) /* char[] name */
		name = bracket;
	/* the name may begin right behind the star: keep it, cut the type elsewhere */
	p->type = name > text && name[-1] != ' ' && name != bracket ? NULL : trimmed(text, name);
}

static bool number_take(const char *line, const char *key, unsigned *number)
{
	const char *at = strstr(line, key);

	return at && sscanf(at + strlen(key), "%u", number) == 1;
}

static bool is_common(const char *name)
{
	return !strncmp(name, "common_", 7) || !strncmp(name, "__", 2);
}

static int field_take(struct event_format *f, char *line)
{
	static const char mark[] = "field:";
	char *text = strstr(line, mark), *end = text ? strchr(text, ';') : NULL;
	struct expr_param p = { .where = EXPR_PARAM_FIELD };
	unsigned offset, size, is_signed = 0;

	if (!end)
		return 0;
	if (!number_take(end, "offset:", &offset) || !number_take(end, "size:", &size) ||
	    offset > UINT16_MAX || size > UINT16_MAX)
		return -EBADMSG;
	number_take(end, "signed:", &is_signed);
	text += strlen(mark);
	if (!strncmp(text, REL_LOC, strlen(REL_LOC)))
		return 0;
	p.offset = offset;
	p.size = size;
	p.is_signed = is_signed;
	declaration_take(&p, text, end);
	if (!is_common(p.name))
		f->params[f->count++] = p;
	return 0;
}

static size_t lines_count(const char *text)
{
	size_t count = 0;

	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

int event_format_parse(char *text, struct event_format *f)
{
	char *next, *line = text;
	unsigned id = 0;
	int err = 0;

	*f = (struct event_format){ .text = text };
	f->params = calloc(lines_count(text) + 1, sizeof(*f->params));
	if (!f->params)
		err = -ENOMEM;
	else if (!number_take(text, "ID: ", &id))
		err = -EBADMSG;
	f->id = id;
	for (; !err && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!strncmp(line, "print fmt", 9))
			break;
		err = field_take(f, line);
	}
	if (err)
		event_format_free(f);
	return err;
}

int event_format_read(const char *group, const char *name, struct event_format *f)
{
	char path[256], *text;

	if (snprintf(path, sizeof(path), "events/%s/%s/format", group, name) >= (int)sizeof(path))
		return -ENOENT;
	text = list_tracefs_read(path);
	return text ? event_format_parse(text, f) : -ENOENT;
}

void event_format_free(struct event_format *f)
{
	free(f->params);
	free(f->text);
	*f = (struct event_format){ 0 };
}
