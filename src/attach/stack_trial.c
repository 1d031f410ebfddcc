/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_trial.c - finds out by a trial if stacks are complete (stack_trial.h).
 *
 * The kernel walks a stack from the registers that it passes to a program. An fprobe does not save all of them. If
 * the missing ones distinguish user from kernel mode (arm64 before 6.18), the kernel stack ends at its first frame,
 * and the user stack is a kernel address or empty.
 */
#include "attach/stack_trial.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/method.h"
#include "attach/prog.h"
#include "kernel/insn.h"
#include "util/log.h"

/* Called by stat from another source file, so it is not inlined. */
#define CALLED "security_inode_getattr"

enum { FRAME = 8, FRAMES = 2 };

struct taken {
	uint64_t ran; /* 1: the program ran */
	/* bytes of the frames, or a negative errno; 0 if the kernel mistakes the registers for those of user mode */
	int64_t bytes;
	uint64_t frames[FRAMES];
};

bool stack_is_captured(const struct bpf_insn *insns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (insns[i].code == (BPF_JMP | BPF_CALL) && !insns[i].src_reg &&
		    insns[i].imm == BPF_FUNC_get_stack)
			return true;
	return false;
}

static int program_load(int map)
{
	const struct bpf_insn insns[] = {
		INSN_ADDRESS(BPF_REG_6, BPF_PSEUDO_MAP_VALUE, map),
		INSN_MOV(BPF_REG_2, BPF_REG_6),
		INSN_ADD(BPF_REG_2, offsetof(struct taken, frames)),
		INSN_SET(BPF_REG_3, FRAMES * FRAME),
		INSN_SET(BPF_REG_4, 0),
		INSN_CALL(BPF_FUNC_get_stack),
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_0,
		     offsetof(struct taken, bytes), 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_6, 0, offsetof(struct taken, ran), 1),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	const struct attach_target target = { .function = CALLED };

	return prog_load(insns, INSN_COUNT(insns), ATTACH_KPROBE_MULTI, &target, NULL, 0);
}

static void call(void)
{
	struct stat root;

	if (stat("/", &root))
		log_debug(2, "stat: %s", strerror(errno));
}

static int stack_read(struct taken *taken)
{
	const char *name = CALLED;
	const struct attach_multi multi = { .count = 1, .names = &name };
	const struct attach_target target = { .function = CALLED, .multi = &multi };
	uint32_t key = 0;
	int map = prog_map_create(BPF_MAP_TYPE_ARRAY, "taken", sizeof(key), sizeof(*taken), 1, 0);
	int program = map < 0 ? map : program_load(map);
	int link = program < 0 ? program : attach_link_real(ATTACH_KPROBE_MULTI, &target, program);

	if (link >= 0) {
		call();
		close(link);
	}
	if (program >= 0)
		close(program);
	if (map < 0)
		return map;
	if (bpf_map_lookup_elem(map, &key, taken))
		link = -errno;
	close(map);
	return link < 0 ? link : 0;
}

bool stack_of_multi_is_whole(void)
{
	static bool tried, whole = true;
	struct taken taken = { 0 };
	int err;

	if (tried)
		return whole;
	tried = true;
	err = stack_read(&taken);
	whole = err || !taken.ran || taken.bytes >= FRAMES * FRAME;
	log_debug(1, "stacks by kprobe.multi: %s",
		  err	     ? strerror(-err) :
		  !taken.ran ? "not tried out" :
		  whole	     ? "whole" :
			       "they end at their first frame");
	return whole;
}
