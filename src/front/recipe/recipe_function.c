/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_function.c - parses a FUNC of bcc's tools: LIBRARY:FUNCTION, u:LIBRARY:PROBE (a static probe), and regular
 * expressions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "front/recipe/recipe.h"
#include "probe/providers/user_file.h"
#include "run/session.h"
#include "util/buf.h"
#include "util/log.h"

/* True if the kernel has such a module, loaded or not. */
static bool is_module(const char *name)
{
	char path[300], file[128], line[4096];
	bool is_one;
	struct utsname u;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%.100s", name);
	is_one = !access(path, F_OK);
	uname(&u);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", u.release);
	snprintf(file, sizeof(file), "/%.100s.ko", name);
	f = fopen(path, "re");
	while (f && !is_one && fgets(line, sizeof(line), f)) {
		line[strcspn(line, ":")] = 0;
		is_one = strstr(line, file);
	}
	if (f)
		fclose(f);
	return is_one;
}

/* True if the name is not a module, but a file, or the name of a library or program. */
static bool is_library(const struct session *s, const char *name)
{
	return strchr(name, '/') || (!is_module(name) && user_file_exists(s, name));
}

static const char *library_name(const char *name)
{
	return !strcmp(name, "c") ? "libc" : !strcmp(name, "pthread") ? "libc" : name;
}

static bool is_kind(const char *name)
{
	return strlen(name) == 1 && strchr("ptrs", *name);
}

/* True for sys_read, SyS_read: functions that current kernels lack. */
static bool is_old_call(const char *name)
{
	return (!strncmp(name, "sys_", 4) || !strncmp(name, "SyS_", 4)) && name[4] &&
	       !strpbrk(name, "*?[:+%(");
}

/* Translates an item of a list to our notation; NULL: unchanged. */
static const char *name_translate(struct recipe *r, const struct session *s, const char *given)
{
	char *copy = recipe_own(r, strdup(given)), *rest = copy, *first, *second, *text = NULL;

	if (is_old_call(given)) {
		if (asprintf(&text, "s:%s", given + 4) < 0)
			return NULL;
		return recipe_own(r, text);
	}
	first = copy ? strsep(&rest, ":") : NULL;
	if (!first || !rest)
		return NULL;
	second = strchr(rest, ':');
	if (!strcmp(first, "u") && second && !strchr(second + 1, ':') && second > rest) {
		*second = 0;
		if (asprintf(&text, "u:%s:*:%s", library_name(rest), second + 1) < 0)
			return NULL;
		log_note("u:%s:%s is a static probe (USDT), as in bcc; a function is %s:%s", rest,
			 second + 1, rest, second + 1);
	} else if (!second && !is_kind(first) && *first && *rest &&
		   is_library(s, library_name(first))) {
		if (asprintf(&text, "u:%s:%s", library_name(first), rest) < 0)
			return NULL;
	}
	return text ? recipe_own(r, text) : NULL;
}

/* ---- regular expressions ---- */

static int regexp_fail(const char *given, size_t at)
{
	log_error("-r: no pattern is equivalent to this regular expression");
	log_caret(given, at, at + 1);
	log_hint("use only ^ $ . .* [abc] and (a|b), or a shell pattern without -r: 'vfs_*'");
	return -EINVAL;
}

/* Writes the shell pattern for the part of an expression from `at` to `end`. */
static int part_write(struct buf *o, const char *given, size_t at, size_t end)
{
	for (; at < end; at++) {
		bool is_any = given[at] == '.', is_more = at + 1 < end && given[at + 1] == '*';

		if (strchr("^$+?{}()|\\", given[at]) || (given[at] == '*') || (is_more && !is_any))
			return regexp_fail(given, at + (is_more && !is_any));
		if (is_any)
			buf_str(o, is_more ? "*" : "[!/]"); /* a final ? has another meaning */
		else
			buf_char(o, given[at]);
		at += is_any && is_more;
	}
	return 0;
}

/* Writes one pattern for each alternative in the parentheses, separated by commas. */
static int regexp_translate(struct recipe *r, const char **given)
{
	const char *text = *given, *name = strrchr(text, ':') ? strrchr(text, ':') + 1 : text;
	size_t len = strlen(text), begin = name - text, end = len - (text[len - 1] == '$');
	bool is_end = end < len;
	size_t open, close, at;
	struct buf o;
	int err = 0;

	begin += text[begin] == '^'; /* as in Python's match, which always starts there */
	open = begin + strcspn(text + begin, "(");
	close = text[open] ? open + strcspn(text + open, ")") : end;
	buf_init(&o, -1);
	for (at = open < end ? open + 1 : end; !err;) {
		size_t stop = open < end ? at + strcspn(text + at, "|)") : end;

		buf_printf(&o, "%s%.*s", o.len ? "," : "", (int)(name - text), text);
		err = part_write(&o, text, begin, open < end ? open : end);
		if (!err && open < end)
			err = part_write(&o, text, at, stop) ?:
							       part_write(&o, text, close + 1, end);
		buf_str(&o, is_end || o.data[o.len - 1] == '*' ? "" : "*");
		if (stop >= end || text[stop] != '|')
			break;
		at = stop + 1;
	}
	buf_char(&o, 0);
	*given = recipe_own(r, o.data);
	return err;
}

/* ---- all of them ---- */

static bool has_regexp(const struct recipe *r)
{
	for (size_t i = 0; i < r->option_count; i++)
		if (!strcmp(r->options[i].spec.name, "regexp"))
			return r->options[i].is_given;
	return false;
}

static int functions_translate(struct recipe *r, const struct session *s, struct recipe_option *a)
{
	char *names, *name;
	const char *ours;
	struct buf o;
	int err = has_regexp(r) ? regexp_translate(r, &a->value) : 0;
	size_t scope = 0; /* u:LIBRARY: of the first item, which the others may omit */

	names = err ? NULL : recipe_own(r, strdup(a->value));
	buf_init(&o, -1);
	while ((name = strsep(&names, ","))) {
		ours = name_translate(r, s, name);
		ours = ours ?: name;
		if (scope && !strncmp(ours, o.data, scope))
			ours += scope;
		else if (!o.len && !strncmp(ours, "u:", 2))
			scope = 3 + strcspn(ours + 2, ":");
		buf_printf(&o, "%s%s", o.len ? "," : "", ours);
	}
	buf_char(&o, 0);
	a->value = recipe_own(r, o.data);
	return err;
}

int recipe_functions_read(struct recipe *r, const struct session *s)
{
	int err = 0;

	for (size_t i = 0; i < r->argument_count && !err; i++)
		if (r->arguments[i].value && !strcmp(r->arguments[i].spec.arg, "FUNC"))
			err = functions_translate(r, s, &r->arguments[i]);
	return err;
}
