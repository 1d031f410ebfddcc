/* SPDX-License-Identifier: GPL-2.0-only */
/* help.h - the texts of argdump's --help and man page that are not about one option. */
#ifndef CORETAP_FRONT_HELP_H
#define CORETAP_FRONT_HELP_H

#include "cli/applet.h"

extern const char argdump_description[];
extern const struct example argdump_examples[];
extern const struct help_topic argdump_topics[];

#endif
