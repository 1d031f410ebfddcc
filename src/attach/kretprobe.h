/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kretprobe.h - kretprobes with room for as many calls at a time as there are threads.
 *
 * One of the perf PMU "kprobe" has room for a call of each processor, or for ten (register_kretprobe in kernel/kprobes.c),
 * and misses all others. Only an event that is defined in tracefs may ask for more: MAXACTIVE, since 4.12
 * (Documentation/trace/kprobetrace.rst). Such an event has a name there. It is removed at the end; after kill -9 the
 * name stays, and a probe that is switched off, until a later run defines an event and removes it.
 */
#ifndef CORETAP_ATTACH_KRETPROBE_H
#define CORETAP_ATTACH_KRETPROBE_H

/* Defines an event at the return of a function, "NAME", "MODULE:NAME" or "0xADDRESS". Returns the event's number in tracefs,
 * or -errno, e.g. -EACCES where tracefs may not be written. */
int kretprobe_define(const char *function);
/* Removes the events that this process has defined. They must be closed by then: what is in use stays. */
void kretprobe_remove_all(void);

#endif
