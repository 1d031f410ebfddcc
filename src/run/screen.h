/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.h - reports that are drawn in place on a terminal (--screen), and the keys that are typed
 * meanwhile.
 *
 * Elsewhere than on a terminal, and in JSON, nothing here has an effect.
 */
#ifndef CORETAP_RUN_SCREEN_H
#define CORETAP_RUN_SCREEN_H

#include <stdbool.h>

struct session;

/* Takes over the terminal, if --screen is given and the output is one, until screen_close, or the end
 * of the process by exit or by a signal that can be caught. */
void screen_open(struct session *s);
void screen_close(void);
bool screen_is_on(void);
/* The terminal that keys are read from; -1: none are. */
int screen_keys_fd(void);

/* Reads what was typed: q quits, which is returned; < and >, or the arrows, choose the column that rows
 * are sorted by. */
bool screen_keys(struct session *s);

/* Ends s->reports: writes it as a frame. Returns 0 or -errno. */
int screen_draw(struct session *s);
/* Gives the terminal back before a signal ends the process. */
void screen_restore(void);

#endif
