/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.c - finds the file with the user's defaults and parses its lines.
 */
#include "cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/option_read.h"
#include "kernel/capabilities.h"
#include "util/log.h"
#include "util/suggest.h"

enum { TEXT_MAX = 65536 };

bool (*config_is_tool)(const char *name);

struct config {
	const struct applet *applet;
	const char *path;
	const char *text; /* the whole file, for messages */
	unsigned number;  /* of the line, from 1 */
	bool is_headed;	  /* a [TOOL] came before */
	bool is_ours;	  /* lines are for the applet */
	bool is_used;	  /* a line was passed */
};

/* ---- the file ---- */

const char *config_folder(void)
{
	static char folder[4096];
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = 0;

	if (config && *config)
		n = snprintf(folder, sizeof(folder), "%s/coretap", config);
	else if (home && *home)
		n = snprintf(folder, sizeof(folder), "%s/.config/coretap", home);
	return n > 0 && n < (int)sizeof(folder) ? folder : NULL;
}

/* Returns a text that the caller frees; NULL: no file. */
static char *path_of(void)
{
	const char *named = getenv("CORETAP_CONFIG"), *folder = config_folder();
	char *path = NULL;

	if (named)
		return *named ? strdup(named) : NULL;
	return folder && asprintf(&path, "%s/config", folder) > 0 ? path : NULL;
}

/* Returns the text; NULL: the file is not there. A home of another user may be unreadable: that counts as not there. */
static char *text_read(const char *path)
{
	size_t len;
	char *text = own_text_read(path, TEXT_MAX, &len);
	bool has_nul = text && memchr(text, 0, len);
	int err = text ? 0 : errno;

	if (text && !has_nul)
		return text;
	free(text);
	if ((err == ENOENT || err == ENOTDIR || err == EACCES) && !getenv("CORETAP_CONFIG"))
		return NULL;
	log_error("cannot read defaults from %s: %s", path,
		  has_nul ? "it has a NUL byte" : strerror(err));
	log_hint("CORETAP_CONFIG= reads no file of defaults");
	exit(EXIT_USAGE);
}

/* ---- a line ---- */

static void wrong_exit(const struct config *c, const char *word, const struct suggestion *near,
		       const char *what)
{
	size_t start = word - c->text;

	log_error("%s:%u: %s", c->path, c->number, what);
	log_caret_line(c->text, start, start + strcspn(word, " \t=,]\n"));
	if (near)
		suggest_hint(near, NULL);
	exit(EXIT_USAGE);
}

/* Copies a part of the line. It is never freed: options point into it. */
static char *kept(const char *begin, const char *end)
{
	char *copy = strndup(begin, end - begin);

	if (!copy) {
		log_error("out of memory");
		exit(EXIT_FAILED);
	}
	return copy;
}

static void tool_check(struct config *c, const char *word, size_t len)
{
	char *name = kept(word, word + len);

	if (config_is_tool && !config_is_tool(name))
		wrong_exit(c, word, NULL, "no tool has this name: coretap --list prints all");
	c->is_ours |= !strcmp(name, c->applet->name);
	free(name);
}

/* [TOOL TOOL...] */
static void head_parse(struct config *c, const char *at, const char *end)
{
	if (end[-1] != ']')
		wrong_exit(c, at, NULL, "the ] after the names of tools is missing");
	c->is_headed = true;
	c->is_ours = false;
	for (at++, end--; at < end;) {
		size_t len = strcspn(at, " \t,]");

		if (len)
			tool_check(c, at, len);
		at += len + (at + len < end);
	}
}

/* Returns NULL if the line is for other tools; exits if it is for none. */
static const struct option_spec *spec_find(const struct config *c, const char *word,
					   const char *name)
{
	const struct option_spec *spec = option_find(c->applet, name);
	struct suggestion near;
	char what[128];

	if (spec && (c->is_headed || option_is_shared(name)))
		return spec;
	if (!c->is_headed && option_is_shared(name))
		return NULL;
	suggest_init(&near, name);
	for (const struct option_spec *s = NULL; (s = option_next(c->applet, s));)
		if (c->is_headed || option_is_shared(s->name))
			suggest_offer(&near, s->name);
	if (c->is_headed)
		snprintf(what, sizeof(what), "%s has no option of this name", c->applet->name);
	wrong_exit(c, word, &near,
		   c->is_headed ?
			   what :
			   "this is no common option: write options of one tool below [TOOL]");
	return NULL;
}

static void option_parse(struct config *c, const char *at, const char *end, config_set_fn *set,
			 void *ctx)
{
	const char *equals = memchr(at, '=', end - at), *name_end = equals ?: end, *wrong = NULL;
	const struct option_spec *spec;
	char *name, *arg = NULL;

	at += at[0] == '-' && at[1] == '-' ? 2 : 0;
	while (name_end > at && isblank(name_end[-1]))
		name_end--;
	name = kept(at, name_end);
	spec = spec_find(c, at, name);
	free(name);
	if (!spec)
		return;
	if (equals) {
		for (equals++; equals < end && isblank(*equals);)
			equals++;
		arg = kept(equals, end);
	}
	if (spec->add)
		wrong = "this option is part of a command line, and has no default";
	else if (arg && !spec->arg)
		wrong = "this option has no argument";
	else if (!arg && spec->arg && !option_may_be_bare(spec))
		wrong = "this option needs an argument: NAME = ARGUMENT";
	if (wrong)
		wrong_exit(c, at, NULL, wrong);
	wrong = set(ctx, spec, arg);
	if (wrong)
		wrong_exit(c, equals ?: at, NULL, wrong);
	c->is_used = true;
}

static void line_parse(struct config *c, const char *at, const char *end, config_set_fn *set,
		       void *ctx)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	if (at == end || *at == '#')
		return;
	if (*at == '[')
		head_parse(c, at, end);
	else if (c->is_ours)
		option_parse(c, at, end, set, ctx);
}

const char *config_read_or_exit(const struct applet *applet, config_set_fn *set, void *ctx)
{
	struct config c = { .applet = applet, .path = path_of(), .is_ours = true };
	char *text = c.path ? text_read(c.path) : NULL;

	c.text = text;
	for (const char *at = text, *end; at && *at; at = end + (*end == '\n')) {
		end = strchrnul(at, '\n');
		c.number++;
		line_parse(&c, at, end, set, ctx);
	}
	free(text);
	if (c.is_used)
		return c.path;
	free((char *)c.path);
	return NULL;
}
