/* SPDX-License-Identifier: GPL-2.0-only */
/* select.c - -e and -P: which calls, signals, results, paths and descriptors are wanted, in the words of strace. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "applets/syssnoop/parts.h"
#include "cli/complete.h"
#include "kernel/capabilities.h"
#include "util/log.h"
#include "util/suggest.h"

/*
 * Calls by what they are about: paths (-P), descriptors (-e fd=).
 *
 * An argument is compared as the program writes it, so a path counts as it was given and as realpath(3)
 * has it. The path of a descriptor is what the kernel's walk makes: names from the last to the first.
 */

#define FORMS 4 /* of a path */

/* Reads 3,4 or !0,1,2. Returns 0, or -EINVAL after printing the error. */
static int chosen_fds_read(const char *text, struct selection *s)
{
	struct chosen *has = &s->has;
	bool negated = *text == '!';
	unsigned long fd;
	char *end;

	has->by_fds = true;
	has->higher_fds = negated;
	memset(has->fds, negated ? 0xff : 0, sizeof(has->fds));
	text += negated;
	do {
		fd = strtoul(text, &end, 10);
		if (end == text || *text < '0' || *text > '9' || (*end && *end != ',') ||
		    fd >= SYSSNOOP_FDS) {
			log_error("-e fd: '%s' is no list of descriptors below %d: 3,4 or !0,1,2",
				  text, SYSSNOOP_FDS);
			return -EINVAL;
		}
		has->fds[fd / 64] &= ~(1ull << fd % 64);
		has->fds[fd / 64] |= (uint64_t)!negated << fd % 64;
		text = end + 1;
	} while (*end);
	return 0;
}

int chosen_paths_check(const struct option_list *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (strlen(paths->items[i].text) < SYSSNOOP_PATH - 16)
			continue;
		log_error("-P '%s': a path has at most %d bytes", paths->items[i].text,
			  SYSSNOOP_PATH - 17);
		return -EINVAL;
	}
	return 0;
}

size_t chosen_forms(const struct option_list *paths)
{
	return paths->count * FORMS;
}

/* Its directory at least must be there. */
static bool absolute_of(const char *path, char *to)
{
	char dir[PATH_MAX], name[PATH_MAX];

	if (own_realpath(path, to))
		return true;
	strcpy(dir, path); /* dirname and basename write into them */
	strcpy(name, path);
	if (!own_realpath(dirname(dir), to) || strlen(to) + strlen(name) + 2 > PATH_MAX)
		return false;
	if (strcmp(to, "/") != 0)
		strcat(to, "/");
	strcat(to, basename(name));
	return true;
}

static int form_write(int map, const char *bytes, size_t len)
{
	struct syssnoop_path form = { 0 };
	uint8_t yes = 1;

	if (len >= sizeof(form)) /* as longer ones are not compared */
		return -ENAMETOOLONG;
	memcpy(form.bytes, bytes, len);
	return bpf_map_update_elem(map, &form, &yes, BPF_ANY) ? -errno : 0;
}

/* /a/b as b NUL a NUL; `tail` follows the first name. */
static int walked_write(int map, const char *path, const char *tail)
{
	char form[2 * PATH_MAX];
	size_t len = 0, name_len;

	for (const char *end = path + strlen(path), *name; end > path; end = name - 1) {
		for (name = end; name > path && name[-1] != '/'; name--)
			;
		name_len = (size_t)(end - name);
		if (!name_len)
			continue;
		memcpy(form + len, name, name_len);
		len += name_len;
		strcpy(form + len, len == name_len ? tail : "");
		len += strlen(form + len) + 1;
	}
	return form_write(map, form, len);
}

static int path_write(const char *path, int map)
{
	char absolute[PATH_MAX];
	int err = form_write(map, path, strlen(path));

	if (err || !absolute_of(path, absolute))
		return err;
	return form_write(map, absolute, strlen(absolute)) ?:
		       walked_write(map, absolute, "")	   ?:
		       walked_write(map, absolute, " (deleted)");
}

int chosen_paths_write(const struct option_list *paths, int map)
{
	int err = 0;

	for (size_t i = 0; i < paths->count && !err; i++)
		err = path_write(paths->items[i].text, map);
	return err;
}

/* ---- -e ---- */

static void set_all(struct selection *s, bool on)
{
	memset(s->wanted, on ? 0xff : 0, sizeof(s->wanted));
}

static void offer(void *nearest, const char *name)
{
	suggest_offer(nearest, name);
}

static int fail_name(const char *name, size_t len)
{
	struct suggestion nearest;
	char *copy = strndup(name, len);

	if (!copy)
		return -ENOMEM;
	log_error("-e '%s': there is no such system call or class", copy);
	suggest_init(&nearest, copy);
	syscall_names(offer, &nearest);
	suggest_hint(&nearest, NULL);
	free(copy);
	return -EINVAL;
}

/* Takes the next of the names that commas separate. */
static const char *word_next(const char **at, size_t *len)
{
	const char *word = *at;

	if (!*word)
		return NULL;
	*len = strcspn(word, ",");
	*at = word + *len + (word[*len] == ',');
	return word;
}

static bool is_word(const char *word, size_t len, const char *what)
{
	return strlen(what) == len && !memcmp(word, what, len);
}

static void number_set(struct selection *s, unsigned abi, uint32_t nr, bool on)
{
	s->wanted[abi][nr / 64] &= ~(1ull << nr % 64);
	s->wanted[abi][nr / 64] |= (uint64_t)on << nr % 64;
}

/* In each ABI that has it. */
static bool name_take(const char *name, size_t len, bool on, struct selection *s)
{
	bool found = false;

	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++) {
		int nr = syscall_number(abi, name, len);

		if (nr < 0 || nr >= SYSCALL_NUMBERS)
			continue;
		number_set(s, abi, (uint32_t)nr, on);
		found = true;
	}
	return found;
}

static const struct {
	const char *name;
	char letter;
} classes[] = {
	{ "desc", 'd' },    { "file", 'f' },	{ "process", 'p' }, { "network", 'n' },
	{ "net", 'n' },	    { "signal", 's' },	{ "ipc", 'i' },	    { "memory", 'm' },
	{ "creds", 'c' },   { "stat", 't' },	{ "lstat", 'l' },   { "fstat", 'y' },
	{ "clock", 'k' },   { "pure", 'u' },	{ "statfs", 'v' },  { "fstatfs", 'w' },
	{ "%stat", 't' },   { "%stat", 'l' },	{ "%stat", 'y' },   { "%stat", 'x' },
	{ "%statfs", 'v' }, { "%statfs", 'w' }, { "%statfs", 'a' },
};

static void letter_set(struct selection *s, char letter, bool on)
{
	for (uint32_t row = 0; row < SYSCALL_ROWS; row++)
		if (strchr(syscall_classes(row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS), letter))
			number_set(s, row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS, on);
}

static bool class_parse(const char *name, size_t len, bool on, struct selection *s)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (is_word(name, len, classes[i].name)) {
			letter_set(s, classes[i].letter, on);
			found = true;
		}
	return found;
}

/* /REGEX: anywhere in a name. */
static bool regex_parse(const char *text, size_t len, bool on, struct selection *s)
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
		number_set(s, row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS, on);
		found = true;
	}
	regfree(&regex);
	free(pattern);
	return found;
}

/* Before there were %classes. */
static bool is_old_class(const char *name, size_t len, bool on, struct selection *s)
{
	static const char *const old[] = { "file", "process", "network", "signal",
					   "ipc",  "desc",    "memory" };

	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++)
		if (is_word(name, len, old[i]))
			return class_parse(name, len, on, s);
	return false;
}

/* ?NAME is no error if the call is unknown: another processor may have it. */
static bool word_parse(const char *word, size_t len, bool on, struct selection *s)
{
	bool any = *word == '?';

	word += any;
	len -= any;
	if (*word == '%')
		return class_parse(word + 1, len - 1, on, s) || any;
	if (*word == '/')
		return regex_parse(word + 1, len - 1, on, s) || any;
	return name_take(word, len, on, s) || is_old_class(word, len, on, s) || any;
}

static int trace_read(const char *text, struct selection *s)
{
	bool negated = *text == '!';
	const char *word;
	size_t len;

	text += negated;
	s->all = false;
	set_all(s, negated);
	while ((word = word_next(&text, &len))) {
		if (is_word(word, len, "all") || is_word(word, len, "none")) {
			set_all(s, negated != is_word(word, len, "all"));
			continue;
		}
		if (!word_parse(word, len, !negated, s))
			return fail_name(word, len);
	}
	return 0;
}

static int signal_number(const char *word, size_t len)
{
	const char *name;

	if (len > 3 && !strncmp(word, "SIG", 3)) {
		word += 3;
		len -= 3;
	}
	for (int i = 1; i < NSIG; i++) {
		name = sigabbrev_np(i);
		if (name && is_word(word, len, name))
			return i;
	}
	return 0;
}

static int signals_read(const char *text, struct selection *s)
{
	bool negated = *text == '!';
	uint64_t bits = 0;
	const char *word;
	size_t len;
	int nr;

	text += negated;
	while ((word = word_next(&text, &len))) {
		if (is_word(word, len, "all")) {
			bits = ~0ull;
			continue;
		}
		nr = signal_number(word, len);
		if (!nr && !is_word(word, len, "none")) {
			log_error("-e signal '%.*s': there is no such signal", (int)len, word);
			return -EINVAL;
		}
		bits |= nr ? 1ull << (nr - 1) : 0;
	}
	s->signals = negated ? ~bits : bits;
	return 0;
}

static int status_read(const char *text, struct selection *s)
{
	const char *word;
	size_t len;

	s->success = s->failure = false;
	while ((word = word_next(&text, &len))) {
		if (is_word(word, len, "successful"))
			s->success = true;
		else if (is_word(word, len, "failed"))
			s->failure = true;
		else {
			log_error("-e status '%.*s': expected successful or failed", (int)len,
				  word);
			return -EINVAL;
		}
	}
	return 0;
}

/* Of strace's messages there are only those about exits here. */
static int quiet_read(const char *text, struct selection *s)
{
	static const char *const others[] = { "attach",	     "path-resolution", "path-resolve",
					      "personality", "thread-execve",	"superseded",
					      "none" };
	const char *word;
	size_t len, i;

	while ((word = word_next(&text, &len))) {
		if (is_word(word, len, "exit") || is_word(word, len, "exits") ||
		    is_word(word, len, "all")) {
			s->no_exits = true;
			continue;
		}
		for (i = 0;
		     i < sizeof(others) / sizeof(others[0]) && !is_word(word, len, others[i]); i++)
			;
		if (i == sizeof(others) / sizeof(others[0])) {
			log_error("-e quiet '%.*s': expected exit or all", (int)len, word);
			return -EINVAL;
		}
	}
	return 0;
}

/* Words of strace that are not for choosing. */
static int refused(const char *text)
{
	static const struct {
		const char *word, *hint;
	} words[] = {
		{ "inject=", "calls are watched, not changed" },
		{ "fault=", "calls are watched, not changed" },
		{ "read=", "each call prints data: -s 4096 more of them" },
		{ "write=", "each call prints data: -s 4096 more of them" },
		{ "verbose=", "-v prints all members of structs" },
		{ "abbrev=", "-v prints all members of structs" },
		{ "decode-fds=", "-y prints paths, -yy also sockets and devices" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i].word);

		if (strncmp(text, words[i].word, len) != 0)
			continue;
		log_error("-e: there is no %.*s", (int)len - 1, text);
		log_hint("%s", words[i].hint);
		return -EINVAL;
	}
	return 0;
}

int select_read(const struct option_list *list, struct selection *s)
{
	static const struct {
		const char *name;
		int (*read)(const char *text, struct selection *s);
	} kinds[] = {
		{ "trace=", trace_read },
		{ "t=", trace_read },
		{ "signal=", signals_read },
		{ "signals=", signals_read },
		{ "s=", signals_read },
		{ "status=", status_read },
		{ "quiet=", quiet_read },
		{ "q=", quiet_read },
		{ "fds=", chosen_fds_read },
		{ "fd=", chosen_fds_read },
		{ "trace-fds=", chosen_fds_read },
		{ "trace-fd=", chosen_fds_read },
		{ "", trace_read },
	};
	int err = 0;

	for (size_t i = 0; i < list->count && !err; i++) {
		const char *text = list->items[i].text;
		size_t k = 0;

		while (strncmp(text, kinds[k].name, strlen(kinds[k].name)))
			k++;
		err = refused(text) ?: kinds[k].read(text + strlen(kinds[k].name), s);
	}
	return err;
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
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (i && !strcmp(classes[i].name, classes[i - 1].name))
			continue;
		snprintf(name, sizeof(name), "%%%s", classes[i].name);
		completion_word(c, name, NULL);
	}
	syscall_names(word_write, c);
}
