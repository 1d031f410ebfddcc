/* SPDX-License-Identifier: GPL-2.0-only */
/* words.c - funcgraph's command line: selects the functions to print, whose probes go to the model. */
#include "applets/funcgraph/words.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/kernel/callees.h"
#include "symbols/kernel/kcore.h"
#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"
#include "util/escape.h"
#include "util/log.h"
#include "util/glob.h"

/*
 * Limits for the functions that FUNC's code calls: the nearest are printed, of those that can be traced and that
 * tracing itself does not call.
 */

enum {
	MANY = 100,	   /* attached by one link for all of the same prototype … */
	FEW = 40,	   /* … or one by one */
	LEVELS = 3,	   /* further levels are mostly locks, allocators, lists */
	CANDIDATES = 8000, /* not all of them can be traced */
};

/* Functions that programs call while they run: the kernel skips such a call, and counts it as missed. */
static const char *const own[] = {
	"_raw_*",  "__raw_*", "queued_*",   "native_queued_*", "__pv_queued_*", "rt_spin_*",
	"__rcu_*", "rcu_*",   "migrate_*",  "preempt_*",       "bpf_*",		"__bpf_*",
	"htab_*",  "ktime_*", "irq_work_*", "rethook_*",       "fprobe_*",	"ftrace_*",
};

struct choice {
	struct callees found;
	void *by_name;	   /* a tree of struct callee (tsearch) */
	bool *can;	   /* owned: by index */
	size_t by_pointer; /* calls by pointer in FUNC itself */
};

/* ---- functions that can be traced ---- */

static bool is_own(const char *name)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (wildcard_matches(own[i], name))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct callee *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void in_place(void *node)
{
	(void)node;
}

static void can_set(struct choice *c, const char *name, bool can)
{
	const struct callee key = { .name = name };
	struct callee **f = tfind(&key, &c->by_name, by_name);

	if (f)
		c->can[*f - c->found.list] = can && !is_own(name);
}

static int line_can(const struct kernel_list_line *line, void *ctx)
{
	can_set(ctx, line->name, true);
	return 0;
}

static int line_cannot(const struct kernel_list_line *line, void *ctx)
{
	can_set(ctx, line->name, false);
	return 0;
}

static int names_sort(struct choice *c)
{
	c->can = calloc(c->found.count + 1, sizeof(*c->can));
	for (size_t i = 0; i < c->found.count && c->can; i++)
		if (!tsearch(&c->found.list[i], &c->by_name, by_name))
			return -ENOMEM;
	return c->can ? 0 : -ENOMEM;
}

/* Removes those that cannot be traced. */
static int choice_build(struct choice *c)
{
	size_t kept = 0;
	int err = names_sort(c);

	if (err)
		return err;
	err = kernel_list_read(KERNEL_LIST_FTRACE, line_can, c);
	kernel_list_read(KERNEL_LIST_BLACKLIST, line_cannot, c);
	for (size_t i = 0; i < c->found.count; i++)
		if (c->can[i])
			c->found.list[kept++] = c->found.list[i];
	c->found.count = kept;
	return err;
}

static void choice_free(struct choice *c)
{
	tdestroy(c->by_name, in_place);
	callees_free(&c->found);
	free(c->can);
}

/* ---- the set ---- */

static void set_report(const char *func, const struct choice *c, size_t count)
{
	unsigned depth = count ? c->found.list[count - 1].depth : 0;

	if (!count) {
		log_note("the code of %s calls no function that can be traced, except by pointers; "
			 "--funcs PATTERN,... adds some",
			 func);
		return;
	}
	log_note(
		"tracing %s and %s%zu function%s that its code calls, %u level%s down, but not those "
		"called by pointers; --funcs PATTERN,... chooses others, --depth 1 none",
		func, count < c->found.count ? "the nearest " : "", count, count == 1 ? "" : "s",
		depth, depth == 1 ? "" : "s");
}

/* Reports calls through pointers: their targets are unknown, so the output has a gap. */
static void pointers_report(const char *func, size_t count)
{
	if (count)
		log_note(
			"%s calls through a pointer in %s%zu place%s: the functions called there are not "
			"among them; --funcs PATTERN,... adds it",
			func, count == 1 ? "" : "at least ", count, count == 1 ? "" : "s");
}

static size_t pointers_count(const struct kcore *k, const char *func)
{
	enum { TEXT_MAX = 64 << 10 };
	uint64_t address = ksyms_address(func, NULL), size = ksyms_size(address);
	struct function_calls calls = { 0 };
	uint8_t *text = malloc(TEXT_MAX);
	ssize_t n = text ? kcore_read(k, address, text, size < TEXT_MAX ? size : TEXT_MAX) : 0;

	if (n > 0)
		function_calls_read(&calls, text, n, address);
	free(text);
	return calls.by_pointer;
}

static void cannot_report(const char *func, int err)
{
	log_note("tracing %s alone: what it calls cannot be read from the kernel's code: %s; "
		 "--funcs PATTERN,... says what",
		 func, strerror(-err));
}

static int choice_find(struct choice *c, const char *func, unsigned levels)
{
	struct kcore *k = NULL;
	int err = kcore_open("/proc/kcore", &k);

	if (!err)
		err = callees_find(&c->found, k, func, levels ?: LEVELS, CANDIDATES);
	if (!err)
		c->by_pointer = pointers_count(k, func);
	kcore_close(k);
	return err ?: choice_build(c);
}

int graph_set_build(const char *func, unsigned levels, size_t max, struct buf *names)
{
	struct choice c = { 0 };
	int err = choice_find(&c, func, levels);
	size_t count = max ?: ksyms_address("register_fprobe_ips", NULL) ? MANY : FEW;

	if (err && err != -ENOMEM && err != -ESRCH) /* the tracing itself reports the error */
		cannot_report(func, err);
	if (count > c.found.count)
		count = c.found.count;
	for (size_t i = 0; i < count && !err; i++) {
		if (i)
			buf_char(names, ',');
		buf_str(names, c.found.list[i].name);
	}
	if (!err) {
		set_report(func, &c, count);
		pointers_report(func, c.by_pointer);
	}
	choice_free(&c);
	return err == -ENOMEM ? err : 0;
}

/* ---- the command line ---- */

/* A tree has one root, while argdump accepts several functions. */
static void one_refuse(const char *text)
{
	bool is_return = !strchr(text, ':') && !strchr(text, '%') && !strchr(text, '+');
	struct buf words;

	buf_init(&words, -1);
	escape_write_shell(&words, text, strlen(text));
	buf_char(&words, 0);
	log_error("FUNC is the name of one function, not '%s'", text);
	if (!words.error)
		log_hint("each call, without those inside of it: %sargdump %s%s", log_name_before(),
			 is_return ? "-r " : "", words.data);
	if (!words.error && is_return)
		log_hint("as calls inside of one function: %sfuncgraph FUNC --funcs %s",
			 log_name_before(), words.data);
	buf_free(&words);
}

int graph_words_check(int argc, char **argv)
{
	if (argc < 1) {
		log_error("which function? usage: funcgraph FUNC [--funcs PATTERN,...]");
		log_hint("for example: funcgraph vfs_read");
	} else if (argc > 1) {
		log_error("too many arguments: '%s'", argv[1]);
		log_hint("functions besides %s are given by --funcs", argv[0]);
	} else if (argv[0][strcspn(argv[0], "*?[,|:%+ ")]) {
		one_refuse(argv[0]);
	} else {
		return 0;
	}
	return -EINVAL;
}

/* Adds the PROBEs of a list: the returns, then the entries. `in`: trace only calls inside that function; or NULL. */
static int list_add(struct model *m, const char *list, const char *in)
{
	const struct option_spec *spec = option_find(&argdump_applet, "in");
	const char *parts[] = { "%return", "" };
	struct buf o;
	int err = 0;

	for (size_t i = 0; i < 2 && !err; i++) {
		buf_init(&o, -1);
		buf_printf(&o, "%s%s", list, parts[i]);
		buf_char(&o, 0);
		err = o.error ? -ENOMEM : model_probe_add(m, model_typed(o.data));
		if (!err && in && model_option_add(m, spec, model_typed(in)))
			err = -ENOMEM;
		buf_free(&o);
	}
	return err;
}

int graph_probes_given(struct model *m, const char *func, const struct option_list *funcs)
{
	struct buf o;
	int err;

	buf_init(&o, -1);
	buf_str(&o, func);
	for (size_t i = 0; i < funcs->count; i++) {
		buf_char(&o, ',');
		buf_str(&o, funcs->items[i].text);
	}
	buf_char(&o, 0);
	err = o.error ? -ENOMEM : list_add(m, o.data, NULL);
	buf_free(&o);
	return err;
}

int graph_probes_found(struct model *m, const char *func, struct buf *names)
{
	int err = list_add(m, func, NULL);

	if (err || !names->len)
		return err;
	buf_char(names, 0);
	return names->error ? -ENOMEM : list_add(m, names->data, func);
}
