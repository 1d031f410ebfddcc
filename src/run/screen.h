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
/* Returns the terminal that keys are read from, or -1. */
int screen_keys_fd(void);

/* Reads the typed keys. Returns true after q. < and >, or the arrows, choose the column to sort by. */
bool screen_keys(struct session *s);

/* Ends s->reporting.report: writes it as a frame. Returns 0 or -errno. */
int screen_draw(struct session *s);
/* Restores the terminal before a signal ends the process. */
void screen_restore(void);

#endif
