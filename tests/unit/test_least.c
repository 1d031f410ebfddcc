/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is left of system calls, in a child that has given up its rights. As whoever runs the test: what is
 * left of capabilities is tests/live/dropped.bats.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "kernel/capabilities.h"
#include "kernel/least.h"

static bool never(void)
{
	return false;
}

static char made[] = "/tmp/coretap-least-XXXXXX";

/* The command with a map, program or link that is none: EBADF or EINVAL, unless that is not asked at all. */
static int bpf_error(int command)
{
	union bpf_attr attr = { 0 };

	memset(&attr, 0xff, 16);
	return syscall(SYS_bpf, command, &attr, sizeof(attr)) < 0 ? errno : 0;
}

static int open_error(int flags)
{
	int fd = open(made, flags);

	return fd < 0 ? errno : close(fd);
}

/* Bit i: the call was denied. */
static unsigned denied_find(void)
{
	struct perf_event_attr none = { .size = 1 };
	char *argv[] = { made, NULL };
	unsigned denied = 0;

	denied |= (open_error(O_RDONLY) == EPERM) << 0;
	denied |= (open_error(O_WRONLY) == EPERM) << 1;
	denied |= (open_error(O_RDWR) == EPERM) << 2;
	denied |= (execve(made, argv, argv) < 0 && errno == EPERM) << 3;
	denied |= (socket(AF_UNIX, SOCK_STREAM, 0) < 0 && errno == EPERM) << 4;
	denied |= (syscall(SYS_clone, 0, 0, 0, 0, 0) < 0 && errno == EPERM) << 5;
	denied |= (syscall(SYS_perf_event_open, &none, 0, -1, -1, 0) < 0 && errno == EPERM) << 6;
	denied |= (bpf_error(BPF_PROG_LOAD) == EPERM) << 7;
	denied |= (bpf_error(BPF_BTF_LOAD + 32) == EPERM) << 8;
	denied |= (rename(made, "/tmp/coretap-least-to") && errno == EPERM) << 9;
	denied |= (unlink(made) && errno == EPERM) << 10;
	denied |= (write(STDERR_FILENO, "", 0) != 0) << 11;
	denied |= (syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 1) < 0 && errno == EPERM) << 12;
	return denied;
}

enum { NO_FILTER = 1 << 30 };

/* In a child; through a pipe. */
static unsigned denied_to(unsigned late)
{
	const struct least l = { .late = late, .probe_refused = never };
	unsigned denied = 0;
	int ends[2], status, fd;
	pid_t pid;

	strcpy(made + sizeof(made) - 7, "XXXXXX");
	fd = mkstemp(made);
	assert_true(fd >= 0 && !close(fd) && !pipe(ends));
	pid = fork();
	if (!pid) {
		denied = least_rights(&l)	    ? ~0u :
			 prctl(PR_GET_SECCOMP) == 2 ? denied_find() :
						      NO_FILTER;
		_exit(write(ends[1], &denied, sizeof(denied)) != sizeof(denied));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], &denied, sizeof(denied)), sizeof(denied));
	close(ends[0]);
	close(ends[1]);
	unlink(made);
	unlink("/tmp/coretap-least-to");
	return denied;
}

static void test_denied(void **state)
{
	unsigned all = denied_to(LATE_MAPS);

	(void)state;
	if (all == NO_FILTER) {
		print_message("no seccomp filters here (an emulator has none)\n");
		skip();
	}
	assert_int_equal(all, 0x17fe);
	assert_int_equal(denied_to(LATE_MAPS | LATE_FILES),
			 0x17fe & ~(1 << 1 | 1 << 2 | 1 << 9 | 1 << 10));
	/* whether the kernel lets this user have perf events is another matter */
	assert_int_equal(denied_to(LATE_PROBES | LATE_CONTAINERS | LATE_PROCESSES | LATE_COMMAND) |
				 1 << 6,
			 0x17fe);
}

static void test_texts(void **state)
{
	capabilities permitted, effective, after;

	(void)state;
	assert_string_equal(capabilities_text(0), "");
	assert_string_equal(
		capabilities_text(CAPS_TRACE | CAPABILITY(CAP_SYSLOG) | CAPABILITY(CAP_CHOWN)),
		"cap_bpf,cap_perfmon,cap_syslog");
	capabilities_get(&permitted, &effective);
	assert_false(capabilities_try(0, never));
	capabilities_get(NULL, &after);
	assert_true(effective == after);
	assert_non_null(strstr(capabilities_setcap(CAPS_TRACE), "cap_bpf,cap_perfmon"));
	assert_non_null(strstr(capabilities_setcap(CAPS_TRACE), "=ep /"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_denied),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
