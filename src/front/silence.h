/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silence.h - what it may mean that a function which the user named was not seen.
 */
#ifndef CORETAP_FRONT_SILENCE_H
#define CORETAP_FRONT_SILENCE_H

#include "probe/argdump.h"
#include "run/session.h"

/* Opens the kernel's memory for silence_tell, while there are the rights. */
void silence_prepare(const struct session *s, const struct argdump *a);
/* Says so at the end of a run, if nothing at all was shown or counted. */
void silence_tell(const struct session *s, const struct argdump *a);

#endif
