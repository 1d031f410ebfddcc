/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prog.c - creates maps and loads generated programs, through libbpf's thin wrappers of bpf(2).
 */
#include "attach/prog.h"

#include <bpf/bpf.h>
#include <linux/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/insn.h"

int prog_map_create(enum bpf_map_type type, const char *name, int key, int value, int entries,
		    int flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);

	return bpf_map_create(type, name, key, value, entries, &opts);
}

int prog_switch_open(size_t count)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "switch", 4, 4, count, NULL);

	return fd < 0 ? -errno : fd;
}

int prog_switch_set(int map_fd, uint32_t number, int prog_fd)
{
	return bpf_map_update_elem(map_fd, &number, &prog_fd, BPF_ANY) ? -errno : 0;
}

/* include/linux/bpf_types.h: a type that the kernel does not have is EINVAL. */
bool prog_tracing_exists(void)
{
	const struct bpf_insn insns[] = { INSN_SET(BPF_REG_0, 0), INSN_EXIT };
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "tracing", "GPL", insns, 2, NULL);
	int err = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err != EINVAL;
}

/*
 * ---- callbacks: functions of the program, whose address an instruction loads ----
 *
 * The kernel wants the types of a program that has any: the program and each of them is an int f(void), and static.
 */

enum { FUNCTIONS_MAX = 64 };

static const struct {
	struct btf_header head;
	struct btf_type number;
	uint32_t number_bits;
	struct btf_type proto, function;
	char names[10];
} function_types = {
	.head = { .magic = BTF_MAGIC,
		  .version = BTF_VERSION,
		  .hdr_len = sizeof(struct btf_header),
		  .type_len = 3 * sizeof(struct btf_type) + sizeof(uint32_t),
		  .str_off = 3 * sizeof(struct btf_type) + sizeof(uint32_t),
		  .str_len = sizeof("\0int\0part") },
	.number = { .name_off = 1, .info = BTF_KIND_INT << 24, .size = 4 },
	.number_bits = BTF_INT_SIGNED << 24 | 32,
	.proto = { .info = BTF_KIND_FUNC_PROTO << 24, .type = 1 },
	.function = { .name_off = 5, .info = BTF_KIND_FUNC << 24 | BTF_FUNC_STATIC, .type = 2 },
	.names = "\0int\0part",
};

/* Inserts the index of an instruction, sorted, once. */
static size_t function_add(struct bpf_func_info *list, size_t count, uint32_t insn)
{
	size_t at = count;

	while (at && list[at - 1].insn_off > insn)
		at--;
	if (at && list[at - 1].insn_off == insn)
		return count;
	memmove(list + at + 1, list + at, (count - at) * sizeof(*list));
	list[at] = (struct bpf_func_info){ insn, 3 };
	return count + 1;
}

/* Counts the functions; 0: there is only the program itself. */
static size_t functions_find(const struct bpf_insn *insns, size_t count,
			     struct bpf_func_info list[FUNCTIONS_MAX])
{
	size_t found = function_add(list, 0, 0);

	for (size_t i = 0; i + 1 < count; i++) {
		if (insns[i].code != (BPF_LD | BPF_DW | BPF_IMM))
			continue;
		if (insns[i].src_reg == BPF_PSEUDO_FUNC && found < FUNCTIONS_MAX - 1)
			found = function_add(list, found, i + insns[i].imm + 1);
		i++;
	}
	return found > 1 ? found : 0;
}

int prog_load_as(const struct bpf_insn *insns, size_t count, const struct prog_type *type,
		 char *log, size_t log_size)
{
	struct bpf_func_info list[FUNCTIONS_MAX];
	size_t functions = functions_find(insns, count, list);
	int btf = functions ?
			  bpf_btf_load(&function_types,
				       sizeof(function_types.head) + function_types.head.type_len +
					       function_types.head.str_len,
				       NULL) :
			  0;
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log, .log_size = log_size,
		    .log_level = log ? 1 : 0, .expected_attach_type = type->attach,
		    .attach_btf_id = type->btf_id, .attach_btf_obj_fd = type->btf_fd,
		    .attach_prog_fd = type->program_fd, .prog_btf_fd = btf < 0 ? 0 : btf,
		    .func_info = functions ? list : NULL, .func_info_cnt = functions,
		    .func_info_rec_size = sizeof(list[0]));
	int fd = bpf_prog_load(type->prog, "argdump", "GPL", insns, count, &opts), err = errno;

	if (btf > 0)
		close(btf);
	return fd < 0 ? -err : fd;
}

/* Opens the kernel's BTF object of a module, which is needed to attach a trampoline to its functions. Returns an fd
 * or -errno. */
static int module_btf_open(const char *module)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		char name[64] = "";
		int fd = bpf_btf_get_fd_by_id(id);

		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -ENOENT;
}

int prog_load(const struct bpf_insn *insns, size_t count, enum attach_method_id method,
	      const struct attach_target *t, char *log, size_t log_size)
{
	struct prog_type type;
	int err = attach_prog_type(method, t, &type), fd;

	if (err)
		return err;
	if (!type.btf_id || !t->module)
		return prog_load_as(insns, count, &type, log, log_size);
	type.btf_fd = module_btf_open(t->module);
	if (type.btf_fd < 0)
		return type.btf_fd;
	fd = prog_load_as(insns, count, &type, log, log_size);
	close(type.btf_fd);
	return fd;
}

/* ---- the reason in a verifier's log ---- */

/* The log ends with the reason, followed only by statistics ("processed 5 insns …"), libbpf's own marks, and since
 * 7.3 an explanation. Lines of instructions ("12: (85) call …") and registers trace the verification. */

static char kept[200];

static bool starts(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* True for "12: (85) call bpf_loop#181", "12: R0=…", "; source", "from 12 to 14: …", "R1=ctx() R10=fp0". */
static bool is_trace(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return (digits && line[digits] == ':') || *line == ';' || starts(line, "from ") ||
	       (*line == 'R' && isdigit((unsigned char)line[1]) &&
		strchr("=_w", line[1 + strspn(line + 1, "0123456789")])) ||
	       starts(line, "func#") || starts(line, "last_idx") || starts(line, "mark_precise") ||
	       starts(line, "regs=") || starts(line, "parent ") || starts(line, "cur state: ") ||
	       starts(line, "old state: ");
}

static bool is_statistics(const char *line)
{
	return starts(line, "processed ") || starts(line, "verification time") ||
	       starts(line, "stack depth") || starts(line, "-- ") ||
	       starts(line, "insns processed");
}

/* E2BIG: the verifier followed a million instructions. EFAULT: it had 8192 jumps left to follow. */
const char *verifier_remedy(int err)
{
	if (err != -E2BIG && err != -EFAULT)
		return NULL;
	return "the program is too long for this kernel to verify, because it follows each "
	       "iteration of a loop: use fewer iterations, or shorter strings (max_strlen)";
}

void verifier_reason(const char *log, char *line, size_t size)
{
	line[0] = 0;
	for (const char *end; *log && !starts(log, "Verification failed");
	     log = end + (*end != 0)) {
		end = strchrnul(log, '\n');
		if (end > log && !is_statistics(log) && !is_trace(log))
			snprintf(line, size, "%.*s", (int)(end - log), log);
	}
}

void verifier_reason_store(const char *log)
{
	char line[sizeof(kept)];

	verifier_reason(log, line, sizeof(line));
	if (line[0])
		memcpy(kept, line, sizeof(kept));
}

const char *verifier_reason_last(void)
{
	return kept[0] ? kept : NULL;
}
