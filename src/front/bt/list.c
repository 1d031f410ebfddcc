/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.c - bt -l: lists matching probes, their arguments, and members of types, as bpftrace does.
 *
 * A pattern is parsed as a program without actions; the list consists of the probes that it would attach.
 */
#include "front/bt/bt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/sample_spec.h"
#include "util/glob.h"
#include "util/log.h"

enum { DECLARATION = 512, DEPTH_MOST = 16 };

/* ---- types ---- */

/* A struct or union without a name is shown where it is. */
static const struct btf_type *inner_type(const struct btf_view *btf, uint32_t id)
{
	const struct btf_type *t = btf_view_type(btf, id);

	return t && !t->name_off && btf_is_composite(t) ? t : NULL;
}

static void members_write(struct buf *o, const struct btf_view *btf, const struct btf_type *t,
			  unsigned depth)
{
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name = btf_view_string(btf, btf_members(t)[i].name_off);
		const struct btf_type *inner;
		struct btf_found member;
		char text[DECLARATION];

		btf_view_member_at(btf, t, i, &member);
		inner = depth < DEPTH_MOST ? inner_type(btf, member.type) : NULL;
		buf_repeat(o, '\t', depth);
		if (inner) {
			buf_str(o, btf_kind(inner) == BTF_KIND_UNION ? "union {\n" : "struct {\n");
			members_write(o, btf, inner, depth + 1);
			buf_repeat(o, '\t', depth);
			buf_printf(o, *name ? "} %s" : "}", name);
		} else {
			btf_view_declare(btf, member.type, name, text, sizeof(text));
			buf_str(o, text);
		}
		if (member.bit_size)
			buf_printf(o, ": %u", member.bit_size);
		buf_str(o, ";\n");
	}
}

static void enumerators_write(struct buf *o, const struct btf_view *btf, const struct btf_type *t)
{
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name;
		int64_t value = btf_view_enum_value(btf, t, i, &name);

		buf_printf(o, "\t%s = %lld,\n", name, (long long)value);
	}
}

int bt_list_type(struct session *s, const char *text)
{
	unsigned kind = !strncmp(text, "struct ", 7) ? BTF_KIND_STRUCT :
			!strncmp(text, "union ", 6)  ? BTF_KIND_UNION :
						       BTF_KIND_ENUM;
	const char *name = strchr(text, ' ') + 1;
	uint32_t id = btf_view_find(s->btf, kind, name);
	const struct btf_type *t = btf_view_type(s->btf, id);

	if (!t) {
		log_error("this kernel has no %s", text);
		return EXIT_USAGE;
	}
	buf_printf(&s->out, "vmlinux: %s {\n", text);
	if (kind == BTF_KIND_ENUM)
		enumerators_write(&s->out, s->btf, t);
	else
		members_write(&s->out, s->btf, t, 1);
	buf_str(&s->out, "};\n\n");
	return EXIT_FINE;
}

/* ---- arguments ---- */

/* Writes "struct file * file", or "int* n" for a user function, as bpftrace does. */
static void argument_write(struct buf *o, const struct btf_view *btf, uint32_t type,
			   const char *name, bool in_user)
{
	char text[DECLARATION], *at, *stars;

	btf_view_declare(btf, type, name, text, sizeof(text));
	at = text + strlen(text) - strlen(name);
	for (stars = at; stars > text && stars[-1] == '*';)
		stars--;
	if (stars == at || !*name)
		buf_printf(o, "    %s\n", text);
	else
		buf_printf(o, "    %.*s%.*s %s\n", (int)(stars - text - in_user), text,
			   (int)(at - stars), stars, name);
}

static void prototype_write(struct buf *o, const struct btf_view *btf, uint32_t func,
			    const struct expr_input *in, bool by_number)
{
	const struct btf_type *f = btf_view_type(btf, func),
			      *proto = f ? btf_view_type(btf, f->type) : NULL;

	for (unsigned i = in->site.params_skipped; proto && i < btf_vlen(proto); i++) {
		const char *name = btf_view_string(btf, btf_params(proto)[i].name_off);
		char number[16];

		snprintf(number, sizeof(number), "arg%u", i);
		argument_write(o, btf, btf_params(proto)[i].type, by_number ? number : name,
			       in->site.in_user);
	}
	if (proto && proto->type && in->scope == EXPR_SCOPE_RETURN)
		argument_write(o, btf, proto->type, "retval", in->site.in_user);
}

static void params_write(struct buf *o, const struct expr_input *in, bool hidden)
{
	for (size_t i = 0; i < in->site.param_count; i++) {
		const struct expr_param *p = &in->site.params[i];

		if (!*p->name || p->is_hidden != hidden)
			continue;
		if (p->where == EXPR_PARAM_DATA_LOC)
			buf_printf(o, "    __data_loc %s[] %s\n", p->type ?: "int", p->name);
		else if (p->extent)
			buf_printf(o, "    %s %s[%.*s]\n", p->type ?: "int", p->name,
				   (int)strcspn(p->extent, "]"), p->extent);
		else
			buf_printf(o, "    %s %s\n", p->type ?: "int", p->name);
	}
}

static void arguments_write(struct buf *o, const struct argdump_probe *p, const struct function *f,
			    bool by_number)
{
	const struct expr_input *in = &p->input;

	if (in->site.params) {
		params_write(o, in, true); /* in the event they precede the others */
		params_write(o, in, false);
		return;
	}
	if (!f)
		prototype_write(o, in->btf, in->site.func_id, in, by_number);
	else if (f->btf)
		prototype_write(o, f->btf, f->id, in, by_number);
}

/* ---- probes ---- */

static bool has_arguments(enum script_probe_kind kind)
{
	return kind != PROBE_KRETPROBE && kind != PROBE_URETPROBE;
}

/* ---- events of perf ---- */

/* The units of the periods make up the list. */
static bool is_time(const struct script_attach *at)
{
	return at->kind == PROBE_INTERVAL || at->kind == PROBE_PROFILE;
}

bool bt_is_listed_event(const struct script_attach *at)
{
	if (at->kind == PROBE_SELF)
		return strpbrk(at->rest, "*?[") != NULL;
	return is_time(at) || at->kind == PROBE_SOFTWARE || at->kind == PROBE_HARDWARE;
}

/* Tells whether the name in NAME:PERIOD matches; lists omit periods. */
static bool name_matches(const struct script_attach *at, const char *name)
{
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(at->rest, ":"), at->rest);
	return wildcard_matches(pattern, name);
}

static void times_write(struct session *s, const struct script_attach *at)
{
	static const char *const units[] = { "hz", "ms", "s", "us" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (name_matches(at, units[i]))
			buf_printf(&s->out, "%s:%s:\n",
				   at->kind == PROBE_INTERVAL ? "interval" : "profile", units[i]);
}

/* Compares names as they are listed: with a colon at the end. */
static int name_compare(const void *x, const void *y)
{
	const char *a = *(const char *const *)x, *b = *(const char *const *)y;

	for (; *a && *a == *b; a++)
		b++;
	return (*a ?: ':') - (*b ?: ':');
}

static void events_write(struct session *s, const struct script_attach *at)
{
	bool software = at->kind == PROBE_SOFTWARE;
	enum probe_spec_kind kind = software ? PROBE_SPEC_SOFTWARE : PROBE_SPEC_HARDWARE;
	const char *names[64];
	size_t count = 0;

	for (const struct sample_event *e = sample_events; e->name; e++) {
		if (!sample_event_is(e, kind))
			continue;
		/* bpftrace lists only its own names of these */
		if (strncmp(e->name, "stalled-", strlen("stalled-")))
			names[count++] = e->name;
		for (const struct bt_event_name *n = bt_event_names; n->there; n++)
			if (!strcmp(n->here, e->name))
				names[count++] = n->there;
	}
	qsort(names, count, sizeof(*names), name_compare);
	for (size_t i = 0; i < count; i++)
		if (name_matches(at, names[i]))
			buf_printf(&s->out, "%s:%s:\n", software ? "software" : "hardware",
				   names[i]);
}

/* Of the signals that may be named, bpftrace lists this one. */
static void self_write(struct session *s, const struct script_attach *at)
{
	if (wildcard_matches(at->rest, "signal:SIGUSR1"))
		buf_str(&s->out, "self:signal:SIGUSR1\n");
}

static void listed_write(struct session *s, const struct script_attach *at)
{
	if (at->kind == PROBE_SELF)
		self_write(s, at);
	else if (is_time(at))
		times_write(s, at);
	else
		events_write(s, at);
}

/* ---- all ---- */

/* Functions of one name are listed once. */
static void places_write(struct session *s, const struct bt *b)
{
	const char *last = "";

	for (const struct argdump_probe *p = b->a.probes; p < b->a.probes + b->a.probe_count; p++) {
		enum script_probe_kind kind = b->places[p->request->owner - 1].attach->kind;

		for (size_t i = 0; i < (p->functions.count ?: 1); i++) {
			const char *name = b->names.all[p->first_point + i].probe;

			if (b->asked.lists && !strcmp(name, last))
				continue;
			last = name;
			buf_printf(&s->out, "%s\n", name);
			if (s->options.verbose && has_arguments(kind))
				arguments_write(&s->out, p,
						p->functions.count ? p->functions.items[i] : NULL,
						kind == PROBE_KPROBE);
		}
	}
}

/* BEGIN and END are no probes to list; a REPORT is called, not attached. */
static bool is_listed(const struct bt *b, enum script_probe_kind kind)
{
	return kind != PROBE_REPORT &&
	       !(b->asked.lists && (kind == PROBE_BEGIN || kind == PROBE_END));
}

void bt_list_probes(struct session *s, const struct bt *b)
{
	const struct script *script = b->script;

	places_write(s, b);
	for (size_t i = 0; b->asked.lists && i < script->probe_count; i++)
		for (size_t j = 0; j < script->probes[i].attach_count; j++) {
			const struct script_attach *at = &script->probes[i].attaches[j];

			if (bt_is_listed_event(at))
				listed_write(s, at);
		}
	for (size_t i = 0; i < b->special_count; i++)
		if (is_listed(b, b->specials[i].attach->kind))
			buf_printf(&s->out, "%s\n", b->specials[i].attach->text);
}
