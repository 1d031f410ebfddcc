/* SPDX-License-Identifier: GPL-2.0-only */
/* call_sets.c - parses sets of system calls: names, numbers, classes and patterns. */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "applets/syssnoop/select.h"
#include "cli/complete.h"
#include "util/log.h"
#include "util/suggest.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A set of calls while it is parsed. */
struct calls {
	struct syscall_set *set;
	unsigned abis; /* bit i: ABI i, as selected by @64 and @32 */
};

static void number_add(struct calls *c, unsigned abi, uint32_t nr)
{
	if (c->abis >> abi & 1)
		c->set->bits[abi][nr / 64] |= 1ull << nr % 64;
}

/* Returns false if no ABI has such a call. */
static bool name_add(struct calls *c, const char *name, size_t len)
{
	bool found = false;
	int nr;

	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++) {
		nr = syscall_number(abi, name, len);
		if (nr >= 0 && c->abis >> abi & 1)
			number_add(c, abi, (uint32_t)nr);
		found |= nr >= 0;
	}
	return found;
}

static bool number_word_add(struct calls *c, const char *word, size_t len)
{
	char *end;
	unsigned long nr = strtoul(word, &end, 10);
	bool found = false;

	if (!isdigit((unsigned char)*word) || end != word + len || nr >= SYSCALL_NUMBERS)
		return false;
	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++) {
		if (!syscall_name(abi, (uint32_t)nr))
			continue;
		number_add(c, abi, (uint32_t)nr);
		found = true;
	}
	return found;
}

static const struct {
	const char *name, *letters;
} classes[] = {
	{ "desc", "d" },     { "file", "f" },	   { "process", "p" }, { "network", "n" },
	{ "signal", "s" },   { "ipc", "i" },	   { "memory", "m" },  { "net", "n" },
	{ "creds", "c" },    { "stat", "t" },	   { "lstat", "l" },   { "fstat", "y" },
	{ "clock", "k" },    { "pure", "u" },	   { "statfs", "v" },  { "fstatfs", "w" },
	{ "%stat", "tlyx" }, { "%statfs", "vwa" },
};
enum { OLD_CLASSES = 7 }; /* classes that were once words without % */

static bool class_add(struct calls *c, const char *name, size_t len, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!select_is_word(name, len, classes[i].name))
			continue;
		for (uint32_t row = 0; row < SYSCALL_ROWS; row++) {
			unsigned abi = row / SYSCALL_NUMBERS;

			if (strpbrk(syscall_classes(abi, row % SYSCALL_NUMBERS),
				    classes[i].letters))
				number_add(c, abi, row % SYSCALL_NUMBERS);
		}
		return true;
	}
	return false;
}

/* Matches all names; a pattern without a matching call is an error, like an unknown name. */
static bool regex_add(struct calls *c, const char *text, size_t len)
{
	char *pattern = strndup(text, len);
	bool found = false;
	regex_t regex;

	if (!pattern || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB)) {
		free(pattern);
		return false;
	}
	for (uint32_t row = 0; row < SYSCALL_ROWS; row++) {
		const char *name = syscall_name(row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS);

		if (!name || regexec(&regex, name, 0, NULL, 0))
			continue;
		number_add(c, row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS);
		found = true;
	}
	regfree(&regex);
	free(pattern);
	return found;
}

/* Cuts @64 or @32 off a word. Calls of @x32 are not supported. */
static size_t abi_read(struct calls *c, const char *word, size_t len)
{
	static const struct word_bit abis[] = { { "@64", 1 << SYSCALL_ABI_64 },
						{ "@32", 1 << SYSCALL_ABI_32 },
						{ "@x32", 0 } };

	c->abis = ~0u;
	for (size_t i = 0; i < COUNT(abis); i++) {
		size_t n = strlen(abis[i].word);

		if (len <= n || memcmp(word + len - n, abis[i].word, n))
			continue;
		c->abis = abis[i].bit;
		return len - n;
	}
	return len;
}

/* ?NAME is allowed even if the call is unknown: another processor may have it. */
static bool call_word_add(struct calls *c, const char *word, size_t len)
{
	bool any = *word == '?';

	for (; *word == '?'; word++)
		len--;
	len = abi_read(c, word, len);
	if (*word == '%')
		return class_add(c, word + 1, len - 1, COUNT(classes)) || any;
	if (*word == '/')
		return regex_add(c, word + 1, len - 1) || any;
	if (select_is_word(word, len, "all")) {
		for (uint32_t row = 0; row < SYSCALL_ROWS; row++)
			number_add(c, row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS);
		return true;
	}
	/* ipc and signal are also calls of 32-bit programs */
	return class_add(c, word, len, OLD_CLASSES) || name_add(c, word, len) ||
	       number_word_add(c, word, len) || any;
}

static void offer(void *nearest, const char *name)
{
	suggest_offer(nearest, name);
}

static void classes_offer(struct suggestion *nearest)
{
	for (size_t i = 0; i < COUNT(classes); i++)
		suggest_offer(nearest, classes[i].name);
}

static int fail_call(const char *word, size_t len)
{
	struct suggestion nearest;
	size_t skip = strspn(word, "?");
	char *copy = strndup(word + skip, len - skip);

	if (!copy)
		return -ENOMEM;
	select_fail(word, len,
		    *copy == '/' ? "no system call matches this pattern" :
				   "there is no such system call or class");
	suggest_init(&nearest, copy + (*copy == '%'));
	classes_offer(&nearest);
	if (*copy != '%')
		syscall_names(offer, &nearest);
	suggest_hint(&nearest, &(struct suggest_words){ .before = *copy == '%' ? "%" : NULL });
	free(copy);
	return -EINVAL;
}

void select_turn(struct syscall_set *set)
{
	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++)
		for (size_t i = 0; i < COUNT(set->bits[abi]); i++)
			set->bits[abi][i] = ~set->bits[abi][i];
}

int select_calls_read(const char *text, struct syscall_set *set)
{
	bool negated = select_negation_skip(&text);
	struct calls c = { .set = set };
	const char *word;
	size_t len;

	memset(set, 0, sizeof(*set));
	if (!*text)
		return select_fail(text, 0, "expected names of system calls, or none");
	while ((word = select_word_next(&text, &len)))
		if (!select_is_word(word, len, "none") && !call_word_add(&c, word, len))
			return fail_call(word, len);
	if (negated)
		select_turn(set);
	return 0;
}

static void word_write(void *c, const char *name)
{
	completion_word(c, name, NULL);
}

void select_words(struct completion *c, const char *begin)
{
	char name[16];

	(void)begin;
	completion_list(c);
	for (size_t i = 0; i < COUNT(classes); i++) {
		snprintf(name, sizeof(name), "%%%s", classes[i].name);
		completion_word(c, name, NULL);
	}
	syscall_names(word_write, c);
}
