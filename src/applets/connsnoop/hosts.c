/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hosts.c - a cache in sets of four: a new name takes the place of the one in its set that was learned
 * first. A name that is forgotten is unknown. That of a process whose pid is used again stays until the new
 * one asks for that address itself.
 */
#include "applets/connsnoop/hosts.h"
#include "util/hash.h"

#include <string.h>

enum { SETS = 256, WAYS = 4 };

static struct host {
	uint32_t pid, age; /* age 0: empty */
	struct dns_address address;
	char name[DNS_NAME_MAX];
	uint16_t len;
} hosts[SETS][WAYS];

/* An IPv4 address is the same one on a socket of IPv6. */
static struct dns_address plain(const struct dns_address *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
	struct dns_address four = { 0 };

	if (!a->is_six || memcmp(a->bytes, mapped, sizeof(mapped)) != 0)
		return *a;
	memcpy(four.bytes, a->bytes + sizeof(mapped), 4);
	return four;
}

static struct host *set_of(uint32_t pid, const struct dns_address *a)
{
	uint32_t hash = hash_add(pid * 2654435761u, a->bytes, a->is_six ? 16 : 4);

	return hosts[hash >> 16 & (SETS - 1)];
}

static bool is_of(const struct host *h, uint32_t pid, const struct dns_address *a)
{
	return h->age && h->pid == pid && h->address.is_six == a->is_six &&
	       !memcmp(h->address.bytes, a->bytes, a->is_six ? 16 : 4);
}

void host_learn(uint32_t pid, const struct dns_address *address, const char *name, size_t len)
{
	const struct dns_address a = plain(address);
	struct host *set = set_of(pid, &a), *to = set;
	static uint32_t clock;

	for (unsigned i = 0; i < WAYS; i++) {
		if (is_of(&set[i], pid, &a)) {
			to = &set[i];
			break;
		}
		if (set[i].age < to->age)
			to = &set[i];
	}
	*to = (struct host){ .pid = pid, .age = ++clock ?: ++clock, .address = a, .len = len };
	memcpy(to->name, name, len);
}

const char *host_find(uint32_t pid, const struct dns_address *address, size_t *len)
{
	const struct dns_address a = plain(address);
	const struct host *set = set_of(pid, &a);

	for (unsigned i = 0; i < WAYS; i++)
		if (is_of(&set[i], pid, &a)) {
			*len = set[i].len;
			return set[i].name;
		}
	return NULL;
}
