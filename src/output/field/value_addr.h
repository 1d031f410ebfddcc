/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_addr.h - network addresses as text, for a cell and for a JSON string.
 */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_ADDR_H
#define CORETAP_OUTPUT_FIELD_VALUE_ADDR_H

#include "util/buf.h"

/* 52:54:00:12:34:56; any number of bytes. */
void mac_put(struct buf *o, const char *bytes, size_t len);

#endif
