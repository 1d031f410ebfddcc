/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objects.h - loads, attaches and removes the programs of an applet that lists `objects`.
 */
#ifndef CORETAP_RUN_OBJECTS_H
#define CORETAP_RUN_OBJECTS_H

#include "attach/skeleton.h"
#include "cli/applet.h"
#include "cli/options.h"

/* Returns the part of the configuration that depends on options; the rest is zero. */
struct skeleton_config objects_config(const struct options *o);
/* Returns the attach methods to try for an object: a single one with --attach. */
const enum attach_method_id *objects_order(const struct options *o,
					   const struct skeleton_source *source);

#endif
