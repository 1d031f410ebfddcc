/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_bt_files.c - files that match the pattern of an attach point: those that glob(3) finds, if they are programs.
 */
#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/bt/bt.h"
#include "unit.h"

static char folder[] = "/tmp/test_bt_files.XXXXXX";

static void file_make(const char *path, bool is_program)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, is_program ? ELFMAG : "text", SELFMAG), SELFMAG);
	close(fd);
}

static int setup(void **state)
{
	static const char *const folders[] = { "a", "a-b", "a/deep", ".hidden", "x[1]" };

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	file_make("a/one", true);
	file_make("a/two", true);
	file_make("a/text", false);
	file_make("a/.dot", true);
	file_make("a/deep/one", true);
	file_make("a-b/one", true);
	file_make(".hidden/one", true);
	file_make("x[1]/one", true);
	file_make("top", true);
	assert_int_equal(symlink("a", "link"), 0);
	assert_int_equal(symlink("nowhere", "a/gone"), 0);
	return 0;
}

/* Removes what the test made. */
static int teardown(void **state)
{
	static const char *const paths[] = { "a/one",	    "a/two",	"a/text",  "a/.dot",
					     "a/deep/one",  "a/gone",	"link",	   "a-b/one",
					     ".hidden/one", "x[1]/one", "top",	   "a/deep",
					     "a",	    "a-b",	".hidden", "x[1]" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		remove(paths[i]);
	return chdir("/") || rmdir(folder);
}

/* Returns how many files both found. */
static size_t assert_same(const char *pattern)
{
	static const struct session s;
	char rest[256];
	struct script_attach at = { .kind = PROBE_UPROBE, .rest = rest };
	struct bt_files f;
	glob_t judge;
	size_t n = 0;

	snprintf(rest, sizeof(rest), "%s:main", pattern);
	assert_int_equal(bt_files_find(&s, &at, &f), 0);
	if (glob(pattern, GLOB_NOESCAPE, NULL, &judge))
		judge.gl_pathc = 0;
	for (size_t i = 0; i < judge.gl_pathc; i++) {
		struct stat is;
		char magic[SELFMAG] = "";
		int fd = open(judge.gl_pathv[i], O_RDONLY);

		if (fd >= 0 && !fstat(fd, &is) && S_ISREG(is.st_mode) &&
		    read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG)) {
			assert_true(n < f.count);
			assert_string_equal(f.paths[n++], judge.gl_pathv[i]);
		}
		close(fd);
	}
	assert_int_equal(n, f.count);
	if (judge.gl_pathc)
		globfree(&judge);
	bt_files_free(&f);
	return n;
}

static void test_patterns(void **state)
{
	char whole[300];

	(void)state;
	assert_int_equal(assert_same("a/*"), 2);
	assert_int_equal(assert_same("*/one"), 4);  /* also by the link */
	assert_int_equal(assert_same("a*/one"), 2); /* a-b/one first: sorted by the whole path */
	assert_int_equal(assert_same("t*"), 1);
	assert_int_equal(assert_same("./*/*/one"), 2);
	assert_int_equal(assert_same("a//t?o"), 1);
	assert_int_equal(assert_same(".h*/o*"), 1);
	assert_int_equal(assert_same("a/.*"), 1);
	assert_int_equal(assert_same("[a]/[!o]*"), 1);
	assert_int_equal(assert_same("x[[]1]/*"), 1);
	assert_int_equal(assert_same("x[1]/*"), 0);
	assert_int_equal(assert_same("a/*/"), 0);
	assert_int_equal(assert_same("nowhere/*"), 0);
	snprintf(whole, sizeof(whole), "%s/*/t*", folder);
	assert_int_equal(assert_same(whole), 2); /* a/two, link/two */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
