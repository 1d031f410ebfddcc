/* SPDX-License-Identifier: GPL-2.0-only */
/* names.c - prints numbers by their sets: enums, and joined flags. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "syscalls/ioctl.h"
#include "syscalls/text.h"

/* Writes a number without a name, for a mask that comes first. */
static void unknown_write(struct out *out, const char *prefix, uint64_t v)
{
	out_hex(out, v);
	if (!out->json)
		buf_printf(out->o, " /* %s??? */", prefix);
}

static bool flags_names(struct out *out, const struct set *s, uint64_t *left)
{
	uint64_t v = *left;
	bool any = false;

	for (const struct field_name *f = s->items; f && f->name; f++) {
		uint64_t mask = f->mask ?: f->value;

		if (s->only && (s->only == PART_ENUM) != (f->mask != 0))
			continue;
		if (*f->name == '?' && *left & mask) {
			unknown_write(out, f->name + 1, *left & mask);
			any = true;
			*left &= ~mask;
		}
		if (*f->name == '?' || *f->name == '<' || !strncmp(f->name, "FMODE_", 6) ||
		    (*left & mask) != f->value || (!f->value && (!mask ? v != 0 : false)) ||
		    (!mask && v) || ((v & mask) != f->value))
			continue;
		if (any)
			buf_char(out->o, out->json ? ',' : '|');
		out_word(out, f->name);
		any = true;
		*left &= ~mask;
	}
	return any;
}

/* A request of terminals is that only if it found what its argument leads to: timers of sound have none, and other files
 * know neither. strace(1) asks what the file is. */
RARE static const char *terminal_name(const struct out *out, uint64_t v)
{
	static const struct field_name requests[] = {
		{ 0x5402, "TCSETS" }, { 0x5403, "TCSETSW" }, { 0x5404, "TCSETSF" }, { 0 }
	};
	const struct syssnoop_event *e = out->event;

	if (!e || !(e->ret == -EFAULT || (!e->ret && e->args[2])))
		return NULL;
	return set_name(&(struct set){ .items = requests }, v);
}

/* For two requests of ioctl(2) with the same number, strace(1) prints both. */
RARE static const char *two_names(const struct out *out, uint64_t v)
{
	static const struct field_name both[] = {
		{ 0x40049409, "BTRFS_IOC_CLONE or FICLONE" },
		{ 0x4020940d, "BTRFS_IOC_CLONE_RANGE or FICLONERANGE" },
		{ 0xc0189436, "BTRFS_IOC_FILE_EXTENT_SAME or FIDEDUPERANGE" },
		{ 0x5402, "SNDCTL_TMR_START or TCSETS" },
		{ 0x5403, "SNDCTL_TMR_STOP or TCSETSW" },
		{ 0x5404, "SNDCTL_TMR_CONTINUE or TCSETSF" },
		{ 0x5204, "FASTRPC_IOCTL_INIT_ATTACH or RNDZAPENTCNT" },
		{ 0x7004, "PHN_NOT_OH or RTC_UIE_OFF" },
		{ 0x80044801, "HIDIOCGRDESCSIZE or HIDIOCGVERSION" },
		{ 0 },
	};

	return terminal_name(out, v) ?: set_name(&(struct set){ .items = both }, v);
}

/* Requests of input devices whose numbers contain what is asked for. */
static const struct input_range {
	uint8_t way, first, last;
	bool has_size;
	const char *name, *set;
} input_ranges[] = { { 2, 0x20, 0x3f, true, "EVIOCGBIT", "evev" },
		     { 2, 0x40, 0x7f, false, "EVIOCGABS", "evabs" },
		     { 1, 0xc0, 0xff, false, "EVIOCSABS", "evabs" } };

static const struct input_range *input_range_find(uint64_t v)
{
	const struct input_range *r = input_ranges, *end = r + 3;
	unsigned nr = v & 0xff;

	while (r < end && (v >> 30 != r->way || nr < r->first || nr > r->last))
		r++;
	return r < end && (v >> 8 & 0xff) == 'E' ? r : NULL;
}

static void input_write(struct out *out, const struct input_range *r, uint64_t v)
{
	const struct set *s = set_find(r->set);
	unsigned n = (v & 0xff) - r->first;
	const char *name = n || !r->has_size ? set_name(s, n) : "0";

	buf_printf(out->o, name ? "%s(%s" : "%s(%s%#x", r->name, name ?: "", n);
	if (!name && out->options->style == SYSCALL_NAMES)
		buf_printf(out->o, " /* %s??? */", s->prefix);
	buf_printf(out->o, r->has_size ? ", %u)" : ")", (unsigned)v >> 16 & 0x3fff);
}

const char *request_group(const struct set *s, uint64_t v)
{
	const struct input_range *r;

	if (!s || s != set_find("ioctl"))
		return NULL;
	v = ioctl_generic(v);
	r = input_range_find(v);
	return r ? r->name : set_name(set_find("ioctlsize"), v >> 30 << 16 | (v & 0xffff));
}

/* A request of ioctl(2) without a name is printed by its size and direction. */
static bool request_write(struct out *out, const struct set *s, uint64_t v)
{
	static const char *const ways[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
					    "_IOC_READ|_IOC_WRITE" };
	const struct input_range *r;
	const char *name;

	if (!s || out->json || s != set_find("ioctl"))
		return false;
	name = request_group(s, v);
	v = ioctl_generic(v);
	r = input_range_find(v);
	if (r) {
		input_write(out, r, v);
		return true;
	}
	if (name) {
		buf_printf(out->o, "%s(%u)", name, (unsigned)v >> 16 & 0x3fff);
		return true;
	}
	buf_printf(out->o, "_IOC(%s, %#x, %#x, %#x)", ways[v >> 30 & 3], (unsigned)v >> 8 & 0xff,
		   (unsigned)v & 0xff, (unsigned)v >> 16 & 0x3fff);
	return true;
}

/* <<NAME is a number, shifted by its value: 21<<MAP_HUGE_SHIFT; <<<NAME is hexadecimal, and always after all names. << alone
 * is one that is always shown: PR_SME_VL_INHERIT|0x10. */
static const struct field_name *shifted_find(const struct set *s)
{
	for (const struct field_name *f = s ? s->items : NULL; f && f->name; f++)
		if (*f->name == '<')
			return f;
	return NULL;
}

static void low_write(struct out *out, bool any, uint64_t number, const char *name)
{
	const char *quote = out->json ? "\"" : "";

	buf_printf(out->o, "%s%s%#llx%s%s",
		   !any	     ? "" :
		   out->json ? "," :
			       "|",
		   quote, (unsigned long long)number, name, quote);
}

static void flags_write(struct out *out, const struct set *s, uint64_t v)
{
	const char *prefix = s->prefix ?: "";
	const struct field_name *shifted = shifted_find(s);
	uint64_t number = shifted ? v & shifted->mask : 0, left = v & ~number;
	bool is_unnamed = shifted && !shifted->name[2],
	     is_last = shifted && shifted->name[2] == '<',
	     is_plain = left || is_last || (!number && !is_unnamed), any = false;

	if (is_plain)
		any = flags_names(out, s, &left);
	if (is_last && number) {
		low_write(out, any, number >> shifted->value, shifted->name + 1);
		any = true;
	}
	if (left || (!any && is_plain && !out->json)) {
		if (any)
			buf_char(out->o, out->json ? ',' : '|');
		out_hex(out, left);
		if (!any && left && !out->json && *prefix != '-')
			buf_printf(out->o,
				   strchr(prefix, '?') && prefix[1] ? " /* %s */" : " /* %s??? */",
				   *prefix == '?' && !prefix[1] ? "" : prefix);
		any = true;
	}
	if (is_unnamed)
		low_write(out, any, number, "");
	else if (number && !is_last)
		buf_printf(out->o, out->json ? "%s\"%llu%s\"" : "%s%llu%s",
			   !any	     ? "" :
			   out->json ? "," :
				       "|",
			   (unsigned long long)(number >> shifted->value), shifted->name);
}

static void set_write(struct out *out, const struct set *s, uint64_t v, uint32_t size)
{
	const char *prefix = s && s->prefix ? s->prefix : "", *name = NULL;

	if (size < 8)
		v &= (1ull << size * 8) - 1;
	if (!s || s->is_enum) {
		name = set_name(s, v);
		if (name && !out->json && *prefix == '?')
			name = two_names(out, ioctl_generic(v)) ?: name;
		if (!name && request_write(out, s, v))
			return;
		if (name)
			out_word(out, name);
		else if (size == 8 && (*prefix == '=' || s->is_decimal))
			buf_uint(out->o, v);
		else if (!strcmp(prefix, "=+"))
			buf_uint(out->o, (uint32_t)v);
		else if (*prefix == '=' || s->is_decimal)
			buf_int(out->o, (int32_t)v);
		else
			out_hex(out, v);
		if (!name && s && !out->json && !strchr("-=", *prefix))
			buf_printf(out->o,
				   strchr(prefix, '?') && prefix[1] ? " /* %s */" : " /* %s??? */",
				   *prefix == '?' && !prefix[1] ? "" : prefix);
		return;
	}
	if (out->json)
		buf_char(out->o, '[');
	flags_write(out, s, v);
	if (out->json)
		buf_char(out->o, ']');
}

void out_style(struct out *out, size_t begin, const char *number)
{
	struct buf *o = out->o;
	size_t len = o->len - begin, number_len = strlen(number);
	char name[len + 1];

	if (!out_is_styled(out) || o->error)
		return;
	memcpy(name, o->data + begin, len);
	name[len] = 0;
	if (!strncmp(name, number, number_len) && (!name[number_len] || name[number_len] == ' ')) {
		if (out->options->style == SYSCALL_NUMBERS_ONLY)
			buf_rewind(o, begin + number_len);
		return;
	}
	buf_rewind(o, begin);
	if (out->options->style == SYSCALL_BOTH)
		buf_printf(o, "%s /* %s */", number, name);
	else
		buf_str(o, number);
}

/* True if a number under the mask has a name, or if the set ends with a name for all others. */
static bool has_number(const struct set *s, uint64_t mask, uint64_t number)
{
	for (const struct field_name *f = s->items; f->name && f->mask == mask; f++)
		if (f->value == number || (number && *f->name == '?'))
			return true;
	return false;
}

/* An enum under a mask, which comes first, and flags. */
static void split_write(struct out *out, const struct set *s, uint64_t v, uint32_t size)
{
	uint64_t mask = s->items->mask, number = v & mask, flags = v & ~mask;
	struct set part = *s;
	bool any = has_number(s, mask, number);

	part.is_split = false;
	part.only = PART_ENUM;
	if (any)
		out_set(out, &part, number, size);
	part.only = PART_FLAGS;
	if (any && !flags)
		return;
	buf_str(out->o, any ? "|" : "");
	out_set(out, &part, any ? flags : v, size);
}

/* The number, with its name as a comment, if names are wanted at all. */
static void both_write(struct out *out, const struct set *s, uint64_t v, uint32_t size)
{
	struct syscall_options options = *out->options;
	struct out own = *out;
	struct set set = *s;

	if (options.style == SYSCALL_NAMES)
		options.style = SYSCALL_BOTH;
	own.options = &options;
	set.is_both = false;
	out_set(&own, &set, v, size);
}

/* -X: of shmget(2) a number that is shifted stays apart: 0x200|21<<26. Returns false if there is none. */
static bool shifted_write(struct out *out, const struct set *s, uint64_t v, uint32_t size)
{
	bool is_apart = out_is_styled(out) && *s->prefix == '-';
	const struct field_name *shifted = is_apart ? shifted_find(s) : NULL;
	uint64_t number = shifted && shifted->name[2] && shifted->name[2] != '<' ?
				  v & shifted->mask :
				  0;
	char shift[24];
	size_t begin;

	if (!number)
		return false;
	if (v & ~number) {
		out_set(out, s, v & ~number, size);
		buf_char(out->o, '|');
	}
	buf_printf(out->o, "%llu<<", (unsigned long long)(number >> shifted->value));
	begin = out->o->len;
	buf_str(out->o, shifted->name + 2);
	snprintf(shift, sizeof(shift), "%llu", (unsigned long long)shifted->value);
	out_style(out, begin, shift);
	return true;
}

void out_set(struct out *out, const struct set *s, uint64_t v, uint32_t size)
{
	const char *prefix = s && s->prefix ? s->prefix : "";
	size_t begin = out->o->len;
	char number[32];

	if (s && shifted_write(out, s, v, size))
		return;

	if (s && s->is_split && !out->json) {
		split_write(out, s, v, size);
		return;
	}
	if (s && s->is_both && !out->json) {
		both_write(out, s, v, size);
		return;
	}
	set_write(out, s, v, size);
	if (!out_is_styled(out))
		return;
	if (size < 8)
		v &= (1ull << size * 8) - 1;
	if (s && s->is_enum && (*prefix == '=' || s->is_decimal || s == set_find("signal")))
		snprintf(number, sizeof(number), size == 8 ? "%llu" : "%lld",
			 size == 8 || prefix[1] == '+' ? (unsigned long long)v :
							 (unsigned long long)(int32_t)v);
	else
		snprintf(number, sizeof(number), "%#llx", (unsigned long long)v);
	out_style(out, begin, number);
}
