/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-habits.c - the rows of src/cli/habits.def → a C file with them, compressed. A row is its letter, '0' or '1' for
 * its value, its condition plus one, and its texts, each ended by a NUL; HABIT_NO_TEXT stands for NULL. A build tool.
 */
#include <string.h>

#include "cli/habits.h"
#include "pack.h"

#define HABIT(tools_, letter_, name_, value_, when_, means_, instead_, note_)                      \
	{ tools_, name_, letter_, value_, HABIT_##when_, means_, instead_, note_ },

static const struct habit habits[] = {
#include "cli/habits.def"
};

static void text_write(FILE *f, const char *text)
{
	fputs(text ?: HABIT_NO_TEXT, f);
	putc(0, f);
}

int main(void)
{
	const size_t count = sizeof(habits) / sizeof(habits[0]);
	size_t size, packed_size;
	char *rows;
	FILE *f = open_memstream(&rows, &size);

	for (size_t i = 0; f && i < count; i++) {
		const struct habit *h = &habits[i];

		fprintf(f, "%c%c%c", h->letter, h->takes_value ? '1' : '0', h->when + 1);
		text_write(f, h->tools);
		text_write(f, h->name);
		text_write(f, h->means);
		text_write(f, h->instead);
		text_write(f, h->note);
	}
	if (!f || fclose(f))
		return 1;
	printf("#include <stddef.h>\nconst unsigned char habits_packed[] = ");
	packed_size = pack_print(rows, size, NULL);
	printf(";\nconst size_t habits_size = %zu, habits_packed_size = %zu, habits_count = %zu;\n",
	       size, packed_size, count);
	free(rows);
	return !packed_size || fflush(stdout);
}
