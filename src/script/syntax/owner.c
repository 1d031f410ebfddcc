/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owner.c - let @x = owned_by(sk): entries that are removed at the end of the object that is their key.
 *
 * Probes in the same language detect the end. They run after the program's own, so that the program still finds the
 * entry when the object ends. They are parsed as imported text located at the declaration.
 *
 * An address is reused only after the function that ends its object. The number of a thread can be reused before the
 * kernel reports the thread's end (sched_process_free). So the next owner of a number also removes the entries that
 * it finds and records its birth; the late end of an older owner then changes nothing.
 */
#include <stdlib.h>

#include "script/syntax/parser.h"
#include "util/buf.h"

#define TASK	  "$t = (struct task_struct *)arg0; "
#define IF_LEADER "if ($t->pid != $t->tgid) { return; } "
#define NUMBER	  "$n = (uint32)$t->pid; "
#define BIRTH	  "@births[$n] = $t->start_time; "
#define IF_OLDER                                                                                   \
	"$born = (uint64)0; if (find(@births, $n, $born) && $born > $t->start_time) { return; } "
#define FORGET "if (delete(@births, $n)) { } "

static const struct owner {
	const char *name, *key_type; /* as printed in errors */
	struct owner_end {
		const char *attach, *begin, *key, *end; /* begin, delete(@x, key), end */
	} ends[6];					/* the last one is empty */
} owners[] = {
	[OWNER_TASK] = { "task",
			 "struct task_struct *",
			 { { "rawtracepoint:sched_process_free", "", "(struct task_struct *)arg0",
			     "" } } },
	[OWNER_TID] = { "tid",
			"a number, as tid is",
			{ { "rawtracepoint:task_newtask", TASK NUMBER, "$n", BIRTH },
			  { "rawtracepoint:sched_process_free", TASK NUMBER IF_OLDER, "$n",
			    FORGET },
			  /* exec in a thread other than the first: it takes over the number of the first */
			  { "rawtracepoint:sched_process_exec",
			    TASK "$n = (uint32)arg1; if ($n == (uint32)$t->pid) { return; } ", "$n",
			    "" } } },
	[OWNER_PID] = { "pid",
			"a number, as pid is",
			{ { "rawtracepoint:task_newtask", TASK IF_LEADER NUMBER, "$n", BIRTH },
			  { "rawtracepoint:sched_process_free", TASK IF_LEADER NUMBER IF_OLDER,
			    "$n", FORGET } } },
	[OWNER_SK] = { "sk",
		       "struct sock *",
		       { { "kprobe:bpf_sk_storage_free|security_sk_free|sk_destruct", "",
			   "(struct sock *)arg0", "" } } },
	/* Every way to free a packet passes the first, which calls its destructor, and one of the next two; where programs are
	 * preempted, calls of the first may be missed. GRO frees only what is around a packet's data by the fourth, and makes a
	 * packet a new one by the fifth. */
	[OWNER_SKB] = { "skb",
			"struct sk_buff *",
			{ { "fexit:skb_release_head_state|__kfree_skb", "",
			    "(struct sk_buff *)arg0", "" },
			  { "kprobe:kfree_skbmem|__kfree_skb", "", "(struct sk_buff *)arg0", "" },
			  { "kprobe:napi_skb_cache_put|_kfree_skb_defer|__kfree_skb", "",
			    "(struct sk_buff *)arg0", "" },
			  { "kprobe:napi_skb_free_stolen_head|__kfree_skb", "",
			    "(struct sk_buff *)arg0", "" },
			  { "kprobe:napi_reuse_skb|__kfree_skb", "", "(struct sk_buff *)arg1",
			    "" } } },
	[OWNER_INODE] = { "inode",
			  "struct inode *",
			  { { "kprobe:security_inode_free|__destroy_inode", "",
			      "(struct inode *)arg0", "" } } },
};
enum { OWNERS = sizeof(owners) / sizeof(owners[0]) };

const char *script_owner_name(enum script_owner owner)
{
	return owners[owner].name;
}

const char *script_owner_key(enum script_owner owner)
{
	return owners[owner].key_type;
}

/* ---- the declaration ---- */

static enum script_owner owner_find(const char *name)
{
	for (size_t i = OWNER_NONE + 1; i < OWNERS; i++)
		if (!strcmp(owners[i].name, name))
			return i;
	return OWNER_NONE;
}

bool syn_owner(struct parser *p, struct script_map *m)
{
	struct span span = p->in.t.span;
	const char *name = syn_name(p, "the owner");

	if (!name)
		return false;
	m->owner = owner_find(name);
	if (m->owner)
		return true;
	syn_fail(p, span, "unknown owner '%s'", name);
	script_hint(p->c, "the owners are task, tid, pid, sk, skb and inode");
	return false;
}

/* ---- the probes that see the end ---- */

/* The text has digits in its names, so that they cannot clash with the program's. */
struct naming {
	struct parser *p;
	const char *births;
};

static void names_set(struct script_expr *e, void *ctx)
{
	const struct naming *n = ctx;

	if (e->kind != X_MAP)
		return;
	if (strcmp(e->name, "births"))
		e->name = n->p->c->s->maps[strtoul(e->name + 1, NULL, 10)]->name;
	else
		e->name = n->births;
}

static const char *end_text(struct parser *p, enum script_owner owner, const struct owner_end *end)
{
	const struct script *s = p->c->s;
	struct buf o;
	char *text;

	buf_init(&o, -1);
	buf_printf(&o, "%s { %s", end->attach, end->begin);
	for (size_t i = 0; i < s->map_count; i++)
		if (s->maps[i]->owner == owner)
			buf_printf(&o, "if (delete(@m%zu, %s)) { } ", i, end->key);
	buf_printf(&o, "%s}", end->end);
	text = syn_copy(p, o.data ?: "", o.len);
	if (o.error)
		p->c->err = -ENOMEM;
	buf_free(&o);
	return text;
}

static void end_parse(struct parser *p, enum script_owner owner, const struct owner_end *end,
		      struct span span)
{
	struct parse_source source = { .name = "owned_by", .span = span };
	struct parse_place place = syn_mark(p);
	struct naming names = { p, script_print(p->c, "births %s", owners[owner].name) };

	source.text = end_text(p, owner, end);
	if (p->c->err)
		return;
	source.end = source.text + strlen(source.text);
	p->in = (struct parse_place){ .source = &source, .at = source.text };
	syn_advance(p);
	syn_probe(p);
	syn_return(p, &place);
	if (p->c->err)
		return;
	p->probes[p->probe_count - 1].ends_owner = true;
	script_walk_stmts(p->probes[p->probe_count - 1].body, names_set, &names);
}

/* Declares the map of births by number. A number that was dropped from it was born long ago. */
static void births_declare(struct parser *p, enum script_owner owner, struct span span)
{
	enum { BIRTHS = 16384 };
	struct script_map *m;

	if (owner != OWNER_TID && owner != OWNER_PID)
		return;
	m = syn_map_add(p, script_print(p->c, "births %s", owners[owner].name), span);
	if (!m)
		return;
	m->storage = SCRIPT_LRU_HASH;
	m->entries = BIRTHS;
	m->is_hidden = true;
}

void owners_end(struct parser *p)
{
	const struct script *s = p->c->s;
	size_t declared = s->map_count;

	for (size_t owner = OWNER_NONE + 1; owner < OWNERS; owner++) {
		const struct owner_end *end = owners[owner].ends;
		struct script_map *first = NULL;

		for (size_t i = declared; i-- > 0;)
			if (s->maps[i]->owner == owner)
				first = s->maps[i];
		if (!first || p->c->err)
			continue;
		births_declare(p, owner, first->owner_span);
		for (; end->attach && !p->c->err; end++)
			end_parse(p, owner, end, first->owner_span);
	}
}
