/* SPDX-License-Identifier: GPL-2.0 */
/* test_usyms.c - functions of ELF files made here, broken ones too, and of this very process. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/usyms.h"
#include "core/usyms_elf.h"
#include "unit.h"

/* ---- a made-up file ---- */

/*
 * Text from 0x1000 of the file at address 0x401000, and a second segment whose addresses are
 * 0x2000 ahead of the file: what lld makes.
 */
struct image {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	Elf64_Sym symtab[12], dynsym[4];
	char strtab[256], dynstr[64];
	Elf64_Shdr sections[5];
};

enum { NULL_SECTION, SYMTAB, STRTAB, DYNSYM, DYNSTR, SECTIONS };

static char path[] = "/tmp/test_usyms.XXXXXX";

static unsigned name_add(char *table, unsigned *used, const char *name)
{
	unsigned at = *used;

	strcpy(table + at, name);
	*used += strlen(name) + 1;
	return at;
}

static Elf64_Sym symbol(unsigned name, int bind, int type, uint64_t value, uint64_t size)
{
	return (Elf64_Sym){ .st_name = name, .st_info = ELF64_ST_INFO(bind, type), .st_shndx = 1,
			    .st_value = value, .st_size = size };
}

static void section(struct image *e, int i, int type, void *data, size_t size, int link, int entry)
{
	e->sections[i] = (Elf64_Shdr){ .sh_type = type, .sh_offset = (char *)data - (char *)e,
				       .sh_size = size, .sh_link = link, .sh_entsize = entry,
				       .sh_addralign = 8 };
}

static void image_make(struct image *e, bool stripped)
{
	unsigned used = 1, dynamic = 1, n = 1;

	memset(e, 0, sizeof(*e));
	e->head = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
				.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
				.e_phoff = offsetof(struct image, segments), .e_phnum = 2,
				.e_shoff = offsetof(struct image, sections), .e_shnum = SECTIONS,
				.e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr),
				.e_shentsize = sizeof(Elf64_Shdr) };
	e->segments[0] = (Elf64_Phdr){ PT_LOAD, PF_R | PF_X, 0x1000, 0x401000, 0, 0x1000, 0x1000, 1 };
	e->segments[1] = (Elf64_Phdr){ PT_LOAD, PF_R | PF_X, 0x2000, 0x404000, 0, 0x800, 0x1000, 1 };
#define ADD(name, bind, type, value, size)                                                       \
	e->symtab[n++] = symbol(name_add(e->strtab, &used, name), bind, type, value, size)
	ADD("__read", STB_GLOBAL, STT_FUNC, 0x401100, 0x20);
	ADD("read@@GLIBC_2.2.5", STB_WEAK, STT_FUNC, 0x401100, 0x20);
	ADD("__GI___read", STB_LOCAL, STT_FUNC, 0x401100, 0x20);
	ADD("helper", STB_LOCAL, STT_FUNC, 0x401010, 0x40);
	ADD("strlen", STB_GLOBAL, STT_GNU_IFUNC, 0x401200, 0x10);
	ADD("no_size", STB_GLOBAL, STT_FUNC, 0x401300, 0);
	ADD("table", STB_GLOBAL, STT_OBJECT, 0x401400, 8);
	ADD("second", STB_GLOBAL, STT_FUNC, 0x404010, 0x10);
	ADD("bss_only", STB_GLOBAL, STT_FUNC, 0x404900, 0x10); /* behind what the file has */
	ADD("puts", STB_GLOBAL, STT_FUNC, 0, 0);
	e->symtab[n - 1].st_shndx = SHN_UNDEF;
	ADD("\x1b[31m", STB_GLOBAL, STT_FUNC, 0x401500, 0x10);
	e->dynsym[1] = symbol(name_add(e->dynstr, &dynamic, "exported"), STB_GLOBAL, STT_FUNC,
			      0x401800, 0x20);
	section(e, SYMTAB, stripped ? SHT_PROGBITS : SHT_SYMTAB, e->symtab, sizeof(e->symtab),
		STRTAB, sizeof(Elf64_Sym));
	section(e, STRTAB, SHT_STRTAB, e->strtab, sizeof(e->strtab), 0, 0);
	section(e, DYNSYM, SHT_DYNSYM, e->dynsym, sizeof(e->dynsym), DYNSTR, sizeof(Elf64_Sym));
	section(e, DYNSTR, SHT_STRTAB, e->dynstr, sizeof(e->dynstr), 0, 0);
}

static int file_write(const void *bytes, size_t size)
{
	int fd = open(path, O_RDWR | O_TRUNC);

	assert_int_equal(write(fd, bytes, size), size);
	return fd;
}

/* ---- by name ---- */

static void find_by_name(void **state)
{
	static const struct { const char *name; int err; uint64_t offset; } cases[] = {
		{ "read", 0, 0x1100 }, { "__read", 0, 0x1100 }, { "helper", 0, 0x1010 },
		{ "second", 0, 0x2010 }, { "strlen", 0, 0x1200 }, { "exported", 0, 0x1800 },
		{ "rea", -ENOENT, 0 }, { "read@@GLIBC_2.2.5", 0, 0x1100 }, { "table", -ENOENT, 0 },
		{ "puts", -ENOENT, 0 }, { "bss_only", -ENOENT, 0 }, { "", -ENOENT, 0 },
	};
	struct image e;
	uint64_t offset;

	(void)state;
	image_make(&e, false);
	close(file_write(&e, sizeof(e)));
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(usyms_find(path, cases[i].name, &offset), cases[i].err);
		assert_int_equal(offset, cases[i].offset);
	}
	image_make(&e, true);
	close(file_write(&e, sizeof(e)));
	assert_int_equal(usyms_find(path, "helper", &offset), -ENOENT);
	assert_int_equal(usyms_find(path, "exported", &offset), 0);
}

static bool indirect_count(void *ctx, const struct usym *s)
{
	*(int *)ctx += s->indirect;
	return false;
}

static void files_that_are_none(void **state)
{
	struct image e;
	uint64_t offset;
	int indirect = 0;

	(void)state;
	assert_int_equal(usyms_find("/no/such/file", "read", &offset), -ENOENT);
	close(file_write("#!/bin/sh\n", 10));
	assert_int_equal(usyms_find(path, "read", &offset), -ENOEXEC);
	close(file_write("", 0));
	assert_int_equal(usyms_find(path, "read", &offset), -ENOEXEC);
	assert_int_equal(usyms_find("/tmp", "read", &offset), -ENOEXEC);
	image_make(&e, false);
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
	struct image image;
	int fd;

	(void)state;
	image_make(&image, false);
	fd = file_write(&image, sizeof(image));
	assert_int_equal(usyms_elf_read(fd, NULL, 0, &e), 0);
	close(fd);
	expect(e, 0, NULL, 0);
	expect(e, 0x100f, NULL, 0);
	expect(e, 0x1010, "helper", 0);
	expect(e, 0x104f, "helper", 0x3f);
	expect(e, 0x1050, NULL, 0); /* behind its end */
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
	struct image good, e;

	(void)state;
	image_make(&good, false);
	for (size_t size = 0; size < sizeof(good); size += 37) {
		close(file_write(&good, size));
		usyms_find(path, "nobody", &at);
	}
	for (int i = 0; i < 3000; i++) {
		struct usyms_elf *elf;
		int fd;

		e = good;
		for (int j = 0; j < 3; j++)
			((uint8_t *)&e)[random_next(&seed) % sizeof(e)] = random_next(&seed);
		fd = file_write(&e, sizeof(e));
		usyms_find(path, "nobody", &at);
		if (!usyms_elf_read(fd, NULL, 0, &elf))
			usyms_elf_name(elf, random_next(&seed) % 0x3000, &at);
		usyms_elf_free(elf);
		close(fd);
	}
}

/* ---- of a process ---- */

__attribute__((noinline, used)) static int known_function(int x)
{
	return x * 3 + getpid();
}

static void own_process(void **state)
{
	const char *module, *name;
	uint64_t offset;

	(void)state;
	name = usyms_name(getpid(), (uint64_t)known_function + 2, &offset, &module);
	assert_non_null(name);
	assert_string_equal(name, "known_function");
	assert_int_equal(offset, 2);
	assert_string_equal(module, "test_usyms");
	assert_null(usyms_name(getpid(), 16, &offset, &module));
	assert_null(module);
}

static void gone_process(void **state)
{
	const char *module = "x";
	uint64_t offset;
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	assert_null(usyms_name(pid, (uint64_t)known_function, &offset, &module));
	assert_null(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_by_name),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(names_by_place),
		cmocka_unit_test(broken_files),
		cmocka_unit_test(own_process),
		cmocka_unit_test(gone_process),
	};
	int failed;

	close(mkstemp(path));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
