/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobe_events.c - the lines of kprobe_events, uprobe_events and dynamic_events:
 *
 *	line	= kind [number] [":" [[group ("/" | ".")] [event]]] target { fetcharg }
 *		| ["-"] ":" [group ("/" | ".")] event
 *	kind	= "p" | "r" | "f" | "t" | "e"
 *
 * Words are separated by blanks or, as on the kernel's command line, by commas. fetcharg.c
 * translates FETCHARGs.
 */
#include <string.h>

#include "expr/legacy/legacy_parse.h"

enum {
	NAME_LENGTH_MAX = 63,
	CALLS_MAX = 4096, /* open calls of a return probe */
};

/* ---- words ---- */

static bool is_separator(const struct old *o, char c)
{
	return c == '\0' || (o->separator == ',' ? c == ',' : strchr(" \t\n", c) != NULL);
}

/* Sets [at, end) to the next word. Returns false at the end. */
static bool word_next(struct old *o)
{
	o->at = o->end;
	while (o->text[o->at] && is_separator(o, o->text[o->at]))
		o->at++;
	o->end = o->at;
	while (!is_separator(o, o->text[o->end]))
		o->end++;
	return o->at < o->end && !o->err;
}

static char *find_in_word(const struct old *o, char c)
{
	return memchr(o->text + o->at, c, o->end - o->at);
}

static char *find_last_in_word(const struct old *o, char c)
{
	return memrchr(o->text + o->at, c, o->end - o->at);
}

static void expect_word_end(struct old *o, const char *what)
{
	if (o->at < o->end)
		legacy_fail(o, o->at, o->end, "%s, not '%.*s'", what, (int)(o->end - o->at),
			    o->text + o->at);
}

/* ---- the first word ---- */

/* A group's name may have a dash. */
static const char *group_name(struct old *o, const char *what)
{
	uint32_t start = o->at, len = legacy_name_length(o, start);

	if (!len)
		return legacy_name(o, what);
	while (start + len < o->end &&
	       (legacy_is_name(o->text[start + len], false) || o->text[start + len] == '-'))
		len++;
	o->at += len;
	return legacy_print(o, "%.*s", (int)len, o->text + start);
}

static void length_check(struct old *o, const char *name)
{
	if (strlen(name) > NAME_LENGTH_MAX)
		legacy_fail(o, o->at - strlen(name), o->at,
			    "the name of a group or event has at most %d characters",
			    NAME_LENGTH_MAX);
}

/* [[group ("/" | ".")] [event]] */
static void event_name(struct old *o)
{
	uint32_t start = o->at;
	const char *name = group_name(o, "a group's or an event's name");

	length_check(o, name);
	if (strchr(name, '-') && legacy_peek(o) != '/' && legacy_peek(o) != '.')
		o->at = start + strcspn(name, "-");
	if (!legacy_accept(o, '/') && !legacy_accept(o, '.')) {
		o->probe->event = name;
	} else {
		o->probe->group = name;
		if (o->at < o->end)
			o->probe->event = legacy_name(o, "an event's name");
		if (o->probe->event)
			length_check(o, o->probe->event);
	}
	expect_word_end(o, "an event's name can have letters, digits and _");
}

static void head(struct old *o)
{
	uint32_t digits = o->at;

	if (legacy_peek(o) >= '0' && legacy_peek(o) <= '9') {
		o->calls = legacy_number(o, "number");
		o->limit = digits;
		o->limit_end = o->at;
	}
	if (o->at == o->end)
		return;
	legacy_expect(o, ':');
	event_name(o);
}

/* ---- the target ---- */

static void read_return(struct old *o)
{
	if (legacy_peek(o) != '%')
		return;
	if (!legacy_accept_text(o, "%return"))
		legacy_fail(o, o->at, o->end, "after a name and a %% only return can follow");
	else
		o->is_return = true;
}

static void read_offset(struct old *o, uint64_t *offset)
{
	uint32_t start = o->at;

	if (legacy_accept(o, '-')) {
		legacy_fail(o, start, o->end, "an offset cannot be before the function");
	} else if (legacy_accept(o, '+')) {
		*offset = legacy_number(o, "offset");
		if (o->kind == LEGACY_FPROBE || (*offset && o->is_return))
			legacy_fail(o, start, o->at,
				    "a return or an f probe cannot have an offset");
	}
}

static uint32_t function_length(const struct old *o)
{
	uint32_t at = o->at;

	/* including .isra.0, and patterns, which f probes allow */
	while (at < o->end && (legacy_is_name(o->text[at], false) || strchr(".*?", o->text[at])))
		at++;
	return at - o->at;
}

static const char *function_name(struct old *o)
{
	uint32_t len = function_length(o), start = o->at;

	if (!len)
		legacy_fail(o, start, o->end, "expected a function's name");
	o->at += len;
	if (o->kind == LEGACY_KPROBE && memchr(o->text + start, '*', len)) {
		legacy_fail(o, start, o->at, "only an f probe has a pattern");
		legacy_hint(o, "f %.*s; or as a PROBE of its own, '%.*s'", (int)len,
			    o->text + start, (int)len, o->text + start);
	}
	return legacy_print(o, "%.*s", (int)len, o->text + start);
}

/* [module ":"] function ["+" offset] ["%return"]; a number is an address */
static void read_function(struct old *o)
{
	const char *name = function_name(o), *module = NULL;
	uint64_t offset = 0;

	if (legacy_accept(o, ':')) {
		module = name;
		name = function_name(o);
	} else if (!o->err) {
		name = legacy_function(o, name);
	}
	read_offset(o, &offset);
	read_return(o);
	if (offset && o->is_return)
		legacy_fail(o, o->at, o->end, "a return cannot have an offset");
	expect_word_end(o, "expected FUNCTION, FUNCTION+OFFSET or FUNCTION%return");
	if (module)
		name = legacy_print(o, "%s:%s", module, name);
	if (offset)
		name = legacy_print(o, "%s+0x%llx", name, (unsigned long long)offset);
	o->probe->probe = o->is_return ? legacy_print(o, "%s%%return", name) : name;
}

/* path ":" offset ["%return"] */
static void read_user(struct old *o)
{
	const char *colon = find_last_in_word(o, ':');
	uint32_t start = o->at, len = colon ? colon - (o->text + start) : 0;
	uint64_t offset;

	o->kind = LEGACY_UPROBE;
	if (!len) {
		legacy_fail(o, o->at, o->end, "the offset in the file is missing");
		legacy_hint(o, "PATH:OFFSET, e.g. /bin/bash:0x4245c0; or u:PATH:SYMBOL");
		return;
	}
	o->at += len + 1;
	offset = legacy_number(o, "offset");
	if (legacy_peek(o) == '(') {
		legacy_fail(o, o->at, o->end,
			    "semaphores of markers in programs are not supported");
		legacy_hint(o, "leave it out: the probe is hit whenever the program passes there");
	}
	read_return(o);
	expect_word_end(o, "expected PATH:OFFSET");
	o->probe->probe = legacy_print(o, "u:%.*s:0x%llx%s", (int)len, o->text + start,
				       (unsigned long long)offset, o->is_return ? "%return" : "");
}

/* "u:" file ":" symbol, a probe in our words, as perf-tools' uprobe has FILE:SYMBOL */
static void read_own(struct old *o)
{
	uint32_t start = o->at;

	while (o->at < o->end && !strchr(" \t\n,%", o->text[o->at]))
		o->at++;
	o->kind = LEGACY_UPROBE;
	o->probe->probe = legacy_print(o, "%.*s", (int)(o->at - start), o->text + start);
	read_return(o);
	expect_word_end(o, "expected u:FILE:SYMBOL");
	if (o->is_return)
		o->probe->probe = legacy_print(o, "%s%%return", o->probe->probe);
}

/* group ("." | "/") event */
static void read_event(struct old *o)
{
	const char *group = legacy_name(o, "GROUP.EVENT"), *event;

	if (!legacy_accept(o, '.') && !legacy_accept(o, '/'))
		legacy_fail(o, o->at, o->end, "expected '.' and an event's name");
	event = legacy_name(o, "an event's name");
	expect_word_end(o, "expected GROUP.EVENT");
	o->probe->probe = legacy_print(o, "t:%s:%s", group, event);
}

static void read_tracepoint(struct old *o)
{
	const char *name = legacy_name(o, "a tracepoint's name");

	expect_word_end(o, "a tracepoint's name can have letters, digits and _");
	o->probe->probe = legacy_print(o, "t:%s", name);
}

/* True if the function is left out, as perf-tools allows: the event has its name. */
static bool is_left_out(const struct old *o)
{
	if (o->kind != LEGACY_KPROBE || !o->probe->event)
		return false;
	return o->at == o->end || find_in_word(o, '=') || find_in_word(o, '$') ||
	       strchr("+-@%\\(", o->text[o->at]);
}

static void target_from_event(struct old *o)
{
	const char *name = legacy_function(o, o->probe->event);

	o->probe->probe = o->is_return ? legacy_print(o, "%s%%return", name) : name;
}

static void read_target(struct old *o)
{
	if (o->at == o->end) {
		legacy_fail(o, o->end, o->end, "what to trace is missing");
		legacy_hint(o, "p[:EVENT] FUNCTION [ARG...], e.g. p:open do_sys_openat2 "
			       "file=+0($arg2):ustring");
	} else if (o->kind == LEGACY_TPROBE) {
		read_tracepoint(o);
	} else if (o->kind == LEGACY_EPROBE) {
		read_event(o);
	} else if (o->kind == LEGACY_KPROBE && !strncmp(o->text + o->at, "u:", 2)) {
		read_own(o);
	} else if (o->kind == LEGACY_KPROBE && find_in_word(o, '/')) {
		read_user(o);
	} else {
		read_function(o);
	}
}

/* The limit of open calls, which return probes of old kernels need. */
static void check_limit(struct old *o)
{
	if (!o->limit)
		return;
	if (!o->is_return || o->kind == LEGACY_UPROBE)
		legacy_fail(o, o->limit, o->limit_end,
			    "only a return has a number here: the limit of calls at once");
	if (!o->calls || o->calls > CALLS_MAX)
		legacy_fail(o, o->limit, o->limit_end, "a limit is 1 to %d calls at once",
			    CALLS_MAX);
	legacy_hint(o, "r[:EVENT] FUNCTION: missed calls are counted and reported");
	legacy_note(o,
		    "the limit of %.*s calls at once is not needed here: missed calls are counted "
		    "and reported",
		    (int)(o->limit_end - o->limit), o->text + o->limit);
}

/* ["-"] ":" name; the dash may have been removed already, as that of an option */
static void clear(struct old *o)
{
	head(o);
	if (word_next(o))
		legacy_fail(o, o->at, o->end, "unexpected text after -:NAME");
	legacy_note(o, "nothing to clear: a probe ends with its coretap process");
}

/* "if" FILTER, at the end of an event's definition. `end`: of the definition. */
static bool read_filter(struct old *o, uint32_t end)
{
	if (o->kind != LEGACY_EPROBE || o->end - o->at != 2 || strncmp(o->text + o->at, "if", 2))
		return false;
	o->at = o->end;
	while (o->at < end && is_separator(o, o->text[o->at]))
		o->at++;
	if (o->at == end) {
		legacy_fail(o, end, end, "a filter is missing");
		legacy_hint(o, "if prev_pid == 1 && prev_comm ~ \"a*\"");
	}
	o->probe->condition = legacy_print(o, "%.*s", (int)(end - o->at), o->text + o->at);
	return true;
}

void legacy_kprobe(struct old *o)
{
	char kind = o->text[o->at];
	uint32_t all = o->end;

	o->end = o->at + strcspn(o->text + o->at, " \t\n,");
	o->separator = o->text[o->end] == ',' ? ',' : ' ';
	o->at += kind != ':';
	if (kind == '-' || kind == ':') {
		clear(o);
		return;
	}
	o->kind = kind == 'f' ? LEGACY_FPROBE :
		  kind == 't' ? LEGACY_TPROBE :
		  kind == 'e' ? LEGACY_EPROBE :
				LEGACY_KPROBE;
	o->is_return = kind == 'r';
	if (memchr(o->text, ';', all))
		legacy_fail(o, (char *)memchr(o->text, ';', all) - o->text, all,
			    "one definition at a time");
	head(o);
	word_next(o);
	if (is_left_out(o)) {
		target_from_event(o);
	} else {
		read_target(o);
		word_next(o);
	}
	check_limit(o);
	for (; !o->err && o->at < o->end && !read_filter(o, all); word_next(o))
		legacy_fetcharg(o);
	/* (sys_openat+0xc/0xe <- do_sys_open) */
	if (o->is_return && !o->has_params)
		o->probe->caller = o->kind == LEGACY_UPROBE ? LEGACY_USER_CALLER : LEGACY_CALLER;
	else if (o->is_return)
		legacy_note(o,
			    "the caller is not shown: a probe that has the parameters at a return "
			    "does not have it");
}
