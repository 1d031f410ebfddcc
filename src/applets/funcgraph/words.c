/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - reads the command line, and writes argdump's.
 */
#include "applets/funcgraph/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/escape.h"
#include "util/log.h"

/* A tree has one root; argdump takes all that is no single function. */
static void one_refuse(const char *text)
{
	bool is_return = !strchr(text, ':') && !strchr(text, '%') && !strchr(text, '+');
	struct buf words;

	buf_init(&words, -1);
	escape_put_shell(&words, text, strlen(text));
	buf_char(&words, 0);
	log_error("FUNC is the name of one function, not '%s'", text);
	if (!words.error)
		log_hint("each call, without those inside of it: %sargdump %s%s", log_name_before(),
			 is_return ? "-r " : "", words.data);
	if (!words.error && is_return)
		log_hint("as calls inside of one function: %sfuncgraph FUNC --funcs %s",
			 log_name_before(), words.data);
	buf_free(&words);
}

int graph_words_check(int argc, char **argv)
{
	if (argc < 1) {
		log_error("which function? usage: funcgraph FUNC [--funcs PATTERN,...]");
		log_hint("for example: funcgraph vfs_read");
	} else if (argc > 1) {
		log_error("too many arguments: '%s'", argv[1]);
		log_hint("functions besides %s are given by --funcs", argv[0]);
	} else if (argv[0][strcspn(argv[0], "*?[,|:%+ ")]) {
		one_refuse(argv[0]);
	} else {
		return 0;
	}
	return -EINVAL;
}

enum { PROBES = sizeof(((struct graph_words *)0)->texts) / sizeof(char *) };

static void word_add(struct graph_words *w, const char *word)
{
	w->list[w->count++] = (char *)word; /* the option parser moves words, and changes none */
}

/* Adds the PROBEs of a list, at texts[at] and behind it; `in`: the function inside of which, or NULL. */
static int list_add(struct graph_words *w, size_t at, const char *list, const char *in)
{
	struct buf o;

	buf_init(&o, -1);
	buf_str(&o, list);
	buf_str(&o, "%return");
	buf_char(&o, 0);
	w->texts[at] = o.data;
	w->texts[at + 1] = strdup(list);
	if (o.error || !w->texts[at + 1])
		return -ENOMEM;
	for (size_t i = at; i < at + 2; i++) {
		word_add(w, i ? "--and" : "funcgraph");
		word_add(w, w->texts[i]);
		if (!in)
			continue;
		word_add(w, "--in");
		word_add(w, in);
	}
	return 0;
}

int graph_words_given(struct graph_words *w, const char *func, const struct option_list *funcs)
{
	struct buf o;
	int err;

	buf_init(&o, -1);
	buf_str(&o, func);
	for (size_t i = 0; i < funcs->count; i++) {
		buf_char(&o, ',');
		buf_str(&o, funcs->items[i].text);
	}
	buf_char(&o, 0);
	err = o.error ? -ENOMEM : list_add(w, 0, o.data, NULL);
	buf_free(&o);
	return err;
}

int graph_words_found(struct graph_words *w, const char *func, struct buf *names)
{
	int err = list_add(w, 0, func, NULL);

	if (err || !names->len)
		return err;
	buf_char(names, 0);
	return names->error ? -ENOMEM : list_add(w, 2, names->data, func);
}

void graph_words_free(struct graph_words *w)
{
	for (size_t i = 0; i < PROBES; i++)
		free(w->texts[i]);
	*w = (struct graph_words){ 0 };
}
