/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_endpoint.c - sides of connections as text and JSON: addresses, and names of unix sockets, which their
 * programs chose.
 */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "applets/connsnoop/endpoint.h"
#include "connsnoop.h"
#include "output/rows/sink.h"

#define SIDE(name_, kind_)                                                                         \
	{                                                                                          \
		.name = name_, .kind = kind_,                                                      \
		.offset = offsetof(struct connsnoop_event, addresses),                             \
		.size = sizeof(struct connsnoop_addresses), .context = &endpoint_layout            \
	}

static const struct field sides[] = { SIDE("local", &endpoint_local),
				      SIDE("peer", &endpoint_peer) };
static struct buf o;

/* The line, or NULL if the record is refused. */
static const char *line(const void *record, size_t size, bool json)
{
	const struct schema s = { .fields = sides,
				  .count = 2,
				  .record_min = sizeof(struct connsnoop_event) };
	struct sink sink = { .schema = &s, .out = &o, .json = json, .applet = "test" };
	int err = sink_record(&sink, record, size);

	sink_free(&sink);
	if (err) {
		assert_int_equal(err, -EBADMSG);
		assert_int_equal(o.len, 0);
		return NULL;
	}
	o.len--;
	return taken(&o);
}

static struct connsnoop_event connection(int family, const char *from, const char *to)
{
	struct connsnoop_event e = {
		.addresses = { .family = (__u16)family, .sport = 80, .dport = htons(443) }
	};

	inet_pton(family, from, e.addresses.saddr);
	inet_pton(family, to, e.addresses.daddr);
	return e;
}

static void test_addresses(void **state)
{
	struct connsnoop_event e = connection(AF_INET, "10.0.200.9", "255.255.255.255");

	(void)state;
	assert_string_equal(line(&e, sizeof(e), false), "10.0.200.9:80 255.255.255.255:443");
	e = connection(AF_INET6, "::1", "2001:db8::5");
	assert_string_equal(line(&e, sizeof(e), false), "[::1]:80 [2001:db8::5]:443");
	assert_string_equal(
		line(&e, sizeof(e), true),
		"{\"type\":\"test\",\"local\":\"[::1]:80\",\"peer\":\"[2001:db8::5]:443\"}");
	/* IPv4 through a socket of IPv6 */
	e = connection(AF_INET6, "::ffff:1.2.3.4", "::ffff:5.6.7.8");
	assert_string_equal(line(&e, sizeof(e), false), "1.2.3.4:80 5.6.7.8:443");
	e.addresses.family = AF_UNSPEC;
	assert_non_null(line(&e, sizeof(e), false));
	assert_null(line(&e, sizeof(e) - 1, false));
}

static const char *names(const char *local, unsigned local_len, const char *peer, unsigned peer_len,
			 bool json)
{
	struct connsnoop_unix u = { .e.addresses.family = AF_UNIX,
				    .local_len = local_len,
				    .peer_len = peer_len };

	memcpy(u.local, local, strlen(local) + 1);
	memcpy(u.peer, peer, peer_len <= CONNSNOOP_PATH_MAX ? peer_len : 1);
	return line(&u, sizeof(u), json);
}

static void test_unix_names(void **state)
{
	(void)state;
	assert_string_equal(names("/run/x", 7, "\0abc", 4, false), "/run/x @abc");
	assert_string_equal(names("a\nb", 4, "\0\0\x1b", 3, false), "a\\nb @\\x00\\x1b");
	assert_string_equal(names("", 0, "", 0, false), "- -");
	assert_string_equal(names("/run/x", 7, "\0abc", 4, true),
			    "{\"type\":\"test\",\"local\":\"/run/x\",\"peer\":\"@abc\"}");
	assert_string_equal(names("", 0, "", 0, true),
			    "{\"type\":\"test\",\"local\":null,\"peer\":null}");
}

static void test_broken(void **state)
{
	struct connsnoop_event e = { .addresses.family = AF_UNIX };

	(void)state;
	assert_null(line(&e, sizeof(e), false)); /* without its names */
	assert_null(names("a", CONNSNOOP_PATH_MAX + 1, "b", 2, false));
	assert_null(names("a", 2, "b", UINT32_MAX, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_unix_names),
		cmocka_unit_test(test_broken),
	};

	buf_init(&o, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
