/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_loop.c - the loop of a session: reads the ring in batches until something ends it.
 *
 * While records arrive, it polls every 10 ms and is not woken: a wake-up costs the traced task more than the whole
 * record. After a poll that found nothing, it lets the next record wake it (ring_arm_wakeup), so that rare events are
 * shown at once.
 *
 * A pipe or socket that accepts nothing more for now (buf.defers) does not stop the loop: once OUT_MOST bytes wait
 * for it, records stay in the ring, which counts those that find no room.
 *
 * Without a ring there is nothing to poll: it sleeps until a signal, or until a report is due. SIGCHLD is unblocked
 * only while it sleeps, so that none arrives unnoticed just before.
 *
 * stop.h describes how the loop ends.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "attach/method_can.h"
#include "util/clock.h"
#include "util/log.h"
#include "output/field/timestamp.h"
#include "run/clock_watch.h"
#include "run/reporting.h"
#include "run/event_loop.h"
#include "run/metrics.h"
#include "run/screen.h"
#include "run/session.h"
#include "run/stop.h"
#include "run/traced.h"
#include "symbols/user/usyms.h"

/* For functions that run for each record. */
#define INLINE inline __attribute__((always_inline))

#define LOOK_MS 10 /* time between polls while records arrive */
/* records are ordered within this time: once a record is this old, no earlier one will follow */
#define HELD_NS 50000000ull
#define SLEEP_MS                                                                                   \
	100 /* time between checks for what does not wake the loop: the end of the traced tasks, the duration */
#define OUT_MOST   (64 * 1024)
#define LEDGER_NS  2000000000ull
#define QUEUE_NS   700000000ull /* time to read queued records, from the detach on */
#define TAIL_TRIES 100		/* ms to wait for a record that is still being written */

struct poll {
	struct session *s;
	int epoll_fd;
	uint64_t deadline;		   /* CLOCK_MONOTONIC ns; UINT64_MAX: none */
	uint64_t next_ledger, next_report; /* CLOCK_MONOTONIC ns; UINT64_MAX: never */
	uint64_t next_online;		   /* when to check for new processors */
	bool watches_output;		   /* epoll waits until the output accepts more */
	sigset_t open; /* the signals that are unblocked while the loop sleeps */
	int clock_fd;  /* becomes readable when the wall clock is set */
	bool done;
};

static void signals_hold(struct poll *p)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, &p->open);
	/* our parent may have blocked SIGCHLD */
	sigemptyset(&held);
	sigaddset(&held, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &held, NULL);
	sigdelset(&p->open, SIGALRM);
}

static int epoll_watch(struct poll *p, int fd, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.fd = fd };

	/* EPERM: a regular file cannot be watched, and has no reader that may exit */
	if (epoll_ctl(p->epoll_fd, EPOLL_CTL_ADD, fd, &e) && errno != EPERM)
		return -errno;
	return 0;
}

/* The end of each process wakes the loop once. */
static int tasks_watch(struct poll *p, const struct task_list *l)
{
	int err = 0;

	for (uint32_t i = 0; i < l->count && !err; i++)
		if (l->tasks[i].fd >= 0)
			err = epoll_watch(p, l->tasks[i].fd, EPOLLIN | EPOLLONESHOT);
	return err;
}

/* EPOLLERR: the pipe's reader has closed it. */
static int output_watch(struct poll *p)
{
	int err = epoll_watch(p, p->s->out.fd, 0);

	return err == -EBADF ? buf_fail(&p->s->out, err) : err;
}

static int poll_open(struct poll *p)
{
	struct session *s = p->s;
	int err;

	stop_signals_catch();
	progress_begin(
		s); /* before the slow work: whoever reads the line may type Ctrl-C at once */
	p->deadline = s->options.limits.duration_ns ? now_ns() + s->options.limits.duration_ns :
						      UINT64_MAX;
	p->next_ledger = now_ns() + LEDGER_NS;
	p->next_report = s->options.report.interval_ns ? now_ns() + s->options.report.interval_ns :
							 UINT64_MAX;
	signals_hold(p);
	if (s->options.limits.duration_ns)
		stop_timer_start(s->options.limits.duration_ns / 1000 + 1);
	p->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (p->epoll_fd < 0)
		return -errno;
	p->clock_fd =
		clock_watch_open(); /* if that fails, ledger_check reads the clock every 2 s */
	if (p->clock_fd >= 0)
		epoll_watch(p, p->clock_fd, EPOLLIN);
	/* edge-triggered: level-triggered would report records that should not wake us */
	err = s->ring ? epoll_watch(p, s->fds.ring, EPOLLIN | EPOLLET) : 0;
	if (!err)
		err = output_watch(p);
	if (!err)
		err = listen_begin(p->epoll_fd);
	s->out.defers = s->out.by_lines;
	screen_open(s);
	if (!err && screen_keys_fd() >= 0)
		err = epoll_watch(p, screen_keys_fd(), EPOLLIN);
	return err ?: tasks_watch(p, &s->traced.processes) ?: tasks_watch(p, &s->traced.subjects);
}

static INLINE int record_show(struct session *s, const void *record, size_t size)
{
	int err = s->record ? s->record(s, record, size) : recorder_output(s, record, size);

	return err ?: session_limit_reached(s) || s->out.error;
}

static int record_read(void *ctx, const void *record, size_t size)
{
	const struct session *s = ctx;

	return record_show(ctx, record, size) ?: stop_asked || s->out.len >= OUT_MOST;
}

/* True if the time for queued records after a request to stop is over. */
static bool queue_is_late(void)
{
	return stop_asked && now_ns() >= stop_detached_at + QUEUE_NS;
}

/* For records that were queued when tracing ended. */
static int record_read_last(void *ctx, const void *record, size_t size)
{
	return record_show(ctx, record, size) ?: queue_is_late();
}

/* Reads what is queued, and writes it. Returns the number of records or -errno. */
static int batch_read(struct poll *p)
{
	bool asked = recorder_is_asked(); /* asks for all records that were queued before */
	bool full = p->s->out.len >= OUT_MOST && (buf_flush(&p->s->out), p->s->out.len >= OUT_MOST);
	uint64_t until = asked ? UINT64_MAX : now_ns() - HELD_NS;
	int n = p->s->ring && !full ? ring_consume(p->s->ring, until, record_read, p->s) : 0;

	if (n >= 0 && asked) {
		/* the recorder's records may be too many for the buffer to hold them back */
		p->s->out.defers = false;
		n = recorder_write(p->s) ?: n;
		p->s->out.defers = p->s->out.by_lines;
	}
	buf_flush(&p->s->out);
	if (p->s->out.error || session_limit_reached(p->s))
		p->done = true;
	return n;
}

static int time_left_ms(const struct poll *p, int most)
{
	uint64_t end = p->deadline < p->next_report ? p->deadline : p->next_report;
	uint64_t metrics = metrics_due(p->s);
	uint64_t now = now_ns(), left;

	end = metrics < end ? metrics : end;
	end = p->s->needs.poll_at && p->s->needs.poll_at < end ? p->s->needs.poll_at : end;
	if (end == UINT64_MAX)
		return most;
	if (now >= end)
		return 0;
	left = (end - now + 999999) / 1000000;
	return left < (uint64_t)most ? (int)left : most;
}

/* Waits for a wake-up, a signal or the next due time; detects a closed pipe. */
static void wait_ms(struct poll *p, int ms)
{
	struct epoll_event e[3];
	int n = epoll_pwait(p->epoll_fd, e, 3, time_left_ms(p, ms), &p->open);

	for (int i = 0; i < n; i++)
		if (listen_accept(p->s, e[i].data.fd) ||
		    clock_watch_read(p->clock_fd, e[i].data.fd))
			continue;
		else if (e[i].data.fd == screen_keys_fd())
			p->done |= screen_keys(p->s);
		else if (e[i].data.fd == p->s->out.fd && e[i].events & (EPOLLERR | EPOLLHUP))
			p->done = true;
}

/* Waits while the output accepts nothing more. Returns false if it has accepted everything. */
static bool wait_for_output(struct poll *p)
{
	bool waits = p->s->out.defers && p->s->out.len;
	struct epoll_event e = { .events = waits ? EPOLLOUT : 0, .data.fd = p->s->out.fd };

	if (waits != p->watches_output)
		epoll_ctl(p->epoll_fd, EPOLL_CTL_MOD, p->s->out.fd, &e);
	p->watches_output = waits;
	if (waits)
		wait_ms(p, SLEEP_MS);
	return waits;
}

static void sleep_until_woken(struct poll *p)
{
	if (!p->s->ring) {
		wait_ms(p, traced_must_poll(p->s) || p->s->names.user || p->s->end.may_come ||
					   p->s->needs.samples ?
				   SLEEP_MS :
				   LEDGER_NS / 1000000);
		return;
	}
	if (ring_arm_wakeup(p->s->ring))
		wait_ms(p, SLEEP_MS);
}

/* Detects a kernel setting, changed while programs are attached, that keeps them from running: counts each time that
 * it is found, and names it once. */
static void switches_check(struct session *s)
{
	const struct attach_switch *off = attach_switches_check();

	if (off && !s->switched_off) {
		s->losses.local[LOSS_SWITCHED_OFF]++;
		log_warn("%s: %s", off->is, off->means);
		log_hint("%s", off->remedy);
	}
	s->switched_off = off;
}

static void online_poll(struct poll *p)
{
	if (!p->s->needs.samples || !session_tracer(p->s)->online || now_ns() < p->next_online)
		return;
	p->next_online = now_ns() + SLEEP_MS * 1000000ull;
	session_tracer(p->s)->online(p->s);
}

static void ledger_check(struct poll *p)
{
	struct session *s = p->s;

	if (now_ns() < p->next_ledger)
		return;
	p->next_ledger = now_ns() + LEDGER_NS;
	if (!p->done && !s->options.child.command)
		p->done = traced_cgroups_gone(s);
	switches_check(s);
	timestamp_clock_read();
	if (session_tracer(s)->look)
		session_tracer(s)->look(s);
	lost_read(&s->losses);
	lost_report(&s->losses, s->out.len ? NULL : &s->sink, s->sink.rows, false);
	buf_flush(&s->out);
}

static void ends_check(struct poll *p)
{
	if (now_ns() >= p->deadline)
		stop_note();
	if (stop_asked)
		p->done = true;
	if (p->s->end.may_come && session_tracer(p->s)->has_ended(p->s))
		p->done = true;
	if (p->s->applet->line.takes_words)
		traced_strangers_reap(p->s);
	if (traced_command_ended(p->s))
		p->done = true;
	if (!p->done && !p->s->options.child.is_waited_for && traced_ended(p->s))
		p->done = true;
	if (p->s->names.user)
		usyms_poll();
	if ((p->s->names.user || (p->s->needs.poll_at && now_ns() >= p->s->needs.poll_at)) &&
	    session_tracer(p->s)->poll)
		session_tracer(p->s)->poll(p->s);
	online_poll(p);
	ledger_check(p);
	metrics_poll(p->s);
}

/* Counts a record that arrived but cannot be written. */
static int record_lose(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;

	(void)record, (void)size;
	s->unwritten++;
	return 0;
}

/* Reads the queue to its end: a program that started before the detach may still be writing its record. */
static int queue_read(struct session *s, ring_fn fn)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };
	int n = ring_consume(s->ring, UINT64_MAX, fn, s);

	for (int i = 0; i < TAIL_TRIES && n >= 0 && !session_limit_reached(s) && !s->out.error &&
			!ring_is_empty(s->ring) && !queue_is_late();
	     i++) {
		nanosleep(&ms, NULL);
		n = ring_consume(s->ring, UINT64_MAX, fn, s);
	}
	return n;
}

static int records_read_last(struct session *s)
{
	int n = s->out.error ? 0 : queue_read(s, record_read_last);

	n = n < 0 ? n : recorder_write(s);
	if (n >= 0)
		buf_flush(&s->out);
	if (n < 0 || session_limit_reached(s))
		return n;
	n = ring_consume(s->ring, UINT64_MAX, record_lose, s);
	s->unwritten += ring_unread(s->ring);
	return n;
}

/* Detaches, so that nothing new arrives, then reads the queued records, up to the limit. */
static int tail_read(struct poll *p)
{
	uint64_t end = now_ns(); /* before the detach, which may be slow */
	struct session *s = p->s;
	int n;

	s->out.defers = false;
	switches_check(s);
	log_busy_begin();
	session_tracer(s)->detach(s); /* also counts what was missed */
	log_busy_end();
	stop_detached_at = now_ns();
	if (session_limit_reached(s))
		return recorder_write(s);
	n = s->report ? reporting_end(s, end) : records_read_last(s);
	if (n >= 0 && session_tracer(s)->rest)
		session_tracer(s)->rest(s);
	return n < 0 ? n : 0;
}

/* Stops counting losses after the last record that -n asks for: what is lost then is not missing. */
static void limit_note(struct session *s)
{
	if (s->ring && session_count_reached(s))
		lost_over(&s->losses, ring_fits(s->ring));
}

int event_loop_run(struct session *s)
{
	struct poll p = { .s = s };
	int n = poll_open(&p);

	/* a command that ended before SIGCHLD was held back will not wake the loop */
	if (n >= 0)
		ends_check(&p);
	while (n >= 0 && !p.done) {
		n = batch_read(&p);
		if (n < 0 || p.done)
			break;
		if (wait_for_output(&p))
			;
		else if (n > 0 || (s->ring && ring_is_holding(s->ring)))
			wait_ms(&p, ring_is_crowded(s->ring) ? 0 : LOOK_MS);
		else
			sleep_until_woken(&p);
		ends_check(&p);
		n = p.done ? 0 : reporting_poll(s, &p.next_report);
	}
	limit_note(s);
	if (stop_signal == SIGINT)
		progress_interrupted();
	s->end.at = now_ns();
	if (n >= 0)
		n = tail_read(&p);
	limit_note(s);
	stop_detached_at = stop_detached_at ?: now_ns();
	screen_close();
	close(p.epoll_fd);
	if (p.clock_fd >= 0)
		close(p.clock_fd);
	sigprocmask(SIG_SETMASK, &p.open, NULL);
	return n;
}
