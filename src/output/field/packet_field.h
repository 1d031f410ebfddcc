/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packet_field.h - a packet as a value: one line.
 */
#ifndef CORETAP_OUTPUT_FIELD_PACKET_FIELD_H
#define CORETAP_OUTPUT_FIELD_PACKET_FIELD_H

#include "output/field/field.h"
#include "output/field/field_kind.h"

/* IP 127.0.0.1.42188 > 10.0.0.1.443: Flags [S], …; or "no headers yet". */
field_text_fn text_packet;
/* {"text":"IP …","length":74,"captured":74}, or null. */
field_json_fn json_packet;

#endif
