/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_mmap_events.h - reports mappings as processes make them: perf's records of mmap, exec and
 * fork. For usyms_maps.c.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MMAP_EVENTS_H
#define CORETAP_SYMBOLS_USER_USYMS_MMAP_EVENTS_H

#include <stdint.h>

/* Called in the order of events. Paths are valid only during the call. */
struct watch_calls {
	void (*mapped)(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset, unsigned major,
		       unsigned minor, uint64_t inode, const char *path);
	void (*executed)(uint32_t pid); /* its mappings are gone */
	void (*forked)(uint32_t parent, uint32_t child);
	void (*lost)(uint64_t records); /* not recorded for want of room; 0: some may be lost */
};

/* Reports everything since the last call; does nothing before usyms_watch. */
void usyms_watch_read(const struct watch_calls *calls);

#endif
