/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_dwarf_info.c - types of a program's functions, from each version of DWARF, by two compilers, as BTF; damaged bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "symbols/user/dwarf_place.h"
#include "symbols/user/usyms.h"
#include "unit.h"

static const char source[] =
	"struct other;\n"
	"enum hue { RED = 1, BLUE = -7 };\n"
	"union either { int whole; char parts[4]; };\n"
	"typedef struct inner { short a : 3, b : 9; struct inner *next; int grid[2][3]; } inner_t;\n"
	"struct outer { const inner_t *in; union either either; enum hue hue; void (*call)(int);\n"
	"	struct { long deep; }; struct other *other; unsigned char last; };\n"
	"__attribute__((noinline)) int one(struct outer *o, enum hue h, const char *text, double d, _Bool is)\n"
	"{ __asm__ volatile(\"\"); return o->hue + h + text[0] + (int)d + is; }\n"
	"struct large { long all[9]; };\n"
	"__attribute__((noinline)) struct large two(int n) { __asm__ volatile(\"\"); return (struct large){ { n } }; }\n"
	"int main(int argc, char **argv) { struct outer o = { .hue = argc };\n"
	"	return one(&o, RED, argv[0], 1.5, 1) + (int)two(argc).all[1]; }\n";

static char folder[] = "/tmp/test_dwarf.XXXXXX";
static const uint32_t number[] = { /* a kernel's types: an int */
				   0x0001eb9f, 24,
				   0,	       16,
				   16,	       5,
				   1,	       BTF_KIND_INT << 24,
				   4,	       BTF_INT_SIGNED << 24 | 32
};
static char kernel[sizeof(number) + 5];
static struct btf_view *base;

struct types {
	struct dwarf_info info;
	struct dwarf_types types;
	uint32_t id;
	struct btf_view *view;
	int err;
};

static uint64_t address_of(const char *path, const char *name)
{
	uint64_t address = 0, size;
	int err = usyms_object(path, name, &address, &size);

	assert_true(!err || err == -EADDRNOTAVAIL);
	return address;
}

static void types_read(struct types *t, const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct dwarf_entry function;
	struct dwarf_unit unit;

	memset(t, 0, sizeof(*t));
	assert_true(fd >= 0);
	assert_int_equal(dwarf_info_open(fd, &t->info), 0);
	t->info.hides_result = true;
	close(fd);
	t->err = dwarf_function_find(&t->info, address_of(path, name), name, &unit, &function);
	if (t->err)
		return;
	assert_int_equal(dwarf_btf_build(&unit, base, &t->types), 0);
	t->id = dwarf_types_function(&t->types, &function);
	assert_int_equal(btf_view_from_split(base, t->types.bytes, t->types.size, &t->view), 0);
	dwarf_unit_free(&unit);
}

static void types_free(struct types *t)
{
	btf_view_close(t->view);
	dwarf_types_free(&t->types);
	dwarf_info_close(&t->info);
}

static void declared(const struct btf_view *b, uint32_t type, const char *name, const char *text)
{
	char own[200];

	btf_view_declare(b, type, name, own, sizeof(own));
	assert_string_equal(own, text);
}

static void parameter(const struct types *t, unsigned i, const char *text)
{
	const struct btf_type *f = btf_view_type(t->view, t->id);
	const struct btf_type *proto = btf_view_type(t->view, f->type);

	assert_int_equal(btf_kind(f), BTF_KIND_FUNC);
	assert_true(i < btf_vlen(proto));
	declared(t->view, btf_params(proto)[i].type,
		 btf_view_string(t->view, btf_params(proto)[i].name_off), text);
}

static struct btf_found member(const struct btf_view *b, const char *type, const char *name)
{
	uint32_t id = btf_view_find_own(b, BTF_KIND_STRUCT, type);
	struct btf_found found;

	assert_true(btf_view_member(b, id, name, strlen(name), &found));
	return found;
}

static void structs_check(const struct btf_view *b)
{
	declared(b, member(b, "outer", "in").type, "in", "const inner_t *in");
	assert_int_equal(member(b, "outer", "hue").bit_offset, 96);
	assert_int_equal(member(b, "outer", "deep").bit_offset, 192);
	assert_int_equal(member(b, "outer", "last").bit_offset, 320);
	assert_int_equal(btf_view_size(b, btf_view_find_own(b, BTF_KIND_STRUCT, "outer")), 48);
	assert_int_equal(member(b, "inner", "b").bit_offset, 3);
	assert_int_equal(member(b, "inner", "b").bit_size, 9);
	declared(b, member(b, "inner", "grid").type, "grid", "int grid[2][3]");
	declared(b, member(b, "outer", "call").type, "call", "void (*call)(int)");
	declared(b, member(b, "outer", "other").type, "other", "struct other *other");
	assert_int_equal(btf_view_enumerator(b, btf_view_enum_own(b, "BLUE"), "BLUE", 0), -7);
	assert_int_equal(btf_view_enum_own(b, "GREEN"), 0);
}

static void file_check(const char *path)
{
	struct types t;

	types_read(&t, path, "one");
	assert_int_equal(t.err, 0);
	parameter(&t, 0, "struct outer *o");
	parameter(&t, 1, "enum hue h");
	parameter(&t, 2, "const char *text");
	parameter(&t, 3, "double d");
	parameter(&t, 4, "_Bool is");
	structs_check(t.view);
	types_free(&t);
	types_read(&t, path, "two");
	parameter(&t, 0, "void *"); /* where its result shall be */
	parameter(&t, 1, "int n");
	types_free(&t);
	types_read(&t, path, "_start");
	assert_int_equal(t.err, -ENOENT);
	types_free(&t);
}

static bool compiled(const char *compiler, const char *options, char *path, size_t size)
{
	char command[400], code[100];
	FILE *f;

	snprintf(code, sizeof(code), "%s/program.c", folder);
	f = fopen(code, "w");
	assert_true(f && fputs(source, f) >= 0 && !fclose(f));
	snprintf(path, size, "%s/program", folder);
	snprintf(command, sizeof(command), "%s %s -o %s %s 2>/dev/null", compiler, options, path,
		 code);
	return !system(command);
}

static void test_versions(void **state)
{
	static const char *const options[] = { "-g -gdwarf-5 -O2", "-g -gdwarf-4 -O1",
					       "-g -gdwarf-3",	   "-g -gdwarf-2",
					       "-g -gz=zlib",	   "-g -no-pie" };
	char path[200];

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		assert_true(compiled("gcc", options[i], path, sizeof(path)));
		file_check(path);
		if (compiled("clang", options[i], path, sizeof(path)))
			file_check(path);
	}
}

/* With any damaged byte, nothing is read outside of the sections, and the result is BTF. */
static void test_damaged(void **state)
{
	char path[200];
	struct types t;

	(void)state;
	assert_true(compiled("gcc", "-g", path, sizeof(path)));
	types_read(&t, path, "one");
	for (int which = INFO_ENTRIES; which <= INFO_ABBREVS; which++) {
		struct dwarf_section *s = &t.info.sections[which];

		for (size_t at = 0; at < s->size; at++) {
			struct dwarf_info info = { 0 };
			struct dwarf_entry function;
			struct dwarf_unit unit;
			struct dwarf_param params[DWARF_PARAMS_MAX];
			struct dwarf_types types;
			char was = s->bytes[at];

			s->bytes[at] ^= (char)(1 << at % 8);
			memcpy(info.sections, t.info.sections, sizeof(info.sections));
			if (!dwarf_function_find(&info, address_of(path, "one"), "one", &unit,
						 &function)) {
				dwarf_btf_build(&unit, base, &types);
				dwarf_types_free(&types);
				dwarf_params_read(&unit, &function, address_of(path, "one"),
						  &arches[ARCH_X86_64], params);
				dwarf_unit_free(&unit);
			}
			s->bytes[at] = was;
		}
	}
	types_free(&t);
}

/* Writes a program with so large types that its sections get windows; the last unit has the source. */
static bool large_compiled(const char *options, char *path, size_t size)
{
	char command[600], code[100];
	FILE *f;

	snprintf(code, sizeof(code), "%s/large.c", folder);
	f = fopen(code, "w");
	assert_non_null(f);
	for (int i = 0; i < 400; i++) {
		fprintf(f, "struct type_with_a_long_name_%d { int member_with_a_long_name_%d", i,
			i);
		for (int j = 0; j < 60; j++)
			fprintf(f, ", m%d_%d", j, i);
		fprintf(f,
			"; };\n__attribute__((used)) static int function_%d(struct type_with_a_long_name_%d *p) "
			"{ return p->member_with_a_long_name_%d; }\n",
			i, i, i);
	}
	assert_false(fclose(f));
	assert_true(compiled("gcc", "-g", path, size));
	snprintf(command, sizeof(command),
		 "gcc %s -c %s -o %s/large.o && gcc -g -c %s/program.c -o %s/program.o && "
		 "gcc -o %s %s/large.o %s/program.o",
		 options, code, folder, folder, folder, path, folder, folder);
	return !system(command);
}

static void strip_index(const char *path)
{
	char command[300];

	snprintf(command, sizeof(command), "objcopy -R .debug_aranges %s", path);
	assert_false(system(command));
}

/* dwz moves what units share into units of their own, and what files share into a file. */
static void test_shared(void **state)
{
	char path[200], command[1000];
	struct types t;

	(void)state;
	assert_true(compiled("gcc", "-g -O2", path, sizeof(path)));
	snprintf(command, sizeof(command),
		 "cd %s && sed -E 's/\\b(main|one|two)[(]/other_\\1(/g' program.c >other.c && "
		 "gcc -g -O2 -o units program.c other.c && cp units first && cp units second && "
		 "dwz units && dwz -m common -M common first second",
		 folder);
	assert_false(system(command));
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, i ? "first" : "units");
		types_read(&t, path, "one");
		assert_int_equal(t.info.other != NULL, i);
		assert_non_null(i ? t.info.other->units->read : t.info.units->read);
		types_free(&t);
		file_check(path);
	}
	snprintf(command, sizeof(command), "cp %s/units %s/common", folder, folder);
	assert_false(system(command));
	types_read(&t, path, "one"); /* the file has another build ID */
	assert_null(t.info.other->sections[INFO_ENTRIES].bytes);
	types_free(&t);
}

/* Of large sections only the unit of the function is read, with and without the index of addresses. */
static void test_windows(void **state)
{
	static const char *const options[] = { "-g -gdwarf-5 -O1", "-g -gdwarf-4 -O1",
					       "-g -ffunction-sections", "-g -gz=zlib" };
	char path[200];
	struct types t;

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(options) / sizeof(options[0]); i++) {
		if (i % 2)
			strip_index(path);
		else
			assert_true(large_compiled(options[i / 2], path, sizeof(path)));
		file_check(path);
		types_read(&t, path, "function_399");
		assert_int_equal(t.err, 0);
		assert_true(i / 2 == 3 || t.info.sections[INFO_ENTRIES].window);
		parameter(&t, 0, "struct type_with_a_long_name_399 *p");
		types_free(&t);
	}
}

/* A file that is truncated, after its sections were opened, has no function and an error. */
static void test_truncated(void **state)
{
	struct dwarf_info info = { 0 };
	struct dwarf_entry function;
	struct dwarf_unit unit;
	uint64_t address;
	char path[200];
	int fd;

	(void)state;
	assert_true(large_compiled("-g", path, sizeof(path)));
	address = address_of(path, "one");
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(
		dwarf_sections_read(fd, NULL, 0, dwarf_info_names, info.sections, INFO_SECTIONS),
		0);
	assert_non_null(info.sections[INFO_ENTRIES].window);
	assert_false(ftruncate(fd, 100));
	assert_int_equal(dwarf_function_find(&info, address, "one", &unit, &function), -ENOEXEC);
	close(fd);
	dwarf_sections_free(info.sections, INFO_SECTIONS);
}

static int begin(void **state)
{
	(void)state;
	memcpy(kernel, number, sizeof(number));
	memcpy(kernel + sizeof(number), "\0int", 5);
	return !mkdtemp(folder) || btf_view_from(kernel, sizeof(kernel), &base);
}

static int end(void **state)
{
	char command[100];

	(void)state;
	btf_view_close(base);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_versions),
					    cmocka_unit_test(test_damaged),
					    cmocka_unit_test(test_shared),
					    cmocka_unit_test(test_windows),
					    cmocka_unit_test(test_truncated) };

	return cmocka_run_group_tests(tests, begin, end);
}
