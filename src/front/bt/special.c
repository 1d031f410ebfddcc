/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * special.c - programs that this process runs itself: BEGIN, END and self as raw tracepoints by BPF_PROG_TEST_RUN,
 * which all kernels since 5.10 support; iterators (iterator.c) by reading them. Intervals that walk a map are among
 * them where the kernel does not let programs do that (walk.c).
 */
#include "front/bt/bt.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "attach/prog.h"
#include "util/clock.h"
#include "util/errname.h"
#include "util/log.h"

enum { LOG_MAX = (16 << 20) - 1 };

/* Loads the program again, to get the verifier's reason. */
static void refusal_report(const struct bt_special *p, const struct program_image *image,
			   const struct prog_type *type, int err)
{
	char *log = malloc(LOG_MAX);

	log_error("the kernel rejected the program of %s: %s", p->attach->text, errtext(-err));
	if (!log)
		return;
	log[0] = 0;
	prog_load_as(image->insns, image->count, type, log, LOG_MAX);
	verifier_reason_store(log);
	if (verifier_reason_last())
		log_hint("the verifier: %s", verifier_reason_last());
	if (verifier_remedy(err))
		log_hint("%s", verifier_remedy(err));
	log_debug_lines(2, log);
	free(log);
}

static int special_compile(struct bt *b, const struct bt_special *p, struct expr_program **program)
{
	struct script_point point = { p->probe, p->attach, &p->input, &b->names };
	int err = script_compile(b->script, &b->world, &point, program, &b->error);

	if (!err)
		return EXIT_FINE;
	if (err != -EINVAL && err != -EOPNOTSUPP)
		return attach_explain(NULL, NULL, err);
	bt_error_report(b, &b->error);
	return EXIT_USAGE;
}

static int special_type(struct session *s, struct bt *b, const struct bt_special *p,
			struct prog_type *type)
{
	*type = (struct prog_type){ .prog = BPF_PROG_TYPE_RAW_TRACEPOINT };
	if (p->attach->kind != PROBE_ITER)
		return EXIT_FINE;
	*type = (struct prog_type){ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER,
				    bt_iterator_id(s->btf, p->attach->parts[1]), 0 };
	return type->btf_id ? EXIT_FINE : bt_iterator_unknown(s, b, p);
}

static int special_load(struct bt *b, struct bt_special *p, const struct expr_program *program,
			const struct prog_type *type)
{
	static const struct program_facts facts[2];
	struct program_image image;
	int err = program_image_build(&image, program, &b->a.maps, NULL, facts);

	if (err)
		return attach_explain(NULL, NULL, err);
	p->fd = prog_load_as(image.insns, image.count, type, NULL, 0);
	err = p->fd < 0 ? 0 : bt_walk_open(p, program, &image);
	log_place(b->text, p->attach->span.start, p->attach->span.end);
	if (p->fd < 0)
		refusal_report(p, &image, type, p->fd);
	log_place(NULL, 0, 0);
	program_image_free(&image);
	if (err)
		return attach_explain(NULL, NULL, err);
	return p->fd < 0 ? EXIT_CANNOT : EXIT_FINE;
}

int bt_specials_load(struct session *s, struct bt *b)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < b->special_count && !code; i++) {
		struct expr_program *program = NULL;
		struct prog_type type;

		code = special_type(s, b, &b->specials[i], &type) ?:
			       special_compile(b, &b->specials[i], &program);
		if (!code && !s->options.attach.dry_run)
			code = special_load(b, &b->specials[i], program, &type);
		expr_free(program);
	}
	return code;
}

int bt_special_run(const struct bt *b, struct bt_special *p)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (p->walk_fd >= 0)
		return bt_walk_run(b, p);
	if (bpf_prog_test_run_opts(p->fd, &opts))
		return -errno;
	p->result = opts.retval;
	return 0;
}

int bt_specials_run(struct bt *b, enum script_probe_kind kind)
{
	int err = 0;

	for (size_t i = 0; i < b->special_count && !err; i++)
		if (b->specials[i].attach->kind == kind && b->specials[i].fd >= 0)
			err = bt_special_run(b, &b->specials[i]);
	return err;
}

/* ---- intervals that this process runs ---- */

/* Returns the time of the next run. Runs that a late loop has missed are skipped, as by the kernel's own timers. */
static uint64_t interval_next(const struct bt_special *p, uint64_t now)
{
	return p->next + ((now - p->next) / p->period + 1) * p->period;
}

static void interval_run(const struct bt *b, struct bt_special *p, uint64_t now)
{
	int err = p->next && !b->is_exiting ? bt_special_run(b, p) : 0;

	if (err)
		log_warn("%s did not run: %s", p->attach->text, errtext(-err));
	p->next = p->next ? interval_next(p, now) : now + p->period;
}

void bt_intervals_run(struct session *s, struct bt *b)
{
	uint64_t now = now_ns();

	s->needs.poll_at = 0;
	for (size_t i = 0; i < b->special_count; i++) {
		struct bt_special *p = &b->specials[i];

		if (p->attach->kind != PROBE_INTERVAL || p->fd < 0)
			continue;
		if (now >= p->next)
			interval_run(b, p, now);
		if (!s->needs.poll_at || p->next < s->needs.poll_at)
			s->needs.poll_at = p->next;
	}
}

/* ---- self:signal:NAME ---- */

/* The programs that run on signals, in the order of the text. */
struct signal_program {
	int signal, fd;
};
static struct signal_program *signal_programs; /* owned until exit: a signal may come at any time */
static size_t signal_count;

static void signal_run(int signal)
{
	int err = errno;

	for (size_t i = 0; i < signal_count; i++) {
		union bpf_attr attr = { .test.prog_fd = signal_programs[i].fd };

		if (signal_programs[i].signal == signal)
			syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	}
	errno = err;
}

int bt_signals_catch(struct bt *b)
{
	struct sigaction action = { .sa_handler = signal_run };

	signal_programs = calloc(b->special_count + 1, sizeof(*signal_programs));
	if (!signal_programs)
		return -ENOMEM;
	for (size_t i = 0; i < b->special_count; i++) {
		const struct bt_special *p = &b->specials[i];
		int signal = p->attach->kind == PROBE_SELF ? bt_signal_number(p->attach) : 0;

		if (signal <= 0)
			continue;
		signal_programs[signal_count++] = (struct signal_program){ signal, p->fd };
	}
	for (size_t i = 0; i < signal_count; i++)
		if (sigaction(signal_programs[i].signal, &action, NULL))
			return -errno;
	return 0;
}

void bt_specials_close(struct bt *b)
{
	for (size_t i = 0; i < b->special_count; i++) {
		if (b->specials[i].fd >= 0)
			close(b->specials[i].fd);
		if (b->specials[i].walk_fd >= 0)
			close(b->specials[i].walk_fd);
	}
}
