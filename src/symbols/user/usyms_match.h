/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_match.h - the functions of an ELF file that a pattern names, and which of them a probe can
 * be on.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MATCH_H
#define CORETAP_SYMBOLS_USER_USYMS_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct usym_function {
	char *name;	 /* the best known of its names that match; owned */
	uint64_t offset; /* in the file, as uprobes count */
	char *also;	 /* its other matching names, separated by blanks; owned; or NULL */
};

enum usym_fault {
	USYM_FINE,
	USYM_INDIRECT, /* an IFUNC: its code chooses the function that is run instead */
	USYM_PART,     /* a part of a function, which is jumped to */
	USYM_RETURN,   /* its return cannot be traced: usym_fault_of */
	USYM_FAULTS,
};

struct usym_functions {
	struct usym_function *list; /* owned; by name */
	size_t count;
	size_t aliases; /* number of these with other names */
	struct {
		size_t count;
		char first[64];
	} left_out[USYM_FAULTS];
};

/* Why a function cannot be probed, at its entry or only at its return. To see a return the kernel replaces the return
 * address on the stack: code that is not called, or that keeps the address for later, would crash. */
enum usym_fault usym_fault_of(const char *name, bool indirect, bool at_return);
/* "…is chosen when it is first called": after "cannot trace X: ". */
extern const char *const usym_faults[USYM_FAULTS];

/* Finds the functions, in .symtab and in .dynsym, those with one address once. Names with blanks or
 * control characters are skipped. Returns 0, also if there are none, or an error of elf_file.h or
 * -ENOMEM. The caller frees *l in any case. */
int usyms_match(const char *path, const char *pattern, bool at_return, struct usym_functions *l);
void usym_functions_free(struct usym_functions *l);

#endif
