/* SPDX-License-Identifier: GPL-2.0-only */
/* syscall_params.h - the functions by which the kernel enters a system call, and where its parameters are. */
#ifndef CORETAP_PROBE_PROVIDERS_SYSCALL_PARAMS_H
#define CORETAP_PROBE_PROVIDERS_SYSCALL_PARAMS_H

#include "kernel/arch.h"
#include "btf/btf.h"
#include "expr/expr.h"
#include "probe/providers/tracefs.h"

enum { SYSCALL_NAME_MAX = 160 };

/* Prefixes of the functions: the native one, those of 32-bit programs, and last that without registers (SYSCALL_BODY). */
static const char *const syscall_entries[] = ARCH_SYSCALL_ENTRIES;
enum {
	SYSCALL_ENTRIES = sizeof(syscall_entries) / sizeof(syscall_entries[0]),
	SYSCALL_BODY = SYSCALL_ENTRIES - 1
};

static inline bool syscall_entry_is_compat(size_t entry)
{
	return entry && entry != SYSCALL_BODY;
}

struct syscall_source {
	struct tracefs_event format; /* params NULL: no format file */
	struct expr_param params[ARCH_SYSCALL_ARGUMENTS];
	size_t count;
	char *name; /* owned */
	/* owned: the types of a 32-bit program, where they differ */
	char *types[ARCH_SYSCALL_ARGUMENTS];
};

/* Reads the parameters of the call `name` as they are at that entry. Returns NULL without memory; free it with
 * syscall_source_free(). */
struct syscall_source *syscall_source_new(const struct btf_view *btf, const char *name,
					  size_t entry);
void syscall_source_free(void *source);

#endif
