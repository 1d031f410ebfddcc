/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point_text.c - converts an attach point of a program to PROBE, as argdump parses it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/bt/bt.h"
#include "util/clock.h"
#include "util/time_unit.h"

enum { SIGNALS = 65 };

int bt_signal_number(const struct script_attach *at)
{
	const char *name = at->rest;

	if (strncmp(name, "signal:", 7))
		return -EINVAL;
	name += 7;
	name += strncmp(name, "SIG", 3) ? 0 : 3;
	for (int i = 1; i < SIGNALS; i++)
		if (sigabbrev_np(i) && !strcmp(sigabbrev_np(i), name))
			return i;
	return -EINVAL;
}

static char *printed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *printed(const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return text;
}

/* Converts "hz:99", "s:1", "ms:100", "us:5", "1s" or "1000000000" (ns) to ns; 0: none of these. */
static uint64_t period_ns(const char *text)
{
	const char *colon = strchr(text, ':');
	char *end;
	double count = strtod(colon ? colon + 1 : text, &end);
	const char *unit = colon ? text : end;
	size_t len = colon ? (size_t)(colon - text) : strlen(end);
	double ns = len ? time_unit_ns(unit, len) : 1;

	if ((colon && *end) || !(count >= 1))
		return 0;
	if (colon && len == 2 && !strncmp(unit, "hz", 2))
		return NS_PER_SEC / count;
	return count * ns <= 1e18 ? count * ns : 0;
}

uint64_t bt_period(const struct script_attach *at)
{
	return period_ns(at->rest);
}

static char *interval_text(const struct script_attach *at)
{
	uint64_t ns = bt_period(at);

	return ns ? printed("every:%llu.%09llu", (unsigned long long)(ns / NS_PER_SEC),
			    (unsigned long long)(ns % NS_PER_SEC)) :
		    NULL;
}

static char *profile_text(const struct script_attach *at)
{
	uint64_t ns = period_ns(at->rest);

	if (!strncmp(at->rest, "hz:", 3))
		return printed("%s", at->rest);
	return ns && ns <= NS_PER_SEC ? printed("hz:%llu", (unsigned long long)(NS_PER_SEC / ns)) :
					NULL;
}

const char *bt_language_skip(const char *name)
{
	static const char *const languages[] = { "cpp:", "rust:" };

	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++)
		if (!strncmp(name, languages[i], strlen(languages[i])) &&
		    name[strlen(languages[i])] != ':')
			return name + strlen(languages[i]);
	return name;
}

/* FILE:NAME, FILE:cpp:NAME, FILE@SOURCE:LINE, FILE:PROVIDER:NAME; an empty provider of a USDT probe matches any. */
static char *user_text(const struct script_attach *at)
{
	const char *colon = strchr(at->rest, ':'), *name = colon ? colon + 1 : "", *any = "";
	size_t file = bt_statement_file(at);

	if (file)
		return printed("u:%.*s:%s", (int)file, at->rest, at->rest + file + 1);
	if (!*name || colon == at->rest)
		return NULL;
	if (at->kind == PROBE_USDT)
		any = *name == ':' ? "*" : strchr(name, ':') ? "" : "*:";
	else
		name = bt_language_skip(name);
	return printed("u:%.*s:%s%s%s", (int)(colon - at->rest), at->rest, any, name,
		       at->kind == PROBE_URETPROBE ? "%return" : "");
}

char *bt_offset_text(const struct script_attach *at, uint64_t offset)
{
	return printed("u:%.*s:0x%llx%s", (int)bt_file_length(at), at->rest,
		       (unsigned long long)offset, at->kind == PROBE_URETPROBE ? "%return" : "");
}

/* Converts 1e6 to 1000000; any other text is unchanged. */
static const char *count_text(const char *text, char *room, size_t size)
{
	char *end;
	double count = strtod(text, &end);

	if (end == text || *end || !strpbrk(text, "eE") || !(count >= 1 && count <= 1e18))
		return text;
	snprintf(room, size, "%.0f", count);
	return room;
}

const struct bt_event_name bt_event_names[] = { { "faults", "page-faults" },
						{ "cs", "context-switches" },
						{ "cpu", "cpu-clock" },
						{ "branch-instructions", "branches" },
						{ "frontend-stalls", "stalled-cycles-frontend" },
						{ "backend-stalls", "stalled-cycles-backend" },
						{ "cpu-cycles", "cycles" },
						{ NULL, NULL } };

/* Converts bpftrace's other names of some perf events; the period after the colon is optional. */
static char *event_text(const struct script_attach *at, const char *prefix)
{
	const struct bt_event_name *names = bt_event_names;
	size_t len = strcspn(at->rest, ":");
	const char *period = at->rest[len] ? at->rest + len + 1 : "", *colon = *period ? ":" : "";
	char number[32];

	for (; names->there; names++)
		if (strlen(names->there) == len && !strncmp(names->there, at->rest, len))
			return printed("%s%s%s%s", prefix, names->here, colon,
				       count_text(period, number, sizeof(number)));
	return printed("%s%.*s%s%s", prefix, (int)len, at->rest, colon,
		       count_text(period, number, sizeof(number)));
}

static char *function_text(const struct script_attach *at, bool is_return)
{
	const char *name = strncmp(at->rest, "vmlinux:", 8) ? at->rest : at->rest + 8;

	return printed("%s%s", name, is_return ? "%return" : "");
}

/* fentry:bpf:NAME, a function of any BPF program, or fentry:bpf:ID:NAME */
static char *trampoline_text(const struct script_attach *at, bool is_return)
{
	const char *name = at->rest + strlen("bpf:");

	if (strncmp(at->rest, "bpf:", strlen("bpf:")))
		return function_text(at, is_return);
	return printed("b:%s%s%s", strchr(name, ':') ? "" : "*:", name, is_return ? "%return" : "");
}

/* Not by glob(), which brings much of the C library into the binary. */
static bool is_module(const char *pattern)
{
	bool is_there = !fnmatch(pattern, "vmlinux", 0);
	DIR *modules = is_there ? NULL : opendir("/sys/module");
	const struct dirent *entry;

	while (modules && !is_there && (entry = readdir(modules)))
		is_there = !fnmatch(pattern, entry->d_name, FNM_PERIOD);
	if (modules)
		closedir(modules);
	return is_there;
}

/* NAME or MODULE:NAME. The text for a module that is not loaded is that of a tracepoint that does not exist. */
static char *raw_tracepoint_text(const struct script_attach *at)
{
	bool has_module = at->part_count == 3;

	return printed("t:%s", has_module && is_module(at->parts[1]) ? at->parts[2] : at->rest);
}

/* ADDRESS:LENGTH:MODE */
static char *watch_text(const struct script_attach *at)
{
	return at->part_count == 4 && isdigit((unsigned char)*at->parts[1]) ?
		       printed("watch:%s", at->rest) :
		       NULL;
}

char *bt_point_text(const struct script_attach *at)
{
	switch (at->kind) {
	case PROBE_KPROBE: return function_text(at, false);
	case PROBE_KRETPROBE: return function_text(at, true);
	case PROBE_FENTRY: return trampoline_text(at, false);
	case PROBE_FEXIT: return trampoline_text(at, true);
	case PROBE_TRACEPOINT: return strchr(at->rest, ':') ? printed("t:%s", at->rest) : NULL;
	case PROBE_RAW_TRACEPOINT: return raw_tracepoint_text(at);
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
	case PROBE_USDT: return user_text(at);
	case PROBE_PROFILE: return profile_text(at);
	case PROBE_INTERVAL: return interval_text(at);
	case PROBE_SOFTWARE: return event_text(at, "sw:");
	case PROBE_HARDWARE: return event_text(at, "hw:");
	case PROBE_WATCHPOINT: return watch_text(at);
	default: return NULL;
	}
}

const char *bt_point_hint(enum script_probe_kind kind)
{
	switch (kind) {
	case PROBE_TRACEPOINT: return "tracepoint:GROUP:NAME, as tracepoint:sched:sched_switch";
	case PROBE_UPROBE:
	case PROBE_URETPROBE: return "uprobe:FILE:FUNCTION, as uprobe:/bin/bash:readline";
	case PROBE_USDT: return "usdt:FILE:NAME, usdt:FILE:PROVIDER:NAME";
	case PROBE_PROFILE: return "profile:hz:99; the rate is at least one sample a second";
	case PROBE_INTERVAL: return "interval:s:1, interval:1s, interval:ms:100, interval:hz:10";
	case PROBE_WATCHPOINT:
		return "watchpoint:0xADDRESS:LENGTH:MODE, as watchpoint:0x601040:8:rw; an argument's address is "
		       "not known before the call";
	default: return "";
	}
}
