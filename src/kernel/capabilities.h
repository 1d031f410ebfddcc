/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.h - sets of capabilities: those of this process, and as text. Bit N is capability N.
 */
#ifndef CORETAP_KERNEL_CAPABILITIES_H
#define CORETAP_KERNEL_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/capability.h>

typedef uint64_t capabilities;

#define CAPABILITY(number) (1ull << (number))
/* Without these nothing is traced. */
#define CAPS_TRACE (CAPABILITY(CAP_BPF) | CAPABILITY(CAP_PERFMON))
/* To read /proc/PID of any process, and the files that it runs and has mapped. */
#define CAPS_FILES                                                                                 \
	(CAPABILITY(CAP_SYS_PTRACE) | CAPABILITY(CAP_DAC_READ_SEARCH) |                            \
	 CAPABILITY(CAP_CHECKPOINT_RESTORE))
/* All that may help to trace. */
#define CAPS_HELPFUL                                                                               \
	(CAPS_TRACE | CAPS_FILES | CAPABILITY(CAP_SYSLOG) | CAPABILITY(CAP_SYS_ADMIN) |            \
	 CAPABILITY(CAP_SYS_RESOURCE))

/* This process's permitted and effective ones; either may be NULL. */
void capabilities_get(capabilities *permitted, capabilities *effective);
/* Sets both, and empties the inheritable set. Returns 0 or -errno. */
int capabilities_set(capabilities permitted, capabilities effective);
/* Calls `refused` while only `effective` (of the permitted ones) is effective, and returns its result. */
bool capabilities_try(capabilities effective, bool (*refused)(void));

/* "cap_bpf,cap_perfmon", as for setcap(8), or "". Only capabilities that coretap uses. The text is valid until the
 * next call. */
const char *capabilities_text(capabilities set);
/* The command that gives them to this binary: "setcap cap_bpf=ep FILE". The text is valid until the next call. */
const char *capabilities_setcap(capabilities set);
/* For a hint that asks for more: "; as root: setcap …", with those that the process has; "" for root itself. The
 * text is valid until the next call. */
const char *capabilities_hint(capabilities more);

/* ---- files that the user names ---- */

/* Opens files that the user names with the user's own rights.
 *
 * A binary with file capabilities may read what its user may not, in order to trace processes. A file whose name is
 * typed, or that is in a folder of the user's choice, must be opened without them: else its text would be quoted in an
 * error, or it would be replaced. Root's own rights include all. */

/* The effective capabilities to go back to; 0: nothing was given up. */
struct own_rights {
	uint64_t before;
};

/* From here to own_rights_end this thread has no capability over files that its user lacks. Pairs may be nested: the
 * outermost end restores the rights. */
struct own_rights own_rights_begin(void);
/* Keeps errno. */
void own_rights_end(struct own_rights r);

/* As open(2), with O_CLOEXEC: a descriptor, or -errno. */
int own_open(const char *path, int flags);
/* As fopen(3) for reading, close-on-exec; NULL with errno. */
FILE *own_fopen(const char *path);
/* As realpath(3), to memory of PATH_MAX bytes: false with errno. */
bool own_realpath(const char *path, char *to);
/* 0 if the user may read it, else -errno. */
int own_can_read(const char *path);

#endif
