/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_probe.c - probes of bpftrace's → PROBE.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/notation/bt.h"

/* ---- probes ---- */

static const struct {
	const char *name;
	enum bt_kind kind;
	const char *prefix;
} kinds[] = {
	{ "kprobe", BT_KPROBE, "" },
	{ "k", BT_KPROBE, "" },
	{ "kretprobe", BT_KRETPROBE, "" },
	{ "kr", BT_KRETPROBE, "" },
	{ "kfunc", BT_FENTRY, "" },
	{ "fentry", BT_FENTRY, "" },
	{ "f", BT_FENTRY, "" },
	{ "kretfunc", BT_FEXIT, "" },
	{ "fexit", BT_FEXIT, "" },
	{ "fr", BT_FEXIT, "" },
	{ "tracepoint", BT_TRACEPOINT, "t:" },
	{ "t", BT_TRACEPOINT, "t:" },
	{ "rawtracepoint", BT_RAW, "t:" },
	{ "rt", BT_RAW, "t:" },
	{ "uprobe", BT_UPROBE, "u:" },
	{ "u", BT_UPROBE, "u:" },
	{ "uretprobe", BT_URETPROBE, "u:" },
	{ "ur", BT_URETPROBE, "u:" },
	{ "usdt", BT_USDT, "u:" },
	{ "U", BT_USDT, "u:" },
	{ "software", BT_SAMPLE, "sw:" },
	{ "s", BT_SAMPLE, "sw:" },
	{ "hardware", BT_SAMPLE, "hw:" },
	{ "h", BT_SAMPLE, "hw:" },
	{ "profile", BT_SAMPLE, "hz:" },
	{ "p", BT_SAMPLE, "hz:" },
	{ "interval", BT_INTERVAL, "every:" },
	{ "i", BT_INTERVAL, "every:" },
	{ "BEGIN", BT_BEGIN, "" },
	{ "begin", BT_BEGIN, "" },
	{ "END", BT_ENDING, "" },
	{ "end", BT_ENDING, "" },
};

static const struct {
	const char *name, *hint;
} missing[] = {
	{ "watchpoint", "memory cannot be watched; --diff EXPR shows what a function changes" },
	{ "asyncwatchpoint", "--diff EXPR shows what a function changes" },
	{ "iter", "trace a function that walks over the same, or hz:1" },
	{ "self", "coretap reports signals to itself by its exit status" },
	{ "bench", "make bench measures coretap" },
	{ "test", "--dry-run prints what would be attached" },
	{ "lsm", "the hooks are functions: fentry:security_NAME, as fentry:security_file_open" },
	{ "struct", "types are those of the kernel: argdump --type 'struct NAME' shows one" },
	{ "union", "types are those of the kernel: argdump --type 'union NAME' shows one" },
	{ "enum", "types are those of the kernel: argdump --type 'enum NAME' shows one" },
	{ "config", "options of coretap are on its command line" },
	{ "macro", "write it out, or make it a recipe: docs/recipes.md" },
	{ "fn", "write it out, or make it a recipe: docs/recipes.md" },
	{ "let", "maps need no declaration; --keys N says how many rows there may be" },
};

/* Shorter names that bpftrace has for some events of perf. */
static const struct {
	const char *there, *here;
} events[] = {
	{ "faults", "page-faults" }, { "cs", "context-switches" },
	{ "cpu", "cpu-clock" },	     { "branches", "branch-instructions" },
	{ "cpu-cycles", "cycles" },  { "alignment-faults", "alignment-faults" },
};

bool bt_is_user(const struct bt_probe *p)
{
	return p->kind == BT_UPROBE || p->kind == BT_URETPROBE || p->kind == BT_USDT;
}

bool bt_has_user_args(const struct bt_probe *p)
{
	return bt_is_user(p) || p->kind == BT_ENTER || p->kind == BT_EXIT;
}

bool bt_is_return(const struct bt_probe *p)
{
	return p->kind == BT_KRETPROBE || p->kind == BT_FEXIT || p->kind == BT_EXIT ||
	       p->kind == BT_URETPROBE;
}

static bool kind_find(struct bt *b, struct bt_probe *p, const char *word)
{
	const char *hint = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, word))
			continue;
		p->kind = kinds[i].kind;
		p->prefix = kinds[i].prefix;
		if (strlen(word) <= 2) /* k, kr … follow their names */
			i--;
		p->text = notation_print(b->n, "%s%s", kinds[i].name,
					 b->n->text + p->start + strlen(word));
		p->text = notation_print(
			b->n, "%.*s",
			(int)(strlen(kinds[i].name) + p->end - p->start - strlen(word)), p->text);
		return true;
	}
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!strcmp(missing[i].name, word))
			hint = missing[i].hint;
	notation_fail(b->n, p->start, p->start + strlen(word),
		      hint  ?:
			      "kprobe kretprobe fentry fexit tracepoint rawtracepoint uprobe "
			      "uretprobe usdt profile interval software hardware BEGIN END",
		      hint ? "argdump has no %s here" : "there are no probes of the kind %s", word);
	return false;
}

static void interval_set(struct bt *b, struct bt_probe *p, unsigned long us)
{
	if (us % 1000000) {
		p->period = notation_print(b->n, "%lu.%06lu", us / 1000000, us % 1000000);
		p->name = notation_print(b->n, us % 1000 ? "%luus" : "%lums",
					 us % 1000 ? us : us / 1000);
	} else {
		p->name = p->period = notation_print(b->n, "%lu", us / 1000000);
	}
}

/* "1s", "100ms", "1000000000" (ns): as "s:1" */
static const char *period_unit(struct notation *n, const char *name)
{
	size_t digits = strspn(name, "0123456789_");
	const char *unit = name + digits, *count = notation_number(n, name);
	unsigned long ns;

	if (!digits || !strcmp(unit, "s") || !strcmp(unit, "ms") || !strcmp(unit, "us"))
		return digits ? notation_print(n, "%s:%.*s", unit, (int)strcspn(count, "mus"),
					       count) :
				name;
	ns = *unit && strcmp(unit, "ns") ? 0 : strtoul(count, NULL, 10);
	return ns % 1000 ? name : notation_print(n, "us:%lu", ns / 1000);
}

/* "s:1", "hz:99", "ms:100" */
static void period_read(struct bt *b, struct bt_probe *p)
{
	const char *colon = strchr(p->name = period_unit(b->n, p->name), ':');
	unsigned long count = colon ? strtoul(colon + 1, NULL, 10) : 0;
	size_t unit = strcspn(p->name, ":");
	bool is_hz = unit == 2 && !strncmp(p->name, "hz", 2);
	unsigned long per_second = is_hz				   ? 0 :
				   unit == 1 && p->name[0] == 's'	   ? 1 :
				   unit == 2 && !strncmp(p->name, "ms", 2) ? 1000 :
				   unit == 2 && !strncmp(p->name, "us", 2) ? 1000000 :
									     0;

	if (!count || count > 1000000000 || (!is_hz && !per_second)) {
		notation_fail(b->n, p->start, p->end, "hz:99, s:1, ms:100",
			      "this needs a unit and a number");
		return;
	}
	if (p->kind == BT_INTERVAL) {
		interval_set(b, p, is_hz ? 1000000 / count : count * (1000000 / per_second));
		return;
	}
	if (!is_hz && per_second / count == 0)
		notation_fail(b->n, p->start, p->end, "interval:s:N runs once in that time",
			      "a sample is taken at least once in a second");
	p->name = notation_print(b->n, "%lu", is_hz ? count : per_second / count);
}

/* tracepoint:syscalls:sys_enter_X is s:X. */
static void tracepoint_read(struct bt_probe *p)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";

	if (!strncmp(p->name, enter, strlen(enter))) {
		p->kind = BT_ENTER;
		p->name += strlen(enter);
	} else if (!strncmp(p->name, leave, strlen(leave))) {
		p->kind = BT_EXIT;
		p->name += strlen(leave);
	} else {
		return;
	}
	p->prefix = "s:";
}

/* FILE:NAME, FILE:PROVIDER:NAME */
static void user_read(struct bt *b, struct bt_probe *p)
{
	const char *colon = strchr(p->name, ':');
	const char *name = colon ? colon + 1 : "";
	size_t len = strlen(name);

	if (!*name || colon == p->name) {
		notation_fail(b->n, p->start, p->end,
			      "uprobe:FILE:FUNCTION, usdt:FILE:PROVIDER:NAME",
			      "the file or the name is missing");
		return;
	}
	p->place = notation_print(b->n, "%.*s", (int)(colon - p->name), p->name);
	if (len > 1 && name[0] == '"' && name[len - 1] == '"')
		name = notation_print(b->n, "%.*s", (int)len - 2, name + 1);
	p->name = p->kind == BT_USDT && !strchr(name, ':') ? notation_print(b->n, "*:%s", name) :
							     name;
}

static void event_read(struct bt *b, struct bt_probe *p)
{
	size_t len = strcspn(p->name, ":");

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (strlen(events[i].there) == len && !strncmp(events[i].there, p->name, len))
			p->name = notation_print(b->n, "%s%s", events[i].here, p->name + len);
	len = strcspn(p->name, ":");
	if (p->name[len] && p->name[len + 1])
		p->name = notation_print(b->n, "%.*s:%s", (int)len, p->name,
					 notation_number(b->n, p->name + len + 1));
	len = strlen(p->name);
	if (len && p->name[len - 1] == ':') /* the default period */
		p->name = notation_print(b->n, "%.*s", (int)len - 1, p->name);
}

/* A function of the kernel; the wrappers of system calls have their arguments in memory. */
static void function_read(struct bt *b, struct bt_probe *p)
{
	const char *call = notation_syscall(p->name);

	if (!strncmp(p->name, "syscalls:sys_e", 14))
		notation_fail(b->n, p->start, p->end,
			      notation_print(b->n, "tracepoint:%s", p->name),
			      "this is no function: it is a tracepoint");
	if (!call) {
		p->name = notation_function(b->n, p->name);
		return;
	}
	p->kind = p->kind == BT_KPROBE ? BT_ENTER : BT_EXIT;
	p->prefix = "s:";
	p->name = call;
}

static void rest_read(struct bt *b, struct bt_probe *p)
{
	switch (p->kind) {
	case BT_KPROBE:
	case BT_KRETPROBE: function_read(b, p); break;
	case BT_TRACEPOINT: tracepoint_read(p); break;
	case BT_RAW: /* of a module, or of vmlinux: events have one name */
		p->name = strrchr(p->name, ':') ? strrchr(p->name, ':') + 1 : p->name;
		break;
	case BT_UPROBE:
	case BT_URETPROBE:
	case BT_USDT: user_read(b, p); break;
	case BT_INTERVAL: period_read(b, p); break;
	case BT_SAMPLE:
		if (!strcmp(p->prefix, "hz:"))
			period_read(b, p);
		else
			event_read(b, p);
		break;
	case BT_FENTRY:
	case BT_FEXIT:
		if (!strncmp(p->name, "vmlinux:", 8))
			p->name += 8;
		break;
	default: break;
	}
}

void bt_probe_read(struct bt *b, struct bt_probe *p, size_t start, size_t end)
{
	const char *text = notation_copy(b->n, start, end);
	size_t len = strcspn(text, ":");

	p->start = start;
	p->end = end;
	if (!kind_find(b, p, notation_print(b->n, "%.*s", (int)len, text)))
		return;
	p->name = text[len] ? text + len + 1 : "";
	if (p->kind != BT_BEGIN && p->kind != BT_ENDING && !*p->name)
		notation_fail(b->n, start, end, "KIND:NAME, as kprobe:vfs_read",
			      "the name of the probe is missing");
	else
		rest_read(b, p);
}

/* ---- PROBEs ---- */

static bool joins(const struct bt_probe *a, const struct bt_probe *b)
{
	return a->kind == b->kind && a->kind != BT_SAMPLE && a->kind != BT_INTERVAL &&
	       a->kind != BT_USDT && (!a->place || !strcmp(a->place, b->place));
}

size_t bt_probe_texts(struct bt *b, const struct bt_clause *c, bool without_return,
		      const char *texts[BT_PROBES_MAX])
{
	bool taken[BT_PROBES_MAX] = { false };
	size_t count = 0;

	for (size_t i = 0; i < c->probe_count; i++) {
		const struct bt_probe *p = &c->probes[i];
		const char *text;

		if (taken[i])
			continue;
		text = notation_print(b->n, "%s%s%s%s", p->prefix, p->place ?: "",
				      p->place ? ":" : "", p->name);
		for (size_t j = i + 1; j < c->probe_count; j++) {
			if (taken[j] || !joins(p, &c->probes[j]))
				continue;
			taken[j] = true;
			text = notation_print(b->n, "%s,%s", text, c->probes[j].name);
		}
		if (bt_is_return(p) && !without_return)
			text = notation_print(b->n, "%s%%return", text);
		texts[count++] = text;
	}
	return count;
}
