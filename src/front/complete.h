/* SPDX-License-Identifier: GPL-2.0-only */
/* complete.h - words of a command line that name what can be probed (complete.c). */
#ifndef CORETAP_FRONT_COMPLETE_H
#define CORETAP_FRONT_COMPLETE_H

#include "cli/complete.h"

/* Of a PROBE, or the last of several with commas. */
completion_fn argdump_complete;
/* Of a type, as "struct NAME". */
completion_fn argdump_complete_type;

#endif
