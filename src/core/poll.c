/* SPDX-License-Identifier: GPL-2.0 */
/*
 * poll.c - the loop of a session: reads the ring in batches until something ends it.
 *
 * While records flow it looks every 10 ms and nobody wakes it: a wake-up costs the traced task
 * more than the whole record. After a look that found nothing it lets the next record wake it
 * (ring_rest), so that rare events are seen at once.
 *
 * Without a ring there is nothing to look at: it sleeps until a signal, or until it is time for a
 * report. Signals are let in only while it sleeps, so that none comes just before.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/session.h"
#include "core/usyms.h"

#define LOOK_MS 10   /* between looks while records flow */
#define SLEEP_MS 100 /* between looks at what nobody wakes it for: the command's end, the time */
#define LEDGER_NS 2000000000ull

static volatile sig_atomic_t poll_signal;

static void signal_note(int number)
{
	if (number != SIGCHLD)
		poll_signal = number;
}

struct poll {
	struct session *s;
	int epoll_fd;
	uint64_t deadline;    /* CLOCK_MONOTONIC ns; UINT64_MAX: none */
	uint64_t next_ledger, next_report; /* UINT64_MAX: never */
	sigset_t open; /* the signals that are let in while it sleeps */
	bool done;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void signals_catch(void)
{
	struct sigaction catch = { .sa_handler = signal_note };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &catch, NULL);
	sigaction(SIGTERM, &catch, NULL);
	sigaction(SIGHUP, &catch, NULL);
	sigaction(SIGCHLD, &catch, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static void signals_hold(void)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, NULL);
}

static int epoll_watch(struct poll *p, int fd, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.fd = fd };

	/* a plain file cannot be watched, and need not: it has no reader that goes away */
	if (epoll_ctl(p->epoll_fd, EPOLL_CTL_ADD, fd, &e) && errno != EPERM)
		return -errno;
	return 0;
}

static int poll_open(struct poll *p)
{
	struct session *s = p->s;
	int err;

	signals_catch();
	p->deadline = s->options.duration_ns ? now_ns() + s->options.duration_ns : UINT64_MAX;
	p->next_ledger = now_ns() + LEDGER_NS;
	p->next_report = s->report_ns ? now_ns() + s->report_ns : UINT64_MAX;
	sigprocmask(SIG_SETMASK, NULL, &p->open);
	if (s->report)
		signals_hold();
	p->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (p->epoll_fd < 0)
		return -errno;
	/* edge-triggered: level would report what we chose not to be woken for */
	err = s->ring ? epoll_watch(p, s->ring_fd, EPOLLIN | EPOLLET) : 0;
	if (!err)
		err = epoll_watch(p, s->out.fd, 0); /* EPOLLERR: the pipe's reader is gone */
	return err;
}

static bool limit_reached(const struct session *s)
{
	return s->options.events && s->sink.rows >= s->options.events;
}

static int record_take(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;
	int err = s->record ? s->record(s, record, size) : sink_record(&s->sink, record, size);

	if (err)
		return err;
	return limit_reached(s) || s->out.error;
}

/* One batch: all that is queued, and its output. Returns the number of records or -errno. */
static int batch_take(struct poll *p)
{
	int n = p->s->ring ? ring_drain(p->s->ring, record_take, p->s) : 0;

	if (n != 0)
		out_flush(&p->s->out);
	if (p->s->out.error || limit_reached(p->s))
		p->done = true;
	return n;
}

static int time_left_ms(const struct poll *p, int most)
{
	uint64_t end = p->deadline < p->next_report ? p->deadline : p->next_report;
	uint64_t now = now_ns(), left;

	if (end == UINT64_MAX)
		return most;
	if (now >= end)
		return 0;
	left = (end - now + 999999) / 1000000;
	return left < (uint64_t)most ? (int)left : most;
}

/* Waits for a wake-up, a signal or the time; sees a closed pipe. */
static void wait_ms(struct poll *p, int ms)
{
	struct epoll_event e[2];
	int n = epoll_pwait(p->epoll_fd, e, 2, time_left_ms(p, ms), &p->open);

	for (int i = 0; i < n; i++)
		if (e[i].data.fd == p->s->out.fd && e[i].events & (EPOLLERR | EPOLLHUP))
			p->done = true;
}

static void sleep_until_woken(struct poll *p)
{
	if (!p->s->ring) {
		wait_ms(p, LEDGER_NS / 1000000);
		return;
	}
	if (ring_rest(p->s->ring))
		wait_ms(p, SLEEP_MS);
}

static void ledger_look(struct poll *p)
{
	struct session *s = p->s;

	if (now_ns() < p->next_ledger)
		return;
	p->next_ledger = now_ns() + LEDGER_NS;
	losses_read(&s->losses);
	losses_tell(&s->losses, s->options.json ? &s->out : NULL, s->sink.rows, false);
	out_flush(&s->out);
}

static int report(struct poll *p)
{
	int err = p->s->report(p->s);

	out_flush(&p->s->out);
	return err;
}

/* The time of each report is a multiple of the interval from the start on. */
static int report_look(struct poll *p)
{
	if (now_ns() < p->next_report)
		return 0;
	while (p->next_report <= now_ns())
		p->next_report += p->s->report_ns;
	return report(p);
}

static void ends_look(struct poll *p)
{
	if (poll_signal || now_ns() >= p->deadline)
		p->done = true;
	if (p->s->command.pid && command_ended(&p->s->command))
		p->done = true;
	if (p->s->options.user_stack)
		usyms_poll();
	ledger_look(p);
}

/* What has come, and has nowhere to go. */
static int record_lose(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;

	(void)record, (void)size;
	s->losses.local[LOSS_OUTPUT]++;
	return 0;
}

/* Nothing new arrives from here on; what is queued is still taken, up to the limit. */
static int tail_take(struct poll *p)
{
	struct session *s = p->s;
	int n = 0;

	if (limit_reached(s) || s->out.error == -EPIPE)
		return 0;
	if (s->applet->detach)
		s->applet->detach(s);
	probe_plan_detach(&s->plan);
	if (s->report)
		n = report(p);
	else if (!s->out.error)
		n = batch_take(p);
	if (n >= 0 && s->out.error && s->out.error != -EPIPE && !s->report)
		n = ring_drain(s->ring, record_lose, s);
	return n < 0 ? n : 0;
}

int session_poll(struct session *s)
{
	struct poll p = { .s = s };
	int n = poll_open(&p);

	while (n >= 0 && !p.done) {
		n = batch_take(&p);
		if (n < 0 || p.done)
			break;
		if (n > 0)
			wait_ms(&p, LOOK_MS);
		else
			sleep_until_woken(&p);
		ends_look(&p);
		n = p.done ? 0 : report_look(&p);
	}
	if (n >= 0)
		n = tail_take(&p);
	close(p.epoll_fd);
	/* a second signal now ends the process at once */
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, &p.open, NULL);
	return n;
}
