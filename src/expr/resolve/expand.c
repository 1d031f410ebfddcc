/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expand.c - slots that are added for others: --depth and --diff.
 *
 * --depth gives the pointers to structs, in a struct that is shown whole, slots of their own.
 * Such a slot is an expression like any other, generated as text (*file gives *file->f_inode), so
 * it passes through all stages; only its field is attached to the pointer in its parent. Pointers
 * are followed level by level, as far as the record and the number of slots allow; those left out
 * are counted. Pointers in arrays and unions are not followed (it is unknown which member of a
 * union is valid), nor are those of lists.
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "expr/resolve/text_type.h"
#include "expr/syntax/syntax.h"

enum {
	FOLLOW_BYTES = 24000, /* of followed structs in one record */
	MEMBERS_MAX = 4096,   /* examined in one struct */
	NESTED_MAX = 16,
	PATH_MAX_ = 256,
};

/* Passes a new slot through the stages that the other slots have passed. */
static void slot_compile(struct compile *c, struct slot *s)
{
	static void (*const stages[])(struct compile * c, struct slot * s) = { expr_lex, expr_parse,
									       expr_resolve,
									       expr_format };

	c->slot = s;
	for (int i = 0; i < 4 && !c->err; i++)
		stages[i](c, s);
	c->slot = NULL;
}

struct walk {
	struct compile *c;
	struct slot *from;
	bool wants_pointers, wants_texts; /* by --depth; of C++, Rust and Go, always */
	char path[PATH_MAX_];		  /* path of the walked struct: "f_path." */
	int visits;
	bool in_variant;
};

/* True for what the user knows as the struct itself: a parameter in memory became *(T *)ADDRESS, in the place of its name
 * (user_param.c). */
static bool is_placed(const struct node *n)
{
	return n->child->kind == NODE_CAST && n->child->span.start == n->span.start &&
	       n->child->span.end == n->span.end;
}

/* The expression for `member` of the slot's struct: for *file and f_inode, *file->f_inode. `star` is "" for a text. */
static char *member_text(struct walk *w, const char *star, const char *member)
{
	const struct slot *s = w->from;
	const struct node *n = s->root;
	bool arrow = n->kind == NODE_DEREF && !is_placed(n);
	char text[TEXT_MAX];
	int len;

	if (arrow)
		n = n->child;
	len = snprintf(text, sizeof(text),
		       n->kind == NODE_NAME || n->kind == NODE_MEMBER || n->kind == NODE_ARROW ?
			       "%s%.*s%s%s%s" :
			       "%s(%.*s)%s%s%s",
		       star, SPAN_ARG(s->text, n->span), arrow ? "->" : ".", w->path, member);
	if (len >= (int)sizeof(text))
		return NULL;
	return arena_text(&w->c->p->arena, text, len);
}

static uint32_t bytes_used(const struct expr_program *p)
{
	uint32_t bytes = 0;

	for (size_t i = 0; i < p->slot_count; i++)
		bytes += p->slots[i].store.size;
	return bytes;
}

/* Returns false if the record is full. */
static bool slot_follow(struct walk *w, const char *member, uint32_t at, uint64_t size,
			uint32_t text)
{
	struct expr_program *p = w->c->p;
	struct slot *s = &p->slots[p->slot_count];
	size_t followed = 0;

	for (size_t i = 0; i < p->slot_count; i++)
		followed += p->slots[i].followed.parent != NULL;
	if (followed == FOLLOW_MAX || size > FOLLOW_BYTES || bytes_used(p) + size > FOLLOW_BYTES) {
		p->not_followed++;
		return true;
	}
	*s = (struct slot){ .text = member_text(w, text ? "" : "*", member),
			    .followed.parent = w->from,
			    .followed.at = at,
			    .followed.text = text,
			    .followed.in_variant = w->in_variant || w->from->followed.in_variant,
			    .followed.depth = w->from->followed.depth + 1 };
	if (!s->text)
		return false;
	p->slot_count++;
	slot_compile(w->c, s);
	return !w->c->err;
}

/* True if the struct contains only links, like struct list_head. */
static bool is_mere_link(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t = btf_view_type(b, id);

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		uint32_t to = btf_view_strip(b, btf_members(t)[i].type);

		for (int stars = 0; stars < 2 && btf_view_kind(b, to) == BTF_KIND_PTR; stars++)
			to = btf_view_strip(b, btf_view_type(b, to)->type);
		if (to != id)
			return false;
	}
	return true;
}

static bool is_followed(const struct walk *w, uint32_t type, uint64_t *size)
{
	const struct btf_view *b = w->c->in->btf;
	uint32_t pointer = btf_view_strip(b, type), target;

	if (btf_view_kind(b, pointer) != BTF_KIND_PTR)
		return false;
	target = btf_view_type(b, pointer)->type;
	if ((btf_view_tagged(b, target, "user") && !w->c->in->site.own_types) ||
	    btf_view_tagged(b, target, "percpu"))
		return false;
	*size = btf_view_size(b, target);
	return *size && ctype_is_composite(b, ctype_of(target)) &&
	       !is_mere_link(b, btf_view_strip(b, target));
}

/* True if all members of a union have the same type. */
static bool is_same_thing(const struct btf_view *b, const struct btf_type *t)
{
	for (unsigned i = 1; i < btf_vlen(t); i++) {
		if (btf_view_strip(b, btf_members(t)[i].type) !=
		    btf_view_strip(b, btf_members(t)[0].type))
			return false;
	}
	return true;
}

static bool walk_struct(struct walk *w, uint32_t id, uint32_t at, int nested);

static bool walk_member(struct walk *w, const struct btf_type *t, unsigned i, uint32_t at,
			int nested)
{
	const struct btf_view *b = w->c->in->btf;
	const char *name = btf_view_string(b, btf_members(t)[i].name_off);
	size_t len = strlen(w->path);
	struct btf_found m;
	uint64_t size;
	bool ok = true;

	btf_view_member_at(b, t, i, &m);
	at += m.bit_offset / 8;
	if (m.bit_size || len + strlen(name) + 2 > sizeof(w->path))
		return true;
	if (*name && w->wants_texts && ctype_is_composite(b, ctype_of(m.type)) &&
	    text_type_is(w->c, ctype_of(m.type)))
		return slot_follow(w, name, at, STRING_DEFAULT, btf_view_strip(b, m.type));
	if (*name && w->wants_pointers && is_followed(w, m.type, &size))
		return slot_follow(w, name, at, size, 0);
	if (ctype_is_composite(b, ctype_of(m.type))) {
		if (*name)
			sprintf(w->path + len, "%s.", name);
		ok = walk_struct(w, m.type, at, nested + 1);
		w->path[len] = '\0';
	}
	return ok;
}

static bool walk_struct(struct walk *w, uint32_t id, uint32_t at, int nested)
{
	const struct btf_view *b = w->c->in->btf;
	const struct btf_type *t = btf_view_type(b, btf_view_strip(b, id));
	bool ok = true, was_in_variant = w->in_variant;
	unsigned count = btf_vlen(t);

	if (btf_view_is_variants(b, id))
		w->in_variant = true;
	else if (btf_kind(t) == BTF_KIND_UNION)
		count = count && is_same_thing(b, t) ? 1 : 0;
	for (unsigned i = 0; ok && nested < NESTED_MAX && i < count; i++)
		ok = ++w->visits < MEMBERS_MAX ? walk_member(w, t, i, at, nested) : true;
	w->in_variant = was_in_variant;
	return ok;
}

void expr_follow(struct compile *c, struct slot *s)
{
	struct walk w = { .c = c,
			  .from = s,
			  .wants_pointers = s->followed.depth < c->in->run.depth,
			  .wants_texts = c->in->site.has_texts };

	if (s->diff.part || s->store.type != FIELD_STRUCT || s->store.kind != STORE_BYTES ||
	    !(w.wants_pointers || w.wants_texts) || c->in->run.aggregate ||
	    !ctype_is_composite(c->in->btf, s->root->type))
		return;
	if (!walk_struct(&w, s->root->type.id, 0, 0) && !c->err)
		c->err = -ENOMEM;
}

/*
 * ---- --diff EXPR: the same memory before and after the call, in three slots ----
 *
 *	DIFF_PLACE	its address, at the entry; represents all three in the output
 *	DIFF_BEFORE	the bytes there, at the entry: the expression itself
 *	DIFF_AFTER	the bytes there, at the return: from the address that the entry recorded
 *
 * The last two are attached to the first, as --depth attaches pointers to a struct. Pointers in
 * EXPR may change during the call: both reads still use the same address.
 */

void diffs_add_slots(struct compile *c)
{
	const struct expr_input *in = c->in;

	for (size_t i = 0; i < in->run.diff_count && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		slot_add(c, in->run.diffs[i]);
		s->diff.part = DIFF_PLACE;
		s->input = in->count + in->condition_count + i;
	}
}

/* Fails unless EXPR is in memory: a call cannot change a register. */
static void check_memory(struct compile *c, struct slot *s)
{
	bool lies = s->root->category == CATEGORY_LVALUE;

	if (s->store.kind == STORE_STRING ||
	    (s->store.kind == STORE_BYTES && (lies || s->store.by_pointer)) ||
	    (s->store.kind == STORE_SCALAR && lies))
		return;
	compile_fail(c, s->root->span,
		     s->store.kind == STORE_PATH ? "a path has no bytes to compare" :
						   "a value, which no call can change");
	compile_hint(c, "--diff compares what lies in memory: *POINTER, POINTER->MEMBER");
}

static struct slot *part_add(struct compile *c, struct slot *whole, enum diff_part part)
{
	struct slot *s = &c->p->slots[c->p->slot_count++];

	*s = (struct slot){ .text = whole->text,
			    .input = whole->input,
			    .followed.parent = whole,
			    .diff.part = part };
	slot_compile(c, s);
	c->slot = s;
	if (!c->err)
		check_memory(c, s);
	c->slot = NULL;
	return s;
}

void expr_diff(struct compile *c, struct slot *s)
{
	if (s->diff.part != DIFF_PLACE)
		return;
	s->diff.other = part_add(c, s, DIFF_BEFORE);
	if (!c->err)
		part_add(c, s, DIFF_AFTER)->diff.other = s;
}
