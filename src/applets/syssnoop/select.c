/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * select.c - -e and the long options for the same: selects calls, signals, results and descriptors, and calls that
 * are printed in another way, in strace's notation.
 *
 * Each use of one replaces the previous use, as in strace.
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "applets/syssnoop/select.h"
#include "output/field/flag_names.h"
#include "util/buf.h"
#include "util/log.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- sets of words and of descriptors ---- */

/* Reads words of a table, up to NULL, as bits. */
static int bits_read(const char *text, const struct word_bit *words, unsigned *bits)
{
	bool negated = select_negation_skip(&text);
	unsigned all = 0, found = 0;
	struct buf known;
	const char *word;
	size_t len, i;
	int err = 0;

	for (i = 0; words[i].word; i++)
		all |= words[i].bit;
	while (!err && (word = select_word_next(&text, &len))) {
		if (select_is_word(word, len, "all") || select_is_word(word, len, "none")) {
			found |= select_is_word(word, len, "all") ? all : 0;
			continue;
		}
		for (i = 0; words[i].word && !select_is_word(word, len, words[i].word); i++)
			;
		if (words[i].word) {
			found |= words[i].bit;
			continue;
		}
		buf_init(&known, -1);
		buf_str(&known, "the words are all, none");
		for (i = 0; words[i].word; i++)
			buf_printf(&known, ", %s", words[i].word);
		buf_char(&known, 0);
		err = select_fail(word, len, known.error ? "unknown word" : known.data);
		buf_free(&known);
	}
	*bits = negated ? all & ~found : found;
	return err;
}

static int fail_fd(const char *word, size_t len)
{
	char what[128];

	snprintf(what, sizeof(what), "'%.*s' is no list of descriptors below %d: 3,4 or !0,1,2",
		 len < 32 ? (int)len : 32, word, SYSSNOOP_FDS);
	return select_fail(word, len, what);
}

/* Reads 3,4 or !0,1,2. */
static int fds_read(const char *text, struct chosen_fds *fds)
{
	bool negated = select_negation_skip(&text);
	const char *word;
	unsigned long fd;
	size_t len;
	char *end;

	*fds = (struct chosen_fds){ .any = true };
	if (!*text)
		return fail_fd(text, 0);
	while ((word = select_word_next(&text, &len))) {
		if (select_is_word(word, len, "all") || select_is_word(word, len, "none")) {
			negated ^= select_is_word(word, len, "all");
			continue;
		}
		fd = strtoul(word, &end, 10);
		if (!isdigit((unsigned char)*word) || end != word + len || fd >= SYSSNOOP_FDS)
			return fail_fd(word, len);
		fds->set.bits[fd / 64] |= 1ull << fd % 64;
	}
	for (size_t i = 0; negated && i < COUNT(fds->set.bits); i++)
		fds->set.bits[i] = ~fds->set.bits[i];
	fds->set.higher = negated;
	return 0;
}

static int chosen_fds_read(const char *text, struct selection *s)
{
	return fds_read(text, &s->has.fds);
}

static int reads_read(const char *text, struct selection *s)
{
	return fds_read(text, &s->reads);
}

static int writes_read(const char *text, struct selection *s)
{
	return fds_read(text, &s->writes);
}

/* ---- sets of calls ---- */

static bool is_complete(const struct syscall_set *set)
{
	for (unsigned abi = 0; abi < SYSCALL_ABIS; abi++)
		for (size_t i = 0; i < COUNT(set->bits[abi]); i++)
			if (~set->bits[abi][i])
				return false;
	return true;
}

/* Includes calls that have no number here: as without -e. */
static int trace_read(const char *text, struct selection *s)
{
	int err = select_calls_read(text, &s->wanted);

	if (!strcmp(text, "all"))
		memset(&s->wanted, 0xff, sizeof(s->wanted));
	s->all = is_complete(&s->wanted);
	return err;
}

static int raw_read(const char *text, struct selection *s)
{
	return select_calls_read(text, &s->raw);
}

static int abbrev_read(const char *text, struct selection *s)
{
	int err = select_calls_read(text, &s->full);

	select_turn(&s->full);
	return err;
}

static int verbose_read(const char *text, struct selection *s)
{
	int err = select_calls_read(text, &s->flat);

	select_turn(&s->flat);
	return err;
}

/* ---- signals, results, messages, presentation of numbers ---- */

enum { FIRST_REAL_TIME = 32 }; /* the kernel's number */

static int signal_number(const char *word, size_t len)
{
	const char *name;
	char *end;
	unsigned long nr = strtoul(word, &end, 10);

	if (isdigit((unsigned char)*word))
		return end == word + len && nr < NSIG ? (int)nr : 0;
	if (len > 3 && !strncasecmp(word, "SIG", 3)) {
		word += 3;
		len -= 3;
	}
	for (const struct field_name *f = flags_signal; f->name; f++)
		if (strlen(f->name) == len + 3 && !strncasecmp(word, f->name + 3, len))
			return (int)f->value;
	for (int i = 1; i < NSIG; i++) {
		name = sigabbrev_np(i);
		if (name && strlen(name) == len && !strncasecmp(word, name, len))
			return i;
	}
	if (len == 5 && !strncasecmp(word, "RTMIN", len))
		return FIRST_REAL_TIME;
	if (len < 4 || strncasecmp(word, "RT_", 3))
		return 0;
	nr = strtoul(word + 3, &end, 10);
	return end == word + len && nr < NSIG - FIRST_REAL_TIME ? FIRST_REAL_TIME + (int)nr : 0;
}

static int signals_read(const char *text, struct selection *s)
{
	bool negated = select_negation_skip(&text);
	uint64_t bits = 0;
	const char *word;
	size_t len;
	int nr;

	while ((word = select_word_next(&text, &len))) {
		if (select_is_word(word, len, "all") || select_is_word(word, len, "none")) {
			bits |= select_is_word(word, len, "all") ? ~0ull : 0;
			continue;
		}
		nr = signal_number(word, len);
		if (!nr)
			return select_fail(word, len, "unknown signal");
		bits |= 1ull << (nr - 1);
	}
	s->signals = negated ? ~bits : bits;
	return 0;
}

static int status_read(const char *text, struct selection *s)
{
	static const struct word_bit words[] = {
		{ "successful", STATUS_SUCCESSFUL }, { "failed", STATUS_FAILED },
		{ "unfinished", STATUS_UNFINISHED }, { "unavailable", STATUS_UNAVAILABLE },
		{ "detached", STATUS_DETACHED },     { 0 },
	};

	return bits_read(text, words, &s->statuses);
}

static int quiet_read(const char *text, struct selection *s)
{
	static const struct word_bit words[] = {
		{ "attach", QUIET_ATTACH },
		{ "exit", QUIET_EXIT },
		{ "exits", QUIET_EXIT },
		{ "path-resolution", QUIET_PATHS },
		{ "path-resolve", QUIET_PATHS },
		{ "personality", QUIET_PERSONALITY },
		{ "thread-execve", QUIET_EXECVE },
		{ "superseded", QUIET_EXECVE },
		{ 0 },
	};

	return bits_read(text, words, &s->quiet);
}

static int decode_fds_read(const char *text, struct selection *s)
{
	static const struct word_bit words[] = {
		{ "path", SYSCALL_FD_PATH },
		{ "socket", SYSCALL_FD_SOCKET },
		{ "dev", SYSCALL_FD_DEV },
		{ "eventfd", SYSCALL_FD_EVENTFD },
		{ "pidfd", SYSCALL_FD_PIDFD },
		{ "signalfd", SYSCALL_FD_SIGNALFD },
		{ 0 },
	};

	return bits_read(text, words, &s->fd_parts);
}

static int decode_pids_read(const char *text, struct selection *s)
{
	static const struct word_bit words[] = { { "comm", PIDS_COMM },
						 { "pidns", PIDS_NAMESPACE },
						 { 0 } };

	return bits_read(text, words, &s->pid_parts);
}

/* ---- -e ---- */

/* Refuses words that need ptrace(2), or have another meaning here. */
static int refused(const char *name, size_t len)
{
	static const struct {
		const char *word, *hint;
	} words[] = {
		{ "inject", "calls are watched, not changed" },
		{ "fault", "calls are watched, not changed" },
		{ "kvm", "argdump t:kvm:kvm_exit shows exits of virtual processors" },
		{ "namespace", "-y shows the files of namespaces that setns gets" },
		{ "secontext", "contexts of files and processes are shown by ls -Z and ps -Z" },
	};

	for (size_t i = 0; i < COUNT(words); i++) {
		if (!select_is_word(name, len, words[i].word))
			continue;
		log_error("-e: there is no %s", words[i].word);
		log_hint("%s", words[i].hint);
		return -EINVAL;
	}
	return 0;
}

typedef int read_fn(const char *text, struct selection *s);

/* Returns NULL if the word is unknown. */
static read_fn *reader_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		read_fn *read;
	} kinds[] = {
		{ "trace", trace_read },
		{ "t", trace_read },
		{ "signal", signals_read },
		{ "signals", signals_read },
		{ "s", signals_read },
		{ "status", status_read },
		{ "quiet", quiet_read },
		{ "silent", quiet_read },
		{ "silence", quiet_read },
		{ "q", quiet_read },
		{ "fds", chosen_fds_read },
		{ "fd", chosen_fds_read },
		{ "trace-fds", chosen_fds_read },
		{ "trace-fd", chosen_fds_read },
		{ "raw", raw_read },
		{ "x", raw_read },
		{ "abbrev", abbrev_read },
		{ "a", abbrev_read },
		{ "verbose", verbose_read },
		{ "v", verbose_read },
		{ "read", reads_read },
		{ "reads", reads_read },
		{ "r", reads_read },
		{ "write", writes_read },
		{ "writes", writes_read },
		{ "w", writes_read },
		{ "decode-fds", decode_fds_read },
		{ "decode-fd", decode_fds_read },
		{ "decode-pids", decode_pids_read },
		{ "decode-pid", decode_pids_read },
	};

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (select_is_word(name, len, kinds[i].name))
			return kinds[i].read;
	return NULL;
}

static int expression_read(const char *text, struct selection *s)
{
	size_t len = strcspn(text, "=,/");
	read_fn *read = text[len] == '=' ? reader_of(text, len) : trace_read;

	select_typed = text;
	if (text[len] == '=' && refused(text, len))
		return -EINVAL;
	if (!read)
		return select_fail(
			text, len,
			"expected names of system calls, or trace=, signal=, status= or quiet= …");
	return read(text[len] == '=' ? text + len + 1 : text, s);
}

int select_read(const struct option_list *list, struct selection *s)
{
	int err = 0;

	for (size_t i = 0; i < list->count && !err; i++) {
		const char *name = list->items[i].spec->name;
		read_fn *read = reader_of(name, strlen(name));

		select_typed = list->items[i].text;
		select_option = read ? name : NULL;
		err = read ? read(select_typed, s) : expression_read(select_typed, s);
	}
	return err;
}
