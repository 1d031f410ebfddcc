/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_parse.h - what the tests of the parser of bpftrace's language share: files to import, trees in one line, and
 * checks that go on after a mistake, so that one run shows all.
 */
#ifndef CORETAP_UNIT_SCRIPT_PARSE_H
#define CORETAP_UNIT_SCRIPT_PARSE_H

#include <errno.h>

#include "unit.h"

#include "script/script.h"

static unsigned mistakes; /* of this test: all are shown */

#define MISTAKE(...) (print_error(__VA_ARGS__), mistakes++)

/* ---- what the program is given ---- */

static const char *const words[] = { "one", "i:ms:1", "7" };

static inline const char *file_import(void *ctx, struct script_import *in)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{ "lib.bt", "macro twice(x) { x + x }\nstruct lib { int a; };\nend { exit(); }" },
		{ "types.h", "#define NUMBER 5\nstruct header { int a; };\n" },
		{ "bad.bt", "macro m() { 1 }\n\nbegin { ) }" },
		{ "loop.bt", "import \"loop.bt\"; begin { }" },
		{ "open.bt", "#if 1\nbegin { }" },
	};

	(void)ctx;
	for (size_t i = 0; i < COUNT(files); i++)
		if (!strcmp(files[i].path, in->path))
			return files[i].text;
	return NULL;
}

static inline int parse(const char *text, struct script **s, struct script_error *error)
{
	struct script_args args = { .words = words, .count = COUNT(words), .import = file_import };

	return script_parse(text, &args, s, error);
}

/* Lines with blanks before them as (line (deeper line)). */
static inline void lines_fold(const char *lines, struct buf *o)
{
	int depth = 0, was = 0;

	for (const char *line = lines, *end; *line; line = end + 1) {
		for (depth = 0; *line == ' '; line++)
			depth++;
		end = strchr(line, '\n');
		for (; line > lines && was >= depth; was--)
			buf_char(o, ')');
		buf_str(o, o->len ? " (" : "(");
		buf_bytes(o, line, end - line);
		was = depth;
	}
	buf_repeat(o, ')', was + 1);
}

static inline void check_dump(const char *text, const char *wanted)
{
	struct script_error error;
	struct script *s = NULL;
	struct buf lines, folded;
	const char *got;

	if (parse(text, &s, &error)) {
		MISTAKE("%s\n%s [%u, %u)\n", text, error.message, error.span.start, error.span.end);
		return;
	}
	buf_init(&lines, -1);
	buf_init(&folded, -1);
	script_dump(s, false, &lines);
	lines_fold(taken(&lines), &folded);
	got = taken(&folded);
	if (strcmp(got, wanted))
		MISTAKE("%s\n wanted %s\n got    %s\n", text, wanted, got);
	buf_free(&lines);
	buf_free(&folded);
	script_free(s);
}

/* An expression; its tree is below `assign`. */
static inline void check_expr(const char *text, const char *wanted)
{
	char program[512], dump[2048];

	snprintf(program, sizeof(program), "begin { $_ = %s }", text);
	snprintf(dump, sizeof(dump), "(probe begin (assign (var $_) %s))", wanted);
	check_dump(program, dump);
}

/* Statements of a block. */
static inline void check_body(const char *text, const char *wanted)
{
	char program[512], dump[2048];

	snprintf(program, sizeof(program), "begin { %s }", text);
	snprintf(dump, sizeof(dump), "(probe begin %s)", wanted);
	check_dump(program, dump);
}

/* The message, and the text at its place. */
static inline void check_error(const char *text, const char *place, const char *message)
{
	struct script_error error;
	struct script *s = NULL;
	int err = parse(text, &s, &error);
	size_t len = error.span.end - error.span.start;

	if (!err)
		script_free(s);
	if (err != -EINVAL || strcmp(error.message, message) || strlen(place) != len ||
	    memcmp(text + error.span.start, place, len))
		MISTAKE("%s\n wanted '%s': %s\n got    '%.*s': %s (%d)\n", text, place, message,
			(int)len, text + error.span.start, error.message, err);
}

struct pair {
	const char *text, *wanted;
};

static inline void check_all(const struct pair *pairs, size_t count,
			     void (*check)(const char *, const char *))
{
	for (size_t i = 0; i < count; i++)
		check(pairs[i].text, pairs[i].wanted);
	assert_int_equal(mistakes, 0);
}

struct wrong {
	const char *text, *place, *message;
};

static inline void check_wrongs(const struct wrong *wrongs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_error(wrongs[i].text, wrongs[i].place, wrongs[i].message);
	assert_int_equal(mistakes, 0);
}

static inline int mistakes_reset(void **state)
{
	(void)state;
	mistakes = 0;
	return 0;
}

#endif
