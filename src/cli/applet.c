/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet.c - finds the applets of this program by name.
 */
#include "cli/applet.h"

#include <string.h>

static const struct applet *const none[] = { NULL };

const struct applet *const *applets = none;

const struct applet *applet_find(const char *name)
{
	for (const struct applet *const *a = applets; *a; a++)
		if (!strcmp((*a)->name, name) ||
		    ((*a)->line.also && !strcmp((*a)->line.also, name)))
			return *a;
	return NULL;
}

const char *applet_words_usage(const struct applet *applet)
{
	if (applet->words)
		return applet->words;
	if (!(applet->common & OPTION_GROUP_TASK))
		return "";
	return applet->line.takes_words ? " [[--] COMMAND [ARG...]]" : " [-- COMMAND [ARG...]]";
}

size_t applet_buffer(const struct applet *applet)
{
	return applet->buffer ? applet->buffer : 8 << 20;
}
