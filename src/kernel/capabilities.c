/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.c - by libcap (capabilities.h).
 */
#include "kernel/capabilities.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/capability.h>
#include <unistd.h>

static capabilities set_of(cap_t caps, cap_flag_t which)
{
	cap_flag_value_t value;
	capabilities set = 0;

	for (cap_value_t c = 0; caps && c < 64; c++)
		if (!cap_get_flag(caps, c, which, &value) && value == CAP_SET)
			set |= CAPABILITY(c);
	return set;
}

void capabilities_get(capabilities *permitted, capabilities *effective)
{
	cap_t caps = cap_get_proc();

	if (permitted)
		*permitted = set_of(caps, CAP_PERMITTED);
	if (effective)
		*effective = set_of(caps, CAP_EFFECTIVE);
	cap_free(caps);
}

static int set_add(cap_t caps, cap_flag_t which, capabilities set)
{
	int err = 0;

	for (cap_value_t c = 0; c < 64; c++)
		if (set & CAPABILITY(c))
			err |= cap_set_flag(caps, which, 1, &c, CAP_SET);
	return err;
}

int capabilities_set(capabilities permitted, capabilities effective)
{
	cap_t caps = cap_init();
	int err = 0;

	if (!caps || set_add(caps, CAP_PERMITTED, permitted) ||
	    set_add(caps, CAP_EFFECTIVE, effective) || cap_set_proc(caps))
		err = -errno;
	cap_free(caps);
	return err;
}

bool capabilities_try(capabilities effective, bool (*refused)(void))
{
	capabilities permitted, before;
	bool is_refused;

	capabilities_get(&permitted, &before);
	capabilities_set(permitted, permitted & effective);
	is_refused = refused();
	capabilities_set(permitted, before);
	return is_refused;
}

/* Those that coretap has a use for: of root's 41 the others say nothing. */
static const uint8_t useful[] = {
	CAP_BPF,	CAP_PERFMON,
	CAP_SYS_ADMIN,	CAP_DAC_READ_SEARCH,
	CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE,
	CAP_SYSLOG,	CAP_SYS_RESOURCE,
	CAP_KILL,	CAP_DAC_OVERRIDE,
	CAP_FOWNER,
};

const char *capabilities_text(capabilities set)
{
	static char text[192];
	int len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(useful); i++) {
		char *name = set & CAPABILITY(useful[i]) ? cap_to_name(useful[i]) : NULL;

		if (name)
			len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? "," : "",
					name);
		cap_free(name);
	}
	return text;
}

const char *capabilities_setcap(capabilities set)
{
	static char text[PATH_MAX + 256];
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	snprintf(text, sizeof(text), "setcap %s=ep %.*s", capabilities_text(set),
		 len > 0 ? (int)len : 7, len > 0 ? path : "coretap");
	return text;
}

const char *capabilities_hint(capabilities more)
{
	static char text[PATH_MAX + 256];
	capabilities has;

	capabilities_get(&has, NULL);
	if (!geteuid())
		return "";
	snprintf(text, sizeof(text), "; as root: %s", capabilities_setcap(has | more));
	return text;
}
