/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_dns.c - DNS messages: valid ones, and ones that should never be sent.
 */
#include <string.h>

#include "unit.h"

#include "applets/connsnoop/lookups.h"

static struct dns_message m;

#define QUERY		      "\x12\x34\x01\x00\0\x01\0\0\0\0\0\0"
#define ANSWER(status, count) "\x12\x34\x81" status "\0\x01\0" count "\0\0\0\0"
#define AB		      "\1a\2bc\0"
#define ASK_A		      AB "\0\1\0\1"
#define HEAD(type, size)      "\xc0\x0c\0" type "\0\1\0\0\0\x3c\0" size
#define READ(text)	      dns_read(&m, (const uint8_t *)(text), sizeof(text) - 1)

static void name_is(const char *name)
{
	assert_int_equal(m.name_len, strlen(name));
	assert_memory_equal(m.name, name, m.name_len);
}

static void test_question(void **state)
{
	(void)state;
	assert_true(READ(QUERY ASK_A));
	assert_false(m.is_answer);
	assert_int_equal(m.id, 0x1234);
	assert_string_equal(dns_type_name(m.type), "A");
	name_is("a.bc");
	assert_true(READ(QUERY "\0\0\x1c\0\1"));
	name_is(".");
	assert_string_equal(dns_type_name(m.type), "AAAA");
	assert_true(READ(QUERY "\5a.b\\\n\0\xff\0\0\1"));
	name_is("a\\.b\\\\\n");
	assert_null(dns_type_name(999));
}

static void test_answers(void **state)
{
	static const char texts[] = "x.a.bc\0"
				    "192.0.2.1\0"
				    "2001:db8::1\0"
				    "10 a.bc\0"
				    "hello\0"
				    "SOA, 3 bytes";

	(void)state;
	assert_true(READ(
		ANSWER("\x80", "\6") ASK_A
			HEAD("\5", "\4") "\1x\xc0\x0c" HEAD("\1", "\4") "\xc0\0\2\1" HEAD("\x1c", "\x10") "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1" HEAD(
				"\x0f",
				"\4") "\0\x0a\xc0\x0c" HEAD("\x10",
							    "\7") "\3hel\2lo" HEAD("\6",
										   "\3") "abc"));
	assert_true(m.is_answer);
	assert_int_equal(m.texts_len, sizeof(texts));
	assert_memory_equal(m.texts, texts, sizeof(texts));
	assert_int_equal(m.address_count, 2);
	assert_false(m.is_cut);
	assert_true(READ(ANSWER("\x83", "\0") ASK_A));
	assert_string_equal(dns_status_name(m.status), "NXDOMAIN");
	assert_int_equal(m.texts_len, 0);
}

/* Every prefix of a message is refused or cut; valgrind and the sanitizers check what is read. */
static void test_prefixes(void **state)
{
	static const char whole[] = ANSWER("\x80", "\2")
		ASK_A HEAD("\1", "\4") "\xc0\0\2\1" HEAD("\2", "\2") "\xc0\x0c";
	size_t size = sizeof(whole) - 1, question = 12 + sizeof(ASK_A) - 1;
	uint8_t *copy;

	(void)state;
	for (size_t i = 0; i <= size; i++) {
		copy = malloc(i ?: 1);
		memcpy(copy, whole, i);
		assert_int_equal(dns_read(&m, copy, i), i >= question);
		if (i >= question)
			assert_int_equal(m.is_cut, i < size);
		free(copy);
	}
}

static void test_hostile(void **state)
{
	static uint8_t longest[12 + 300];

	(void)state;
	/* pointers to themselves, forwards, to each other, back to the label that they are behind */
	assert_false(READ(QUERY "\xc0\x0c\0\1\0\1"));
	assert_false(READ(QUERY "\xc0\x10\0\0\0\1\0\1"));
	assert_false(READ(QUERY "\xc0\x0e\xc0\x0c\0\1\0\1"));
	assert_false(READ(QUERY "\1a\xc0\x0c\0\1\0\1"));
	assert_false(READ(QUERY "\x40"
				"a\0\0\1\0\1"));
	assert_false(READ("\x12\x34\x01\x00\0\0\0\0\0\0\0\0"));
	/* 128 labels of one byte are too long; 126 are not */
	longest[5] = 1;
	for (size_t i = 12; i + 1 < sizeof(longest); i += 2)
		longest[i] = 1, longest[i + 1] = '.';
	assert_false(dns_read(&m, longest, sizeof(longest)));
	longest[12 + 2 * 126] = 0;
	assert_true(dns_read(&m, longest, sizeof(longest)));
	assert_int_equal(m.name_len, 126 * 3 - 1);
}

static void test_same(void **state)
{
	struct dns_message a;

	(void)state;
	assert_true(READ(QUERY ASK_A));
	a = m;
	assert_true(READ(ANSWER("\x80", "\0") "\1A\2bC\0\0\1\0\1"));
	assert_true(dns_same(&a, &m));
	assert_true(READ(ANSWER("\x80", "\0") "\1a\2bd\0\0\1\0\1"));
	assert_false(dns_same(&a, &m));
	assert_true(READ(ANSWER("\x80", "\0") "\1a\2bc\0\0\2\0\1"));
	assert_false(dns_same(&a, &m));
}

static struct connsnoop_packet packet(const char *text, size_t size, uint64_t sock, uint64_t at)
{
	struct connsnoop_packet p = { .sock = sock, .at = at, .len = 100, .captured = size };

	memcpy(p.data, text, size);
	return p;
}

#define PACKET(text, sock, at) packet(text, sizeof(text) - 1, sock, at)

/* Two sockets: asked twice, answered, and answered by an unreadable message. */
static void test_pairs(void **state)
{
	struct connsnoop_packet asked = PACKET(QUERY ASK_A, 1, 10),
				again = PACKET(QUERY ASK_A, 1, 20);
	struct connsnoop_packet other = PACKET(QUERY ASK_A, 2, 30);
	struct connsnoop_packet answer = PACKET(ANSWER("\x80", "\0") ASK_A, 1, 40);
	struct connsnoop_packet unread = PACKET("", 2, 50);
	const struct lookup *l;

	(void)state;
	assert_true(lookups_asked(&asked) && lookups_asked(&again) && lookups_asked(&other));
	assert_true(lookups_unreadable(&unread) && !lookups_unreadable(&answer));
	l = lookups_answered(&answer);
	assert_non_null(l);
	assert_int_equal(l->e.took, 20);
	assert_true(lookup_failed(l));
	l = lookups_answered(&unread);
	assert_non_null(l);
	assert_true(l->unread && !lookup_failed(l));
	assert_int_equal(l->e.took, 20);
	assert_null(lookups_answered(&unread));
	assert_null(lookups_expired(10));
	l = lookups_expired(11);
	assert_non_null(l);
	assert_true(!l->answered && lookup_failed(l));
	assert_null(lookups_expired(UINT64_MAX));
	/* of more questions than there is room for the oldest is dropped */
	for (size_t i = 0; i < 1024; i++)
		assert_true(lookups_asked(&asked));
	assert_false(lookups_asked(&again));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_question), cmocka_unit_test(test_answers),
		cmocka_unit_test(test_prefixes), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_same),	 cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
