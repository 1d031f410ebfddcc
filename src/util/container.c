/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.c - the names that container runtimes give their cgroups.
 *
 * With an id of 64 digits: docker-ID.scope, cri-containerd-ID.scope, crio-ID.scope, libpod-ID.scope, or just ID below
 * docker/, kubepods/ … By name: lxc.payload.NAME, lxc/NAME, and systemd's machines, machine-NAME.scope and
 * systemd-nspawn@NAME.service in machine.slice. The cgroup of a runtime's helper process (conmon, lxc.monitor) is no
 * container.
 */
#include "util/container.h"

#include <string.h>

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool container_is_id(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_hex(name[i]))
			return false;
	return len == CONTAINER_ID;
}

/* Skips `head` if the name begins with it. */
static bool head_skip(const char **name, size_t *len, const char *head)
{
	size_t n = strlen(head);

	if (*len <= n || memcmp(*name, head, n))
		return false;
	*name += n;
	*len -= n;
	return true;
}

static bool tail_cut(const char *name, size_t *len, const char *tail)
{
	size_t n = strlen(tail);

	if (*len <= n || memcmp(name + *len - n, tail, n))
		return false;
	*len -= n;
	return true;
}

static bool name_set(struct container *c, const char *name, size_t len)
{
	if (!len || len > CONTAINER_NAME_MAX)
		return false;
	memcpy(c->name, name, len);
	c->name[len] = '\0';
	c->len = len;
	return true;
}

static int hex_value(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* systemd escapes special bytes in names of units as \x2d. */
static bool unit_name_set(struct container *c, const char *name, size_t len)
{
	char plain[CONTAINER_NAME_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < len && n < sizeof(plain); i++) {
		bool coded = len - i >= 4 && name[i] == '\\' && name[i + 1] == 'x' &&
			     is_hex(name[i + 2]) && is_hex(name[i + 3]);

		plain[n++] = coded ? (char)(hex_value(name[i + 2]) << 4 | hex_value(name[i + 3])) :
				     name[i];
		i += coded ? 3 : 0;
	}
	return name_set(c, plain, n);
}

static bool name_is(const char *name, size_t len, const char *what)
{
	return strlen(what) == len && !memcmp(name, what, len);
}

/* Finds the id at the end of the name, after a '-' or a ':'. */
static bool id_set(const char *name, size_t len, struct container *c)
{
	size_t head = len - CONTAINER_ID;
	const char *conmon = memmem(name, len, "conmon", strlen("conmon"));

	if (len < CONTAINER_ID || !container_is_id(name + head, CONTAINER_ID) ||
	    (conmon && conmon < name + head))
		return false;
	if (head && name[head - 1] != '-' && name[head - 1] != ':')
		return false;
	return name_set(c, name + head, CONTAINER_ID);
}

bool container_of_cgroup(const char *parent, size_t parent_len, const char *cgroup, size_t len,
			 struct container *c)
{
	bool machine = name_is(parent, parent_len, "machine.slice");

	if (machine && head_skip(&cgroup, &len, "systemd-nspawn@"))
		return tail_cut(cgroup, &len, ".service") && unit_name_set(c, cgroup, len);
	if (head_skip(&cgroup, &len, "lxc.payload.") || name_is(parent, parent_len, "lxc") ||
	    name_is(parent, parent_len, "lxc.payload"))
		return name_set(c, cgroup, len);
	tail_cut(cgroup, &len, ".scope");
	if (id_set(cgroup, len, c))
		return true;
	return machine && head_skip(&cgroup, &len, "machine-") && unit_name_set(c, cgroup, len);
}

bool container_of_path(const char *path, struct container *c)
{
	const char *parent = path;
	size_t parent_len = 0;

	while (*(path += strspn(path, "/"))) {
		size_t len = strcspn(path, "/");

		if (container_of_cgroup(parent, parent_len, path, len, c))
			return true;
		parent = path;
		parent_len = len;
		path += len;
	}
	return false;
}
