/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_trace_ctx.c - the letters of ftrace's latency field, for each of their conditions, and the object.
 */
#include "unit.h"
#include "output/field/trace_ctx.h"

static struct buf o;

#define BIT(name_) (1ull << TRACE_CTX_##name_)
#define ALL	   (BIT(HAS_BH) | BIT(HAS_LAZY) | BIT(HAS_MIGRATE))

static void expect(uint64_t value, const char *text)
{
	trace_ctx_write(&o, value);
	assert_string_equal(taken(&o), text);
}

static void test_letters(void **state)
{
	(void)state;
	expect(0, "....");
	expect(ALL, ".....");
	expect(ALL | BIT(IRQS_OFF) | BIT(HARDIRQ) | 1, "d.h1.");
	expect(ALL | BIT(IRQS_OFF) | BIT(BH_OFF), "D....");
	expect(ALL | BIT(BH_OFF), "b....");
	expect(BIT(BH_OFF) | BIT(IRQS_OFF), "d...");
	expect(BIT(SOFTIRQ), "..s.");
	expect(BIT(SOFTIRQ) | BIT(HARDIRQ), "..H.");
	expect(BIT(NMI), "..z.");
	expect(BIT(NMI) | BIT(HARDIRQ), "..Z.");
}

static void test_resched(void **state)
{
	static const char *const texts[] = { "....", ".n..", ".p..", ".N..",
					     ".l..", ".b..", ".L..", ".B.." };

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		uint64_t value = (i & 1 ? BIT(TASK_RESCHED) : 0) | (i & 2 ? BIT(CPU_RESCHED) : 0) |
				 (i & 4 ? BIT(LAZY_RESCHED) : 0);

		expect(value | BIT(HAS_LAZY), texts[i]);
		expect(value, texts[i & 3]); /* a kernel that does not know the lazy one */
	}
}

static void test_depths(void **state)
{
	(void)state;
	expect(9, "...9");
	expect(10, "...a");
	expect(15, "...f");
	expect(200, "...f");
	expect(BIT(HAS_MIGRATE) | 3ull << TRACE_CTX_MIGRATE, "....3");
	expect(3ull << TRACE_CTX_MIGRATE, "....");
}

static void test_object(void **state)
{
	(void)state;
	trace_ctx_write_json(&o, ALL | BIT(IRQS_OFF) | BIT(HARDIRQ) | BIT(TASK_RESCHED) | 2 |
					 1ull << TRACE_CTX_MIGRATE);
	assert_string_equal(
		taken(&o), "{\"text\":\"dnh21\",\"irqs_off\":true,\"bh_off\":false,"
			   "\"need_resched\":true,\"preempt_resched\":false,\"lazy_resched\":false,"
			   "\"hardirq\":true,\"softirq\":false,\"nmi\":false,\"preempt_depth\":2,"
			   "\"migrate_depth\":1}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_resched),
		cmocka_unit_test(test_depths),
		cmocka_unit_test(test_object),
	};

	buf_init(&o, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
