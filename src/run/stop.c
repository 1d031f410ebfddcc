/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stop.c - signals, the timer, and what happens to a write that blocks.
 */
#include "run/stop.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/types.h>

#include "run/screen.h"
#include "util/buf.h"
#include "util/clock.h"

#define TICK_US	  50000	       /* time between interruptions of a blocked write */
#define END_NS	  700000000ull /* time for blocked output after the stop */
#define TAIL_NS	  200000000ull /* least time for blocked output after a slow detach */
#define SAME_NS	  100000000ull /* the same signal again within this time counts as one */
#define SENDER_NS 700000000ull /* the same, if the same process sends it */

volatile sig_atomic_t stop_signal, stop_asked;
uint64_t stop_detached_at;
static volatile uint64_t stop_asked_at; /* CLOCK_MONOTONIC ns; written before stop_asked */

void stop_timer_start(uint64_t first_us)
{
	struct itimerval t = { .it_interval.tv_usec = TICK_US };

	t.it_value.tv_sec = first_us / 1000000;
	t.it_value.tv_usec = first_us % 1000000;
	setitimer(ITIMER_REAL, &t, NULL);
}

void stop_note(void)
{
	if (stop_asked)
		return;
	stop_asked_at = now_ns();
	stop_asked = 1;
}

/* timeout(1) sends its signal to us and then to our process group, which may take longer on a loaded machine: they
 * count as one. A terminal's Ctrl-C has no sender (0). */
static bool is_same(const siginfo_t *info, uint64_t first, pid_t sender)
{
	uint64_t within = sender && info->si_pid == sender ? SENDER_NS : SAME_NS;

	return info->si_signo == stop_signal && now_ns() - first < within;
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
	} else if (!stop_signal) {
		first = now_ns();
		sender = info->si_pid;
		stop_signal = number;
		stop_note();
		stop_timer_start(TICK_US);
	} else if (!is_same(info, first, sender)) {
		screen_restore();
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = err;
}

static enum buf_verdict write_blocked(void)
{
	uint64_t until = stop_asked_at + END_NS;

	if (!stop_asked)
		return OUT_GO_ON;
	if (!stop_detached_at)
		return OUT_LATER;
	if (until < stop_detached_at + TAIL_NS)
		until = stop_detached_at + TAIL_NS;
	return now_ns() < until ? OUT_GO_ON : OUT_GIVE_UP;
}

void stop_signals_catch(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD };
	struct sigaction action = { .sa_sigaction = signal_note, .sa_flags = SA_SIGINFO };

	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &action, NULL);
	buf_blocked = write_blocked;
}
