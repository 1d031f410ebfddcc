/* SPDX-License-Identifier: GPL-2.0-only */
/* hosts.h - which name a process asked for before it was given an address: the last ones, no more. */
#ifndef CORETAP_CONNSNOOP_HOSTS_H
#define CORETAP_CONNSNOOP_HOSTS_H

#include "applets/connsnoop/dns.h"

void host_learn(uint32_t pid, const struct dns_address *a, const char *name, size_t len);
/* The name, *len bytes until the next host_learn, or NULL. */
const char *host_find(uint32_t pid, const struct dns_address *a, size_t *len);

#endif
