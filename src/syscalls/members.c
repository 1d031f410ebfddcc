/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members.c - a struct in memory, member by member: which are shown, and what the call has changed.
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>
#include <time.h>
#include <sys/stat.h>

#include "syscalls/text.h"

struct walk {
	struct out *out;
	const struct layout *l;
	const char *p; /* as it was passed */
	size_t len;
	const char *after; /* as the call left it; NULL: it did not, or nobody knows */
	size_t after_len;
	uint32_t at[MEMBERS_MAX];
	int32_t last; /* offset of the member that was shown last */
	bool any, hidden;
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

/* Where each member is. */
static void walk_place(struct walk *w)
{
	uint32_t at = 0, align;

	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct type *t = &w->l->members[i].type;
		uint32_t size = type_size(t, w->out->event->abi, &align);

		if (t->offset >= 0)
			at = (uint32_t)t->offset;
		else if (align)
			at = (at + align - 1) / align * align;
		w->at[i] = at;
		at += size * t->count;
	}
}

static uint64_t member_number(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint32_t align, size = type_size(t, w->out->event->abi, &align);
	uint64_t v;

	if (w->at[i] + size > w->len)
		return 0;
	v = memory_number(w->p + w->at[i], size);
	return t->kind == TYPE_BIT ? v >> t->bit & 1 : v;
}

static bool condition_holds(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;

	switch (t->condition) {
	case '&': return member_number(w, t->on) & t->with;
	case '=': return member_number(w, t->on) == t->with;
	case '!': return member_number(w, t->on) != t->with;
	default: return w->last != (int32_t)w->at[i];
	}
}

enum shown { SHOWN, ABSENT, HIDDEN };

/* A member that is there only if it is not 0, or if another is as its type says. */
static enum shown member_shown(const struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	bool is_short = m->type.hidden && !w->out->options->verbose && !w->out->json;

	if (*m->name == '_' || (m->type.ptr == '>' && !w->after))
		return ABSENT;
	if (m->type.optional && m->type.condition && !condition_holds(w, i))
		return ABSENT;
	if (m->type.optional && !m->type.condition && !member_number(w, i) &&
	    (!m->type.hidden || is_short))
		return ABSENT;
	return is_short && (!m->type.optional || m->type.condition) ? HIDDEN : SHOWN;
}

static void elements_write(struct out *out, const struct type *t, const char *p, uint32_t size)
{
	if (t->array)
		buf_char(out->o, '[');
	for (uint16_t i = 0; i < t->count; i++) {
		if (i)
			buf_str(out->o, out->json ? "," : ", ");
		if (t->kind == TYPE_INDEXED && !out->json) {
			const char *name = set_name(set_find("termcc"), i);

			buf_printf(out->o, name ? "[%s]=" : "[%s%u]=", name ?: "", i);
		}
		out_memory(out, t, p + i * size, size);
	}
	if (t->array)
		buf_char(out->o, ']');
}

static void value_write(struct out *out, const struct member *m, const char *p, uint32_t size)
{
	const struct type *t = &m->type;

	if (t->kind == TYPE_CHARS)
		out_string(out, p, strnlen(p, t->count), false, false);
	else if (t->kind == TYPE_BYTES)
		out_string(out, p, t->count, false, true);
	else if (t->kind == TYPE_INET6)
		out_inet6(out, p, m->name);
	else
		elements_write(out, t, p, size);
}

static void name_write(struct walk *w, const struct member *m)
{
	struct buf *o = w->out->o;

	if (w->any)
		buf_str(o, w->out->json ? "," : ", ");
	w->any = true;
	if (w->out->json)
		buf_printf(o, "\"%s\":", m->name);
	else if (m->type.kind != TYPE_INET6)
		buf_printf(o, "%s=", m->name);
}

static void member_write(struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	uint32_t align, size = type_size(&m->type, w->out->event->abi, &align),
			whole = size * m->type.count, at = w->at[i];
	bool is_after = m->type.ptr == '>';
	const char *p = is_after ? w->after : w->p;

	name_write(w, m);
	value_write(w->out, m, p + at, size);
	if (m->type.ptr != '&' || !w->after || at + whole > w->after_len || w->out->json ||
	    !memcmp(p + at, w->after + at, whole))
		return;
	buf_str(w->out->o, " => ");
	value_write(w->out, m, w->after + at, size);
}

/* For utimensat(2): with the date. */
static bool utime_write(struct out *out, const char *p)
{
	unsigned word = out->event->abi ? 4 : 8;
	time_t sec = (time_t)memory_number(p, word);
	uint64_t nsec = memory_number(p + word, word);
	struct tm tm;
	char date[32], zone[8];

	if (nsec == UTIME_NOW || nsec == UTIME_OMIT) {
		out_word(out, nsec == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT");
		return true;
	}
	if (out->json)
		return false;
	buf_printf(out->o, "{tv_sec=%lld, tv_nsec=%llu}", (long long)sec, (unsigned long long)nsec);
	if ((!sec && !nsec) || nsec > 999999999 || !localtime_r(&sec, &tm))
		return true;
	strftime(date, sizeof(date), "%FT%T", &tm);
	strftime(zone, sizeof(zone), "%z", &tm);
	buf_printf(out->o, nsec ? " /* %s.%09llu%s */" : " /* %s%.0llu%s */", date,
		   (unsigned long long)nsec, zone);
	return true;
}

/* Of a member that is only in part there, its bytes. */
static void rest_write(struct walk *w, uint8_t i)
{
	name_write(w, &w->l->members[i]);
	out_string(w->out, w->p + w->at[i], w->len - w->at[i], false, true);
}

static void members_write(struct walk *w, const char *rdev)
{
	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct member *m = &w->l->members[i];
		uint32_t align, size = type_size(&m->type, w->out->event->abi, &align) *
				       m->type.count;
		size_t len = m->type.ptr == '>' ? w->after_len : w->len;
		enum shown shown = member_shown(w, i);

		if (shown == ABSENT || w->at[i] >= len)
			continue;
		if (shown == HIDDEN) {
			w->hidden = true;
			continue;
		}
		w->last = (int32_t)w->at[i];
		if (w->at[i] + size > len) {
			rest_write(w, i);
			break;
		}
		if (rdev && !strcmp(m->name, "st_size") && !w->out->json) {
			buf_str(w->out->o, w->any ? ", st_rdev=" : "st_rdev=");
			w->any = true;
			out_dev(w->out, memory_number(rdev, 8));
			continue;
		}
		member_write(w, i);
	}
}

void out_struct_changed(struct out *out, const struct layout *l, const char *p, size_t len,
			const char *after, size_t after_len)
{
	struct walk w = { out, l, p, len, after, after_len, { 0 }, -1, false, false };

	if (!strcmp(l->name, "utime") && utime_write(out, p))
		return;
	walk_place(&w);
	buf_char(out->o, '{');
	members_write(&w, rdev_find(l, p, len));
	if (w.hidden)
		buf_str(out->o, w.any ? ", ..." : "...");
	buf_char(out->o, '}');
}

void out_struct(struct out *out, const struct layout *l, const char *p, size_t len)
{
	out_struct_changed(out, l, p, len, NULL, 0);
}
