/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_packet_line.c - packets as lines: whole, cut anywhere, and damaged. What lies behind the captured bytes must not
 * matter. Lines of more kinds are judged by tcpdump: tests/live/packets.bats.
 */
#include <string.h>

#include "../lib/chance.h"
#include "packet/packet.h"
#include "unit.h"

#define MACS	  "\x02\0\0\0\0\2\x02\0\0\0\0\1"
#define ADDRESSES "\x0a\0\0\1\x0a\0\0\2"
#define NAME	  "\3www\4test\3org\0"

static const struct {
	const char *bytes;
	size_t size;
	const char *line;
} frames[] = {
#define FRAME(bytes_, line_)                                                                       \
	{                                                                                          \
		bytes_, sizeof(bytes_) - 1, line_                                                  \
	}
	FRAME(MACS "\x08\0\x45\0\0\x3c\0\1\x40\0\x40\6\0\0" ADDRESSES
		   "\x9c\x40\x01\xbb\0\0\3\xe8\0\0\7\xd0\xa0\2\xff\xd7\0\0\0\0"
		   "\2\4\xff\xd7\4\2\x08\x0a\0\0\0\1\0\0\0\0\1\3\3\7",
	      "IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [S], seq 1000, win 65495, options [mss 65495,sackOK,"
	      "TS val 1 ecr 0,nop,wscale 7], length 0"),
	FRAME(MACS "\x08\0\x45\0\0\x5c\0\0\0\0\x40\x11\0\0" ADDRESSES "\0\x35\x30\x39\0\x48\0\0"
		   "\4\xd2\x81\x80\0\1\0\2\0\0\0\0" NAME
		   "\0\1\0\1\xc0\x0c\0\5\0\1\0\0\0\x3c\0\6\3ftp\xc0\x10"
		   "\xc0\x2a\0\1\0\1\0\0\0\x3c\0\4\x0a\1\2\3",
	      "IP 10.0.0.1.53 > 10.0.0.2.12345: 1234 2/0/0 CNAME ftp.test.org., A 10.1.2.3 (64)"),
	/* a name that goes on at itself */
	FRAME(MACS "\x08\0\x45\0\0\x2e\0\0\0\0\x40\x11\0\0" ADDRESSES "\x30\x39\0\x35\0\x1a\0\0"
		   "\4\xd2\1\0\0\1\0\0\0\0\0\0\xc0\x0c\0\1\0\1",
	      "IP 10.0.0.1.12345 > 10.0.0.2.53: 1234+[|domain] (18)"),
	FRAME(MACS "\x81\0\0\x0a\x86\xdd\x60\0\0\0\0\x18\x2c\x40"
		   "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\2"
		   "\x3a\0\0\0\0\0\0\1\x80\0\0\0\0\7\0\1abcdefgh",
	      "vlan 10, p 0, IP6 fe80::1 > fe80::2: frag (0|16) ICMP6, echo request, id 7, seq 1, length 16"),
	/* a server's name with an escape in it */
	FRAME(MACS "\x08\0\x45\0\0\x70\0\1\x40\0\x40\6\0\0" ADDRESSES
		   "\x9c\x40\x01\xbb\0\0\3\xe8\0\0\7\xd0\x50\x18\xff\xd7\0\0\0\0"
		   "\x16\3\1\0\x43\1\0\0\x3f\3\3abcdefghijklmnopqrstuvwxyz012345\0\0\2\x13\1\1\0"
		   "\0\x14\0\0\0\x10\0\x0e\0\0\x0bwww.\xff\\t.org",
	      "IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [P.], seq 1000:1072, ack 2000, win 65495, length 72: "
	      "TLS client hello, SNI www.\\xff\\\\t.org"),
};

static void frame_set(struct packet_frame *f, const uint8_t *bytes, size_t size, size_t captured,
		      int behind)
{
	memset(f, behind, sizeof(*f));
	memcpy(f->bytes, bytes, captured);
	f->captured = captured;
	f->length = size;
}

static void line_of(struct buf *o, const uint8_t *bytes, size_t size, size_t captured, int behind)
{
	struct packet_frame f;

	buf_init(o, -1);
	frame_set(&f, bytes, size, captured, behind);
	packet_line(o, &f);
	buf_char(o, '\0');
	assert_int_equal(o->error, 0);
}

/* Returns true if the line says that it is cut. */
static bool check_cut(const uint8_t *bytes, size_t size, size_t captured)
{
	static const int behind[] = { 0, 0xff, 0xc0, 1 };
	struct buf first, other;
	bool cut;

	line_of(&first, bytes, size, captured, 0xa5);
	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
		line_of(&other, bytes, size, captured, behind[i]);
		assert_string_equal(first.data, other.data);
		buf_free(&other);
	}
	for (const char *c = first.data; *c; c++)
		assert_true(*c >= ' ' && *c < 0x7f);
	cut = strstr(first.data, "[|") != NULL;
	buf_free(&first);
	return cut;
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frames); i++) {
		struct buf o;

		line_of(&o, (const uint8_t *)frames[i].bytes, frames[i].size, frames[i].size, 0xa5);
		assert_string_equal(o.data, frames[i].line);
		buf_free(&o);
	}
}

static void test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frames); i++) {
		unsigned cuts = 0;

		for (size_t captured = PACKET_LINK; captured < frames[i].size; captured++)
			cuts += check_cut((const uint8_t *)frames[i].bytes, frames[i].size,
					  captured);
		assert_true(cuts > 20);
	}
}

static void test_damaged(void **state)
{
	struct chance c = chance_of(29, 1);

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t i = chance_below(&c, COUNT(frames)), size = frames[i].size;
		uint8_t bytes[256];

		memcpy(bytes, frames[i].bytes, size);
		for (unsigned n = 1 + chance_below(&c, 6); n; n--)
			bytes[12 + chance_below(&c, size - 12)] = chance_next(&c);
		check_cut(bytes, size, PACKET_LINK + chance_below(&c, size - PACKET_LINK + 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
