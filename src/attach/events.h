/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - perf events that programs attach to.
 *
 * A kretprobe of the perf PMU "kprobe" has room for one call per processor, or for ten (register_kretprobe in
 * kernel/kprobes.c), and misses all others. Only an event that is defined in tracefs may ask for more: MAXACTIVE,
 * since 4.12 (Documentation/trace/kprobetrace.rst). Such an event has a name in tracefs and is removed at the end.
 * After kill -9, the name and a disabled probe stay until a later run that defines an event removes them.
 */
#ifndef CORETAP_ATTACH_EVENTS_H
#define CORETAP_ATTACH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Opens a probe of PMU "kprobe" or "uprobe" at `offset` in `target`, or with target NULL at the address `offset`.
 * `semaphore`: its offset in the file, 0: none. Returns an fd or -errno. */
int pmu_event_open(const char *pmu, const char *target, uint64_t offset, uint64_t semaphore,
		   bool is_return);
/* Opens an event of tracefs by its number. Returns an fd or -errno; a negative number is returned unchanged. */
int tracefs_event_open(int number);

/* Defines an event at the return of a function, "NAME", "MODULE:NAME" or "0xADDRESS". Returns the event's number in
 * tracefs, or -errno, e.g. -EACCES if tracefs is not writable. */
int kretprobe_define(const char *function);
/* Removes the events that this process has defined. Close their fds first: the kernel refuses to remove an event in
 * use. */
void kretprobe_remove_all(void);

/* ---- samples ---- */

/* A perf event that overflows after a number of nanoseconds or events, and then runs a program. */
struct attach_sample {
	uint32_t type;		 /* PERF_TYPE_… */
	uint64_t config;	 /* PERF_COUNT_… */
	uint64_t period;	 /* between two samples: events, or ns of a clock */
	bool per_second;	 /* `period` is the number of samples in a second */
	bool once;		 /* on one processor only */
	uint64_t address;	 /* for PERF_TYPE_BREAKPOINT: the first byte to watch */
	uint32_t length, access; /* number of bytes, and HW_BREAKPOINT_… */
};

/* Opens the event, disabled, on one processor. Returns an fd or -errno. */
int sample_open(const struct attach_sample *sample, int cpu);
/* The same for one thread, and threads that it starts, on any processor. */
int sample_open_thread(const struct attach_sample *sample, int thread);

/* Returns 1 if the kernel would refuse a kprobe by that name because several functions have it; 0 if not; or -errno
 * if that cannot be tested (lockdown). Always 0 on old kernels. Takes less than 0.1 ms from 6.1 on. */
int function_name_is_shared(const char *function);

#endif
