/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libc.h - names that programs look up by their C library: a probe in each such library that a process
 * maps, in whatever mount namespace, and what becomes of its records.
 */
#ifndef CORETAP_CONNSNOOP_LIBC_H
#define CORETAP_CONNSNOOP_LIBC_H

#include "connsnoop.h"

/* The fds of bpf/connsnoop/names.bpf.h. */
struct libc_programs {
	int asked, addrinfo_found, hostent_found;
	int libraries; /* the map */
};

/* Probes what is mapped now, and our own library. Returns the last error with which the kernel refused a
 * probe, or 0. */
int libc_begin(const struct libc_programs *p);
void libc_mapped(const struct connsnoop_library *l);
/* The process may connect to these addresses now (hosts.h). */
void libc_found(const struct connsnoop_found *f);
void libc_end(void);

#endif
