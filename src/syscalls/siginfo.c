/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * siginfo.c - prints signals, with the member of the siginfo union that applies; and ends of threads.
 */
#include <limits.h>
#include <stdio.h>

#include "syscalls/text.h"
#include "util/errname.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The varying part, of a program or kernel whose words have `word` bytes. */
struct part {
	struct out *out;
	const char *p;
	unsigned word;
	int signal, code;
};

static uint64_t word_at(const struct part *s, unsigned at)
{
	return memory_number(s->p + at, s->word);
}

static unsigned int_at(const struct part *s, unsigned at)
{
	return (unsigned)memory_number(s->p + at, 4);
}

static void pointer_write(struct buf *o, const char *name, uint64_t v)
{
	buf_printf(o, v ? ", %s=%#llx" : ", %s=NULL", name, (unsigned long long)v);
}

static void source_write(const struct part *s)
{
	static const struct type pid = { .kind = TYPE_INT };

	buf_printf(s->out->o, ", si_pid=%d", (int)int_at(s, 0));
	out_pid_here(s->out, "pid", &pid, int_at(s, 0));
	buf_printf(s->out->o, int_at(s, 4) == ~0u ? ", si_uid=%d" : ", si_uid=%u", int_at(s, 4));
}

static void value_write(const struct part *s)
{
	buf_printf(s->out->o, ", si_int=%d", (int)int_at(s, 8));
	pointer_write(s->out->o, "si_ptr", word_at(s, 8));
}

static void queued_write(const struct part *s)
{
	source_write(s);
	if (word_at(s, 8))
		value_write(s);
}

static void timer_write(const struct part *s)
{
	buf_printf(s->out->o, ", si_timerid=%#x, si_overrun=%d", int_at(s, 0), (int)int_at(s, 4));
	value_write(s);
}

/* Writes what the kernel reports for signals without a member of their own. */
static void other_write(const struct part *s)
{
	if (word_at(s, 0))
		queued_write(s);
}

static void ticks_write(struct buf *o, const char *name, long ticks)
{
	buf_printf(o, ", %s=%ld", name, ticks);
	if (ticks)
		buf_printf(o, " /* %ld.%02ld s */", ticks / 100, ticks % 100);
}

static void child_write(const struct part *s)
{
	unsigned status = int_at(s, 8), times = s->word == 8 ? 16 : 12;
	struct buf *o = s->out->o;
	char room[16];

	source_write(s);
	buf_str(o, ", si_status=");
	if (s->code == 1) /* CLD_EXITED */
		buf_uint(o, status);
	else
		buf_str(o, signal_name(status, room));
	ticks_write(o, "si_utime", (long)word_at(s, times));
	ticks_write(o, "si_stime", (long)word_at(s, times + s->word));
}

static void fault_write(const struct part *s)
{
	struct buf *o = s->out->o;
	unsigned more = s->word * 2;

	pointer_write(o, "si_addr", word_at(s, 0));
	if (s->signal == 7 && (s->code == 4 || s->code == 5)) { /* BUS_MCEERR_… */
		buf_printf(o, ", si_addr_lsb=%#x", (unsigned)memory_number(s->p + s->word, 2));
	} else if (s->signal == 11 && s->code == 3) { /* SEGV_BNDERR */
		pointer_write(o, "si_lower", word_at(s, more));
		pointer_write(o, "si_upper", word_at(s, more + s->word));
	} else if (s->signal == 11 && s->code == 4) { /* SEGV_PKUERR */
		buf_printf(o, ", si_pkey=%u", int_at(s, more));
	}
}

static void band_write(const struct part *s)
{
	long band = s->word == 8 ? (long)word_at(s, 0) : (int)int_at(s, 0);

	buf_printf(s->out->o, ", si_band=%ld, si_fd=%d", band, (int)int_at(s, s->word));
	out_member_file(s->out, s->p + s->word, "si_fd");
}

static void seccomp_write(const struct part *s)
{
	pointer_write(s->out->o, "si_call_addr", word_at(s, 0));
	s->out->arch = int_at(s, s->word + 4);
	buf_str(s->out->o, ", si_syscall=");
	out_nr(s->out, int_at(s, s->word));
	buf_str(s->out->o, ", si_arch=");
	out_arch(s->out, s->out->arch);
}

static void trap_write(const struct part *s)
{
	struct buf *o = s->out->o;

	fault_write(s);
	if (s->code != 6 || !s->out->options->verbose) /* TRAP_PERF */
		return;
	buf_str(o, ", si_perf_data=");
	out_hex(s->out, word_at(s, s->word));
	buf_str(o, ", si_perf_type=");
	out_set(s->out, set_find("perftype"), int_at(s, s->word * 2), 4);
	buf_str(o, ", si_perf_flags=");
	out_set(s->out, set_find("trapperf"), int_at(s, s->word * 2 + 4), 4);
}

static void nothing_write(const struct part *s)
{
	(void)s;
}

#define SI_KERNEL_CODE 0x80

/* The first row that matches applies; signal 0: any. A signal's own codes are above 0. */
static const struct {
	int signal, code_min, code_max;
	const char *codes; /* the set of their names */
	void (*write)(const struct part *s);
} members[] = {
	{ 0, -2, -2, "sicode", timer_write },
	{ 0, -6, -6, "sicode", source_write }, /* SI_TKILL */
	{ 0, -5, -5, "sicode", band_write },   /* SI_SIGIO */
	{ 0, 0, 0, "sicode", source_write },
	{ 0, INT_MIN, -1, "sicode", queued_write },
	{ 17, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", other_write },
	{ 17, 1, INT_MAX, "cldcode", child_write },
	{ 4, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", fault_write },
	{ 4, 1, INT_MAX, "illcode", fault_write },
	{ 8, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", fault_write },
	{ 8, 1, INT_MAX, "fpecode", fault_write },
	{ 7, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", fault_write },
	{ 7, 1, INT_MAX, "buscode", fault_write },
	{ 11, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", fault_write },
	{ 11, 1, INT_MAX, "segvcode", fault_write },
	{ 0, SI_KERNEL_CODE, SI_KERNEL_CODE, "sicode", other_write },
	{ 5, 1, INT_MAX, "trapcode", trap_write },
	{ 29, 1, INT_MAX, "pollcode", band_write },
	{ 31, 1, INT_MAX, "syscode", seccomp_write },
	/* F_SETSIG: a signal of one's choice with the codes of SIGIO */
	{ 0, 1, 6, "pollcode", band_write },
	{ 0, INT_MIN, INT_MAX, "sicode", nothing_write },
};

/* A name, or with -X its number. */
static void named_write(struct out *out, const char *name, unsigned v)
{
	size_t begin = out->o->len;
	char number[12];

	buf_str(out->o, name);
	snprintf(number, sizeof(number), "%u", v);
	out_style(out, begin, number);
}

void out_siginfo(struct out *out, const char *info, unsigned nr, unsigned word)
{
	struct part s = { out, info + (word == 8 ? 16 : 12), word, (int)nr,
			  (int)memory_number(info + 8, 4) };
	int err = (int)memory_number(info + 4, 4);
	char room[16];
	size_t i = 0;

	while (i + 1 < COUNT(members) &&
	       ((members[i].signal && members[i].signal != s.signal) ||
		s.code < members[i].code_min || s.code > members[i].code_max))
		i++;
	buf_str(out->o, "{si_signo=");
	named_write(out, signal_name(nr, room), nr);
	buf_str(out->o, ", si_code=");
	if (set_name(set_find(members[i].codes), (uint32_t)s.code))
		out_set(out, set_find(members[i].codes), (uint32_t)s.code, 4);
	else
		out_hex(out, (uint32_t)s.code);
	if (err && errname(err)) {
		buf_str(out->o, ", si_errno=");
		named_write(out, errname(err), (unsigned)err);
	} else if (err)
		buf_printf(out->o, ", si_errno=%u", (unsigned)err);
	members[i].write(&s);
	buf_char(out->o, '}');
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

	if (out->event->flags & SYSSNOOP_SUPERSEDED)
		buf_printf(out->o, "+++ superseded by execve in pid %u +++", out->event->nr);
	else if (status & 127)
		buf_printf(out->o, "+++ killed by %s%s +++", signal_name(status & 127, room),
			   status & 128 ? " (core dumped)" : "");
	else
		buf_printf(out->o, "+++ exited with %u +++", status >> 8 & 255);
}

/* In a stop the signal has bit 7 if it is a system call's (PTRACE_O_TRACESYSGOOD); the bits above are ptrace(2)'s
 * event. */
static void stop_write(struct buf *o, unsigned s)
{
	const char *event = s >> 16 ? set_name(set_find("ptraceevent"), s >> 16) : NULL;
	char room[16];

	buf_printf(o, "[{WIFSTOPPED(s) && WSTOPSIG(s) == %s%s}", signal_name(s >> 8 & 127, room),
		   s & 0x8000 ? " | 0x80" : "");
	if (event)
		buf_printf(o, "|%s<<16", event);
	else if (s >> 16)
		buf_printf(o, "|%#x<<16", s >> 16);
	buf_char(o, ']');
}

void out_wstatus(struct out *out, unsigned s)
{
	char room[16];
	struct buf text;

	buf_init(&text, -1);
	if (!(s & 127))
		buf_printf(&text, "[{WIFEXITED(s) && WEXITSTATUS(s) == %u}]", s >> 8 & 255);
	else if (s == 0xffff)
		buf_str(&text, "[{WIFCONTINUED(s)}]");
	else if ((s & 127) == 127)
		stop_write(&text, s);
	else
		buf_printf(&text, "[{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}]",
			   signal_name(s & 127, room), s & 128 ? " && WCOREDUMP(s)" : "");
	buf_char(&text, '\0');
	if (text.error)
		out->o->error = text.error;
	else
		out_word(out, text.data);
	buf_free(&text);
}

/* Empty for waitid(2) if there was nothing to wait for. */
void out_info(struct out *out, const char *p)
{
	unsigned nr = (unsigned)memory_number(p, 4);

	if (out->json)
		buf_printf(out->o, "{\"si_signo\":%u,\"si_code\":%d}", nr,
			   (int)memory_number(p + 8, 4));
	else if (nr)
		out_siginfo(out, p, nr, out->event->abi ? 4 : 8);
	else
		buf_str(out->o, "{}");
}
