/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms_watch.h - what processes map, as they do it: perf's records of mmap, exec and fork. For
 * usyms_process.c.
 */
#ifndef CORETAP_USYMS_WATCH_H
#define CORETAP_USYMS_WATCH_H

#include <stdint.h>

/* Called in the order of events. Paths are gone after the call. */
struct watch_calls {
	void (*mapped)(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset, unsigned major,
		       unsigned minor, uint64_t inode, const char *path);
	void (*executed)(uint32_t pid); /* its mappings are gone */
	void (*forked)(uint32_t parent, uint32_t child);
};

/* All that happened since the last call; nothing before usyms_watch. */
void usyms_watch_take(const struct watch_calls *calls);

#endif
