/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt.h - what the files that read bpftrace's programs share. Private to notation/.
 *
 *	bt_parse.c	the program → clauses: probes, filter, actions; bt_statement.c ifs and loops,
 *			bt_statement.c functions
 *	bt_probe.c	a probe → PROBE, and what its names mean
 *	bt_pair.c	what one clause keeps for another → -r or --until
 *	bt_values.c	the actions of a clause → values, counts, conditions
 *	bt_begin.c, bt_report.c  BEGIN, interval and END; bt_statement.c exit()
 *	bt.c		the clauses → words
 */
#ifndef CORETAP_FRONT_NOTATION_BT_H
#define CORETAP_FRONT_NOTATION_BT_H

#include "front/notation/notation.h"

enum { BT_CLAUSES_MAX = 16, BT_PROBES_MAX = 16 };

enum bt_kind {
	BT_KPROBE,
	BT_KRETPROBE,
	BT_FENTRY,
	BT_FEXIT,
	BT_TRACEPOINT,
	BT_RAW,
	BT_ENTER, /* of a system call */
	BT_EXIT,
	BT_UPROBE,
	BT_URETPROBE,
	BT_USDT,
	BT_SAMPLE, /* profile, software, hardware */
	BT_INTERVAL,
	BT_BEGIN,
	BT_ENDING, /* END */
};

struct bt_probe {
	enum bt_kind kind;
	const char *prefix; /* "t:", "u:" … */
	const char *place;  /* a user function's file; NULL: none */
	const char *name;   /* what follows the prefix and the place */
	const char *text;   /* as it is called there, with its kind in full */
	const char *period; /* of BT_INTERVAL, as --interval and -d take it */
	size_t start, end;
};

enum bt_do {
	BT_PRINTF,  /* value: the format, then the values */
	BT_VALUES,  /* value: what print() shows */
	BT_JOIN,    /* value: the array, and the text between its words */
	BT_MEASURE, /* target = what(value) */
	BT_KEEP,    /* target = value */
	BT_DELETE,  /* target */
	BT_REPORT,  /* target: print(@x), and the number of rows after it */
	BT_CLEAR,   /* target: clear(@x), zero(@x); in an interval @x = 0 */
	BT_TIME,    /* value: the format; NULL: %H:%M:%S and a newline */
	BT_QUIT,
};

struct bt_action {
	enum bt_do what;
	const char *function; /* count, sum … */
	struct notation_node *target, *value;
	struct notation_node *condition; /* of the ifs around it; NULL: none */
	struct bt_action *next;
	size_t start, end;
};

struct bt_clause {
	struct bt_probe probes[BT_PROBES_MAX];
	size_t probe_count;
	struct notation_node *filter; /* NULL: none */
	struct bt_action *actions;
	struct bt_clause *begin; /* the clause that keeps what this one reads; NULL: none */
	bool is_begin;		 /* of another's pair */
	const struct notation_node *read; /* the first of its maps that this one reads */
	bool is_return;			  /* `begin` is the entry of the same function … */
	bool is_call;			  /* … and -r has all values that are needed */
	bool is_thread;			  /* the two are of one thread */
	bool is_sampled;		  /* BEGIN, with values that only a sample knows */
	size_t start, end;
};

struct bt {
	struct notation *n;
	struct bt_clause clauses[BT_CLAUSES_MAX];
	size_t clause_count, requests;
	bool count_all; /* --count comes before all probes */
	size_t end_at; /* the word --stop-if of the last probe, if it ends with its first event; 0: it does not */
	bool has_interval, has_top;
};

/* The surroundings of a statement. */
struct bt_block {
	struct bt *b;
	struct bt_clause *clause;
	struct notation_node *condition; /* of all ifs around */
	unsigned ifs;
	bool is_skipped;	       /* read, but never done */
	bool *is_left;		       /* set by break, of the loop around; NULL: there is none */
	struct notation_node *outside; /* the condition around that loop */
};

void bt_parse(struct bt *b);
void bt_statement_parse(struct bt_block *k);
/* A function at whose name the reader is: printf(…) … */
void bt_call_parse(struct bt_block *k);
/* Adds an action at the end of the clause; NULL: failed. */
struct bt_action *bt_action_add(struct bt_block *k, enum bt_do what, size_t start);
/* if, while or unroll, break: at the word. */
void bt_if_parse(struct bt_block *k);
void bt_loop_parse(struct bt_block *k, bool is_counted);
void bt_break_parse(struct bt_block *k);
/* Reads one probe in bytes [start, end). */
void bt_probe_read(struct bt *b, struct bt_probe *p, size_t start, size_t end);
/* The PROBEs of a clause, those of a kind in one; returns how many were put into texts. */
size_t bt_probe_texts(struct bt *b, const struct bt_clause *c, bool without_return,
		      const char *texts[BT_PROBES_MAX]);
bool bt_is_user(const struct bt_probe *p);
/* True if the arguments point to user memory. */
bool bt_has_user_args(const struct bt_probe *p);
bool bt_is_return(const struct bt_probe *p);
/* True for a name such as pid, which may also be written pid(). */
bool bt_is_builtin(const char *name);
/* How names are read at a clause; `begin`: that of its pair, or unused. */
void bt_view(struct bt *b, const struct bt_clause *c, struct notation_view *v,
	     struct notation_view *begin);

/* Finds which clauses are pairs. */
void bt_pair(struct bt *b);
/* Fails unless the clause and its begin are one whatever happens. */
void bt_pair_check(struct bt *b, const struct bt_clause *end);
/* The action that keeps this map; NULL: none of the clause. */
const struct bt_action *bt_keep_find(const struct bt_clause *c, const char *map);
/* True if the operand of a condition asks whether the pair has begun. */
bool bt_asks_begin(const struct bt_clause *c, const struct notation_node *node);
/* The value that the clause's begin keeps under this name; NULL: none. */
const struct notation_node *bt_kept(const struct bt_clause *c, const struct notation_node *store);
/* Adds --until and --on after the PROBE of c->begin. */
void bt_pair_words(struct bt *b, const struct bt_clause *c);

/* True if argdump attaches to the clause's probes. */
bool bt_is_event(const struct bt_clause *c);
/* Adds the words of BEGIN; those of interval and END where they print maps. */
void bt_begin(struct bt *b);
void bt_reports(struct bt *b);
/* Fails unless the run can end where the clause says so. */
void bt_exit_check(struct bt *b, const struct bt_clause *c);
/* Adds --stop-if after the actions under one condition. */
void bt_exit_words(struct bt *b, const struct bt_clause *c, const struct notation_node *condition);

/* Adds the actions of a clause under one condition. */
void bt_values(struct bt *b, const struct bt_clause *c, const struct notation_node *condition);
/* Adds --if … of the filter and a condition. */
void bt_conditions(struct bt *b, const struct bt_clause *c, const struct notation_node *condition);
/* A condition as one expression; NULL: it always holds. */
const char *bt_condition_text(struct bt *b, const struct bt_clause *c,
			      const struct notation_node *node);
/* The column that a map is. */
const char *bt_measure_name(struct notation *n, const struct notation_node *map);
void bt_count_add(struct notation *n, const struct notation_node *map);
bool bt_has(const struct bt_clause *c, enum bt_do what);

#endif
