/* SPDX-License-Identifier: GPL-2.0-only */
/* test_usyms.c - functions of ELF files made here, broken ones too, and of this very process. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_elf.h"
#include "symbols/user/usyms_match.h"
#include "elf_sample.h"
#include "unit.h"

/* In a folder of its own. */
static const char path[] = "file";

static int file_write(const void *bytes, size_t size)
{
	int fd = open(path, O_RDWR | O_TRUNC);

	assert_int_equal(write(fd, bytes, size), size);
	return fd;
}

/* ---- by name ---- */

static void find_by_name(void **state)
{
	static const struct {
		const char *name;
		int err;
		uint64_t offset;
	} cases[] = {
		{ "read", 0, 0x1100 },	    { "__read", 0, 0x1100 },
		{ "helper", 0, 0x1010 },    { "second", 0, 0x2010 },
		{ "strlen", 0, 0x1200 },    { "exported", 0, 0x1800 },
		{ "rea", -ENOENT, 0 },	    { "read@@GLIBC_2.2.5", 0, 0x1100 },
		{ "table", -ENOENT, 0 },    { "puts", -ENOENT, 0 },
		{ "bss_only", -ENOENT, 0 }, { "", -ENOENT, 0 },
	};
	struct elf_sample e;
	uint64_t offset;

	(void)state;
	sample_make(&e, false);
	close(file_write(&e, sizeof(e)));
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(usyms_find(path, cases[i].name, &offset, NULL), cases[i].err);
		assert_int_equal(offset, cases[i].offset);
	}
	sample_make(&e, true);
	close(file_write(&e, sizeof(e)));
	assert_int_equal(usyms_find(path, "helper", &offset, NULL), -ENOENT);
	assert_int_equal(usyms_find(path, "exported", &offset, NULL), 0);
}

/* ---- by a pattern ---- */

static void find_by_pattern(void **state)
{
	struct usym_functions l;
	struct elf_sample e;

	(void)state;
	sample_make(&e, false);
	close(file_write(&e, sizeof(e)));
	assert_int_equal(usyms_match(path, "*", false, &l), 0);
	assert_int_equal(l.count, 5); /* the name with an escape sequence is none */
	assert_string_equal(l.list[0].name, "exported");
	assert_int_equal(l.list[0].offset, 0x1800);
	assert_null(l.list[0].also);
	assert_string_equal(l.list[3].name, "read");
	assert_string_equal(l.list[3].also, "__read __GI___read");
	assert_int_equal(l.aliases, 1);
	assert_int_equal(l.left_out[USYM_INDIRECT].count, 1);
	assert_string_equal(l.left_out[USYM_INDIRECT].first, "strlen");
	usym_functions_free(&l);
	assert_int_equal(usyms_match(path, "__r*", false, &l), 0);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.list[0].name, "__read");
	assert_null(l.list[0].also);
	usym_functions_free(&l);
	assert_int_equal(usyms_match(path, "nobody*", false, &l), 0);
	assert_int_equal(l.count, 0);
	usym_functions_free(&l);
	assert_int_equal(usyms_match("/no/such/file", "*", false, &l), -ENOENT);
	usym_functions_free(&l);
}

/* A name that says that its return cannot be traced holds for the function's other names, too. */
static void returns_left_out(void **state)
{
	struct usym_functions l;
	struct elf_sample e;

	(void)state;
	sample_make(&e, false);
	strcpy(e.strtab + e.symtab[1].st_name, "_start"); /* was __read */
	close(file_write(&e, sizeof(e)));
	assert_int_equal(usyms_match(path, "read", true, &l), 0);
	assert_int_equal(l.count, 0);
	assert_int_equal(l.left_out[USYM_RETURN].count, 1);
	assert_string_equal(l.left_out[USYM_RETURN].first, "read");
	usym_functions_free(&l);
	assert_int_equal(usyms_match(path, "read", false, &l), 0);
	assert_int_equal(l.count, 1);
	usym_functions_free(&l);
}

static void names_judged(void **state)
{
	static const char *const harmful[] = { "_start", "_setjmp", "__sigsetjmp", "swapcontext",
					       "_dl_runtime_resolve_xsavec" };

	(void)state;
	for (size_t i = 0; i < COUNT(harmful); i++) {
		assert_int_equal(usym_fault_of(harmful[i], false, true), USYM_RETURN);
		assert_int_equal(usym_fault_of(harmful[i], false, false), USYM_FINE);
	}
	assert_int_equal(usym_fault_of("longjmp", false, true), USYM_FINE);
	assert_int_equal(usym_fault_of("main", false, true), USYM_FINE);
	assert_int_equal(usym_fault_of("main.cold", false, false), USYM_PART);
	assert_int_equal(usym_fault_of("main.cold.3", false, false), USYM_PART);
	assert_int_equal(usym_fault_of("main.colder", false, false), USYM_FINE);
	assert_int_equal(usym_fault_of("main", true, false), USYM_INDIRECT);
}

static bool indirect_count(void *ctx, const struct usym *s)
{
	*(int *)ctx += s->indirect;
	return false;
}

static void files_that_are_none(void **state)
{
	struct elf_sample e;
	uint64_t offset;
	int indirect = 0;

	(void)state;
	assert_int_equal(usyms_find("/no/such/file", "read", &offset, NULL), -ENOENT);
	close(file_write("#!/bin/sh\n", 10));
	assert_int_equal(usyms_find(path, "read", &offset, NULL), -ENOEXEC);
	close(file_write("", 0));
	assert_int_equal(usyms_find(path, "read", &offset, NULL), -ENOEXEC);
	assert_int_equal(usyms_find("/tmp", "read", &offset, NULL), -EINVAL);
	sample_make(&e, false);
	close(file_write(&e, sizeof(e)));
	assert_int_equal(usyms_each(path, indirect_count, &indirect), 0);
	assert_int_equal(indirect, 1);
}

/* ---- by place ---- */

static void expect(const struct usyms_elf *e, uint64_t place, const char *name, uint64_t offset)
{
	uint64_t at = ~0ull;
	const char *got = usyms_elf_name(e, place, &at);

	if (!name) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, name);
	assert_int_equal(at, offset);
}

static void names_by_place(void **state)
{
	struct usyms_elf *e;
	struct elf_sample image;
	int fd;

	(void)state;
	sample_make(&image, false);
	fd = file_write(&image, sizeof(image));
	assert_int_equal(usyms_elf_read(fd, NULL, 0, &e), 0);
	close(fd);
	expect(e, 0, NULL, 0);
	expect(e, 0x100f, NULL, 0);
	expect(e, 0x1010, "helper", 0);
	expect(e, 0x104f, "helper", 0x3f);
	expect(e, 0x1050, NULL, 0);   /* behind its end */
	expect(e, 0x1105, "read", 5); /* of three names the best known, without its version */
	expect(e, 0x1200, "strlen", 0);
	expect(e, 0x1380, "no_size", 0x80); /* up to the next */
	expect(e, 0x2014, "second", 4);
	expect(e, 0x2900, NULL, 0);
	expect(e, ~0ull, NULL, 0);
	assert_int_equal(usyms_elf_address(e, 0x1123), 0x401123);
	assert_int_equal(usyms_elf_address(e, 0x2014), 0x404014);
	assert_int_equal(usyms_elf_address(e, 0x9000), 0x9000);
	usyms_elf_free(e);
}

/* Cut anywhere, and with any byte of its headers changed: no crash (under ASAN, no bad access). */
static void broken_files(void **state)
{
	uint64_t seed = 7, at;
	struct elf_sample good, e;

	(void)state;
	sample_make(&good, false);
	for (size_t size = 0; size < sizeof(good); size += 37) {
		close(file_write(&good, size));
		usyms_find(path, "nobody", &at, NULL);
	}
	for (int i = 0; i < 2500; i++) {
		struct usyms_elf *elf;
		int fd;

		e = good;
		for (int j = 0; j < 3; j++)
			((uint8_t *)&e)[random_next(&seed) % sizeof(e)] = random_next(&seed);
		fd = file_write(&e, sizeof(e));
		usyms_find(path, "nobody", &at, NULL);
		if (!usyms_elf_read(fd, NULL, 0, &elf))
			usyms_elf_name(elf, random_next(&seed) % 0x3000, &at);
		usyms_elf_free(elf);
		close(fd);
	}
}

/* ---- files made to do harm ---- */

static int sample_read(const struct elf_sample *e, size_t size, struct usyms_elf **elf)
{
	int fd = file_write(e, sizeof(*e)), err;

	assert_int_equal(ftruncate(fd, size), 0);
	err = usyms_elf_read(fd, NULL, 0, elf);
	close(fd);
	return err;
}

/* What is read is refused or harmless, by name and by place, and the segments are known if they can be. */
static void counts_and_places_that_lie(void **state)
{
	const uint64_t tera = 1ull << 40;
	static const struct {
		const char *what;
		int err;
		bool is_segments;
	} cases[] = {
		{ "more segments than the kernel loads", -EFBIG, false },
		{ "more segments than their count has bits for", -EFBIG, false },
		{ "more sections than their count has bits for", -EFBIG, true },
		{ "sections behind the end", -ENOEXEC, true },
		{ "sections whose place wraps", -ENOEXEC, true },
		{ "a table of a terabyte, most of it a hole", -EFBIG, true },
		{ "names of a terabyte, most of it a hole", -EFBIG, true },
		{ "names behind the end", -ENOEXEC, true },
		{ "symbols whose size wraps", -ENOEXEC, true },
		{ "names that are the table itself", -ENOEXEC, true },
		{ "names of a section that is not there", -ENOEXEC, true },
		{ "symbols of another size", -ENOEXEC, true },
		{ "another byte order", -ENOEXEC, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t size = sizeof(struct elf_sample);
		struct elf_sample e;
		struct usyms_elf *elf;
		uint64_t offset;

		sample_make(&e, false);
		switch (i) {
		case 0:
			e.head.e_phnum = 0xfffe;
			size = 10 << 20;
			break;
		case 1:
			e.head.e_phnum = PN_XNUM;
			e.sections[0].sh_info = 20000000;
			size = tera;
			break;
		case 2:
			e.head.e_shnum = 0;
			e.sections[0].sh_size = ~0ull;
			size = tera;
			break;
		case 3: e.head.e_shoff = size - 8; break;
		case 4: e.head.e_shoff = ~0ull - 7; break;
		case 5:
			e.sections[SAMPLE_SYMTAB].sh_size = tera;
			size = 2 * tera;
			break;
		case 6:
			e.sections[SAMPLE_STRTAB].sh_size = tera;
			size = 2 * tera;
			break;
		case 7: e.sections[SAMPLE_STRTAB].sh_offset = size; break;
		case 8: e.sections[SAMPLE_SYMTAB].sh_size = ~0ull - 100; break;
		case 9: e.sections[SAMPLE_SYMTAB].sh_link = SAMPLE_SYMTAB; break;
		case 10: e.sections[SAMPLE_SYMTAB].sh_link = 77; break;
		case 11: e.sections[SAMPLE_SYMTAB].sh_entsize = 0; break;
		case 12: e.head.e_ident[EI_DATA] = ELFDATA2MSB; break;
		}
		if (sample_read(&e, size, &elf) != cases[i].err || !elf == cases[i].is_segments)
			fail_msg("%s", cases[i].what);
		if (elf)
			assert_int_equal(usyms_elf_address(elf, 0x1123), 0x401123);
		usyms_elf_free(elf);
		assert_int_equal(usyms_find(path, "helper", &offset, NULL), cases[i].err);
	}
}

enum { LONG_COUNT = 50000 };

/* Each symbol's name is the end of one string: 1.25 GB of names in a file of 1.25 MB. */
static void names_that_overlap(void **state)
{
	size_t size = sizeof(struct elf_sample) + LONG_COUNT * (sizeof(Elf64_Sym) + 1) + 1;
	struct elf_sample *e = malloc(size);
	Elf64_Sym *symbols = (Elf64_Sym *)(e + 1);
	char *text = (char *)(symbols + LONG_COUNT);
	struct usyms_elf *elf;
	const char *name;
	uint64_t offset;

	(void)state;
	sample_make(e, false);
	for (int i = 0; i < LONG_COUNT; i++)
		symbols[i] = sample_symbol(i, STB_GLOBAL, STT_FUNC, 0x401000 + i, 1);
	memset(text, 'a', LONG_COUNT);
	text[LONG_COUNT] = '\0';
	e->segments[0].p_filesz = LONG_COUNT;
	sample_section(e, SAMPLE_SYMTAB, SHT_SYMTAB, sizeof(*e), LONG_COUNT * sizeof(*symbols),
		       SAMPLE_STRTAB, sizeof(*symbols));
	sample_section(e, SAMPLE_STRTAB, SHT_STRTAB, text - (char *)e, LONG_COUNT + 1, 0, 0);
	assert_int_equal(usyms_elf_read(-1, e, size, &elf), 0);
	assert_in_range(usyms_elf_bytes(elf), 0, 2 * size);
	name = usyms_elf_name(elf, 0x1000, &offset);
	assert_int_equal(strlen(name), 4096 + strlen("..."));
	assert_string_equal(name + 4096, "...");
	assert_string_equal(usyms_elf_name(elf, 0x1000 + LONG_COUNT - 3, &offset), "aaa");
	usyms_elf_free(elf);
	free(e);
}

/* A name that begins like another one, and one that has no end in its table. */
static void names_at_the_end(void **state)
{
	struct elf_sample e;
	struct usyms_elf *elf;

	(void)state;
	sample_make(&e, false);
	memset(e.strtab + 200, 'x', sizeof(e.strtab) - 200);
	e.symtab[1].st_name = 254;
	e.symtab[2].st_name = 256;
	e.symtab[3].st_name = UINT32_MAX;
	assert_int_equal(sample_read(&e, sizeof(e), &elf), 0);
	expect(elf, 0x1105, "xx", 5);
	usyms_elf_free(elf);
}

/* Whoever waits to write to it is not woken, which an opening for reading would do. */
static void what_is_no_regular_file(void **state)
{
	const char *name = "fifo";
	uint64_t offset;

	(void)state;
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_int_equal(usyms_find(name, "read", &offset, NULL), -EINVAL);
	unlink(name);
	assert_int_equal(usyms_find("/dev/zero", "read", &offset, NULL), -EINVAL);
	assert_non_null(strstr(elf_strerror(-EINVAL), "regular file"));
	assert_non_null(strstr(elf_strerror(-EFBIG), "too large"));
	assert_non_null(strstr(elf_strerror(-ENOENT), "No such file"));
}

/* ---- of a process ---- */

__attribute__((noinline, used)) static int known_function(int x)
{
	return x * 3 + getpid();
}

static void own_process(void **state)
{
	struct usyms_place place;
	const char *name;

	(void)state;
	usyms_poll();
	name = usyms_name(getpid(), (uint64_t)known_function + 2, &place);
	assert_non_null(name);
	assert_string_equal(name, "known_function");
	assert_int_equal(place.offset, 2);
	assert_string_equal(place.module, "unit");
	assert_string_equal(strrchr(place.path, '/'), "/unit");
	assert_false(place.changed);
	assert_null(usyms_name(getpid(), 16, &place));
	assert_null(place.module);
}

static void gone_process(void **state)
{
	struct usyms_place place = { .module = "x" };
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	assert_null(usyms_name(pid, (uint64_t)known_function, &place));
	assert_null(place.module);
}

/* A file of functions, mapped into this process; to the end, for without a watch it would be seen only
 * a second later that something else is there. */
static char *library_map(const char *name, const char *function)
{
	struct elf_sample e;
	char *at;
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0700);

	sample_make(&e, false);
	sample_rename(&e, "helper", function);
	assert_int_equal(write(fd, &e, sizeof(e)), sizeof(e));
	assert_int_equal(ftruncate(fd, 0x3000), 0);
	at = mmap(NULL, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0x1000);
	assert_ptr_not_equal(at, MAP_FAILED);
	close(fd);
	return at;
}

/* Maps and files are not looked at again and again, the less often the longer a look takes: what is new
 * has its name later. */
static const char *name_later(const char *at, const char *want, struct usyms_place *place)
{
	const char *name = NULL;

	for (int i = 0; i < 400; i++) {
		usleep(50000);
		usyms_poll();
		name = usyms_name(getpid(), (uint64_t)at + 0x12, place);
		if (name && !strcmp(name, want))
			break;
	}
	return name;
}

static void expect_name(const char *at, const char *name, const char *module, bool changed)
{
	struct usyms_place place;
	const char *got = name_later(at, name, &place);

	assert_non_null(got);
	assert_string_equal(got, name);
	assert_string_equal(place.module, module);
	assert_int_equal(place.changed, changed);
	assert_int_equal(place.offset, 2);
}

/* What only changes the inode's time is no change. */
static void rewritten_in_place(void **state)
{
	const char *name = "lib";
	char *at = library_map(name, "helper");
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_NOW } };

	(void)state;
	expect_name(at, "helper", "lib", false);
	chmod(name, 0755);
	utimensat(AT_FDCWD, name, times, 0);
	expect_name(at, "helper", "lib", false);
	library_map(name, "hacker");
	expect_name(at, "hacker", "lib", true);
	unlink(name);
	expect_name(at, "hacker", "lib", true);
}

static void odd_names(void **state)
{
	/* a newline, the kernel's word for one, a mark of deletion, and what is not the vdso */
	static const char *const names[] = { "a\nb", "x (deleted)", "[vdso]" };
	static const char *const modules[] = { "a\nb", "x", "[vdso]" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		char *at = library_map(names[i], "helper");

		expect_name(at, "helper", modules[i], false);
		unlink(names[i]);
		expect_name(at, "helper", modules[i], false);
	}
}

/* More than is kept: those that are left are named all the same. */
static void files_without_end(void **state)
{
	char name[256], *last;
	size_t before = mallinfo2().uordblks;

	(void)state;
	for (int i = 0; i < 2500; i++) {
		struct usyms_place place;

		memset(name, 'n', 240);
		sprintf(name + 240, "%d", i);
		last = library_map(name, "helper");
		unlink(name);
		usyms_poll();
		usyms_name(getpid(), (uint64_t)last + 0x12, &place);
		if (i % 800 == 0)
			expect_name(last, "helper", name, false);
	}
	expect_name(last, "helper", name, false);
	assert_in_range(mallinfo2().uordblks, 0, before + (2 << 20));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_by_name),
		cmocka_unit_test(find_by_pattern),
		cmocka_unit_test(returns_left_out),
		cmocka_unit_test(names_judged),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(names_by_place),
		cmocka_unit_test(broken_files),
		cmocka_unit_test(counts_and_places_that_lie),
		cmocka_unit_test(names_that_overlap),
		cmocka_unit_test(names_at_the_end),
		cmocka_unit_test(what_is_no_regular_file),
		cmocka_unit_test(own_process),
		cmocka_unit_test(gone_process),
		cmocka_unit_test(rewritten_in_place),
		cmocka_unit_test(odd_names),
		cmocka_unit_test(files_without_end),
	};
	char folder[] = "/tmp/test_usyms.XXXXXX";
	int failed;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	close(open(path, O_CREAT | O_WRONLY, 0600));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(folder);
	return failed;
}
