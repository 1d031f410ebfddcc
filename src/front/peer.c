/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer.c - converts command lines of other tools that do the job of argdump, or of bps. A table maps the letters; a
 * function of each tool maps the arguments.
 */
#include "front/peer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "front/peer_probe.h"
#include "run/session.h"
#include "util/buf.h"
#include "util/escape.h"
#include "util/log.h"

/* ---- the tools ---- */

/* WORDS: {} stands for the value; "": no effect here; NOTE: printed in that case. */
struct peer_letter {
	char letter;
	const char *name;
	bool takes_value;
	const char *words, *note;
};

static const char force[] = "there is no warning to override: what cannot be traced is refused";

static const struct peer_letter probe_letters[] = {
	{ 'F', NULL, false, "", force },
	{ 'H', NULL, false, "", "the header is always printed" },
	{ 'L', NULL, true, "--tid {}", NULL },
	{ 's', NULL, false, "-k", NULL },
	{ 'v', NULL, false, "--dry-run", NULL },
	{ 0 },
};

static const struct peer_letter user_letters[] = {
	{ 'F', NULL, false, "", force },
	{ 'H', NULL, false, "", "the header is always printed" },
	{ 'L', NULL, true, "--tid {}", NULL },
	{ 'l', NULL, true, "--list u:{}:*", NULL },
	{ 's', NULL, false, "-U", NULL },
	{ 'v', NULL, false, "--dry-run", NULL },
	{ 0 },
};

static const struct peer_letter tracepoint_letters[] = {
	{ 'H', NULL, false, "", "the header is always printed" },
	{ 'L', NULL, true, "--tid {}", NULL },
	{ 'l', NULL, false, "--list t:*", NULL },
	{ 's', NULL, false, "-k", NULL },
	{ 'v', NULL, false, "--dry-run", NULL },
	{ 0 },
};

static const struct peer_letter hist_letters[] = {
	{ 'b', NULL, true, "",
	  "the buckets are powers of two; use --lhist for ranges of equal size" },
	{ 'f', NULL, true, "--if {}", NULL },
	{ 'm', NULL, true, "", "all values are printed" },
	{ 'P', NULL, true, "", "the buckets are powers of two" },
	{ 0 },
};

static const struct peer_letter list_letters[] = { { 0 } };

static const struct peer_letter bpflist_letters[] = {
	{ 'v', "verbosity", false, "--probes", NULL },
	{ 0 },
};

static const struct peer {
	const char *name, *usage, *what;
	const struct peer_letter *letters;
	int (*words)(struct peer_line *l); /* returns 0, or like peer_translate */
	const char *tool;		   /* that does the job; NULL: argdump */
} peers[] = {
	{ "kprobe", "[-sv] [-d SEC] [-p PID] [-L TID] DEFINITION [FILTER]",
	  "prints calls of a kernel function: p:do_sys_open, 'p:NAME FUNC ARG=%di', 'r:NAME FUNC $retval'",
	  probe_letters, peer_kprobe },
	{ "uprobe", "[-sv] [-d SEC] [-p PID] [-L TID] [-l FILE] DEFINITION [FILTER]",
	  "prints calls of a function of a program: p:bash:readline, 'r:NAME /bin/bash:readline +0($retval):string'",
	  user_letters, peer_uprobe },
	{ "tpoint", "[-lsv] [-d SEC] [-p PID] [-L TID] GROUP:NAME [FILTER]",
	  "prints events of a tracepoint", tracepoint_letters, peer_tpoint },
	{ "perf-stat-hist", "GROUP:NAME VARIABLE [SEC]", "a histogram of a tracepoint's variable",
	  hist_letters, peer_stat_hist },
	{ "tplist", "[-v] [-p PID -l LIBRARY] [FILTER]",
	  "lists tracepoints, and static probes of a program or library", list_letters,
	  peer_tplist },
	{ "uthreads", "[-l LANGUAGE] PID",
	  "threads that a process creates, and those of Java as they begin and end", list_letters,
	  peer_uthreads },
	{ "bpflist", "[-v[v]]",
	  "counts what each process holds of BPF: programs, maps, links; -v also kprobes and uprobes, -vv also prints them",
	  bpflist_letters, peer_bpflist, "bps" },
	{ "perf", "probe [-x FILE] [--add] FUNC[+OFFSET|%return] [ARG…]",
	  "prints calls of a function, until Ctrl-C: FUNC, FUNC%return $retval, %sdt_PROVIDER:NAME",
	  list_letters, peer_perf },
};

static const struct peer *peer_find(const char *name)
{
	for (size_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++)
		if (!strcmp(peers[i].name, name))
			return &peers[i];
	return NULL;
}

static const char *tool_of(const struct peer *p)
{
	return p->tool ?: "argdump";
}

bool peer_is(const char *name)
{
	return peer_find(name);
}

/* ---- words ---- */

static void row_add(struct peer_line *l, const struct peer_letter *row, const char *value)
{
	const char *at = row->words;

	if (row->note)
		log_note("-%c: %s", row->letter, row->note);
	while (*at) {
		size_t len = strcspn(at, " "), hole = strcspn(at, "{");

		if (hole < len)
			peer_add(l, "%.*s%s%.*s", (int)hole, at, value, (int)(len - hole - 2),
				 at + hole + 2);
		else
			peer_add(l, "%.*s", (int)len, at);
		at += len + strspn(at + len, " ");
	}
}

static int no_value(const char *option)
{
	log_error("a value is missing after %s", option);
	return -1 - EXIT_USAGE;
}

/* Returns the value of an option: the rest of its word, or the next word. NULL: missing. */
static const char *value_of(struct peer_line *l, const char *rest)
{
	if (*rest)
		return rest;
	return l->at + 1 < l->argc ? l->argv[++l->at] : NULL;
}

static const struct peer_letter *row_find(const struct peer *p, char letter)
{
	for (const struct peer_letter *row = p->letters; row->words; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

static bool takes_value(const struct option_spec *s)
{
	return s && s->arg && s->type != OPTION_TIME && !s->may_be_bare && !s->bare;
}

/* -xyzVALUE */
static int letters_read(const struct peer *p, struct peer_line *l)
{
	for (const char *at = l->argv[l->at] + 1; *at; at++) {
		char name[] = { '-', *at, 0 };
		const struct peer_letter *row = row_find(p, *at);
		const struct option_spec *s = option_find(applet_find(tool_of(p)), name);
		bool has_value = row ? row->takes_value : takes_value(s);
		const char *value = has_value ? value_of(l, at + 1) : NULL;

		if (has_value && !value)
			return no_value(name);
		if (row)
			row_add(l, row, value);
		else
			peer_add(l, "%s%s", name, value ?: "");
		if (value)
			break;
	}
	return 0;
}

static const struct peer_letter *row_named(const struct peer *p, const char *name)
{
	for (const struct peer_letter *row = p->letters; row->words; row++)
		if (row->name && !strcmp(row->name, name))
			return row;
	return NULL;
}

/* Other long options are those of the tool that does the job. */
static int name_read(const struct peer *p, struct peer_line *l)
{
	const char *word = l->argv[l->at];
	const struct peer_letter *row = row_named(p, word + 2);
	const struct option_spec *s = option_find(applet_find(tool_of(p)), word + 2);

	if (row) {
		row_add(l, row, NULL);
		return 0;
	}
	peer_add(l, "%s", word);
	if (!takes_value(s))
		return 0;
	if (l->at + 1 == l->argc)
		return no_value(word);
	peer_add(l, "%s", l->argv[++l->at]);
	return 0;
}

static int words_read(const struct peer *p, struct peer_line *l)
{
	int err = 0;

	for (l->at = 1; l->at < l->argc && !err; l->at++) {
		const char *word = l->argv[l->at];

		if (*word != '-' || !word[1]) {
			l->args[l->arg_count++] = word;
		} else if (l->option && (err = l->option(l)) > 0) {
			err = 0;
		} else if (!err) {
			err = word[1] == '-' ? name_read(p, l) : letters_read(p, l);
		}
	}
	return err;
}

static void line_show(const struct peer_line *l)
{
	struct buf o;

	buf_init(&o, -1);
	escape_write_shell_line(&o, l->words + 1);
	buf_char(&o, 0);
	if (!o.error)
		log_note("%s%s", l->words[0], o.data);
	buf_free(&o);
}

static int help(const struct peer *p)
{
	printf("Usage: %s %s\n%c%s.\n\nIt runs %s, and prints the command line: see coretap %s --help\n",
	       p->name, p->usage, toupper((unsigned char)*p->what), p->what + 1, tool_of(p),
	       tool_of(p));
	return -1 - EXIT_FINE;
}

static bool wants_help(const char *const *words, int count)
{
	for (int i = 1; i < count; i++)
		if (!strcmp(words[i], "-h") || !strcmp(words[i], "--help"))
			return true;
	return false;
}

int peer_translate(int argc, char **argv, char ***words)
{
	const struct peer *p = peer_find(argv[0]);
	struct peer_line l = { .argc = argc, .argv = argv };
	int err;

	if (wants_help((const char *const *)argv, argc))
		return help(p);
	l.option = p->words == peer_perf     ? peer_perf_option :
		   p->words == peer_tplist   ? peer_tplist_option :
		   p->words == peer_uthreads ? peer_uthreads_option :
					       NULL;
	l.args = calloc(argc + 1, sizeof(*l.args));
	if (!l.args)
		return -1 - EXIT_FAILED;
	peer_add(&l, "%s", tool_of(p));
	err = words_read(p, &l) ?: p->words(&l);
	free(l.args);
	if (err == PEER_USAGE) {
		log_error("usage: %s %s", p->name, p->usage);
		err = -1 - EXIT_USAGE;
	}
	if (err)
		return err;
	line_show(&l);
	*words = l.words;
	return l.count;
}
