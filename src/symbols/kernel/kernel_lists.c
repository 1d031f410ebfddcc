/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_lists.c - reads the files that list functions, line by line.
 *
 *	ffffffff81002014 name [module]		ftrace, since 6.5
 *	name [module]				ftrace
 *	0xffffffff81002014-0x…<tab>name		the blacklist of kprobes
 */
#include "symbols/kernel/functions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

enum { BUSY_LINES = 4096 }; /* lines read between two checks of the time */

struct list_file {
	const char *path;
	bool has_addresses;
};

static const struct list_file ftrace_files[] = {
	{ "/sys/kernel/tracing/available_filter_functions_addrs", true },
	{ "/sys/kernel/debug/tracing/available_filter_functions_addrs", true },
	{ "/sys/kernel/tracing/available_filter_functions", false },
	{ "/sys/kernel/debug/tracing/available_filter_functions", false },
	{ 0 },
};

static const struct list_file blacklist_files[] = {
	{ "/sys/kernel/debug/kprobes/blacklist", false },
	{ 0 },
};

/* The texts that kernel_list_preload read. */
static struct kept {
	char *text; /* NULL: not read */
	size_t size;
	bool has_addresses;
} kept[KERNEL_LISTS];

static FILE *list_open(enum kernel_list list, bool *has_addresses)
{
	const struct list_file *file = list == KERNEL_LIST_FTRACE ? ftrace_files : blacklist_files;
	struct kept *k = &kept[list];
	FILE *f = NULL;

	if (k->text) {
		*has_addresses = k->has_addresses;
		return fmemopen(k->text, k->size, "r");
	}
	for (; !f && file->path; file++) {
		f = fopen(file->path, "re");
		*has_addresses = file->has_addresses;
	}
	return f;
}

void kernel_list_preload(enum kernel_list list)
{
	struct kept *k = &kept[list];
	FILE *f = k->text ? NULL : list_open(list, &k->has_addresses);

	if (!f)
		return;
	/* reads up to the first NUL: the file has none, so this is all of it */
	if (getdelim(&k->text, &k->size, 0, f) > 0) {
		k->size = strlen(k->text);
	} else {
		free(k->text);
		k->text = NULL;
	}
	fclose(f);
}

/* Parses a line in place. Returns false if it names no function. */
static bool line_parse(char *text, bool has_address, struct kernel_list_line *line)
{
	char *tab, *module = strchr(text, '[');

	*line = (struct kernel_list_line){ 0 };
	if (has_address)
		line->patched = strtoull(text, &text, 16);
	tab = strchr(text, '\t');
	if (tab && tab[1] != '[')
		text = tab + 1;
	text += *text == ' ';
	if (module) {
		module[strcspn(module, "]")] = 0;
		line->module = module + 1;
	}
	text[strcspn(text, " \t\n")] = 0;
	line->name = text;
	/* ftrace's entry for a function that the linker removed */
	return strncmp(text, "__ftrace_invalid_address__", 26) != 0;
}

int kernel_list_read(enum kernel_list list,
		     int (*fn)(const struct kernel_list_line *line, void *context), void *context)
{
	bool has_addresses;
	FILE *f = list_open(list, &has_addresses);
	struct kernel_list_line line;
	char *text = NULL;
	size_t size = 0, lines = 0;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && getline(&text, &size, f) > 0) {
		if (!(lines++ % BUSY_LINES))
			log_busy("finding", 0, 0);
		if (line_parse(text, has_addresses, &line))
			err = fn(&line, context);
	}
	if (!err && ferror(f))
		err = -EIO;
	free(text);
	fclose(f);
	return err;
}
