/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_sock_match.c - the texts that addresses are compared with.
 */
#include <string.h>
#include <arpa/inet.h>

#include "output/field/sock.h"
#include "unit.h"

static void test_whole(void **state)
{
	struct sock_pattern p;

	(void)state;
	assert_true(sock_pattern_read("127.0.0.1:80", 12, &p));
	assert_true(p.is_whole && p.family == SOCK_INET && !p.any_port);
	assert_int_equal(p.port, 80);
	assert_int_equal(p.words[0], htonl(0x7f000001));
	assert_int_equal(p.masks[0], UINT32_MAX);
	assert_true(sock_pattern_read("[::1]:22", 8, &p));
	assert_true(p.is_whole && p.family == SOCK_INET6 && p.port == 22);
	assert_int_equal(p.words[3], htonl(1));
	assert_int_equal(p.masks[0], UINT32_MAX);
	assert_true(sock_pattern_read("[::ffff:10.0.0.1]:22", 20, &p));
	assert_true(p.is_whole && p.family == SOCK_INET && p.words[0] == htonl(0x0a000001));
}

static void test_parts(void **state)
{
	static const struct {
		const char *text;
		enum sock_family family;
		uint32_t word, mask; /* as numbers */
		int port;	     /* -1: any */
	} parts[] = {
		{ "*", SOCK_ANY_FAMILY, 0, 0, -1 },
		{ "*:*", SOCK_ANY_FAMILY, 0, 0, -1 },
		{ "*:443", SOCK_ANY_FAMILY, 0, 0, 443 },
		{ "10.0.0.1", SOCK_INET, 0x0a000001, UINT32_MAX, -1 },
		{ "10.0.0.1:*", SOCK_INET, 0x0a000001, UINT32_MAX, -1 },
		{ "10.*", SOCK_INET, 0x0a000000, 0xff000000, -1 },
		{ "192.168.1.*:80", SOCK_INET, 0xc0a80100, 0xffffff00, 80 },
		{ "172.16.5.0/12", SOCK_INET, 0xac100000, 0xfff00000, -1 },
		{ "1.2.3.4/0", SOCK_INET, 0, 0, -1 },
		{ "fe80::/10", SOCK_INET6, 0xfe800000, 0xffc00000, -1 },
		{ "[fe80::/10]:80", SOCK_INET6, 0xfe800000, 0xffc00000, 80 },
		{ "::ffff:10.0.0.0/104", SOCK_INET, 0x0a000000, 0xff000000, -1 },
	};
	struct sock_pattern p;

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		assert_true(sock_pattern_read(parts[i].text, strlen(parts[i].text), &p));
		assert_false(p.is_whole);
		assert_int_equal(p.family, parts[i].family);
		assert_int_equal(ntohl(p.words[0]), parts[i].word);
		assert_int_equal(ntohl(p.masks[0]), parts[i].mask);
		assert_int_equal(p.any_port, parts[i].port < 0);
		if (!p.any_port)
			assert_int_equal(p.port, parts[i].port);
	}
}

static void test_none(void **state)
{
	static const char *const wrong[] = {
		"",
		":",
		":80",
		"*443",
		"10",
		"10.0.0",
		"10.*.1",
		"10.0.0.1.*",
		"10.0.0.1:",
		"10.0.0.1:x",
		"10.0.0.1:65536",
		"10.0.0.1/33",
		"10.0.0.1/",
		"10.0.0.1/-1",
		"[::1",
		"[::1]x",
		"[]:80",
		"*.1",
		"::1::2",
		"fe80::/129",
		"10.0.0.*/8",
		".*",
		"*:",
		"a very long text that is no address at all, and goes on",
	};
	struct sock_pattern p;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (sock_pattern_read(wrong[i], strlen(wrong[i]), &p))
			fail_msg("%s", wrong[i]);
	assert_false(sock_pattern_read("*:4\0003", 5, &p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
