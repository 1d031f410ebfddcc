/* SPDX-License-Identifier: GPL-2.0-only */
/* test_stack.c - captured frames as lines, JSON and folded, with a made-up table of symbols. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/field/value.h"
#include "output/rows/folded.h"
#include "output/rows/report.h"
#include "symbols/kernel/ksyms.h"
#include "output/field/stack.h"
#include "output/rows/stack_id.h"
#include "sample.h"

enum { ROOM = 8 };

struct stack_record {
	struct event_header head;
	struct event_stack kernel;
	uint64_t kernel_frames[ROOM];
	struct event_stack user;
	uint64_t user_frames[ROOM];
};

static const struct field fields[] = {
	FIELD(struct event_header, pid, FIELD_UINT, 5, "process"),
	{ .name = "kernel_stack",
	  .type = FIELD_KERNEL_STACK,
	  .offset = offsetof(struct stack_record, kernel),
	  .size = sizeof(struct event_stack) + ROOM * 8 },
	{ .name = "user_stack",
	  .type = FIELD_USER_STACK,
	  .offset = offsetof(struct stack_record, user),
	  .size = sizeof(struct event_stack) + ROOM * 8,
	  .width = 3 },
};

/* the same as keys, in the order of folded stacks */
static const struct field keys[] = {
	FIELD(struct event_header, comm, FIELD_CSTR, 0, "name", .title = "NAME"),
	{ .name = "ustack",
	  .type = FIELD_USER_STACK,
	  .offset = offsetof(struct stack_record, user),
	  .size = sizeof(struct event_stack) + ROOM * 8,
	  .width = 3 },
	{ .name = "kstack",
	  .type = FIELD_KERNEL_STACK,
	  .offset = offsetof(struct stack_record, kernel),
	  .size = sizeof(struct event_stack) + ROOM * 8 },
};
static const struct schema key_schema = { keys, COUNT(keys), sizeof(struct stack_record) };

static const struct schema schema = { fields, COUNT(fields), sizeof(struct stack_record) };

static const char symbols[] = "ffffffff81001000 T vfs_read\n"
			      "ffffffff81001100 T vfs_write\n"
			      "ffffffff81002000 T ksys_read\n"
			      "ffffffff81002100 T __traceiter_sched_switch\n"
			      "ffffffff81002200 T do_syscall_64\n"
			      "ffffffff81003000 T get_perf_callchain\n"
			      "ffffffff81003100 t __bpf_get_stack.isra.0\n"
			      "ffffffff81003200 t fprobe_return\n"
			      "ffffffff81009000 B _end\n"
			      "ffffffffc0201000 t nf_conntrack_in\t[nf_conntrack]\n"
			      "ffffffffc0202000 T raid_init\t[raid1]\n"
			      "ffffffffc0300000 t bpf_trampoline_1\t[bpf]\n"
			      "ffffffffc0400000 t ftrace_trampoline\t[__builtin__ftrace]\n";

#define VFS_READ  0xffffffff81001000ull
#define KSYS	  0xffffffff81002050ull
#define SYSCALL	  0xffffffff81002210ull
#define UNNAMED	  0xffffffffc0500123ull
#define FREED	  0xffffffffc0202010ull
#define TRACEITER 0xffffffff81002110ull
#define PERF	  0xffffffff81003010ull
#define BPF	  0xffffffffc0300040ull

static struct buf out;

/* Frames end at the first 0. */
static struct stack_record record_of(uint64_t function, const uint64_t *frames)
{
	struct stack_record r = { .head = { .pid = 0x7fffffff, .comm = "some; one" },
				  .kernel.function = function };

	for (int i = 0; i < ROOM && frames[i]; i++) {
		r.kernel_frames[i] = frames[i];
		r.kernel.size += 8;
	}
	return r;
}
#define RECORD(function, ...) record_of(function, (uint64_t[ROOM]){ __VA_ARGS__ })

static const char *row(const struct stack_record *r, bool json)
{
	struct sink s = { .schema = &schema, .out = &out, .json = json, .applet = "x" };

	assert_int_equal(sink_record(&s, r, sizeof(*r)), 0);
	sink_free(&s);
	return taken(&out);
}

static void frames_below_the_row(void **state)
{
	struct stack_record r = RECORD(VFS_READ, UNNAMED, BPF, VFS_READ + 9, KSYS, SYSCALL);

	(void)state;
	assert_string_equal(row(&r, false), "2147483647\n"
					    "    vfs_read\n"
					    "    ksys_read+0x50\n"
					    "    do_syscall_64+0x10\n");
	assert_string_equal(row(&r, true),
			    "{\"type\":\"x\",\"pid\":2147483647,\"kernel_stack\":[\"vfs_read+0x0\","
			    "\"ksys_read+0x50\",\"do_syscall_64+0x10\"],\"user_stack\":[]}\n");
}

/* Our program is where a module's init function was, which the kernel still lists. */
static void frames_of_a_program_with_a_name(void **state)
{
	const char *want = "2147483647\n    ksys_read+0x50\n    do_syscall_64+0x10\n";
	struct stack_record r[] = {
		RECORD(0, FREED, FREED, TRACEITER, KSYS, SYSCALL),
		RECORD(0, PERF, FREED, FREED, UNNAMED, TRACEITER, KSYS, SYSCALL),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(r); i++)
		assert_string_equal(row(&r[i], false), want);
	r[0] = RECORD(0, FREED, KSYS, SYSCALL);
	assert_string_equal(
		row(&r[0], false),
		"2147483647\n    raid_init+0x10 [raid1]\n    ksys_read+0x50\n    do_syscall_64+0x10\n");
}

/* The function first, whatever tracing left. */
static void frame_0_is_the_function(void **state)
{
	const char *want = "2147483647\n    vfs_read\n    ksys_read+0x50\n";
	struct stack_record r[] = {
		RECORD(VFS_READ, VFS_READ, KSYS),
		RECORD(VFS_READ, VFS_READ + 1, KSYS),
		RECORD(VFS_READ + 4, VFS_READ + 5, KSYS),
		RECORD(VFS_READ, KSYS),
		RECORD(VFS_READ, UNNAMED, KSYS),
		RECORD(VFS_READ, UNNAMED, BPF, BPF, KSYS),
		RECORD(VFS_READ, UNNAMED, UNNAMED, UNNAMED, VFS_READ + 9, KSYS),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(r); i++)
		assert_string_equal(row(&r[i], false), want);
	/* it called itself: the caller is not taken for it */
	r[0] = RECORD(VFS_READ, BPF, VFS_READ + 0x40, KSYS);
	assert_string_equal(row(&r[0], false), "2147483647\n    vfs_read\n    vfs_read+0x40\n"
					       "    ksys_read+0x50\n");
}

static void no_function(void **state)
{
	struct stack_record r = RECORD(0, UNNAMED, 0xffffffff81002140ull, KSYS, SYSCALL);

	(void)state;
	assert_string_equal(row(&r, false), "2147483647\n    ksys_read+0x50\n"
					    "    do_syscall_64+0x10\n");
	/* helpers that have names: 5.10's raw tracepoints, fprobe's returns */
	r = RECORD(0, 0xffffffffc0400040ull, 0xffffffff81002140ull, KSYS, SYSCALL);
	assert_string_equal(row(&r, false), "2147483647\n    ksys_read+0x50\n"
					    "    do_syscall_64+0x10\n");
	r = RECORD(0, 0xffffffff81003040ull, 0xffffffff81003140ull, BPF, 0xffffffff81003240ull,
		   KSYS, SYSCALL);
	assert_string_equal(row(&r, false), "2147483647\n    ksys_read+0x50\n"
					    "    do_syscall_64+0x10\n");
	/* of a caller that another tool traces, nothing is cut */
	r = RECORD(0, BPF, KSYS, UNNAMED, SYSCALL);
	assert_string_equal(row(&r, false), "2147483647\n    ksys_read+0x50\n"
					    "    0xffffffffc0500123\n    do_syscall_64+0x10\n");
	r = RECORD(0, UNNAMED, BPF);
	assert_string_equal(row(&r, false), "2147483647\n    0xffffffffc0500123\n"
					    "    bpf_trampoline_1+0x40 [bpf]\n");
	r = RECORD(0, 0);
	assert_string_equal(row(&r, false), "2147483647\n");
}

/* The address behind a call that never returns is not in the function that called. */
static void callers_at_their_end(void **state)
{
	struct stack_record r = RECORD(VFS_READ, VFS_READ, 0xffffffff81001100ull,
				       0xffffffffc0201012ull);

	(void)state;
	r.kernel_frames[1] = 0xffffffff81001200ull;
	assert_string_equal(row(&r, false), "2147483647\n    vfs_read\n"
					    "    vfs_write+0x100\n"
					    "    nf_conntrack_in+0x12 [nf_conntrack]\n");
	r.kernel_frames[1] = 0xffffffff81001100ull;
	assert_non_null(strstr(row(&r, false), "    vfs_read+0x100\n"));
}

static void what_could_not_be_captured(void **state)
{
	struct stack_record r = RECORD(VFS_READ, VFS_READ);

	(void)state;
	r.user.size = -14;
	assert_string_equal(row(&r, false), "2147483647\n    vfs_read\n"
					    "    <user stack: fault>\n");
	assert_string_equal(
		row(&r, true),
		"{\"type\":\"x\",\"pid\":2147483647,\"kernel_stack\":[\"vfs_read+0x0\"],"
		"\"user_stack\":null,\"errors\":{\"user_stack\":\"fault\"}}\n");
}

static void frames_of_nobody(void **state)
{
	struct stack_record r = RECORD(VFS_READ, VFS_READ);

	(void)state;
	r.user.size = 5 * 8;
	for (int i = 0; i < 5; i++)
		r.user_frames[i] = 0x7f0000001000 + i;
	/* no such process; and no more frames than were asked for */
	assert_string_equal(row(&r, false), "2147483647\n    vfs_read\n"
					    "    0x7f0000001000\n    0x7f0000001001\n"
					    "    0x7f0000001002\n");
	/* no addresses at the end of the chain */
	r.user_frames[1] = 0x13;
	r.user_frames[2] = 0;
	r.user.size = 3 * 8;
	assert_string_equal(row(&r, false), "2147483647\n    vfs_read\n    0x7f0000001000\n");
}

static void records_that_lie(void **state)
{
	struct stack_record r = RECORD(VFS_READ, VFS_READ);
	struct value v;

	(void)state;
	r.kernel.size = 7;
	assert_int_equal(field_load(&fields[1], &r, sizeof(r), &v), -EBADMSG);
	r.kernel.size = (ROOM + 1) * 8;
	assert_int_equal(field_load(&fields[1], &r, sizeof(r), &v), -EBADMSG);
	r.kernel.size = 8;
	assert_int_equal(field_load(&fields[1], &r, sizeof(r), &v), 0);
	assert_int_equal(field_load(&fields[1], &r, fields[1].offset + 8, &v), -EBADMSG);
}

static void folded_lines(void **state)
{
	struct stack_record r[] = { RECORD(VFS_READ, UNNAMED, VFS_READ + 9, KSYS, SYSCALL),
				    RECORD(VFS_READ, VFS_READ, KSYS, SYSCALL),
				    RECORD(VFS_READ, VFS_READ, 0xffffffffc0201012ull,
					   SYSCALL + 4) };
	struct folded *f = folded_new();

	(void)state;
	r[1].user.size = 8;
	r[1].user_frames[0] = 0x1000;
	r[2].user.size = -14;
	for (int i = 0; i < 5000; i++)
		for (size_t j = 0; j < COUNT(r); j++)
			if (i % (j + 1) == 0)
				assert_int_equal(
					folded_add(f, &key_schema, &r[j], sizeof(r[j]), 1 + j), 0);
	assert_int_equal(folded_add(f, &key_schema, &r[0], 8, 1), -EBADMSG);
	assert_int_equal(folded_write(f, &out, false), 3);
	assert_string_equal(
		taken(&out),
		"some:_one;[fault];do_syscall_64_[k];nf_conntrack_in_[k];vfs_read_[k] 5001\n"
		"some:_one;[unknown];do_syscall_64_[k];ksys_read_[k];vfs_read_[k] 5000\n"
		"some:_one;do_syscall_64_[k];ksys_read_[k];vfs_read_[k] 5000\n");
	folded_free(f);
}

/* Sums may be below 0, and a stack may come first. */
static void folded_sums(void **state)
{
	const struct schema name_only = { keys, 1, sizeof(struct stack_record) };
	const struct schema stack_only = { keys + 2, 1, sizeof(struct stack_record) };
	struct stack_record r = RECORD(VFS_READ, VFS_READ, KSYS);
	struct folded *f = folded_new();

	(void)state;
	strcpy(r.head.comm, "a; \n\\");
	assert_int_equal(folded_add(f, &name_only, &r, sizeof(r), 1), 0);
	assert_int_equal(folded_add(f, &stack_only, &r, sizeof(r), 3), 0);
	assert_int_equal(folded_add(f, &stack_only, &r, sizeof(r), -10), 0);
	assert_int_equal(folded_write(f, &out, true), 2);
	assert_string_equal(taken(&out), "a:_\\n\\\\ 1\nksys_read_[k];vfs_read_[k] -7\n");
	folded_free(f);
}

/* Stacks that a record has by their ids. */
static const struct event_stack *found(void *ctx, const struct stack_id *id,
				       const struct frame **named)
{
	static const struct frame frames[] = { { .name = "inner", .module = "prog", .offset = 4 },
					       { .name = "main", .module = "prog" } };
	struct stack_record *r = ctx;

	*named = id->tgid ? frames : NULL;
	return id->hash == 77 ? (id->tgid ? &r->user : &r->kernel) : NULL;
}

static void stacks_by_id(void **state)
{
	struct stack_record r = RECORD(VFS_READ, VFS_READ + 5, KSYS);
	struct {
		uint64_t kernel;
		struct stack_id user;
	} key = { 77, { 77, 5, 0 } };
	const struct field by_id[] = {
		{ .name = "kstack",
		  .type = FIELD_KERNEL_STACK,
		  .kind = &stack_id_kinds[0],
		  .size = 8 },
		{ .name = "ustack",
		  .type = FIELD_USER_STACK,
		  .kind = &stack_id_kinds[1],
		  .offset = 8,
		  .size = 16 },
	};
	const struct schema ids = { by_id, COUNT(by_id), sizeof(key), .bare = true };
	struct folded *f = folded_new();
	struct value v;

	(void)state;
	r.user.size = 16;
	r.user_frames[0] = r.user_frames[1] = 0x401000;
	stack_ids_set_finder(found, &r);
	assert_int_equal(field_load(&by_id[1], &key, sizeof(key), &v), 0);
	assert_true(v.named && v.status == EVENT_OK && !v.unreadable); /* names are no flaw */
	assert_int_equal(folded_add(f, &ids, &key, sizeof(key), 1), 0);
	key.kernel = STACK_LOST;
	key.user.hash = STACK_FAULT;
	assert_int_equal(folded_add(f, &ids, &key, sizeof(key), 2), 0);
	key.kernel = 78; /* nobody knows it */
	assert_int_equal(folded_add(f, &ids, &key, sizeof(key), 4), 0);
	key.user.hash = STACK_NEVER;
	assert_int_equal(folded_add(f, &ids, &key, sizeof(key), 8), 0);
	folded_write(f, &out, false);
	assert_string_equal(taken(&out), "[not_kept] 8\n"
					 "[not_kept];[fault] 6\n"
					 "ksys_read_[k];vfs_read_[k];main;inner 1\n");
	stack_ids_set_finder(NULL, NULL);
	folded_free(f);
}

/* A report: the stack is below its row; several have names; a histogram comes before them. */
static const char *reported(const struct schema *reports, const void *record, size_t size)
{
	struct sink s = { .schema = reports, .out = &out };
	struct report r = { .sink = &s };

	report_begin(&r, 0);
	assert_int_equal(report_row(&r, record, size), 0);
	assert_int_equal(report_end(&r), 0);
	report_free(&r);
	sink_free(&s);
	return taken(&out);
}

static void stacks_below_reported_rows(void **state)
{
	struct {
		struct stack_record r;
		uint64_t count, buckets[4];
	} row = { RECORD(VFS_READ, VFS_READ, KSYS), 12, { 0, 0, 12, 0 } };
	struct field report[] = {
		keys[0],
		keys[2],
		keys[1],
		{ .name = "count",
		  .title = "count",
		  .type = FIELD_UINT,
		  .offset = offsetof(__typeof__(row), count),
		  .size = 8 },
		{ .name = "hist",
		  .title = "hist(n)",
		  .type = FIELD_HIST,
		  .offset = offsetof(__typeof__(row), buckets),
		  .size = sizeof(row.buckets) },
	};
	struct schema s = { report, 4, sizeof(row), .bare = true };

	(void)state;
	strcpy(row.r.head.comm, "cat");
	row.r.user.size = -14;
	assert_string_equal(reported(&s, &row, sizeof(row)), "NAME  count\n"
							     "cat      12\n"
							     "  kstack:\n"
							     "    vfs_read\n"
							     "    ksys_read+0x50\n"
							     "  ustack:\n"
							     "    <user stack: fault>\n");
	report[2] = report[3];
	s.count = 3;
	assert_string_equal(reported(&s, &row, sizeof(row)), "NAME  count\n"
							     "cat      12\n"
							     "    vfs_read\n"
							     "    ksys_read+0x50\n");
	report[2] = report[4];
	assert_non_null(strstr(reported(&s, &row, sizeof(row)), "|\n"
								"    vfs_read\n"
								"    ksys_read+0x50\n"));
}

/* More lines than the table begins with. */
static void folded_grows(void **state)
{
	struct folded *f = folded_new();
	size_t lines = 0;

	(void)state;
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 3000; i++) {
			struct stack_record r = RECORD(VFS_READ, VFS_READ);

			sprintf(r.head.comm, "c%d", i);
			assert_int_equal(folded_add(f, &key_schema, &r, sizeof(r), 1), 0);
		}
	folded_write(f, &out, false);
	for (const char *line = taken(&out); *line; line = strchr(line, '\n') + 1) {
		assert_non_null(strstr(line, ";vfs_read_[k] 3\n"));
		lines++;
	}
	assert_int_equal(lines, 3000);
	folded_free(f);
}

static int symbols_set(void **state)
{
	char path[] = "/tmp/test_stack.XXXXXX";
	int fd = mkstemp(path), err;

	(void)state;
	err = write(fd, symbols, sizeof(symbols) - 1) != sizeof(symbols) - 1 || ksyms_read(path);
	close(fd);
	unlink(path);
	buf_init(&out, -1);
	return err;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_below_the_row),
		cmocka_unit_test(frames_of_a_program_with_a_name),
		cmocka_unit_test(frame_0_is_the_function),
		cmocka_unit_test(no_function),
		cmocka_unit_test(callers_at_their_end),
		cmocka_unit_test(what_could_not_be_captured),
		cmocka_unit_test(frames_of_nobody),
		cmocka_unit_test(records_that_lie),
		cmocka_unit_test(folded_lines),
		cmocka_unit_test(stacks_below_reported_rows),
		cmocka_unit_test(folded_sums),
		cmocka_unit_test(stacks_by_id),
		cmocka_unit_test(folded_grows),
	};

	return cmocka_run_group_tests(tests, symbols_set, NULL);
}
