/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - what a person at a terminal wants to know meanwhile: that it has begun, how to end it,
 * what came of it. Nothing of this is written to a file or a pipe, which programs read, nor with -q.
 */
#ifndef CORETAP_RUN_PROGRESS_H
#define CORETAP_RUN_PROGRESS_H

#include <stdint.h>

#include "run/session.h"

/* Attaching begins: if it takes long, log_busy shows how far it is, and Ctrl-C says what it ended.
 * progress_attach_end restores the signal; before the command is started, which would inherit it. */
void progress_attach_begin(const struct session *s);
void progress_attach_end(void);
/* All is attached, and signals are caught. Says nothing where a command runs, whose own output begins now. */
void progress_begin(const struct session *s);
/* The terminal has written ^C: what follows begins on a line of its own. */
void progress_interrupted(void);
/* The end, after the ledger: how many records in how long. `began` is CLOCK_MONOTONIC, ns. */
void progress_end(const struct session *s, uint64_t began);

#endif
