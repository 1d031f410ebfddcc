/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members.c - prints a struct in memory, member by member, and what the call has changed of it.
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>

#include "syscalls/walk.h"

/* Not inlined wherever it is called: that takes a tenth of this file's code. */
#define ONCE __attribute__((noinline))

/* A string that has no end has not its last character either. */
static void chars_write(struct out *out, const char *p, uint32_t count)
{
	uint32_t n = (uint32_t)strnlen(p, count);
	bool is_open = n && n == count && !out->json;

	out_string(out, p, n - is_open, is_open, false);
}

/* A string in the bytes behind the struct; if there is none, its offset. */
static void tail_string_write(const struct walk *w, uint32_t offset)
{
	uint32_t align, size = type_size(&(struct type){ .kind = TYPE_STRUCT, .of = w->l },
					 w->out->event->abi, &align);
	size_t left = w->len > size && offset < w->len - size ? w->len - size - offset : 0,
	       most = w->out->options->strings, n = left ? strnlen(w->p + size + offset, left) : 0;

	if (!left)
		out_hex(w->out, offset);
	else
		out_string(w->out, w->p + size + offset, n < most ? n : most, n > most || n == left,
			   false);
}

/* A string up to its NUL, of which as much is shown as of any other. */
static void string_write(struct out *out, const char *p, uint32_t count)
{
	uint32_t n = (uint32_t)strnlen(p, count), most = out->options->strings;

	out_string(out, p, n < most ? n : most, n > most, false);
}

static void value_write(struct out *out, const struct member *m, const char *p, uint32_t count)
{
	const struct type *t = &m->type;
	uint32_t most = t->whole ? count : out->options->strings;

	switch (t->kind) {
	case TYPE_CHARS: chars_write(out, p, count + t->bit); break; /* charsn: a NUL ends it */
	case TYPE_BYTES: out_string(out, p, count, false, true); break;
	case TYPE_BUF: out_string(out, p, count < most ? count : most, count > most, false); break;
	case TYPE_STR: string_write(out, p, count); break;
	case TYPE_SOCKADDR: out_sockaddr(out, p, count); break;
	case TYPE_MAC: out_mac(out, p, count); break;
	case TYPE_INET6: out_inet6(out, p, m->name); break;
	default: out_elements(out, t, p, count);
	}
}

static void name_write(struct walk *w, const struct member *m)
{
	struct buf *o = w->out->o;

	if (w->any)
		buf_str(o, w->out->json ? "," : ", ");
	w->any = true;
	if (*m->name == '[') /* a list */
		return;
	if (w->out->json)
		buf_printf(o, "\"%s\":", m->name);
	else if (m->type.kind != TYPE_INET6)
		buf_printf(o, "%s=", m->name);
}

/* Memory elsewhere. */
static void pointer_write(struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint64_t address = walk_number(w, i), count = t->count;
	unsigned part = out_part(w->out, w->p + w->at[i]);

	name_write(w, &w->l->members[i]);
	if (t->limit_arg < w->l->count && !t->is_exact) {
		count = walk_told_count(w, t, t->limit_arg);
		if (t->hex && address && !count && (!t->is_filled || w->after))
			out_string(w->out, NULL, 0, false, true);
		else if (t->array && address && !count && w->after)
			buf_str(w->out->o, "[]");
		else
			out_behind_bytes(w->out, t, part, address,
					 t->is_filled && !w->after ? 0 : count);
		return;
	}
	if (type_is_counted_by_arg(t))
		count = walk_list_count(w, t);
	else if (t->count_arg != COUNT_NONE)
		count = walk_told_count(w, t, t->count_arg);
	if (t->is_filled && !w->after && t->array && address && !count)
		buf_str(w->out->o, "[]");
	else if ((t->hidden && !w->out->options->verbose) || (t->is_filled && !w->after) ||
		 (t->is_exact && walk_number(w, t->limit_arg) != t->size))
		out_address(w->out, address);
	else if (t->most && (!count || count > t->most))
		out_address(w->out, address);
	else
		out_behind(w->out, t, part, address, count);
}

/* Of a list with + or |N~ of which there are more elements than are shown: ", ..." before its end. */
RARE static void more_write(struct walk *w, uint8_t i, uint32_t count)
{
	const struct type *t = &w->l->members[i].type;
	struct buf *o = w->out->o;

	if (!(t->is_short || t->whole) || t->count_arg == COUNT_NONE || w->out->json || o->error ||
	    o->data[o->len - 1] != ']' || !count || walk_list_count(w, t) <= walk_list_most(w, t))
		return;
	buf_rewind(o, o->len - 1);
	buf_str(o, ", ...]");
}

/* A struct in one that the call changed: its members can be of those. Returns false if it is not. */
RARE static bool inner_changed_write(struct walk *w, const struct type *t, uint32_t at,
				     uint32_t size)
{
	if (!type_is_inner(t) || t->array || t->ptr || !w->after || at + size > w->after_len)
		return false;
	out_struct_changed(w->out, &(struct type){ .of = t->of }, w->p + at, size, w->after + at,
			   size, size);
	return true;
}

ONCE static void member_write(struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	bool is_after = m->type.ptr == '>';
	uint32_t align, size = type_size(&m->type, w->out->event->abi, &align), at = w->at[i],
			count = walk_count(w, i, size, is_after ? w->after_len : w->len);

	if (m->type.kind == TYPE_HOLE && m->type.bit) {
		buf_printf(w->out->o, " /* %s: %#x */", m->name, (unsigned)walk_number(w, i));
		return;
	}
	if (m->type.kind == TYPE_HOLE) { /* bytes that should be 0 */
		buf_printf(w->out->o, " /* bytes %u..%u: %#x */", at, at + size - 1,
			   (unsigned)walk_number(w, i));
		return;
	}
	name_write(w, m);
	if (m->type.kind == TYPE_TAIL) {
		tail_string_write(w, (uint32_t)walk_number(w, i));
		return;
	}
	if (inner_changed_write(w, &m->type, at, size))
		return;
	value_write(w->out, m, (is_after ? w->after : w->p) + at, count);
	more_write(w, i, count);
	if (!m->type.array && (m->type.kind == TYPE_FD || m->type.kind == TYPE_AT))
		out_member_file(w->out, w->p + at, m->name);
	if (w->out->options->pid_here && m->type.kind <= TYPE_UINT && !m->type.array)
		out_pid_here(w->out, m->name, &m->type,
			     memory_number((is_after ? w->after : w->p) + at, size));
	if (m->type.ptr != '&' || !w->after || at + size * count > w->after_len || w->out->json ||
	    !memcmp(w->p + at, w->after + at, size * count))
		return;
	buf_str(w->out->o, " => ");
	if (m->type.whole)
		buf_printf(w->out->o, "%s=", m->name);
	value_write(w->out, m, w->after + at, count);
}

/* A string in bytes that are fewer than it may have. */
RARE static void cut_chars_write(struct out *out, const char *p, uint32_t len)
{
	uint32_t n = (uint32_t)strnlen(p, len), most = out->options->strings;

	out_string(out, p, n < most ? n : most, n == len || n > most, false);
}

/* Writes the complete elements of a member that is only partly present. */
static void cut_write(struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	const struct layout *inner = t->kind == TYPE_STRUCT ? t->of : NULL;
	uint32_t align,
		len = (uint32_t)w->len - w->at[i],
		size = inner ? member_size(&inner->members[0].type, w->out->event->abi, &align) :
			       type_size(t, w->out->event->abi, &align);

	if (len < size)
		return;
	name_write(w, &w->l->members[i]);
	if (inner)
		out_struct(w->out, inner, w->p + w->at[i], len);
	else if (t->kind == TYPE_CHARS)
		cut_chars_write(w->out, w->p + w->at[i], len);
	else
		out_elements(w->out, t, w->p + w->at[i], len / size);
}

/* Writes the bytes of a member that is only partly present; of a struct the members that are there. */
static void bytes_write(struct walk *w, uint8_t i)
{
	const char *p = w->p + w->at[i];
	const struct type *t = &w->l->members[i].type;
	uint32_t len = (uint32_t)w->len - w->at[i];

	name_write(w, &w->l->members[i]);
	if (t->kind == TYPE_STRUCT && !t->array)
		out_struct(w->out, t->of, p, len);
	else if (t->kind == TYPE_CHARS)
		chars_write(w->out, p, len);
	else
		out_string(w->out, p, len, false, true);
}

/* Writes a member behind "|" of which not everything could be read: the elements of a list that could, a string if it
 * ends there or is long enough, else the address. Returns false if all of it is there. */
RARE static bool unread_write(struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	const struct type *t = &m->type;
	bool is_list = t->count_arg != COUNT_NONE, is_string = t->kind == TYPE_STR;
	uint32_t align, size = type_size(t, w->out->event->abi, &align);
	uint64_t room = w->at[i] < w->len ? (w->len - w->at[i]) / size : 0,
		 wanted = is_list ? walk_number(w, t->count_arg) : t->count,
		 address = w->out->event->args[w->out->arg] +
			   (uint64_t)(w->p + w->at[i] - w->out->base);
	const char *p = w->p + w->at[i];

	if (wanted > walk_list_most(w, t))
		wanted = walk_list_most(w, t);
	if (room >= wanted && (wanted || w->at[i] < w->len))
		return false;
	if (is_list || is_string || w->l->head_asks)
		name_write(w, m);
	else if (w->out->json)
		return true;
	else
		buf_str(w->out->o, w->any ? ", " : "");
	w->any = true;
	if (is_list && (room || !wanted)) {
		buf_char(w->out->o, '[');
		if (out_items(w->out, t, p, (uint32_t)room) && wanted)
			out_unread(w->out, address + room * size);
		buf_char(w->out->o, ']');
	} else if (is_string && (room > w->out->options->strings || memchr(p, 0, room))) {
		string_write(w->out, p, (uint32_t)room);
	} else if (is_list || is_string || !w->l->head_asks) {
		out_address(w->out, address);
	} else {
		out_word(w->out, "???");
	}
	return true;
}

/* What follows is what the call has filled in: {…} => {…}. Returns false if it has not. */
static bool filled_begin(struct walk *w)
{
	if (!w->after || w->out->is_cut)
		return false;
	if (w->out->json)
		return true;
	if (w->hidden)
		buf_str(w->out->o, w->any ? ", ..." : "...");
	buf_str(w->out->o, *w->l->members[0].name == '[' ? "] => [" : "} => {");
	w->any = false;
	w->hidden = false;
	w->last = -1;
	return true;
}

static void members_write(struct walk *w, const char *rdev);

/* A struct whose members are shown as if they were those of the one around it. */
ONCE static void inner_write(struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	bool is_after = t->ptr == '>';
	struct walk inner = *w;

	inner.l = t->of;
	inner.p = (is_after ? w->after : w->p) + w->at[i];
	inner.len = (is_after ? w->after_len : w->len) - w->at[i];
	inner.after = NULL;
	inner.last = -1;
	members_place(inner.l, w->out->event->abi, inner.at);
	members_write(&inner, NULL);
	w->any = inner.any;
	w->hidden |= inner.hidden;
}

static void members_write(struct walk *w, const char *rdev)
{
	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct member *m = &w->l->members[i];
		uint32_t align, size = member_size(&m->type, w->out->event->abi, &align);
		size_t len = m->type.ptr == '>' ? w->after_len : w->len;
		enum shown shown = walk_shown(w, i);

		if (!strncmp(m->name, "=>", 2)) {
			w->lost = !w->after && strchr(m->name, '!');
			if ((m->type.optional && !walk_holds(w, i)) || !filled_begin(w))
				return;
			continue;
		}
		if (w->l->head && i >= w->l->head && shown == SHOWN && m->type.ptr != '>' &&
		    m->type.ptr != '*' && unread_write(w, i)) {
			if (!w->l->head_asks && m->type.count_arg == COUNT_NONE)
				return;
			continue;
		}
		if (shown == ABSENT || w->at[i] + walk_shared_size(w, &m->type) >= len)
			continue;
		if (shown == HIDDEN || *m->name == '.') {
			w->hidden = true;
			continue;
		}
		w->last = (int32_t)w->at[i];
		if (w->at[i] + size > len) {
			w->l->members[w->l->count - 1].type.kind == TYPE_NONE ? cut_write(w, i) :
										bytes_write(w, i);
			break;
		}
		if (rdev && !strcmp(m->name, "st_size") && !w->out->json) {
			buf_str(w->out->o, w->any ? ", st_rdev=" : "st_rdev=");
			w->any = true;
			out_dev(w->out, memory_number(rdev, 8));
			continue;
		}
		if (m->type.ptr == '*')
			pointer_write(w, i);
		else if (*m->name == '=')
			inner_write(w, i);
		else
			member_write(w, i);
	}
}

/* Writes only what the call filled in, if all that it was passed is 0. */
RARE static bool received_write(struct out *out, const struct layout *l, const char *p, size_t len,
				const char *after, size_t after_len)
{
	if (memory_any(p, len))
		return false;
	if (after)
		out_struct(out, l->members[l->received].type.of, after, after_len);
	else
		out_address(out, out->event->args[out->arg]);
	return true;
}

/* Writes the members in braces, or in brackets. */
static void braces_write(struct walk *w, const struct type *t)
{
	bool is_list = *w->l->members[0].name == '[';
	struct out *out = w->out;
	struct longer longer;
	const char *p;
	size_t len;

	members_place(w->l, out->event->abi, w->at);
	if (w->l->zeros)
		walk_zeros_append(w, &longer, walk_zeros_end(w));
	p = w->p;
	len = w->len;
	buf_char(out->o, is_list ? '[' : '{');
	if (walk_is_too_small(w, t))
		w->len = 4;
	else if (t->least &&
		 (t->limit_arg == LIMIT_SIZE || *w->l->members[w->l->count - 1].name == '='))
		walk_zeros_append(w, &longer, walk_member_end(w));
	members_write(w, walk_rdev(w, p, len));
	walk_tail_write(w, t);
	if (w->hidden)
		buf_str(out->o, w->any ? ", ..." : "...");
	buf_char(out->o, is_list ? ']' : '}');
	if (w->lost && !out->json)
		buf_printf(out->o, " => %#llx", (unsigned long long)out->event->args[out->arg]);
}

void out_struct_changed(struct out *out, const struct type *t, const char *p, size_t len,
			const char *after, size_t after_len, uint64_t room)
{
	const struct layout *l = t->of;
	struct walk w = { .out = out,
			  .l = l,
			  .p = p,
			  .len = len,
			  .after = after,
			  .after_len = after_len,
			  .last = -1,
			  .room = room };

	if (!strncmp(l->name, "utime", 5) && out_utime(out, p, l->name[5]))
		return;
	if (l->received && received_write(out, l, p, len, after, after_len))
		return;
	braces_write(&w, t);
	if (strstr(l->name, "xtime") && len >= 12 &&
	    (*l->name != 'p' || out->options->style != SYSCALL_NUMBERS_ONLY))
		out_part_date(out, (int64_t)memory_number(p, 8), memory_number(p + 8, 4), 9);
}

void out_struct(struct out *out, const struct layout *l, const char *p, size_t len)
{
	struct type t = { .of = l };

	out_struct_changed(out, &t, p, len, NULL, 0, len);
}
