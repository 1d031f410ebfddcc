/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_statement.h - a line of source code as a place in a program or library: u:FILE:SOURCE:LINE[:COLUMN].
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_STATEMENT_H
#define CORETAP_PROBE_PROVIDERS_USER_STATEMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct probe_spec_item;
struct session;
struct user_file;

struct user_statement {
	char file[4096];
	/* a path, or the last components of one; without a dot: a function, from whose declaration the line is counted */
	char source[256];
	unsigned line, column; /* column 0: any */
};

/* Returns false if the item names another kind of place: u:FILE:0xOFFSET has the same form if FILE exists. */
bool user_statement_parse(const struct session *s, const struct probe_spec_item *item,
			  struct user_statement *statement);
/* Finds the code of the line: file offsets of the first instruction in each function that has some, at most `most`. Sets
 * source and line of a function. Returns
 * how many there are; -ENOENT: the line has no code; -ESRCH: there is no such function; -ENOTUNIQ: several files have such a line; -ENODATA: the file has no line
 * numbers; or an error of elf_file.h. */
ssize_t user_statement_places(int fd, struct user_statement *statement, uint64_t *offsets,
			      size_t most);
/* The same of the first function. Returns 0 or such an error. */
int user_statement_find(int fd, struct user_statement *statement, uint64_t *offset);
/* Reports why it was not found. Returns the exit code. */
int user_statement_report(const struct user_file *file, const struct user_statement *statement,
			  int err);

#endif
