/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer_probe.c - converts the probes of kprobe, uprobe, tpoint, perf-stat-hist, tplist and perf probe to argdump's.
 */
#include "front/peer_probe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/habits.h"
#include "run/session.h"
#include "util/log.h"

static int filter_add(struct peer_line *l)
{
	if (l->arg_count > 2)
		return PEER_USAGE;
	if (l->arg_count == 2) {
		peer_add(l, "--if");
		peer_add(l, "%s", l->args[1]);
	}
	return 0;
}

/* ---- perf-tools ---- */

int peer_kprobe(struct peer_line *l)
{
	if (!l->arg_count)
		return PEER_USAGE;
	peer_add(l, "%s", l->args[0]);
	return filter_add(l);
}

/* Converts p:FILE:SYMBOL ARG… and p:NAME FILE:SYMBOL ARG… to p:NAME u:FILE:SYMBOL ARG… */
int peer_uprobe(struct peer_line *l)
{
	const char *text, *first, *rest;
	int len;

	if (!l->arg_count)
		return l->count > 2 ? 0 : PEER_USAGE; /* -l */
	text = l->args[0];
	if (strncmp(text, "p:", 2) && strncmp(text, "r:", 2))
		return PEER_USAGE;
	first = text + 2;
	len = (int)strcspn(first, " ");
	rest = first + len;
	if (memchr(first, ':', len))
		peer_add(l, "%c u:%s", *text, first);
	else
		peer_add(l, "%c:%.*s u:%s", *text, len, first, rest + strspn(rest, " "));
	return filter_add(l);
}

int peer_tpoint(struct peer_line *l)
{
	if (!l->arg_count)
		return l->count > 2 ? 0 : PEER_USAGE; /* -l */
	peer_add(l, "t:%s", l->args[0]);
	return filter_add(l);
}

int peer_stat_hist(struct peer_line *l)
{
	if (l->arg_count < 2 || l->arg_count > 3)
		return PEER_USAGE;
	if (l->arg_count == 3)
		peer_add(l, "-d%s", l->args[2]);
	peer_add(l, "--hist");
	peer_add(l, "%s", l->args[1]);
	peer_add(l, "t:%s", l->args[0]);
	return 0;
}

/* ---- tplist ---- */

int peer_tplist_option(struct peer_line *l)
{
	const char *word = l->argv[l->at];

	l->wants_list |= !strncmp(word, "-p", 2); /* of a process */
	if (strncmp(word, "-l", 2))
		return 0;
	l->file = word[2] ? word + 2 : l->at + 1 < l->argc ? l->argv[++l->at] : NULL;
	if (l->file)
		return 1;
	log_error("a value is missing after -l");
	return -1 - EXIT_USAGE;
}

static const char *library_name(const char *name)
{
	return !strcmp(name, "c") || !strcmp(name, "pthread") ? "libc" : name;
}

/* FILTER is a pattern for GROUP:NAME. */
int peer_tplist(struct peer_line *l)
{
	const char *filter = l->arg_count ? l->args[0] : "*:*", *colon = strchr(filter, ':');
	const char *before = colon || *filter != '*' ? "" : "*:",
		   *after = colon || *before ? "" : ":*";

	if (l->arg_count > 1 || (l->wants_list && !l->file && !(l->arg_count && colon)))
		return PEER_USAGE;
	peer_add(l, "--list");
	if (l->file)
		peer_add(l, "u:%s:%s%s%s", library_name(l->file), before, filter, after);
	else if (l->wants_list) /* a library with the provider's name */
		peer_add(l, "u:%.*s:%s", (int)(colon - filter), filter, filter);
	else
		peer_add(l, "t:%s%s%s", before, filter, after);
	return 0;
}

/* Returns the value of an option, such as -x or --exec, at the end of the same word or in the next one; NULL: another option. */
static const char *option_value_of(struct peer_line *l, char letter, const char *name)
{
	const char *word = l->argv[l->at], *equals = strchr(word, '=');
	size_t len = strlen(name);

	if (!strncmp(word, "--", 2) && equals && (size_t)(equals - word) == len + 2 &&
	    !strncmp(word + 2, name, len))
		return equals + 1;
	if (letter && word[0] == '-' && word[1] == letter && word[2])
		return word + 2;
	if (!(letter && word[0] == '-' && word[1] == letter && !word[2]) &&
	    (strncmp(word, "--", 2) || strcmp(word + 2, name)))
		return NULL;
	return l->at + 1 < l->argc ? l->argv[++l->at] : "";
}

/* ---- uthreads ---- */

/* -l LANGUAGE, --language LANGUAGE or --language=LANGUAGE: without it, the process's maps show whether it runs Java. */
int peer_uthreads_option(struct peer_line *l)
{
	static const char *const known[] = { "none", "c", "java" };
	const char *language = option_value_of(l, 'l', "language");

	if (!language)
		return 0;
	l->language = language;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], l->language))
			return 1;
	log_error("uthreads -l takes java, c or none, not '%s'", l->language);
	return -1 - EXIT_USAGE;
}

int peer_uthreads(struct peer_line *l)
{
	const char *pid = l->arg_count ? l->args[l->arg_count - 1] : "";
	bool is_java = false;
	char *file;

	if (l->arg_count < 1 || l->arg_count > 2 || !isdigit((unsigned char)*pid))
		return PEER_USAGE;
	file = habit_interpreter(pid, &is_java);
	if (l->language)
		is_java = !strcmp(l->language, "java");
	peer_add(l, "-p%s", pid);
	peer_add(l, "u:libc:pthread_create");
	peer_add(l, "start=$arg3:usym");
	if (is_java) {
		peer_add(l, "--and");
		peer_add(l, "u:%s:hotspot:thread__*", file);
		peer_add(l, "what=$func");
		peer_add(l, "name=$arg1:ustr[$arg2]");
	}
	free(file);
	return 0;
}

/* ---- bpflist ---- */

int peer_bpflist(struct peer_line *l)
{
	int verbosity = 0;

	if (l->arg_count)
		return PEER_USAGE;
	for (int i = 1; i < l->count; i++)
		verbosity += !strcmp(l->words[i], "--probes");
	peer_add(l, "--by-process");
	if (verbosity > 1)
		peer_add(l, "--definitions");
	return 0;
}

/* ---- perf probe ---- */

static int perf_done(const char *text)
{
	log_note("%s", text);
	return -1 - EXIT_FINE;
}

static int perf_sources(void)
{
	log_error("this needs the text of the source, which is not read");
	log_hint(
		"FUNC, FUNC+OFFSET, FUNC%%return, FUNC:LINE and SOURCE:LINE are probes; argdump --dry-run shows the variables there");
	return -1 - EXIT_USAGE;
}

int peer_perf_option(struct peer_line *l)
{
	const char *value;

	if ((value = option_value_of(l, 'a', "add")) ||
	    (value = option_value_of(l, 'D', "definition")))
		l->probe = value;
	else if ((value = option_value_of(l, 'x', "exec")))
		l->file = value;
	else if ((value = option_value_of(l, 0, "target-ns")))
		peer_add(l, "-p%s", value);
	else if (option_value_of(l, 'd', "del"))
		return perf_done("nothing to delete: probes end with coretap");
	else if (option_value_of(l, 'L', "line"))
		return perf_sources();
	else if ((value = option_value_of(l, 'V', "vars")) ||
		 (value = option_value_of(l, 'F', "funcs"))) {
		peer_add(l, "--list");
		peer_add(l, "%s", *value ? value : "*");
		l->wants_list = true;
	} else if (!strcmp(l->argv[l->at], "-l") || !strncmp(l->argv[l->at], "--list", 6))
		return perf_done("probes are not stored: they end with coretap");
	else if (strcmp(l->argv[l->at], "-f") && strcmp(l->argv[l->at], "--force"))
		return 0;
	return 1;
}

/* Converts [NAME=]LOCALVAR, $retval or %REG, with its type. */
static void perf_argument(struct peer_line *l, const char *text)
{
	const char *equals = strchr(text, '='), *value = equals ? equals + 1 : text, *end;
	int before = (int)(value - text), name;

	if (!strcmp(text, "$params") || !strcmp(text, "$vars"))
		return; /* without EXPR all are printed */
	end = strchr(value, '@');
	name = (int)(end ? end - value : (long)strlen(value));
	if (!strncmp(value, "$retval", 7))
		peer_add(l, "%.*s$ret%.*s", before, text, name - 7, value + 7);
	else if (*value == '%')
		peer_add(l, "%.*s$reg(%.*s)%.*s", before, text, (int)strcspn(value + 1, ":@"),
			 value + 1, name - 1 - (int)strcspn(value + 1, ":@"),
			 value + 1 + strcspn(value + 1, ":@"));
	else
		peer_add(l, "%.*s%.*s", before, text, name, value);
}

/* [[GROUP:]EVENT=]FUNC…, %sdt_PROVIDER:NAME */
static int perf_probe(struct peer_line *l, const char *text)
{
	const char *equals = strchr(text, '='), *func = equals ? equals + 1 : text;
	const char *colon = strchr(func, ':'), *version = strstr(func, "\\@");
	char plain[strlen(func) + 1], *to = plain;

	if (!strncmp(func, "%sdt_", 5) && colon && l->file) {
		peer_add(l, "u:%s:%s", l->file, func + 5);
		return 0;
	}
	if (version)
		log_note("%s: all versions of the symbol are traced", version + 1);
	for (const char *at = func; *at && at != version; at++)
		if (*at != '\\')
			*to++ = *at;
	*to = 0;
	if (strpbrk(plain, ";@"))
		return perf_sources();
	if (l->file)
		peer_add(l, "u:%s:%s", l->file, plain);
	else
		peer_add(l, "%s", plain);
	return 0;
}

int peer_perf(struct peer_line *l)
{
	int at = 1, err;
	char *words, *word;

	if (!l->arg_count || strcmp(l->args[0], "probe")) {
		log_error("only perf probe is supported");
		log_hint("profile samples stacks, argdump hz:99 and hw:… count");
		return -1 - EXIT_USAGE;
	}
	if (!l->probe && at + 1 < l->arg_count && *l->args[at] == '/')
		l->file = l->args[at++];
	if (!l->probe && at == l->arg_count)
		return l->wants_list ? 0 : PEER_USAGE;
	words = strdup(l->probe ?: l->args[at++]);
	word = words ? strsep(&words, " ") : NULL; /* owned by the run */
	err = word ? perf_probe(l, word) : -1 - EXIT_FAILED;
	while (!err && (word = strsep(&words, " ")))
		if (*word)
			perf_argument(l, word);
	while (!err && at < l->arg_count)
		perf_argument(l, l->args[at++]);
	return err;
}
