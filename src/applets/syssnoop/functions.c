/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.c - --attach kprobe.multi: a hook for each function through which the kernel makes a wanted call.
 *
 * The function is named after the call, or in an older or newer form: sys_newstat, sys_ia32_stat64, sys_lchown16,
 * sys_ppoll_time32. The programs check the number, so a superfluous function does no harm. On x86, the function of a
 * call without arguments has several names, of which the types have __do_sys_getpid.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "attach/plan.h"
#include "btf/btf_modules.h"
#include "kernel/arch.h"
#include "run/session.h"
#include "util/log.h"

enum { WORD_MAX = 64, MISSING_NAMED = 5 };

static const char *const prefixes[] = ARCH_SYSCALL_ENTRIES;
enum { PREFIXES = sizeof(prefixes) / sizeof(prefixes[0]), BODY = PREFIXES - 1 };

/* Names that are not derived from the call's. */
static const char *const aliases[][2] = {
	{ "umount2", "umount" },    { "mmap2", "mmap_pgoff" },	   { "_llseek", "llseek" },
	{ "_newselect", "select" }, { "ugetrlimit", "getrlimit" },
};

/* ---- names without the affixes of older and newer forms ---- */

static bool end_cut(char *word, const char *end)
{
	size_t len = strlen(word), less = strlen(end);

	if (len <= less || strcmp(word + len - less, end) != 0)
		return false;
	word[len - less] = 0;
	return true;
}

static bool begin_cut(char *word, const char *begin)
{
	size_t less = strlen(begin);

	if (strncmp(word, begin, less) != 0 || !word[less])
		return false;
	memmove(word, word + less, strlen(word + less) + 1);
	return true;
}

static void word_reduce(char word[WORD_MAX], const char *name)
{
	static const char *const begins[] = { "ia32_", "aarch32_", "arm64_", "old_", "old", "new" };
	static const char *const ends[] = { "_time32", "_time64", "_64", "16", "32", "64" };
	bool again = true;

	snprintf(word, WORD_MAX, "%s", name);
	while (again) {
		again = false;
		for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
			again |= begin_cut(word, begins[i]);
		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
			again |= end_cut(word, ends[i]);
	}
}

/* ---- wanted calls ---- */

struct call {
	char word[WORD_MAX]; /* without affixes */
	const char *name;
	bool found; /* a function was found */
};
struct calls {
	const struct selection *chosen;
	struct call *items; /* owned */
	size_t count;
	int err;
};

static bool is_wanted(const struct selection *s, const char *name)
{
	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++) {
		int nr = syscall_number(abi, name, strlen(name));

		if (nr >= 0 && nr < SYSCALL_NUMBERS &&
		    (s->all || syscall_set_has(&s->wanted, abi, (uint32_t)nr)))
			return true;
	}
	return false;
}

static const char *alias_of(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(aliases[i][0], name))
			return aliases[i][1];
	return name;
}

static void call_add(void *to, const char *name)
{
	struct calls *c = to;
	struct call *larger;

	if (c->err || !is_wanted(c->chosen, name))
		return;
	larger = realloc(c->items, (c->count + 1) * sizeof(*larger));
	if (!larger) {
		c->err = -ENOMEM;
		return;
	}
	c->items = larger;
	c->items[c->count] = (struct call){ .name = name };
	word_reduce(c->items[c->count++].word, alias_of(name));
}

/* Marks all calls of that word. Returns the first. */
static const struct call *calls_find(struct calls *c, const char *word)
{
	const struct call *first = NULL;

	for (struct call *one = c->items; one < c->items + c->count; one++) {
		if (strcmp(one->word, word) != 0)
			continue;
		one->found = true;
		first = first ?: one;
	}
	return first;
}

/* ---- hooks ---- */

static int hook_add(struct hook **all, size_t *count, const char *name, const char *function)
{
	struct hook *larger = realloc(*all, (*count + 2) * sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	*all = larger;
	larger[(*count)++] = (struct hook){ .name = name,
					    .functions = function,
					    BY(KPROBE_SESSION) = "syssnoop_function",
					    .is_return = true };
	larger[*count] = (struct hook){ 0 };
	return 0;
}

/* True for the body of a function that is also entered under its own name. */
static bool is_inside(const struct prefixed_names *names, const struct prefixed_name *n)
{
	bool found = false;

	for (size_t i = 0; n->prefix == BODY && i < BODY && !found; i++)
		found = prefixed_names_get(names, n->name, i);
	return found;
}

/* The hook stores a copy of the name: the types are closed before it is attached. */
static int function_parse(struct calls *c, const struct prefixed_name *n, struct hook **all,
			  size_t *count)
{
	const struct call *call;
	char word[WORD_MAX], *copy;

	word_reduce(word, n->name);
	call = calls_find(c, word);
	if (!call)
		return 0;
	copy = strdup(btf_view_name(n->btf, n->id));
	return copy ? hook_add(all, count, call->name, copy) : -ENOMEM;
}

/* `most`: limit of functions. */
static int functions_find(struct calls *c, const struct btf_view *btf, size_t most,
			  struct hook **all, size_t count)
{
	struct prefixed_names names = { 0 };
	int err = c->err ?: prefixed_names_find(&names, btf, NULL, prefixes, PREFIXES);

	most += count;
	for (size_t i = 0; i < names.count && !err && count < most; i++)
		if (!is_inside(&names, &names.names[i]))
			err = function_parse(c, &names.names[i], all, &count);
	free(names.names);
	return err;
}

/* Names the first calls without a function, unless all calls are traced: the kernel lacks many. */
static int missing_report(const struct calls *c)
{
	size_t missing = 0, found = 0;

	for (const struct call *one = c->items; one < c->items + c->count; one++) {
		if (one->found)
			found++;
		else if (!c->chosen->all && ++missing <= MISSING_NAMED)
			log_note("not seen: %s (the kernel's types have no function for it)",
				 one->name);
	}
	if (missing > MISSING_NAMED)
		log_note("not seen: %zu more", missing - MISSING_NAMED);
	if (!found)
		log_error(
			"--attach kprobe.multi: this kernel has functions for none of these calls");
	return found ? 0 : -EINVAL;
}

int functions_add(struct session *s, const struct selection *chosen, const struct hook *own,
		  struct hook **all)
{
	struct calls c = { .chosen = chosen };
	size_t count = 0;
	bool has_session;
	int err;

	if (session_types_open(s))
		return -EINVAL;
	has_session = attach_type_find(ATTACH_KPROBE_SESSION, true, s->btf) >= 0;
	while (own[count].name)
		count++;
	*all = calloc(count + 1, sizeof(**all));
	if (*all)
		memcpy(*all, own, count * sizeof(*own));
	syscall_names(call_add, &c);
	/* without sessions one hook is enough to report that */
	err = *all ? functions_find(&c, s->btf, has_session ? SIZE_MAX / 2 : 1, all, count) :
		     -ENOMEM;
	if (err)
		log_error("out of memory");
	else if (has_session)
		err = missing_report(&c);
	free(c.items);
	return err;
}
