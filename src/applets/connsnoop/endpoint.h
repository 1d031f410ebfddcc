/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * endpoint.h - one side of a connection as a field: an address and port, or the name of a unix socket.
 */
#ifndef CORETAP_CONNSNOOP_ENDPOINT_H
#define CORETAP_CONNSNOOP_ENDPOINT_H

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/sock.h"

/* Kinds of a field that is a struct connsnoop_addresses, with endpoint_layout as its context. */
extern const struct field_kind endpoint_local, endpoint_peer;
extern const struct sock_layout endpoint_layout;

#endif
