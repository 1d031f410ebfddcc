/* SPDX-License-Identifier: GPL-2.0-only */
/* net.h - sockets: include/net/sock.h, inet_sock.h, af_unix.h, linux/tcp.h, linux/net.h. */

struct in6_addr {
	union {
		u32 u6_addr32[4];
	} in6_u;
};

struct sock_common {
	u32 skc_daddr; /* network order */
	u32 skc_rcv_saddr;
	u16 skc_dport; /* network order */
	u16 skc_num;   /* 0 once the port is given back */
	unsigned short skc_family;
	volatile unsigned char skc_state;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
	unsigned long skc_flags; /* SOCK_DONE … */
};

typedef enum {
	SS_FREE,
	SS_UNCONNECTED, /* connect(2) has not returned from the protocol yet, too */
} socket_state;

struct socket {
	socket_state state;
	short type;
	struct file *file;
	struct sock *sk;
};

struct sock {
	struct sock_common __sk_common;
	u16 sk_protocol;
	int sk_err;
	u8 sk_shutdown;
	struct socket *sk_socket; /* NULL: not accepted yet, or closed */
};

struct inet_sock {
	struct sock sk;
	u16 inet_sport; /* network order; remains when the port is given back */
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	u64 bytes_sent;	    /* data, what was sent again too */
	u64 bytes_retrans;  /* of these, what was sent again */
	u64 bytes_received; /* in order; a FIN counts as one */
	u32 total_retrans;  /* packets */
};

struct sockaddr_un {
	u16 sun_family;
	char sun_path[108];
};

struct unix_address {
	int len; /* with the family's two bytes */
	struct sockaddr_un name[0];
};

struct unix_sock {
	struct unix_address *addr; /* NULL: none */
	struct sock *peer;
};

struct netlink_sock {
	u32 portid;
};

struct __kernel_sockaddr_storage {
	u16 ss_family;
	char __data[126];
};

struct sk_buff {
	struct sock *sk;
	unsigned int len, data_len; /* … of which so many are in fragments */
	u16 transport_header;	    /* from head */
	unsigned char *head, *data;
};

/* Where a packet goes, network order. */
union flowi_uli {
	struct {
		u16 dport;
		u16 sport;
	} ports;
};

struct flowi4 {
	u32 saddr;
	u32 daddr;
	union flowi_uli uli;
};

struct flowi6 {
	struct in6_addr daddr;
	struct in6_addr saddr;
	union flowi_uli uli;
};
