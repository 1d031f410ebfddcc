/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_match.h - finds the functions of an ELF file that match a pattern, and decides which of them can be probed.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_MATCH_H
#define CORETAP_SYMBOLS_USER_USYMS_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct usym_function {
	char *name;	 /* owned: the best known of its symbols that match */
	uint64_t offset; /* in the file, as uprobes expect it */
	char *also;	 /* owned: its other matching symbols, separated by blanks; or NULL */
};

enum usym_fault {
	USYM_FINE,
	USYM_INDIRECT, /* an IFUNC: its code chooses the function to run instead */
	USYM_PART,     /* a part of a function, which is jumped to */
	USYM_RETURN,   /* its return cannot be traced: usym_fault_of */
	USYM_FAULTS,
};

struct usym_functions {
	struct usym_function *list; /* owned; sorted by name */
	size_t count;
	size_t aliases; /* how many functions have other names */
	struct {
		size_t count;
		char first[64];
	} left_out[USYM_FAULTS];
};

/* Returns why a function cannot be probed, at its entry or only at its return. To see a return the kernel replaces
 * the return address on the stack: code that is not called, or that stores the address for later, would crash. */
enum usym_fault usym_fault_of(const char *name, bool indirect, bool at_return);
/* Texts such as "…is chosen when it is first called", to be printed after "cannot trace X: ". */
extern const char *const usym_faults[USYM_FAULTS];

enum {
	USYMS_RETURNS = 1, /* their returns are traced */
	USYMS_SYMBOLS = 2, /* compares symbols only, not the names of C++ and Rust */
};

/* Finds the functions in .symtab and in .dynsym; those with the same address once. Skips symbols with blanks or control
 * characters. Returns 0, even if none is found; an error of elf_file.h; or -ENOMEM. The caller frees *l in any case. */
int usyms_match(const char *path, const char *pattern, unsigned how, struct usym_functions *l);
void usym_functions_free(struct usym_functions *l);

#endif
