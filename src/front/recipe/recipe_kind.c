/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_kind.c - parses what the user gives for an option or argument, by its kind.
 *
 * A value becomes an operand of an expression, where each of the kernel's 40,000 constants has a value: KILL is one
 * of them, and not 9. So values of a kind are parsed here and replaced by a number. The name of the argument defines
 * the kind; other arguments are texts, or expressions of the user.
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "front/recipe/recipe.h"
#include "output/field/flag_names.h"
#include "util/errname.h"
#include "util/log.h"
#include "util/suggest.h"
#include "util/time_unit.h"

/* ---- numbers ---- */

/* A number in C's notation, which K, M, G or T may follow. */
static bool is_number(const char *value)
{
	char *end;

	if (!isdigit((unsigned char)*value))
		return false;
	strtoull(value, &end, 0);
	return !*end || (strchr("KMGT", *end) && !end[1]);
}

static bool number_read(const char *text, long most, long *number)
{
	char *end;

	errno = 0;
	*number = isdigit((unsigned char)*text) ? strtol(text, &end, 0) : -1;
	return *number >= 0 && !errno && !*end && *number <= most;
}

/* ---- times ---- */

static const struct unit {
	const char *arg, *unit;
} units[] = { { "MS", "ms" }, { "US", "us" }, { "NS", "ns" }, { "SEC", "s" }, { "AGE", "ms" } };

/* ---- names ---- */

static const struct field_name signal_aliases[] = {
	{ SIGABRT, "SIGIOT", 0 },
	{ SIGCHLD, "SIGCLD", 0 },
	{ SIGIO, "SIGPOLL", 0 },
	{ 0 },
};

/* Bits of task_struct's state, by ps(1)'s letters. */
static const struct field_name states[] = {
	{ 0, "R", 0 }, { 1, "S", 0 },	 { 2, "D", 0 },	    { 4, "T", 0 },
	{ 8, "t", 0 }, { 0x40, "P", 0 }, { 0x402, "I", 0 }, { 0 },
};

enum { ERRORS = 532 };			     /* with the kernel's own */
static struct field_name errors[ERRORS + 1]; /* errors_fill() */

static void errors_fill(void)
{
	struct field_name *to = errors;

	for (int err = 1; err < ERRORS; err++)
		if (errname(err))
			*to++ = (struct field_name){ (uint64_t)err, errname(err), 0 };
}

/* True if the names are equal, with or without the common prefix. */
static bool is_called(const char *name, const char *prefix, const char *text, bool exact)
{
	size_t len = strlen(prefix);

	if (exact)
		return !strcmp(name, text);
	return !strcasecmp(name, text) ||
	       (!strncmp(name, prefix, len) && !strcasecmp(name + len, text));
}

static const struct field_name whiches[] = {
	{ 0, "on-device", 0 }, { 1, "after-rq-alloc", 0 }, { 2, "from-rq-alloc", 0 }, { 0 }
};

/* REQ_OP_… of the kernel, by the letters of biosnoop. */
static const struct field_name operations[] = {
	{ 0, "R", 0 }, { 1, "W", 0 }, { 2, "F", 0 }, { 3, "D", 0 }, { 0 }
};

/* ---- the kinds ---- */

struct kind {
	const char *arg, *what;
	const struct field_name *names, *aliases;
	const char *prefix;
	long most;  /* the largest number; 0: numbers are refused */
	bool exact; /* case-sensitive */
};

static const struct kind kinds[] = {
	{ "SIGNAL", "a signal such as KILL, SIGKILL or 9", flags_signal, signal_aliases, "SIG", 64,
	  false },
	{ "STATE", "a task state: R S D T t P or I", states, NULL, "", 0, true },
	{ "BLOCKED", "the state of a task that waits: S D T t P or I", states + 1, NULL, "", 0,
	  true },
	{ "WHICH", "one of on-device, after-rq-alloc and from-rq-alloc", whiches, NULL, "", 0,
	  true },
	{ "OP", "a kind of request: R W D or F", operations, NULL, "", 0, true },
	{ "SYSCALL", "a system call such as openat, or its number", flags_syscall, NULL, "", 0xffff,
	  true },
	{ "CAP", "a capability such as NET_ADMIN, CAP_NET_ADMIN or 12", flags_cap, NULL, "CAP_", 63,
	  false },
	{ "ERRNO", "an error such as ENOENT or 2", errors, NULL, "", 4095, true },
};

static const struct kind *kind_find(const char *arg)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].arg, arg))
			return &kinds[i];
	return NULL;
}

static bool name_read(const struct kind *k, const struct field_name *names, const char *text,
		      long *number)
{
	for (; names && names->name; names++) {
		if (!is_called(names->name, k->prefix, text, k->exact))
			continue;
		*number = (long)names->value;
		return true;
	}
	return false;
}

/* Parses RTMIN+3 and RTMAX-1, counted as by kill(1). */
static bool realtime_read(const struct kind *k, const char *text, long *number)
{
	bool from_end;
	long by = 0;

	if (k->names != flags_signal)
		return false;
	text += !strncasecmp(text, "SIG", 3) ? 3 : 0;
	from_end = !strncasecmp(text, "RTMAX", 5);
	if (!from_end && strncasecmp(text, "RTMIN", 5))
		return false;
	text += 5;
	if (*text && (*text != (from_end ? '-' : '+') || !number_read(text + 1, 30, &by)))
		return false;
	*number = from_end ? SIGRTMAX - by : SIGRTMIN + by;
	return true;
}

static int fail_kind(const struct kind *k, const char *dashes, const char *name, const char *value)
{
	size_t prefix = strlen(k->prefix);
	struct suggestion nearest;

	log_error("%s%s takes %s, not '%s'", dashes, name, k->what, value);
	suggest_init(&nearest, value);
	for (const struct field_name *n = k->names; n->name; n++) {
		suggest_offer(&nearest, n->name);
		if (!strncmp(n->name, k->prefix, prefix))
			suggest_offer(&nearest, n->name + prefix);
	}
	suggest_hint(&nearest, NULL);
	return -EINVAL;
}

static int kind_parse(struct recipe *r, const struct kind *k, const char *dashes,
		      struct recipe_option *o)
{
	const char *name = o->spec.name ?: o->spec.arg;
	long number;
	char *text;

	if (k->names == errors)
		errors_fill();
	if (!(k->most && number_read(o->value, k->most, &number)) &&
	    !name_read(k, k->names, o->value, &number) &&
	    !name_read(k, k->aliases, o->value, &number) && !realtime_read(k, o->value, &number))
		return fail_kind(k, dashes, name, o->value);
	if (asprintf(&text, "%ld", number) < 0)
		return -ENOMEM;
	o->value = recipe_own(r, text);
	return o->value ? 0 : -ENOMEM;
}

/* ---- values ---- */

static bool is_number_name(const char *arg)
{
	static const char *const names[] = { "N",     "HZ",    "PORT",	"SIZE", "KB", "CPU",
					     "PAGES", "DEPTH", "COUNT", "PID",	"TID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], arg))
			return true;
	return false;
}

static int time_parse(struct recipe *r, const struct unit *u, const char *dashes,
		      struct recipe_option *o)
{
	uint64_t ns;
	char *text;

	if (!time_text_ns(o->value, u->unit, &ns)) {
		log_error("%s%s takes a time such as 10 (%s), 0.5 or 100us, not '%s'", dashes,
			  o->spec.name ?: o->spec.arg, u->unit, o->value);
		log_hint_help();
		return -EINVAL;
	}
	if (*u->unit == 's') /* for --duration and --interval, which read it again */
		return 0;
	/* --older reads it again */
	if (asprintf(&text, "%llu%s", (unsigned long long)ns, *u->arg == 'A' ? "ns" : "") < 0)
		return -ENOMEM;
	o->value = recipe_own(r, text);
	return o->value ? 0 : -ENOMEM;
}

static const struct unit *unit_find(const char *arg)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].arg, arg))
			return &units[i];
	return NULL;
}

static int port_parse(const char *dashes, const struct recipe_option *o)
{
	char *end;

	if (strtoull(o->value, &end, 0) <= 0xffff && !*end)
		return 0;
	log_error("%s%s takes a port, 0 to 65535, not '%s'", dashes, o->spec.name ?: o->spec.arg,
		  o->value);
	return -EINVAL;
}

/* VALUE or VALUE/MASK, of 32 bits each, as iptables has it. Becomes one number, with the mask in its upper half. */
static int mark_parse(struct recipe *r, const char *dashes, struct recipe_option *o)
{
	char *end, *text;
	unsigned long long mask = UINT32_MAX, value = strtoull(o->value, &end, 0);
	bool fits = isdigit((unsigned char)*o->value);

	if (fits && *end == '/') {
		fits = isdigit((unsigned char)end[1]);
		mask = strtoull(end + 1, &end, 0);
	}
	if (!fits || *end || value > UINT32_MAX || mask > UINT32_MAX) {
		log_error("%s%s takes VALUE or VALUE/MASK, such as 0x10/0xf0, not '%s'", dashes,
			  o->spec.name ?: o->spec.arg, o->value);
		return -EINVAL;
	}
	if (asprintf(&text, "0x%llx", mask << 32 | value) < 0)
		return -ENOMEM;
	o->value = recipe_own(r, text);
	return o->value ? 0 : -ENOMEM;
}

static int value_parse(struct recipe *r, const char *dashes, struct recipe_option *o)
{
	const struct kind *k = o->value ? kind_find(o->spec.arg) : NULL;
	const struct unit *u = o->value ? unit_find(o->spec.arg) : NULL;

	if (u)
		return time_parse(r, u, dashes, o);
	if (k)
		return kind_parse(r, k, dashes, o);
	if (o->value && !strcmp(o->spec.arg, "MARK"))
		return mark_parse(r, dashes, o);
	if (o->value && !strcmp(o->spec.arg, "PORT") && is_number(o->value))
		return port_parse(dashes, o);
	if (!o->value || !is_number_name(o->spec.arg) || is_number(o->value))
		return 0;
	log_error("%s%s takes a number, not '%s'", dashes, o->spec.name ?: o->spec.arg, o->value);
	log_hint_help();
	return -EINVAL;
}

/* ---- lists: 80,443,8000-8010 ---- */

const char *recipe_list_kind(const char *arg)
{
	static const char *const lists[][2] = {
		{ "PORTS", "PORT" }, { "SIGNALS", "SIGNAL" }, { "PATHS", "PATH" }, { "NETS", "NET" }
	};

	for (size_t i = 0; arg && i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(lists[i][0], arg))
			return lists[i][1];
	return NULL;
}

enum { LIST_MOST = 64 };

/* /tmp/ is /tmp; what is below / begins with nothing before its slash. */
static void slashes_trim(char *path)
{
	for (size_t len = strlen(path); len && path[len - 1] == '/'; len--)
		path[len - 1] = 0;
}

/* Adds an item, or the numbers of a range. */
static int item_parse(struct recipe *r, const char *dashes, const struct recipe_option *list,
		      char *item, struct buf *o)
{
	struct recipe_option one = *list;
	char *end, *to = strchr(item, '-');
	long first = strtol(item, &end, 10), last = to ? strtol(to + 1, NULL, 10) : 0;
	bool is_range = to && end == to && isdigit((unsigned char)*item) && last >= first;
	int err;

	one.spec.arg = recipe_list_kind(list->spec.arg);
	one.value = item;
	if (!strcmp(one.spec.arg, "PATH"))
		slashes_trim(item);
	if (!is_range) {
		err = value_parse(r, dashes, &one);
		buf_printf(o, "%s%s", o->len ? "," : "", one.value ?: "");
		return err;
	}
	one.value = to + 1;
	err = last - first < LIST_MOST ? value_parse(r, dashes, &one) : -E2BIG;
	for (long n = first; n <= last && !err; n++)
		buf_printf(o, "%s%ld", o->len ? "," : "", n);
	return err;
}

static int list_parse(struct recipe *r, const char *dashes, struct recipe_option *list)
{
	char *items = recipe_own(r, strdup(list->value)), *item;
	size_t count = 0;
	struct buf o;
	int err = items ? 0 : -ENOMEM;

	buf_init(&o, -1);
	while (!err && (item = strsep(&items, ",")))
		err = item_parse(r, dashes, list, item, &o);
	buf_char(&o, 0);
	for (size_t i = 0; i < o.len; i++)
		count += o.data[i] == ',';
	list->value = recipe_own(r, o.data);
	if (err != -E2BIG && count < LIST_MOST)
		return err;
	log_error("%s%s takes at most %d values", dashes, list->spec.name ?: list->spec.arg,
		  LIST_MOST);
	return -EINVAL;
}

/* NAME = VALUE, with the option's ARG as NAME, is its default. */
static void default_set(const struct recipe *r, struct recipe_option *o)
{
	for (size_t i = 0; i < r->definition_count && !o->value && o->spec.arg; i++)
		if (!strcmp(r->definitions[i].name, o->spec.arg))
			o->value = r->definitions[i].text;
}

static int any_parse(struct recipe *r, const char *dashes, struct recipe_option *o)
{
	default_set(r, o);
	if (o->value && recipe_list_kind(o->spec.arg))
		return list_parse(r, dashes, o);
	return value_parse(r, dashes, o);
}

int recipe_values_read(struct recipe *r)
{
	int err = 0;

	for (size_t i = 0; i < r->option_count && !err; i++)
		err = any_parse(r, "--", &r->options[i]);
	for (size_t i = 0; i < r->argument_count && !err; i++)
		err = any_parse(r, "", &r->arguments[i]);
	return err;
}
