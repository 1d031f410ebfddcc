/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_show_map.c - maps of programs in bpftrace's language: order, merged values, pictures, JSON.
 */
#include <errno.h>

#include "front/bt/show_parts.h"
#include "show_sample.h"

/* ---- maps by hand ---- */

enum { CPUS = 2 };

struct list {
	const void *keys, *values;
	size_t key_size, value_size, count, next;
	uint32_t images;
	int err;
};

static int list_next(void *ctx, const void **key, const void **values)
{
	struct list *l = ctx;

	if (l->next == l->count)
		return l->err;
	*key = l->key_size ? (const char *)l->keys + l->next * l->key_size : NULL;
	*values = (const char *)l->values + l->next * l->value_size * l->images;
	l->next++;
	return 1;
}

static int list_show(const struct script_map *m, struct list l, uint64_t top, uint64_t div)
{
	const struct bt_entries e = {
		.ctx = &l, .next = list_next, .images = l.images, .stride = (uint32_t)l.value_size
	};

	out.len = 0;
	return bt_map_show(&show, m, &e, top, div);
}

static const char *shown(const struct script_map *m, struct list l, uint64_t top, uint64_t div)
{
	assert_int_equal(list_show(m, l, top, div), 0);
	return taken(&out);
}

static struct script_map map_of(const char *name, struct script_type key, struct script_type value)
{
	return (struct script_map){
		.name = name, .has_key = key.kind != SCRIPT_NONE, .key = key, .value = value
	};
}

static const struct script_type no_key;

/* `images_` of arrays of values, with keys or (NULL) without. */
#define LIST(keys_, values_, images_)                                                              \
	(struct list)                                                                              \
	{                                                                                          \
		.keys = keys_, .values = values_, .key_size = sizeof((keys_)[0]),                  \
		.value_size = sizeof((values_)[0]), .count = COUNT(values_) / (images_),           \
		.images = (images_)                                                                \
	}
#define SCALAR(values_, images_)                                                                   \
	(struct list)                                                                              \
	{                                                                                          \
		.values = values_, .value_size = sizeof((values_)[0]),                             \
		.count = COUNT(values_) / (images_), .images = (images_)                           \
	}

static void with_json(bool on)
{
	show.json = on;
}

/* ---- plain values ---- */

static void scalars(void **state)
{
	const struct script_map x = map_of("x", no_key, script_int(8, true)),
				none = map_of("", no_key, script_int(4, false)),
				tuple = map_of("t", no_key, pair_type);
	int64_t values[] = { -5 };
	uint32_t small[] = { 5 };
	struct pair pairs[] = { { 1, "a b" } };

	(void)state;
	assert_string_equal(shown(&x, SCALAR(values, 1), 0, 0), "@x: -5\n");
	assert_string_equal(shown(&none, SCALAR(small, 1), 0, 0), "@: 5\n");
	assert_string_equal(shown(&tuple, SCALAR(pairs, 1), 0, 0), "@t: (1, a b)\n");
	with_json(true);
	assert_string_equal(shown(&none, SCALAR(small, 1), 0, 0),
			    "{\"type\": \"map\", \"data\": {\"@\": 5}}\n");
	assert_string_equal(shown(&tuple, SCALAR(pairs, 1), 0, 0),
			    "{\"type\": \"map\", \"data\": {\"@t\": [1,\"a b\"]}}\n");
	with_json(false);
}

static void nothing(void **state)
{
	const struct script_map x = map_of("x", script_int(8, false), script_int(8, false));

	(void)state;
	assert_string_equal(shown(&x, (struct list){ .images = 1 }, 0, 0), "");
	with_json(true);
	assert_string_equal(shown(&x, (struct list){ .images = 1 }, 0, 0), "");
	with_json(false);
	assert_int_equal(list_show(&x, (struct list){ .images = 1, .err = -EIO }, 0, 0), -EIO);
	assert_int_equal(out.len, 0);
}

static void sorted_by_value(void **state)
{
	const struct script_map x = map_of("x", pair_type, script_int(8, true));
	struct pair keys[] = { { 1, "abc" }, { 2, "b" }, { 3, "c" }, { 2, "a" } };
	int64_t values[] = { 7, -1, 100, 7 };

	(void)state;
	assert_string_equal(shown(&x, LIST(keys, values, 1), 0, 0),
			    "@x[2, b]: -1\n@x[1, abc]: 7\n@x[2, a]: 7\n@x[3, c]: 100\n");
	assert_string_equal(shown(&x, LIST(keys, values, 1), 2, 10), "@x[2, a]: 0\n@x[3, c]: 10\n");
	assert_string_equal(shown(&x, LIST(keys, values, 1), 20, 1),
			    "@x[2, b]: -1\n@x[1, abc]: 7\n@x[2, a]: 7\n@x[3, c]: 100\n");
	with_json(true);
	assert_string_equal(
		shown(&x, LIST(keys, values, 1), 2, 0),
		"{\"type\": \"map\", \"data\": {\"@x\": {\"2,a\": 7, \"3,c\": 100}}}\n");
	with_json(false);
}

static void sorted_by_key(void **state)
{
	const struct script_map number = map_of("n", script_int(1, false), script_string(4)),
				text = map_of("s", script_string(4), script_string(4));
	uint8_t keys[] = { 200, 3, 100 };
	char words[][4] = { "b", "c", "a" }, values[][4] = { "x", "y", "z" };

	(void)state;
	assert_string_equal(shown(&number, LIST(keys, values, 1), 0, 0),
			    "@n[3]: y\n@n[100]: z\n@n[200]: x\n");
	assert_string_equal(shown(&text, LIST(words, values, 1), 0, 0),
			    "@s[a]: z\n@s[b]: x\n@s[c]: y\n");
	assert_string_equal(shown(&text, LIST(words, values, 1), 1, 0), "@s[c]: y\n");
}

/* Blanks go from keys in JSON; brackets of a string stay. */
static void keys_of_text(void **state)
{
	const struct script_map m = map_of("m", script_string(12), script_int(4, false));
	char keys[][12] = { "(sd-pam)", "a b\"c" };
	uint32_t values[] = { 1, 2 };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, 1), 0, 0),
			    "@m[(sd-pam)]: 1\n@m[a b\"c]: 2\n");
	with_json(true);
	assert_string_equal(
		shown(&m, LIST(keys, values, 1), 0, 0),
		"{\"type\": \"map\", \"data\": {\"@m\": {\"(sd-pam)\": 1, \"ab\\\"c\": 2}}}\n");
	with_json(false);
}

static void keys_with_names(void **state)
{
	static const struct script_part parts[] = { { .name = "a",
						      .type = { .kind = SCRIPT_INT, .size = 4 } } };
	const struct script_type record = {
		.kind = SCRIPT_TUPLE, .size = 4, .count = 1, .parts = parts
	};
	const struct script_map m = map_of("", record, script_int(4, false));
	uint32_t keys[] = { 5 }, values[] = { 6 };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, 1), 0, 0), "@[{ .a = 5 }]: 6\n");
	with_json(true);
	assert_string_equal(shown(&m, LIST(keys, values, 1), 0, 0),
			    "{\"type\": \"map\", \"data\": {\"@\": {\"{.a=5}\": 6}}}\n");
	with_json(false);
}

/* Keys are not divided; numbers inside of values are. */
static void divided(void **state)
{
	const struct script_map m = map_of("m", script_int(4, false), pair_type);
	uint32_t keys[] = { 100 };
	struct pair values[] = { { 55, "x" } };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, 1), 0, 10), "@m[100]: (5, x)\n");
}

/* ---- per CPU ---- */

static struct script_type counting(enum script_kind kind, uint32_t size, bool is_signed)
{
	return (struct script_type){ .kind = kind, .size = size, .is_signed = is_signed };
}

static void counts_and_sums(void **state)
{
	const struct script_map count = map_of("c", script_int(4, false),
					       counting(SCRIPT_COUNT, 8, false)),
				sum = map_of("s", no_key, counting(SCRIPT_SUM, 8, true));
	uint32_t keys[] = { 1, 2 };
	uint64_t counts[] = { 10, 5, 0, 3 };
	int64_t sums[] = { 5, -20 };

	(void)state;
	assert_string_equal(shown(&count, LIST(keys, counts, CPUS), 0, 0), "@c[2]: 3\n@c[1]: 15\n");
	assert_string_equal(shown(&count, LIST(keys, counts, CPUS), 1, 5), "@c[1]: 3\n");
	assert_string_equal(shown(&sum, SCALAR(sums, CPUS), 0, 0), "@s: -15\n");
	assert_string_equal(shown(&sum, SCALAR(sums, CPUS), 0, 4), "@s: -3\n");
	with_json(true);
	assert_string_equal(shown(&count, LIST(keys, counts, CPUS), 0, 0),
			    "{\"type\": \"map\", \"data\": {\"@c\": {\"2\": 3, \"1\": 15}}}\n");
	with_json(false);
}

static void extremes(void **state)
{
	struct script_map m = map_of("m", script_int(4, false), counting(SCRIPT_MIN, 16, true));
	uint32_t keys[] = { 1, 2, 3 };
	struct script_extreme values[] = { { 5, 1 }, { -3, 1 }, { 9, 1 },
					   { 0, 0 }, { 0, 0 },	{ 0, 0 } };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 0, 0),
			    "@m[1]: -3\n@m[3]: 0\n@m[2]: 9\n");
	m.value.kind = SCRIPT_MAX;
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 0, 0),
			    "@m[3]: 0\n@m[1]: 5\n@m[2]: 9\n");
	m.value.is_signed = false;
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 0, 0),
			    "@m[3]: 0\n@m[2]: 9\n@m[1]: 18446744073709551613\n");
	m.value.kind = SCRIPT_MIN;
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 0, 0),
			    "@m[3]: 0\n@m[1]: 5\n@m[2]: 9\n");
}

static void averages(void **state)
{
	struct script_map m = map_of("", script_string(4), counting(SCRIPT_AVG, 16, true));
	char keys[][4] = { "d", "a", "c", "b" };
	struct script_stats values[] = { { 50, 1 }, { 30, 1 }, { 10, 1 }, { 0, 0 },
					 { 0, 0 },  { 30, 1 }, { -5, 1 }, { 45, 1 } };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 0, 0),
			    "@[a]: 10\n@[b]: 20\n@[c]: 30\n@[d]: 40\n");
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 2, 10), "@[c]: 3\n@[d]: 4\n");
	with_json(true);
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 2, 10),
			    "{\"type\": \"stats\", \"data\": {\"@\": {\"c\": 3, \"d\": 4}}}\n");
	m.value.kind = SCRIPT_STATS;
	assert_string_equal(
		shown(&m, LIST(keys, values, CPUS), 1, 10),
		"{\"type\": \"stats\", \"data\": {\"@\": {\"d\": {\"count\": 2, \"average\": 4, \"total\": 80}}}}\n");
	with_json(false);
	assert_string_equal(shown(&m, LIST(keys, values, CPUS), 1, 0),
			    "@[d]: { .count = 2, .average = 40, .total = 80 }\n");
	m = map_of("s", no_key, m.value);
	assert_string_equal(shown(&m, SCALAR(values, 8), 0, 0),
			    "@s: { .count = 6, .average = 26, .total = 160 }\n");
}

/* Rounded towards 0. */
static void negative_averages(void **state)
{
	struct script_map m = map_of("a", no_key, counting(SCRIPT_AVG, 16, true));
	struct script_stats values[] = { { -7, 2 } };

	(void)state;
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0), "@a: -3\n");
}

/* ---- histograms ---- */

enum { BUCKETS = 66 };

#define BAR_FULL  "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|"
#define BAR_EMPTY "|                                                    |"
#define BAR_HALF  "|@@@@@@@@@@@@@@@@@@@@@@@@@@                          |"

static void hist_rows(void **state)
{
	const struct script_map m = map_of(
		"h", no_key, (struct script_type){ .kind = SCRIPT_HIST, .size = BUCKETS * 8 });
	uint64_t values[CPUS][BUCKETS] = { { [0] = 1, [1] = 2, [2] = 4 }, { [2] = 4, [4] = 4 } };
	uint64_t far[1][BUCKETS] = { { [11] = 1, [12] = 8, [34] = 2 } };

	(void)state;
	assert_string_equal(
		shown(&m, SCALAR(values, CPUS), 0, 0),
		"@h:\n"
		"(..., 0)               1 |@@@@@@                                              |\n"
		"[0]                    2 |@@@@@@@@@@@@@                                       |\n"
		"[1]                    8 " BAR_FULL "\n"
		"[2, 4)                 0 " BAR_EMPTY "\n"
		"[4, 8)                 4 " BAR_HALF "\n"
		"\n");
	shown(&m, SCALAR(far, 1), 0, 2);
	assert_non_null(strstr(out.data, "@h:\n[512, 1K)              0 " BAR_EMPTY
					 "\n[1K, 2K)               4 " BAR_FULL "\n"));
	assert_non_null(strstr(
		out.data,
		"\n[4G, 8G)               1 |@@@@@@@@@@@@@                                       |\n\n"));
}

static void hist_json(void **state)
{
	const struct script_map m = map_of(
		"", script_string(8),
		(struct script_type){ .kind = SCRIPT_HIST, .size = BUCKETS * 8 });
	char keys[][8] = { "curl", "bt" };
	uint64_t values[][BUCKETS] = { { [0] = 1, [1] = 1, [10] = 1, [11] = 0, [12] = 2 },
				       { [3] = 1 } };
	uint64_t large[][BUCKETS] = { { [35] = 1 } };

	(void)state;
	with_json(true);
	assert_non_null(strstr(
		shown(&m, LIST(keys, values, 1), 0, 0),
		"{\"type\": \"hist\", \"data\": {\"@\": {\"bt\": [{\"min\": 2, \"max\": 3, \"count\": 1}], "
		"\"curl\": [{\"max\": -1, \"count\": 1},{\"min\": 0, \"max\": 0, \"count\": 1},"
		"{\"min\": 1, \"max\": 1, \"count\": 0},{\"min\": 2, \"max\": 3, \"count\": 0},"));
	assert_non_null(strstr(out.data, "{\"min\": 1024, \"max\": 2047, \"count\": 2}]}}}\n"));
	assert_non_null(strstr(shown(&m, LIST(keys, large, 1), 0, 0),
			       "[{\"min\": 8589934592, \"max\": 17179869183, \"count\": 1}]"));
	with_json(false);
}

/* hist(n, 2): four buckets for each power of two. */
static void hist_of_bits(void **state)
{
	const struct script_type t = { .kind = SCRIPT_HIST, .size = 66 * 4 * 8, .bits = 2 };
	const struct script_map m = map_of("h", no_key, t);
	static uint64_t values[1][(65 - 2 + 1) << 2];

	(void)state;
	memset(values, 0, sizeof(values));
	values[0][5] = 1;  /* 4 */
	values[0][8] = 1;  /* 7 */
	values[0][9] = 1;  /* 8, 9 */
	values[0][12] = 1; /* 14, 15 */
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "@h:\n"
			    "[4]                    1 " BAR_FULL "\n"
			    "[5]                    0 " BAR_EMPTY "\n"
			    "[6]                    0 " BAR_EMPTY "\n"
			    "[7]                    1 " BAR_FULL "\n"
			    "[8, 10)                1 " BAR_FULL "\n"
			    "[10, 12)               0 " BAR_EMPTY "\n"
			    "[12, 14)               0 " BAR_EMPTY "\n"
			    "[14, 16)               1 " BAR_FULL "\n"
			    "\n");
	memset(values, 0, sizeof(values));
	values[0][((10 - 2 + 1) << 2) + 1 + 3] = 1; /* 1792 … 2047 */
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "@h:\n[1792, 2048)           1 " BAR_FULL "\n\n");
}

/* By the number of values. */
static void hists_of_keys(void **state)
{
	const struct script_map m = map_of(
		"", script_int(4, false),
		(struct script_type){ .kind = SCRIPT_HIST, .size = BUCKETS * 8 });
	uint32_t keys[] = { 3, 1, 2 };
	uint64_t values[][BUCKETS] = { { [5] = 1 }, { [3] = 1, [4] = 1 }, { [5] = 1 } };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, 1), 2, 0),
			    "@[3]:\n[8, 16)                1 " BAR_FULL "\n\n"
			    "@[1]:\n[2, 4)                 1 " BAR_FULL
			    "\n[4, 8)                 1 " BAR_FULL "\n\n");
}

static void hists_of_nothing(void **state)
{
	const struct script_map m = map_of(
		"hist", no_key, (struct script_type){ .kind = SCRIPT_HIST, .size = BUCKETS * 8 });
	uint64_t values[1][BUCKETS] = { { 0 } };

	(void)state;
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0), "@hist:\n\n");
	with_json(true);
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "{\"type\": \"hist\", \"data\": {\"@hist\": []}}\n");
	with_json(false);
}

static void linear(void **state)
{
	struct script_type t = {
		.kind = SCRIPT_LHIST, .size = 7 * 8, .low = 0, .high = 100, .step = 20, .count = 5
	};
	const struct script_map m = map_of("lhist", no_key, t);
	uint64_t values[1][7] = { { 0, 19, 20, 20, 20, 20, 1 } }, below[1][7] = { { 1 } },
		 above[1][7] = { { [6] = 3 } };

	(void)state;
	assert_string_equal(
		shown(&m, SCALAR(values, 1), 0, 0),
		"@lhist:\n"
		"[0, 20)               19 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   |\n"
		"[20, 40)              20 " BAR_FULL "\n"
		"[40, 60)              20 " BAR_FULL "\n"
		"[60, 80)              20 " BAR_FULL "\n"
		"[80, 100)             20 " BAR_FULL "\n"
		"[100, ...)             1 |@@                                                  |\n"
		"\n");
	assert_string_equal(shown(&m, SCALAR(below, 1), 0, 0),
			    "@lhist:\n(..., 0)               1 " BAR_FULL "\n\n");
	assert_string_equal(shown(&m, SCALAR(above, 1), 0, 5),
			    "@lhist:\n[100, ...)             3 " BAR_FULL "\n\n");
	with_json(true);
	assert_string_equal(
		shown(&m, SCALAR(above, 1), 0, 0),
		"{\"type\": \"hist\", \"data\": {\"@lhist\": [{\"min\": 100, \"count\": 3}]}}\n");
	assert_string_equal(
		shown(&m, SCALAR(below, 1), 0, 0),
		"{\"type\": \"hist\", \"data\": {\"@lhist\": [{\"max\": -1, \"count\": 1}]}}\n");
	with_json(false);
}

static void linear_labels(void **state)
{
	struct script_type t = {
		.kind = SCRIPT_LHIST, .size = 5 * 8, .low = -1, .high = 2, .step = 1, .count = 3
	};
	struct script_map m = map_of("l", no_key, t);
	uint64_t values[1][5] = { { 0, 1, 1, 1, 0 } };

	(void)state;
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "@l:\n[-1]                   1 " BAR_FULL
			    "\n[0]                    1 " BAR_FULL
			    "\n[1]                    1 " BAR_FULL "\n\n");
	m.value.low = 0;
	m.value.step = 512000;
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "@l:\n[0, 512K)              1 " BAR_FULL
			    "\n[512K, 1024K)          1 " BAR_FULL
			    "\n[1024K, 1536K)         1 " BAR_FULL "\n\n");
}

/* ---- time series ---- */

enum { SERIES = 4, MS = 1000000 };

static struct script_type series(enum script_series mode, int64_t step)
{
	return (struct script_type){ .kind = SCRIPT_TSERIES,
				     .size = SERIES * sizeof(struct script_interval),
				     .is_signed = true,
				     .count = SERIES,
				     .mode = mode,
				     .step = step };
}

static void series_picture(void **state)
{
	const struct script_map m = map_of("", no_key, series(SCRIPT_SERIES_LAST, 100 * MS));
	struct script_interval values[1][SERIES] = { { { 9, 5, 1 }, { 10, 0, 1 }, { 11, -5, 1 } } };

	(void)state;
	assert_string_equal(
		shown(&m, SCALAR(values, 1), 0, 0),
		"@:\n"
		"             -5                                                  5\n"
		"hh:mm:ss.ms  |___________________________________________________|\n"
		"00:00:00.800 |                         .                         * 5\n"
		"00:00:00.900 |                         *                         | 0\n"
		"00:00:01.000 *                         .                         | -5\n"
		"             v___________________________________________________v\n"
		"             -5                                                  5\n"
		"\n");
	with_json(true);
	assert_string_equal(
		shown(&m, SCALAR(values, 1), 0, 0),
		"{\"type\": \"tseries\", \"data\": {\"@\": ["
		"{\"interval_start\":\"1970-01-01 00:00:00.800000000\",\"value\":5},"
		"{\"interval_start\":\"1970-01-01 00:00:00.900000000\",\"value\":0},"
		"{\"interval_start\":\"1970-01-01 00:00:01.000000000\",\"value\":-5}]}}\n");
	with_json(false);
}

/* The newest of the map ends all; a key begins with its own first. */
static void series_of_keys(void **state)
{
	const struct script_map m = map_of("a", script_string(4),
					   series(SCRIPT_SERIES_MAX, 1000 * MS));
	char keys[][4] = { "two", "one" };
	struct script_interval values[][SERIES] = { { { 13, 4, 1 }, { 0 }, { 0 }, { 12, 4, 1 } },
						    { { 9, 9, 1 }, { 10, 0, 1 }, { 11, 5, 1 } } };

	(void)state;
	assert_string_equal(shown(&m, LIST(keys, values, 1), 0, 0),
			    "@a[one]:\n"
			    "         0                                                   5\n"
			    "hh:mm:ss |___________________________________________________|\n"
			    "00:00:09 *                                                   | 0\n"
			    "00:00:10 |                                                   * 5\n"
			    "00:00:11 |                                                   | -\n"
			    "00:00:12 |                                                   | -\n"
			    "         v___________________________________________________v\n"
			    "         0                                                   5\n"
			    "\n"
			    "@a[two]:\n"
			    "         3                                                   5\n"
			    "hh:mm:ss |___________________________________________________|\n"
			    "00:00:11 |                         *                         | 4\n"
			    "00:00:12 |                         *                         | 4\n"
			    "         v___________________________________________________v\n"
			    "         3                                                   5\n"
			    "\n");
}

static void series_units(void **state)
{
	struct script_map m = map_of("u", no_key, series(SCRIPT_SERIES_SUM, 10000));
	struct script_interval two[1][SERIES] = { { { 5, 1, 1 }, { 6, 2, 1 } } },
			       one[1][SERIES] = { { { 5, 1, 1 } } };

	(void)state;
	assert_non_null(strstr(shown(&m, SCALAR(two, 1), 0, 0), "hh:mm:ss.μs    |__"));
	assert_non_null(strstr(out.data, "\n00:00:00.000040 *"));
	assert_non_null(strstr(shown(&m, SCALAR(one, 1), 0, 0), "hh:mm:ss.ns        |__"));
	assert_non_null(strstr(out.data, "\n00:00:00.000040000 |                         *"));
	m.value.is_signed = false;
	one[0][0].value = 0;
	assert_non_null(strstr(
		shown(&m, SCALAR(one, 1), 0, 0),
		"                   0                                                   1\n"));
}

static void series_of_nothing(void **state)
{
	const struct script_map m = map_of("a", no_key, series(SCRIPT_SERIES_LAST, 100 * MS));
	struct script_interval values[1][SERIES] = { { { 0 } } };

	(void)state;
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0), "@a:\n<no data>\n");
	with_json(true);
	assert_string_equal(shown(&m, SCALAR(values, 1), 0, 0),
			    "{\"type\": \"tseries\", \"data\": {\"@a\": []}}\n");
	with_json(false);
}

static void series_merged(void **state)
{
	static const struct {
		enum script_series mode;
		int64_t want;
	} cases[] = { { SCRIPT_SERIES_LAST, 8 },
		      { SCRIPT_SERIES_AVG, 2 },
		      { SCRIPT_SERIES_MAX, 8 },
		      { SCRIPT_SERIES_MIN, -2 },
		      { SCRIPT_SERIES_SUM, 6 } };
	struct script_interval values[CPUS][SERIES] = { { { 8, 8, 2 }, { 5, 1, 1 } },
							{ { 8, -2, 1 }, { 9, 3, 1 } } },
			       merged[SERIES];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct script_type t = series(cases[i].mode, MS);

		bt_value_merge(&t, merged, values, CPUS, sizeof(values[0]));
		assert_int_equal(cases[i].mode == SCRIPT_SERIES_AVG ?
					 merged[0].value / (int64_t)merged[0].count :
					 merged[0].value,
				 cases[i].want);
		assert_int_equal(merged[1].number, 9);
		assert_int_equal(merged[1].value, 3);
	}
}

/* ---- many ---- */

static void many_keys(void **state)
{
	enum { KEYS = 100000 };
	const struct script_map m = map_of("m", script_int(4, false), script_int(8, false));
	uint32_t *keys = malloc(KEYS * sizeof(*keys));
	uint64_t *values = malloc(KEYS * sizeof(*values)), seed = 1;
	struct list l = { .keys = keys,
			  .values = values,
			  .key_size = 4,
			  .value_size = 8,
			  .count = KEYS,
			  .images = 1 };
	long before = -1;
	char *line;

	(void)state;
	for (size_t i = 0; i < KEYS; i++) {
		keys[i] = (uint32_t)i;
		values[i] = random_next(&seed) >> 40;
	}
	assert_int_equal(list_show(&m, l, 0, 0), 0);
	for (line = strtok((char *)taken(&out), "\n"); line; line = strtok(NULL, "\n")) {
		long value = strtol(strchr(line, ':') + 2, NULL, 10);

		assert_true(value >= before);
		before = value;
	}
	free(keys);
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars),
		cmocka_unit_test(nothing),
		cmocka_unit_test(sorted_by_value),
		cmocka_unit_test(sorted_by_key),
		cmocka_unit_test(keys_of_text),
		cmocka_unit_test(keys_with_names),
		cmocka_unit_test(divided),
		cmocka_unit_test(counts_and_sums),
		cmocka_unit_test(extremes),
		cmocka_unit_test(averages),
		cmocka_unit_test(negative_averages),
		cmocka_unit_test(hist_rows),
		cmocka_unit_test(hist_json),
		cmocka_unit_test(hist_of_bits),
		cmocka_unit_test(hists_of_keys),
		cmocka_unit_test(hists_of_nothing),
		cmocka_unit_test(linear),
		cmocka_unit_test(linear_labels),
		cmocka_unit_test(series_picture),
		cmocka_unit_test(series_of_keys),
		cmocka_unit_test(series_units),
		cmocka_unit_test(series_of_nothing),
		cmocka_unit_test(series_merged),
		cmocka_unit_test(many_keys),
	};

	return cmocka_run_group_tests(tests, show_setup, show_teardown);
}
