/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bashreadline.c - every line typed into a shell, on the whole system.
 *
 * One program runs at each return of readline, two in zsh's editor. The files to probe are found at the start and
 * when a shell is executed (attach/file_probes.h).
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "attach/file_probes.h"
#include "cli/applet.h"
#include "cli/options.h"
#include "output/field/shared_fields.h"
#include "output/field/value.h"
#include "run/session.h"
#include "util/log.h"
#include "bashreadline.h"
#include "bashreadline.skel.h"

static struct option_list names; /* --shell */

/* ---- the files of shells ---- */

enum {
	MAPPED_TRIES = 100, /* ms to wait for a new process to map its libraries */
	PATH_BYTES = 4096 + 64,
};

enum { READLINE, ZLE_ENTERED, ZLE_READ, PROBES };

static struct file_probe probes[PROBES + 1] = {
	[READLINE] = { .function = "readline", .is_return = true },
	[ZLE_ENTERED] = { .function = "zleentry" },
	[ZLE_READ] = { .function = "zleentry", .is_return = true },
};
static const char *const libraries[] = { "libreadline*", NULL };

static struct {
	struct file_probes files;
	unsigned running;
} shells = { .files = { .probes = probes, .libraries = libraries, .unseen = "their lines" } };

/* Writes the program's path as the process sees it. Returns false if the process has ended or is not a shell. */
static bool process_program(uint32_t pid, char path[PATH_BYTES])
{
	static const char deleted[] = " (deleted)";
	char link[64], *base;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	len = readlink(link, path, PATH_BYTES - 1);
	if (len < 0)
		return false;
	path[len] = 0;
	if (len > (ssize_t)sizeof(deleted) && !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		path[len - (sizeof(deleted) - 1)] = 0;
	base = strrchr(path, '/');
	for (size_t i = 0; base && i < names.count; i++)
		if (!strcmp(base + 1, names.items[i].text))
			return true;
	return false;
}

/* Waits until a new process has mapped its libraries: it does so soon, or never. */
static bool libraries_wait(uint32_t pid, char program[PATH_BYTES])
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < MAPPED_TRIES && process_program(pid, program); i++) {
		nanosleep(&pause, NULL);
		if (file_probes_libraries(&shells.files, pid))
			return true;
	}
	return false;
}

/* Waits only for the first process of a file, and then marks the file. */
static void process_probe(uint32_t pid)
{
	char program[PATH_BYTES], exe[64];
	struct probed_file *f;

	if (!process_program(pid, program))
		return;
	snprintf(exe, sizeof(exe), "/proc/%u/exe", pid);
	f = file_probes_poll(&shells.files, exe, program);
	if (f && (f->has || file_probes_libraries(&shells.files, pid))) {
		shells.running++;
		return;
	}
	if (!f || f->mark || libraries_wait(pid, program))
		return;
	f->mark = process_program(pid, program); /* otherwise it has ended: wait for the next one */
	if (!f->mark)
		return;
	log_warn(
		"%s (process %u) has neither readline() nor zsh's zleentry(): its lines are not seen",
		program, pid);
	log_hint("a stripped program has only the functions that it exports; nm -D lists them");
}

static void installed_probe(void)
{
	static const char *const folders[] = { "/bin", "/usr/bin", "/usr/local/bin" };
	char path[PATH_BYTES];

	for (size_t i = 0; i < names.count; i++)
		for (size_t j = 0; j < sizeof(folders) / sizeof(folders[0]); j++) {
			snprintf(path, sizeof(path), "%s/%s", folders[j], names.items[i].text);
			file_probes_poll(&shells.files, path, path);
		}
}

/* Probes the files of running and of installed shells. Returns the last error for a probe that the kernel rejected,
 * or 0. */
static int shells_scan(void)
{
	shells.running = 0;
	file_probes_processes(process_probe);
	installed_probe();
	return shells.files.refused;
}

/* ---- the tool ---- */

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "shell", .letter = 's', .type = OPTION_LIST, .arg = "NAME", .value = &names,
	  .help = "trace programs of this name instead of bash: zsh, or any program with readline(), "
		  "its own or libreadline's (gdb, psql)" },
	{ 0 },
};

/* The kernel's pts0 is /dev/pts/0. */
static void tty_name(const struct field *f, const void *record, struct value *v)
{
	const struct bashreadline_event *e = record;
	static char name[BASHREADLINE_TTY + 2];
	bool is_pts = !strncmp(e->tty, "pts", 3) && isdigit((unsigned char)e->tty[3]);

	(void)f;
	snprintf(name, sizeof(name), "%s%.*s", is_pts ? "pts/" : "", BASHREADLINE_TTY - 4,
		 e->tty + (is_pts ? 3 : 0));
	v->status = *name ? EVENT_OK : EVENT_NONE;
	v->bytes = name;
	v->len = strlen(name);
}

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct bashreadline_event, member, type, width, help, ##__VA_ARGS__)

static const struct field fields[] = {
	{ .name = "pid", FIELD_AT(struct bashreadline_event, header.pid), .type = FIELD_UINT,
	  .width = 7, .help = "process" },
	{ .name = "tid", FIELD_AT(struct bashreadline_event, header.tid), .type = FIELD_UINT,
	  .width = 7, .flags = FIELD_EXTENDED, .help = "thread" },
	{ .name = "comm", FIELD_AT(struct bashreadline_event, header.comm), .type = FIELD_CSTR,
	  .width = 15, .help = "command name of the thread" },
	TASK_CONTAINER_FIELD(struct bashreadline_event, task),
	TASK_INNER_FIELD(struct bashreadline_event, header),
	EVENT(uid, FIELD_UINT, 5, "real user"),
	{ .name = "tty", .type = FIELD_TEXT, .width = 8, .value = tty_name,
	  .help = "controlling terminal, as in /dev; null for none" },
	TASK_CGROUP_FIELD(struct bashreadline_event, task),
	EVENT(line, FIELD_STR, 0, "the line as it was entered, without its newline"),
};

static const struct hook hooks[] = {
	{ .name = "a shell starts", .functions = "sched_process_exec",
	  BY(TRACEPOINT) = "shell_started" },
	{ 0 },
};
/* clang-format on */

static const char *const unattached[] = { "line_read", "zle_entered", "zle_read", NULL };

static const struct example examples[] = {
	{ "bashreadline", "lines typed into any bash, until Ctrl-C" },
	{ "bashreadline -T -u root", "lines typed into root's shells, with the time" },
	{ "bashreadline --with-container",
	  "lines typed into any bash, with the shell's container" },
	{ "bashreadline -p 1234", "lines typed into process 1234" },
	{ "bashreadline -s bash -s zsh", "lines typed into bash and zsh" },
	{ "bashreadline -s gdb -s psql", "lines typed into gdb and psql" },
	{ 0 },
};

static void bashreadline_prepare(const struct options *o)
{
	(void)o;
	if (!names.count)
		names.items[names.count++].text = "bash";
	if (names.count > BASHREADLINE_SHELLS) {
		log_error("--shell: at most %d names", BASHREADLINE_SHELLS);
		exit(EXIT_USAGE);
	}
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i].text;

		if (*name && !strchr(name, '/') && strlen(name) < BASHREADLINE_NAME - 1)
			continue;
		log_error("--shell '%s': not the name of a program", name);
		log_hint("use the last part of its path, at most %d bytes: --shell bash",
			 BASHREADLINE_NAME - 2);
		exit(EXIT_USAGE);
	}
}

static int bashreadline_open(struct skeleton *sk, const void *param)
{
	struct bashreadline_bpf *skel = SKELETON_OPEN(sk, bashreadline);

	(void)param;
	if (!skel)
		return -errno;
	for (size_t i = 0; i < names.count; i++)
		snprintf((char *)skel->rodata->shells[i], BASHREADLINE_NAME, "%s",
			 names.items[i].text);
	skel->rodata->shell_count = names.count;
	return 0;
}

static void bashreadline_ending(struct skeleton *sk)
{
	(void)sk;
	file_probes_end(&shells.files);
}

/* A shell that starts during the scan is also reported by its exec. */
static int bashreadline_attached(struct session *s)
{
	const struct bashreadline_bpf *skel = s->objects->skel;
	int err;

	if (s->traced.proc_is_other) {
		log_error("cannot find shells: %s", pidns_proc_why());
		log_hint(s->options.tasks.host_pids ?
				 "try it without --host-pids" :
				 "mount -t proc proc /proc, in this pid namespace");
		return EXIT_CANNOT;
	}
	probes[READLINE].prog_fd = bpf_program__fd(skel->progs.line_read);
	probes[ZLE_ENTERED].prog_fd = bpf_program__fd(skel->progs.zle_entered);
	probes[ZLE_READ].prog_fd = bpf_program__fd(skel->progs.zle_read);
	err = shells_scan();
	if (err && !shells.files.probed)
		return attach_explain_user("readline", err);
	if (shells.running)
		log_note("of the %u running shells, the line that each waits for now is not seen",
			 shells.running);
	if (!shells.files.probed)
		log_note(
			"no program %s with a function readline or zleentry yet: waiting for one to start",
			names.items[0].text);
	return EXIT_FINE;
}

/* A shell whose exec was missed is found later. */
static void bashreadline_poll(struct session *s)
{
	(void)s;
	shells_scan();
}

/* zsh writes some bytes as Meta and the byte with bit 5 changed (Src/utils.c, unmetafy). Returns the new length. */
static size_t line_unmetafy(char *line, size_t len)
{
	enum { META = 0x83 };
	size_t to = 0;

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] == META && i + 1 < len)
			line[to++] = line[++i] ^ 32;
		else
			line[to++] = line[i];
	return to;
}

static int zsh_show(struct session *s, const void *record, size_t size)
{
	static struct {
		struct bashreadline_event e;
		char line[BASHREADLINE_LINE];
	} copy;
	struct event_str *str = &copy.e.line;

	if (size > sizeof(copy))
		return -EBADMSG;
	memcpy(&copy, record, size);
	if (str->off != sizeof(copy.e) || str->len > size - sizeof(copy.e))
		return -EBADMSG;
	str->len = line_unmetafy(copy.line, str->len);
	if (str->len && copy.line[str->len - 1] == '\n')
		str->len--;
	return recorder_output(s, &copy, size);
}

static int bashreadline_record(struct session *s, const void *record, size_t size)
{
	const struct bashreadline_event *e = record;

	if (size < sizeof(*e))
		return -EBADMSG;
	if (e->kind == BASHREADLINE_ZSH_READ)
		return zsh_show(s, record, size);
	if (e->kind != BASHREADLINE_STARTED)
		return recorder_output(s, record, size);
	if (e->header.pid)
		process_probe(e->header.pid);
	return 0;
}

/* The start of a shell precedes all rows, so that the shell is probed at once. */
static uint64_t bashreadline_time(const void *record, size_t size)
{
	const struct bashreadline_event *e = record;

	return size < sizeof(*e) || e->kind == BASHREADLINE_STARTED ? 0 : e->header.ts;
}

static int bashreadline_args(struct session *s, int argc, char **argv)
{
	(void)argc, (void)argv;
	s->record = bashreadline_record;
	return 0;
}

static const struct skeleton_source objects[] = {
	{ .hooks = hooks,
	  .unattached = unattached,
	  .open = bashreadline_open,
	  .ending = bashreadline_ending },
	{ 0 },
};

const struct applet bashreadline_applet = {
	.name = "bashreadline",
	.time_of = bashreadline_time,
	.summary = "trace lines typed into bash",
	.description =
		"Shows each line when readline() returns it, in every bash of the system. This "
		"includes shells in containers and shells that start later, with their own readline "
		"or with libreadline. A bash is a process whose program file is called bash. A "
		"continued line has one row for each time Enter was pressed.\n\n"
		"bashreadline finds the files through /proc when tracing begins, and when a shell is "
		"executed. It reports a shell whose readline it cannot find, because the file is "
		"stripped. With --shell zsh, the lines are those that zsh's editor returns "
		"(zleentry); fish has no such function with a name.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_RING | OPTION_GROUP_UNTIL | OPTION_GROUP_EXTENDED,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct bashreadline_event),
	.objects = objects,
	.examples = examples,
	.prepare = bashreadline_prepare,
	.args_set = bashreadline_args,
	.hooks.attached = bashreadline_attached,
	.hooks.look = bashreadline_poll,
	.overhead =
		"A trap into the kernel for each line that is entered, and a check of the name of "
		"each program that is executed.",
	.blind_spots =
		"Scripts, bash -c, and shells without line editing (bash --noediting, input from a "
		"pipe without -i): they do not call readline(). Input of programs that a shell "
		"runs.\n\n"
		"The line that a shell waits for when tracing begins: its readline() was called "
		"before.\n\n"
		"The first lines of the first shell with a new file, if they are entered within the "
		"milliseconds that it takes to probe the file.\n\n"
		"Lines of more than 4095 bytes are cut. A line that the shell changes afterwards (!!, "
		"aliases) is shown as it was entered.",
};
