/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stop.h - how a run is stopped.
 *
 * A signal or the end of --duration stops reading at once, even in a write(2) that blocks because nobody reads. From
 * then on a timer ticks, so that a write that begins just afterwards is interrupted, too. Then everything is
 * detached, and queued records are written for a limited time; a write that still blocks is abandoned. Records that
 * were not written are counted. A second signal ends the process at once, which also detaches everything.
 */
#ifndef CORETAP_RUN_STOP_H
#define CORETAP_RUN_STOP_H

#include <signal.h>
#include <stdint.h>

extern volatile sig_atomic_t stop_asked,
	stop_signal; /* stop_signal: the signal's number; 0: another reason */
/* Set by the loop when everything is detached: CLOCK_MONOTONIC ns; 0: not yet. */
extern uint64_t stop_detached_at;

/* From now on, signals are recorded, and decide what happens to a write that they interrupt. */
void stop_signals_catch(void);
/* Starts the timer, whose first tick stops the run. */
void stop_timer_start(uint64_t first_us);
/* Stops the run. */
void stop_note(void);

#endif
