/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost_account.h - the part of the ledger that depends on how a probe is attached.
 */
#ifndef CORETAP_PROBE_LOST_ACCOUNT_H
#define CORETAP_PROBE_LOST_ACCOUNT_H

#include "probe/argdump.h"
#include "run/lost.h"

/* Adds what the kernel's own probes missed, which are still attached. */
void argdump_links_account(struct lost *l, const struct argdump_probe *p);
/* Adds what the kernel counted for the probe's programs, which are still loaded. */
void argdump_lost_account(struct lost *l, const struct argdump_probe *p);

#endif
