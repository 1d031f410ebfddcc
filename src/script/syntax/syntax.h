/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syntax.h - the first stage: text → probes and types of struct script.
 */
#ifndef CORETAP_SCRIPT_SYNTAX_SYNTAX_H
#define CORETAP_SCRIPT_SYNTAX_SYNTAX_H

#include "script/inside.h"

/* Parses c->s->text. */
void script_syntax(struct script_state *c);

#endif
