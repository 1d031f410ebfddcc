/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * structs.c - structs, member by member.
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "syscalls/text.h"

static const struct member *member_find(const struct layout *l, const char *name)
{
	for (uint8_t i = 0; i < l->count; i++)
		if (!strcmp(l->members[i].name, name))
			return &l->members[i];
	return NULL;
}

/* Of a device's file, where the number of the device is; else NULL. */
static const char *rdev_find(const struct layout *l, const char *p, size_t len)
{
	const struct member *mode = member_find(l, "st_mode"), *rdev = member_find(l, "_rdev");
	unsigned bits;

	if (!mode || !rdev || len < (size_t)rdev->type.offset + 8)
		return NULL;
	bits = (unsigned)memory_number(p + mode->type.offset, 4);
	return S_ISCHR(bits) || S_ISBLK(bits) ? p + rdev->type.offset : NULL;
}

static void member_put(struct out *out, const struct type *t, const char *p, uint32_t size)
{
	if (t->kind == TYPE_CHARS) {
		out_string(out, p, strnlen(p, t->count), false, false);
		return;
	}
	if (t->array)
		buf_char(out->o, '[');
	for (uint16_t i = 0; i < t->count; i++) {
		if (i)
			buf_str(out->o, out->json ? "," : ", ");
		out_memory(out, t, p + i * size, size);
	}
	if (t->array)
		buf_char(out->o, ']');
}

/* A member that is there only if it is not 0, or with certain flags in the first. */
static bool is_absent(const struct type *t, const char *first, const char *p, uint32_t size)
{
	if (!t->optional)
		return false;
	return t->with ? !(memory_number(first, 8) >> 8 & t->with) : !memory_number(p, size);
}

/* For utimensat(2): with the date. */
static bool utime_put(struct out *out, const char *p)
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

void out_struct(struct out *out, const struct layout *l, const char *p, size_t len)
{
	const char *rdev = rdev_find(l, p, len);
	bool first = true, hidden = false;
	uint32_t at = 0, align;

	if (!strcmp(l->name, "utime") && utime_put(out, p))
		return;
	buf_char(out->o, '{');
	for (uint8_t i = 0; i < l->count; i++) {
		const struct member *m = &l->members[i];
		uint32_t size = type_size(&m->type, out->event->abi, &align);

		at = m->type.offset >= 0 ? (uint32_t)m->type.offset :
					   (at + align - 1) / align * align;
		if (*m->name == '_' || at + size * m->type.count > len ||
		    is_absent(&m->type, p, p + at, size)) {
			at += size * m->type.count;
			continue;
		}
		if (m->type.hidden && !out->options->verbose && !out->json) {
			hidden = true;
			at += size * m->type.count;
			continue;
		}
		if (!first)
			buf_str(out->o, out->json ? "," : ", ");
		first = false;
		if (rdev && !strcmp(m->name, "st_size") && !out->json) {
			buf_str(out->o, "st_rdev=");
			out_dev(out, memory_number(rdev, 8));
			continue;
		}
		buf_printf(out->o, out->json ? "\"%s\":" : "%s=", m->name);
		member_put(out, &m->type, p + at, size);
		at += size * m->type.count;
	}
	buf_str(out->o, hidden ? ", ...}" : "}");
}
