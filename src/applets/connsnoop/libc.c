/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libc.c - C libraries, by the names that their files have (libc.h, attach/file_probes.h).
 */
#include "applets/connsnoop/libc.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <string.h>
#include <sys/socket.h>

#include "applets/connsnoop/hosts.h"
#include "attach/file_probes.h"
#include "kernel/arch.h"

/* glibc's, musl's. */
static const char *const libraries[] = { "libc.so*", "libc-[0-9]*", "libc.musl-*", "ld-musl-*",
					 NULL };
static const char *const installed[] = { "/lib/" ARCH_LIBRARIES "/libc.so.6", "/lib64/libc.so.6",
					 "/usr/lib/libc.so.6",
					 "/lib/ld-musl-" ARCH_MACHINE ".so.1" };

enum { FUNCTIONS = 3 };
static struct file_probe probes[2 * FUNCTIONS + 1] = {
	{ .function = "getaddrinfo" },
	{ .function = "gethostbyname" },
	{ .function = "gethostbyname2" },
	{ .function = "getaddrinfo", .is_return = true },
	{ .function = "gethostbyname", .is_return = true },
	{ .function = "gethostbyname2", .is_return = true },
};
static struct file_probes files = {
	.probes = probes, .libraries = libraries, .unseen = "names looked up there", .only_64 = true
};
static int mapped_fd;

static void process_look(uint32_t pid)
{
	file_probes_libraries(&files, pid);
}

int libc_begin(const struct libc_programs *p)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		probes[i].prog_fd = p->asked;
		probes[FUNCTIONS + i].prog_fd = i ? p->hostent_found : p->addrinfo_found;
	}
	mapped_fd = p->libraries;
	for (size_t i = 0; i < sizeof(installed) / sizeof(installed[0]); i++)
		file_probes_look(&files, installed[i], installed[i]);
	file_probes_processes(process_look);
	return files.refused;
}

/* One that cannot be reached is told of again by the next process. */
void libc_mapped(const struct connsnoop_library *l)
{
	if (!file_probes_libraries(&files, l->e.header.pid))
		bpf_map_delete_elem(mapped_fd, &l->file);
}

static bool is_address(const char *name)
{
	struct in6_addr a;

	return inet_pton(AF_INET, name, &a) == 1 || inet_pton(AF_INET6, name, &a) == 1;
}

void libc_found(const struct connsnoop_found *f)
{
	if (!f->len || f->len >= sizeof(f->name) || is_address(f->name))
		return;
	for (unsigned i = 0; i < f->count && i < CONNSNOOP_FOUND_MAX; i++) {
		struct dns_address a = { .is_six = f->addresses[i].family == AF_INET6 };

		memcpy(a.bytes, f->addresses[i].words, sizeof(a.bytes));
		host_learn(f->e.header.pid, &a, f->name, f->len);
	}
}

void libc_end(void)
{
	file_probes_end(&files);
}
