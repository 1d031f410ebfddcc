/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tests.c - --test and --bench: probes test:NAME and bench:NAME, which this process runs when all is attached.
 *
 * A test fails if it returns a value or calls errorf(), as assert() does; only then is its output printed. A
 * benchmark runs until its time can be measured. Its output is dropped, and the time of an empty program is
 * subtracted.
 */
#include <bpf/bpf.h>
#include <string.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "attach/prog.h"
#include "front/bt/bt.h"
#include "front/bt/show_parts.h"
#include "run/ring.h"
#include "run/stop.h"
#include "util/clock.h"
#include "util/errname.h"
#include "util/escape.h"
#include "util/log.h"

enum {
	ROUNDS_FIRST = 8,
	ROUNDS_MOST = 1 << 20,
	ROUNDS_AT_ONCE = 128,	  /* after which the ring is read */
	BENCH_NS = 100 * 1000000, /* minimum time of a benchmark */
};

static int record_show(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;

	return s->record(s, record, size);
}

/* Prints all records of the ring to `text`. Returns 0 or -errno. */
static int records_show(struct session *s, struct bt *b, struct buf *text)
{
	struct buf *out = b->show.out;
	int n;

	b->show.out = text;
	do
		n = ring_consume(s->ring, UINT64_MAX, record_show, s);
	while (n > 0);
	b->show.out = out;
	return n;
}

static bool is_of(const struct bt *b, const struct bt_special *p)
{
	return p->attach->kind == b->asked.tested;
}

static size_t count_of(const struct bt *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->special_count; i++)
		count += is_of(b, &b->specials[i]);
	return count;
}

/* ---- tests ---- */

#define GREEN(text_) "\033[32m" text_ "\033[0m "
#define RED(text_)   "\033[31m" text_ "\033[0m "

static void count_write(struct buf *o, size_t count, const char *behind)
{
	buf_printf(o, "%zu test%s%s\n", count, count == 1 ? "" : "s", behind);
}

/* Returns 1 if the test fails, 0 if it passes, or -errno. */
static int test_run(struct session *s, struct bt *b, struct bt_special *p)
{
	const char *name = p->attach->rest;
	uint64_t begin = now_ns();
	struct buf text;
	bool fails;
	int err;

	buf_printf(&s->out, GREEN("[ RUN      ]") "%s\n", name);
	b->is_exiting = false;
	b->show.errors = 0;
	buf_init(&text, -1);
	err = bt_special_run(b, p) ?: records_show(s, b, &text);
	fails = err || p->result || b->show.errors;
	if (fails)
		buf_bytes(&s->out, text.data ?: "", text.len);
	buf_str(&s->out, fails ? RED("[  FAILED  ]") : GREEN("[       OK ]"));
	buf_printf(&s->out, "%s (%llu μs)\n", name,
		   (unsigned long long)((now_ns() - begin) / 1000));
	buf_free(&text);
	buf_flush(&b->err);
	return err < 0 ? err : fails;
}

static void failed_write(struct buf *o, const struct bt *b, const bool *failed, size_t count)
{
	buf_str(o, RED("[  FAILED  ]"));
	count_write(o, count, ", listed below:");
	for (size_t i = 0; i < b->special_count; i++)
		if (failed[i])
			buf_printf(o, RED("[  FAILED  ]") "%s\n", b->specials[i].attach->rest);
}

static int tests_run(struct session *s, struct bt *b)
{
	size_t count = count_of(b), failures = 0;
	bool failed[b->special_count + 1];
	struct buf *o = &s->out;

	buf_printf(o, GREEN("[==========]") "Running %zu tests.\n", count);
	for (size_t i = 0; i < b->special_count; i++) {
		int result = is_of(b, &b->specials[i]) ? test_run(s, b, &b->specials[i]) : 0;

		if (result < 0)
			return result;
		failed[i] = result;
		failures += result;
	}
	buf_str(o, GREEN("[==========]"));
	count_write(o, count, " ran.");
	buf_str(o, GREEN("[  PASSED  ]"));
	count_write(o, count - failures, ".");
	if (failures)
		failed_write(o, b, failed, failures);
	s->end.status = failures ? EXIT_USAGE : EXIT_FINE;
	return 0;
}

/* ---- benchmarks ---- */

/* Returns the time of `rounds` runs in ns, or -errno. */
static int64_t rounds_run(struct session *s, struct bt *b, struct bt_special *p, unsigned rounds)
{
	int64_t ns = 0;
	int err = 0;

	for (unsigned done = 0; done < rounds && !err; done += ROUNDS_AT_ONCE) {
		uint64_t begin = now_ns();
		struct buf text;

		for (unsigned i = done; i < rounds && i < done + ROUNDS_AT_ONCE && !err; i++)
			err = bt_special_run(b, p);
		ns += now_ns() - begin;
		buf_init(&text, -1);
		err = err ?: records_show(s, b, &text);
		buf_free(&text);
	}
	return err ?: ns;
}

/* Loads a program that does nothing; its time is the overhead of a run. */
static struct bt_special empty_load(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct prog_type type = { .prog = BPF_PROG_TYPE_RAW_TRACEPOINT };

	return (struct bt_special){ .fd = prog_load_as(insns, 2, &type, NULL, 0), .walk_fd = -1 };
}

static void bench_write(struct session *s, const char *name, int64_t ns, unsigned rounds)
{
	if (!s->options.rows.json) {
		buf_printf(&s->out, "%-40s %-14lld %u\n", name, (long long)ns, rounds);
		return;
	}
	bt_json_begin(&s->out, "benchmark_result");
	buf_char(&s->out, '{');
	escape_write_json(&s->out, name, strlen(name));
	buf_printf(&s->out, ": {\"average\": %lld, \"iters\": %u}}", (long long)ns, rounds);
	bt_json_end(&s->out);
}

static int bench_run(struct session *s, struct bt *b, struct bt_special *p,
		     struct bt_special *empty)
{
	unsigned rounds = ROUNDS_FIRST;
	int64_t ns, rest;

	while ((ns = rounds_run(s, b, p, rounds)) >= 0 && ns < BENCH_NS && rounds < ROUNDS_MOST)
		rounds *= 2;
	rest = ns < 0 ? ns : rounds_run(s, b, empty, rounds);
	if (rest < 0)
		return (int)rest;
	ns = ns > rest ? ns - rest : 0;
	bench_write(s, p->attach->rest, ns / rounds, rounds);
	buf_flush(&s->out);
	return 0;
}

static int benches_run(struct session *s, struct bt *b)
{
	struct bt_special empty = empty_load();
	int err = empty.fd < 0 ? empty.fd : 0;

	if (!s->options.rows.json) {
		buf_printf(&s->out, "%-40s %-14s %s\n", "Benchmark", "Time(ns)", "Iterations");
		buf_repeat(&s->out, '-', 66);
		buf_char(&s->out, '\n');
	}
	for (size_t i = 0; i < b->special_count && !err; i++)
		if (is_of(b, &b->specials[i]))
			err = bench_run(s, b, &b->specials[i], &empty);
	if (empty.fd >= 0)
		close(empty.fd);
	return err;
}

void bt_tests_run(struct session *s, struct bt *b)
{
	int err = b->asked.tested == PROBE_TEST ? tests_run(s, b) : benches_run(s, b);

	if (err) {
		log_error("a %s: probe did not run: %s",
			  b->asked.tested == PROBE_TEST ? "test" : "bench", errtext(-err));
		s->end.status = EXIT_FAILED;
	}
	stop_note();
}
