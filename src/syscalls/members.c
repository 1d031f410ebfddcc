/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members.c - prints a struct in memory, member by member: which are printed, and which the call has changed.
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>
#include <sys/stat.h>

#include "syscalls/text.h"

/* Not inlined wherever it is called: that takes a tenth of this file's code. */
#define ONCE __attribute__((noinline))

struct walk {
	struct out *out;
	const struct layout *l;
	const char *p; /* as it was passed */
	size_t len;
	const char *after; /* as the call left it; NULL: unchanged or unknown */
	size_t after_len;
	uint32_t at[MEMBERS_MAX];
	uint64_t room; /* available bytes */
	int32_t last;  /* offset of the last printed member */
	bool any, hidden, lost;
};

static const struct member *member_find(const struct layout *l, const char *name)
{
	for (uint8_t i = 0; i < l->count; i++)
		if (!strcmp(l->members[i].name, name))
			return &l->members[i];
	return NULL;
}

/* The number of the device, in the stat of a device's file; else NULL. */
static const char *rdev_find(const struct layout *l, const char *p, size_t len)
{
	const struct member *mode = member_find(l, "st_mode"), *rdev = member_find(l, "_rdev");
	unsigned bits;

	if (!mode || !rdev || len < (size_t)rdev->type.offset + 8)
		return NULL;
	bits = (unsigned)memory_number(p + mode->type.offset, 4);
	return S_ISCHR(bits) || S_ISBLK(bits) ? p + rdev->type.offset : NULL;
}

ONCE static uint64_t number_at(const struct walk *w, const char *p, size_t len, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint32_t align, size = t->ptr == '*' ? member_size(t, w->out->event->abi, &align) :
					       type_size(t, w->out->event->abi, &align);
	uint64_t v;

	if (w->at[i] + size > len)
		return 0;
	v = memory_number(p + w->at[i], size);
	return t->kind == TYPE_BIT || t->kind == TYPE_REST ? type_bits(t, v) : v;
}

/* Returns the number in a member: of one that the call fills, what it has filled in. */
static uint64_t member_number(const struct walk *w, uint8_t i)
{
	if (w->l->members[i].type.ptr == '>' && w->after)
		return number_at(w, w->after, w->after_len, i);
	return number_at(w, w->p, w->len, i);
}

ONCE bool memory_any(const char *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return len != 0;
}

/* All bytes of it. */
ONCE static bool is_zero(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint32_t align, size = member_size(t, w->out->event->abi, &align);
	bool is_after = t->ptr == '>' && w->after;

	if ((t->kind != TYPE_BYTES && t->kind != TYPE_UUID && t->count < 2) ||
	    w->at[i] + size > (is_after ? w->after_len : w->len))
		return !member_number(w, i);
	return !memory_any((is_after ? w->after : w->p) + w->at[i], size);
}

static bool condition_holds(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;

	switch (t->condition) {
	case '&': return member_number(w, t->on) & t->with;
	case '=': return member_number(w, t->on) == t->with;
	case '!': /* of a member that is there */
		return (w->l->members[t->on].type.condition != '=' || condition_holds(w, t->on)) &&
		       member_number(w, t->on) != t->with;
	case '^': return !(member_number(w, t->on) & t->with);
	case '*': return member_number(w, t->on) < 64 && t->with >> member_number(w, t->on) & 1;
	case '+': return w->at[t->on] < w->len;
	case '.': return !w->any;
	case '<': return w->out->event->ret < 0 && (t->on == COUNT_NONE || member_number(w, t->on));
	default: return w->last != (int32_t)w->at[i];
	}
}

/* _pad, but not __reserved. */
static bool is_hidden_name(const char *name)
{
	return *name == '_' && name[1] != '_';
}

enum shown { SHOWN, ABSENT, HIDDEN };

/* A member that is there only if it is not 0, or if another is as its type says. */
static enum shown member_shown(const struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	bool is_short = m->type.hidden && !w->out->options->verbose && !w->out->json;

	if (m->type.kind == TYPE_HOLE && (is_short || w->out->json))
		return ABSENT;
	if ((is_hidden_name(m->name) && m->type.kind != TYPE_HOLE) ||
	    (m->type.ptr == '>' && !w->after))
		return ABSENT;
	if (m->type.offset == OFFSET_SAME && m->type.optional &&
	    (w->last == (int32_t)w->at[i] || (is_short && !m->type.condition)))
		return ABSENT; /* another is shown for it, or only with -v */
	if (m->type.optional && m->type.condition && !condition_holds(w, i))
		return ABSENT;
	if (m->type.optional && !m->type.condition && is_zero(w, i) &&
	    (!m->type.hidden || is_short || m->type.kind == TYPE_HOLE))
		return ABSENT;
	if (m->type.ptr == '*')
		return SHOWN;
	return is_short && (!m->type.optional || m->type.condition) ? HIDDEN : SHOWN;
}

static bool is_negative(const struct walk *w, uint8_t i, uint64_t v)
{
	return v >> (scalar_size(&w->l->members[i].type, w->out->event->abi) * 8 - 1) & 1;
}

/* How many elements a list can have, or is to have. */
ONCE static uint64_t list_most(const struct walk *w, const struct type *t)
{
	bool is_all = t->is_short && (w->out->options->verbose || w->out->json);

	return t->most && !is_all ? t->most : ~0ull;
}

/* True if an argument of the call says how many elements there are, not another member. */
static bool is_counted_by_arg(const struct type *t)
{
	return t->count_arg >= COUNT_OF_ARG && t->count_arg != COUNT_NONE;
}

/* Returns how many elements of a list the call was passed, as that says. */
ONCE static uint64_t list_count(const struct walk *w, const struct type *t)
{
	return is_counted_by_arg(t) ? (uint32_t)w->out->event->args[t->count_arg - COUNT_OF_ARG] :
				      member_number(w, t->count_arg);
}

/* How many there are of a member: as its type says, or another member, as far as they are there. */
static uint32_t member_count(const struct walk *w, uint8_t i, uint32_t size, size_t len)
{
	const struct type *t = &w->l->members[i].type;
	uint64_t n, room = size && w->at[i] < len ? (len - w->at[i]) / size : 0;

	if (t->count_arg == COUNT_NONE)
		return t->count;
	n = t->ptr == '>' ? number_at(w, w->after, w->after_len, t->count_arg) : list_count(w, t);
	if (!is_counted_by_arg(t) && w->l->members[t->count_arg].type.kind == TYPE_INT &&
	    is_negative(w, t->count_arg, n))
		n = 0;
	n = list_most(w, t) < n ? list_most(w, t) : n;
	return (uint32_t)(n < room ? n : room);
}

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

/* How many bytes, or elements, another member says there are: of what the call fills, after it, less a rest. */
static uint64_t told_count(const struct walk *w, const struct type *t, uint8_t by)
{
	bool is_after = t->is_filled && w->after;
	uint64_t n = is_after ? number_at(w, w->after, w->after_len, by) : member_number(w, by),
		 rest;

	if (!is_after || t->less_arg == COUNT_NONE)
		return n;
	rest = number_at(w, w->after, w->after_len, t->less_arg);
	return rest <= n ? n - rest : n; /* a negative one is too large */
}

/* Memory elsewhere. */
static void pointer_write(struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint64_t address = member_number(w, i), count = t->count;
	unsigned part = out_part(w->out, w->p + w->at[i]);

	name_write(w, &w->l->members[i]);
	if (t->limit_arg < w->l->count && !t->is_exact) {
		count = told_count(w, t, t->limit_arg);
		if (t->hex && address && !count && (!t->is_filled || w->after))
			out_string(w->out, NULL, 0, false, true);
		else if (t->array && address && !count && w->after)
			buf_str(w->out->o, "[]");
		else
			out_behind_bytes(w->out, t, part, address,
					 t->is_filled && !w->after ? 0 : count);
		return;
	}
	if (is_counted_by_arg(t))
		count = list_count(w, t);
	else if (t->count_arg != COUNT_NONE)
		count = told_count(w, t, t->count_arg);
	if (t->is_filled && !w->after && t->array && address && !count)
		buf_str(w->out->o, "[]");
	else if ((t->hidden && !w->out->options->verbose) || (t->is_filled && !w->after) ||
		 (t->is_exact && member_number(w, t->limit_arg) != t->size))
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
	    o->data[o->len - 1] != ']' || !count || list_count(w, t) <= list_most(w, t))
		return;
	buf_rewind(o, o->len - 1);
	buf_str(o, ", ...]");
}

static bool is_inner(const struct type *t)
{
	return t->kind == TYPE_STRUCT && t->ptr != '*' && t->count == 1;
}

/* A struct in one that the call changed: its members can be of those. Returns false if it is not. */
RARE static bool inner_changed_write(struct walk *w, const struct type *t, uint32_t at,
				     uint32_t size)
{
	if (!is_inner(t) || t->array || t->ptr || !w->after || at + size > w->after_len)
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
			count = member_count(w, i, size, is_after ? w->after_len : w->len);

	if (m->type.kind == TYPE_HOLE && m->type.bit) {
		buf_printf(w->out->o, " /* %s: %#x */", m->name, (unsigned)member_number(w, i));
		return;
	}
	if (m->type.kind == TYPE_HOLE) { /* bytes that should be 0 */
		buf_printf(w->out->o, " /* bytes %u..%u: %#x */", at, at + size - 1,
			   (unsigned)member_number(w, i));
		return;
	}
	name_write(w, m);
	if (m->type.kind == TYPE_TAIL) {
		tail_string_write(w, (uint32_t)member_number(w, i));
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
		 wanted = is_list ? member_number(w, t->count_arg) : t->count,
		 address = w->out->event->args[w->out->arg] +
			   (uint64_t)(w->p + w->at[i] - w->out->base);
	const char *p = w->p + w->at[i];

	if (wanted > list_most(w, t))
		wanted = list_most(w, t);
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

/* Bytes of a struct that another member shows, which it begins with to have a condition by them. */
static uint32_t shared_size(const struct walk *w, const struct type *t)
{
	const struct member *first = is_inner(t) ? ((const struct layout *)t->of)->members : NULL;
	uint32_t align;

	return first && is_hidden_name(first->name) && first->type.offset < 0 ?
		       member_size(&first->type, w->out->event->abi, &align) :
		       0;
}

static void members_write(struct walk *w, const char *rdev)
{
	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct member *m = &w->l->members[i];
		uint32_t align, size = member_size(&m->type, w->out->event->abi, &align);
		size_t len = m->type.ptr == '>' ? w->after_len : w->len;
		enum shown shown = member_shown(w, i);

		if (!strncmp(m->name, "=>", 2)) {
			w->lost = !w->after && strchr(m->name, '!');
			if ((m->type.optional && !condition_holds(w, i)) || !filled_begin(w))
				return;
			continue;
		}
		if (w->l->head && i >= w->l->head && shown == SHOWN && m->type.ptr != '>' &&
		    m->type.ptr != '*' && unread_write(w, i)) {
			if (!w->l->head_asks && m->type.count_arg == COUNT_NONE)
				return;
			continue;
		}
		if (shown == ABSENT || w->at[i] + shared_size(w, &m->type) >= len)
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

/* Writes the bytes of union bpf_attr that follow the known members, from `size` on. */
RARE static void bpf_rest_write(struct walk *w, uint32_t size)
{
	buf_str(w->out->o, w->any ? ", " : "");
	if (!w->out->options->verbose) {
		buf_str(w->out->o, "...");
		return;
	}
	buf_str(w->out->o, "extra_data=");
	out_string(w->out, w->p + size, w->len - size, false, true);
	buf_printf(w->out->o, " /* bytes %u..%u */", size, (unsigned)w->len - 1);
}

/* Where the last member of a struct, or of the struct that this is, ends: of alternatives, that which is there. */
RARE static uint32_t members_end(const struct walk *w)
{
	uint32_t align, end = 0;

	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct type *t = &w->l->members[i].type;
		struct walk inner = *w;
		uint32_t size = member_size(t, w->out->event->abi, &align), at = w->at[i];

		if (is_inner(t) && at < w->len) {
			inner.l = t->of;
			inner.p += at;
			inner.len -= at;
			members_place(inner.l, w->out->event->abi, inner.at);
			size = members_end(&inner);
		}
		if (strchr("=*", t->condition) && t->condition && !condition_holds(w, i))
			continue;
		end = at + size > end ? at + size : end;
	}
	return end;
}

/* True for a struct that says it has fewer bytes than any kernel takes: only that is shown. */
static bool is_too_small(const struct walk *w, const struct type *t)
{
	return t->limit_arg == LIMIT_SIZE && w->room < t->least && type_has_size_first(t);
}

/* Writes the bytes after the known members, if any is not 0. */
static void tail_write(struct walk *w, const struct type *t)
{
	uint32_t align, size = type_size(t, w->out->event->abi, &align),
			most = w->out->options->strings, i = size;

	if (t->limit_arg == LIMIT_SIZE) {
		if (!is_too_small(w, t))
			w->hidden |= w->room > size || w->len < w->room;
		return;
	}
	if (t->least && w->room > size && w->len < w->room && w->len < SYSSNOOP_TAKE_MAX &&
	    !w->out->json) {
		buf_str(w->out->o, w->any ? ", ???" : "???");
		return;
	}
	if (t->least == 1) /* bpf(2): without padding at its end */
		i = size = members_end(w);
	while (t->least && i < w->len && !w->p[i])
		i++;
	if (!t->least || i >= w->len || w->out->json)
		return;
	if (t->least == 1) { /* bpf(2) */
		bpf_rest_write(w, size);
		return;
	}
	buf_printf(w->out->o, "%s/* bytes %u..%u */ ", w->any ? ", " : "", size,
		   (unsigned)w->len - 1);
	out_string(w->out, w->p + size, w->len - size < most ? w->len - size : most,
		   w->len - size > most, true);
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

#define ZEROS_MAX 256

/* Bytes of a struct that zeros follow, and how it is written: members know their place from the beginning of the data. */
struct longer {
	char bytes[ZEROS_MAX];
	struct out out;
};

/* Copies the struct with zeros up to `end`, unless that is too far. */
static void zeros_append(struct walk *w, struct longer *l, uint32_t end)
{
	if (end <= w->len || end > ZEROS_MAX)
		return;
	memmove(l->bytes, w->p, w->len);
	memset(l->bytes + w->len, 0, end - w->len);
	l->out = *w->out;
	l->out.base = l->bytes - (w->p - w->out->base);
	w->out = &l->out;
	w->p = l->bytes;
	w->len = end;
}

/* Where the last of the members ends that are 0 in a struct that is too short. */
RARE static uint32_t zeros_end(const struct walk *w)
{
	uint32_t align;

	return w->at[w->l->zeros - 1] +
	       member_size(&w->l->members[w->l->zeros - 1].type, w->out->event->abi, &align);
}

/* Where the member ends within which the struct does, as one that later kernels extend; 0: within none. */
static uint32_t member_end(const struct walk *w)
{
	uint32_t align, end = 0;

	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		uint32_t size = member_size(&w->l->members[i].type, w->out->event->abi, &align);

		if (w->at[i] < w->len && w->at[i] + size > w->len && w->at[i] + size > end)
			end = w->at[i] + size;
	}
	return end;
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
		zeros_append(w, &longer, zeros_end(w));
	p = w->p;
	len = w->len;
	buf_char(out->o, is_list ? '[' : '{');
	if (is_too_small(w, t))
		w->len = 4;
	else if (t->least &&
		 (t->limit_arg == LIMIT_SIZE || *w->l->members[w->l->count - 1].name == '='))
		zeros_append(w, &longer, member_end(w));
	members_write(w, rdev_find(w->l, p, len));
	tail_write(w, t);
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

void out_memory(struct out *out, const struct type *t, const char *p, size_t len)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	uint64_t v;

	if (t->kind == TYPE_STRUCT) {
		out_struct(out, t->of, p, len);
		return;
	}
	if (t->kind == TYPE_SOCKADDR) {
		out_sockaddr(out, p, len);
		return;
	}
	if (t->kind == TYPE_SIGSET && len < size) {
		out_sigset(out, memory_number(p, (uint32_t)len));
		return;
	}
	if (len < size) {
		out_word(out, "?");
		return;
	}
	if (t->kind >= TYPE_BIT && out_form(out, t, p))
		return;
	v = memory_number(p, size);
	switch (t->kind) {
	case TYPE_SIGSET: out_sigset(out, v); break;
	case TYPE_SIGINFO: out_info(out, p); break;
	case TYPE_WSTATUS: out_wstatus(out, (unsigned)v); break;
	case TYPE_DEV: out_dev(out, v); break;
	case TYPE_EPOLLDATA:
		if (out->json)
			buf_printf(out->o, "{\"u32\":%u,\"u64\":%llu}", (unsigned)v,
				   (unsigned long long)v);
		else
			out_hex(out, v);
		break;
	default: out_scalar(out, t, v);
	}
}
