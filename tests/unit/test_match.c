/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_match.c - which functions a PROBE takes: names, patterns, types of parameters, modules.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "probe/providers/function_list.h"
#include "btf_build.h"

static struct btf_build kernel_build, mod_build;
static struct btf_view *kernel;
static uint8_t *kernel_bytes;
static struct btf_modules *modules;
static char folder[] = "/tmp/test_match.XXXXXX";

static uint32_t func(struct btf_build *b, const char *name, uint32_t first, uint32_t second)
{
	return build_func(b, name, 1,
			  (struct build_part[]){ { "a", first, 0, 0 }, { "b", second, 0, 0 } }, 2);
}

/* sock_t is struct sock; sk is struct sock *; csk, const struct sock *; fwd, struct page * of a
 * struct that is only named. */
static uint32_t int_id, sk, csk, skb, user, sock_t_pointer, sock_t, double_sk, fwd, void_pointer;

static void kernel_make(struct btf_build *b)
{
	uint32_t sock, sk_buff;

	int_id = build_int(b, "int", 4, BTF_INT_SIGNED);
	sock = build_struct(b, BTF_KIND_STRUCT, "sock", 8,
			    (struct build_part[]){ { "x", int_id, 0, 0 } }, 1);
	sk_buff = build_struct(b, BTF_KIND_STRUCT, "sk_buff", 8,
			       (struct build_part[]){ { "x", int_id, 0, 0 } }, 1);
	sk = build_ref(b, BTF_KIND_PTR, "", sock);
	csk = build_ref(b, BTF_KIND_PTR, "", build_ref(b, BTF_KIND_CONST, "", sock));
	csk = build_ref(b, BTF_KIND_CONST, "", csk);
	skb = build_ref(b, BTF_KIND_PTR, "", sk_buff);
	user = build_int(b, "long unsigned int", 8, 0);
	sock_t = build_ref(b, BTF_KIND_TYPEDEF, "sock_t", sock);
	sock_t_pointer = build_ref(b, BTF_KIND_PTR, "", sock_t);
	double_sk = build_ref(b, BTF_KIND_PTR, "", sk);
	fwd = build_ref(b, BTF_KIND_PTR, "", build_ref(b, BTF_KIND_FWD, "page", 0));
	void_pointer = build_ref(b, BTF_KIND_PTR, "", 0);
	func(b, "tcp_send", sk, int_id);
	func(b, "tcp_recv", csk, skb);
	func(b, "tcp_init", int_id, int_id);
	func(b, "udp_send", int_id, sock_t_pointer);
	func(b, "udp_many", double_sk, user);
	func(b, "page_free", fwd, void_pointer);
	func(b, "shared", int_id, int_id);
}

/* The first module's functions are found by the kernel's types; the second one's by its own. */
static void file_write(const char *name, const void *bytes, size_t size)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static int setup(void **state)
{
	uint8_t *bytes;
	size_t size;
	uint32_t own;

	(void)state;
	assert_non_null(mkdtemp(folder));
	kernel_make(&kernel_build);
	kernel_bytes = build_bytes(&kernel_build, &size);
	file_write("vmlinux", kernel_bytes, size);
	assert_int_equal(btf_view_from(kernel_bytes, size, &kernel), 0);
	mod_build.base = &kernel_build;
	func(&mod_build, "tcp_mod", sk, int_id);
	func(&mod_build, "shared", int_id, int_id);
	own = build_struct(&mod_build, BTF_KIND_STRUCT, "own", 8,
			   (struct build_part[]){ { "x", int_id, 0, 0 } }, 1);
	func(&mod_build, "mod_only", build_ref(&mod_build, BTF_KIND_PTR, "", own), int_id);
	bytes = build_bytes(&mod_build, &size);
	file_write("zeta", bytes, size);
	file_write("alpha", bytes, size);
	free(bytes);
	assert_int_equal(btf_modules_open(kernel, folder, &modules), 0);
	return 0;
}

static int teardown(void **state)
{
	char command[64];

	(void)state;
	btf_modules_close(modules);
	btf_view_close(kernel);
	free(kernel_bytes);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static int take(const struct function_match *f, void *context)
{
	char *text = context;

	assert_int_equal(btf_view_kind(f->btf, f->id), BTF_KIND_FUNC);
	assert_string_equal(btf_view_name(f->btf, f->id), f->name);
	sprintf(text + strlen(text), "%s%s%s%s", *text ? " " : "", f->module ?: "",
		f->module ? ":" : "", f->name);
	return strcmp(f->name, "tcp_init") ? 0 : 7;
}

static int matched(const struct probe_spec *spec, struct btf_modules *from, char *got)
{
	struct function_pattern list[4];
	struct function_patterns patterns = { .list = list, .count = spec->count };

	assert_true(spec->count <= COUNT(list));
	for (size_t i = 0; i < spec->count; i++)
		list[i] = (struct function_pattern){ .name = spec->items[i].name,
						     .module = spec->items[i].scope,
						     .type = spec->items[i].type,
						     .is_pattern = spec->items[i].is_pattern };
	return functions_match(&patterns, kernel, from, take, got);
}

static void check(const char *pattern, const char *want)
{
	struct probe_spec_error error;
	struct probe_spec spec;
	char got[1024] = "";

	assert_int_equal(probe_spec_parse(pattern, &spec, &error), 0);
	assert_int_equal(matched(&spec, modules, got), 0);
	assert_string_equal(got, want);
	probe_spec_free(&spec);
}

static void test_names(void **state)
{
	(void)state;
	check("tcp_send", "tcp_send");
	check("tcp_none", "");
	check("tcp_recv,tcp_send,tcp_recv", "tcp_recv tcp_send");
	/* a mere name is looked for in the modules when the kernel has none */
	check("shared", "shared");
	check("mod_only", "alpha:mod_only zeta:mod_only");
	check("zeta:shared", "zeta:shared");
	check("*:shared", "shared alpha:shared zeta:shared");
	check("vmlinux:tcp_mod", "");
	check("vmlinux:shared,alpha:mod_only", "shared alpha:mod_only");
	check("beta:shared", "");
}

static void test_patterns(void **state)
{
	(void)state;
	check("tcp_[rs]*", "tcp_send tcp_recv");
	check("*_send", "tcp_send udp_send");
	check("*_send,udp_*", "tcp_send udp_send udp_many");
	check("tcp_mo[a-z]", "alpha:tcp_mod zeta:tcp_mod");
	check("z*:*", "zeta:tcp_mod zeta:shared zeta:mod_only");
	check("vmlinux:*_mo[a-z]", "");
	check("s*ed", "shared alpha:shared zeta:shared");
	check("?", "");
}

static void test_types(void **state)
{
	(void)state;
	check("*(struct sock *)", "tcp_send tcp_recv udp_send alpha:tcp_mod zeta:tcp_mod");
	check("tcp_r*(struct sock*)", "tcp_recv");
	check("*(sock_t *)", "udp_send");
	check("*(sock *)", "tcp_send tcp_recv udp_send alpha:tcp_mod zeta:tcp_mod");
	check("*(struct sock **)", "udp_many");
	check("*(struct sk_buff *),page*", "tcp_recv page_free");
	check("*(struct page *)", "page_free");
	check("*(union page *)", "");
	check("*(void *)", "page_free");
	check("*(long unsigned int)", "udp_many");
	check("*(unsigned long)", "udp_many");
	check("u*(unsigned long int)", "udp_many");
	check("*(unsigned long long)", "");
	check("*(long)", "");
	check("tcp_s*(signed)", "tcp_send");
	check("tcp_s*(unsigned)", "");
	check("tcp_s*(char)", "");
	check("*(const struct own *)", "alpha:mod_only zeta:mod_only");
	check("*(struct own *),vmlinux:tcp_s*", "tcp_send alpha:mod_only zeta:mod_only");
	check("*(struct soc *)", "");
	check("*(enum sock *)", "");
}

static void test_kernel_alone(void **state)
{
	struct probe_spec_error error;
	struct probe_spec spec;
	char got[1024] = "";

	(void)state;
	assert_int_equal(probe_spec_parse("*_send,*_mod", &spec, &error), 0);
	assert_int_equal(matched(&spec, NULL, got), 0);
	assert_string_equal(got, "tcp_send udp_send");
	probe_spec_free(&spec);
}

static void test_stops(void **state)
{
	struct probe_spec_error error;
	struct probe_spec spec;
	char got[1024] = "";

	(void)state;
	assert_int_equal(probe_spec_parse("*", &spec, &error), 0);
	assert_int_equal(matched(&spec, modules, got), 7);
	assert_string_equal(got, "tcp_send tcp_recv tcp_init");
	probe_spec_free(&spec);
}

static void test_wrong_types(void **state)
{
	static const char *const wrong[] = { "*(struct)", "*(*)", "*(struct sock * x)", "*(a-b)",
					     "*(struct sock &)" };
	struct probe_spec_error error;
	struct probe_spec spec;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct function_list list;
		char text[64];

		snprintf(text, sizeof(text), "tcp_*,%s", wrong[i]);
		assert_int_equal(probe_spec_parse(text, &spec, &error), 0);
		assert_int_equal(function_list_find(&list, &spec, kernel, NULL, 0, &error),
				 -EINVAL);
		assert_int_equal(error.start, 6);
		assert_int_equal(error.end, strlen(text));
		assert_non_null(strstr(error.message, "is not the type"));
		assert_int_equal(list.found.count, 0);
		function_list_free(&list);
		probe_spec_free(&spec);
	}
}

static void test_no_folder(void **state)
{
	struct btf_modules *none;

	(void)state;
	assert_int_equal(btf_modules_open(kernel, "/no/such/folder", &none), -ENOENT);
	assert_int_equal(btf_modules_count(NULL), 0);
	assert_int_equal(btf_modules_count(modules), 2);
	assert_string_equal(btf_modules_name(modules, 0), "alpha");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	  cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_types),	  cmocka_unit_test(test_kernel_alone),
		cmocka_unit_test(test_stops),	  cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_no_folder),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
