/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_words.h - the command line of an applet that takes a command without --.
 */
#ifndef CORETAP_CLI_OPTION_WORDS_H
#define CORETAP_CLI_OPTION_WORDS_H

#include "cli/applet.h"

/* Cuts the command off, and writes each letter and its argument as words of their own: -foX as -f -o X. Returns the new
 * words, which are never freed; their number is in *argc. */
char **words_split(const struct applet *applet, int *argc, char **argv,
		   struct options_child *child);

#endif
