/* SPDX-License-Identifier: GPL-2.0-only */
/* variants.c - what the programs capture of a call, and of its variants: its arguments may depend on one of them. */
#include <string.h>

#include "syscalls/capture.h"

/* Bytes that are captured at most. */
static uint64_t take_most(const struct syscall_take *t)
{
	uint64_t n = (uint64_t)t->size * t->number;

	return n < t->max ? n : t->max;
}

/* Captures a string as bytes, for another variant has bytes there. */
static void string_widen(struct syscall_take *t)
{
	if (t && t->kind == TAKE_STRING)
		*t = (struct syscall_take){ TAKE_BYTES, t->when,    COUNT_NUMBER,     0,
					    1,		t->max + 1, SYSSNOOP_TAKE_MAX };
}

/* Adds what another variant captures of an argument, to what the programs cannot tell from it. */
static void take_join(struct syscall_take *t, struct syscall_take v)
{
	uint8_t when = t->kind ? t->when | v.when : v.when;

	if (!v.kind || (t->kind && v.kind == TAKE_FD))
		return;
	if (t->kind == TAKE_FD)
		t->kind = TAKE_NONE;
	if (t->kind && !(t->when & v.when & TAKE_UNREAD))
		when &= (uint8_t)~TAKE_UNREAD;
	if (t->kind == TAKE_STRING && v.kind == TAKE_STRING) {
		t->max = v.max > t->max ? v.max : t->max;
		t->when = when;
		return;
	}
	string_widen(t->kind ? &v : NULL);
	string_widen(t);
	if (!t->kind || take_most(&v) > take_most(t))
		*t = v;
	t->when = when;
}

static void variant_join(struct syssnoop_variant *out, const struct call *c, unsigned abi,
			 const struct syscall_options *o)
{
	for (unsigned i = 0; i < c->nargs; i++) {
		const struct type *t = &c->args[i].type;

		out->fds |= (uint8_t)(type_is_own_fd(t) << i);
		out->paths |= (uint8_t)((t->kind == TYPE_PATH && t->ptr != '>') << i);
		take_join(&out->values[i], capture_of(c, i, abi, o));
		if (out->values[i].kind)
			behind_collect(out, c, i, abi, o);
	}
}

/* ---- variants ---- */

/* The enum that selects the variant. SYSCALL_ARGS: none does, or not by its value alone. */
static uint8_t key_of(const struct call *c)
{
	for (uint8_t i = 0; c->first && i < c->first->nargs; i++)
		if (c->first->args[i].type.kind == TYPE_ENUM)
			return i;
		else if (c->first->args[i].type.kind == TYPE_FUTEXOP ||
			 c->first->args[i].type.kind == TYPE_QCMD ||
			 c->first->args[i].type.kind == TYPE_FLAGS)
			break;
	return SYSCALL_ARGS;
}

/* Cuts the next of A,B:C off a list of names of the first enum. */
static bool first_next(const char **list, char name[64])
{
	size_t len = strcspn(*list, ",:");

	if (!len || len >= 64)
		return false;
	memcpy(name, *list, len);
	name[len] = 0;
	*list += len + ((*list)[len] == ',');
	return true;
}

static const struct field_name *item_find(const struct set *s, const char *name)
{
	for (const struct field_name *f = s ? s->items : NULL; f && f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* True if the variant is one of a value of the first enum, with whatever second. */
static bool has_first(const struct call *v, const char *wanted)
{
	const char *list = v->variants;
	char name[64];

	while (first_next(&list, name))
		if (!strcmp(name, wanted) || !strcmp(name, "*"))
			return true;
	return false;
}

/* The variants of one value: of those with a second enum, and the one that has none, what they capture together. */
static void value_join(struct syssnoop_variant *out, const struct call *c, const struct call *from,
		       const char *name, unsigned abi, const struct syscall_options *o)
{
	const struct call *v = from;

	for (; v && has_first(v, name) && strchr(v->variants, ':'); v = v->next)
		variant_join(out, v, abi, o);
	if (from == v || (v && has_first(v, name)))
		variant_join(out, v, abi, o);
	else
		variant_join(out, c, abi, o);
}

void syscall_capture_variants(unsigned abi, uint32_t nr, const struct syscall_options *options,
			      void (*visit)(void *ctx, uint32_t value,
					    const struct syssnoop_variant *v),
			      void *ctx)
{
	const struct call *c = call_row(abi, nr);
	struct syscall_options own = *options;
	struct syssnoop_variant others = { .leads = 0 }, one;
	const struct call *last = NULL;
	uint8_t key = c ? key_of(c) : 0;

	if (!c)
		return;
	own.verbose |= syscall_set_has(options->full, abi, nr);
	variant_join(&others, c, abi, &own);
	for (const struct call *v = NULL; key >= SYSCALL_ARGS && (v = call_variant_next(c, v));)
		variant_join(&others, v, abi, &own);
	for (const struct call *v = NULL; key < SYSCALL_ARGS && (v = call_variant_next(c, v));
	     last = v) {
		const char *list = v->variants;
		char name[64];

		while (first_next(&list, name)) {
			const struct field_name *f = item_find(v->args[key].type.of, name);

			if (last && has_first(last, name) && strchr(last->variants, ':'))
				continue; /* joined with that one */
			if (!f) {
				variant_join(&others, v, abi, &own);
				continue;
			}
			one = (struct syssnoop_variant){ .leads = 0 };
			value_join(&one, c, v, name, abi, &own);
			visit(ctx, (uint32_t)f->value, &one);
			if (f->mask) /* with the flag, too */
				visit(ctx, (uint32_t)(f->value | ~f->mask), &one);
		}
	}
	visit(ctx, SYSSNOOP_OTHERS, &others);
}

/* True if variants capture an argument differently. */
static bool is_various(const struct call *c, unsigned i, unsigned abi,
		       const struct syscall_options *o)
{
	struct syscall_take base = { .kind = TAKE_NONE }, other;
	bool any = false;

	if (i < c->nargs)
		base = capture_of(c, i, abi, o);
	for (const struct call *v = NULL; !any && (v = call_variant_next(c, v));) {
		other = (struct syscall_take){ .kind = TAKE_NONE };
		if (i < v->nargs)
			other = capture_of(v, i, abi, o);
		any = memcmp(&base, &other, sizeof(base)) != 0;
	}
	return any;
}

/* True for data that take_variant() of the programs captures. */
static bool is_variable(uint8_t kind)
{
	return kind == TAKE_STRING || kind == TAKE_BYTES || kind == TAKE_IOVEC || kind == TAKE_FD;
}

/* Sets the values of all arguments but descriptors: of one whose data vary, or lead to more, when something is taken. */
static void varies_set(struct syscall_capture *out, const struct call *c, unsigned abi,
		       const struct syscall_options *o)
{
	struct syssnoop_variant all = { .leads = 0 };

	out->key = key_of(c);
	variant_join(&all, c, abi, o);
	for (const struct call *v = NULL; (v = call_variant_next(c, v));)
		variant_join(&all, v, abi, o);
	for (unsigned i = 0; i < SYSCALL_ARGS; i++) {
		struct syscall_take *t = &all.values[i];

		if (i < c->nargs && type_is_fd(&c->args[i].type))
			continue;
		out->values[i] = *t;
		if (!is_variable(t->kind))
			continue;
		if ((all.leads >> i & 1 && t->kind == TAKE_BYTES) ||
		    (out->key < SYSCALL_ARGS && is_various(c, i, abi, o)))
			out->values[i].kind = TAKE_VARIES;
	}
}

/* True for arguments printed as addresses, and those of a call that prints only numbers: they are not captured. */
static bool is_unshown(const struct syscall_options *o, unsigned abi, uint32_t nr,
		       const struct type *t)
{
	return syscall_set_has(o->raw, abi, nr) ||
	       (syscall_set_has(o->flat, abi, nr) && t->ptr && t->kind != TYPE_STR &&
		t->kind != TYPE_BUF && t->kind != TYPE_WORDS && t->kind != TYPE_ENVP);
}

/* True if the call, or one of its variants, returns a descriptor. */
static bool returns_fd(const struct call *c)
{
	bool any = type_is_fd(&c->result);

	for (const struct call *v = NULL; !any && (v = call_variant_next(c, v));)
		any = type_is_fd(&v->result);
	return any;
}

void syscall_capture_of(unsigned abi, uint32_t nr, const struct syscall_options *options,
			struct syscall_capture *out)
{
	const struct call *c = call_row(abi, nr);
	struct syscall_options own = *options;

	own.verbose |= syscall_set_has(options->full, abi, nr);
	options = &own;
	*out = (struct syscall_capture){ .nargs = SYSCALL_ARGS };
	if (!c)
		return;
	out->nargs = c->nargs;
	if (c->result.kind == TYPE_NONE)
		out->flags |= SYSCALL_NO_RETURN;
	if (strchr(c->classes, 'b'))
		out->flags |= SYSCALL_FORKS;
	if (c->special == SPECIAL_POLL || c->special == SPECIAL_PPOLL)
		out->flags |= SYSCALL_POLLS;
	if (c->special == SPECIAL_SELECT)
		out->flags |= SYSCALL_SELECTS;
	if (c->special == SPECIAL_SIGRETURN)
		out->flags |= SYSCALL_SIGRETURNS;
	for (unsigned i = 0; i < c->nargs; i++)
		if (type_is_fd(&c->args[i].type))
			out->values[i] = capture_of(c, i, abi, options);
	varies_set(out, c, abi, options);
	for (unsigned i = 0; i < SYSCALL_ARGS; i++)
		if (i < c->nargs && is_unshown(options, abi, nr, &c->args[i].type))
			out->values[i] = (struct syscall_take){ .kind = TAKE_NONE };
	if (out->flags & SYSCALL_SIGRETURNS && !syscall_set_has(options->raw, abi, nr))
		out->values[0] = (struct syscall_take){
			.kind = TAKE_BYTES, .when = TAKE_AT_ENTRY, .number = 1, .size = 8, .max = 8
		};
	for (unsigned i = 0; i < c->nargs; i++) {
		const struct type *t = &c->args[i].type;

		out->fds |= type_is_own_fd(t) << i;
		out->paths |= (t->kind == TYPE_PATH && t->ptr != '>') << i;
	}
	out->fds |= type_is_fd(&c->result) << SYSCALL_RESULT;
	if (returns_fd(c) && !syscall_set_has(options->raw, abi, nr))
		out->values[SYSCALL_RESULT] = (struct syscall_take){
			.kind = options->fd_paths ? TAKE_FD : TAKE_NONE, .when = TAKE_AT_SUCCESS
		};
}
