/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_svg.c - pictures: the boxes of a flame graph and their widths, bars, heat maps; texts that would
 * be markup; files that are replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "output/rows/folded.h"
#include "output/field/hist.h"
#include "output/rows/report.h"
#include "output/pictures/svg.h"
#include "kernel/file_replace.h"

static struct buf o;

static void test_text(void **state)
{
	(void)state;
	svg_write_text(&o, "<a b=\"c\">&]]>", 13);
	assert_string_equal(taken(&o), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;");
	svg_write_foreign(&o, "\x1b[0m\n\xff\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbd\xe2\x80\xae");
	assert_string_equal(taken(&o), "\\x1b[0m\\n\\xff\\uffff\\ufffe\xef\xbf\xbd\\u202e");
	svg_write_text(&o, "\xef\xbf", 2); /* is not read beyond its end */
	o.len = 0;
	svg_write_count(&o, 0);
	buf_char(&o, ' ');
	svg_write_count(&o, 999);
	buf_char(&o, ' ');
	svg_write_count(&o, 1234567);
	buf_char(&o, ' ');
	svg_write_count(&o, UINT64_MAX);
	assert_string_equal(taken(&o), "0 999 1,234,567 18,446,744,073,709,551,615");
}

static void test_colors(void **state)
{
	(void)state;
	assert_int_equal(svg_hsl(0, 100, 50), 0xff0000);
	assert_int_equal(svg_hsl(120, 100, 50), 0x00ff00);
	assert_int_equal(svg_hsl(240, 100, 50), 0x0000ff);
	assert_int_equal(svg_hsl(300, 100, 25), 0x800080);
	assert_int_equal(svg_hsl(77, 0, 100), 0xffffff);
	assert_int_equal(svg_color_of_name("vfs_read", 8, 8, 48),
			 svg_color_of_name("vfs_read!", 8, 8, 48));
	assert_int_not_equal(svg_color_of_name("vfs_read", 8, 8, 48),
			     svg_color_of_name("vfs_write", 9, 8, 48));
}

/* ---- an XML parser that is not ours ---- */

static void xml_is_fine(const char *svg)
{
	FILE *p = popen("xmllint --noout --nonet - >&2", "w");

	assert_non_null(p);
	assert_true(fputs(svg, p) >= 0);
	assert_int_equal(pclose(p), 0);
}

static bool has_xmllint(void)
{
	return !system("command -v xmllint >/dev/null");
}

/* A long title is cut where the buttons begin, between characters and before they are escaped for XML. */
static void cuts_long_titles(void **state)
{
	char title[1024] = "", wants[1024] = "text-anchor=\"middle\">";
	const char *svg;

	(void)state;
	for (int i = 0; i < 100; i++) {
		strcat(title, i % 2 ? "<" : "ä");
		if (i < 96)
			strcat(wants, i % 2 ? "&lt;" : "ä");
	}
	svg_begin(&o, 100, title, "", false);
	svg = taken(&o);
	assert_non_null(strstr(svg, strcat(wants, "…</text>")));
	assert_non_null(strstr(svg, "ä&lt;ä&lt;ä&lt;ä&lt;</title>"));
	title[96 / 2 * 3] = 0;
	svg_begin(&o, 100, title, "", false);
	assert_null(strstr(taken(&o), "…"));
}

/* ---- flame graphs ---- */

struct key {
	const char *part[3];
};
#define PART(i)                                                                                    \
	{                                                                                          \
		.name = "k" #i, .type = FIELD_TEXT, FIELD_AT(struct key, part[i])                  \
	}
static const struct field parts[] = { PART(0), PART(1), PART(2) };
static const struct schema keys = { .fields = parts, .count = 3, .bare = true };

static void stack_add(struct folded *f, const char *a, const char *b, const char *c,
		      uint64_t weight)
{
	const struct key key = { { a, b, c } };

	assert_int_equal(folded_add(f, &keys, &key, sizeof(key), weight), 0);
}

static const char *flame(struct folded *f, bool is_signed, const struct flame_text *text)
{
	assert_int_equal(svg_flame_write(&o, f, is_signed, text), 0);
	folded_free(f);
	return taken(&o);
}

/* The box whose title begins so; NULL: there is none. */
static const char *box(const char *svg, const char *title)
{
	char begin[200];

	snprintf(begin, sizeof(begin), "<g><title>%s", title);
	return strstr(svg, begin);
}

static void box_is(const char *svg, const char *title, double x, double width)
{
	const char *at = box(svg, title);
	double is_x, is_width;
	int y;

	if (!at)
		fail_msg("no box %s in %s", title, svg);
	at = strstr(at, "<rect ");
	assert_int_equal(sscanf(at, "<rect x=\"%lf\" y=\"%d\" width=\"%lf\"", &is_x, &y, &is_width),
			 3);
	assert_int_equal(is_x * 100 + 0.5, x * 100 + 0.5);
	assert_int_equal(is_width * 100 + 0.5, width * 100 + 0.5);
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void test_flame(void **state)
{
	const struct flame_text text = { .title = "t<&", .noun = "call", .elapsed = 2000000000 };
	struct folded *f = folded_new();
	const char *svg;

	(void)state;
	stack_add(f, "a", "b", "c", 590);
	stack_add(f, "a", "b", "d_[k]", 236);
	stack_add(f, "a", "x", "c", 118);
	stack_add(f, "e", "b", "c", 236);
	svg = flame(f, false, &text);
	box_is(svg, "all (1,180 calls, 100.00%)", 10, 1180);
	box_is(svg, "a (944 calls, 80.00%)", 10, 944);
	box_is(svg, "b (826 calls, 70.00%)", 10, 826);
	box_is(svg, "c (590 calls, 50.00%)", 10, 590);
	box_is(svg, "d (236 calls, 20.00%, kernel)", 600, 236);
	box_is(svg, "x (118 calls, 10.00%)", 836, 118);
	box_is(svg, "e (236 calls, 20.00%)", 954, 236);
	assert_int_equal(count_of(svg, "<g><title>"), 10);
	assert_non_null(strstr(svg, "1,180 calls in 2.00s<"));
	assert_non_null(strstr(svg, "<title>t&lt;&amp;</title>"));
	assert_non_null(strstr(svg, "<script><![CDATA["));
	assert_int_equal(count_of(svg, "]]>"), 1);
}

/* Of "a", "a!b" and "a;b", the first and the last begin with the same frame. */
static void test_flame_order(void **state)
{
	const struct flame_text text = { .title = "t", .noun = "call" };
	struct folded *f = folded_new();
	const char *svg;

	(void)state;
	stack_add(f, "a", "z", "z", 1);
	stack_add(f, "a!b", "z", "z", 2);
	stack_add(f, "a", "b", "c", 1);
	svg = flame(f, false, &text);
	assert_non_null(box(svg, "a (2 calls, 50.00%)"));
	assert_non_null(box(svg, "a!b (2 calls, 50.00%)"));
	assert_int_equal(count_of(svg, "<g><title>a ("), 1);
}

static void test_flame_hostile(void **state)
{
	const struct flame_text text = { .title = "]]><script>alert(1)</script>", .noun = "call" };
	struct folded *f = folded_new();
	const char *svg;

	(void)state;
	stack_add(f, "<script>", "\"&;'", "\xff\n\xef\xbf\xbf</title>", 5);
	svg = flame(f, false, &text);
	assert_int_equal(count_of(svg, "<script>"), 1); /* ours has no attributes, either */
	assert_int_equal(count_of(svg, "</script>"), 1);
	assert_non_null(box(svg, "&lt;script&gt; (5 calls"));
	assert_non_null(box(svg, "&quot;&amp;:' (5 calls"));
	assert_non_null(box(svg, "\\xff\\n\\uffff&lt;/title&gt; (5 calls"));
}

/* All bytes, in all places. */
static void test_xml(void **state)
{
	char any[256], random[200];
	const struct flame_text text = { .title = any, .noun = "call" };
	uint64_t seed = 42;

	(void)state;
	if (!has_xmllint()) {
		print_message("there is no xmllint (libxml2-utils)\n");
		skip();
	}
	for (int i = 0; i < 255; i++)
		any[i] = i + 1;
	any[255] = '\0';
	for (int i = 0; i < 20; i++) {
		struct folded *f = folded_new();

		for (int j = 0; j < 20; j++) {
			random[random_text(&seed, random, sizeof(random) - 1)] = '\0';
			stack_add(f, any, random, j % 2 ? "x_[k]" : "y", j + 1);
		}
		xml_is_fine(flame(f, false, &text));
	}
}

/* What has no width is counted. */
static void test_flame_hidden(void **state)
{
	const struct flame_text text = { .title = "t", .noun = "call", .is_time = true };
	const struct flame_text sum = { .title = "t", .noun = "call", .unit = "us" };
	struct folded *f = folded_new();
	const char *svg;

	(void)state;
	stack_add(f, "a", "b", "c", 1000000000);
	stack_add(f, "a", "b", "tiny", 1000);
	stack_add(f, "a", "b", "less", -5);
	svg = flame(f, true, &text);
	assert_null(box(svg, "tiny"));
	assert_null(box(svg, "less"));
	assert_non_null(strstr(svg, ">1 frames are too narrow to be drawn<"));
	assert_non_null(strstr(svg, "; not drawn: 1 stacks whose sum is not above 0<"));
	assert_non_null(box(svg, "c (1.00s, 100.00%)"));
	f = folded_new();
	stack_add(f, "a", "b", "c", 1234);
	svg = flame(f, false, &sum);
	assert_non_null(box(svg, "c (1,234 us, 100.00%)"));
	f = folded_new();
	svg = flame(f, false, &text);
	assert_null(strstr(svg, "<script"));
	assert_non_null(strstr(svg, "</svg>\n"));
}

/* ---- histograms ---- */

struct row {
	const char *name;
	uint64_t counts[8];
};
static const struct hist_axis twos;
static const struct field fields[] = {
	{ .name = "name", .type = FIELD_TEXT, FIELD_AT(struct row, name) },
	{ .name = "hist",
	  .title = "hist(x)",
	  .type = FIELD_HIST,
	  FIELD_AT(struct row, counts),
	  .axis = &twos,
	  .flags = FIELD_SORT | FIELD_TOTAL },
};
static const struct schema rows = {
	.fields = fields, .count = 2, .bare = true, .record_min = sizeof(struct row)
};

static void report(struct report *r, uint64_t now, const struct row *row)
{
	report_begin(r, now);
	if (row)
		assert_int_equal(report_row(r, row, sizeof(*row)), 0);
	assert_int_equal(report_end(r), 0);
}

static const char *picture(struct report *r)
{
	return taken(&r->picture);
}

static void test_bars(void **state)
{
	struct sink s = { .schema = &rows, .out = &o };
	struct report r = { .sink = &s, .form = &report_form_svg, .title = "t", .since = 1 };
	const struct row row = { "<x>", { [2] = 3, [4] = 1 } };
	const char *svg;

	(void)state;
	report(&r, 1000000001, &row);
	svg = picture(&r);
	assert_non_null(strstr(svg, ">hist(x)  NAME=&lt;x&gt;  4 calls") ?:
				strstr(svg, ">hist(x)  name=&lt;x&gt;  4 calls"));
	assert_non_null(box(
		svg, "[1]: 3 calls, 75.00%</title><rect x=\"210.00\" y=\"86\" width=\"800.00\""));
	assert_non_null(box(svg, "[2, 4): no calls, 0.00%"));
	assert_non_null(box(svg, "[4, 8): 1 call, 25.00%"));
	assert_int_equal(count_of(svg, "<g><title>"), 3);
	assert_int_equal(o.len, 0); /* nothing is printed */
	report_free(&r);
	sink_free(&s);
}

static void test_heat(void **state)
{
	struct sink s = { .schema = &rows, .out = &o };
	struct report r = {
		.sink = &s, .form = &report_form_svg, .title = "t", .since = 1, .is_timed = true
	};
	const struct row one = { "a", { [2] = 3, [4] = 1 } }, two = { "a", { [3] = 1000 } };
	const char *svg;

	(void)state;
	report(&r, 1000000001, &one);
	report(&r, 2000000001, NULL);
	report(&r, 3000000001, &two);
	svg = picture(&r);
	assert_int_equal(count_of(svg, "<g><title>"), 3);
	assert_non_null(strstr(svg, "  [1]: 3 calls</title><rect x=\"200.00\""));
	assert_non_null(strstr(svg, "  [2, 4): 1000 calls</title><rect x=\"280.00\""));
	for (int i = 0; i < 1200; i++)
		report(&r, 4000000001 + i, &one);
	for (int i = 0; i < 120; i++) {
		char name[] = { 'A' + i / 26, 'a' + i % 26, '\0' };
		const struct row other = { name, { [2] = 2 } };

		report_begin(&r, 4000000001);
		assert_int_equal(report_row(&r, &other, sizeof(other)), 0);
		assert_int_equal(report_end(&r), 0);
	}
	svg = picture(&r);
	assert_non_null(strstr(svg, "the first 20 rows; not drawn: 202 calls"));
	assert_non_null(strstr(svg, "the last 300 of 1323 intervals"));
	assert_int_equal(count_of(svg, "<g><title>"), 2 * 180 + 19);
	if (has_xmllint())
		xml_is_fine(svg);
	report_free(&r);
	sink_free(&s);
}

static void test_heatmap(void **state)
{
	struct sink s = { .schema = &rows, .out = &o };
	struct report r = {
		.sink = &s, .form = &report_form_heatmap, .since = 1, .is_timed = true
	};
	const struct row one = { "a", { [2] = 3, [3] = 10000 } }, wide = { "a", { [7] = 1 } };
	const char *text;

	(void)state;
	report(&r, 1000000001, &one);
	report(&r, 2000000001, NULL);
	text = taken(&o);
	assert_non_null(strstr(
		text,
		" .. 1  :: 3  -- 10  == 30  ++ 100  ** 300  oo 1000  ## 3000  @@ 10000 and more\n"));
	assert_non_null(strstr(text, "|...       "));
	assert_non_null(strstr(text, "|    ::@@    | hist(x)  "));
	assert_non_null(strstr(text, "(no calls)\n"));
	report(&r, 3000000001, &wide);
	text = taken(&o);
	assert_non_null(strstr(text, "|...       8")); /* more columns: another header */
	assert_null(strstr(text, "and more"));
	report_free(&r);
	sink_free(&s);
}

/* ---- files ---- */

static void file_is(const char *path, const char *text)
{
	char bytes[64] = "";
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_true(read(fd, bytes, sizeof(bytes) - 1) >= 0);
	assert_string_equal(bytes, text);
	close(fd);
}

static void test_files(void **state)
{
	char folder[] = "/tmp/test_svg.XXXXXX", path[64], link[64], none[64];
	struct stat st;

	(void)state;
	if (*(getenv("EMULATOR") ?: "")) {
		print_message(
			"qemu-user opens / in its sysroot: no file of this machine is found from there\n");
		skip();
	}
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	snprintf(none, sizeof(none), "%s/no/file", folder);
	assert_int_equal(file_replace_check(path), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(file_replace(path, "one", 3), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(file_replace(link, "two", 3), 0);
	file_is(path, "two");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(file_replace(none, "x", 1), -ENOENT);
	assert_int_equal(file_replace_check(none), -ENOENT);
	assert_int_equal(file_replace("/dev/full", "x", 1), -ENOSPC);
	assert_int_equal(file_replace("/dev/null", "x", 1), 0);
	assert_int_equal(lstat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	unlink(link);
	unlink(path);
	assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_long_titles),  cmocka_unit_test(test_text),
		cmocka_unit_test(test_colors),	     cmocka_unit_test(test_flame),
		cmocka_unit_test(test_flame_order),  cmocka_unit_test(test_flame_hostile),
		cmocka_unit_test(test_flame_hidden), cmocka_unit_test(test_xml),
		cmocka_unit_test(test_bars),	     cmocka_unit_test(test_heat),
		cmocka_unit_test(test_heatmap),	     cmocka_unit_test(test_files),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
