/* SPDX-License-Identifier: GPL-2.0-only */
/* net.h - sockets: linux/net.h, net/sock.h. */

struct sock_common {
	unsigned short skc_family;
};

struct sock {
	struct sock_common __sk_common;
	u16 sk_protocol;
};

struct socket {
	short type;
	struct sock *sk;
};
