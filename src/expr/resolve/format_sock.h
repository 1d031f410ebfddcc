/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_sock.h - :sock, the two addresses of a socket.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_SOCK_H
#define CORETAP_EXPR_RESOLVE_FORMAT_SOCK_H

#include "expr/resolve/format_rules.h"

/* Is it a struct sock, one that begins with a sock, a struct socket, or a pointer to one, and do
 * this kernel's types say where the addresses are? */
bool sock_is_known(struct compile *c, const struct slot *s);
/* The node of a pointer to the socket (of a struct socket: its sk), and the BTF id of the sock_common
 * that it begins with. Not a socket: an error. */
struct node *sock_pointer(struct compile *c, struct node *n, uint32_t *common);
/* Where that has its parts; NULL: this kernel's types lack one. */
const struct sock_layout *sock_layout_of(struct compile *c, uint32_t common);
/* As a FIELD_SOCK, FIELD_LOCAL or FIELD_PEER. */
void sock_format(struct compile *c, struct slot *s, enum field_type type);

#endif
