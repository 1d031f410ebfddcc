/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_place.c - files that are written where another user may exchange what a name stands for. Needs root, to be two
 * users; the racing one is a process of its own.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "kernel/file_replace.h"
#include "kernel/place.h"

enum { OTHER = 65534, ROUNDS = 3000 };

static char top[] = "/tmp/test_place.XXXXXX"; /* root's, and nobody else writes there */

static void file_make(const char *path, const char *text, mode_t mode, uid_t uid)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(fchown(fd, uid, uid), 0);
	close(fd);
}

static void check_file(const char *path, const char *text, mode_t mode, uid_t uid)
{
	char got[64] = "";
	int fd = open(path, O_RDONLY | O_NOFOLLOW);
	struct stat st;

	assert_true(fd >= 0);
	assert_true(read(fd, got, sizeof(got) - 1) >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	assert_string_equal(got, text);
	assert_int_equal(st.st_mode & 07777, mode);
	assert_int_equal(st.st_uid, uid);
}

static void folder_make(const char *name, mode_t mode, uid_t uid)
{
	assert_int_equal(mkdir(name, 0700), 0);
	assert_int_equal(chmod(name, mode), 0);
	assert_int_equal(chown(name, uid, uid), 0);
}

static void link_make(const char *to, const char *at, uid_t uid)
{
	assert_int_equal(symlink(to, at), 0);
	assert_int_equal(lchown(at, uid, uid), 0);
}

/* Folders: root's own, a sticky one as /tmp, another's. */
static int setup(void **state)
{
	(void)state;
	umask(022);
	if (geteuid() || !mkdtemp(top) || chmod(top, 0755) || chdir(top))
		return 0;
	folder_make("mine", 0755, 0);
	folder_make("sticky", 01777, 0);
	folder_make("theirs", 0755, OTHER);
	file_make("mine/victim", "kept", 0600, 0);
	link_make("../mine/victim", "sticky/theirs", OTHER);
	link_make("../mine/victim", "sticky/mine", 0);
	link_make("../mine/victim", "theirs/link", OTHER);
	link_make("../mine", "theirs/folder", OTHER);
	link_make("victim", "mine/link", 0);
	link_make("mine", "folder", 0);
	return 0;
}

static int teardown(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return geteuid() ? 0 : chdir("/") || system(command);
}

#define ROOT_ONLY()                                                                                \
	do {                                                                                       \
		if (geteuid()) {                                                                   \
			print_message("skip: this needs root\n");                                  \
			skip();                                                                    \
		}                                                                                  \
	} while (0)

static void test_links(void **state)
{
	static const char *const refused[] = { "sticky/theirs", "theirs/link",
					       "theirs/folder/victim", "theirs/folder/new" };
	static const char *const followed[] = { "sticky/mine", "mine/link", "folder/link",
						"folder/victim", "./folder/../mine//victim" };

	(void)state;
	ROOT_ONLY();
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(file_replace(refused[i], "x", 1), -ELOOP);
		assert_int_equal(file_replace_check(refused[i]), -ELOOP);
		assert_int_equal(place_create_at(refused[i], 0666), -ELOOP);
		check_file("mine/victim", "kept", 0600, 0);
		assert_int_equal(access("mine/new", F_OK), -1);
	}
	for (size_t i = 0; i < sizeof(followed) / sizeof(followed[0]); i++) {
		char text[16];
		int fd;

		snprintf(text, sizeof(text), "new %zu", i);
		assert_int_equal(file_replace(followed[i], text, strlen(text)), 0);
		check_file("mine/victim", text, 0600, 0);
		fd = place_create_at(followed[i], 0666);
		assert_true(fd >= 0);
		close(fd);
		check_file("mine/victim", "", 0600, 0);
	}
	file_make("mine/victim", "kept", 0600, 0);
}

static void test_files_of_others(void **state)
{
	int fd;

	(void)state;
	ROOT_ONLY();
	file_make("sticky/file", "theirs", 0666, OTHER);
	assert_int_equal(place_create_at("sticky/file", 0666), -EEXIST);
	check_file("sticky/file", "theirs", 0666, OTHER);
	assert_int_equal(file_replace("sticky/file", "mine", 4), 0);
	check_file("sticky/file", "mine", 0644, 0); /* neither their mode nor their file */
	assert_int_equal(mkfifo("sticky/pipe", 0666), 0);
	assert_int_equal(chown("sticky/pipe", OTHER, OTHER), 0);
	assert_int_equal(place_create_at("sticky/pipe", 0666), -EEXIST);
	assert_int_equal(file_replace("sticky/pipe", "x", 1), -EEXIST);

	/* another's folder: the owner's own file may be written to, what is linked there may not */
	file_make("theirs/file", "theirs", 0666, OTHER);
	fd = place_create_at("theirs/file", 0666);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(link("mine/victim", "theirs/hard"), 0);
	assert_int_equal(place_create_at("theirs/hard", 0666), -EEXIST);
	assert_int_equal(file_replace("theirs/hard", "x", 1), 0);
	check_file("mine/victim", "kept", 0600, 0);
	check_file("theirs/hard", "x", 0644, 0);
}

static void test_own_files(void **state)
{
	(void)state;
	ROOT_ONLY();
	file_make("sticky/own", "old", 0640, 0);
	assert_int_equal(file_replace("sticky/own", "new", 3), 0);
	check_file("sticky/own", "new", 0640, 0); /* as it was chosen once */
	assert_int_equal(file_replace("sticky/first", "new", 3), 0);
	check_file("sticky/first", "new", 0644, 0);
	assert_int_equal(file_replace("mine", "x", 1), -EISDIR);
	assert_int_equal(file_replace("mine/", "x", 1), -EISDIR);
	assert_int_equal(file_replace("", "x", 1), -ENOENT);
	assert_int_equal(file_replace("mine/victim/x", "x", 1), -ENOTDIR);
	assert_int_equal(place_create_at("mine/none/x", 0666), -ENOENT);
}

static void test_what_has_no_name(void **state)
{
	char path[32], got[8] = "";
	int fds[2];

	(void)state;
	if (*(getenv("EMULATOR") ?: "")) {
		print_message(
			"qemu-user opens / in its sysroot: no file of this machine is found from there\n");
		skip();
	}
	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
	assert_int_equal(file_replace(path, "text", 4), 0);
	assert_int_equal(read(fds[0], got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	assert_int_equal(file_replace("/dev/full", "x", 1), -ENOSPC);
	close(fds[0]);
	close(fds[1]);
}

/* ---- a race ---- */

/* Exchanges a file of its own and a link to root's, at all names in turn, until it is killed. */
static void exchange_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setgid(OTHER) || setuid(OTHER) || chdir("sticky"))
		_exit(1);
	umask(0);
	for (;;) {
		int fd = open("raced", O_WRONLY | O_CREAT | O_EXCL, 0666);

		if (fd >= 0)
			close(fd);
		symlink("../mine/victim", "raced.link");
		syscall(SYS_renameat2, AT_FDCWD, "raced", AT_FDCWD, "raced.link", 2);
	}
}

/* The same with a whole folder. */
static void exchange_folders(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setgid(OTHER) || setuid(OTHER) || chdir("theirs"))
		_exit(1);
	mkdir("deep", 0777);
	symlink("../mine", "deep.link");
	for (;;)
		syscall(SYS_renameat2, AT_FDCWD, "deep", AT_FDCWD, "deep.link", 2);
}

static void race(void (*other)(void), const char *path)
{
	pid_t pid = fork();
	int done = 0, fd;

	if (!pid)
		other();
	for (int i = 0; i < ROUNDS; i++) {
		done += !file_replace(path, "new", 3);
		fd = place_create_at(path, 0600);
		if (fd >= 0)
			close(fd);
		check_file("mine/victim", "kept", 0600, 0);
		unlink(path);
		usleep(20); /* the other's turn */
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	print_message("%d of %d were written\n", done, ROUNDS);
}

static void test_races(void **state)
{
	(void)state;
	ROOT_ONLY();
	file_make("mine/victim", "kept", 0600, 0);
	race(exchange_for_ever, "sticky/raced");
	race(exchange_folders, "theirs/deep/victim_");
	assert_int_equal(access("mine/victim_", F_OK), -1);
	check_file("mine/victim", "kept", 0600, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),	  cmocka_unit_test(test_files_of_others),
		cmocka_unit_test(test_own_files), cmocka_unit_test(test_what_has_no_name),
		cmocka_unit_test(test_races),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
