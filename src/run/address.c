/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * address.c - opens the socket of --listen (address.h).
 */
#include "run/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/option_check.h"
#include "util/log.h"

static bool is_loopback(const union listen_address *a)
{
	return a->any.sa_family == AF_INET ? ntohl(a->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET :
					     IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

static bool is_any(const union listen_address *a)
{
	return a->any.sa_family == AF_INET ? a->v4.sin_addr.s_addr == INADDR_ANY :
					     IN6_IS_ADDR_UNSPECIFIED(&a->v6.sin6_addr);
}

/* Returns the socket or -errno. */
static int socket_open(const union listen_address *a, int most)
{
	static const int yes = 1;
	int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
	if (!bind(fd, &a->any, sizeof(*a)) && !listen(fd, most))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int address_listen(const char *text, int most, bool *is_own)
{
	union listen_address a;
	int fd;

	listen_parse(text, &a);
	*is_own = is_loopback(&a);
	fd = socket_open(&a, most);
	if (fd >= 0)
		return fd;
	log_error("cannot listen on '%s': %s", text, strerror(-fd));
	if (fd == -EADDRINUSE)
		log_hint("another program uses that port: choose another one");
	return -1;
}

/* This machine's name stands for the address that means all of its addresses. */
void address_report(const char *text, const char *token)
{
	char host[HOST_NAME_MAX + 1] = "localhost";
	const char *colon = strrchr(text, ':');
	union listen_address a;

	listen_parse(text, &a);
	if (is_any(&a))
		gethostname(host, sizeof(host));
	else if (colon)
		snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
	if (*token)
		log_note("--listen %s: whoever can reach this address can read the metrics, and, "
			 "with the token, the rows",
			 text);
	log_note("live view: http://%s:%s/%s%s", host, colon ? colon + 1 : text,
		 *token ? "?token=" : "", token);
}
