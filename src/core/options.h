/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - option tables: the common options once, an applet's own beside them, both through
 * argp.
 *
 * An option is a row: its name, letter, argument, how the argument is read and where the value
 * goes. One letter means one thing in the whole suite.
 */
#ifndef CORETAP_OPTIONS_H
#define CORETAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/schema.h"

struct applet;
struct session;

/* How an argument is read, and the type behind option_spec.value. */
enum option_type {
	OPTION_FLAG,	 /* bool, set to true */
	OPTION_COUNT,	 /* int, one more each time */
	OPTION_UINT,	 /* uint32_t, decimal, not 0 */
	OPTION_ID,	 /* struct option_id: 0 is a value too */
	OPTION_USER,	 /* struct option_id: a number, or a name of /etc/passwd */
	OPTION_COMM,	 /* const char *, 1 to 15 bytes */
	OPTION_STRING,	 /* const char * of argv */
	OPTION_SECONDS,	 /* uint64_t ns: 5, 0.5, 2m, 1h */
	OPTION_SIZE,	 /* uint64_t bytes: 4096, 512K, 8M */
	OPTION_TIME,	 /* enum timestamp_form; the argument may be left out */
	OPTION_CHOICE,	 /* int: index of the argument in `choices` */
	OPTION_LIST,	 /* struct option_list: each time one more; several options may share it */
};

struct option_id {
	uint32_t id;
	bool set;
};

/* Which applets have an option: an applet names the groups that it has the notion of. */
enum option_group {
	OPTION_GROUP_BASIC = 1 << 0,  /* -q -v: all */
	OPTION_GROUP_TRACE = 1 << 1,  /* -n -d -j -o -T …: whoever reports records */
	OPTION_GROUP_TASK = 1 << 2,   /* -p -t -u -c --cgroup -f -- CMD */
	OPTION_GROUP_FAILED = 1 << 3, /* -x */
	OPTION_GROUP_JSON = 1 << 4,   /* -j alone */
	OPTION_GROUP_BTF = 1 << 5,    /* --btf */
	OPTION_GROUP_EXTENDED = 1 << 6, /* --extended: more columns */
	OPTION_GROUP_STACK = 1 << 7,  /* -k -U --stack-depth --folded */
};

enum { OPTION_LIST_MAX = 32 };
struct option_list {
	struct option_item {
		const struct option_spec *spec;
		const char *text; /* of argv; NULL: an option without an argument */
	} items[OPTION_LIST_MAX];
	size_t count;
};

struct option_spec {
	const char *name; /* long name */
	char letter;	  /* 0: none */
	enum option_type type;
	const char *arg; /* name of the argument in the help */
	const char *help;
	void *value;	 /* where it goes, for an applet's own options */
	size_t offset;	 /* where it goes in struct options, for the common ones */
	unsigned group;	 /* common ones: enum option_group */
	const char *const *choices; /* OPTION_CHOICE, ended by NULL */
	bool is_saved;	 /* belongs to what argdump --save writes */
};

/* The values of the common options. */
struct options {
	uint32_t pid, tid;
	struct option_id uid;
	const char *comm;
	const char *cgroup;
	bool follow;
	bool failed_only;
	bool extended;
	bool kernel_stack, user_stack;
	uint32_t stack_depth; /* frames, 0: the default */
	bool folded;
	uint32_t events; /* 0: no limit */
	uint64_t duration_ns;
	bool json;
	const char *output;
	enum timestamp_form timestamp;
	bool quiet;
	int verbose;
	const char *btf;
	uint64_t buffer;
	bool dry_run;
	int rung; /* enum probe_rung */
	char **command; /* after --, or NULL */
};

extern const struct option_spec options_common[];

/*
 * Reads the command line of an applet. Positional arguments go to `args` (an array that the
 * caller frees; the strings are argv's). Exits with EXIT_USAGE on a wrong line and with 0 after
 * --help and --version, as argp does. `letter_taken` is checked in the unit tests.
 */
void options_parse(const struct applet *applet, int argc, char **argv, struct options *options,
		   char ***args, int *arg_count);

/* One argument by its type; *value is of that type. Returns NULL, or what is wrong with it. */
const char *option_read(const struct option_spec *spec, const char *arg, void *value);

#endif
