/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_find.h - finds the sections with a program's debug information: in its own file, or in a separate one.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_FIND_H
#define CORETAP_SYMBOLS_USER_DWARF_FIND_H

#include "symbols/user/dwarf_section.h"

/* Opens the sections of a file, or of the file that contains its debug information. Without the first section the
 * others are useless. bytes NULL: missing. With fd -1, the file is an image in memory. Returns 0 or an error of
 * elf_file.h. */
int dwarf_sections_read(int fd, const void *image, size_t size, const char *const *names,
			struct dwarf_section *sections, size_t count);

/* Opens the sections of a file that another one names. bytes NULL: missing, also if there is no such file. Returns 0 or
 * an error of elf_file.h. */
int dwarf_named_read(const char *path, const char *const *names, struct dwarf_section *sections,
		     size_t count);
/* Writes the path of an open file. Returns false if it is unknown. */
bool dwarf_path_of(int fd, char *path, size_t room);
/* Returns the first of the folders that the user named, or the one after *at; NULL: no more. *len: its length. */
const char *dwarf_folder_next(const char **at, int *len);

/* Sets folders that are searched first for separate debug information, DIR[:DIR]; the text must outlive their use. */
void dwarf_folders_set(const char *list);

enum { BUILD_ID_SIZE = 2 * 32 + 1, LINK_PATH_SIZE = 4096 };
/* The file that the debug information of another refers to, as dwz makes it (.gnu_debugaltlink). */
struct dwarf_link {
	char id[BUILD_ID_SIZE];	   /* in hexadecimal; "": none */
	char path[LINK_PATH_SIZE]; /* "": none */
};

/* Reads a file's build ID, in hexadecimal; "": it has none. Returns 0 or an error of elf_file.h. */
int dwarf_build_id_read(int fd, const void *image, size_t size, char id[BUILD_ID_SIZE]);
/* As dwarf_sections_read, and returns what the file refers to. */
int dwarf_linking_read(int fd, const char *const *names, struct dwarf_section *sections,
		       size_t count, struct dwarf_link *link);
/* Opens the sections of the file that is referred to. bytes NULL: it is missing, or has another build ID. */
int dwarf_linked_read(const struct dwarf_link *link, const char *const *names,
		      struct dwarf_section *sections, size_t count);

#endif
