/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_lines.c - lines of source files as addr2line has them: of this program, and of one in each
 * version of DWARF, also compressed; programs that are damaged. Separate debug information is not
 * tested.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_elf.h"
#include "unit.h"

/* in bytes; of this program more, because parts of it are from libraries without lines */
enum { PLACES = 4000, STEP = 5, STEP_OWN = 61 };

static const char source[] = "static int twice(int x)\n"
			     "{\n"
			     "	return 2 * x;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	volatile int n = argc;\n"
			     "	for (int i = 0; i < 3; i++)\n"
			     "		n += twice(i);\n"
			     "	return n + **argv;\n"
			     "}\n";

static uint64_t places[PLACES];
static size_t place_count;
static unsigned step = STEP;
static char folder[] = "/tmp/test_lines.XXXXXX";

/* ---- addr2line ---- */

static bool place_add(void *ctx, const struct usym *s)
{
	const struct usyms_elf *e = ctx;

	for (uint64_t at = 0; at < s->size && place_count < PLACES; at += step)
		places[place_count++] = usyms_elf_address(e, s->offset + at);
	return place_count == PLACES;
}

static void line_compare(const struct usyms_elf *e, uint64_t address, char *theirs)
{
	const char *file = NULL, *slash = strrchr(theirs, '/');
	char ours[256] = "?";
	unsigned line = 0;

	theirs[strcspn(theirs, " \n")] = '\0';
	if (usyms_elf_line(e, address, &file, &line))
		snprintf(ours, sizeof(ours), "%s:%u", file, line);
	slash = strrchr(theirs, '/');
	theirs = slash ? (char *)slash + 1 : theirs;
	if (*theirs == '?' ? *ours != '?' : strcmp(theirs, ours) != 0)
		fail_msg("%#llx: %s, not %s", (unsigned long long)address, ours, theirs);
}

/* Returns how many addresses have a line. `judge`: addr2line, which may name the wrong one of two files in a unit
 * with DWARF 5, or LLVM's, which cannot read sections compressed by zstd. */
static size_t file_compare(const char *path, const char *judge)
{
	char command[400], text[4096], name[200];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct usyms_elf *e;
	size_t found = 0;
	FILE *f;

	assert_true(fd >= 0);
	assert_int_equal(usyms_elf_read(fd, NULL, 0, &e), 0);
	assert_int_equal(usyms_elf_read_lines(e, fd, NULL, 0), 0);
	close(fd);
	place_count = 0;
	usyms_each(path, place_add, e);
	snprintf(name, sizeof(name), "%s/places", folder);
	f = fopen(name, "w");
	for (size_t i = 0; i < place_count; i++)
		fprintf(f, "%#llx\n", (unsigned long long)places[i]);
	fclose(f);
	snprintf(command, sizeof(command), "%s -e %s <%s", judge, path, name);
	f = popen(command, "r");
	for (size_t i = 0; i < place_count && fgets(text, sizeof(text), f); i++) {
		found += *text != '?' && !strstr(text, ":?");
		if (!strstr(text, ":?"))
			line_compare(e, places[i], text);
	}
	pclose(f);
	unlink(name);
	usyms_elf_free(e);
	return found;
}

static bool build(const char *options, char *path, size_t size)
{
	char command[600];
	FILE *f;

	snprintf(path, size, "%s/prog.c", folder);
	f = fopen(path, "w");
	fputs(source, f);
	fclose(f);
	snprintf(command, sizeof(command), "gcc %s -o %s/prog %s/prog.c 2>/dev/null", options,
		 folder, folder);
	snprintf(path, size, "%s/prog", folder);
	return !system(command);
}

static void test_own(void **state)
{
	char own[200] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	step = STEP_OWN;
	assert_true(file_compare(own, "llvm-addr2line") > PLACES / 2);
	step = STEP;
}

static void test_versions(void **state)
{
	static const char *const options[] = {
		"-gdwarf-2 -O0",  "-gdwarf-3 -O2", "-gdwarf-4 -O2",
		"-gdwarf-5 -O0",  "-gdwarf-5 -O2", "-g -gz=zlib -O2",
		"-g -no-pie -O2", "-g -fPIE -pie", "-g -O2 -Wl,--compress-debug-sections=zstd"
	};
	char path[100];

	(void)state;
	for (size_t i = 0; i < COUNT(options); i++) {
		if (!build(options[i], path, sizeof(path)))
			continue;
		if (file_compare(path, "addr2line") < 10)
			fail_msg("%s: no lines", options[i]);
	}
	assert_true(build("-O2", path, sizeof(path)));
	assert_int_equal(file_compare(path, "addr2line"), 0);
}

/* ---- damage ---- */

static struct dwarf_section section_take(const struct elf_file *e, const Elf64_Shdr *s)
{
	struct dwarf_section d = { 0 };

	assert_int_equal(elf_section_plain(e, s, &d.bytes, &d.size), 0);
	return d;
}

struct wanted {
	const struct elf_file *file;
	struct dwarf_section lines, names;
};

static int section_visit(void *ctx, const Elf64_Shdr *s)
{
	struct wanted *w = ctx;

	if (elf_section_is(w->file, s, ".debug_line"))
		w->lines = section_take(w->file, s);
	if (elf_section_is(w->file, s, ".debug_line_str"))
		w->names = section_take(w->file, s);
	return 0;
}

static struct dwarf_section copy(const struct dwarf_section *s, size_t size)
{
	struct dwarf_section c = { malloc(size + 1), size };

	memcpy(c.bytes, s->bytes, size);
	return c;
}

static void lookups(const struct wanted *w, size_t size, size_t at, int value)
{
	struct dwarf_section s[LINES_SECTIONS] = { copy(&w->lines, size),
						   copy(&w->names, w->names.size) };
	struct dwarf_lines *l;
	const char *file;
	unsigned line;

	if (at < size)
		s[0].bytes[at] = value;
	assert_int_equal(dwarf_lines_read(s, &l), 0);
	for (uint64_t address = 0x1000; address < 0x1200; address += 3)
		if (dwarf_lines_find(l, address, &file, &line))
			assert_in_range(strlen(file), 0, w->lines.size + w->names.size);
	dwarf_lines_free(l);
}

static void test_damage(void **state)
{
	static const char *const options[] = { "-gdwarf-4 -O0", "-gdwarf-5 -O0" };
	char path[100];

	(void)state;
	for (size_t i = 0; i < COUNT(options); i++) {
		struct elf_file file;
		struct wanted w = { .file = &file };
		int fd;

		assert_true(build(options[i], path, sizeof(path)));
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_int_equal(elf_file_read(&file, fd, NULL, 0), 0);
		assert_int_equal(elf_sections_each(&file, SHT_PROGBITS, section_visit, &w), 0);
		close(fd);
		for (size_t size = 0; size <= w.lines.size; size++)
			lookups(&w, size, size, 0);
		for (size_t at = 0; at < w.lines.size * 256; at++)
			lookups(&w, w.lines.size, at / 256, at % 256);
		free(w.lines.bytes);
		free(w.names.bytes);
	}
}

/* Out of a process: here this one. */
static void test_process(void **state)
{
	struct usyms_place place;
	int line = __LINE__ + 4;

	(void)state;
	usyms_want_lines();
	usyms_poll();
	assert_string_equal(usyms_name(getpid(), (uintptr_t)test_process, &place), "test_process");
	assert_string_equal(place.source, "test_lines.c");
	assert_in_range(place.line, line - 8, line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_damage),
	};
	char command[100];
	int failed;

	assert_non_null(mkdtemp(folder));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return failed | !!system(command);
}
