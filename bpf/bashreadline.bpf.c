/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bashreadline.bpf.c - lines that shells have read, and shells that start.
 *
 * A shell is a process whose program has one of the names in `shells`. The probe is on a file that other programs may
 * map as well (libreadline): their lines are ignored.
 */
#include "lib/record.bpf.h"
#include "bashreadline.h"

#ifdef __TARGET_ARCH_powerpc
/* struct pt_regs has no member sp, which libbpf 1.x names */
#undef __PT_SP_REG
#define __PT_SP_REG gpr[1]
#endif

/* pieces to measure; a longer line ends with an unknown number of bytes left out */
#define REST_PIECES 16

const volatile char shells[BASHREADLINE_SHELLS][BASHREADLINE_NAME] = {};
const volatile __u32 shell_count = 0;

struct bashreadline_scratch {
	struct bashreadline_event e;
	char line[BASHREADLINE_LINE];
	char rest[BASHREADLINE_LINE]; /* buffer to measure what is left out */
	/* for scratch_claim: user probes can be preempted, and there are two */
	__u64 users;
};
SCRATCH(struct bashreadline_scratch);

static __always_inline bool name_equal(const __u64 *name, const volatile char *shell)
{
	const volatile __u64 *other = (const volatile void *)shell;

	return name[0] == other[0] && name[1] == other[1] && name[2] == other[2] &&
	       name[3] == other[3];
}

static __always_inline bool is_shell(struct task_struct *task)
{
	__u64 name[BASHREADLINE_NAME / 8] = {};
	const unsigned char *at = BPF_CORE_READ(task, mm, exe_file, f_path.dentry, d_name.name);

	bpf_probe_read_kernel_str(name, sizeof(name), at);
	for (__u32 i = 0; i < BASHREADLINE_SHELLS && i < shell_count; i++)
		if (name_equal(name, shells[i]))
			return true;
	return false;
}

/* Returns how many bytes of the line are beyond `from`; 0: unknown. */
static __always_inline __u32 rest_measure(struct bashreadline_scratch *s, const char *from)
{
	__u32 total = 0;

	for (int i = 0; i < REST_PIECES; i++) {
		long n = bpf_probe_read_user_str(s->rest, sizeof(s->rest), from + total);

		if (n <= 0)
			return 0;
		total += n - 1;
		if (n < (long)sizeof(s->rest))
			return total;
	}
	return 0;
}

/* Copies the line. Returns the record's size. */
static __always_inline __u64 line_copy(struct bashreadline_scratch *s, const char *line)
{
	struct event_str *str = &s->e.line;
	long n = bpf_probe_read_user_str(s->line, sizeof(s->line), line);

	*str = (struct event_str){ .off = sizeof(s->e) };
	if (n <= 0 || n > (long)sizeof(s->line)) {
		str->status = EVENT_FAULT;
		loss_count(LOSS_FAULT, 1);
		return sizeof(s->e);
	}
	str->len = n - 1;
	if (n == sizeof(s->line))
		str->left_out = rest_measure(s, line + n - 1);
	if (str->left_out) {
		str->status = EVENT_CUT;
		loss_count(LOSS_CUT, 1);
	}
	return sizeof(s->e) + n;
}

static __always_inline void tty_take(struct bashreadline_event *e, struct task_struct *task)
{
	struct tty_struct *tty = BPF_CORE_READ(task, signal, tty);

	e->tty[0] = 0;
	if (tty)
		bpf_probe_read_kernel_str(e->tty, sizeof(e->tty), &tty->name);
}

static __always_inline void line_send_by(struct bashreadline_scratch *s, struct task_struct *task,
					 const char *line, __u32 kind)
{
	__u64 size;

	header_fill(&s->e.header);
	task_fill(&s->e.task);
	s->e.kind = kind;
	s->e.uid = bpf_get_current_uid_gid();
	tty_take(&s->e, task);
	size = line_copy(s, line);
	/* hides bounds that clang derives, which the verifier does not know */
	asm volatile("" : "+r"(size));
	if (size <= sizeof(s->e) + sizeof(s->line))
		record_output(s, size);
}

static __always_inline int line_send(const char *line, __u32 kind)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct bashreadline_scratch *s = scratch_get();

	if (!line || !s || !filter_pass() || !is_shell(task) || !scratch_claim(&s->users))
		return 0;
	line_send_by(s, task, line, kind);
	scratch_release(&s->users);
	return 0;
}

/* readline(3) returns the line without its newline, or NULL at the end of the input. */
SEC("uretprobe")
int BPF_KRETPROBE(line_read, const char *line)
{
	STACK_OF_THREAD();
	return line_send(line, BASHREADLINE_LINE_READ);
}

/* ---- zsh ---- */

/* zleentry(cmd, …) is the entry to zsh's line editor for all of its functions; calls may be nested (Src/init.c of
 * zsh; the numbers are in Src/zsh.h). */
#define ZLE_CMD_READ 1

#if defined(__TARGET_ARCH_x86)
#define CALL_BYTES 8 /* bytes that a return pops from the stack */
#else
#define CALL_BYTES 0
#endif

/* Calls that read a line: the stack pointer that they will have at their returns. */
struct zle_call {
	__u64 pid_tgid, stack;
};
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct zle_call);
	__type(value, __u8);
} zle_reads SEC(".maps");

SEC("uprobe")
int BPF_KPROBE(zle_entered, int cmd)
{
	struct zle_call call = { bpf_get_current_pid_tgid(), PT_REGS_SP(ctx) + CALL_BYTES };
	__u8 one = 1;

	STACK_OF_THREAD();
	if (cmd == ZLE_CMD_READ && bpf_map_update_elem(&zle_reads, &call, &one, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	return 0;
}

SEC("uretprobe")
int BPF_KRETPROBE(zle_read, const char *line)
{
	struct zle_call call = { bpf_get_current_pid_tgid(), PT_REGS_SP(ctx) };

	STACK_OF_THREAD();
	if (bpf_map_delete_elem(&zle_reads, &call))
		return 0;
	return line_send(line, BASHREADLINE_ZSH_READ);
}

/* Not filtered: the file may be that of a shell which the filter accepts. */
SEC("tp_btf")
int BPF_PROG(shell_started)
{
	struct bashreadline_event *e;

	if (!is_shell((void *)bpf_get_current_task()))
		return 0;
	e = record_reserve(struct bashreadline_event);
	if (!e)
		return 0;
	__builtin_memset(e, 0, sizeof(*e));
	header_fill(&e->header);
	e->kind = BASHREADLINE_STARTED;
	record_submit(e);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
