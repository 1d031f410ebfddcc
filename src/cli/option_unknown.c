/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_unknown.c - an option that a tool does not have: what the user may have meant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/options.h"
#include "util/log.h"
#include "util/suggest.h"

/* What people type who do not know the option's name yet; "*": in every tool that has the option in `of`. */
static const struct {
	const char *tool, *words, *of, *hint;
} option_guesses[] = {
	{ "*", " filter where condition cond when ", "if",
	  "--if CONDITION prints only what fulfils it" },
	{ "*", " filter condition cond when if ", "where",
	  "--where CONDITION prints only the rows that fulfil it" },
	{ "argdump", " latency lat duration time took ", "if",
	  "-r prints the duration of each call; --hist '$lat' -r is its histogram" },
	{ "argdump", " failed fails failures errors error ", "if",
	  "-r --if '$ret < 0' prints calls that failed" },
	{ "argdump", " slower longer min-latency min min-duration threshold ", "if",
	  "-r --if '$lat > 10ms' prints calls that took longer" },
	{ "argdump", " stack kstack stacks callchain backtrace ", "if",
	  "-k prints the kernel's stack, -U the program's" },
	{ "argdump", " ret retval result exit ", "if",
	  "-r prints the result of each call; FUNC%return traces only the end" },
	{ "funcgraph", " max-depth level levels ", "depth", "--depth N shows N levels" },
	{ "connsnoop", " port lport rport dport sport ", "where",
	  "--where 'peer ~ *:443' selects by the peer's port, --where 'local ~ *:443' by the own one" },
	{ "*", " name process program comm-name ", "comm",
	  "--comm NAME selects by the process's name" },
	{ "*", " seconds timeout for ", "duration", "--duration TIME ends the run: 5, 500ms, 2m" },
	{ "*", " max count limit number lines rows ", "events", "--events N ends the run after N" },
	{ "*", " file out log save ", "output", "--output FILE" },
};

static const char *option_guess(const struct applet *applet, const char *name)
{
	char word[40];

	snprintf(word, sizeof(word), " %.30s ", name);
	for (size_t i = 0; i < sizeof(option_guesses) / sizeof(option_guesses[0]); i++)
		if (strstr(option_guesses[i].words, word) &&
		    (*option_guesses[i].tool == '*' ||
		     !strcmp(option_guesses[i].tool, applet->name)) &&
		    option_find(applet, option_guesses[i].of))
			return option_guesses[i].hint;
	return NULL;
}

void option_unknown_exit(const struct applet *applet, const char *word)
{
	char *name = strndup(word, strcspn(word, "="));
	const char *guess = option_guess(applet, name ?: "");
	struct suggestion near;

	suggest_init(&near, name ?: "");
	for (const struct option_spec *s = NULL; (s = option_next(applet, s));)
		suggest_offer(&near, s->name);
	log_error("unknown option --%s", name ?: "");
	if (guess)
		log_hint("%s", guess);
	else if (suggest_get(&near))
		suggest_hint(&near, &(struct suggest_words){ .before = "--" });
	else
		log_hint_help();
	free(name);
	exit(EXIT_USAGE);
}
