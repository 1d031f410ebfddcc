/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_maps.h - files that processes map, and where: internal to usyms*.c.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MAPS_H
#define CORETAP_SYMBOLS_USER_USYMS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct mapping;

/* ---- mapped files, with their symbols (usyms_file.c) ---- */

/* The number of files and the memory of their symbols are bounded: the least recently used are freed first. */

/* One for each device, inode and name. It stays when nobody maps it any more, because it may be mapped again. */
struct mapped_file {
	/* neighbours in the list: used more recently, and less recently */
	struct mapped_file *before, *next;
	struct mapped_file *alike; /* the next file in the same hash bucket */
	unsigned major, minor;
	uint64_t inode;
	char *path;	  /* as seen by the first process that mapped it */
	const char *name; /* the last component of path */
	bool forgotten;	  /* about to be freed: its mappings must be freed first */

	struct usyms_elf *elf; /* NULL: not available */
	struct stat stat;      /* as it was when elf was read */
	bool tried;	       /* reading elf has been attempted */
	bool changed;	       /* its symbols differ from those read first */
	uint64_t look_ns;      /* when it may be checked again, CLOCK_MONOTONIC ns */
};

/* Finds the file with that name, or adds it. Returns NULL if out of memory. */
struct mapped_file *file_get(unsigned major, unsigned minor, uint64_t inode, const char *path);
/* Returns true if there are too many files, after marking the least recently used as forgotten. files_free_forgotten
 * frees these once nothing points at them. */
bool files_forget(void);
void files_free_forgotten(void);

/* Returns the current symbols of a mapped file, read through process `pid`, which has the mapping; NULL if not
 * available. `now` is from now_ns (clock.h), and may be a little old. */
const struct usyms_elf *file_symbols(uint32_t pid, const struct mapping *m, uint64_t now);

/* ---- mappings (usyms_maps.c) ---- */

/* An executable mapping. */
struct mapping {
	uint64_t start, end;
	uint64_t offset; /* file offset of `start` */
	struct mapped_file *file;
};

/* Returns the mapping that contains an address, or NULL; valid until the next call. Sets *gone if nothing is known
 * about the process. `now` is from now_ns (clock.h), and may be a little old. */
const struct mapping *process_mapping(uint32_t pid, uint64_t address, uint64_t now, bool *gone);
/* Processes the records of perf (usyms_watch_read). */
void processes_watched(void);

/* A parsed line of /proc/PID/maps. */
struct mapping_line {
	uint64_t start, end, offset, inode;
	unsigned major, minor;
	bool executable;
	char *path; /* points into the line; "" for none */
};
/* Parses the line in place. Returns false if it has another form. */
bool mapping_line_parse(char *line, struct mapping_line *l);

/* ---- opening exactly the file that a process has mapped (usyms_open.c) ---- */

/* Opens the mapped file for reading, through the process or, if that has exited, by its path. Returns -1 if the file
 * cannot be found: a different file at that path is not opened. */
int usyms_open(uint32_t pid, const struct mapping *m);
/* Gets the current stat of the mapped file without opening it; `is` is from an earlier fstat. Returns -1 if the file
 * cannot be found. */
int usyms_stat(uint32_t pid, const struct mapping *m, const struct stat *is, struct stat *now);
/* Returns the size of the file mapped at an address of our own process, or 0. */
uint64_t usyms_own_size(const void *at);

/* ---- mappings as processes create them: perf's records of mmap, exec and fork (usyms_mmap_events.c) ---- */

/* Called in the order of events. Paths are valid only during the call. */
struct watch_calls {
	void (*mapped)(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset, unsigned major,
		       unsigned minor, uint64_t inode, const char *path);
	void (*executed)(uint32_t pid); /* the process's mappings are gone */
	void (*forked)(uint32_t parent, uint32_t child);
	void (*lost)(uint64_t records); /* how many records found no room; 0: some may be lost */
};

/* Reports everything since the last call. Does nothing before usyms_watch. */
void usyms_watch_read(const struct watch_calls *calls);

#endif
