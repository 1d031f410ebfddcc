/* SPDX-License-Identifier: GPL-2.0 */
/*
 * form.h - values that are written the same way in a cell and in a JSON string: addresses, UUIDs,
 * bytes, file modes, symbols.
 */
#ifndef CORETAP_FORM_H
#define CORETAP_FORM_H

#include "core/out.h"
#include "core/schema.h"
#include "core/text.h"

/* Is it one of them? JSON puts quotes around these. */
bool form_is(enum field_type type);

/* TEXT_QUOTED and TEXT_PLAIN for cells: what may hold any byte (a socket's path) brings its own
 * quotes in the first of them. Returns the width in columns. */
size_t form_put(struct out *o, const struct field *f, const struct value *v, enum text_form form);

/* sockaddr.c: 192.0.2.1:80, [::1]:80, /run/x, @abstract, netlink:PID:0xGROUPS,
 * packet:IFINDEX:0xPROTOCOL:MAC, vsock:CID:PORT; of other families the number and bytes. */
size_t sockaddr_put(struct out *o, const char *bytes, size_t len, enum text_form form);
/* 52:54:00:12:34:56; any number of bytes. */
void mac_put(struct out *o, const char *bytes, size_t len);

#endif
