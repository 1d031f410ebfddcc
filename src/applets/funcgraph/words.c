/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - writes argdump's command line.
 */
#include "applets/funcgraph/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
