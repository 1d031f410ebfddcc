/* SPDX-License-Identifier: GPL-2.0-only */
/* ksyms_scan.c - searches /proc/kallsyms line by line, without loading the table of ksyms.c. */
#include "symbols/kernel/ksyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_TYPE = 17, LINE_NAME = 19 }; /* columns of "ffffffff81000000 T _stext" */

size_t ksyms_functions(const char *name, uint64_t *addresses, size_t room)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t found = 0, size = 0, len = strlen(name);
	char *line = NULL;

	while (f && getline(&line, &size, f) > LINE_NAME)
		if (!strncmp(line + LINE_NAME, name, len) && line[LINE_NAME + len] == '\n' &&
		    ksym_type_is_code(line[LINE_TYPE]) && found++ < room)
			addresses[found - 1] = strtoull(line, NULL, 16);
	free(line);
	if (f)
		fclose(f);
	return found;
}

bool ksyms_offsets(const char *path, const char *const *names, uint64_t *offsets, size_t count)
{
	FILE *f = fopen(path ?: "/proc/kallsyms", "re");
	size_t found = 0, size = 0, i;
	char *line = NULL;
	uint64_t address;

	while (f && found < count && getline(&line, &size, f) > LINE_NAME) {
		address = strtoull(line, NULL, 16);
		line[strcspn(line, "\n")] = '\0';
		for (i = 0; i < count && strcmp(names[i], line + LINE_NAME); i++)
			;
		if (ksyms_address_is_kernel(address) || (i < count && !address))
			break;
		if (i < count) {
			offsets[i] = address;
			found++;
		}
	}
	free(line);
	if (f)
		fclose(f);
	return found == count;
}
