/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcc.h - shared by the probes of bcc's trace and argdist. Private to notation/.
 *
 * 	probe := [p|r|t|u ':'] [LIBRARY|CATEGORY ':'] FUNCTION ['(' signature ')']
 */
#ifndef CORETAP_FRONT_NOTATION_BCC_H
#define CORETAP_FRONT_NOTATION_BCC_H

#include "front/notation/notation.h"

enum { BCC_PARAMS_MAX = 12 };

struct bcc_probe {
	char kind;	   /* p, r, t or u */
	const char *probe; /* argdump's PROBE */
	bool is_user, is_syscall;
	bool is_call;		  /* a return that needs values of the entry: -r … */
	bool has_arguments;	  /* … an argument, in particular … */
	bool is_pair;		  /* … for a count: --until */
	const char *const *moved; /* new places of arguments; NULL: unchanged */
	struct {
		const char *name, *type;
	} params[BCC_PARAMS_MAX];
	size_t param_count;
	size_t start, end;
};

/* Reads the probe at the current token. */
void bcc_probe_read(struct notation *n, struct bcc_probe *p);
/* Adds the PROBE, with %return unless it is a call or a pair. */
void bcc_probe_add(struct notation *n, const struct bcc_probe *p);
void bcc_view(struct notation *n, struct bcc_probe *p, struct notation_view *v);

#endif
