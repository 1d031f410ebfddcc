/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_place.h - where a function's parameters are when it begins, as far as its debug information tells: DWARF 5,
 * sections 2.6 and 7.7.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_PLACE_H
#define CORETAP_SYMBOLS_USER_DWARF_PLACE_H

#include "kernel/arch.h"
#include "symbols/user/dwarf_info.h"

enum dwarf_place_kind {
	PLACE_NONE,  /* nothing is said */
	PLACE_ODD,   /* said in a form that is not supported */
	PLACE_GONE,  /* the value does not exist */
	PLACE_LATER, /* the same here: it has a place elsewhere in the function */
	PLACE_FRAME, /* in the function's own frame, which the function has yet to fill: the calling convention
			 * tells where it comes from */
	PLACE_REGISTER, /* in register `reg` */
	PLACE_SUM,	/* the number `reg` + `offset` */
	PLACE_MEMORY,	/* at the address `reg` + `offset` */
	PLACE_POINTED,	/* at the address that is stored at `reg` + `offset`, + `behind` */
	PLACE_CONSTANT, /* the number `offset` */
	PLACE_STATIC,	/* at the address `offset`, as the file counts addresses … */
	PLACE_ADDRESS,	/* … or that address itself */
	PLACE_THREAD,	/* in memory that each thread has of its own */
	PLACE_PIECES,	/* of a struct, in several places */
};

struct dwarf_place {
	enum dwarf_place_kind kind;
	unsigned reg; /* its DWARF number */
	int64_t offset, behind;
	unsigned shift;	 /* SUM: shifted right by so many bits */
	unsigned narrow; /* only so many bytes of the value are those of the variable; 0: all */
	bool is_pointed; /* FRAME: what is passed is the value's address */
};

enum { DWARF_PIECES_MAX = 4, DWARF_PARAMS_MAX = 64 };

struct dwarf_piece {
	struct dwarf_place place;
	unsigned size; /* bytes */
};

struct dwarf_param {
	const char *name;   /* "": none; borrowed from the sections */
	uint32_t type;	    /* offset of its entry; 0: void */
	bool is_artificial; /* the source does not list it: `this` */
	/* of a parameter: as dwarf_alignment, as dwarf_passing */
	uint32_t alignment;
	uint8_t passing;
	struct dwarf_place place;
	struct dwarf_piece pieces[DWARF_PIECES_MAX];
	unsigned piece_count;
};

/* How the frame's address (CFA) is computed at an address: the register with that DWARF number + offset. */
struct dwarf_frame {
	bool is_known;
	unsigned reg;
	int64_t offset;
};

/* A place inside a function. */
struct dwarf_spot {
	uint64_t address;
	/* in the inlined function of this name, though another may be inlined at its first instruction; NULL: the innermost */
	const char *inlined;
	/* at this line, though a function that it calls may be inlined at its first instruction; 0: unknown */
	unsigned line;
};

/* Reads the variables that are in scope at a place inside a function or, if it is in code that was inlined, inside that
 * function: its parameters, and what its blocks there declare, the innermost first. Of an inlined function that is named,
 * only the parameters. Returns how many there are, at most DWARF_PARAMS_MAX. */
size_t dwarf_variables_read(const struct dwarf_unit *u, const struct dwarf_entry *function,
			    const struct dwarf_spot *spot, const struct arch *arch,
			    const struct dwarf_frame *frame,
			    struct dwarf_param variables[DWARF_PARAMS_MAX]);
/* Reads the parameters of the function that begins at `address`. `function` has its code. Returns how many there are, at
 * most DWARF_PARAMS_MAX. */
size_t dwarf_params_read(const struct dwarf_unit *u, const struct dwarf_entry *function,
			 uint64_t address, const struct arch *arch,
			 struct dwarf_param params[DWARF_PARAMS_MAX]);

/* ---- for dwarf_place.c and dwarf_variables.c only ---- */

/* Where locations are evaluated. */
struct dwarf_reader {
	const struct dwarf_unit *u;
	const struct arch *arch;
	struct dwarf_bytes frame;
	const struct dwarf_frame *inside; /* NULL: at the function's first instruction */
	bool is_list; /* valid at the function's first instruction, and not only in its body */
};

/* Reads where a parameter or variable is at an address of its function. */
void dwarf_param_read(struct dwarf_reader *r, const struct dwarf_entry *e, uint64_t address,
		      struct dwarf_param *p);

/* ---- dwarf_list.c ---- */

/* Finds the expression that a location list has for an address. Returns false if it has none. */
bool dwarf_list_find(const struct dwarf_unit *u, uint64_t offset, uint64_t address,
		     struct dwarf_bytes *expr);

#endif
