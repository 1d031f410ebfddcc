/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verifier_words.c - the reason in a verifier's log (verifier_words.h).
 *
 * The log ends with the reason, but for statistics ("processed 5 insns …"), libbpf's own marks around it, and what 7.3
 * kernels explain behind it. Lines of instructions ("12: (85) call …") and of registers say what was verified.
 */
#include "attach/verifier_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char kept[200];

static bool starts(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* "12: (85) call bpf_loop#181", "12: R0=…", "; source", "from 12 to 14: …", "R1=ctx() R10=fp0" */
static bool is_trace(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return (digits && line[digits] == ':') || *line == ';' || starts(line, "from ") ||
	       (*line == 'R' && isdigit((unsigned char)line[1]) &&
		strchr("=_w", line[1 + strspn(line + 1, "0123456789")])) ||
	       starts(line, "func#") || starts(line, "last_idx") || starts(line, "mark_precise") ||
	       starts(line, "regs=") || starts(line, "parent ");
}

static bool is_statistics(const char *line)
{
	return starts(line, "processed ") || starts(line, "verification time") ||
	       starts(line, "stack depth") || starts(line, "-- ") ||
	       starts(line, "insns processed");
}

void verifier_reason(const char *log, char *line, size_t size)
{
	line[0] = 0;
	for (const char *end; *log && !starts(log, "Verification failed");
	     log = end + (*end != 0)) {
		end = strchrnul(log, '\n');
		if (end > log && !is_statistics(log) && !is_trace(log))
			snprintf(line, size, "%.*s", (int)(end - log), log);
	}
}

void verifier_words_keep(const char *log)
{
	char line[sizeof(kept)];

	verifier_reason(log, line, sizeof(line));
	if (line[0])
		memcpy(kept, line, sizeof(kept));
}

const char *verifier_words(void)
{
	return kept[0] ? kept : NULL;
}
