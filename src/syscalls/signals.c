/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signals.c - signals and the ends of processes as strace(1) prints them.
 */
#include <stdio.h>

#include "syscalls/text.h"

static const char *signal_name(unsigned nr, char room[16])
{
	const char *name = set_name(set_find("signal"), nr);

	snprintf(room, 16, nr == 32 ? "SIGRTMIN" : "SIGRT_%u", nr - 32);
	return name ?: room;
}

static void ticks_put(struct buf *o, const char *name, long ticks)
{
	buf_printf(o, ", %s=%ld", name, ticks);
	if (ticks)
		buf_printf(o, " /* %ld.%02ld s */", ticks / 100, ticks % 100);
}

void out_siginfo(struct out *out, const char *info, unsigned nr, unsigned word)
{
	int code = (int)memory_number(info + 8, 4);
	const char *p = info + (word == 8 ? 16 : 12); /* the part that differs */
	char room[16];
	struct buf *o = out->o;

	buf_printf(o, "{si_signo=%s, si_code=", signal_name(nr, room));
	if (code > 0 && code != 0x80)
		out_set(out, set_find(nr == 17 ? "cldcode" : "segvcode"), (uint32_t)code, 4);
	else
		out_set(out, set_find("sicode"), (uint32_t)code, 4);
	if (code <= 0 || (nr == 17 && code != 0x80))
		buf_printf(o, ", si_pid=%d, si_uid=%u", (int)memory_number(p, 4),
			   (unsigned)memory_number(p + 4, 4));
	if (nr == 17 && code > 0 && code != 0x80) {
		unsigned status = (unsigned)memory_number(p + 8, 4);

		buf_str(o, ", si_status=");
		if (code == 1)
			buf_uint(o, status);
		else
			buf_str(o, signal_name(status, room));
		p = word == 8 ? p + 16 : p + 12;
		ticks_put(o, "si_utime", (long)memory_number(p, word));
		ticks_put(o, "si_stime", (long)memory_number(p + word, word));
	} else if (code > 0 && code != 0x80) {
		uint64_t at = memory_number(p, word);

		buf_printf(o, at ? ", si_addr=%#llx" : ", si_addr=NULL", (unsigned long long)at);
	}
	buf_char(o, '}');
}

void out_signal(struct out *out)
{
	const struct syssnoop_event *e = out->event;
	char room[16];

	buf_printf(out->o, "--- %s ", signal_name(e->nr, room));
	out_siginfo(out, (const char *)e->siginfo, e->nr, 8);
	buf_str(out->o, " ---");
}

void out_exit(struct out *out)
{
	unsigned status = (unsigned)out->event->ret;
	char room[16];

	if (status & 127)
		buf_printf(out->o, "+++ killed by %s%s +++", signal_name(status & 127, room),
			   status & 128 ? " (core dumped)" : "");
	else
		buf_printf(out->o, "+++ exited with %u +++", status >> 8 & 255);
}
