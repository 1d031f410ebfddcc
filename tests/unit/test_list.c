/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_list.c - the fields of tracefs' format files, and parameters of prototypes, as text and JSON.
 */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "probe/providers/tracefs.h"
#include "inspect/list.h"
#include "btf_build.h"

static const char format[] =
	"name: made_up\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:const char * filename;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:char comm[16];\toffset:24;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long flags;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __filename_val;\toffset:56;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"field:no %s\", REC->comm\n";

static void check_fields(const char *text, bool json, const char *want)
{
	struct buf o;

	buf_init(&o, -1);
	list_fields(text, json, &o);
	buf_char(&o, 0);
	assert_string_equal(o.data, want);
	buf_free(&o);
}

static void test_fields(void **state)
{
	(void)state;
	check_fields(
		format, false,
		"const char *filename, char comm[16], __data_loc char[] path, unsigned long flags");
	check_fields(format, true,
		     "{\"name\":\"filename\",\"ctype\":\"const char *\"},"
		     "{\"name\":\"comm\",\"ctype\":\"char[16]\"},"
		     "{\"name\":\"path\",\"ctype\":\"__data_loc char[]\"},"
		     "{\"name\":\"flags\",\"ctype\":\"unsigned long\"}");
	check_fields("name: x\n\nprint fmt: \"\"\n", false, "void");
	check_fields("name: x\n", true, "");
	check_fields("\tfield:", false, ""); /* cut short: nothing is read behind it */
}

static void check_param(const struct expr_param *p, const char *type, const char *name,
			unsigned offset, unsigned size, bool is_array)
{
	assert_string_equal(p->type, type);
	assert_string_equal(p->name, name);
	assert_int_equal(p->offset, offset);
	assert_int_equal(p->size, size);
	assert_int_equal(p->is_array, is_array);
}

static void test_format(void **state)
{
	struct tracefs_event f;

	(void)state;
	assert_int_equal(tracefs_event_parse(strdup(format), &f), 0);
	assert_int_equal(f.id, 7);
	assert_int_equal(f.count, 5);
	check_param(&f.params[0], "const char *", "filename", 16, 8, false);
	check_param(&f.params[1], "char", "comm", 24, 16, true);
	check_param(&f.params[2], "char", "path", 40, 4, true);
	assert_int_equal(f.params[2].where, EXPR_PARAM_DATA_LOC);
	check_param(&f.params[3], "unsigned long", "flags", 48, 8, false);
	check_param(&f.params[4], "int", "__syscall_nr", 8, 4, false);
	assert_true(f.params[4].is_hidden && !f.params[3].is_hidden);
	tracefs_event_free(&f);
	assert_int_equal(
		tracefs_event_parse(strdup("name: x\nID: 7\n\tfield:int a;\tsize:4;\n"), &f),
		-EBADMSG);
	assert_int_equal(tracefs_event_parse(strdup("no number"), &f), -EBADMSG);
}

static void check_params(const struct btf_view *btf, uint32_t proto, unsigned skip, bool json,
			 const char *want)
{
	struct buf o;

	buf_init(&o, -1);
	list_params(btf, btf_view_type(btf, proto), skip, json, &o);
	buf_char(&o, 0);
	assert_string_equal(o.data, want);
	buf_free(&o);
}

static void test_params(void **state)
{
	struct btf_build b = { 0 };
	struct btf_view *btf;
	uint32_t id = build_int(&b, "int", 4, BTF_INT_SIGNED), func;
	uint32_t pointer = build_ref(&b, BTF_KIND_PTR, "", id);
	uint8_t *bytes;
	size_t size;

	(void)state;
	func = build_func(&b, "f", id,
			  (struct build_part[]){ { "a", id, 0, 0 },
						 { "p", pointer, 0, 0 },
						 { "", pointer, 0, 0 },
						 { "", 0, 0, 0 } },
			  4);
	bytes = build_bytes(&b, &size);
	assert_int_equal(btf_view_from(bytes, size, &btf), 0);
	check_params(btf, func - 1, 0, false, "int a, int *p, int *, ...");
	check_params(btf, func - 1, 2, true,
		     "{\"name\":null,\"ctype\":\"int *\"},{\"name\":null,\"ctype\":\"...\"}");
	check_params(btf, func - 1, 4, false, "void");
	btf_view_close(btf);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_params),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
