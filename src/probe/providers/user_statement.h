/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_statement.h - a line of source code as a place in a program or library: u:FILE:SOURCE:LINE[:COLUMN].
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_STATEMENT_H
#define CORETAP_PROBE_PROVIDERS_USER_STATEMENT_H

#include <stdbool.h>
#include <stdint.h>

struct probe_spec_item;
struct session;
struct user_file;

struct user_statement {
	char file[4096];
	char source[256];      /* the last component of its path */
	unsigned line, column; /* column 0: any */
};

/* Returns false if the item names another kind of place: u:FILE:0xOFFSET has the same form if FILE exists. */
bool user_statement_parse(const struct session *s, const struct probe_spec_item *item,
			  struct user_statement *statement);
/* Finds the file offset of the line's first instruction. Returns 0; -ENOENT: the line has no code; -ENODATA: the file has
 * no line numbers; or an error of elf_file.h. */
int user_statement_find(int fd, const struct user_statement *statement, uint64_t *offset);
/* Reports why it was not found. Returns the exit code. */
int user_statement_report(const struct user_file *file, const struct user_statement *statement,
			  int err);

#endif
