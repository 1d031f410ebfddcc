/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.h - sets of capabilities: reads those of this process, and formats them. Bit N is capability N.
 */
#ifndef CORETAP_KERNEL_CAPABILITIES_H
#define CORETAP_KERNEL_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <linux/capability.h>

typedef uint64_t capabilities;

#define CAPABILITY(number) (1ull << (number))
/* Nothing can be traced without these. */
#define CAPS_TRACE (CAPABILITY(CAP_BPF) | CAPABILITY(CAP_PERFMON))
/* Needed to read /proc/PID of any process, the files that it runs and those it has mapped. */
#define CAPS_FILES                                                                                 \
	(CAPABILITY(CAP_SYS_PTRACE) | CAPABILITY(CAP_DAC_READ_SEARCH) |                            \
	 CAPABILITY(CAP_CHECKPOINT_RESTORE))
/* All capabilities that can help to trace. */
#define CAPS_HELPFUL                                                                               \
	(CAPS_TRACE | CAPS_FILES | CAPABILITY(CAP_SYSLOG) | CAPABILITY(CAP_SYS_ADMIN) |            \
	 CAPABILITY(CAP_SYS_RESOURCE))

/* Reads the permitted and effective set of this process; either pointer may be NULL. */
void capabilities_get(capabilities *permitted, capabilities *effective);
/* Sets both, and empties the inheritable set. Returns 0 or -errno. */
int capabilities_set(capabilities permitted, capabilities effective);
/* Calls `refused` with only `effective` in the effective set (as far as permitted), and returns its result. */
bool capabilities_try(capabilities effective, bool (*refused)(void));

/* Formats as setcap(8) reads it: "cap_bpf,cap_perfmon", or "". Lists only capabilities that coretap uses. The text is
 * valid until the next call. */
const char *capabilities_text(capabilities set);
/* The command that gives the capabilities to this binary: "setcap cap_bpf=ep FILE". The text is valid until the next
 * call. */
const char *capabilities_setcap(capabilities set);
/* The end of a hint that asks for more capabilities: "; as root: setcap …", with those that the process already has;
 * "" if it is root's. The text is valid until the next call. */
const char *capabilities_hint(capabilities more);

/* ---- files that the user names ---- */

/* Opens files that the user names with the user's own rights.
 *
 * A binary with file capabilities may read files that its user may not, in order to trace processes. A file that the
 * user names, or that lies in a folder the user chose, must be opened without these capabilities: otherwise an error
 * message could quote it, or the run could overwrite it. Root's own rights include all. */

/* The effective capabilities to restore; 0: none were dropped. */
struct own_rights {
	uint64_t before;
};

/* Until own_rights_end, this thread has no capability over files that its user lacks. Pairs may be nested: the
 * outermost end restores the rights. */
struct own_rights own_rights_begin(void);
/* Preserves errno. */
void own_rights_end(struct own_rights r);

/* As open(2) with O_CLOEXEC. Returns a descriptor or -errno. */
int own_open(const char *path, int flags);
/* Reads a file of at most `most` bytes. Returns its text, which the caller frees, with a NUL after its *len bytes; NULL
 * with errno: EFBIG if it is longer. */
char *own_text_read(const char *path, size_t most, size_t *len);
/* As realpath(3), into PATH_MAX bytes. Returns false and sets errno on error. */
bool own_realpath(const char *path, char *to);
/* Returns 0 if the user may read the file, else -errno. */
int own_can_read(const char *path);

#endif
