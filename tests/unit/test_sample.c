/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_sample.c - what samples are named by: rates, times, events with periods, lists of processors.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "unit.h"
#include "kernel/processors.h"
#include "probe/sample_spec.h"

static struct attach_sample sample;
static const struct sample_event *event;
static struct sample_error error;

static void taken_as(enum probe_spec_kind kind, const char *text, unsigned type, unsigned config,
		     uint64_t period)
{
	if (sample_spec_parse(kind, text, &sample, &event, &error))
		fail_msg("%s: %s", text, error.message);
	assert_int_equal(sample.type, type);
	assert_int_equal(sample.config, config);
	assert_int_equal(sample.period, period);
	assert_int_equal(sample.per_second, kind == PROBE_SPEC_HZ);
	assert_int_equal(sample.once, kind == PROBE_SPEC_EVERY);
}

static void refused(enum probe_spec_kind kind, const char *text, const char *message)
{
	assert_int_equal(sample_spec_parse(kind, text, &sample, &event, &error), -EINVAL);
	if (!strstr(error.message, message) && !strstr(error.hint, message))
		fail_msg("%s: %s / %s", text, error.message, error.hint);
}

static void test_timers(void **state)
{
	const unsigned sw = PERF_TYPE_SOFTWARE, clock = PERF_COUNT_SW_CPU_CLOCK;

	(void)state;
	taken_as(PROBE_SPEC_HZ, "99", sw, clock, 99);
	taken_as(PROBE_SPEC_HZ, "100000", sw, clock, 100000);
	taken_as(PROBE_SPEC_EVERY, "1", sw, clock, 1000000000);
	taken_as(PROBE_SPEC_EVERY, "0.5", sw, clock, 500000000);
	taken_as(PROBE_SPEC_EVERY, "100ms", sw, clock, 100000000);
	taken_as(PROBE_SPEC_EVERY, "10us", sw, clock, 10000);
	taken_as(PROBE_SPEC_EVERY, "2m", sw, clock, 120000000000);
	assert_null(event);
	for (const char **text =
		     (const char *[]){ "", "0", "-1", "9.5", "99x", "100001", " 9", NULL };
	     *text; text++)
		refused(PROBE_SPEC_HZ, *text, "whole number");
	for (const char **text = (const char *[]){ "", "0", "-1", "1x", "9us", "nan", "inf", "1e30",
						   ".", NULL };
	     *text; text++)
		refused(PROBE_SPEC_EVERY, *text, "needs a time");
}

static void test_watches(void **state)
{
	(void)state;
	taken_as(PROBE_SPEC_WATCH, "0x601040:8:rw", PERF_TYPE_BREAKPOINT, 0, 1);
	assert_int_equal(sample.address, 0x601040);
	assert_int_equal(sample.length, 8);
	assert_int_equal(sample.access, HW_BREAKPOINT_RW);
	taken_as(PROBE_SPEC_WATCH, "4098:2:w", PERF_TYPE_BREAKPOINT, 0, 1);
	assert_int_equal(sample.access, HW_BREAKPOINT_W);
	taken_as(PROBE_SPEC_WATCH, "0xffffffff81000000:1:x", PERF_TYPE_BREAKPOINT, 0, 1);
	assert_int_equal(sample.length, sizeof(long));
	refused(PROBE_SPEC_WATCH, "", "an address");
	refused(PROBE_SPEC_WATCH, "0:8:w", "an address");
	refused(PROBE_SPEC_WATCH, "main:8:w", "an address");
	refused(PROBE_SPEC_WATCH, "0xfffffffffffffffff:8:w", "an address");
	refused(PROBE_SPEC_WATCH, "0x1000", "an address");
	refused(PROBE_SPEC_WATCH, "0x1000:8", "1, 2, 4 or 8");
	refused(PROBE_SPEC_WATCH, "0x1000:3:w", "1, 2, 4 or 8");
	refused(PROBE_SPEC_WATCH, "0x1000:16:w", "1, 2, 4 or 8");
	refused(PROBE_SPEC_WATCH, "0x1001:8:w", "a multiple of 8");
	for (const char **mode = (const char *[]){ "", "q", "ww", "rx", "wx", "rw ", "W", NULL };
	     *mode; mode++) {
		char text[32];

		snprintf(text, sizeof(text), "0x1000:8:%s", *mode);
		refused(PROBE_SPEC_WATCH, text, "unknown mode");
	}
}

static void test_events(void **state)
{
	(void)state;
	taken_as(PROBE_SPEC_HARDWARE, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
		 1000000);
	taken_as(PROBE_SPEC_HARDWARE, "cache-misses:77", PERF_TYPE_HARDWARE,
		 PERF_COUNT_HW_CACHE_MISSES, 77);
	assert_false(event->has_address);
	taken_as(PROBE_SPEC_SOFTWARE, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
		 1);
	assert_true(event->has_address);
	taken_as(PROBE_SPEC_SOFTWARE, "cpu-clock:2000000", PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_CPU_CLOCK, 2000000);
	refused(PROBE_SPEC_HARDWARE, "page-faults", "unknown event hw:page-faults");
	refused(PROBE_SPEC_SOFTWARE, "cycles", "unknown event sw:cycles");
	refused(PROBE_SPEC_SOFTWARE, "page-fault", "did you mean sw:page-faults?");
	refused(PROBE_SPEC_SOFTWARE, "nothing like it", "-l 'sw:*'");
	refused(PROBE_SPEC_HARDWARE, "cycles:", "the period");
	refused(PROBE_SPEC_HARDWARE, "cycles:0", "the period");
	refused(PROBE_SPEC_HARDWARE, "cycles:1x", "the period");
	refused(PROBE_SPEC_HARDWARE, "cycles:99999999999999999999", "the period");
	refused(PROBE_SPEC_HARDWARE, "", "unknown event");
}

static void cpus(const char *text, const char *wanted)
{
	int list[8], count = processors_read(text, list, 8);
	char made[64] = "";
	size_t len = 0;

	for (int i = 0; i < count; i++)
		len += snprintf(made + len, sizeof(made) - len, "%d ", list[i]);
	assert_string_equal(made, wanted);
}

static void test_cpus(void **state)
{
	(void)state;
	cpus("0\n", "0 ");
	cpus("0-3\n", "0 1 2 3 ");
	cpus("0-1,4,6-7\n", "0 1 4 6 7 ");
	cpus("0-100\n", "0 1 2 3 4 5 6 7 ");
	cpus("\n", "");
	cpus("-3", "");
	assert_int_equal(processors_read("", NULL, 0), -EBADMSG);
}

static int refusals, came;

static int came_or_refused(void *ctx, int cpu)
{
	(void)ctx, (void)cpu;
	if (refusals)
		return refusals--, -ENODEV;
	came++;
	return 0;
}

/* A processor that is listed before it has perf events is asked again, until it has. */
static void test_cpu_on_its_way(void **state)
{
	static struct processors p = { .events = -1, .known = true };
	int online = processors_online((int[PROCESSORS_MAX]){ 0 }, PROCESSORS_MAX);

	(void)state;
	assert_true(online > 0);
	refusals = online + 1;
	processors_poll(&p, came_or_refused, NULL);
	assert_int_equal(came, 0);
	processors_poll(&p, came_or_refused, NULL);
	assert_int_equal(came, online - 1);
	processors_poll(&p, came_or_refused, NULL);
	processors_poll(&p, came_or_refused, NULL);
	assert_int_equal(came, online);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers),	       cmocka_unit_test(test_watches),
		cmocka_unit_test(test_events),	       cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_cpu_on_its_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
