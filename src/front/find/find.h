/* SPDX-License-Identifier: GPL-2.0-only */
/* find.h - `coretap find`, `coretap examples`, `coretap tutorial`, and suggestions for unknown names of tools. */
#ifndef CORETAP_FRONT_FIND_FIND_H
#define CORETAP_FRONT_FIND_FIND_H

#include "util/buf.h"

struct completion;

/* Runs coretap find [-a] [-j] WORDS: argv[0] is the word typed for "find". Returns an exit status. */
int find_main(struct buf *o, int argc, char **argv);
/* Prints one example of each tool, by theme. */
void find_examples(struct buf *o);
/* Prints docs/tutorial.md. Returns an exit status. */
int find_tutorial(struct buf *o);
/* Reports an unknown tool, and suggests what to type instead. Returns an exit status. */
int find_unknown(int argc, char **argv);
/* Offers the phrases that people use. */
void find_complete(struct completion *c);

#endif
