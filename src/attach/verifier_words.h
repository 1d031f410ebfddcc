/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verifier_words.h - of the verifier's log, the line that says why a program was refused.
 */
#ifndef CORETAP_ATTACH_VERIFIER_WORDS_H
#define CORETAP_ATTACH_VERIFIER_WORDS_H

#include <stddef.h>

/* Finds that line; "" if there is none. */
void verifier_reason(const char *log, char *line, size_t size);

/* Keeps the reason of the program that was refused last, for a message that comes later. A log without
 * one changes nothing. */
void verifier_words_keep(const char *log);
/* NULL: none was kept. Foreign text: escape it. Valid until the next verifier_words_keep. */
const char *verifier_words(void);

#endif
