/* SPDX-License-Identifier: GPL-2.0-only */
/* value_addr.h - writes network addresses as text, for a cell and for a JSON string. */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_ADDR_H
#define CORETAP_OUTPUT_FIELD_VALUE_ADDR_H

#include "util/buf.h"
#include "util/escape.h"

/* Writes 192.0.2.1:80, [::1]:80, /run/x, @abstract, netlink:PID:0xGROUPS, packet:IFINDEX:0xPROTOCOL:MAC,
 * vsock:CID:PORT; for other families the number and bytes. With ESCAPE_QUOTED, a path is quoted. Returns the width in
 * columns. */
size_t sockaddr_write(struct buf *o, const char *bytes, size_t len, enum escape_form form);

#endif
