/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask_functions.c - has the kernel look up names, by a program that runs once, and reads where their code begins.
 *
 * ftrace can patch a function that begins with its empty instruction: where tracing is forbidden, the compiler leaves
 * none. A function that begins with anything else may be traced already, so that tells nothing. Kernels before 5.16
 * answer nothing.
 */
#include "attach/ask_functions.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/method.h"
#include "attach/events.h"
#include "kernel/arch.h"
#include "kernel/insn.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"

enum {
	KALLSYMS_LOOKUP_NAME = 179, /* a helper */
	NAME_SIZE = 64,		    /* a longer one is not asked for */
	AT_A_TIME = 16,		    /* two bits of the result for each */
	INSNS_A_NAME = NAME_SIZE / 4 + 48,
	/* the stack */
	ADDRESS = -8,
	CODE = -16,
	NAME = CODE - NAME_SIZE,
	RESULT = BPF_REG_6,
	ABSENT = 1,
	PATCHABLE = 2,
};

/* How functions begin that ftrace can patch, and does not at the moment. */
static const struct entry {
	uint64_t nop; /* its 5 bytes; 0: unknown */
	/* the first 3 bytes of a landing pad of 4 that may come first: as compiled, and as kernels overwrite it */
	int32_t pads[3];
} entries[ARCH_COUNT] = {
	[ARCH_X86_64] = { 0x0000441f0f, { 0x1e0ff3, 0x1f0f66, 0x401f0f } },
};

enum { PADS = sizeof(entries->pads) / sizeof(entries->pads[0]) };

struct program {
	struct bpf_insn insns[AT_A_TIME * INSNS_A_NAME + 4];
	size_t count;
};

static void add(struct program *p, struct bpf_insn insn)
{
	p->insns[p->count++] = insn;
}

static void add_pointer(struct program *p, int reg, int at)
{
	add(p, INSN_MOV(reg, BPF_REG_10));
	add(p, INSN_ADD(reg, at));
}

/* A jump whose distance is set when its target is known. */
static size_t add_jump(struct program *p, int op, int reg, int n)
{
	add(p, INSN(BPF_JMP | op | BPF_K, reg, 0, 0, n));
	return p->count - 1;
}

static void jump_here(struct program *p, size_t jump)
{
	p->insns[jump].off = p->count - jump - 1;
}

static void result_add(struct program *p, size_t i, int bits)
{
	add(p, INSN_SET(BPF_REG_1, 1));
	add(p, INSN_SHIFT(BPF_REG_1, 2 * (int)i + bits - 1));
	add(p, INSN(BPF_ALU64 | BPF_OR | BPF_X, RESULT, BPF_REG_1, 0, 0));
}

static void name_write(struct program *p, const char *name)
{
	char text[NAME_SIZE] = { 0 };
	int32_t four;

	snprintf(text, sizeof(text), "%s", name);
	for (int at = 0; at <= (int)strlen(text); at += sizeof(four)) {
		memcpy(&four, text + at, sizeof(four));
		add(p, INSN_PUT32(BPF_REG_10, NAME + at, four));
	}
}

/* r7 = the 8 bytes at an offset of the function. Returns the jump that is taken if they cannot be read. */
static size_t code_read(struct program *p, int offset)
{
	size_t failed;

	add_pointer(p, BPF_REG_1, CODE);
	add(p, INSN_SET(BPF_REG_2, 8));
	add(p, INSN_LOAD(BPF_REG_3, BPF_REG_10, ADDRESS));
	add(p, INSN_ADD(BPF_REG_3, offset));
	add(p, INSN_CALL(BPF_FUNC_probe_read_kernel));
	failed = add_jump(p, BPF_JNE, BPF_REG_0, 0);
	add(p, INSN_LOAD(BPF_REG_7, BPF_REG_10, CODE));
	return failed;
}

/* Returns the jump that is taken if r7 does not begin with the empty instruction. */
static size_t code_compare(struct program *p)
{
	uint64_t nop = entries[ARCH_NATIVE].nop;

	add(p, INSN_SHIFT(BPF_REG_7, 24));
	add(p, INSN(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_7, 0, 0, 24));
	add(p, INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, 0, 0, (int32_t)nop));
	add(p, INSN(0, 0, 0, 0, (int32_t)(nop >> 32)));
	add(p, INSN(BPF_JMP | BPF_JNE | BPF_X, BPF_REG_7, BPF_REG_1, 0, 0));
	return p->count - 1;
}

/* Goes on after the landing pad in r8; returns the jump that is taken if there is none. */
static size_t pad_skip(struct program *p)
{
	size_t pads[PADS], none;

	add(p, INSN(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_8, 0, 0, 0xffffff));
	for (int i = 0; i < PADS; i++)
		pads[i] = add_jump(p, BPF_JEQ, BPF_REG_8, entries[ARCH_NATIVE].pads[i]);
	none = add_jump(p, BPF_JA, 0, 0);
	for (int i = 0; i < PADS; i++)
		jump_here(p, pads[i]);
	return none;
}

/* r0 = 0, and the address is on the stack; or -errno. */
static void name_look_up(struct program *p, const char *name)
{
	name_write(p, name);
	add_pointer(p, BPF_REG_1, NAME);
	add(p, INSN_SET(BPF_REG_2, (int)strlen(name) + 1));
	add(p, INSN_SET(BPF_REG_3, 0));
	add_pointer(p, BPF_REG_4, ADDRESS);
	add(p, INSN_CALL(KALLSYMS_LOOKUP_NAME));
}

static void name_ask(struct program *p, size_t i, const char *name)
{
	size_t found, at_once, padded, ends[6];

	name_look_up(p, name);
	found = add_jump(p, BPF_JEQ, BPF_REG_0, 0);
	ends[0] = add_jump(p, BPF_JNE, BPF_REG_0, -ENOENT);
	result_add(p, i, ABSENT);
	ends[1] = add_jump(p, BPF_JA, 0, 0);
	jump_here(p, found);
	ends[2] = code_read(p, 0);
	add(p, INSN_MOV(BPF_REG_8, BPF_REG_7));
	padded = code_compare(p);
	at_once = add_jump(p, BPF_JA, 0, 0);
	jump_here(p, padded);
	ends[3] = pad_skip(p);
	ends[4] = code_read(p, 4);
	ends[5] = code_compare(p);
	jump_here(p, at_once);
	result_add(p, i, PATCHABLE);
	for (size_t j = 0; j < sizeof(ends) / sizeof(ends[0]); j++)
		jump_here(p, ends[j]);
}

/* ---- the question ---- */

/* Ends the program, and runs it once with that context, which it may change. Returns -errno, or 0 and what it returned. */
static int program_run(struct program *p, void *ctx, size_t size, uint32_t *result)
{
	LIBBPF_OPTS(bpf_prog_load_opts, load, .prog_flags = BPF_F_SLEEPABLE);
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = ctx, .ctx_size_in = size);
	int fd, err;

	add(p, INSN_EXIT);
	fd = bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "coretap_ask", "GPL", p->insns, p->count, &load);
	err = fd < 0 || bpf_prog_test_run_opts(fd, &run) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	if (err)
		log_debug(2, "the kernel answers no questions about functions: %s", strerror(-err));
	*result = run.retval;
	return err;
}

/* A name that several functions share needs their addresses, which the lists have. */
static void answer(struct function_pattern *pattern, unsigned bits)
{
	if (bits & ABSENT)
		pattern->answer = FUNCTION_ABSENT;
	else if (bits & PATCHABLE && !function_name_is_shared(pattern->name))
		pattern->answer = FUNCTION_TRACEABLE;
}

static bool can_ask(const struct function_pattern *pattern)
{
	return !pattern->is_pattern && !pattern->type && !pattern->module &&
	       strlen(pattern->name) < NAME_SIZE;
}

static void some_ask(struct function_pattern *patterns, size_t count)
{
	struct program *p = calloc(1, sizeof(*p));
	uint32_t bits;

	if (!p)
		return;
	add(p, INSN_SET(RESULT, 0));
	for (size_t i = 0; i < count; i++)
		if (can_ask(&patterns[i]))
			name_ask(p, i, patterns[i].name);
	add(p, INSN_MOV(BPF_REG_0, RESULT));
	if (program_run(p, NULL, 0, &bits))
		bits = 0;
	for (size_t i = 0; i < count; i++)
		if (can_ask(&patterns[i]))
			answer(&patterns[i], bits >> 2 * i & 3);
	free(p);
}

/* addresses[i] = the address of names[i], or 0. */
static int some_addresses_ask(const char *const *names, uint64_t *addresses, size_t count)
{
	struct program *p = calloc(1, sizeof(*p));
	uint32_t none;
	int err;

	if (!p)
		return -ENOMEM;
	memset(addresses, 0, count * sizeof(*addresses));
	add(p, INSN_MOV(BPF_REG_7, BPF_REG_1));
	for (size_t i = 0; i < count; i++) {
		size_t failed;

		if (strlen(names[i]) >= NAME_SIZE)
			continue;
		name_look_up(p, names[i]);
		failed = add_jump(p, BPF_JNE, BPF_REG_0, 0);
		add(p, INSN_LOAD(BPF_REG_1, BPF_REG_10, ADDRESS));
		add(p, INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_1,
			    (int)(i * sizeof(*addresses)), 0));
		jump_here(p, failed);
	}
	add(p, INSN_SET(BPF_REG_0, 0));
	err = program_run(p, addresses, count * sizeof(*addresses), &none);
	free(p);
	return err;
}

int kernel_symbols_ask(const char *const *names, uint64_t *addresses, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i += AT_A_TIME)
		err = some_addresses_ask(names + i, addresses + i,
					 count - i < AT_A_TIME ? count - i : AT_A_TIME);
	return err;
}

uint64_t kernel_symbol_ask(const char *name)
{
	uint64_t address;

	if (strlen(name) >= NAME_SIZE || kernel_symbols_ask(&name, &address, 1))
		return ksyms_address(name, NULL);
	return address;
}

void functions_ask(struct function_pattern *patterns, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= can_ask(&patterns[i]);
	for (size_t i = 0; i < count && any && entries[ARCH_NATIVE].nop; i += AT_A_TIME)
		some_ask(patterns + i, count - i < AT_A_TIME ? count - i : AT_A_TIME);
}
