/* SPDX-License-Identifier: GPL-2.0-only */
/* usdt.h - probes that programs bring with them: u:FILE:PROVIDER:NAME (usdt.c). */
#ifndef CORETAP_PROBE_PROVIDERS_USDT_H
#define CORETAP_PROBE_PROVIDERS_USDT_H

#include "probe/argdump.h"
#include "probe/providers/user_file.h"
#include "symbols/user/usdt.h"

/* A path may contain colons: does the one before the name separate a provider from its file? */
bool usdt_is_meant(const struct session *s, const struct probe_spec_item *item);
/* Adds the probes that the item names. Returns an exit code, after printing any error. */
int usdt_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		 const struct probe_spec_item *item);

/* Opens the item's file, and reads its notes. Returns an exit code; after EXIT_FINE the caller closes
 * file->fd and frees *notes. */
int usdt_open(struct session *s, const struct probe_spec_item *item, struct user_file *file,
	      struct usdt_notes *notes);
/* Does the item name that probe? */
bool usdt_takes(const struct probe_spec_item *item, const struct usdt *u);
/* Says that the file has no probe like the item. Returns the exit code. */
int usdt_unknown_tell(const struct probe_spec_item *item, const struct user_file *file,
		      const struct usdt_notes *notes);

#endif
