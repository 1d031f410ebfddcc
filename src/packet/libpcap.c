/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libpcap.c - stubs for symbols of libpcap.a that a compiler of filters does not need.
 *
 * A linker extracts a member of a static library for a symbol that nothing else defines. These definitions come
 * first, so the members that open devices and read files are not linked: they are large, and the one for D-Bus needs
 * libdbus, which has no static library. The libc functions below would link name services, which load shared
 * libraries at run time. Of those, names of hosts and ports must work, from /etc/hosts and /etc/services.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices and files ---- */

#define NO_DEVICES(kind_)                                                                          \
	pcap_t *kind_##_create(const char *device, char *error, int *is_ours);                     \
	int kind_##_findalldevs(void *list, char *error);                                          \
	pcap_t *kind_##_create(const char *device, char *error, int *is_ours)                      \
	{                                                                                          \
		(void)device, (void)error;                                                         \
		*is_ours = 0;                                                                      \
		return NULL;                                                                       \
	}                                                                                          \
	int kind_##_findalldevs(void *list, char *error)                                           \
	{                                                                                          \
		(void)list, (void)error;                                                           \
		return 0;                                                                          \
	}

NO_DEVICES(usb)
NO_DEVICES(bt)
NO_DEVICES(bt_monitor)
NO_DEVICES(netfilter)
NO_DEVICES(dbus)

pcap_t *pcap_create_interface(const char *device, char *error);
int pcap_platform_finddevs(void *list, char *error);
int pcap_offline_read(pcap_t *p, int count, pcap_handler callback, u_char *user);

pcap_t *pcap_create_interface(const char *device, char *error)
{
	(void)device, (void)error;
	return NULL;
}

int pcap_platform_finddevs(void *list, char *error)
{
	(void)list, (void)error;
	return PCAP_ERROR;
}

int pcap_offline_read(pcap_t *p, int count, pcap_handler callback, u_char *user)
{
	(void)p, (void)count, (void)callback, (void)user;
	return PCAP_ERROR;
}

const char *pcap_lib_version(void)
{
	return "";
}

/* ---- names ---- */

enum { LINE = 256 };
static const char spaces[] = " \t\r\n";

/* Calls `found` with the words of each line until it returns true. */
static bool lines_search(const char *path, const char *name, const char *protocol,
			 bool (*found)(char *words[], int count, const char *name,
				       const char *protocol, void *to),
			 void *to)
{
	FILE *f = fopen(path, "re");
	char line[LINE], *words[16], *rest;
	bool is = false;

	while (f && !is && fgets(line, sizeof(line), f)) {
		int count = 0;

		line[strcspn(line, "#")] = '\0';
		for (char *w = strtok_r(line, spaces, &rest); w && count < 16;
		     w = strtok_r(NULL, spaces, &rest))
			words[count++] = w;
		is = count > 1 && found(words, count, name, protocol, to);
	}
	if (f)
		fclose(f);
	return is;
}

/* https 443/tcp */
static bool is_service(char *words[], int count, const char *name, const char *protocol, void *to)
{
	char *slash = strchr(words[1], '/');

	if (!slash || strcmp(slash + 1, protocol))
		return false;
	for (int i = 0; i < count; i++) {
		if (i == 1 || strcmp(words[i], name))
			continue;
		*(in_port_t *)to = htons(atoi(words[1]));
		return true;
	}
	return false;
}

static bool service_find(const char *name, bool is_udp, in_port_t *port)
{
	static const struct {
		char name[8];
		uint16_t port;
		bool tcp, udp;
	} common[] = { { "ssh", 22, true, false },     { "smtp", 25, true, false },
		       { "domain", 53, true, true },   { "bootps", 67, false, true },
		       { "bootpc", 68, false, true },  { "http", 80, true, false },
		       { "ntp", 123, false, true },    { "snmp", 161, true, true },
		       { "ldap", 389, true, true },    { "https", 443, true, true },
		       { "syslog", 514, false, true }, { "nfs", 2049, true, true } };

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		if (strcmp(common[i].name, name) || !(is_udp ? common[i].udp : common[i].tcp))
			continue;
		*port = htons(common[i].port);
		return true;
	}
	return lines_search("/etc/services", name, is_udp ? "udp" : "tcp", is_service, port);
}

struct address {
	struct addrinfo info;
	union {
		struct sockaddr_in four;
		struct sockaddr_in6 six;
	} socket;
};

static bool address_set(struct address *a, const char *text)
{
	struct address is = { 0 };
	bool six = inet_pton(AF_INET6, text, &is.socket.six.sin6_addr) == 1;

	if (!six && inet_pton(AF_INET, text, &is.socket.four.sin_addr) != 1)
		return false;
	is.socket.four.sin_family = six ? AF_INET6 : AF_INET;
	is.info.ai_family = is.socket.four.sin_family;
	is.info.ai_addrlen = six ? sizeof(is.socket.six) : sizeof(is.socket.four);
	*a = is;
	a->info.ai_addr = (struct sockaddr *)&a->socket;
	return true;
}

/* 10.0.0.1 name alias */
static bool is_host(char *words[], int count, const char *name, const char *protocol, void *to)
{
	(void)protocol;
	for (int i = 1; i < count; i++)
		if (!strcasecmp(words[i], name))
			return address_set(to, words[0]);
	return false;
}

int getaddrinfo(const char *restrict host, const char *restrict service,
		const struct addrinfo *restrict hints, struct addrinfo **restrict list)
{
	struct address *a = calloc(1, sizeof(*a));
	bool numeric = hints && hints->ai_flags & AI_NUMERICHOST, found;

	if (!a)
		return EAI_MEMORY;
	found = address_set(a, host ?: "0.0.0.0") ||
		(!numeric && host && lines_search("/etc/hosts", host, NULL, is_host, a));
	if (found && hints && hints->ai_family && hints->ai_family != a->info.ai_family)
		found = false;
	if (found && service)
		found = service_find(service, hints && hints->ai_protocol == IPPROTO_UDP,
				     &a->socket.four.sin_port);
	if (!found) {
		free(a);
		return EAI_NONAME;
	}
	*list = &a->info;
	return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
	free(list); /* the first member of a struct address */
}

struct hostent *gethostbyname(const char *name)
{
	(void)name;
	return NULL;
}

int getnetbyname_r(const char *restrict name, struct netent *restrict net, char *restrict buf,
		   size_t size, struct netent **restrict result, int *restrict error)
{
	(void)name, (void)net, (void)buf, (void)size, (void)error;
	*result = NULL;
	return 0;
}

int getprotobyname_r(const char *restrict name, struct protoent *restrict proto, char *restrict buf,
		     size_t size, struct protoent **restrict result)
{
	static const struct {
		char name[10];
		uint8_t number;
	} protocols[] = { { "ip", 0 },	       { "icmp", 1 },	  { "igmp", 2 },  { "ipencap", 4 },
			  { "tcp", 6 },	       { "egp", 8 },	  { "udp", 17 },  { "dccp", 33 },
			  { "ipv6", 41 },      { "gre", 47 },	  { "esp", 50 },  { "ah", 51 },
			  { "ipv6-icmp", 58 }, { "ospf", 89 },	  { "pim", 103 }, { "l2tp", 115 },
			  { "sctp", 132 },     { "udplite", 136 } };

	(void)buf, (void)size;
	*result = NULL;
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]) && !*result; i++) {
		if (strncmp(name, protocols[i].name, sizeof(protocols[i].name)))
			continue;
		*proto = (struct protoent){ .p_proto = protocols[i].number };
		*result = proto;
	}
	return 0;
}

int ether_hostton(const char *name, struct ether_addr *address)
{
	(void)name, (void)address;
	return -1;
}
