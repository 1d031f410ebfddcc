/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_check.h - common options that do not fit together.
 */
#ifndef CORETAP_SESSION_OPTION_CHECK_H
#define CORETAP_SESSION_OPTION_CHECK_H

#include "session/options.h"

/* Sets what follows from the options; exits with EXIT_USAGE, and says why, if they do not fit. */
void options_check_or_exit(struct options *o);

#endif
