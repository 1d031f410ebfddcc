/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * things.c - a simulated kernel of one struct (things.h).
 */
#include "things.h"

#include <stddef.h>
#include <string.h>

#include "../unit/btf_build.h"
#include "btf/btf.h"
#include "targets.h"

static struct btf_build build;
struct btf_view *things_btf;
uint32_t probe_id, number_probe_id, thing_probe_id, count_task_id, queue_task_id;
struct thing things[THINGS];
char user_text[64] = "from user space";
uint8_t task[64];
uint32_t preempt_count;

static uint32_t build_list(void)
{
	uint32_t next = build_ref(&build, BTF_KIND_PTR, "", 0), id;

	id = build_struct(&build, BTF_KIND_STRUCT, "list_head", 16,
			  (struct build_part[]){ { "next", next, 0, 0 }, { "prev", next, 64, 0 } },
			  2);
	build_set(&build, next, id);
	return id;
}

static uint32_t build_thing(uint32_t int_id, uint32_t u64_id, uint32_t char_id)
{
	uint32_t u8 = build_int(&build, "unsigned char", 1, 0);
	uint32_t s8 = build_int(&build, "signed char", 1, BTF_INT_SIGNED);
	uint32_t u16 = build_int(&build, "unsigned short", 2, 0);
	uint32_t u32 = build_int(&build, "unsigned int", 4, 0);
	uint32_t text = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t next = build_ref(&build, BTF_KIND_PTR, "", 0);
	uint32_t numbers = build_ref(&build, BTF_KIND_PTR, "", int_id);
	uint32_t table = build_ref(&build, BTF_KIND_PTR, "", next);
	uint32_t any = build_ref(&build, BTF_KIND_PTR, "", 0);
	uint32_t array = build_array(&build, char_id, 20), tail = build_array(&build, char_id, 200);
	uint32_t kind = build_enum(
		&build, "kind",
		(struct build_part[]){ { "NONE", 0, 0, 0 }, { "MINUS", 0, (uint32_t)-1, 0 } }, 2);
	uint32_t list = build_list(), id;

#define AT(member_) offsetof(struct thing, member_) * 8
	id = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
			  (struct build_part[]){
				  { "next", next, AT(next), 0 },
				  { "text", text, AT(text), 0 },
				  { "array", array, AT(array), 0 },
				  { "number", int_id, AT(number), 0 },
				  { "big", u64_id, AT(big), 0 },
				  { "small", u8, AT(small), 0 },
				  { "tiny", s8, AT(tiny), 0 },
				  { "half", u16, AT(half), 0 },
				  { "low", u32, AT(bits), 3 },
				  { "five", int_id, AT(bits) + 3, 5 },
				  { "kind", kind, AT(bits) + 8, 4 },
				  { "wide", u32, AT(bits) + 12, 20 },
				  { "numbers", numbers, AT(numbers), 0 },
				  { "table", table, AT(table), 0 },
				  { "any", any, AT(any), 0 },
				  { "tail", tail, AT(tail), 0 },
				  { "list", list, AT(tail) + LIST_IN_TAIL * 8, 0 },
			  },
			  17);
	build_set(&build, next, id);
	return next;
}

static void build_all(void)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t char_id = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t string = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t thing = build_thing(int_id, u64_id, char_id);

	build_regs(&build, u64_id);
	build_task(&build, int_id, char_id);
	count_task_id = build_task_with(&build, int_id, char_id, true);
	queue_task_id = build_task_with(&build, int_id, char_id, false);
	build_ref(&build, BTF_KIND_VAR, "__preempt_count", int_id);
	build_word(&build, BTF_VAR_GLOBAL_ALLOCATED);
	probe_id = build_func(&build, "probe", 0,
			      (struct build_part[]){ { "thing", thing, 0, 0 },
						     { "string", string, 0, 0 },
						     { "number", int_id, 0, 0 },
						     { "count", u64_id, 0, 0 } },
			      4);
	number_probe_id = build_func(&build, "number_probe", int_id,
				     &(struct build_part){ "thing", thing, 0, 0 }, 1);
	thing_probe_id = build_func(
		&build, "thing_probe", thing,
		(struct build_part[]){ { "number", int_id, 0, 0 }, { "thing", thing, 0, 0 } }, 2);
}

int things_build(void)
{
	static uint8_t *bytes;
	size_t size;

	build_all();
	bytes = build_bytes(&build, &size);
	return btf_view_from(bytes, size, &things_btf);
}

char things_comm[16] = "worker\0old one";

static void world_fill(struct harness *h)
{
	memset(things, 0, sizeof(things));
	for (unsigned i = 0; i < THINGS; i++) {
		things[i].next = i + 1 < THINGS ? THING_AT(i + 1) : 0;
		vm_region_add(&h->vm, THING_AT(i), &things[i], sizeof(things[i]));
	}
	vm_region_add(&h->vm, USER_AT, user_text, sizeof(user_text));
	vm_region_add(&h->vm, VM_TASK_AT, task, sizeof(task));
	vm_region_add(&h->vm, VM_PER_CPU_AT, &preempt_count, sizeof(preempt_count));
	memcpy(task + 8, (uint32_t[]){ 43, 42 }, 8);
	memcpy(task + 16, things_comm, sizeof(things_comm));
}

void things_init(struct harness *h, const char *target)
{
	struct expr_target t = target_of(things_btf, target);

	harness_init(h, things_btf, probe_id, &t);
	world_fill(h);
	h->vm.pid_tgid = 42ull << 32 | 43;
	h->vm.uid_gid = 7ull << 32 | 1000;
	h->args[0] = THING_AT(0);
}

void thing_fill(struct thing *t)
{
	t->number = -5;
	t->big = 0xfedcba9876543210;
	t->small = 200;
	t->tiny = -100;
	t->half = 0xabcd;
	t->bits = 5 | (uint32_t)(-9 & 31) << 3 | 15u << 8 | 0xabcdeu << 12;
	t->any = USER_AT;
}
