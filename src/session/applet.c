/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet.c - the table of applets, from applets.def.
 */
#include "session/applet.h"

#include <string.h>

#define APPLET(name) extern const struct applet name##_applet;
#include "applets.def"
#undef APPLET

#define APPLET(name) &name##_applet,
const struct applet *const applets[] = {
#include "applets.def"
	NULL,
};
#undef APPLET

const struct applet *applet_find(const char *name)
{
	for (const struct applet *const *a = applets; *a; a++)
		if (!strcmp((*a)->name, name))
			return *a;
	return NULL;
}

size_t applet_buffer(const struct applet *applet)
{
	return applet->buffer ? applet->buffer : 8 << 20;
}
