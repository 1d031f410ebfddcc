/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_funcgraph.c - events → trees of calls: nesting, threads, what is missing, paths of errors.
 *
 * Events are written as words: "a" is the entry of function a, "-a" its return; "1:a" is thread 1's; "a^" is
 * no call inside of what is open, as the stack tells. The
 * time is the number of the event.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "applets/funcgraph/tree.h"

static char seen[4096];

/* a(b(c) d!) with ! behind a call that has not returned, ? behind a torn tree; or, if it is wrong, why. */
static void call_write(const struct graph_tree *t, uint32_t i)
{
	const struct graph_call *c = &t->calls[i], *parent = &t->calls[i ? c->parent : 0];
	size_t len = strlen(seen);

	if (i && (parent->begin > c->begin || (parent->end && (!c->end || c->end > parent->end))))
		strcat(seen, "<outside>");
	if (c->entry_size != 1 || t->bytes.data[c->entry] != (char)c->func || c->entry % 8)
		strcat(seen, "<record>");
	if (c->result_size && t->bytes.data[c->result] != (char)(c->func - 'a' + 'A'))
		strcat(seen, "<result>");
	sprintf(seen + strlen(seen), "%s%c%s",
		len && strchr("!abcdefgh)", seen[len - 1]) ? " " : "", (char)c->func,
		c->end ? "" : "!");
	if (c->next == i + 1)
		return;
	strcat(seen, "(");
	for (uint32_t child = i + 1; child < c->next; child = t->calls[child].next) {
		if (t->calls[child].parent != i || t->calls[child].depth != c->depth + 1)
			strcat(seen, "<parent>");
		call_write(t, child);
	}
	strcat(seen, ")");
}

static int tree_write(void *ctx, const struct graph_tree *t)
{
	(void)ctx;
	if (*seen)
		strcat(seen, "; ");
	if (t->torn)
		sprintf(seen + strlen(seen), "%c?", (char)t->calls[0].func);
	else
		call_write(t, 0);
	if (t->left_out)
		sprintf(seen + strlen(seen), " +%d", (int)t->left_out);
	return 0;
}

static void events_take(struct graph *g, const char *text, uint64_t *now)
{
	char words[1024], *word;

	strcpy(words, text);
	for (word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		struct graph_event e = { .at = ++*now, .size = 1 };
		const char *name = word[1] == ':' ? word + 2 : word;
		char byte;

		if (!strcmp(word, "LOST")) {
			graph_lost(g, *now, *now);
			continue;
		}
		e.thread = word[1] == ':' ? word[0] - '0' : 7;
		e.is_return = *name == '-';
		e.func = name[e.is_return];
		e.frame = strchr(name, '^') ? UINT64_MAX : UINT64_MAX - *now;
		byte = e.is_return ? e.func - 'a' + 'A' : e.func;
		e.record = &byte;
		assert_int_equal(graph_read(g, &e), 0);
	}
}

static void trees_are(unsigned depth, size_t bytes, const char *events, const char *wanted)
{
	struct graph g = {
		.root = 'a', .depth_max = depth, .bytes_max = bytes, .done = tree_write
	};
	uint64_t now = 0;

	*seen = 0;
	events_take(&g, events, &now);
	assert_int_equal(graph_finish(&g), 0);
	graph_free(&g);
	assert_string_equal(seen, wanted);
}

static void test_nesting(void **state)
{
	(void)state;
	trees_are(0, 0, "a -a", "a");
	trees_are(0, 0, "a b -b -a a c -c -a", "a(b); a(c)");
	trees_are(0, 0, "a b c d -d -c -b b c -c e -e -b f -f -a", "a(b(c(d)) b(c e) f)");
	/* what is outside of a, and returns of what began before */
	trees_are(0, 0, "-a -b b -b b a c -c -a -b c -c", "a(c)");
	trees_are(0, 0, "a a b -b -a -a", "a(a(b))");
	/* not returned yet: the oldest first */
	trees_are(0, 0, "2:a 2:b 1:a 1:b 1:-b 1:c", "a!(b!); a!(b c!)");
}

static void test_threads(void **state)
{
	char events[1024] = "", wanted[1024] = "";

	(void)state;
	trees_are(0, 0, "1:a 2:a 1:b 2:c 1:-b 2:-c 2:-a 1:-a", "a(c); a(b)");
	for (int i = 0; i < 10; i++)
		sprintf(events + strlen(events), "%d:a %d:%c ", i, i, 'b' + i % 7);
	for (int i = 9; i >= 0; i--) {
		sprintf(events + strlen(events), "%d:-%c %d:-a ", i, 'b' + i % 7, i);
		sprintf(wanted + strlen(wanted), "%sa(%c)", i == 9 ? "" : "; ", 'b' + i % 7);
	}
	trees_are(0, 0, events, wanted);
}

static void test_depth(void **state)
{
	(void)state;
	trees_are(1, 0, "a b c -c -b d -d -a", "a");
	trees_are(2, 0, "a b c d -d -c -b d -d -a", "a(b d)");
	trees_are(3, 0, "a b c d -d -c -b d -d -a", "a(b(c) d)");
}

/* No order of events makes a wrong nesting. */
static void test_torn(void **state)
{
	(void)state;
	trees_are(0, 0, "a b c -b -a a b -b -a", "a?; a(b)"); /* c's return is missing */
	trees_are(0, 0, "a b -c -b -a a -a", "a?; a");	      /* c's entry */
	trees_are(0, 0, "a b c -a a -a", "a?; a");
	trees_are(0, 0, "a b -c a b -b -a", "a?; a(b)");	  /* and a's return */
	trees_are(0, 0, "a b -b a^ -a a a -a -a", "a?; a; a(a)"); /* a's return */
	trees_are(0, 0, "a b LOST -b -a a -a", "a?; a");
	trees_are(0, 0, "LOST a b -b -a", "a(b)");
	trees_are(0, 0, "a LOST a b -b -a", "a?; a(b)");
	trees_are(0, 0, "1:a 1:b LOST 2:a 2:-a 1:-b 1:-a", "a; a?");
	trees_are(0, 0, "a b c LOST", "a?");
}

/* Records that were queued when it became known that later ones are lost. */
static void test_lost_later(void **state)
{
	struct graph g = { .root = 'a', .done = tree_write };
	uint64_t now = 0;

	(void)state;
	*seen = 0;
	graph_lost(&g, 3, 6);
	graph_lost(&g, 15, 16);
	events_take(&g, "a b -b -a a b -b -a a -a a b -b -a a b -b -a a b a", &now);
	assert_string_equal(seen, "a?; a?; a; a(b); a?");
	*seen = 0;
	graph_lost(&g, 20, 21); /* of an open tree: a's return, too? */
	events_take(&g, "-a", &now);
	assert_string_equal(seen, "a?");
	for (int i = 0; i < 3 * GRAPH_GAPS; i++)
		graph_lost(&g, 100 + 10 * i, 101 + 10 * i);
	assert_int_equal(g.gap_count, GRAPH_GAPS);
	assert_int_equal(g.gaps[0].from, 3);
	assert_int_equal(g.gaps[1].from, 100 + 10 * (2 * GRAPH_GAPS + 1));
	graph_free(&g);
}

static void test_left_out(void **state)
{
	(void)state;
	trees_are(0, 1, "a b c -c -b d -d -a a -a",
		  "a +2; a"); /* c is inside of what is left out */
	trees_are(0, 150, "a b -b c -c -a", "a(b) +1");
}

static bool is_even(const struct graph_tree *t)
{
	return t->calls[0].begin % 2 == 0;
}

static void test_sweep(void **state)
{
	struct graph g = { .root = 'a', .done = tree_write };
	uint64_t now = 0;

	(void)state;
	*seen = 0;
	events_take(&g, "1:a 2:a 3:a 4:a 4:b", &now);
	assert_int_equal(graph_sweep(&g, is_even), 0);
	assert_string_equal(seen, "");
	events_take(&g, "4:-b", &now); /* was on its way */
	assert_int_equal(graph_sweep(&g, is_even), 0);
	assert_string_equal(seen, "a!; a!(b)");
	events_take(&g, "2:a 2:-a 1:-a", &now);
	assert_string_equal(seen, "a!; a!(b); a; a");
	graph_finish(&g);
	assert_string_equal(seen, "a!; a!(b); a; a; a!");
	graph_free(&g);
}

/* Whatever comes, the trees are whole or torn, and no memory is lost. */
static void test_hostile(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 300; seed++) {
		struct graph g = { .root = 'a', .depth_max = seed % 5, .done = tree_write };
		uint64_t now = 0;

		srand(seed);
		for (int i = 0; i < 300; i++) {
			char word[8];

			sprintf(word, "%d:%s%c", rand() % 3, rand() % 2 ? "-" : "",
				'a' + rand() % 4);
			*seen = 0;
			events_take(&g, rand() % 50 ? word : "LOST", &now);
			assert_null(strchr(seen, '<'));
		}
		*seen = 0;
		graph_finish(&g);
		assert_null(strchr(seen, '<'));
		graph_free(&g);
	}
}

/* ---- errors ---- */

/* Which function returns which error; 0: none. */
static int64_t errors[128];

static int64_t error_of(void *ctx, const struct graph_call *call)
{
	(void)ctx;
	return errors[call->func];
}

static int path_write(void *ctx, const struct graph_tree *t)
{
	uint32_t path[16];
	size_t count = graph_error_path(t, error_of, ctx, path);

	assert_true(count <= graph_levels(t));
	for (size_t i = 0; i < count; i++)
		sprintf(seen + strlen(seen), "%c", (char)t->calls[path[i]].func);
	strcat(seen, ".");
	return 0;
}

static void test_error_paths(void **state)
{
	struct graph g = { .root = 'a', .done = path_write };
	uint64_t now = 0;

	(void)state;
	*seen = 0;
	events_take(&g, "a b c -c d -d -b -a ", &now);
	errors['a'] = errors['b'] = errors['c'] = -2;
	events_take(&g, "a b c -c d -d -b -a", &now);
	errors['d'] = -13; /* not the one that a returned */
	events_take(&g, "a b c -c d -d -b -a", &now);
	errors['c'] = -1; /* replaced: the last error below */
	events_take(&g, "a b c -c d -d -b -a", &now);
	errors['b'] = 0;
	events_take(&g, "a b c -c d -d -b -a a c LOST -c -a", &now);
	graph_free(&g);
	assert_string_equal(seen, ".abc.abc.abd.a..");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nesting),	    cmocka_unit_test(test_threads),
		cmocka_unit_test(test_depth),	    cmocka_unit_test(test_torn),
		cmocka_unit_test(test_lost_later),  cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_sweep),	    cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_error_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
