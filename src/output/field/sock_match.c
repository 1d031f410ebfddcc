/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock_match.c - the texts that an address and port are compared with.
 */
#include "output/field/sock_match.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 64, MAPPED_BITS = 96 };

/* A number of decimal digits alone; -1: none. */
static long number_of(const char *text, long most)
{
	char *end;
	long n;

	if (*text < '0' || *text > '9')
		return -1;
	n = strtol(text, &end, 10);
	return *end || n > most ? -1 : n;
}

static bool port_read(const char *text, struct sock_pattern *p)
{
	long n = number_of(text, UINT16_MAX);

	p->any_port = !strcmp(text, "*");
	p->port = n;
	return p->any_port || n >= 0;
}

static void masks_fill(struct sock_pattern *p, unsigned bits)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned own = bits < 32 ? bits : 32;

		p->masks[i] = own ? htonl(UINT32_MAX << (32 - own)) : 0;
		p->words[i] &= p->masks[i];
		bits -= own;
	}
}

/* ::ffff:1.2.3.4 */
static void unmap(struct sock_pattern *p, unsigned *bits)
{
	if (p->words[0] || p->words[1] || p->words[2] != htonl(0xffff) || *bits < MAPPED_BITS)
		return;
	p->family = SOCK_INET;
	p->words[0] = p->words[3];
	*bits -= MAPPED_BITS;
}

/* 10.* and 10.1.*: the bytes before the star, filled up with 0. */
static bool prefix_complete(char *text, unsigned *bits)
{
	size_t len = strlen(text);
	unsigned dots = 0;

	if (len < 3 || strcmp(text + len - 2, ".*"))
		return true;
	for (size_t i = 0; i < len; i++)
		dots += text[i] == '.';
	if (dots > 3)
		return false;
	*bits = 8 * dots;
	text[len - 1] = '0';
	for (; dots < 3; dots++)
		strcat(text, ".0");
	return true;
}

static bool address_read(char *text, struct sock_pattern *p)
{
	char *slash = strchr(text, '/');
	bool six = strchr(text, ':');
	unsigned all = six ? 128 : 32, bits = all;
	long given = slash ? number_of(slash + 1, all) : (long)all;

	if (!strcmp(text, "*"))
		return true;
	if (slash)
		*slash = '\0';
	bits = given;
	if (given < 0 || (!six && !slash && !prefix_complete(text, &bits)) ||
	    inet_pton(six ? AF_INET6 : AF_INET, text, p->words) != 1)
		return false;
	p->family = six ? SOCK_INET6 : SOCK_INET;
	p->is_whole = bits == all && !p->any_port;
	if (six)
		unmap(p, &bits);
	masks_fill(p, bits);
	return true;
}

/* The port, which is cut off; without one the text is an address alone. */
static char *port_find(char *text)
{
	char *end = strrchr(text, ':');

	if (*text == '[')
		end = strchr(text, ']') ? strchr(text, ']') + 1 : NULL;
	else if (end && strchr(text, ':') != end) /* an IPv6 address */
		return NULL;
	return end;
}

bool sock_pattern_read(const char *text, size_t len, struct sock_pattern *p)
{
	char room[TEXT_ROOM], *address = room, *port;

	*p = (struct sock_pattern){ .any_port = true };
	if (!len || len + sizeof(".0.0.0") > sizeof(room) || memchr(text, 0, len))
		return false;
	memcpy(room, text, len);
	room[len] = '\0';
	port = port_find(room);
	if (*room == '[') {
		if (!port)
			return false;
		address = room + 1;
		port[-1] = '\0';
	}
	if (port && *port) {
		if (*port != ':' || !port_read(port + 1, p))
			return false;
		*port = '\0';
	}
	return address_read(address, p);
}
