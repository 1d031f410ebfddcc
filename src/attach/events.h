/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - perf events that programs attach to.
 *
 * A kretprobe of the perf PMU "kprobe" has room for one call per processor, or for ten (register_kretprobe in
 * kernel/kprobes.c), and misses all others. Only an event that is defined in tracefs may ask for more: MAXACTIVE, since
 * 4.12 (Documentation/trace/kprobetrace.rst). Such an event has a name in tracefs and is removed at the end. After
 * kill -9 the name and a disabled probe stay, until a later run that defines an event removes them.
 */
#ifndef CORETAP_ATTACH_EVENTS_H
#define CORETAP_ATTACH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* A probe of PMU "kprobe" or "uprobe" at `offset` in `target`, or with target NULL at the address `offset`. `semaphore`:
 * its offset in the file, 0: none. Returns an fd or -errno. */
int pmu_event_open(const char *pmu, const char *target, uint64_t offset, uint64_t semaphore,
		   bool is_return);
/* Opens an event of tracefs by its number. A negative number is an error, which is returned. An fd or -errno. */
int tracefs_event_open(int number);

/* Defines an event at the return of a function, "NAME", "MODULE:NAME" or "0xADDRESS". Returns the event's number in tracefs,
 * or -errno, e.g. -EACCES where tracefs may not be written. */
int kretprobe_define(const char *function);
/* Removes the events that this process has defined. Their fds must be closed: the kernel keeps an event that is in use. */
void kretprobe_remove_all(void);

/* ---- samples ---- */

/* A perf event that overflows after so many nanoseconds or events, and then runs a program. */
struct attach_sample {
	uint32_t type;		 /* PERF_TYPE_… */
	uint64_t config;	 /* PERF_COUNT_… */
	uint64_t period;	 /* between two samples: events, or ns of a clock … */
	bool per_second;	 /* … or how many samples in a second */
	bool once;		 /* on one processor, instead of on each */
	uint64_t address;	 /* of PERF_TYPE_BREAKPOINT: bytes that are watched, … */
	uint32_t length, access; /* … their number, and HW_BREAKPOINT_… */
};

/* Opens the event on one processor, disabled. Returns an fd or -errno. */
int sample_open(const struct attach_sample *sample, int cpu);
/* Opens it for one thread, and those that it starts, on any processor. */
int sample_open_thread(const struct attach_sample *sample, int thread);

#endif
