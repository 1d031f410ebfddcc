/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_maps.h - files that processes map, and where: shared by the files of usyms.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MAPS_H
#define CORETAP_SYMBOLS_USER_USYMS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct mapping;

/* ---- mapped files, with their symbols (usyms_file.c) ---- */

/* Their number and the memory of their symbols are bounded: the least recently used are freed first. */

/* One for each device, inode and name. It is kept when nobody maps it any more, because it may be
 * mapped again. */
struct mapped_file {
	struct mapped_file *before, *next; /* used more recently, and less recently */
	struct mapped_file *alike;	   /* the next one in the same bucket */
	unsigned major, minor;
	uint64_t inode;
	char *path;	  /* as seen by the first process that mapped it */
	const char *name; /* its last part */
	bool forgotten;	  /* about to be freed: its mappings must be freed first */

	struct usyms_elf *elf; /* NULL: not available */
	struct stat stat;      /* when elf was read */
	bool tried;	       /* reading elf has been attempted */
	bool changed;	       /* its symbols differ from those read first */
	uint64_t look_ns;      /* not to be checked again before this time */
};

/* Finds the file with that name, or adds it; NULL: out of memory. */
struct mapped_file *file_get(unsigned major, unsigned minor, uint64_t inode, const char *path);
/* Returns true if there are too many, and marks the least recently used as forgotten. files_free_forgotten frees
 * these when nothing points at them. */
bool files_forget(void);
void files_free_forgotten(void);

/* The current symbols of a mapped file, read through process `pid`, which has the mapping; NULL:
 * not available. `now` is from now_ns (clock.h), and may be a little old. */
const struct usyms_elf *file_symbols(uint32_t pid, const struct mapping *m, uint64_t now);

/* ---- mappings (usyms_maps.c) ---- */

/* An executable mapping. */
struct mapping {
	uint64_t start, end;
	uint64_t offset; /* of start, in the file */
	struct mapped_file *file;
};

/* The mapping that contains an address, or NULL; valid until the next call. *gone: nothing is known
 * about the process. `now` is from now_ns (clock.h), and may be a little old. */
const struct mapping *process_mapping(uint32_t pid, uint64_t address, uint64_t now, bool *gone);
/* Processes what perf has recorded (usyms_watch_read). */
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

/* ---- opening exactly the file that a process has mapped (usyms_open.c) ---- */

/* Opens the mapped file for reading, through the process or, if that has exited, by its path.
 * Returns -1 if the file cannot be found: another file that is there now is not opened. */
int usyms_open(uint32_t pid, const struct mapping *m);
/* The current stat of the mapped file, without opening it; `is` is from an earlier fstat. Returns
 * -1 if the file cannot be found. */
int usyms_stat(uint32_t pid, const struct mapping *m, const struct stat *is, struct stat *now);
/* Returns the size of the file mapped at an address of our own process, or 0. */
uint64_t usyms_own_size(const void *at);

/* ---- mappings as processes make them: perf's records of mmap, exec and fork (usyms_mmap_events.c) ---- */

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
