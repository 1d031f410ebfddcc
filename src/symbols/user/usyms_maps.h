/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_maps.h - which file is mapped where, in which process. For usyms.c.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MAPS_H
#define CORETAP_SYMBOLS_USER_USYMS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapped_file;

/* An executable mapping. */
struct mapping {
	uint64_t start, end;
	uint64_t offset; /* of start, in the file */
	struct mapped_file *file;
};

/* The mapping that contains an address, or NULL; valid until the next call. *gone: nothing is known
 * about the process. `now` is from now_ns (clock.h), and may be a little old. */
const struct mapping *process_mapping(uint32_t pid, uint64_t address, uint64_t now, bool *gone);
/* Processes what perf has recorded (usyms_mmap_events.h). */
void processes_watched(void);

/* A line of /proc/PID/maps. */
struct mapping_line {
	uint64_t start, end, offset, inode;
	unsigned major, minor;
	bool executable;
	char *path; /* inside the line; "" for none */
};
/* Modifies the line; false: not such a line. */
bool mapping_line_parse(char *line, struct mapping_line *l);

#endif
