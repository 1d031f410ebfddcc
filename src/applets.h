/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applets.h - the table of applets. Only main and tests include it. What lies below reads `applets`
 * (cli/applet.h), which they set.
 */
#ifndef CORETAP_APPLETS_H
#define CORETAP_APPLETS_H

#include "cli/applet.h"

/* In the order of applets.def; ends with NULL. */
extern const struct applet *const applets_all[];

#endif
