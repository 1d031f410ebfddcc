/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_report.c - rows that user space makes: reports, values that are computed, several kinds of rows by
 * a tag, keys that are left out.
 */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/hist.h"
#include "output/field/shared_fields.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/report.h"
#include "event.h"

struct disk {
	uint32_t number, lost;
	const char *name;
	uint64_t count;
	uint64_t buckets[HIST_BUCKETS];
};

static void letter(const struct field *f, const void *record, struct value *v)
{
	static const char letters[] = "abcdefgh";
	const struct disk *d = record;

	(void)f;
	if (d->number < 8)
		*v = (struct value){ .bytes = letters + d->number, .len = 1 };
	else
		v->status = EVENT_NONE;
}

#define DISK(member, type, ...) FIELD(struct disk, member, type, 0, NULL, ##__VA_ARGS__)

static const struct field fields[] = {
	DISK(number, FIELD_UINT, .object = "by"),
	{ .name = "letter", .type = FIELD_TEXT, .value = letter, .object = "by" },
	DISK(name, FIELD_TEXT),
	DISK(count, FIELD_UINT, .flags = FIELD_SORT),
	DISK(lost, FIELD_UINT, .flags = FIELD_SPARSE),
};
static const struct schema plain = {
	.fields = fields, .count = COUNT(fields), .bare = true, .record_min = sizeof(struct disk)
};

static const struct field hist_fields[] = {
	DISK(name, FIELD_TEXT),
	FIELD_HIST_ROWS(struct disk, buckets, &hist_ns, "latency", NULL),
};
static const struct schema hists = { .fields = hist_fields,
				     .count = COUNT(hist_fields),
				     .bare = true,
				     .record_min = sizeof(struct disk) };

static const struct disk disks[] = {
	{ .number = 0, .name = "sda", .count = 7, .buckets = { [12] = 1 } },
	{ .number = 1, .name = "nvme0n1", .count = 1000, .buckets = { [12] = 3, [13] = 1 } },
	{ .number = 9, .name = NULL, .count = 7 },
};

struct output {
	struct buf o;
	struct sink sink;
	struct report report;
};

static void begin(struct output *t, const struct schema *schema, bool json)
{
	*t = (struct output){
		.sink = { .schema = schema, .out = &t->o, .json = json, .applet = "disk" },
		.report = { .sink = &t->sink }
	};
	buf_init(&t->o, -1);
}

static void one_at(struct output *t, const struct disk *rows, size_t count, uint64_t now)
{
	report_begin(&t->report, now);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(report_row(&t->report, &rows[i], sizeof(rows[i])), 0);
	assert_int_equal(report_end(&t->report), 0);
}

static void one(struct output *t, const struct disk *rows, size_t count)
{
	one_at(t, rows, count, 1);
}

static void expect(struct output *t, const char *text)
{
	buf_char(&t->o, '\0');
	assert_string_equal(t->o.data, text);
	t->o.len = 0;
}

static void end(struct output *t)
{
	report_free(&t->report);
	sink_free(&t->sink);
	buf_free(&t->o);
}

static void test_table(void **state)
{
	struct output t;

	(void)state;
	begin(&t, &plain, false);
	one(&t, disks, COUNT(disks));
	expect(&t, "NUMBER  LETTER  NAME     COUNT\n"
		   "     1  b       nvme0n1   1000\n"
		   "     0  a       sda          7\n"
		   "     9  -       -            7\n");
	assert_int_equal(t.sink.rows, 3);
	one(&t, disks, 0); /* the titles stay */
	expect(&t, "NUMBER  LETTER  NAME  COUNT\n");
	end(&t);
}

/* Rows of the same count are in the order of their numbers, not of the numbers' bytes. */
static void test_ties(void **state)
{
	static const struct disk same[] = {
		{ .number = 257, .name = "c", .count = 7 },
		{ .number = 1, .name = "a", .count = 7 },
		{ .number = 256, .name = "b", .count = 7 },
	};
	struct output t;

	(void)state;
	begin(&t, &plain, false);
	one(&t, same, COUNT(same));
	expect(&t, "NUMBER  LETTER  NAME  COUNT\n"
		   "     1  b       a         7\n"
		   "   256  -       b         7\n"
		   "   257  -       c         7\n");
	end(&t);
}

/* Fails unless `b` may follow `a`. */
static void in_order(const struct disk *a, const struct disk *b, bool up)
{
	if (a->count != b->count)
		assert_true(up ? a->count < b->count : a->count > b->count);
	else if (a->number != b->number)
		assert_true(a->number < b->number);
	else
		assert_true(memcmp(a, b, sizeof(*a)) <= 0);
}

/* Many rows are not compared one with another (report_sort.c), and are in the same order. */
static void test_many(void **state)
{
	enum { ROWS = 3000 };
	struct disk *rows = calloc(ROWS, sizeof(*rows));
	struct output t;

	(void)state;
	assert_non_null(rows);
	for (uint32_t i = 0; i < ROWS; i++)
		rows[i] = (struct disk){ .number = i * 7919 % 600 * 1000,
					 .lost = i * 31 % 2,
					 .count = i * 104729 % 3 * 70000 };
	begin(&t, &plain, true);
	for (int up = 0; up < 2; up++) {
		t.report.sort = 4; /* count */
		t.report.sort_up = up;
		one(&t, rows, ROWS);
		assert_int_equal(t.report.line_count, ROWS);
		for (size_t i = 1; i < ROWS; i++)
			in_order(report_record(&t.report, &t.report.lines[i - 1]),
				 report_record(&t.report, &t.report.lines[i]), up);
	}
	end(&t);
	free(rows);
}

/* By another column than FIELD_SORT, and the same rows again. */
static void test_sort(void **state)
{
	struct output t;

	(void)state;
	begin(&t, &plain, false);
	t.report.top = 1;
	one(&t, disks, 3);
	expect(&t, "NUMBER  LETTER  NAME     COUNT\n"
		   "     1  b       nvme0n1   1000\n");
	assert_string_equal(report_sorted_by(&t.report)->name, "count");
	report_sort_move(&t.report, 1); /* the last one that is a number is "lost" */
	assert_string_equal(report_sorted_by(&t.report)->name, "lost");
	report_sort_move(&t.report, 1);
	assert_string_equal(report_sorted_by(&t.report)->name, "lost");
	report_sort_move(&t.report, -1);
	report_sort_move(&t.report, -1);
	report_sort_move(&t.report, -1);
	assert_string_equal(report_sorted_by(&t.report)->name, "number");
	t.report.top = 2;
	assert_int_equal(report_end(&t.report), 0);
	expect(&t, "NUMBER  LETTER  NAME     COUNT\n"
		   "     9  -       -            7\n"
		   "     1  b       nvme0n1   1000\n");
	end(&t);
}

static void test_sparse(void **state)
{
	struct disk lost[] = { disks[0], disks[1] };
	struct output t;

	(void)state;
	lost[0].lost = 5;
	begin(&t, &plain, false);
	t.report.top = 2;
	one(&t, lost, 2);
	expect(&t, "NUMBER  LETTER  NAME     COUNT  LOST\n"
		   "     1  b       nvme0n1   1000     0\n"
		   "     0  a       sda          7     5\n");
	t.report.top = 1; /* nothing in the column of what is left */
	one(&t, lost, 2);
	expect(&t, "NUMBER  LETTER  NAME     COUNT\n"
		   "     1  b       nvme0n1   1000\n");
	end(&t);
}

static void test_json(void **state)
{
	struct disk lost = disks[0];
	struct output t;

	(void)state;
	begin(&t, &plain, true);
	one(&t, disks, COUNT(disks));
	expect(&t,
	       "{\"type\":\"disk\",\"by\":{\"number\":1,\"letter\":\"b\"},\"name\":\"nvme0n1\",\"count\":1000}\n"
	       "{\"type\":\"disk\",\"by\":{\"number\":0,\"letter\":\"a\"},\"name\":\"sda\",\"count\":7}\n"
	       "{\"type\":\"disk\",\"by\":{\"number\":9,\"letter\":null},\"name\":null,\"count\":7}\n");
	lost.lost = 5;
	one(&t, &lost, 1);
	expect(&t,
	       "{\"type\":\"disk\",\"by\":{\"number\":0,\"letter\":\"a\"},\"name\":\"sda\",\"count\":7,\"lost\":5}\n");
	end(&t);
}

static void test_hist(void **state)
{
	struct output t;

	(void)state;
	begin(&t, &hists, false);
	one(&t, disks, 2);
	expect(&t,
	       "latency  name=nvme0n1  4 calls  p50 ~1.54us  p90 ~3.07us  p99 ~3.07us\n"
	       "      [1.02us, 2.05us)                 3 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "      [2.05us, 4.10us)                 1 |@@@@@@@@@@@@@                           |\n"
	       "latency  name=sda  1 call  p50 ~1.54us  p90 ~1.54us  p99 ~1.54us\n"
	       "      [1.02us, 2.05us)                 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n");
	one(&t, disks + 2, 1);
	expect(&t, "latency  name=-  (no calls)\n");
	end(&t);
	begin(&t, &hists, true);
	one(&t, disks + 2, 1);
	expect(&t,
	       "{\"type\":\"disk\",\"name\":null,\"buckets_ns\":[],\"p50_ns\":null,\"p90_ns\":null,\"p99_ns\":null}\n");
	end(&t);
}

/* The last line: all that was counted, whatever --top omits, and in what time. */
static void test_total(void **state)
{
	struct schema schema = hists;
	struct output t;

	(void)state;
	schema.noun = "request";
	begin(&t, &schema, false);
	t.report.since = 100;
	t.report.top = 1;
	one_at(&t, disks, 2, 3100000100);
	expect(&t,
	       "latency  name=nvme0n1  4 requests  p50 ~1.54us  p90 ~3.07us  p99 ~3.07us\n"
	       "      [1.02us, 2.05us)                 3 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "      [2.05us, 4.10us)                 1 |@@@@@@@@@@@@@                           |\n"
	       "total: 5 requests in 3.10s\n");
	one_at(&t, disks, 1, 1100);
	assert_non_null(memmem(t.o.data, t.o.len, "\ntotal: 1 request in 1.00us\n", 28));
	t.o.len = 0;
	one_at(&t, disks + 2, 1, 1100);
	expect(&t, "(no requests in 1.00us)\n");
	one_at(&t, disks, 0, 1100);
	expect(&t, "(no requests in 1.00us)\n");
	end(&t);
	begin(&t, &hists, true);
	t.report.since = 100;
	one_at(&t, disks, 1, 1100);
	expect(&t,
	       "{\"type\":\"disk\",\"total\":1,\"elapsed_ns\":1000,\"name\":\"sda\","
	       "\"buckets_ns\":[[1024,2048,1]],\"p50_ns\":1536,\"p90_ns\":1536,\"p99_ns\":1536}\n");
	end(&t);
}

static void test_time(void **state)
{
	struct schema schema = plain;
	struct output t;

	(void)state;
	schema.timestamp = TIMESTAMP_MONO;
	begin(&t, &schema, false);
	t.report.is_timed = true;
	one(&t, disks, 1);
	one(&t, disks, 1);
	expect(&t, "0.000000\nNUMBER  LETTER  NAME  COUNT\n     0  a       sda       7\n"
		   "\n0.000000\nNUMBER  LETTER  NAME  COUNT\n     0  a       sda       7\n");
	end(&t);
	begin(&t, &schema, true);
	t.report.is_timed = true;
	one(&t, disks, 1);
	buf_char(&t.o, '\0');
	assert_non_null(strstr(t.o.data, "{\"type\":\"disk\",\"time\":\""));
	end(&t);
	begin(&t, &plain, false); /* without -T: the time of day */
	t.report.is_timed = true;
	one(&t, disks, 0);
	assert_int_equal(t.o.data[2], ':');
	assert_int_equal(t.o.data[15], '\n');
	end(&t);
}

static void test_broken(void **state)
{
	struct output t;

	(void)state;
	begin(&t, &plain, false);
	report_begin(&t.report, 1);
	assert_int_equal(report_row(&t.report, disks, sizeof(disks[0]) - 1), -EBADMSG);
	assert_int_equal(report_end(&t.report), 0);
	expect(&t, "NUMBER  LETTER  NAME  COUNT\n");
	end(&t);
}

/* ---- several kinds of records by a tag ---- */

struct tagged {
	struct event_header head;
	uint32_t kind, number;
};

static const struct field first[] = {
	{ .name = "a", FIELD_AT(struct tagged, number), .type = FIELD_UINT, .flags = FIELD_PAIR },
};
static const struct field second[] = {
	{ .name = "b", FIELD_AT(struct tagged, number), .type = FIELD_HEX, .flags = FIELD_PAIR },
};
static const struct schema kind_a = { .fields = first, .count = 1 };
static const struct schema kind_b = { .fields = second, .count = 1 };

static uint32_t tag(const void *record, size_t size)
{
	return size < sizeof(struct tagged) ? UINT32_MAX : ((const struct tagged *)record)->kind;
}

static void test_tags(void **state)
{
	static const struct schema *const kinds[] = { &kind_a, &kind_b };
	struct tagged r = { .number = 16 };
	struct output t;

	(void)state;
	for (int json = 0; json < 2; json++) {
		begin(&t, &kind_a, json);
		t.sink.tag = tag;
		t.sink.schemas = kinds;
		t.sink.schema_count = 2;
		for (r.kind = 1; r.kind < 2; r.kind--)
			assert_int_equal(sink_record(&t.sink, &r, sizeof(r)), 0);
		r.kind = 2;
		assert_int_equal(sink_record(&t.sink, &r, sizeof(r)), -EBADMSG);
		assert_int_equal(sink_record(&t.sink, &r, sizeof(r) - 1), -EBADMSG);
		expect(&t, json ? "{\"type\":\"disk\",\"args\":{\"b\":16}}\n"
				  "{\"type\":\"disk\",\"args\":{\"a\":16}}\n" :
				  "b=0x10\na=16\n");
		assert_int_equal(t.sink.rows, 2);
		end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_ties),  cmocka_unit_test(test_sort),
		cmocka_unit_test(test_many),  cmocka_unit_test(test_json),
		cmocka_unit_test(test_hist),  cmocka_unit_test(test_total),
		cmocka_unit_test(test_time),  cmocka_unit_test(test_broken),
		cmocka_unit_test(test_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
