/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_show_action.c - actions of programs in bpftrace's language, and messages of the run, as text and JSON.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expr/resolve/format.h"
#include "show_sample.h"

static struct {
	struct script_record head;
	int64_t number;
	char text[24];
} record = { .number = -5, .text = "he\x1b[1mllo" };

static struct script_arg args[] = {
	{ .type = { .kind = SCRIPT_INT, .size = 8, .is_signed = true }, .offset = 8 },
	{ .type = { .kind = SCRIPT_STRING, .size = 24 }, .offset = 16 },
};

/* The second call of the program's text: delete(@a, 1). */
static const struct script_expr first_call = { .span = { 8, 19 } },
				second_call = { .span = { 30, 43 } };

static int act(enum script_action_kind kind, const char *text, size_t arg_count)
{
	const struct script_action a = {
		.kind = kind,
		.text = text,
		.args = args,
		.arg_count = arg_count,
		.call = kind == ACTION_DELETE_MISSED ? &second_call : &first_call,
	};

	out.len = err.len = 0;
	return kind == ACTION_ASSERT ? bt_assert_show(&show, &a, &record, sizeof(record)) :
				       bt_action_show(&show, &a, &record, sizeof(record));
}

static void with_json(bool on)
{
	show.json = on;
}

/* ---- text ---- */

static void printf_action(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_PRINTF, "%d is \"%s\"\n", 2), 1);
	assert_out("-5 is \"he\x1b[1mllo\"\n");
	with_json(true);
	assert_int_equal(act(ACTION_PRINTF, "test \r \n \t \\ \" %d", 1), 1);
	assert_out("{\"type\": \"printf\", \"data\": \"test \\r \\n \\t \\\\ \\\" -5\"}\n");
	/* a terminal changes nothing in JSON */
	show.out_is_terminal = true;
	assert_int_equal(act(ACTION_PRINTF, "%d%s", 2), 1);
	assert_out("{\"type\": \"printf\", \"data\": \"-5he\\u001b[1mllo\"}\n");
	with_json(false);
	assert_int_equal(act(ACTION_PRINTF, "\033[31m%d%s\n", 2), 1);
	assert_out("\033[31m-5he\\x1b[1mllo\n");
	show.out_is_terminal = false;
}

static void messages(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_ERRORF, "bad: %d", 1), 1);
	assert_err("stdin:1:9-20: ERROR: bad: -5\n");
	assert_out("");
	assert_int_equal(act(ACTION_WARNF, "bad\n", 0), 1);
	assert_err("stdin:1:9-20: WARNING: bad\n");
	assert_int_equal(act(ACTION_ASSERT, NULL, 1), 0);
	assert_err("stdin:1:9-20: ERROR: assert failed: -5\n");
	show.no_warnings = true;
	assert_int_equal(act(ACTION_WARNF, "bad\n", 0), 1);
	assert_err("");
	show.no_warnings = false;
	show.err_is_terminal = true;
	assert_int_equal(act(ACTION_ERRORF, "%d%s", 2), 1);
	assert_err("stdin:1:9-20: ERROR: -5he\\x1b[1mllo\n");
	show.err_is_terminal = false;
	with_json(true);
	assert_int_equal(act(ACTION_WARNF, "bad: %d", 1), 1);
	assert_out(
		"{\"type\": \"warnf\", \"msg\": \"bad: -5\", \"filename\": \"stdin\", \"line\": 1, \"col\": 9}\n");
	assert_int_equal(act(ACTION_ERRORF, "bad", 0), 1);
	assert_out(
		"{\"type\": \"errorf\", \"msg\": \"bad\", \"filename\": \"stdin\", \"line\": 1, \"col\": 9}\n");
	assert_err("");
	with_json(false);
}

static void missing_keys(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_DELETE_MISSED, NULL, 0), 1);
	assert_err("stdin:2:8-21: WARNING: Can't delete map element because it does not exist.\n"
		   "Additional Info - helper: map_delete_elem, retcode: -2\n"
		   "    END { delete(@a, 1); }\n"
		   "          ~~~~~~~~~~~~~\n");
	with_json(true);
	assert_int_equal(act(ACTION_DELETE_MISSED, NULL, 0), 1);
	assert_out(
		"{\"type\": \"helper_error\", \"msg\": \"No such file or directory\", \"helper\": \"map_delete_elem\", "
		"\"retcode\": -2, \"filename\": \"stdin\", \"line\": 2, \"col\": 8}\n");
	with_json(false);
	show.no_warnings = true;
	assert_int_equal(act(ACTION_DELETE_MISSED, NULL, 0), 1);
	assert_err("");
	show.no_warnings = false;
}

static void warnings(void **state)
{
	(void)state;
	bt_warning_show(&show, (struct span){ 0, 30 }, "over %d lines", 2);
	assert_err("stdin:1-2: WARNING: over 2 lines\n");
	bt_warning_show(&show, (struct span){ 0, 5 }, "the first");
	assert_err("stdin:1:1-6: WARNING: the first\nBEGIN { errorf(\"x\"); }\n~~~~~\n");
	assert_int_equal(act(ACTION_WARNING, "1 is used: %d", 0), 1);
	assert_err(
		"stdin:1:9-20: WARNING: 1 is used: %d\nBEGIN { errorf(\"x\"); }\n        ~~~~~~~~~~~\n");
}

/* ---- values ---- */

static void print_action(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_PRINT, NULL, 1), 1);
	assert_out("-5\n");
	assert_int_equal(act(ACTION_PRINT_ENTRY, NULL, 2), 1);
	assert_out("he\x1b[1mllo\n");
	with_json(true);
	assert_int_equal(act(ACTION_PRINT, NULL, 1), 1);
	assert_out("{\"type\": \"value\", \"data\": -5}\n");
	with_json(false);
	assert_int_equal(act(ACTION_PRINT, NULL, 0), -EBADMSG);
}

/* Colours that the program itself has stay. */
static void print_literal(void **state)
{
	static const struct script_expr red = { .is_constant = true,
						.bytes = "\033[31mRed",
						.length = 8 };
	struct script_arg arg = { .type = script_string(9), .is_literal = true, .expr = &red };
	const struct script_action a = { .kind = ACTION_PRINT, .args = &arg, .arg_count = 1 };

	(void)state;
	show.out_is_terminal = true;
	assert_int_equal(bt_action_show(&show, &a, &record, sizeof(record.head)), 1);
	assert_out("\033[31mRed\n");
	show.out_is_terminal = false;
}

static void time_action(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_TIME, "now %%: ", 0), 1);
	assert_out("now %: ");
	assert_int_equal(act(ACTION_TIME, NULL, 0), 1);
	assert_int_equal(out.len, strlen("hh:mm:ss\n"));
	with_json(true);
	assert_int_equal(act(ACTION_TIME, "a\n", 0), 1);
	assert_out("{\"type\": \"time\", \"data\": \"a\\n\"}\n");
	with_json(false);
}

static void join_action(void **state)
{
	static struct {
		struct script_record head;
		struct script_join join;
	} joined = { .join = { .count = 3, .words = { "/bin/echo", "'A'", "b" } } };
	struct script_arg arg = { .type = { .kind = SCRIPT_RECORD, .size = sizeof(joined.join) },
				  .offset = 8 };
	struct script_action a = { .kind = ACTION_JOIN, .text = " ", .args = &arg, .arg_count = 1 };

	(void)state;
	assert_int_equal(bt_action_show(&show, &a, &joined, sizeof(joined)), 1);
	assert_out("/bin/echo 'A' b\n");
	joined.join.count = 2;
	a.text = ",";
	with_json(true);
	assert_int_equal(bt_action_show(&show, &a, &joined, sizeof(joined)), 1);
	assert_out("{\"type\": \"join\", \"data\": \"/bin/echo,'A'\"}\n");
	with_json(false);
	joined.join.count = 1000; /* more than it has room for */
	assert_int_equal(bt_action_show(&show, &a, &joined, sizeof(joined)), 1);
	assert_out("/bin/echo,'A',b,,,,,,,,,,,,,\n");
	assert_int_equal(bt_action_show(&show, &a, &joined, sizeof(joined) - 1), -EBADMSG);
}

/* ---- rows ---- */

static const struct script_part row_parts[] = {
	{ .type = { .kind = SCRIPT_INT, .size = 8, .is_signed = true } },
	{ .offset = 8, .type = { .kind = SCRIPT_STRING, .size = 24 } },
};
static struct script_arg pair_arg = {
	.type = { .kind = SCRIPT_TUPLE, .size = 32, .count = 2, .parts = row_parts },
	.offset = 8,
};

static struct script_column row_columns[] = { { .name = "number" }, { .name = "text" } },
			    pair_column = { .name = "pair" };
static struct script_action rows[] = {
	{ .kind = ACTION_EMIT,
	  .args = args,
	  .arg_count = 2,
	  .columns = row_columns,
	  .size = sizeof(record),
	  .number = 0 },
	{ .kind = ACTION_EMIT,
	  .args = &pair_arg,
	  .arg_count = 1,
	  .columns = &pair_column,
	  .size = sizeof(record),
	  .number = 1 },
};

static void row_show(struct bt_show *s, unsigned number)
{
	assert_int_equal(bt_action_show(s, &rows[number], &record, sizeof(record)), 1);
	assert_int_equal(bt_action_show(s, &rows[number], &record, sizeof(record) - 1), -EBADMSG);
}

/* A header precedes the rows of one emit(), and those of another; no value breaks a line. */
static void emit_action(void **state)
{
	struct script_action *actions[] = { &rows[0], &rows[1] };
	const struct script script = { .actions = actions, .action_count = 2 };
	struct bt_show s = show;

	(void)state;
	row_columns[0].rule = format_rule_named("errno");
	s.script = &script;
	out.len = 0;
	row_show(&s, 0);
	row_show(&s, 0);
	row_show(&s, 1);
	row_show(&s, 0);
	assert_out("NUMBER   TEXT\n-EIO     he\\x1b[1mllo\n-EIO     he\\x1b[1mllo\n"
		   "PAIR\n(-5, he\\x1b[1mllo)\n"
		   "NUMBER   TEXT\n-EIO     he\\x1b[1mllo\n");
	bt_rows_free(&s);
	s.json = true;
	out.len = 0;
	row_show(&s, 1);
	row_show(&s, 0);
	assert_out(
		"{\"type\":\"emit\",\"data\":{\"pair\":[-5,\"he\\u001b[1mllo\"]}}\n"
		"{\"type\":\"emit\",\"data\":{\"number\":\"-EIO\",\"text\":\"he\\u001b[1mllo\"}}\n");
	bt_rows_free(&s);
}

/* ---- files and commands ---- */

static void cat_action(void **state)
{
	char path[] = "/tmp/test_script_show.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, "1\x1b[1m\n6789abc", 14), 14);
	close(fd);
	snprintf(record.text, sizeof(record.text), "%s", path + strlen("/tmp/test_"));
	args[0] = args[1];
	assert_int_equal(act(ACTION_CAT, "/tmp/test_%s", 1), 1);
	assert_out("1\x1b[1m\n6789"); /* max_cat_bytes is 10 */
	show.out_is_terminal = true;
	assert_int_equal(act(ACTION_CAT, "/tmp/test_%s", 1), 1);
	assert_out("1\\x1b[1m\n6789");
	show.out_is_terminal = false;
	with_json(true);
	assert_int_equal(act(ACTION_CAT, "/tmp/test_%s", 1), 1);
	assert_out("{\"type\": \"cat\", \"data\": \"1\\u001b[1m\\n6789\"}\n");
	with_json(false);
	unlink(path);
	assert_int_equal(act(ACTION_CAT, "/no/such/file", 0), 1);
	assert_out("");
	assert_err("ERROR: failed to open file '/no/such/file' (No such file or directory)\n");
}

static void system_action(void **state)
{
	(void)state;
	args[0] = (struct script_arg){ .type = script_int(8, true), .offset = 8 };
	assert_int_equal(act(ACTION_SYSTEM, "echo a %d; exit 3", 1), 1);
	assert_out("a -5\n\n");
	with_json(true);
	assert_int_equal(act(ACTION_SYSTEM, "echo a b c", 0), 1);
	assert_out("{\"type\": \"syscall\", \"data\": \"a b c\\n\"}\n");
	with_json(false);
}

/* ---- others ---- */

static const struct btf_view *types_of(void *ctx, uint32_t point)
{
	assert_int_equal(point, 7);
	return ctx;
}

static void types_of_the_point(void **state)
{
	static const struct btf_view *const view = (const void *)&args; /* not looked into */

	(void)state;
	show.names.types = types_of;
	show.names.ctx = NULL;
	show.btf = view;
	record.head.point = 7;
	assert_int_equal(act(ACTION_PRINTF, "x", 0), 1);
	assert_ptr_equal(show.btf, view);
	show.btf = NULL;
	show.names = (struct bt_names){ 0 };
}

static void of_others(void **state)
{
	(void)state;
	assert_int_equal(act(ACTION_PRINT_MAP, NULL, 0), 0);
	assert_int_equal(act(ACTION_CLEAR, NULL, 0), 0);
	assert_int_equal(act(ACTION_EXIT, NULL, 0), 0);
	assert_out("");
}

static void short_records(void **state)
{
	const struct script_action a = {
		.kind = ACTION_PRINTF, .text = "kept %s", .args = &args[1], .arg_count = 1
	};

	(void)state;
	buf_str(&out, "before ");
	assert_int_equal(bt_action_show(&show, &a, &record, 4), -EBADMSG);
	assert_int_equal(bt_action_show(&show, &a, &record, 20), -EBADMSG);
	assert_out("before ");
}

static void the_run(void **state)
{
	(void)state;
	bt_attached_show(&show, 1);
	bt_attached_show(&show, 2);
	assert_err("Attached 1 probe\nAttached 2 probes\n");
	bt_detached_show(&show);
	assert_out("\n\n");
	with_json(true);
	bt_attached_show(&show, 2);
	bt_detached_show(&show);
	assert_out("{\"type\": \"attached_probes\", \"count\": 2, \"data\": {\"probes\": 2}}\n");
	with_json(false);
}

/* ---- cgroups ---- */

static void cgroups(void **state)
{
	const struct script_type t = type_of(SCRIPT_CGROUP, sizeof(struct script_cgroup));
	struct script_cgroup none = { .id = UINT64_MAX };
	struct stat st;

	(void)state;
	assert_string_equal(text_of(&t, &none), "");
	if (stat("/sys/fs/cgroup/cgroup.controllers", &st) || stat("/sys/fs/cgroup", &st))
		return; /* version 2 is not mounted here */
	assert_string_equal(text_of(&t, &(struct script_cgroup){ .id = st.st_ino, .filter = 2 }),
			    "unified:/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printf_action), cmocka_unit_test(messages),
		cmocka_unit_test(missing_keys),	 cmocka_unit_test(warnings),
		cmocka_unit_test(print_action),	 cmocka_unit_test(print_literal),
		cmocka_unit_test(time_action),	 cmocka_unit_test(join_action),
		cmocka_unit_test(emit_action),	 cmocka_unit_test(cat_action),
		cmocka_unit_test(system_action), cmocka_unit_test(types_of_the_point),
		cmocka_unit_test(of_others),	 cmocka_unit_test(short_records),
		cmocka_unit_test(the_run),	 cmocka_unit_test(cgroups),
	};

	return cmocka_run_group_tests(tests, show_setup, show_teardown);
}
