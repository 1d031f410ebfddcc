/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.c - finds the words that may follow in a command line.
 *
 * It only reads: anything unreadable (processes, types) offers no words.
 */
#include "cli/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/help.h"
#include "cli/option_read.h"
#include "output/field/field_kind.h"

enum { WHAT_WIDTH = 60 };

/* ---- words ---- */

void completion_word(struct completion *c, const char *word, const char *what)
{
	if (strncmp(word, c->begin, strlen(c->begin)))
		return;
	buf_bytes(c->o, c->head, c->head_len);
	buf_printf(c->o, "%s\t%s\n", word, what ?: "");
}

void completion_names(struct completion *c, const struct field_name *names)
{
	for (; names->name; names++)
		completion_word(c, names->name, NULL);
}

void completion_choices(struct completion *c, const char *const *choices)
{
	for (; choices && *choices; choices++)
		completion_word(c, *choices, NULL);
}

void completion_begin(struct completion *c, const char *begin)
{
	c->begin = begin;
	c->head_len = begin - c->head;
}

void completion_list(struct completion *c)
{
	const char *comma = strrchr(c->begin, ',');

	if (comma)
		completion_begin(c, comma + 1);
}

static void users_print(struct completion *c)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd *user;

	while (f && (user = fgetpwent(f)))
		completion_word(c, user->pw_name, NULL);
	if (f)
		fclose(f);
}

/* Reads the command name of a process, without characters that a shell would interpret. */
static bool comm_read(const char *pid, char *comm, size_t size)
{
	char path[64];
	FILE *f;
	bool is_read;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = fopen(path, "re");
	is_read = f && fgets(comm, size, f);
	if (f)
		fclose(f);
	comm[is_read ? strcspn(comm, "\n") : 0] = 0;
	for (const char *s = comm; *s; s++)
		is_read &= isalnum((unsigned char)*s) || strchr("_-./:+@", *s);
	return is_read;
}

/* Offers processes, by number or by name. */
static void processes_print(struct completion *c, bool by_name)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char comm[64];

	while (proc && (entry = readdir(proc))) {
		bool has_name = isdigit((unsigned char)*entry->d_name) &&
				comm_read(entry->d_name, comm, sizeof(comm));

		if (by_name && has_name)
			completion_word(c, comm, NULL);
		else if (!by_name && isdigit((unsigned char)*entry->d_name))
			completion_word(c, entry->d_name, has_name ? comm : NULL);
	}
	if (proc)
		closedir(proc);
}

static void fields_print(struct completion *c, const struct applet *a)
{
	char key[64];

	for (size_t i = 0; i < a->field_count; i++) {
		snprintf(key, sizeof(key), "%s%s", a->fields[i].name,
			 field_unit_suffix(&a->fields[i]));
		completion_word(c, key, a->fields[i].help);
	}
}

/* Completes an expression on what the first argument names. */
static void expr_print(struct completion *c, const struct applet *a)
{
	c->first = c->given;
	a->complete(c, c->begin);
}

bool completion_kind(struct completion *c, const struct applet *a, const char *arg)
{
	completion_list(c);
	if (!strcmp(arg, "PID") || !strcmp(arg, "TID"))
		processes_print(c, false);
	else if (!strcmp(arg, "USER"))
		users_print(c);
	else if (!strcmp(arg, "NAME"))
		processes_print(c, true);
	else if (!strcmp(arg, "NAME,...") && a->field_count)
		fields_print(c, a);
	else if (!strcmp(arg, "FILE") || !strcmp(arg, "FILES") || !strcmp(arg, "PATH"))
		buf_str(c->o, ":files\n");
	else if ((!strcmp(arg, "PROBE") || !strcmp(arg, "FUNC") || !strcmp(arg, "PATTERN")) &&
		 a->complete)
		a->complete(c, c->begin);
	else if (strstr(arg, "EXPR") && a->complete && c->given)
		expr_print(c, a);
	else
		return false;
	return true;
}

/* ---- options ---- */

static bool has_argument(const struct option_spec *s)
{
	return s->arg && !option_may_be_bare(s);
}

static const struct option_spec *spec_named(const struct applet *a, const char *name, size_t len)
{
	const struct option_spec *s = NULL;

	while ((s = option_next(a, s)))
		if (!strncmp(s->name, name, len) && !s->name[len])
			return s;
	return NULL;
}

static const struct option_spec *spec_lettered(const struct applet *a, char letter)
{
	const struct option_spec *s = NULL;

	while ((s = option_next(a, s)))
		if (letter && option_letter(a, s) == letter)
			return s;
	return NULL;
}

/* Returns the option whose argument is the next word, or NULL. */
static const struct option_spec *spec_pending(const struct applet *a, const char *word)
{
	const struct option_spec *s = NULL;

	if (!strncmp(word, "--", 2)) {
		s = spec_named(a, word + 2, strlen(word + 2));
		return s && has_argument(s) ? s : NULL;
	}
	if (*word != '-')
		return NULL;
	while (*++word) {
		s = spec_lettered(a, *word);
		if (s && s->arg)
			return has_argument(s) && !word[1] ? s : NULL;
	}
	return NULL;
}

/* Completes the argument that follows `head` in a word. */
static void argument_print(struct completion *c, const struct applet *a,
			   const struct option_spec *s, size_t head)
{
	c->begin += head;
	c->head_len += head;
	if (s->complete)
		s->complete(c, c->begin);
	else if (s->choices)
		completion_choices(c, s->choices);
	else if (s->type == OPTION_TIME)
		completion_choices(c, option_times);
	else
		completion_kind(c, a, s->arg);
}

static void topics_print(struct completion *c, const struct applet *a)
{
	const char *topic;

	c->begin += strlen("--help=");
	c->head_len = strlen("--help=");
	for (size_t i = 0; (topic = help_topic(a, i)); i++)
		completion_word(c, topic, NULL);
}

static void names_print(struct completion *c, const struct applet *a)
{
	char name[64];

	for (const struct option_spec *s = NULL; (s = option_next(a, s));) {
		snprintf(name, sizeof(name), "--%s", s->name);
		completion_word(c, name, help_brief(s, WHAT_WIDTH));
		for (int i = 0; s->type == OPTION_TIME && option_letter(a, s) && option_times[i];
		     i++) {
			snprintf(name, sizeof(name), "-%c%s", s->letter, option_times[i]);
			completion_word(c, name, NULL);
		}
	}
	completion_word(c, "--help", "print a page");
	completion_word(c, "--help=", "print all about a topic");
	completion_word(c, "--version", "print the version");
}

static void option_print(struct completion *c, const struct applet *a)
{
	const char *word = c->begin, *equals = strchr(word, '=');
	const struct option_spec *s;

	if (!strncmp(word, "--help=", 7)) {
		topics_print(c, a);
	} else if (!strncmp(word, "--", 2) && equals) {
		s = spec_named(a, word + 2, equals - word - 2);
		if (s && s->arg)
			argument_print(c, a, s, equals + 1 - word);
	} else if (word[1] && word[1] != '-' && (s = spec_lettered(a, word[1])) &&
		   has_argument(s)) {
		argument_print(c, a, s, 2);
	} else {
		names_print(c, a);
	}
}

/* ---- the line ---- */

static void tools_print(struct completion *c, const char *const *more)
{
	for (const struct applet *const *a = applets; *a; a++)
		completion_word(c, (*a)->name, (*a)->summary);
	for (; *more; more++)
		completion_word(c, *more, NULL);
}

/* Offers words of coretap itself. */
static void suite_print(struct completion *c, int count, char **words, const char *const *more,
			void (*phrases)(struct completion *c))
{
#define WORD(shell) #shell,
	static const char *const shells[] = { COMPLETE_SHELLS(WORD, WORD, WORD) NULL };
#undef WORD
	static const char *const options[] = {
		"--list", "--help",  "--version", "--man",    "--completion", "--table", "find",
		"search", "apropos", "help",	  "examples", "tutorial",     NULL
	};
	const char *first = count > 2 ? words[1] : "";

	if (count == 2) {
		tools_print(c, more);
		completion_choices(c, options);
	} else if (!strcmp(first, "find") || !strcmp(first, "search") ||
		   !strcmp(first, "apropos")) {
		phrases(c);
	} else if (count == 3 && !strcmp(first, "--man")) {
		completion_word(c, "coretap", NULL);
		tools_print(c, more);
	} else if (count == 3 && (!strcmp(first, "help") || !strcmp(first, "examples"))) {
		tools_print(c, more);
	} else if (count == 3 && !strcmp(first, "--completion")) {
		completion_choices(c, shells);
	}
}

static void applet_print(struct completion *c, const struct applet *a, int count, char **words)
{
	const struct option_spec *pending = NULL;

	for (int i = 1; i < count - 1; i++) {
		if (pending) {
			if (!strcmp(pending->name, "btf"))
				c->btf = words[i];
			pending = NULL;
		} else if (*words[i] != '-') {
			c->given = c->given ?: words[i];
		} else if (!strcmp(words[i], "--") && a->common & OPTION_GROUP_TASK) {
			if (!a->words)
				buf_str(c->o, ":command\n");
			return;
		} else {
			pending = spec_pending(a, words[i]);
		}
	}
	if (pending) {
		argument_print(c, a, pending, 0);
	} else if (*c->begin == '-') {
		option_print(c, a);
	} else if (a->complete) {
		expr_print(c, a);
	} else if (a->args && strstr(a->args, "FILE")) {
		buf_str(c->o, ":files\n");
	} else if (!*c->begin) {
		names_print(c, a);
	}
}

void complete_print(struct buf *o, int count, char **words, const char *const *more,
		    man_find_fn *find, void (*phrases)(struct completion *c))
{
	struct completion c = { .o = o };
	const struct applet *a;
	const char *slash;

	if (count < 2)
		return;
	c.head = c.begin = words[count - 1];
	slash = strrchr(words[0], '/');
	if (!strcmp(slash ? slash + 1 : words[0], "coretap")) {
		suite_print(&c, count, words, more, phrases);
		words++;
		count--;
		slash = NULL;
	}
	if (count < 2 || *words[0] == '-')
		return;
	a = applet_find(slash ? slash + 1 : words[0]) ?: find(slash ? slash + 1 : words[0]);
	if (a)
		applet_print(&c, a, count, words);
}
