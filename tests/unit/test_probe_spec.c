/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_probe_spec.c - PROBE texts: what is in them, what is wrong with them and where.
 */
#include <errno.h>

#include "unit.h"
#include "probe/probe_spec.h"
#include "util/glob.h"

static struct probe_spec spec;
static struct probe_spec_error error;

static void parse(const char *text)
{
	int err = probe_spec_parse(text, &spec, &error);

	if (err)
		fail_msg("%s: %s", text, error.message);
}

static void check_item(size_t i, const char *place, const char *name)
{
	assert_true(i < spec.count);
	if (place)
		assert_string_equal(spec.items[i].scope, place);
	else
		assert_null(spec.items[i].scope);
	assert_string_equal(spec.items[i].name, name);
}

/* One plain name. */
static void check_one(const char *text, enum probe_spec_kind kind, const char *place,
		      const char *name)
{
	parse(text);
	assert_int_equal(spec.kind, kind);
	assert_int_equal(spec.count, 1);
	assert_false(spec.is_return || spec.items[0].is_pattern || spec.items[0].has_offset);
	assert_null(spec.items[0].type);
	check_item(0, place, name);
	probe_spec_free(&spec);
}

static void test_kinds(void **state)
{
	(void)state;
	check_one("vfs_read", PROBE_SPEC_FUNCTION, NULL, "vfs_read");
	check_one("f.isra.0", PROBE_SPEC_FUNCTION, NULL, "f.isra.0");
	check_one("btrfs:btrfs_sync_file", PROBE_SPEC_FUNCTION, "btrfs", "btrfs_sync_file");
	check_one("t:sched:sched_switch", PROBE_SPEC_TRACEPOINT, "sched", "sched_switch");
	check_one("s:openat", PROBE_SPEC_SYSCALL, NULL, "openat");
	check_one("u:/bin/bash:readline", PROBE_SPEC_USER, "/bin/bash", "readline");
	check_one("u:libc:getaddrinfo", PROBE_SPEC_USER, "libc", "getaddrinfo");
	check_one("b:xdp_filter", PROBE_SPEC_PROGRAM, NULL, "xdp_filter");
	check_one("b:17", PROBE_SPEC_PROGRAM, NULL, "17");
	check_one("b:xdp_filter:parse", PROBE_SPEC_PROGRAM, "xdp_filter", "parse");
	check_one("hz:99", PROBE_SPEC_HZ, NULL, "99");
	check_one("every:0.5", PROBE_SPEC_EVERY, NULL, "0.5");
	check_one("hw:cache-misses:10000", PROBE_SPEC_HARDWARE, NULL, "cache-misses:10000");
	check_one("sw:page-faults", PROBE_SPEC_SOFTWARE, NULL, "page-faults");
	check_one("watch:0x1000:8:rw", PROBE_SPEC_WATCH, NULL, "0x1000:8:rw");
	check_one("u:/a:b,c%return/d:e", PROBE_SPEC_USER, "/a:b,c%return/d", "e");
}

static void test_return(void **state)
{
	static const char *const texts[] = { "f%return", "s:f%return", "u:/x:f%return",
					     "b:f%return" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		parse(texts[i]);
		assert_true(spec.is_return);
		assert_string_equal(spec.items[0].name, "f");
		probe_spec_free(&spec);
	}
}

static void check_offset(const char *text, const char *name, uint64_t offset)
{
	parse(text);
	assert_string_equal(spec.items[0].name, name);
	assert_true(spec.items[0].has_offset);
	assert_int_equal(spec.items[0].offset, offset);
	probe_spec_free(&spec);
}

static void test_offset(void **state)
{
	(void)state;
	check_offset("vfs_read+0x20", "vfs_read", 0x20);
	check_offset("vfs_read+32", "vfs_read", 32);
	check_offset("u:/x:main+0x4", "main", 4);
	check_offset("u:/x:0x1234", "", 0x1234);
}

static void test_lists(void **state)
{
	(void)state;
	parse("a,m:b*,*(struct sk_buff *),c%return");
	assert_int_equal(spec.count, 4);
	assert_true(spec.is_return);
	check_item(0, NULL, "a");
	check_item(1, "m", "b*");
	assert_true(spec.items[1].is_pattern);
	assert_int_equal(spec.items[1].start, 2);
	assert_int_equal(spec.items[1].end, 6);
	check_item(2, NULL, "*");
	assert_string_equal(spec.items[2].type, "struct sk_buff *");
	probe_spec_free(&spec);

	parse("t:sched:sched_switch,sched_w*,irq:irq_handler_entry");
	check_item(0, "sched", "sched_switch");
	check_item(1, "sched", "sched_w*");
	check_item(2, "irq", "irq_handler_entry");
	probe_spec_free(&spec);

	parse("u:/lib/a,b.so:f,g+1,h");
	assert_int_equal(spec.count, 3);
	check_item(0, "/lib/a,b.so", "f");
	check_item(1, "/lib/a,b.so", "g");
	check_item(2, "/lib/a,b.so", "h");
	probe_spec_free(&spec);

	/* names of C++, Rust and Go */
	parse("u:/bin/p:ns::f(int, ns::T<a, b> *),ns::g,operator<<,ns::C::operator()(int),h");
	assert_int_equal(spec.count, 5);
	check_item(0, "/bin/p", "ns::f(int, ns::T<a, b> *)");
	check_item(1, "/bin/p", "ns::g");
	check_item(3, "/bin/p", "ns::C::operator()(int)");
	check_item(4, "/bin/p", "h");
	probe_spec_free(&spec);

	parse("u:/bin/p:ns::f|u:/bin/p:<ns::T as ns::U>::g+4");
	check_item(0, "/bin/p", "ns::f");
	check_item(1, "/bin/p", "<ns::T as ns::U>::g");
	assert_int_equal(spec.items[1].offset, 4);
	probe_spec_free(&spec);

	parse("u:/bin/p:net/http.(*Server).Serve%return");
	check_item(0, "/bin/p", "net/http.(*Server).Serve");
	assert_true(spec.is_return);
	probe_spec_free(&spec);

	parse("u:/bin/p:f,s::g|t::h");
	check_item(1, "/bin/p", "s::g");
	check_item(2, "/bin/p", "t::h");
	probe_spec_free(&spec);

	parse("u:/bin/p:ns::C::operator+");
	check_item(0, "/bin/p", "ns::C::operator+");
	probe_spec_free(&spec);

	parse("u:/bin/a::b:f"); /* a path */
	check_item(0, "/bin/a::b", "f");
	probe_spec_free(&spec);

	parse("x[a,b]y,z");
	assert_int_equal(spec.count, 2);
	check_item(0, NULL, "x[a,b]y");
	probe_spec_free(&spec);
}

/* Item i: its kind, what it is in place of, and how it is followed. */
static void check_choice(size_t i, enum probe_spec_kind kind, bool is_other, bool or_function,
			 bool is_optional)
{
	assert_int_equal(spec.items[i].kind, kind);
	assert_int_equal(spec.items[i].is_other, is_other);
	assert_int_equal(spec.items[i].or_function, or_function);
	assert_int_equal(spec.items[i].is_optional, is_optional);
}

static void test_choices(void **state)
{
	(void)state;
	parse("a|b,c?,m:d*?|e%return");
	assert_int_equal(spec.count, 5);
	assert_true(spec.is_return);
	check_item(0, NULL, "a");
	check_choice(0, PROBE_SPEC_FUNCTION, false, false, false);
	check_choice(1, PROBE_SPEC_FUNCTION, true, false, false);
	check_item(2, NULL, "c");
	check_choice(2, PROBE_SPEC_FUNCTION, false, false, true);
	assert_false(spec.items[2].is_pattern);
	assert_int_equal(spec.items[2].start, 4);
	assert_int_equal(spec.items[2].end, 6);
	check_item(3, "m", "d*");
	check_choice(3, PROBE_SPEC_FUNCTION, false, false, true);
	check_choice(4, PROBE_SPEC_FUNCTION, true, false, false);
	probe_spec_free(&spec);

	parse("t:block:io_start|t:x:y|old_start|z:w,next");
	check_item(0, "block", "io_start");
	check_item(1, "x", "y");
	check_item(2, "x", "old_start");
	check_choice(2, PROBE_SPEC_TRACEPOINT, true, true, false);
	check_item(3, "z", "w");
	check_choice(3, PROBE_SPEC_TRACEPOINT, true, false, false);
	check_item(4, "z", "next");
	check_choice(4, PROBE_SPEC_TRACEPOINT, false, false, false);
	probe_spec_free(&spec);

	parse("f|t:x:y|s:z,g");
	check_choice(1, PROBE_SPEC_TRACEPOINT, true, false, false);
	check_choice(2, PROBE_SPEC_SYSCALL, true, false, false);
	check_choice(3, PROBE_SPEC_FUNCTION, false, false, false);
	probe_spec_free(&spec);

	parse("u:/lib/a,b:f,g|u:libc:h|i");
	assert_int_equal(spec.count, 4);
	check_item(1, "/lib/a,b", "g");
	check_item(2, "libc", "h");
	check_item(3, "libc", "i");
	check_choice(3, PROBE_SPEC_USER, true, false, false);
	probe_spec_free(&spec);

	parse("x[a|b]y,*(struct a|b *)?");
	assert_int_equal(spec.count, 2);
	assert_true(spec.items[1].is_optional);
	probe_spec_free(&spec);
}

/* Wrong from byte `start` to before `end`. */
static void check_fails(const char *text, size_t start, size_t end, const char *message)
{
	if (!probe_spec_parse(text, &spec, &error))
		fail_msg("'%s' was taken", text);
	if (!strstr(error.message, message) || error.start != start || error.end != end)
		fail_msg("'%s': '%s' [%zu, %zu)", text, error.message, error.start, error.end);
	assert_null(spec.items);
}

static void test_failures(void **state)
{
	(void)state;
	check_fails("", 0, 0, "PROBE is empty");
	check_fails("a,,b", 2, 3, "name is missing");
	check_fails("a,", 2, 3, "name is missing");
	check_fails("a|", 2, 3, "name is missing");
	check_fails("a||b", 2, 3, "name is missing");
	check_fails("a|t:b%return", 4, 5, "has no return");
	check_fails("a,s:b?", 2, 4, "of one kind");
	check_fails("t:a:b,c,b:d", 8, 10, "of one kind");
	check_fails("a b", 1, 2, "cannot contain this");
	check_fails("a\033b", 1, 2, "cannot contain this");
	check_fails("a-b", 1, 2, "cannot contain this");
	check_fails(":a", 0, 1, "no module before");
	check_fails("a%ret", 1, 5, "only return");
	check_fails("a%return,b", 1, 10, "only return");
	check_fails("t:a:b%return", 5, 12, "no return");
	check_fails("hz:", 3, 4, "what is missing");
	check_fails("hz:9,,8", 5, 6, "what is missing");
	check_fails("hz:99%return", 5, 12, "a sample has no return");
	check_fails("u:/bin/bash", 2, 11, "path is missing");
	check_fails("s:x:openat", 2, 4, "colon");
	check_fails("s:openat+4", 8, 10, "an offset is not allowed");
	check_fails("a+", 1, 2, "needs an offset");
	check_fails("a+x", 1, 3, "needs an offset");
	check_fails("a+0xfffffffffffffffff", 1, 21, "needs an offset");
	check_fails("a*+4", 0, 2, "a pattern cannot");
	check_fails("a+4%return", 0, 1, "with an offset");
	check_fails("a[b", 1, 2, "closed by a ]");
	check_fails("(struct x *)", 0, 12, "pattern");
	check_fails("*(struct x *", 1, 12, "missing ) at the end");
	check_fails("*()", 1, 3, "no type");
	check_fails("s:*(int)", 3, 8, "by type");
	check_fails("u:/x:0x12z", 5, 10, "neither");
	check_fails("u:/x:str*+4", 5, 9, "a pattern cannot");
}

static void check_match(const char *pattern, const char *name, bool matches)
{
	if (wildcard_matches(pattern, name) != matches)
		fail_msg("'%s' and '%s'", pattern, name);
}

static void test_patterns(void **state)
{
	(void)state;
	check_match("tcp_*", "tcp_v4_rcv", true);
	check_match("tcp_*", "tcp_", true);
	check_match("tcp_*", "xtcp_", false);
	check_match("*", "", true);
	check_match("", "a", false);
	check_match("a?c", "abc", true);
	check_match("a?c", "ac", false);
	check_match("*spin_*lock*", "_raw_spin_unlock_irq", true);
	check_match("*a*b", "xaxbxab", true);
	check_match("*a*b", "xaxbxac", false);
	check_match("vfs_[rw]*", "vfs_write", true);
	check_match("vfs_[!rw]*", "vfs_write", false);
	check_match("vfs_[^a-q]*", "vfs_read", true);
	check_match("vfs_[a-q]", "vfs_r", false);
	check_match("[]]x", "]x", true);
	check_match("[a", "a", false);
	check_match("[a]", "", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),	 cmocka_unit_test(test_return),
		cmocka_unit_test(test_offset),	 cmocka_unit_test(test_lists),
		cmocka_unit_test(test_choices),	 cmocka_unit_test(test_failures),
		cmocka_unit_test(test_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
