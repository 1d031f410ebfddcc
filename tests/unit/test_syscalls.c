/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_syscalls.c - records put together by hand → the text of strace(1); and that no record, whatever
 * is in it, makes the reader read beyond it.
 */
#include <stdlib.h>
#include <string.h>

#define RECORD_ROOM 256
#include "record_sample.h"

static void test_text(void **state)
{
	struct record r = record_of("openat", -2, NULL);

	(void)state;
	r.event.args[0] = (uint32_t)-100;
	r.event.args[1] = 0x1000;
	r.event.args[2] = 02000000;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "/a\n\"", 4);
	expect(&r,
	       "openat(AT_FDCWD, \"/a\\n\\\"\", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)");
	r = record_of("read", 3, NULL);
	r.event.args[1] = 0x1000;
	r.event.args[2] = 9;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "\0001\xff", 3);
	expect(&r, "read(0, \"\\0001\\377\", 9)                 = 3");
}

static void test_short_option(void **state)
{
	struct record r = record_of("getsockopt", 0, (uint64_t[6]){ 3, 1, 4, 0x1000, 0x2000 });
	uint32_t room = 3;

	(void)state;
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, &room, sizeof(room));
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, "o\0\0", 3);
	chunk_add(&r, 4, TAKE_AT_RETURN, 0, &room, sizeof(room));
	expect(&r, "getsockopt(3, SOL_SOCKET, SO_ERROR, \"\\x6f\\x00\\x00\", [3]) = 0");
}

static bool is_unlinked;

static void file_add(struct record *r, unsigned arg, unsigned status, const char *names,
		     uint32_t len)
{
	struct syssnoop_file f = { .ino = 7, .status = status, .unlinked = is_unlinked };
	char bytes[64];

	memcpy(bytes, &f, sizeof(f));
	memcpy(bytes + sizeof(f), names, len);
	chunk_add(r, arg, TAKE_AT_ENTRY, 0, bytes, (uint32_t)sizeof(f) + len);
}

static void test_files(void **state)
{
	struct record r = record_of("dup", 4, NULL);

	(void)state;
	options.fd_paths = true;
	r.event.args[0] = 3;
	file_add(&r, 0, EVENT_OK, "a<b (deleted)\0tmp", 18);
	expect(&r, "dup(3</tmp/a\\74b (deleted)>)            = 4"); /* its own name */
	r = record_of("dup", 4, NULL);
	r.event.args[0] = 3;
	is_unlinked = true;
	file_add(&r, 0, EVENT_OK, "a<b (deleted)\0tmp", 18);
	is_unlinked = false;
	file_add(&r, SYSCALL_RESULT, EVENT_ANONYMOUS, "UNIX\0sockfs", 12);
	expect(&r, "dup(3</tmp/a\\74b>(deleted))             = 4<socket:[7]>");
	r = record_of("fchdir", 0, NULL);
	file_add(&r, 0, EVENT_ANONYMOUS, "memfd:x\0tmpfs", 14);
	expect(&r, "fchdir(0</memfd:x>(deleted))            = 0");
	r = record_of("unlinkat", 0, NULL);
	r.event.args[0] = (uint32_t)-100;
	file_add(&r, 0, EVENT_OK, "x (deleted)", 12);
	expect(&r, "unlinkat(AT_FDCWD</x (deleted)>, NULL, 0) = 0");
	options.fd_paths = false;
	expect(&r, "unlinkat(AT_FDCWD, NULL, 0)             = 0");
}

static struct record signal_of(unsigned nr, int code, const void *part, size_t len)
{
	struct record r = { .event = {
				    .kind = SYSSNOOP_SIGNAL, .nr = nr, .size = sizeof(r.event) } };

	memcpy(r.event.siginfo, &nr, 4);
	memcpy(r.event.siginfo + 8, &code, 4);
	memcpy(r.event.siginfo + 16, part, len);
	return r;
}

/* The member of the union is that of the signal and its code. */
static void test_siginfo(void **state)
{
#ifdef __x86_64__
#define CALL_39 "__NR_getpid"
#else
#define CALL_39 "39" /* a number of another machine's */
#endif
	static const uint64_t address = 0x1000, queued[2] = { 17 | 5ull << 32, 42 };
	static const uint32_t timer[4] = { 3, 1, 7, 0 }, seccomp[4] = { 0x10, 0, 39, 0xc000003e };
	struct record r = signal_of(7, 2, &address, 8);

	(void)state;
	expect(&r, "--- SIGBUS {si_signo=SIGBUS, si_code=BUS_ADRERR, si_addr=0x1000} ---");
	r = signal_of(4, 2, &address, 8);
	expect(&r, "--- SIGILL {si_signo=SIGILL, si_code=ILL_ILLOPN, si_addr=0x1000} ---");
	r = signal_of(11, 0x80, "\0\0\0\0\0\0\0", 8);
	expect(&r, "--- SIGSEGV {si_signo=SIGSEGV, si_code=SI_KERNEL, si_addr=NULL} ---");
	r = signal_of(10, -2, timer, 16);
	expect(&r, "--- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_TIMER, si_timerid=0x3, si_overrun=1, "
		   "si_int=7, si_ptr=0x7} ---");
	r = signal_of(35, -1, queued, 16);
	expect(&r,
	       "--- SIGRT_3 {si_signo=SIGRT_3, si_code=SI_QUEUE, si_pid=17, si_uid=5, si_int=42, "
	       "si_ptr=0x2a} ---");
	r = signal_of(15, 0, queued, 16);
	expect(&r, "--- SIGTERM {si_signo=SIGTERM, si_code=SI_USER, si_pid=17, si_uid=5} ---");
	r = signal_of(31, 1, seccomp, 16);
	expect(&r, "--- SIGSYS {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=0x10, "
		   "si_syscall=" CALL_39 ", si_arch=AUDIT_ARCH_X86_64} ---");
}

/* What was passed is what the entry found; nothing is shown that nobody wrote. */
static void test_sides(void **state)
{
	struct record r = record_of("sendfile", 5, NULL);

	(void)state;
	r.event.args[0] = r.event.args[1] = 4;
	r.event.args[2] = 0x1000;
	r.event.args[3] = 5;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, "\2\0\0\0\0\0\0", 8);
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, "\7\0\0\0\0\0\0", 8);
	expect(&r, "sendfile(4, 4, [2 => 7], 5)             = 5");
	r = record_of("getsockname", 0, NULL);
	r.event.args[0] = 3;
	r.event.args[1] = 0x1000;
	r.event.args[2] = 0x2000;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, "\4\0\0", 4);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "\1\0/tZZZZ", 8);
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, "\10\0\0", 4);
	expect(&r, "getsockname(3, {sa_family=AF_UNIX, sun_path=\"/t\"}, [4 => 8]) = 0");
	r = record_of("bind", 0, NULL);
	r.event.args[0] = 3;
	r.event.args[1] = 0x1000;
	r.event.args[2] = 4;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\2\0\0\120", 4);
	expect(&r, "bind(3, {sa_family=AF_INET, sa_data=\"\\0P\"}, 4) = 0");
}

/* By the option's type, and no more than the option's length. */
static void test_options(void **state)
{
	struct record r = record_of("setsockopt", 0, NULL);

	(void)state;
	r.event.args[0] = 3;
	r.event.args[1] = 1;
	r.event.args[2] = 25;
	r.event.args[3] = 0x1000;
	r.event.args[4] = 2;
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, "lo\0ZZZZZZZZZZZZZ", 16);
	expect(&r, "setsockopt(3, SOL_SOCKET, SO_BINDTODEVICE, \"lo\", 2) = 0");
	r.event.args[2] = 2;
	r.event.args[4] = 4;
	expect(&r, "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1509977964], 4) = 0");
	r.event.args[2] = 13;
	expect(&r, "setsockopt(3, SOL_SOCKET, SO_LINGER, 0x1000, 4) = 0");
}

static void test_any(void **state)
{
	struct record *r = malloc(sizeof(*r));
	struct buf o;

	(void)state;
	assert_non_null(r);
	buf_init(&o, -1);
	srand(1);
	for (unsigned i = 0; i < SYSCALL_ROWS; i++) {
		for (size_t k = 0; k < sizeof(*r); k++)
			((char *)r)[k] = (char)(rand() % 5 ? rand() % 8 : rand());
		r->event.nr = i % SYSCALL_NUMBERS;
		r->event.abi = i / SYSCALL_NUMBERS % SYSCALL_ABIS;
		options.fd_paths = i % 3;
		r->event.kind %= 4;
		r->event.size = (uint32_t)(sizeof(r->event) +
					   (size_t)rand() % (sizeof(r->chunks) + 1));
		syscall_write_text(&o, &r->event, &options);
		syscall_write_json(&o, &r->event, &options);
		buf_rewind(&o, 0);
	}
	assert_int_equal(o.error, 0);
	buf_free(&o);
	free(r);
}

/* A variant that is a string takes no more than -s, and must not shorten what others take. */
static void test_capture(void **state)
{
	struct syscall_options options = { .strings = 32 };
	struct syscall_capture c;
	struct syscall_take *t = &c.values[2];

	(void)state;
	syscall_capture_of(SYSCALL_ABI_64, (uint32_t)syscall_number(SYSCALL_ABI_64, "ioctl", 5),
			   &options, &c);
	assert_true(t->size * t->number >= 232); /* struct loop_info64 */
	assert_true(t->max >= 232);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),  cmocka_unit_test(test_short_option),
		cmocka_unit_test(test_files), cmocka_unit_test(test_siginfo),
		cmocka_unit_test(test_sides), cmocka_unit_test(test_options),
		cmocka_unit_test(test_any),   cmocka_unit_test(test_capture),
	};

	options.column = 0; /* the default */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
