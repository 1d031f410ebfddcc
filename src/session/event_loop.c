/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_loop.c - the loop of a session: reads the ring in batches until something ends it.
 *
 * While records arrive, it polls every 10 ms and is not woken: a wake-up costs the traced task more
 * than the whole record. After a poll that found nothing, it lets the next record wake it
 * (ring_arm_wakeup), so that rare events are seen at once.
 *
 * Without a ring there is nothing to poll: it sleeps until a signal, or until a report is due.
 * SIGCHLD is unblocked only while it sleeps, so that none is missed just before.
 *
 * The end. A signal or the end of --duration stops reading at once, even in a write(2) that blocks
 * because nobody reads: from then on a timer ticks, so that a write that begins just after is
 * interrupted, too. Then everything is detached, and the queued records are written for at most
 * QUEUE_NS; a write that blocks is abandoned END_NS after the stop. Records that were not written
 * are counted. A second signal ends the process at once, and everything attached with it.
 */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/log.h"
#include "session/reporting.h"
#include "session/event_loop.h"
#include "session/progress.h"
#include "session/screen.h"
#include "session/session.h"
#include "session/traced.h"
#include "symbols/usyms.h"

/* Runs for each record; with -Os the compiler would not inline it. */
#define INLINE inline __attribute__((always_inline))

#define LOOK_MS 10	    /* between polls while records arrive */
#define HELD_NS 50000000ull /* what is older than a record of that age has come before it */
#define SLEEP_MS                                                                                   \
	100 /* between checks of what does not wake it: the end of the traced tasks, the time */
#define LEDGER_NS  2000000000ull
#define TICK_US	   50000	/* between interruptions of a blocked write */
#define END_NS	   700000000ull /* from the stop on, for blocked output … */
#define TAIL_NS	   200000000ull /* … but at least this long after a slow detach */
#define QUEUE_NS   700000000ull /* from the detach on, for queued records */
#define SAME_NS	   100000000ull /* the same signal within this time is one … */
#define SENDER_NS  700000000ull /* … if the same process sends it, within this time */
#define TAIL_TRIES 100		/* ms to wait for a record that is still being written */

/* ---- the stop ---- */

static volatile sig_atomic_t poll_signal, poll_stopped;
static volatile uint64_t poll_stopped_at; /* CLOCK_MONOTONIC ns; before poll_stopped is set */
static uint64_t poll_detached_at;	  /* 0: not yet */

static void timer_start(uint64_t first_us)
{
	struct itimerval t = { .it_interval.tv_usec = TICK_US };

	t.it_value.tv_sec = first_us / 1000000;
	t.it_value.tv_usec = first_us % 1000000;
	setitimer(ITIMER_REAL, &t, NULL);
}

static void stop_note(void)
{
	if (poll_stopped)
		return;
	poll_stopped_at = now_ns();
	poll_stopped = 1;
}

/* timeout(1) sends its signal to us and then to our process group, which may be later on a loaded
 * machine: they count as one. A terminal's Ctrl-C has no sender (0). */
static bool is_same(const siginfo_t *info, uint64_t first, pid_t sender)
{
	uint64_t within = sender && info->si_pid == sender ? SENDER_NS : SAME_NS;

	return info->si_signo == poll_signal && now_ns() - first < within;
}

/* SIGCHLD only wakes the loop; SIGALRM is a tick of the timer. */
static void signal_note(int number, siginfo_t *info, void *context)
{
	static volatile uint64_t first;
	static volatile pid_t sender;
	int err = errno;

	(void)context;
	if (number == SIGALRM || number == SIGCHLD) {
		if (number == SIGALRM)
			stop_note();
	} else if (!poll_signal) {
		first = now_ns();
		sender = info->si_pid;
		poll_signal = number;
		stop_note();
		timer_start(TICK_US);
	} else if (!is_same(info, first, sender)) {
		screen_restore();
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = err;
}

static enum buf_verdict write_blocked(void)
{
	uint64_t until = poll_stopped_at + END_NS;

	if (!poll_stopped)
		return OUT_GO_ON;
	if (!poll_detached_at)
		return OUT_LATER;
	if (until < poll_detached_at + TAIL_NS)
		until = poll_detached_at + TAIL_NS;
	return now_ns() < until ? OUT_GO_ON : OUT_GIVE_UP;
}

static void signals_catch(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD };
	struct sigaction action = { .sa_sigaction = signal_note, .sa_flags = SA_SIGINFO };

	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &action, NULL);
	buf_blocked = write_blocked;
}

/* ---- the loop ---- */

struct poll {
	struct session *s;
	int epoll_fd;
	uint64_t deadline;		   /* CLOCK_MONOTONIC ns; UINT64_MAX: none */
	uint64_t next_ledger, next_report; /* UINT64_MAX: never */
	sigset_t open;			   /* the signals that are unblocked while it sleeps */
	bool done;
};

static void signals_hold(struct poll *p)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, &p->open);
	/* our parent may have blocked it */
	sigemptyset(&held);
	sigaddset(&held, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &held, NULL);
	sigdelset(&p->open, SIGALRM);
}

static int epoll_watch(struct poll *p, int fd, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.fd = fd };

	/* a regular file cannot be watched, and has no reader that may exit */
	if (epoll_ctl(p->epoll_fd, EPOLL_CTL_ADD, fd, &e) && errno != EPERM)
		return -errno;
	return 0;
}

/* The end of each process of -p wakes the loop once. */
static int tasks_watch(struct poll *p)
{
	const struct task_list *l = &p->s->processes;
	int err = 0;

	for (uint32_t i = 0; i < l->count && !err; i++)
		if (l->tasks[i].fd >= 0)
			err = epoll_watch(p, l->tasks[i].fd, EPOLLIN | EPOLLONESHOT);
	return err;
}

static int poll_open(struct poll *p)
{
	struct session *s = p->s;
	int err;

	signals_catch();
	p->deadline = s->options.duration_ns ? now_ns() + s->options.duration_ns : UINT64_MAX;
	p->next_ledger = now_ns() + LEDGER_NS;
	p->next_report = s->options.interval_ns ? now_ns() + s->options.interval_ns : UINT64_MAX;
	signals_hold(p);
	if (s->options.duration_ns)
		timer_start(s->options.duration_ns / 1000 + 1);
	p->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (p->epoll_fd < 0)
		return -errno;
	/* edge-triggered: level-triggered would report records that should not wake us */
	err = s->ring ? epoll_watch(p, s->ring_fd, EPOLLIN | EPOLLET) : 0;
	if (!err)
		err = epoll_watch(p, s->out.fd, 0); /* EPOLLERR: the pipe has no reader any more */
	screen_open(s);
	if (!err && screen_keys_fd() >= 0)
		err = epoll_watch(p, screen_keys_fd(), EPOLLIN);
	return err ?: tasks_watch(p);
}

static INLINE int record_show(struct session *s, const void *record, size_t size)
{
	int err = s->record ? s->record(s, record, size) : session_show(s, record, size);

	return err ?: session_limit_reached(s) || s->out.error;
}

static int record_take(void *ctx, const void *record, size_t size)
{
	return record_show(ctx, record, size) ?: poll_stopped;
}

/* After a request to stop, the queue is not read without limit. */
static bool queue_is_late(void)
{
	return poll_stopped && now_ns() >= poll_detached_at + QUEUE_NS;
}

/* For records that were queued when the tracing ended. */
static int record_take_last(void *ctx, const void *record, size_t size)
{
	return record_show(ctx, record, size) ?: queue_is_late();
}

/* One batch: reads what is queued, and writes it. Returns the number of records or -errno. */
static int batch_take(struct poll *p)
{
	bool asked = recorder_is_asked(); /* for all that came before that */
	uint64_t until = asked ? UINT64_MAX : now_ns() - HELD_NS;
	int n = p->s->ring ? ring_consume(p->s->ring, until, record_take, p->s) : 0;

	if (n >= 0 && asked)
		n = recorder_write(p->s) ?: n;
	if (n != 0)
		buf_flush(&p->s->out);
	if (p->s->out.error || session_limit_reached(p->s))
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

/* Waits for a wake-up, a signal or the time; detects a closed pipe. */
static void wait_ms(struct poll *p, int ms)
{
	struct epoll_event e[2];
	int n = epoll_pwait(p->epoll_fd, e, 2, time_left_ms(p, ms), &p->open);

	for (int i = 0; i < n; i++)
		if (e[i].data.fd == screen_keys_fd())
			p->done |= screen_keys(p->s);
		else if (e[i].data.fd == p->s->out.fd && e[i].events & (EPOLLERR | EPOLLHUP))
			p->done = true;
}

static void sleep_until_woken(struct poll *p)
{
	if (!p->s->ring) {
		wait_ms(p, traced_must_look(p->s) || p->s->user_names || p->s->may_end ?
				   SLEEP_MS :
				   LEDGER_NS / 1000000);
		return;
	}
	if (ring_arm_wakeup(p->s->ring))
		wait_ms(p, SLEEP_MS);
}

static void ledger_look(struct poll *p)
{
	struct session *s = p->s;

	if (now_ns() < p->next_ledger)
		return;
	p->next_ledger = now_ns() + LEDGER_NS;
	if (session_tracer(s)->look)
		session_tracer(s)->look(s);
	lost_read(&s->losses);
	lost_report(&s->losses, &s->sink, s->sink.rows, false);
	buf_flush(&s->out);
}

static void ends_look(struct poll *p)
{
	if (now_ns() >= p->deadline)
		stop_note();
	if (poll_stopped)
		p->done = true;
	if (p->s->may_end && session_tracer(p->s)->has_ended(p->s))
		p->done = true;
	if (command_ended(&p->s->command))
		p->done = true;
	if (!p->done && traced_ended(p->s))
		p->done = true;
	if (p->s->user_names) {
		usyms_poll();
		if (session_tracer(p->s)->poll)
			session_tracer(p->s)->poll(p->s);
	}
	ledger_look(p);
}

/* For a record that arrived but cannot be written. */
static int record_lose(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;

	(void)record, (void)size;
	s->losses.local[LOSS_OUTPUT]++;
	return 0;
}

/* A program that started before the detach may still be writing its record. */
static int queue_take(struct session *s, ring_fn take)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };
	int n = ring_consume(s->ring, UINT64_MAX, take, s);

	for (int i = 0; i < TAIL_TRIES && n >= 0 && !session_limit_reached(s) && !s->out.error &&
			!ring_is_empty(s->ring) && !queue_is_late();
	     i++) {
		nanosleep(&ms, NULL);
		n = ring_consume(s->ring, UINT64_MAX, take, s);
	}
	return n;
}

static int records_take_last(struct session *s)
{
	int n = s->out.error ? 0 : queue_take(s, record_take_last);

	n = n < 0 ? n : recorder_write(s);
	if (n >= 0)
		buf_flush(&s->out);
	if (n >= 0 && s->out.error != -EPIPE && !session_limit_reached(s))
		n = ring_consume(s->ring, UINT64_MAX, record_lose, s);
	return n;
}

/* Detaches, so that nothing new arrives; queued records are still read, up to the limit. */
static int tail_take(struct poll *p)
{
	uint64_t end = now_ns(); /* the detach may take long */
	struct session *s = p->s;
	int n;

	if (s->out.error == -EPIPE)
		return 0;
	log_busy_begin();
	session_tracer(s)->detach(s); /* this counts what was missed, too */
	log_busy_end();
	poll_detached_at = now_ns();
	if (session_limit_reached(s))
		return recorder_write(s);
	n = s->report ? reporting_end(s, end) : records_take_last(s);
	if (n >= 0 && session_tracer(s)->rest)
		session_tracer(s)->rest(s);
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
		if (n > 0 || (s->ring && ring_is_holding(s->ring)))
			wait_ms(&p, ring_is_crowded(s->ring) ? 0 : LOOK_MS);
		else
			sleep_until_woken(&p);
		ends_look(&p);
		n = p.done ? 0 : reporting_look(s, &p.next_report);
	}
	if (poll_signal == SIGINT)
		progress_interrupted();
	s->ended_at = now_ns();
	if (n >= 0)
		n = tail_take(&p);
	poll_detached_at = poll_detached_at ?: now_ns();
	screen_close();
	close(p.epoll_fd);
	sigprocmask(SIG_SETMASK, &p.open, NULL);
	return n;
}
