/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_forms.c - addresses, UUIDs, bytes, modes, errors and arrays, in text and in JSON.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "sample.h"
#include "output/field/sock.h"
#include "output/field/value.h"

static struct buf o;

/* The value of the one field over the tail's beginning, as text or as JSON. */
static const char *shown(struct field f, const void *bytes, size_t len, bool json)
{
	static const char head[] = "{\"type\":\"sample\",\"args\":{\"v\":";
	static struct sample r;
	struct schema s = { .fields = &f, .count = 1, .record_min = SAMPLE_MIN };

	memset(&r, 0, sizeof(r));
	memcpy(r.tail, bytes, len);
	f.name = "v";
	f.flags = FIELD_PAIR;
	f.offset = offsetof(struct sample, tail);
	f.size = f.size ?: len;
	assert_int_equal(sample_line(&o, &s, json, &r, sizeof(r)), 0);
	o.len -= json ? 3 : 1;
	return taken(&o) + (json ? strlen(head) : strlen("v="));
}

static void expect(struct field f, const void *bytes, size_t len, const char *text,
		   const char *json)
{
	assert_string_equal(shown(f, bytes, len, false), text);
	assert_string_equal(shown(f, bytes, len, true), json);
}

#define EXPECT(type_, literal, text, json)                                                         \
	expect((struct field){ .type = type_ }, literal, sizeof(literal) - 1, text, json)

static void test_addresses(void **state)
{
	(void)state;
	EXPECT(FIELD_MAC, "\x52\x54\x00\xff\x0a\x9b", "52:54:00:ff:0a:9b", "\"52:54:00:ff:0a:9b\"");
	EXPECT(FIELD_IP4, "\xc0\x00\x02\xff", "192.0.2.255", "\"192.0.2.255\"");
	EXPECT(FIELD_IP6, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", "2001:db8::1",
	       "\"2001:db8::1\"");
	EXPECT(FIELD_IP6, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "::", "\"::\"");
	EXPECT(FIELD_PORT, "\x1f\x90", "8080", "8080");
	EXPECT(FIELD_BYTES, "\0\x1b\n\xff\x80\x41", "001b0aff8041", "\"001b0aff8041\"");
	EXPECT(FIELD_UUID, "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
	       "00112233-4455-6677-8899-aabbccddeeff", "\"00112233-4455-6677-8899-aabbccddeeff\"");
	EXPECT(FIELD_GUID, "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
	       "33221100-5544-7766-8899-aabbccddeeff", "\"33221100-5544-7766-8899-aabbccddeeff\"");
}

static void test_sockets(void **state)
{
	(void)state;
	EXPECT(FIELD_SOCKADDR, "\x02\0\x00\x50\x7f\0\0\x01\0\0\0\0\0\0\0\0", "127.0.0.1:80",
	       "\"127.0.0.1:80\"");
	EXPECT(FIELD_SOCKADDR, "\x0a\0\x00\x50\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0",
	       "[::1]:80", "\"[::1]:80\"");
	EXPECT(FIELD_SOCKADDR,
	       "\x0a\0\x00\x50\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x03\0\0\0",
	       "[fe80::1%3]:80", "\"[fe80::1%3]:80\"");
	EXPECT(FIELD_SOCKADDR, "\x10\0\0\0\x2a\0\0\0\x05\0\0\0", "netlink:42:0x5",
	       "\"netlink:42:0x5\"");
	EXPECT(FIELD_SOCKADDR, "\x11\0\x08\x06\x02\0\0\0\x01\0\0\x06\x01\x02\x03\x04\x05\x06\0\0",
	       "packet:2:0x0806:01:02:03:04:05:06", "\"packet:2:0x0806:01:02:03:04:05:06\"");
	EXPECT(FIELD_SOCKADDR, "\x28\0\0\0\x39\x30\0\0\x02\0\0\0\0\0\0\0", "vsock:2:12345",
	       "\"vsock:2:12345\"");
	EXPECT(FIELD_SOCKADDR, "\x1f\0\x01\x02\x03\x04", "AF_BLUETOOTH:01020304",
	       "\"AF_BLUETOOTH:01020304\"");
	EXPECT(FIELD_SOCKADDR, "\xf1\xf1\xff", "61937:ff", "\"61937:ff\"");
	EXPECT(FIELD_SOCKADDR, "\0\0\xff\xff", "AF_UNSPEC", "\"AF_UNSPEC\"");
	/* too short for its family */
	EXPECT(FIELD_SOCKADDR, "\x0a\0\x00\x50\0\0\0\0\x01", "AF_INET6:00500000000001",
	       "\"AF_INET6:00500000000001\"");
}

/* struct sock_common, packed: family, port here, port there, IPv4 here and there, IPv6 the same. */
static const struct sock_layout layout = { .offset = { 0, 2, 4, 6, 10, 14, 30 },
					   .has = 0x7f,
					   .size = 46 };

#define EXPECT_SOCK(literal, text, json)                                                           \
	expect((struct field){ .type = FIELD_SOCK, .size = 46, .context = &layout }, literal,      \
	       sizeof(literal) - 1, text, json)
#define EXPECT_END(type_, literal, text)                                                           \
	expect((struct field){ .type = FIELD_##type_, .size = 46, .context = &layout }, literal,   \
	       sizeof(literal) - 1, text, "\"" text "\"")
#define MAPPED "\0\0\0\0\0\0\0\0\0\0\xff\xff"

static void test_both_ends(void **state)
{
	(void)state;
	EXPECT_SOCK("\2\0\xcc\xa4\x01\xbb\x7f\0\0\1\x0a\0\0\1", "127.0.0.1:42188 -> 10.0.0.1:443",
		    "{\"family\":\"AF_INET\",\"saddr\":\"127.0.0.1\",\"sport\":42188,"
		    "\"daddr\":\"10.0.0.1\",\"dport\":443}");
	EXPECT_END(LOCAL, "\2\0\xcc\xa4\x01\xbb\x7f\0\0\1\x0a\0\0\1", "127.0.0.1:42188");
	EXPECT_END(PEER, "\2\0\xcc\xa4\x01\xbb\x7f\0\0\1\x0a\0\0\1", "10.0.0.1:443");
	EXPECT_END(PEER, "\1\0", "AF_UNIX");
	/* listens; is bound to nothing; no bytes at all */
	EXPECT_SOCK("\2\0\x50\0\0\0\x7f\0\0\1", "127.0.0.1:80",
		    "{\"family\":\"AF_INET\",\"saddr\":\"127.0.0.1\",\"sport\":80,"
		    "\"daddr\":\"0.0.0.0\",\"dport\":0}");
	EXPECT_SOCK("\x0a\0\x50\0\0\0", "[::]:80",
		    "{\"family\":\"AF_INET6\",\"saddr\":\"::\",\"sport\":80,\"daddr\":\"::\","
		    "\"dport\":0}");
	EXPECT_SOCK("", "AF_UNSPEC", "{\"family\":\"AF_UNSPEC\"}");
	EXPECT_SOCK("\1\0", "AF_UNIX", "{\"family\":\"AF_UNIX\"}");
	EXPECT_SOCK("\xf1\xf1", "61937", "{\"family\":\"61937\"}");
	/* what an IPv6 socket has of IPv4 does not count */
	EXPECT_SOCK("\x0a\0\x39\x30\x01\xbb\1\2\3\4\5\6\7\x8\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"
		    "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\2",
		    "[2001:db8::1]:12345 -> [fe80::2]:443",
		    "{\"family\":\"AF_INET6\",\"saddr\":\"2001:db8::1\",\"sport\":12345,"
		    "\"daddr\":\"fe80::2\",\"dport\":443}");
	EXPECT_SOCK("\x0a\0\x39\x30\x01\xbb\0\0\0\0\0\0\0\0" MAPPED "\x7f\0\0\1" MAPPED
		    "\x0a\0\0\1",
		    "127.0.0.1:12345 -> 10.0.0.1:443",
		    "{\"family\":\"AF_INET6\",\"saddr\":\"127.0.0.1\",\"sport\":12345,"
		    "\"daddr\":\"10.0.0.1\",\"dport\":443}");
}

/* Paths that programs choose can neither end the value nor control the terminal. */
static void test_hostile_sockets(void **state)
{
	(void)state;
	EXPECT(FIELD_SOCKADDR, "\x01\0/run/x\0junk", "\"/run/x\"", "\"/run/x\"");
	EXPECT(FIELD_SOCKADDR, "\x01\0/a\" v=\n\x1b[2J\xff", "\"/a\\\" v=\\n\\x1b[2J\\xff\"",
	       "\"/a\\\" v=\\n\\u001b[2J\\uefff\"");
	EXPECT(FIELD_SOCKADDR, "\x01\0\0abs\ntract\0junk", "\"@abs\\ntract\"", "\"@abs\\ntract\"");
	EXPECT(FIELD_SOCKADDR, "\x01\0\0\0\0\0", "AF_UNIX", "\"AF_UNIX\"");
	EXPECT(FIELD_SOCKADDR, "\x01\0unended", "\"unended\"", "\"unended\"");
}

static void test_modes(void **state)
{
	static const struct {
		uint16_t mode;
		const char *text;
	} cases[] = {
		{ S_IFREG | 0644, "-rw-r--r--" },
		{ S_IFDIR | 01777, "drwxrwxrwt" },
		{ S_IFLNK | 0777, "lrwxrwxrwx" },
		{ S_IFCHR | 0600, "crw-------" },
		{ S_IFBLK | 0660, "brw-rw----" },
		{ S_IFIFO | 0, "p---------" },
		{ S_IFSOCK | 0755, "srwxr-xr-x" },
		{ S_IFREG | 06755, "-rwsr-sr-x" },
		{ S_IFREG | 07000, "---S--S--T" },
		{ 0644, "0644" },
		{ 0, "0" },
		{ 0x3000, "?---------" },
	};
	char json[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(json, sizeof(json), "\"%s\"", cases[i].text);
		expect((struct field){ .type = FIELD_MODE }, &cases[i].mode, 2, cases[i].text,
		       json);
	}
}

static void test_rwbs(void **state)
{
	/* an operation, and bits of REQ_…: SYNC 11, META 12, FUA 17, PREFLUSH 18, RAHEAD 19 */
	static const struct {
		uint32_t flags;
		const char *text;
	} cases[] = {
		{ 0, "R" },
		{ 1, "W" },
		{ 2, "F" },
		{ 3, "D" },
		{ 5, "DE" },
		{ 4, "N" },
		{ 34, "N" },
		{ 1 << 11, "RS" },
		{ 1 << 12 | 1 << 11, "RSM" },
		{ 1 << 19, "RA" },
		{ 1 << 17 | 1 << 11 | 1, "WFS" },
		{ 1 << 18 | 1, "FW" },
		{ 1 << 10, "R" },
	};
	char json[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(json, sizeof(json), "\"%s\"", cases[i].text);
		expect((struct field){ .type = FIELD_RWBS }, &cases[i].flags, 4, cases[i].text,
		       json);
	}
}

static void expect_error(enum field_type type, int64_t number, size_t size, const char *text,
			 const char *json)
{
	expect((struct field){ .type = type }, &number, size, text, json);
}

static void test_errors(void **state)
{
	(void)state;
	expect_error(FIELD_ERROR, -ENOENT, 4, "-ENOENT", "\"-ENOENT\"");
	expect_error(FIELD_ERROR, ECONNREFUSED, 4, "ECONNREFUSED", "\"ECONNREFUSED\"");
	expect_error(FIELD_ERROR, 0, 4, "0", "0");
	expect_error(FIELD_ERROR, -5000, 8, "-5000", "-5000");
	expect_error(FIELD_ERROR, 5000, 8, "5000", "5000");
	expect_error(FIELD_PTR, -ENOENT, 8, "-ENOENT", "\"-ENOENT\"");
	expect_error(FIELD_PTR, -4095, 8, "0xfffffffffffff001", "\"0xfffffffffffff001\"");
	expect_error(FIELD_PTR, 2, 8, "0x2", "\"0x2\"");
	expect_error(FIELD_PTR, -ENOENT, 4, "0xfffffffe", "\"0xfffffffe\"");
}

static void test_arrays(void **state)
{
	static const struct field_name names[] = { { 1, "ON\"E", 0 }, { 0 } };

	(void)state;
	expect((struct field){ .type = FIELD_INT, .count = 3 }, "\xff\xff\x02\0\x80\0", 6,
	       "{-1, 2, 128}", "[-1,2,128]");
	expect((struct field){ .type = FIELD_HEX, .count = 6 }, "\x52\x54\0\x01\x02\xff", 6,
	       "{0x52, 0x54, 0x0, 0x1, 0x2, 0xff}", "[82,84,0,1,2,255]");
	expect((struct field){ .type = FIELD_ENUM, .count = 2, .names = names }, "\x01\x02", 2,
	       "{ON\"E, 2}", "[\"ON\\\"E\",2]");
	expect((struct field){ .type = FIELD_CHAR, .count = 3 }, "a\n\xff", 3,
	       "{'a', '\\n', '\\xff'}", "[\"a\",\"\\n\",\"\\uefff\"]");
	expect((struct field){ .type = FIELD_IP4, .count = 2 }, "\x7f\0\0\x01\x0a\0\0\x02", 8,
	       "{127.0.0.1, 10.0.0.2}", "[\"127.0.0.1\",\"10.0.0.2\"]");
	expect((struct field){ .type = FIELD_UINT, .count = 2, .left_out = 62 }, "\x01\x02", 2,
	       "{1, 2, …(+62)}", "[1,2]},\"cut\":{\"v\":62");
	expect((struct field){ .type = FIELD_BOOL, .count = 1 }, "\x01", 1, "{true}", "[true]");
}

/* A record that is too short for its schema is refused. */
static void test_short(void **state)
{
	static const enum field_type types[] = { FIELD_IP4, FIELD_IP6, FIELD_UUID, FIELD_GUID,
						 FIELD_SOCKADDR };
	char bytes[16] = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++) {
		struct field f = { .type = types[i], .size = 1 };
		struct value v;

		assert_int_equal(field_load(&f, bytes, sizeof(bytes), &v), -EBADMSG);
		f.size = 17;
		assert_int_equal(field_load(&f, bytes, sizeof(bytes), &v), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_both_ends),
		cmocka_unit_test(test_sockets),	  cmocka_unit_test(test_hostile_sockets),
		cmocka_unit_test(test_modes),	  cmocka_unit_test(test_errors),
		cmocka_unit_test(test_rwbs),	  cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_short),
	};

	buf_init(&o, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
