/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * online.h - processors that come online during a run: their samples begin then.
 */
#ifndef CORETAP_FRONT_ONLINE_H
#define CORETAP_FRONT_ONLINE_H

struct session;

/* Attaches the sample probes (hz:, every:, hw:, sw:) of a run to processors that have come online; one that cannot be
 * sampled is counted in the ledger. */
void online_poll(struct session *s);

#endif
