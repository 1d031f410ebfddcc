/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.c - --attach kprobe.multi: a hook for each function by which the kernel makes a wanted call.
 *
 * A call's function has its name, or an older or newer one made of it: sys_newstat, sys_ia32_stat64,
 * sys_lchown16, sys_ppoll_time32. The programs look at the number, so a function too many does no harm.
 * On x86, one of a call without arguments has several names, of which the types have __do_sys_getpid.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "attach/plan.h"
#include "kernel/arch.h"
#include "session/session.h"
#include "util/log.h"

enum { WORD_MAX = 64, MISSING_NAMED = 5 };

static const char *const entries[] = { ARCH_SYSCALLS, ARCH_COMPAT_SYSCALLS, NULL };
static const char *const bodies[] = { "__do_sys_", NULL };

/* Names that are not made of the call's. */
static const char *const aliases[][2] = {
	{ "umount2", "umount" },    { "mmap2", "mmap_pgoff" },	   { "_llseek", "llseek" },
	{ "_newselect", "select" }, { "ugetrlimit", "getrlimit" },
};

/* ---- names without what older and newer forms add ---- */

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
	static const char *const begins[] = { "ia32_", "aarch32_", "old_", "old", "new" };
	static const char *const ends[] = { "_time32", "_time64", "_64", "16", "32", "64" };
	bool again = true;

	strncpy(word, name, WORD_MAX - 1);
	word[WORD_MAX - 1] = 0;
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
	char word[WORD_MAX]; /* reduced */
	const char *name;
	bool found; /* a function */
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
		    (s->all || s->wanted[abi][nr / 64] >> nr % 64 & 1))
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

static const char *prefix_cut(const char *function, const char *const *prefix)
{
	while (*prefix && strncmp(function, *prefix, strlen(*prefix)) != 0)
		prefix++;
	return *prefix ? function + strlen(*prefix) : NULL;
}

/* Has the function of that name got a hook where the kernel enters it? */
static bool has_entry(const struct hook *all, const char *name)
{
	for (; all->name; all++) {
		const char *rest = prefix_cut(all->functions, entries);

		if (rest && !strcmp(rest, name))
			return true;
	}
	return false;
}

/* The hook has a copy of the name: the types are closed before it is attached. */
static int function_take(struct calls *c, const char *function, const char *const *prefixes,
			 struct hook **all, size_t *count)
{
	const char *rest = prefix_cut(function, prefixes);
	const struct call *call;
	char word[WORD_MAX], *copy;

	if (!rest || (prefixes == bodies && has_entry(*all, rest)))
		return 0;
	word_reduce(word, rest);
	call = calls_find(c, word);
	if (!call)
		return 0;
	copy = strdup(function);
	return copy ? hook_add(all, count, call->name, copy) : -ENOMEM;
}

/* Where the kernel has no sessions, one hook suffices to say so. */
static int functions_find(struct calls *c, const struct btf_view *btf, const char *const *prefixes,
			  struct hook **all)
{
	bool has_session = attach_type_find(ATTACH_KPROBE_SESSION, true, btf) >= 0;
	uint32_t end = btf_view_count(btf);
	size_t count = 0, own;
	int err = c->err;

	while ((*all)[count].name)
		count++;
	own = count;
	for (uint32_t id = 1; id < end && !err && (has_session || count == own); id++)
		if (btf_view_kind(btf, id) == BTF_KIND_FUNC)
			err = function_take(c, btf_view_name(btf, id), prefixes, all, &count);
	return err;
}

/* Of some calls, the first that have no function; of all, the kernel lacks many. */
static int missing_report(const struct calls *c)
{
	size_t missing = 0, found = 0;

	for (const struct call *one = c->items; one < c->items + c->count; one++) {
		if (one->found)
			found++;
		else if (!c->chosen->all && ++missing <= MISSING_NAMED)
			log_note("not seen: %s (this kernel has no function for it)", one->name);
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
	int err;

	if (session_types_open(s))
		return -EINVAL;
	while (own[count].name)
		count++;
	*all = calloc(count + 1, sizeof(**all));
	if (*all)
		memcpy(*all, own, count * sizeof(*own));
	syscall_names(call_add, &c);
	err = *all ? functions_find(&c, s->btf, entries, all) : -ENOMEM;
	err = err ?: functions_find(&c, s->btf, bodies, all);
	if (err)
		log_error("out of memory");
	else if (attach_type_find(ATTACH_KPROBE_SESSION, true, s->btf) >= 0)
		err = missing_report(&c);
	free(c.items);
	return err;
}
