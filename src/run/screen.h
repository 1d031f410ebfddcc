/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.h - reports that are drawn in place on a terminal (--screen), and the keys typed meanwhile.
 *
 * If the output is no terminal, or JSON, these functions do nothing.
 */
#ifndef CORETAP_RUN_SCREEN_H
#define CORETAP_RUN_SCREEN_H

#include <stdbool.h>

struct session;

/* Sets up the terminal if --screen is given and the output is one, until screen_close, or until the process exits or
 * a signal that can be caught ends it. */
void screen_open(struct session *s);
void screen_close(void);
bool screen_is_on(void);
/* Returns the descriptor that keys are read from, or -1. */
int screen_keys_fd(void);

/* Reads the typed keys. Returns true after q. < and >, or the arrows, choose the column to sort by. */
bool screen_keys(struct session *s);

/* Collects s->reporting.report and writes it as a frame. Returns 0 or -errno. */
int screen_report(struct session *s);
/* Writes it once more, after the column to sort by has changed. */
int screen_draw(struct session *s);
/* Restores the terminal before a signal ends the process. */
void screen_restore(void);

#endif
