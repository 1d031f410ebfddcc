/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prints.h - --print TEXT: a probe's records as a text with {NAME} in it (output/rows/line.h).
 */
#ifndef CORETAP_PROBE_PRINTS_H
#define CORETAP_PROBE_PRINTS_H

struct argdump;
struct session;

/* Gives each probe's schema its text, once all schemas are known; a->lines owns them. An exit status,
 * after printing what is wrong. */
int prints_apply(const struct session *s, struct argdump *a);

#endif
