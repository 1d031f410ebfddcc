/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_names.c - what names of bpftrace's mean at a probe: built-in ones, args.NAME, @kept[…].
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "front/notation/bt.h"

static const struct {
	const char *there, *here;
} words[] = {
	{ "pid", "$pid" },	 { "tid", "$tid" },	  { "ppid", "$ppid" },
	{ "uid", "$uid" },	 { "gid", "$gid" },	  { "comm", "$comm" },
	{ "cpu", "$cpu" },	 { "cgroup", "$cgroup" }, { "nsecs", "$ts" },
	{ "func", "$func" },	 { "probe", "$func" },	  { "curtask", "$task" },
	{ "kstack", "$kstack" }, { "ustack", "$ustack" }, { "jiffies", "@jiffies" },
	{ "true", "1" },	 { "false", "0" },	  { "caller", "$caller" },
	{ "username", "$uid" },
};

bool bt_is_builtin(const char *name)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].there, name))
			return true;
	return !strcmp(name, "retval") || !strcmp(name, "elapsed");
}

/* `probe`, where it is one: its whole text. */
static const char *probe_whole(struct notation_view *v)
{
	const struct bt_clause *c = v->ctx;

	return c->probe_count == 1 && !strpbrk(c->probes[0].text, "*?[") ?
		       notation_print(v->n, "\"%s\"", c->probes[0].text) :
		       NULL;
}

/* … and else what is before the function, if all are of one kind. */
static const char *probe_begin(struct notation *n, const struct bt_clause *c)
{
	const struct bt_probe *p = &c->probes[0];
	size_t len = strcspn(p->text, ":");

	for (size_t i = 1; i < c->probe_count; i++)
		if (c->probes[i].kind != p->kind || c->probes[i].place != p->place)
			return NULL;
	return p->kind <= BT_FEXIT ? notation_print(n, "%.*s:", (int)len, p->text) : NULL;
}

/* True if the name is about the traced process. */
static bool is_of_task(const char *name)
{
	static const char *const names[] = { "pid",	"tid",	  "ppid",    "uid",
					     "gid",	"comm",	  "cgroup",  "kstack",
					     "curtask", "ustack", "username" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Names there that mean nothing here, and so no parameter either. */
static bool is_unknown(const char *name)
{
	static const char *const names[] = { "rand",  "elapsed",  "numaid",
					     "ncpus", "usermode", "cpid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static const char *name_of(struct notation_view *v, const struct notation_node *node)
{
	const struct bt_clause *c = v->ctx;
	const char *name = node->text;
	unsigned long number;

	if (c->is_sampled && is_of_task(name))
		notation_fail_node(v->n, node, "pid, tid, uid, gid and comm are known",
				   "BEGIN is no process's here: there is no %s", name);
	if (!strcmp(name, "probe") && probe_whole(v))
		return probe_whole(v);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].there, name))
			return words[i].here;
	if (!strncmp(name, "arg", 3) && isdigit((unsigned char)name[3])) {
		number = strtoul(name + 3, NULL, 10);
		return notation_print(v->n, "$arg%lu", number < 100 ? number + 1 : 100);
	}
	if (!strncmp(name, "sarg", 4) && isdigit((unsigned char)name[4]))
		return notation_print(v->n, "*((u64 *)$stack + %lu)",
				      strtoul(name + 4, NULL, 10) % 100 + 1);
	if (!strcmp(name, "retval")) {
		if (!bt_is_return(&c->probes[0]))
			notation_fail_node(v->n, node, "kretprobe, fexit and uretprobe have it",
					   "there is no result at the entry");
		return "$ret";
	}
	if (name[0] == '$')
		notation_fail_node(v->n, node, NULL, "%s has no value yet", name);
	if (!strcmp(name, "elapsed") && v->n->now)
		return notation_print(v->n, "($ts - %" PRIu64 ")", v->n->now);
	if (is_unknown(name))
		notation_fail_node(v->n, node,
				   !strcmp(name, "rand") ? "nsecs % N is as good as random" : NULL,
				   "argdump has no %s here", name);
	return name;
}

static const char *arg_of(struct notation_view *v, const struct notation_node *node,
			  const char *member)
{
	const struct bt_clause *c = v->ctx;
	enum bt_kind kind = c->probes[0].kind;

	if (kind == BT_EXIT)
		return !strcmp(member, "ret") ? "$ret" : member;
	if (kind == BT_UPROBE || kind == BT_URETPROBE || kind == BT_USDT || kind == BT_KPROBE ||
	    kind == BT_KRETPROBE)
		notation_fail_node(v->n, node,
				   kind == BT_KPROBE ? "fentry has names; or arg0, arg1 …" :
						       "arg0, arg1 … are its arguments",
				   "this probe knows no names of arguments");
	return member;
}

const struct bt_action *bt_keep_find(const struct bt_clause *c, const char *map)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == BT_KEEP && !strcmp(a->target->text, map))
			return a;
	return NULL;
}

const struct notation_node *bt_kept(const struct bt_clause *c, const struct notation_node *store)
{
	const struct bt_action *a = c->begin ? bt_keep_find(c->begin, store->text) : NULL;

	return a ? a->value : NULL;
}

static const struct notation_node *store_of(struct notation_view *v,
					    const struct notation_node *node)
{
	return bt_kept(v->ctx, node);
}

void bt_view(struct bt *b, const struct bt_clause *c, struct notation_view *v,
	     struct notation_view *begin)
{
	*v = (struct notation_view){ .n = b->n,
				     .name = name_of,
				     .arg = arg_of,
				     .store = store_of,
				     .is_c = true,
				     .probe = probe_begin(b->n, c),
				     .is_untyped = bt_is_user(&c->probes[0]),
				     .is_user = bt_has_user_args(&c->probes[0]),
				     .ctx = (void *)c };
	if (!c->begin || !begin)
		return;
	bt_view(b, c->begin, begin, NULL);
	v->begin = begin;
	v->is_thread = c->is_thread;
	v->at_end = c->is_call ? "@ret" : "@end";
	v->is_return = c->is_call;
}
