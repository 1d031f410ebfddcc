/* SPDX-License-Identifier: GPL-2.0-only */
/* dates.c - times with the dates behind them. */
#include <stdio.h>
#include <time.h>
#include <sys/stat.h>

#include "syscalls/text.h"

/* The date behind a time; `digits`: of the part of a second. More than a second has none. */
void out_part_date(struct out *out, int64_t sec, uint64_t part, int digits)
{
	time_t t = (time_t)sec;
	struct tm tm;
	char date[32], zone[8];
	uint64_t most = digits == 6 ? 999999 : 999999999;

	if (part > most || out->json || (!sec && !part) || !localtime_r(&t, &tm))
		return;
	strftime(date, sizeof(date), "%FT%T", &tm);
	strftime(zone, sizeof(zone), "%z", &tm);
	if (part)
		buf_printf(out->o, " /* %s.%0*llu%s */", date, digits, (unsigned long long)part,
			   zone);
	else
		buf_printf(out->o, " /* %s%s */", date, zone);
}

/* For utimensat(2): with the date. */
bool out_utime(struct out *out, const char *p, bool is_usec)
{
	unsigned word = out->event->abi ? 4 : 8;
	int64_t sec = (int64_t)memory_number(p, word);
	uint64_t part = memory_number(p + word, word);
	size_t begin = out->o->len;
	char numbers[80];

	if (!is_usec && (part == UTIME_NOW || part == UTIME_OMIT)) {
		out_word(out, part == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT");
		snprintf(numbers, sizeof(numbers), "{tv_sec=%lld, tv_nsec=%llu}", (long long)sec,
			 (unsigned long long)part);
		out_style(out, begin, numbers);
		return true;
	}
	if (out->json)
		return false;
	buf_printf(out->o, "{tv_sec=%lld, tv_%csec=%llu}", (long long)sec, is_usec ? 'u' : 'n',
		   (unsigned long long)part);
	out_part_date(out, sec, part, is_usec ? 6 : 9);
	return true;
}

void out_time(struct out *out, const char *p, bool has_part)
{
	unsigned word = out->event->abi ? 4 : 8;
	int64_t sec = word == 4 ? (int32_t)memory_number(p, 4) : (int64_t)memory_number(p, 8);

	buf_int(out->o, sec);
	out_part_date(out, sec, has_part ? memory_number(p + word, word) : 0, 9);
}

void out_date(struct out *out, int64_t sec)
{
	size_t at = out->o->len;

	out_part_date(out, sec, 0, 0);
	if (out->o->len < at + 6)
		return;
	/* the same in parentheses */
	memmove(out->o->data + at + 2, out->o->data + at + 4, out->o->len - at - 4);
	out->o->data[at + 1] = '(';
	buf_rewind(out->o, out->o->len - 5);
	buf_char(out->o, ')');
}
