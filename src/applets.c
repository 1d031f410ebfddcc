/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applets.c - the table of applets, from applets.def.
 */
#include "applets.h"

#define APPLET(name) extern const struct applet name##_applet;
#include "applets.def"
#undef APPLET

#define APPLET(name) &name##_applet,
const struct applet *const applets_all[] = {
#include "applets.def"
	NULL,
};
#undef APPLET
