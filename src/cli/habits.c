/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits.c - the table of habits, and the search for the row of a word.
 */
#include "cli/habits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/habits_line.h"
#include "util/log.h"
#include "util/unpack.h"

/* packed by tools/pack-habits */
extern const unsigned char habits_packed[];
extern const size_t habits_packed_size, habits_size, habits_count;

static const char *text_next(const char **at)
{
	const char *text = *at;

	*at += strlen(text) + 1;
	return strcmp(text, HABIT_NO_TEXT) ? text : NULL;
}

static void row_unpack(struct habit *h, const char **at)
{
	h->letter = *(*at)++;
	h->takes_value = *(*at)++ == '1';
	h->when = *(*at)++ - 1;
	h->tools = text_next(at);
	h->name = text_next(at);
	h->means = text_next(at);
	h->instead = text_next(at);
	h->note = text_next(at);
}

/* Returns the rows of habits.def, unpacked by the first call; *end is behind the last. */
static const struct habit *habit_rows(const struct habit **end)
{
	static struct habit *rows;
	const char *at;

	if (!rows) {
		rows = calloc(habits_count, sizeof(*rows));
		at = unpack_embedded(habits_packed, habits_packed_size, habits_size);
		if (!rows || !at)
			habits_no_memory();
		for (size_t i = 0; i < habits_count; i++)
			row_unpack(&rows[i], &at);
	}
	*end = rows + habits_count;
	return rows;
}

bool habit_is_number(const char *value)
{
	size_t digits = strspn(value, "0123456789.,");

	return isdigit((unsigned char)*value) && strlen(value) <= digits + 2 &&
	       strspn(value + digits, "KMGnumsh") == strlen(value + digits);
}

/* 202,1 */
static bool is_device(const char *value)
{
	size_t major = strspn(value, "0123456789"), minor;

	minor = value[major] == ',' ? strspn(value + major + 1, "0123456789") : 0;
	return major && minor && !value[major + 1 + minor];
}

static bool is_language(const char *value)
{
	static const char *const languages[] = { "java",   "node", "perl", "php",
						 "python", "ruby", "tcl" };

	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (!strcmp(languages[i], value))
			return true;
	return false;
}

/* A word that looks like an option is not the value of the option before it, unless it is attached. */
static bool is_word(const struct habit *h, const struct habit_word *w)
{
	if (!w->value)
		return !h->takes_value;
	if (*w->value == '-' && w->value[1] && !w->is_attached)
		return !h->takes_value;
	return !habit_is_number(w->value);
}

static bool has_pattern(const char *expression)
{
	struct buf o;
	bool has;

	buf_init(&o, -1);
	has = habit_pattern_write(&o, expression);
	buf_free(&o);
	return has;
}

static bool is_when(const struct habit *h, const struct habit_word *w)
{
	const char *value = w->value ?: "";

	switch (h->when) {
	case HABIT_ALWAYS:
	case HABIT_SAID:
	case HABIT_EVER:
	case HABIT_NOTED: return true;
	case HABIT_NUMBER: return habit_is_number(value);
	case HABIT_WORD: return is_word(h, w);
	case HABIT_UNPATTERN: return is_word(h, w) && !has_pattern(value);
	case HABIT_TWO: return strchr(value, ',');
	case HABIT_PATH: return *value == '/' && !strchr(value, '*');
	case HABIT_BARE: return !w->value || (*value == '-' && !w->is_attached);
	case HABIT_GROUPED: return !w->value || w->is_attached || *value == '-';
	case HABIT_FIRST_NUMBER: return !w->arguments && habit_is_number(value);
	case HABIT_LATER_NUMBER: return w->arguments && habit_is_number(value);
	case HABIT_LONE_NUMBER:
		return !w->arguments && habit_is_number(value) &&
		       (!w->after || !habit_is_number(w->after));
	case HABIT_NUMBERS: return habit_is_number(value) && w->after && habit_is_number(w->after);
	case HABIT_CALL: return strchr(value, '(');
	case HABIT_TRACE: return !w->arguments && !strcmp(value, "trace");
	case HABIT_INFO: return !w->arguments && !strcmp(value, "info");
	case HABIT_DEVICE: return is_device(value);
	case HABIT_C: return !w->arguments && !strcmp(value, "c");
	case HABIT_NONE: return !strcmp(value, "none");
	case HABIT_MYSQL: return !w->arguments && !strcmp(value, "mysql");
	case HABIT_LANGUAGE: return is_language(value);
	case HABIT_FIRST_LANGUAGE: return !w->arguments && is_language(value);
	case HABIT_OPENSSL: return !strncmp(value, "openssl:", 8);
	case HABIT_GNUTLS: return !strncmp(value, "gnutls:", 7);
	case HABIT_NSS: return !strncmp(value, "nss:", 4);
	case HABIT_SERVER: return !w->arguments && !strcmp(value, "postgres");
	}
	return false;
}

static bool is_tool(const struct habit *h, const char *tool)
{
	size_t len = strlen(tool);

	for (const char *at = h->tools; (at = strstr(at, tool)); at += len)
		if (at > h->tools && at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

/* True if the applet has such an option, of its own or a common one. */
static bool has_option(const struct applet *applet, const struct habit_word *w, bool is_own)
{
	for (const struct option_spec *s = NULL; (s = option_next(applet, s));) {
		bool is_same = w->letter ? s->letter == w->letter :
					   !strncmp(s->name, w->name, w->name_len) &&
						   !s->name[w->name_len];

		if (is_same && (!is_own || !s->group))
			return true;
	}
	return false;
}

/* True if the word has its usual meaning here. */
static bool is_meant(const struct applet *applet, const struct habit *h, const struct habit_word *w)
{
	bool is_for_all = *h->tools == '*';

	if (w->letter == '.' || h->when == HABIT_EVER || h->when == HABIT_NOTED ||
	    h->when == HABIT_NUMBERS)
		return false;
	if (!w->letter) /* a number may have another unit there */
		return h->when != HABIT_NUMBER && has_option(applet, w, false);
	if (h->when == HABIT_ALWAYS || h->when == HABIT_SAID)
		return has_option(applet, w, !is_for_all);
	return is_for_all && has_option(applet, w, true);
}

static bool is_named(const struct habit *h, const struct habit_word *w)
{
	if (w->letter)
		return h->letter == w->letter;
	return h->name && !strncmp(h->name, w->name, w->name_len) && !h->name[w->name_len];
}

/* A row of the tool itself takes precedence over one for all tools. */
const struct habit *habit_find(const struct applet *applet, const struct habit_word *w)
{
	const struct habit *of_all = NULL, *h, *end;

	for (h = habit_rows(&end); h < end; h++) {
		bool is_for_all = *h->tools == '*';

		if (!is_named(h, w) || (is_for_all && of_all) ||
		    !(is_for_all || is_tool(h, applet->name)) || !is_when(h, w) ||
		    is_meant(applet, h, w))
			continue;
		if (!is_for_all)
			return h;
		of_all = h;
	}
	return of_all;
}

bool habit_letters_write(struct buf *o, const struct applet *applet)
{
	const struct habit *h, *end;
	bool any = false;

	for (h = habit_rows(&end); h < end; h++) {
		struct habit_word w = { .letter = h->letter };
		char *hole;

		if (!h->letter || h->letter == '.' || !h->instead || !is_tool(h, applet->name) ||
		    is_meant(applet, h, &w))
			continue;
		any = true;
		buf_printf(o, "  -%c%s  %s: ", h->letter, h->takes_value ? " X" : "", h->means);
		hole = strchr(h->instead, '{');
		if (hole)
			buf_printf(o, "%.*sX%s", (int)(hole - h->instead), h->instead,
				   hole + strcspn(hole, "}") + 1);
		else
			buf_str(o, *h->instead ? h->instead : h->note ?: "this is always so");
		buf_char(o, '\n');
	}
	return any;
}

/* True if that letter is always refused, whatever follows. */
static bool habit_has_letter(const struct applet *applet, const struct option_spec *spec)
{
	const struct habit *h, *end;

	for (h = habit_rows(&end); spec->letter && h < end; h++) {
		bool is_always = h->when == HABIT_EVER || (h->when == HABIT_ALWAYS && spec->group);

		if (h->letter == spec->letter && is_always && *h->tools != '*' &&
		    is_tool(h, applet->name))
			return true;
	}
	return false;
}

char option_letter(const struct applet *applet, const struct option_spec *common)
{
	for (const struct option_spec *s = applet->options; s && s->name; s++)
		if (s != common && s->letter == common->letter)
			return 0;
	return habit_has_letter(applet, common) ? 0 : common->letter;
}

void habit_meaning_report(const struct applet *applet, const struct habit *h,
			  const struct habit_word *w)
{
	const struct option_spec *ours = NULL;
	const char *value = h->takes_value && w->value ? w->value : "";

	for (const struct option_spec *s = NULL; (s = option_next(applet, s)) && !ours;)
		ours = w->letter && s->letter == w->letter ? s : NULL;
	if (w->letter == '.')
		log_error("'%s': other tools of this name expect %s; this one has no such argument",
			  w->value, h->means);
	else if (!w->letter)
		log_error(
			"--%.*s: in other tools of this name it means %s; this one has no such option",
			(int)w->name_len, w->name, h->means);
	else if (ours)
		log_error("-%c%s%s: in other tools of this name it means %s; here it is --%s",
			  w->letter, *value ? " " : "", value, h->means, ours->name);
	else
		log_error(
			"-%c: in other tools of this name it means %s; this one has no such option",
			w->letter, h->means);
}
