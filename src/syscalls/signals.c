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

void out_signal(struct out *out)
{
	const struct syssnoop_event *e = out->event;
	const char *info = (const char *)e->siginfo;
	int code = (int)memory_number(info + 8, 4);
	char room[16];
	const char *name = signal_name(e->nr, room);
	struct buf *o = out->o;

	buf_printf(o, "--- %s {si_signo=%s, si_code=", name, name);
	if (code > 0 && code != 0x80)
		out_set(out, set_find(e->nr == 17 ? "cldcode" : "segvcode"), (uint32_t)code, 4);
	else
		out_set(out, set_find("sicode"), (uint32_t)code, 4);
	if (e->nr == 17 && code > 0) {
		unsigned status = (unsigned)memory_number(info + 24, 4);

		buf_printf(o,
			   ", si_pid=%d, si_uid=%u, si_status=", (int)memory_number(info + 16, 4),
			   (unsigned)memory_number(info + 20, 4));
		if (code == 1)
			buf_uint(o, status);
		else
			buf_str(o, signal_name(status, room));
		ticks_put(o, "si_utime", (long)memory_number(info + 32, 8));
		ticks_put(o, "si_stime", (long)memory_number(info + 40, 8));
	} else if (code <= 0) {
		buf_printf(o, ", si_pid=%d, si_uid=%u", (int)memory_number(info + 16, 4),
			   (unsigned)memory_number(info + 20, 4));
	} else if (code != 0x80) {
		uint64_t at = memory_number(info + 16, 8);

		buf_printf(o, at ? ", si_addr=%#llx" : ", si_addr=NULL", (unsigned long long)at);
	}
	buf_str(o, "} ---");
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
