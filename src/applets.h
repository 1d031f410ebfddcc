/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applets.h - the table of applets. Only what stands above all of them includes it; what lies below is told by
 * `applets` (cli/applet.h).
 */
#ifndef CORETAP_APPLETS_H
#define CORETAP_APPLETS_H

#include "cli/applet.h"

/* In the order of applets.def; ends with NULL. */
extern const struct applet *const applets_all[];

#endif
