/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_escape.c - the escaper: the exact escapes by class, strictness of UTF-8, and that each
 * notation can be read back: by this file's own decoders, by bash and by jq.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "util/escape.h"

#define RANDOM_TEXTS 5000
#define TEXT_MOST    60

static struct buf o;

static void expect(const char *bytes, size_t n, const char *plain)
{
	size_t columns = escape_write(&o, bytes, n);

	assert_string_equal(taken(&o), plain);
	assert_int_equal(columns, strlen(plain)); /* ASCII only here */
}

/* ---- this file's own idea of UTF-8: Unicode's table 3-7, not shifts and masks ---- */

static bool in(unsigned char c, int low, int high)
{
	return c >= low && c <= high;
}

static size_t reference_len(const unsigned char *s, size_t n)
{
	if (n >= 1 && s[0] < 0x80)
		return 1;
	if (n >= 2 && in(s[0], 0xc2, 0xdf) && in(s[1], 0x80, 0xbf))
		return 2;
	if (n >= 3 && in(s[2], 0x80, 0xbf) &&
	    ((s[0] == 0xe0 && in(s[1], 0xa0, 0xbf)) || (s[0] == 0xed && in(s[1], 0x80, 0x9f)) ||
	     (in(s[0], 0xe1, 0xef) && s[0] != 0xed && in(s[1], 0x80, 0xbf))))
		return 3;
	if (n >= 4 && in(s[2], 0x80, 0xbf) && in(s[3], 0x80, 0xbf) &&
	    ((s[0] == 0xf0 && in(s[1], 0x90, 0xbf)) ||
	     (in(s[0], 0xf1, 0xf3) && in(s[1], 0x80, 0xbf)) ||
	     (s[0] == 0xf4 && in(s[1], 0x80, 0x8f))))
		return 4;
	return 0;
}

static uint32_t reference_code(const unsigned char *s, size_t len)
{
	static const unsigned offsets[] = { 0, 0, 0x3080, 0xe2080, 0x3c82080 };
	uint32_t code = 0;

	for (size_t i = 0; i < len; i++)
		code = code * 64 + s[i];
	return code - offsets[len];
}

static size_t reference_encode(uint32_t c, unsigned char *to)
{
	if (c < 0x80)
		return to[0] = (unsigned char)c, 1;
	if (c < 0x800)
		return to[0] = 0xc0 | c >> 6, to[1] = 0x80 | (c & 63), 2;
	if (c < 0x10000)
		return to[0] = 0xe0 | c >> 12, to[1] = 0x80 | (c >> 6 & 63),
		       to[2] = 0x80 | (c & 63), 3;
	return to[0] = 0xf0 | c >> 18, to[1] = 0x80 | (c >> 12 & 63), to[2] = 0x80 | (c >> 6 & 63),
	       to[3] = 0x80 | (c & 63), 4;
}

static bool dangerous(uint32_t c)
{
	static const uint32_t list[] = {
		0x61c,	0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
		0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
	};

	for (size_t i = 0; i < COUNT(list); i++)
		if (c == list[i])
			return true;
	return c < 0x20 || (c >= 0x7f && c <= 0x9f);
}

/* Checks that the terminal got valid UTF-8 without anything dangerous. Returns its columns. */
static size_t check_safe(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = strlen(text), columns = 0, len;

	for (; n; s += len, n -= len, columns++) {
		len = reference_len(s, n);
		assert_int_not_equal(len, 0);
		assert_false(dangerous(reference_code(s, len)));
	}
	return columns;
}

/* ---- the decoders ---- */

static unsigned hex(const char *s, int digits)
{
	char buf[5] = "";

	memcpy(buf, s, digits);
	return (unsigned)strtoul(buf, NULL, 16);
}

/* Undoes escape_write and escape_write_quoted. */
static size_t unescape(const char *s, size_t n, char *to)
{
	static const char letters[] = "b\bf\fn\nr\rt\t\\\\\"\"";
	const char *end = s + n, *letter;
	char *start = to;

	while (s < end) {
		if (*s != '\\') {
			*to++ = *s++;
		} else if (s[1] == 'x') {
			*to++ = (char)hex(s + 2, 2);
			s += 4;
		} else if (s[1] == 'u') {
			to += reference_encode(hex(s + 2, 4), (unsigned char *)to);
			s += 6;
		} else {
			letter = strchr(letters, s[1]);
			assert_non_null(letter);
			*to++ = letter[1];
			s += 2;
		}
	}
	return to - start;
}

/* A JSON string with its quotes → code points. */
static size_t json_codes(const char *s, uint32_t *to)
{
	static const char letters[] = "b\bf\fn\nr\rt\t\\\\\"\"//";
	size_t n = 0;

	assert_int_equal(*s++, '"');
	while (*s != '"') {
		size_t len = reference_len((const unsigned char *)s, strlen(s));
		const char *letter;

		assert_int_not_equal(len, 0);
		if (*s != '\\') {
			to[n++] = reference_code((const unsigned char *)s, len);
			s += len;
		} else if (s[1] == 'u') {
			to[n++] = hex(s + 2, 4);
			s += 6;
		} else {
			letter = strchr(letters, s[1]);
			assert_non_null(letter);
			to[n++] = (unsigned char)letter[1];
			s += 2;
		}
	}
	assert_int_equal(s[1], 0);
	return n;
}

/* U+EF80 … U+EFFF are bytes, everything else is itself. */
static size_t codes_bytes(const uint32_t *codes, size_t n, char *to)
{
	char *start = to;

	for (size_t i = 0; i < n; i++) {
		if (codes[i] >= 0xef80 && codes[i] <= 0xefff)
			*to++ = (char)(codes[i] - 0xef00);
		else
			to += reference_encode(codes[i], (unsigned char *)to);
	}
	return to - start;
}

static void check_round_trips(const char *s, size_t n)
{
	char back[TEXT_MOST * 8];
	uint32_t codes[TEXT_MOST * 2];
	const char *text;
	size_t columns;

	columns = escape_write(&o, s, n);
	text = taken(&o);
	assert_int_equal(check_safe(text), columns);
	assert_int_equal(unescape(text, strlen(text), back), n);
	assert_memory_equal(back, s, n);

	columns = escape_write_quoted(&o, s, n);
	text = taken(&o);
	assert_int_equal(check_safe(text), columns);
	assert_int_equal(text[0], '"');
	assert_int_equal(text[strlen(text) - 1], '"');
	assert_int_equal(unescape(text + 1, strlen(text) - 2, back), n);
	assert_memory_equal(back, s, n);

	escape_write_json(&o, s, n);
	text = taken(&o);
	check_safe(text);
	assert_int_equal(codes_bytes(codes, json_codes(text, codes), back), n);
	assert_memory_equal(back, s, n);

	columns = escape_write_shell(&o, s, n);
	assert_int_equal(check_safe(taken(&o)), columns);
}

/* ---- tests ---- */

static void test_controls(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		static const char named[] = "\b\f\n\r\t\\", letters[] = "bfnrt\\";
		const char *name = c ? strchr(named, c) : NULL;
		char byte = (char)c, want[16];

		if (name)
			snprintf(want, sizeof(want), "\\%c", letters[name - named]);
		else if (c >= 0x20 && c < 0x7f)
			snprintf(want, sizeof(want), "%c", c);
		else /* from 0x80 on it stands alone here, so it is no UTF-8 */
			snprintf(want, sizeof(want), "\\x%02x", c);
		expect(&byte, 1, want);
	}
	expect("a\nb", 3, "a\\nb");
	expect("\x1b[0m", 4, "\\x1b[0m");
	expect("a\\b", 3, "a\\\\b");
	expect("\0", 1, "\\x00");
	expect("", 0, "");
}

static void expect_code(uint32_t code, bool escaped)
{
	char want[16], shell[40] = "$'";
	unsigned char utf8[4];
	size_t n = reference_encode(code, utf8);

	if (escaped)
		snprintf(want, sizeof(want), "\\u%04x", code);
	else
		snprintf(want, sizeof(want), "%.*s", (int)n, (char *)utf8);
	assert_int_equal(escape_write(&o, (char *)utf8, n), escaped ? 6 : 1);
	assert_string_equal(taken(&o), want);
	escape_write_json(&o, (char *)utf8, n);
	assert_memory_equal(taken(&o) + 1, want, strlen(want));
	for (size_t i = 0; i < n; i++)
		sprintf(shell + strlen(shell), "\\x%02x", utf8[i]);
	strcat(shell, "'");
	escape_write_shell(&o, (char *)utf8, n);
	if (escaped)
		assert_string_equal(taken(&o), shell); /* by bytes: \u depends on bash's locale */
	else
		o.len = 0;
}

static void test_dangerous_characters(void **state)
{
	(void)state;
	for (uint32_t c = 0x80; c < 0x10000; c++)
		if ((c < 0xd800 || c > 0xdfff) && (c < 0xef80 || c > 0xefff))
			expect_code(c, dangerous(c));
	expect_code(0x10000, false);
	expect_code(0x1f600, false);
	expect_code(0x10ffff, false);
	expect("\xe2\x80\xae", 3, "\\u202e");
	expect("\xc2\x85", 2, "\\u0085");
}

static void test_broken_utf8(void **state)
{
	(void)state;
	expect("\xff", 1, "\\xff");
	expect("\xc0\x80", 2, "\\xc0\\x80"); /* overlong NUL */
	expect("\xc1\xbf", 2, "\\xc1\\xbf");
	expect("\xe0\x80\xaf", 3, "\\xe0\\x80\\xaf"); /* overlong slash */
	expect("\xf0\x80\x80\xaf", 4, "\\xf0\\x80\\x80\\xaf");
	expect("\xed\xa0\x80", 3, "\\xed\\xa0\\x80"); /* surrogates */
	expect("\xed\xbf\xbf", 3, "\\xed\\xbf\\xbf");
	expect("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
	expect("\xf5\x80\x80\x80", 4, "\\xf5\\x80\\x80\\x80");
	expect("\xf8\x88\x80\x80\x80", 5, "\\xf8\\x88\\x80\\x80\\x80");
	expect("\x80", 1, "\\x80");	     /* no beginning */
	expect("\xe2\x80", 2, "\\xe2\\x80"); /* no end */
	expect("\xe2\x80"
	       "a",
	       3, "\\xe2\\x80a");
	expect("\xe2"
	       "a\x80",
	       3, "\\xe2a\\x80");
	expect("\xf0\x9f\x98", 3, "\\xf0\\x9f\\x98");
}

/* Every sequence of two and three bytes, and those of four at all the edges. */
static void check_sequence(const unsigned char *s, size_t n)
{
	bool whole = reference_len(s, n) == n, raw;

	escape_write(&o, (const char *)s, n);
	raw = memcmp(taken(&o), s, n) == 0;
	assert_int_equal(raw, whole && !dangerous(reference_code(s, n)));
}

static void test_all_sequences(void **state)
{
	static const unsigned char edges[] = {
		0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff
	};
	unsigned char s[4];

	(void)state;
	for (int a = 0xc0; a < 256; a++) {
		s[0] = (unsigned char)a;
		for (int b = 0; b < 256; b++) {
			s[1] = (unsigned char)b;
			check_sequence(s, 2);
			for (int c = 0x7f; a >= 0xe0 && c < 0xc2; c++) {
				s[2] = (unsigned char)c;
				check_sequence(s, 3);
				for (size_t d = 0; a >= 0xf0 && d < COUNT(edges); d++) {
					s[3] = edges[d];
					check_sequence(s, 4);
				}
			}
		}
	}
}

/* The fast path looks at words of eight bytes: every byte at every place of every length. */
static void test_every_place(void **state)
{
	char s[TEXT_MOST];

	(void)state;
	for (size_t n = 1; n < 28; n++)
		for (size_t at = 0; at < n; at++)
			for (int c = 0; c < 256; c++) {
				memset(s, 'a', n);
				s[at] = (char)c;
				check_round_trips(s, n);
			}
}

static void test_random(void **state)
{
	uint64_t seed = 42;
	char s[TEXT_MOST];

	(void)state;
	for (int i = 0; i < RANDOM_TEXTS; i++)
		check_round_trips(s, random_text(&seed, s, TEXT_MOST));
}

/* No read past the end: the text ends where its heap block does, as ASAN sees it. */
static void test_no_over_read(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		char s[TEXT_MOST], *exact;
		size_t n = random_text(&seed, s, TEXT_MOST);

		exact = malloc(n ? n : 1);
		memcpy(exact, s, n);
		escape_write(&o, exact, n);
		escape_write_shell(&o, exact, n);
		escape_write_json(&o, exact, n);
		o.len = 0;
		free(exact);
	}
}

static void test_no_input_at_all(void **state)
{
	(void)state;
	assert_int_equal(escape_write(&o, NULL, 0), 0);
	assert_int_equal(escape_write_quoted(&o, NULL, 0), 2);
	assert_int_equal(escape_write_shell(&o, NULL, 0), 2);
	escape_write_json(&o, NULL, 0);
	assert_string_equal(taken(&o), "\"\"''\"\"");
}

static void test_json_forms(void **state)
{
	(void)state;
	escape_write_json(&o, "a\"b\\c/\n\x01\x7f", 9);
	assert_string_equal(taken(&o), "\"a\\\"b\\\\c/\\n\\u0001\\u007f\"");
	escape_write_json(&o, "\xff\x80", 2);
	assert_string_equal(taken(&o), "\"\\uefff\\uef80\"");
	escape_write_json(&o, "\xee\xbe\x80", 3); /* a real U+EF80 */
	assert_string_equal(taken(&o), "\"\\uefee\\uefbe\\uef80\"");
	escape_write_json(&o, "\xee\xbd\xbf", 3); /* U+EF7F is nothing special */
	assert_string_equal(taken(&o), "\"\xee\xbd\xbf\"");
	escape_write_json_key(&o, "pid");
	escape_write_json_key(&o, "a\"b");
	assert_string_equal(taken(&o), ",\"pid\":,\"a\\\"b\":");
}

static void test_quoted_forms(void **state)
{
	(void)state;
	assert_int_equal(escape_write_quoted(&o, "say \"hi\"\t\\", 10), 16);
	assert_string_equal(taken(&o), "\"say \\\"hi\\\"\\t\\\\\"");
	escape_write(&o, "say \"hi\" it's", 13);
	assert_string_equal(taken(&o), "say \"hi\" it's");
	escape_write_part(&o, "it's \\ \"", 8, ESCAPE_SHELL);
	assert_string_equal(taken(&o), "it\\'s \\\\ \"");
}

static void expect_shell(const char *word, const char *want)
{
	escape_write_shell(&o, word, strlen(word));
	assert_string_equal(taken(&o), want);
}

static void test_shell_forms(void **state)
{
	(void)state;
	expect_shell("abc", "abc");
	expect_shell("/usr/bin/gcc-12", "/usr/bin/gcc-12");
	expect_shell("--color=auto,x:%y+@_", "--color=auto,x:%y+@_");
	expect_shell("", "''");
	expect_shell("a b", "'a b'");
	expect_shell("a\nb", "$'a\\nb'");
	expect_shell("it's", "$'it\\'s'");
	expect_shell("back\\slash", "'back\\slash'");
	expect_shell("$HOME", "'$HOME'");
	expect_shell("~", "'~'");
	expect_shell("{a,b}", "'{a,b}'");
	expect_shell("caf\xc3\xa9", "'caf\xc3\xa9'");
	expect_shell("\xff"
		     "41",
		     "$'\\xff41'");
}

/* The output of a shell command, with its NULs. */
static char *run(const char *command, size_t *len)
{
	FILE *f = popen(command, "r");
	size_t room = 1 << 24;
	char *data = malloc(room);

	assert_non_null(f);
	*len = fread(data, 1, room, f);
	assert_int_equal(pclose(f), 0);
	return data;
}

/* Bash reads each word back to the same bytes, whatever its locale. */
static void check_bash(const char *locale)
{
	char script[] = "/tmp/coretap-words-XXXXXX", command[128], *got, *at;
	static char words[RANDOM_TEXTS][TEXT_MOST];
	static size_t lens[RANDOM_TEXTS];
	int fd = mkstemp(script);
	uint64_t seed = 99;
	size_t len;

	assert_true(fd >= 0);
	o.fd = fd;
	for (int i = 0; i < RANDOM_TEXTS; i++) {
		lens[i] = random_text(&seed, words[i], TEXT_MOST);
		buf_str(&o, "printf '%s\\0' ");
		escape_write_shell(&o, words[i], lens[i]);
		buf_char(&o, '\n');
	}
	assert_int_equal(buf_flush(&o), 0);
	close(fd);
	snprintf(command, sizeof(command), "LC_ALL=%s bash %s", locale, script);
	at = got = run(command, &len);
	for (int i = 0; i < RANDOM_TEXTS; i++) {
		assert_true(at + lens[i] < got + len);
		assert_memory_equal(at, words[i], lens[i]);
		assert_int_equal(at[lens[i]], 0);
		at += lens[i] + 1;
	}
	assert_ptr_equal(at, got + len);
	free(got);
	unlink(script);
}

static void test_bash(void **state)
{
	(void)state;
	check_bash("C");
	check_bash("C.UTF-8");
}

/* jq sees the same code points as this file's decoder. */
static void test_jq(void **state)
{
	char file[] = "/tmp/coretap-json-XXXXXX", command[128], *got, *at, *end;
	static uint32_t codes[2000][TEXT_MOST * 2];
	size_t counts[2000], len;
	uint64_t seed = 5;

	(void)state;
	if (system("command -v jq >/dev/null")) {
		print_message("jq is not installed\n");
		skip();
	}
	o.fd = mkstemp(file);
	assert_true(o.fd >= 0);
	for (int i = 0; i < 2000; i++) {
		char s[TEXT_MOST];
		size_t n = random_text(&seed, s, TEXT_MOST), start = o.len;

		escape_write_json(&o, s, n);
		buf_char(&o, '\0');
		counts[i] = json_codes(o.data + start, codes[i]);
		o.data[o.len - 1] = '\n';
	}
	assert_int_equal(buf_flush(&o), 0);
	close(o.fd);
	snprintf(command, sizeof(command), "jq -r 'length, explode[]' %s", file);
	at = got = run(command, &len);
	got[len] = '\0';
	for (int i = 0; i < 2000; i++) {
		assert_int_equal(strtoul(at, &at, 10), counts[i]);
		for (size_t c = 0; c < counts[i]; c++)
			assert_int_equal(strtoul(at, &at, 10), codes[i][c]);
	}
	strtoul(at, &end, 10);
	assert_ptr_equal(at, end); /* nothing is left */
	free(got);
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controls),     cmocka_unit_test(test_dangerous_characters),
		cmocka_unit_test(test_broken_utf8),  cmocka_unit_test(test_all_sequences),
		cmocka_unit_test(test_every_place),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_over_read), cmocka_unit_test(test_no_input_at_all),
		cmocka_unit_test(test_json_forms),   cmocka_unit_test(test_quoted_forms),
		cmocka_unit_test(test_shell_forms),  cmocka_unit_test(test_bash),
		cmocka_unit_test(test_jq),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
