/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * preempt.c - finds out whether the kernel may preempt a running BPF program.
 *
 * A kernel built with PREEMPT_DYNAMIC, as most are, decides at boot. This file knows nothing about probes.
 */
#include "kernel/preempt.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "kernel/config.h"
#include "util/small_file.h"

/* Parses "#1 SMP PREEMPT_DYNAMIC …" (from uname). Returns -1 if it does not tell the mode. Exported for the test. */
static int preempt_from_version(const char *version)
{
	if (strstr(version, " PREEMPT_DYNAMIC"))
		return -1;
	return strstr(version, " PREEMPT") != NULL;
}

static int preempt_from_mode(const char *mode, size_t len)
{
	static const struct {
		const char *name;
		int preempts;
	} modes[] = {
		{ "none", 0 },
		{ "voluntary", 0 },
		{ "full", 1 },
		{ "lazy", 1 },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strlen(modes[i].name) == len && !memcmp(modes[i].name, mode, len))
			return modes[i].preempts;
	return -1;
}

/* Parses debugfs's "none voluntary (full)", which may be empty. Returns -1 if it does not tell the mode. */
static int preempt_from_modes(const char *modes)
{
	const char *open = strchr(modes, '(');

	return open ? preempt_from_mode(open + 1, strcspn(open + 1, ")")) : -1;
}

static int preempt_from_command_line(void)
{
	char line[4096], *word;

	small_file_read("/proc/cmdline", line, sizeof(line));
	word = strstr(line, "preempt=");
	if (!word || (word != line && word[-1] != ' '))
		return -1;
	word += strlen("preempt=");
	return preempt_from_mode(word, strcspn(word, " \n"));
}

/* Returns the mode that the kernel was built with. */
static int preempt_from_config(const char *release)
{
	FILE *f = kernel_config_open(release);
	char line[256];
	int preempts = -1;

	while (f && preempts < 0 && fgets(line, sizeof(line), f)) {
		if (!strcmp(line, "CONFIG_PREEMPT_NONE=y\n") ||
		    !strcmp(line, "CONFIG_PREEMPT_VOLUNTARY=y\n"))
			preempts = 0;
		else if (!strcmp(line, "CONFIG_PREEMPT=y\n") ||
			 !strcmp(line, "CONFIG_PREEMPT_LAZY=y\n"))
			preempts = 1;
	}
	if (f)
		fclose(f);
	return preempts;
}

bool preempt_is_hidden(void)
{
	struct utsname names;

	return uname(&names) || preempt_from_version(names.version) < 0;
}

static bool preempt_find(void)
{
	struct utsname names;
	char modes[64];
	int preempts;

	if (uname(&names))
		return true;
	preempts = preempt_from_version(names.version);
	if (preempts >= 0)
		return preempts;
	small_file_read("/sys/kernel/debug/sched/preempt", modes, sizeof(modes));
	preempts = preempt_from_modes(modes);
	if (preempts < 0)
		preempts = preempt_from_command_line();
	if (preempts < 0)
		preempts = preempt_from_config(names.release);
	return preempts != 0;
}

bool preempt_possible(void)
{
	static int known = -1;

	if (known < 0)
		known = preempt_find();
	return known;
}
