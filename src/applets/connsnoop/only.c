/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * only.c - parses the words of --only: kinds of events, and protocols.
 */
#include "applets/connsnoop/only.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/session.h"
#include "util/log.h"
#include "util/suggest.h"
#include "connsnoop.h"

const struct field_name connection_kinds[] = {
	{ CONNSNOOP_CONNECT, "connect" }, { CONNSNOOP_ACCEPT, "accept" },
	{ CONNSNOOP_CLOSE, "close" },	  { CONNSNOOP_LISTEN, "listen" },
	{ CONNSNOOP_RETRANS, "retrans" }, { 0 },
};
const struct field_name connection_protos[] = {
	{ CONNSNOOP_TCP, "tcp" }, { CONNSNOOP_UDP, "udp" }, { CONNSNOOP_UNIX, "unix" }, { 0 }
};

/* The allowed words, and the flags that they set. */
struct choice {
	const struct field_name *names;
	bool *wanted, chosen;
};

static void fail_word(const char *word, const struct choice c[2])
{
	struct suggestion nearest;

	suggest_init(&nearest, word);
	for (int i = 0; i < 2; i++)
		for (const struct field_name *n = c[i].names; n->name; n++)
			suggest_offer(&nearest, n->name);
	log_error("--only '%s': expected one of connect accept close listen retrans tcp udp unix",
		  word);
	suggest_hint(&nearest, NULL);
	exit(EXIT_USAGE);
}

/* The first word of a kind replaces the default. */
static bool word_parse(struct choice *c, const char *word)
{
	const struct field_name *found = field_name_find(c->names, word);

	for (const struct field_name *n = c->names; found && !c->chosen && n->name; n++)
		c->wanted[n->value] = false;
	if (!found)
		return false;
	c->wanted[found->value] = c->chosen = true;
	return true;
}

static void words_parse(struct choice c[2], const char *text)
{
	char word[16];
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (!word_parse(&c[0], word) && !word_parse(&c[1], word))
			fail_word(word, c);
		if (!text[len])
			return;
	}
}

void only_parse(const struct option_list *words, bool *want_kinds, bool *want_protos)
{
	struct choice c[2] = { { connection_kinds, want_kinds, false },
			       { connection_protos, want_protos, false } };

	for (size_t i = 0; i < words->count; i++)
		words_parse(c, words->items[i].text);
}

void only_words(struct completion *c, const char *begin)
{
	(void)begin;
	completion_list(c);
	completion_names(c, connection_kinds);
	completion_names(c, connection_protos);
}
