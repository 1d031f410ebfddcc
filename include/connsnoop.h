/* SPDX-License-Identifier: GPL-2.0-only */
/* connsnoop.h - what happens to a connection. */
#ifndef CORETAP_CONNSNOOP_H
#define CORETAP_CONNSNOOP_H

#include "event.h"

enum connsnoop_kind {
	CONNSNOOP_CONNECT,
	CONNSNOOP_ACCEPT,
	CONNSNOOP_CLOSE,
	CONNSNOOP_LISTEN,
	CONNSNOOP_RETRANS,
	CONNSNOOP_KINDS,
	CONNSNOOP_ASKED = CONNSNOOP_KINDS, /* struct connsnoop_packet */
	CONNSNOOP_ANSWERED,
	CONNSNOOP_FOUND,   /* struct connsnoop_found */
	CONNSNOOP_LIBRARY, /* struct connsnoop_library */
};

enum connsnoop_proto { CONNSNOOP_TCP, CONNSNOOP_UDP, CONNSNOOP_UNIX, CONNSNOOP_PROTOS };
enum connsnoop_direction { CONNSNOOP_OUT, CONNSNOOP_IN };

#define CONNSNOOP_NONE	   (~0ull) /* no time, no number of bytes: as for FIELD_MAYBE */
#define CONNSNOOP_PATH_MAX 108

/* Of AF_INET only the first four bytes of an address are used. */
struct connsnoop_addresses {
	__u16 family;
	__u16 sport; /* the machine's byte order */
	__u16 dport; /* network order */
	__u16 pad;
	__u8 saddr[16], daddr[16];
};

struct connsnoop_event {
	struct event_header header; /* of the task that connected or accepted */
	struct connsnoop_addresses addresses;
	__u64 took; /* ns: of CONNECT until it was open, of ACCEPT from open until it was accepted, of CLOSE
		     * for how long it was open */
	__u64 sent, received; /* bytes */
	__u32 retransmits;    /* packets */
	__s32 ret;	      /* 0, or a negative errno */
	__u8 kind, proto, direction;
	__u8 pad[5];
};

/* AF_UNIX: the bytes of both names, an abstract one with the NUL that it begins with. */
struct connsnoop_unix {
	struct connsnoop_event e;
	__u32 local_len, peer_len;
	char local[CONNSNOOP_PATH_MAX], peer[CONNSNOOP_PATH_MAX];
};

/* A DNS message as a task sends it to port 53, or reads it from there. */
#define CONNSNOOP_MESSAGE_MAX 512
struct connsnoop_packet {
	struct connsnoop_event e; /* kind; addresses: of ASKED alone */
	__u64 at;		  /* CLOCK_MONOTONIC ns */
	__u64 sock;		  /* which socket: the same in both */
	__u32 len, captured;	  /* bytes; the rest is longer than `data`, or in fragments */
	__u8 data[CONNSNOOP_MESSAGE_MAX];
};

/* What a process's C library has found for a name. */
#define CONNSNOOP_FOUND_MAX 16 /* a power of two */
#define CONNSNOOP_NAME_MAX  256
struct connsnoop_found {
	struct connsnoop_event e; /* header, kind */
	__u32 len, count;	  /* of the name, without its NUL; of addresses */
	struct connsnoop_address {
		__u32 family;
		__u32 words[4]; /* as bytes; the first one of IPv4 */
	} addresses[CONNSNOOP_FOUND_MAX];
	char name[CONNSNOOP_NAME_MAX];
};

/* A process has mapped a C library that no other has before. */
struct connsnoop_library {
	struct connsnoop_event e; /* header, kind */
	struct connsnoop_file {
		__u64 inode, dev;
	} file;
};

_Static_assert(sizeof(struct connsnoop_event) == 112, "connsnoop_event is an ABI");

#endif
