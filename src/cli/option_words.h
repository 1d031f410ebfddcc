/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_words.h - splits the command line of an applet that accepts a command without --.
 */
#ifndef CORETAP_CLI_OPTION_WORDS_H
#define CORETAP_CLI_OPTION_WORDS_H

#include "cli/applet.h"

/* Separates the command, and writes each letter and its argument as separate words: -foX as -f -o X. Returns the new
 * words, which are never freed; their number is in *argc. */
char **words_split(const struct applet *applet, int *argc, char **argv,
		   struct options_child *child);

#endif
