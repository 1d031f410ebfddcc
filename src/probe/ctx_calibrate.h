/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ctx_calibrate.h - finds out which part of $ctx the probing itself causes, by probing ourselves.
 */
#ifndef CORETAP_PROBE_CTX_CALIBRATE_H
#define CORETAP_PROBE_CTX_CALIBRATE_H

#include "probe/argdump.h"

/* Tells the compiler which facts are already known to be unavailable for p->input.on_function and
 * p->method. Does not try anything out. */
void ctx_input_set(struct expr_input *in, const struct argdump_probe *p);

/* The facts that p->expr needs, for each of its programs; those not known yet are measured. Returns
 * 0, or -EAGAIN if one is unavailable and p has to be compiled again. */
int ctx_facts_find(const struct argdump_probe *p, struct program_facts facts[2]);

#endif
