/* SPDX-License-Identifier: GPL-2.0-only */
/* settings.c - derives the settings of this applet and of the session from all options. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "applets/syssnoop/given.h"
#include "applets/syssnoop/parts.h"
#include "cli/applet.h"
#include "cli/option_read.h"
#include "run/session.h"
#include "util/log.h"

enum { STACK_BYTES = 8 << 10, STACK_FRAMES = 256 };

static uint32_t process_of(uint32_t tid)
{
	char path[32], line[64];
	uint32_t pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	f = fopen(path, "re");
	while (f && !pid && fgets(line, sizeof(line), f))
		sscanf(line, "Tgid: %u", &pid);
	if (f)
		fclose(f);
	return pid ?: tid; /* the tracing reports that it does not exist */
}

static void id_add(struct event_ids *ids, uint32_t id)
{
	for (uint32_t i = 0; i < ids->count; i++)
		if (ids->ids[i] == id)
			return;
	if (ids->count < EVENT_IDS_MAX)
		ids->ids[ids->count++] = id;
}

/* Also sets the process, which is the cheapest filter. */
static void pids_settle(struct options *o)
{
	for (uint32_t i = 0; i < given.pids.count; i++) {
		id_add(&o->tasks.pids,
		       o->tasks.host_pids ? given.pids.ids[i] : process_of(given.pids.ids[i]));
		if (!o->tasks.follow && !o->tasks.host_pids && !o->child.command)
			id_add(&o->tasks.tids, given.pids.ids[i]);
	}
}

static const char *wrong_find(const struct options *o)
{
	const struct {
		bool is_wrong;
		const char *why;
	} rules[] = {
		{ given.follows && !given.pids.count && !o->tasks.pids.count && !o->child.command,
		  "-f follows the children of a process: it needs -p PID or COMMAND" },
		{ o->child.is_bare && !o->child.command && !given.pids.count &&
			  !o->tasks.pids.count,
		  "expected a command, or -p PID; syssnoop without either traces all processes" },
		{ settings.counts_only && settings.counts_too, "-c and -C exclude each other" },
		{ (settings.counts_only || settings.counts_too) && given.splits,
		  "-c and -C count for all threads: they exclude -ff" },
		{ given.splits && (o->rows.json || o->files.trace_json),
		  "-ff writes lines: it excludes -j and --trace-json" },
		{ how.appends && !o->files.output, "-A needs --output FILE" },
		{ how.split && strchr("|!", *how.split), "-ff needs a file: -o FILE" },
		{ !settings.counts_only && !settings.counts_too && counts_wall,
		  "-w needs -c or -C" },
		{ !settings.counts_only && !settings.counts_too && counts_are_set(),
		  "-S, -U and -O need -c or -C" },
		{ how.alone && !o->child.command, "--no-follow needs -- COMMAND" },
		{ given.stack_bytes > SYSSNOOP_STACK_MAX, "--dwarf takes at most 28K" },
		{ how.stack && (o->rows.json || o->files.trace_json),
		  "-k prints lines: it excludes -j and --trace-json; argdump -j --dwarf s:CALL has both" },
		{ how.alone && given.follows, "-f and --no-follow exclude each other" },
		{ given.environment.count && !o->child.command, "-E is for a command" },
		{ how.argv0 && !o->child.command, "--argv0 is for a command" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return rules[i].why;
	return NULL;
}

/* Children of a command without --, as in strace, are traced only with -f. */
static void child_settle(struct options *o)
{
	o->child.is_alone = how.alone || (o->child.command && o->child.is_bare && !given.follows);
	how.alone = o->child.is_alone && !given.pids.count;
	o->child.is_waited_for = o->child.command && o->child.is_bare;
	o->child.argv0 = how.argv0;
	o->child.environ = &given.environment;
	if (o->child.command)
		o->rights.as_user = given.user ?: o->rights.as_user;
}

/* Replaces an empty set by NULL, which is cheaper. */
static const struct syscall_set *set_or_null(const struct syscall_set *s)
{
	static const struct syscall_set none;

	return memcmp(s, &none, sizeof(none)) ? s : NULL;
}

static void text_settle(const struct options *o)
{
	const struct selection *s = &settings.chosen;
	struct syscall_options *t = &how.text;

	t->fd_parts = (uint8_t)s->fd_parts;
	t->fd_paths = s->fd_parts;
	t->hex = given.hex > 1 ? SYSCALL_HEX_ALL : given.hex ? SYSCALL_HEX_ODD : t->hex;
	t->style = (uint8_t)how.style;
	t->verbose |= given.no_abbrev;
	t->full = set_or_null(&s->full);
	t->flat = set_or_null(&s->flat);
	t->raw = set_or_null(&s->raw);
	t->reads = s->reads.any ? &s->reads.set : NULL;
	t->writes = s->writes.any ? &s->writes.set : NULL;
	t->pid_names = s->pid_parts & PIDS_COMM;
	t->pid_here = given.translates ? pid_here : NULL;
	how.column = how.column ?: 1;
	how.quiet = s->quiet;
	how.has_comm = !o->child.command && !o->tasks.pids.count && !o->tasks.tids.count;
	how.has_pids |= !o->child.command && !(o->tasks.pids.count == 1 && !o->tasks.follow) &&
			o->tasks.tids.count != 1;
	how.has_pids |= o->child.command && given.pids.count;
	how.follows = given.follows || o->tasks.follow;
	how.is_bare |= o->files.output && !given.splits &&
		       (how.follows || (how.has_pids && (!o->child.command || given.pids.count)));
	how.is_bare &= !how.has_comm;
	how.has_pids |= how.is_bare;
}

static void statuses_settle(const struct options *o)
{
	struct selection *s = &settings.chosen;

	if (given.only_success)
		s->statuses = STATUS_SUCCESSFUL;
	if (given.only_failed || o->rows.failed_only)
		s->statuses = STATUS_FAILED;
}

static void stacks_settle(struct options *o)
{
	if (!how.stack || settings.counts_only)
		return;
	o->stacks.dwarf = given.stack_bytes ?: STACK_BYTES;
	o->stacks.user = true;
	o->stacks.lines = how.lines;
	how.stack_frames = how.stack_frames ?: STACK_FRAMES;
}

int settings_read(struct session *s)
{
	static const struct option_spec users = { .type = OPTION_USERS };
	struct options *o = &s->options;
	const char *wrong;

	given.splits |= given.follows > 1;
	given.splits &= o->files.output != NULL;
	how.split = given.splits ? o->files.output : NULL;
	if (select_read(&given.what, &settings.chosen) ||
	    chosen_paths_check(&settings.chosen.has.paths))
		return -EINVAL;
	wrong = given.only_success && (given.only_failed || o->rows.failed_only) ?
			"-z and -Z exclude each other" :
			wrong_find(o);
	if (wrong) {
		log_error("%s", wrong);
		log_hint_help();
		return -EINVAL;
	}
	if (given.user && !o->child.command)
		wrong = option_read(&users, given.user, &o->tasks.uids);
	if (wrong) {
		log_error("-u '%s': %s", given.user, wrong);
		return -EINVAL;
	}
	o->tasks.follow |= given.follows && !o->child.command;
	pids_settle(o);
	if (given.method)
		o->attach.method = given.method;
	child_settle(o);
	statuses_settle(o);
	o->limits.events = o->limits.events ?: given.limit;
	o->files.append = how.appends;
	o->files.is_split = given.splits;
	how.has_inner = o->rows.inner_pids;
	given.translates |= settings.chosen.pid_parts & PIDS_NAMESPACE;
	o->rows.inner_pids |= given.translates; /* so that their layout is found */
	o->quiet |= settings.chosen.quiet & QUIET_ATTACH;
	log_quiet(o->quiet);
	log_verbose(o->verbose += how.debugs);
	text_settle(o);
	stacks_settle(o);
	return 0;
}
