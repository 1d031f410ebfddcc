/* SPDX-License-Identifier: GPL-2.0-only */
/* test_container.c - containers by the paths of their cgroups. */
#include "util/container.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void is(const char *path, const char *name)
{
	struct container c;
	bool found = container_of_path(path, &c);

	if (!name) {
		assert_false(found);
		return;
	}
	assert_true(found);
	assert_string_equal(c.name, name);
}

static void test_runtimes(void **state)
{
	(void)state;
	is("/sys/fs/cgroup/system.slice/docker-" ID ".scope", ID);
	is("/docker/" ID "/docker/" ID, ID);
	is("/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope", ID);
	is("/kubepods/besteffort/pod1/" ID, ID);
	is("/system.slice/kubepods-pod1:cri-containerd:" ID, ID);
	is("/user.slice/libpod-" ID ".scope/container", ID);
	is("/lxc.payload.web/init.scope", "web");
	is("/lxc/web", "web");
	is("/machine.slice/machine-a\\x2db.scope", "a-b");
	is("/machine.slice/systemd-nspawn@deb.service/payload", "deb");
}

static void test_none(void **state)
{
	char longest[600];

	(void)state;
	is("", NULL);
	is("/", NULL);
	is("/system.slice/ssh.service", NULL);
	is("/machine.slice/libpod-conmon-" ID ".scope", NULL);
	is("/lxc.monitor.web", NULL);
	is("/docker-" ID "0.scope", NULL);
	is("/docker" ID, NULL);
	is("/machine.slice/machine-.scope", NULL);
	is("/lxc.payload.", NULL);
	is("/machine.slice/machine-\\x2.scope", "\\x2");
	snprintf(longest, sizeof(longest), "/lxc/%0*d", 256, 0);
	is(longest, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runtimes),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
