/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcc.h - what the probes of bcc's trace and argdist have in common. Private to notation/.
 *
 * 	probe := [p|r|t|u ':'] [LIBRARY|CATEGORY ':'] FUNCTION ['(' signature ')']
 */
#ifndef CORETAP_FRONT_NOTATION_BCC_H
#define CORETAP_FRONT_NOTATION_BCC_H

#include "front/notation/notation.h"

enum { BCC_PARAMS_MAX = 12 };

struct bcc_probe {
	char kind;	   /* p, r, t or u */
	const char *probe; /* argdump's */
	bool is_user, is_syscall;
	bool is_call;		  /* a return that wants something of the entry: -r … */
	bool has_arguments;	  /* … an argument, even … */
	bool is_pair;		  /* … to count with: --until */
	const char *const *moved; /* where arguments are now; NULL: where they were */
	struct {
		const char *name, *type;
	} params[BCC_PARAMS_MAX];
	size_t param_count;
	size_t start, end;
};

/* Reads the probe from the token on. */
void bcc_probe_read(struct notation *n, struct bcc_probe *p);
/* PROBE, with %return unless it is a call or a pair. */
void bcc_probe_add(struct notation *n, const struct bcc_probe *p);
void bcc_view(struct notation *n, struct bcc_probe *p, struct notation_view *v);

#endif
