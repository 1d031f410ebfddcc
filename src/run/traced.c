/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * traced.c - what a session traces: tasks by pidfd or /proc, the process tree
 * (proc_tree.c) and the command.
 */
#include "run/traced.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "kernel/limits.h"
#include "run/filter.h"
#include "run/output.h"
#include "run/pidns.h"
#include "run/rights.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/errname.h"
#include "util/log.h"
#include "util/passwd.h"

/* ---- a process or thread by its id ---- */

/* The task is watched by a pidfd if possible, so that a reused id is not mistaken for it. */

/* kill also accepts a thread id; a negative id would mean a group. */
static bool id_exists(uint32_t id)
{
	return id <= INT_MAX && (!kill(id, 0) || errno != ESRCH);
}

/* Kernels before 6.9 have no pidfd for a thread. A pidfd of the process would only report the end of all threads. */
static int pidfd_get(const struct task *t)
{
	if (t->is_thread)
		return -1;
	return syscall(SYS_pidfd_open, t->id, 0);
}

/* Returns an exit status after printing why the task cannot be traced. */
static int task_open(struct task *t, uint32_t id, bool is_thread)
{
	*t = (struct task){ .id = id, .is_thread = is_thread, .fd = -1 };
	if (!id_exists(id)) {
		log_error("cannot trace %s %u: it does not exist", is_thread ? "thread" : "process",
			  id);
		if (!pidns_is_first())
			log_hint(
				"numbers are those of this pid namespace; --host-pids takes the host's");
		return EXIT_USAGE;
	}
	t->fd = pidfd_get(t);
	/* which errno means "not a process" depends on the kernel */
	if (t->fd >= 0 || is_thread || (errno != EINVAL && errno != ENOENT))
		return EXIT_FINE;
	log_error("cannot trace process %u: it is a thread of another process", id);
	log_hint("-t %u traces the thread; its process is the Tgid in /proc/%u/status", id, id);
	return EXIT_USAGE;
}

/* True if the task and all its threads have ended, even if its parent has not waited for it yet. */
static bool task_ended(const struct task *t)
{
	struct pollfd poll_fd = { .fd = t->fd, .events = POLLIN };

	if (t->fd < 0)
		return !id_exists(t->id);
	return poll(&poll_fd, 1, 0) > 0;
}

static void task_close(struct task *t)
{
	if (t->id && t->fd >= 0)
		close(t->fd);
	t->id = 0;
}

#define COMMAND_END_MS 1000 /* time for a command to end after SIGTERM */
#define THREADS_END_NS                                                                             \
	150000000ull /* time after which a thread that is no longer found counts as ended */

/* ---- -p, -t ---- */

static int task_list_open(struct task_list *l, const struct event_ids *ids, bool threads)
{
	int code = EXIT_FINE;

	while (!code && l->count < ids->count) {
		code = task_open(&l->tasks[l->count], ids->ids[l->count], threads);
		l->count += !code;
	}
	return code;
}

/* Inside a pid namespace, system calls cannot use the host's pids. */
int traced_open(struct session *s)
{
	const struct options *o = &s->options;
	int code;

	if (o->tasks.host_pids && !pidns_is_first())
		return EXIT_FINE;
	code = task_list_open(&s->traced.processes, &o->tasks.pids, false);
	code = code ?: task_list_open(&s->traced.subjects, &o->tasks.subject_pids, false);
	code = code ?: task_list_open(&s->traced.threads, &o->tasks.subject_tids, true);
	return code ?: task_list_open(&s->traced.threads, &o->tasks.tids, true);
}

static bool task_list_ended(const struct task_list *l)
{
	bool ended = l->count;

	for (uint32_t i = 0; i < l->count && ended; i++)
		ended = task_ended(&l->tasks[i]);
	return ended;
}

/* True if a pidfd is missing, which would report the end. */
static bool task_list_unwatched(const struct task_list *l)
{
	bool unwatched = false;

	for (uint32_t i = 0; i < l->count; i++)
		unwatched |= l->tasks[i].fd < 0;
	return unwatched;
}

static void task_list_close(struct task_list *l)
{
	while (l->count)
		task_close(&l->tasks[--l->count]);
}

/* A thread that calls exec gets its process's number before the exec is reported. So a thread counts as ended only
 * after some time. */
static bool threads_ended(struct task_list *l)
{
	if (!task_list_ended(l))
		l->ended_at = 0;
	else if (!l->ended_at)
		l->ended_at = now_ns();
	return l->ended_at && now_ns() - l->ended_at >= THREADS_END_NS;
}

bool traced_ended(struct session *s)
{
	bool threads = threads_ended(&s->traced.threads);
	bool subjects = !threads && task_list_ended(&s->traced.subjects);
	const struct task_list *l = threads  ? &s->traced.threads :
				    subjects ? &s->traced.subjects :
					       &s->traced.processes;
	const char *what = threads ? "thread" : "process", *whose = "";

	if (!threads && !task_list_ended(l))
		return false;
	if (l == &s->traced.processes && s->traced.follow) {
		if (!proc_tree_ended(s->traced.follow))
			return false;
		whose = l->count == 1 ? " and all its descendants have" :
					" and all their descendants have";
	}
	if (l->count == 1)
		log_note("%s %u%s ended", what, l->tasks[0].id, *whose ? whose : " has");
	else
		log_note("all %u %s%s ended", l->count, threads ? "threads" : "processes",
			 *whose ? whose : " have");
	return true;
}

/* ---- --cgroup, --container ---- */

/* A removed cgroup never has tasks again: one of the same path is another. */
bool traced_cgroups_gone(const struct session *s)
{
	uint32_t count = s->traced.cgroup_count;

	for (uint32_t i = 0; i < count; i++)
		if (!faccessat(s->traced.cgroup_fds[i], "cgroup.procs", F_OK, 0) || errno != ENOENT)
			return false;
	if (count)
		log_note(count == 1 ? "the cgroup has been removed" :
				      "all cgroups have been removed");
	return count;
}

/* ---- the process tree, the command ---- */

/* Keep COMMAND's output off our stdout: it would corrupt the JSON. */
static bool json_on_stdout(const struct session *s)
{
	return s->options.rows.json && !s->options.files.output;
}

/* Returns 0 or -errno; *code is the exit status of an error that has been printed. */
static int command_open(struct session *s, int *code)
{
	struct user_login as;
	const struct command_setup setup = { .files = &s->traced.files,
					     .aside = json_on_stdout(s),
					     .argv0 = s->options.child.argv0,
					     .environ = s->options.child.environ,
					     .as = s->options.rights.as_user ? &as : NULL };

	if (setup.as && rights_user_find("--as", s->options.rights.as_user, &as)) {
		*code = EXIT_USAGE;
		return 0;
	}
	return command_start(&s->traced.command, s->options.child.command, &setup);
}

int traced_command_begin(struct session *s)
{
	int code = EXIT_FINE, err = command_open(s, &code);

	if (!err && !code)
		output_keep_alone(s);
	if (!err || code)
		return code;
	limit_error(err, strerror(-err), "cannot start '%s'", s->options.child.command[0]);
	return EXIT_FAILED;
}

/* To those of -p, as far as an applet takes both. */
static void command_add(struct event_ids *pids, uint32_t pid)
{
	if (pids->count == EVENT_IDS_MAX)
		pids->count--;
	pids->ids[pids->count++] = pid;
}

/* A command that is alone is followed by the tracer's own programs. */
static bool is_followed(const struct session *s)
{
	return filter_has_family(&s->options) && !s->options.child.is_alone;
}

void traced_family_expect(struct session *s)
{
	if (is_followed(s))
		proc_tree_expect(s->btf);
}

int traced_family_open(struct session *s)
{
	int err = 0, code = s->options.child.command && !s->traced.command.pid ?
				    traced_command_begin(s) :
				    EXIT_FINE;
	struct event_ids pids = s->traced.pids;
	uint32_t missing = 0;

	if (code || !filter_has_family(&s->options))
		return code;
	if (s->options.child.command) {
		command_add(&pids, s->traced.command.pid);
		err = pidns_translate(&s->traced.pidns, &pids, false, &missing);
	}
	if (!err)
		err = is_followed(s) ? proc_tree_open(&s->traced.follow, &pids, s->fds.followed,
						      s->fds.lost, s->options.attach.btf, &s->btf) :
				       proc_tree_fill(&pids, s->fds.followed);
	if (!err)
		return EXIT_FINE;
	log_error("cannot follow forks of process %u: %s", pids.ids[0], errtext(-err));
	attach_reason_hint(err);
	return EXIT_CANNOT;
}

int traced_command_release(struct session *s)
{
	int err = s->traced.command.pid ? command_release(&s->traced.command) : 0;

	if (!err)
		return EXIT_FINE;
	log_error("cannot run '%s': %s", s->options.child.command[0], strerror(-err));
	return command_error_code(err);
}

/* Stops a command that is still running. Call it late: the command's mappings are needed to name the addresses of
 * stacks. */
void traced_command_finish(struct session *s)
{
	struct command *c = &s->traced.command;
	const char *name;

	if (!c->pid || command_ended(c))
		return;
	name = s->options.child.command[0];
	if (s->options.rights.keep)
		log_note("'%s' still runs as process %d", name, c->pid);
	else if (command_stop(c, COMMAND_END_MS))
		log_note("'%s' was ended by SIGTERM, because tracing has ended", name);
	else
		log_warn("'%s' still runs as process %d: SIGTERM did not end it", name, c->pid);
}

void traced_close(struct session *s)
{
	if (s->traced.command.pid > 0)
		command_close(&s->traced.command);
	task_list_close(&s->traced.processes);
	task_list_close(&s->traced.threads);
	task_list_close(&s->traced.subjects);
	if (s->traced.follow)
		proc_tree_close(s->traced.follow);
}

bool traced_command_ended(struct session *s)
{
	if (!command_ended(&s->traced.command))
		return false;
	if (!s->options.child.is_waited_for)
		return true;
	if (s->traced.processes.count && !task_list_ended(&s->traced.processes))
		return false;
	return !s->traced.follow || proc_tree_ended(s->traced.follow);
}

void traced_strangers_reap(const struct session *s)
{
	siginfo_t info = { 0 };

	while (s->traced.command.pid > 0 && !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid > 0 && info.si_pid != s->traced.command.pid &&
	       info.si_pid != output_program()) {
		waitpid(info.si_pid, NULL, 0);
		info.si_pid = 0;
	}
}

bool traced_must_poll(const struct session *s)
{
	return s->traced.threads.count || (s->traced.follow && s->traced.processes.count) ||
	       s->traced.command.ended || task_list_unwatched(&s->traced.processes) ||
	       task_list_unwatched(&s->traced.subjects);
}
