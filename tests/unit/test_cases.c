/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_cases.c - tests/cases/X.case: expressions and what they come to, on the simulated machine, for every
 * target. A line a case:
 *
 *	EXPR = NUMBER			a value
 *	EXPR = NULL at LINK		none; LINK is the part of EXPR that is to blame
 *	EXPR = FAULT at LINK
 *	CONDITION = passes		or `drops`, or `drops, FAULT`
 *	"TEXT" OPERATOR "TEXT" = 0	of a string in memory that is the first text
 *
 * and `targets: all` or `targets: with probe_read` for the lines below. What they see of the world is
 * in world_fill.
 */
#include <glob.h>
#include <string.h>

#include "unit.h"
#include "../lib/targets.h"
#include "../lib/things.h"
#include "output/field/value.h"

#define NUMBERS_AT 0xffff888044440000ull
#define PAGES_AT   0xffff888055550000ull

static int numbers[] = { 1, 22, 333 };
static char pages[2][4096];

/* Thing 0 has a list of things 1 and 2; thing 3's goes in a circle without it. */
static void lists_fill(void)
{
	static const unsigned next[THINGS] = { 1, 2, 0, 1 };

	for (unsigned i = 0; i < THINGS; i++)
		*(uint64_t *)(void *)(things[i].tail + LIST_IN_TAIL) = LIST_AT(next[i]);
}

static void world_fill(struct harness *r)
{
	thing_fill(&things[1]); /* its `any` is user_text */
	strcpy(things[0].array, "abcdefgh");
	strcpy(things[1].array, "abc");
	things[0].any = 8; /* nothing is there */
	things[0].numbers = NUMBERS_AT;
	things[2].small = 200;
	r->args[2] = 0xdeadbeef00000000 | (uint32_t)-77; /* number */
	r->args[3] = 0x123456789abcdef0;		 /* count */
	vm_region_add(&r->vm, NUMBERS_AT, numbers, sizeof(numbers));
	lists_fill();
}

/* The string ends at the end of its page; the next page is unmapped. */
static void text_place(struct harness *r, const char *text)
{
	size_t offset = sizeof(pages) - strlen(text) - 1;

	memset(pages, 'x', sizeof(pages));
	strcpy(pages[0] + offset, text);
	things[1].text = PAGES_AT + offset;
	vm_region_add(&r->vm, PAGES_AT, pages, sizeof(pages));
	snprintf(things[1].array, sizeof(things[1].array), "%.19s", text);
	snprintf(user_text, sizeof(user_text), "%.63s", text);
}

/* ---- one case, one target ---- */

struct line {
	const char *file;
	unsigned number;
	bool all_targets;
	const char *expr, *want;
	char text[256]; /* what memory holds, where has_text */
	bool has_text;
	/* what came of it */
	char actual[200], at[64]; /* of the first target that differs */
	unsigned differ;
};

/* As the case file would have it. */
static void outcome_put(struct harness *r, const char *want, char *to, size_t size)
{
	static const char *const statuses[] = { [EVENT_NULL] = "NULL", [EVENT_FAULT] = "FAULT" };
	struct value v;

	if (!harness_value(r, 0, &v))
		snprintf(to, size, "no record");
	else if (v.status == EVENT_NULL || v.status == EVENT_FAULT)
		snprintf(to, size, "%s at %s", statuses[v.status], harness_link(r, 0));
	else if (v.status)
		snprintf(to, size, "status %u", v.status);
	else
		snprintf(to, size, strncmp(want, "0x", 2) ? "%lld" : "0x%llx", (long long)v.u);
	if ((vm_loss(&r->vm, LOSS_FAULT) != 0) != !strncmp(to, "FAULT", 5))
		snprintf(to + strlen(to), size - strlen(to), ", %llu faults were counted",
			 (unsigned long long)vm_loss(&r->vm, LOSS_FAULT));
}

static void condition_put(struct harness *r, char *to, size_t size)
{
	struct value small, pid;
	bool passes = r->vm.submitted;

	snprintf(to, size, "%s%s", passes ? "passes" : "drops",
		 vm_loss(&r->vm, LOSS_FAULT) ? ", FAULT" : "");
	if (passes && (!harness_value(r, 0, &small) || small.u != 200 ||
		       !harness_value(r, 1, &pid) || pid.u != 42))
		snprintf(to, size, "passes with wrong values");
}

static void line_run(struct line *l, const char *expr, const char *target)
{
	static const char *const shown[] = { "thing->next->next->small", "$pid" };
	bool condition = !strncmp(l->want, "passes", 6) || !strncmp(l->want, "drops", 5);
	char actual[sizeof(l->actual)];
	struct harness r;
	bool ran;

	things_init(&r, target);
	if (!l->all_targets && !r.in.target.probe_read)
		return;
	world_fill(&r);
	if (l->has_text)
		text_place(&r, l->text);
	r.in.conditions = &expr;
	r.in.condition_count = condition;
	ran = compile_and_run(&r, condition ? shown : &expr, condition ? 2 : 1);
	if (!ran)
		snprintf(actual, sizeof(actual), "refused: %.160s", r.error.message);
	else if (condition)
		condition_put(&r, actual, sizeof(actual));
	else
		outcome_put(&r, l->want, actual, sizeof(actual));
	harness_free(&r);
	if (!strcmp(actual, l->want))
		return;
	if (!l->differ++) {
		snprintf(l->actual, sizeof(l->actual), "%s", actual);
		snprintf(l->at, sizeof(l->at), "%s", target);
	}
}

/* ---- a line ---- */

/* Reads the text that begins a line, after its quote; returns what follows it. */
static const char *text_read(const char *from, char *to)
{
	while (*from && *from != '"') {
		if (from[0] == '\\' && from[1] == 'x') {
			*to++ = (char)strtol((char[]){ from[2], from[3], 0 }, NULL, 16);
			from += 4;
		} else {
			from += *from == '\\';
			*to++ = *from++;
		}
	}
	*to = '\0';
	return from + (*from == '"');
}

static void text_run(struct line *l, const char *target)
{
	static const char *const places[] = { "thing->next->text", "thing->next->array",
					      "(char *)thing->next->any",
					      "(char *)(u64)thing->next->text" };
	const char *rest = text_read(l->expr + 1, l->text);
	char expr[128];

	l->has_text = true;
	for (size_t i = 0; i < COUNT(places); i++) {
		snprintf(expr, sizeof(expr), "%s%s", places[i], rest);
		line_run(l, expr, target);
	}
}

/* Returns the number of runs that differ from the line, after printing them. */
static unsigned case_run(struct line *l)
{
	for (unsigned t = 0; t < TARGETS; t++) {
		if (l->expr[0] == '"')
			text_run(l, target_name(t));
		else
			line_run(l, l->expr, target_name(t));
	}
	if (l->differ)
		print_message("# %s:%u: %s = %s\n#\tis %s (%s; %u runs differ)\n", l->file,
			      l->number, l->expr, l->want, l->actual, l->at, l->differ);
	return l->differ;
}

/* False: it is no line of a case file. The text is cut in two. */
static bool line_split(char *text, struct line *l)
{
	char *equals = NULL;

	for (char *at = strstr(text, " = "); at; at = strstr(at + 1, " = "))
		equals = at;
	if (!equals)
		return false;
	*equals = '\0';
	l->expr = text;
	l->want = equals + strlen(" = ");
	l->differ = 0;
	l->has_text = false;
	return strlen(l->want) > 0;
}

static void test_file(void **state)
{
	struct line l = { .file = *state };
	unsigned cases = 0, wrong = 0;
	char text[256];
	FILE *f = fopen(l.file, "re");

	assert_non_null(f);
	while (fgets(text, sizeof(text), f)) {
		l.number++;
		text[strcspn(text, "\n")] = '\0';
		if (!text[0] || text[0] == '#')
			continue;
		if (!strcmp(text, "targets: all") || !strcmp(text, "targets: with probe_read")) {
			l.all_targets = !strcmp(text, "targets: all");
		} else if (line_split(text, &l)) {
			cases++;
			wrong += case_run(&l) != 0;
		} else {
			print_message("# %s:%u: no case: %s\n", l.file, l.number, text);
			wrong++;
		}
	}
	fclose(f);
	assert_int_equal(wrong, 0);
	assert_true(cases > 0);
}

static int setup(void **state)
{
	(void)state;
	return things_build();
}

int main(void)
{
	struct CMUnitTest tests[32] = {};
	size_t count = 0;
	glob_t files;
	int failed;

	if (glob("tests/cases/*.case", 0, NULL, &files) || files.gl_pathc > COUNT(tests)) {
		fprintf(stderr, "test_cases: no tests/cases/*.case here\n");
		return 2;
	}
	for (; count < files.gl_pathc; count++)
		tests[count] = (struct CMUnitTest){ files.gl_pathv[count], test_file, NULL, NULL,
						    files.gl_pathv[count] };
	failed = _cmocka_run_group_tests("cases", tests, count, setup, NULL);
	globfree(&files);
	return failed;
}
