/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_btf_min.c - kernel types cut down to what an object names: each field where the kernel has it,
 * nothing that nobody asked for. And what it needs: names asked in one pass, a packed object.
 */
#include <errno.h>

#include "btf_build.h"
#include "btf/btf_min.h"
#include "btf/bpf_elf.h"
#include "event.h"
#include "opensnoop.skel.h"
#include "unit.h"
#include "util/unpack.h"

struct world {
	struct btf_build ours, kernel;
	struct btf_min m;
	struct btf_view *kernel_view, *made;
	uint8_t *our_bytes, *kernel_bytes;
	void *data;
	size_t size;
};

/* struct task { struct inner in; struct task *next; char comm[16]; int flag:1; int gone; } */
static void ours_build(struct world *w)
{
	struct btf_build *b = &w->ours;
	uint32_t number = build_int(b, "int", 4, BTF_INT_SIGNED), c = build_int(b, "char", 1, 0);
	uint32_t comm = build_array(b, c, 16), next = build_ref(b, BTF_KIND_PTR, "", 0);
	uint32_t inner = build_struct(b, BTF_KIND_STRUCT, "inner", 4,
				      (struct build_part[]){ { "x", number, 0, 0 } }, 1);
	uint32_t task, second, absent;

	task = build_struct(b, BTF_KIND_STRUCT, "task", 40,
			    (struct build_part[]){ { "in", inner, 0, 0 },
						   { "next", next, 64, 0 },
						   { "comm", comm, 128, 0 },
						   { "flag", number, 256, 1 },
						   { "gone", number, 288, 0 } },
			    5);
	build_set(b, next, task);
	second = build_struct(b, BTF_KIND_STRUCT, "task___old", 4,
			      (struct build_part[]){ { "state", number, 0, 0 } }, 1);
	absent = build_struct(b, BTF_KIND_STRUCT, "nobody", 4,
			      (struct build_part[]){ { "x", number, 0, 0 } }, 1);
	w->m.roots[0] = task;
	w->m.roots[1] = second;
	w->m.roots[2] = absent;
	w->m.root_count = 3;
}

/* The kernel's has other offsets, more members, and some of ours inside an anonymous union. */
static void kernel_build(struct world *w)
{
	struct btf_build *b = &w->kernel;
	uint32_t number = build_int(b, "int", 4, BTF_INT_SIGNED), c = build_int(b, "char", 1, 0);
	uint32_t comm = build_array(b, c, 24), next = build_ref(b, BTF_KIND_PTR, "", 0);
	uint32_t state = build_enum(b, "state", (struct build_part[]){ { "RUNNING", 0, 0, 0 } }, 1);
	uint32_t inner, shared, volatile_state = build_ref(b, BTF_KIND_VOLATILE, "", state);
	uint32_t task;

	inner = build_struct(b, BTF_KIND_STRUCT, "inner", 16,
			     (struct build_part[]){ { "y", number, 0, 0 }, { "x", number, 64, 0 } },
			     2);
	shared = build_struct(
		b, BTF_KIND_UNION, "", 24,
		(struct build_part[]){ { "comm", comm, 0, 0 }, { "other", number, 0, 0 } }, 2);
	task = build_struct(b, BTF_KIND_STRUCT, "task", 128,
			    (struct build_part[]){ { "secret", number, 0, 0 },
						   { "in", inner, 64, 0 },
						   { "", shared, 256, 0 },
						   { "next", next, 512, 0 },
						   { "flag", number, 581, 3 },
						   { "state", volatile_state, 608, 0 } },
			    6);
	build_set(b, next, task);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct btf_lookup wanted = { 0 };
	size_t size;

	ours_build(w);
	kernel_build(w);
	w->our_bytes = build_bytes(&w->ours, &size);
	assert_int_equal(btf_view_from(w->our_bytes, size, &w->m.ours), 0);
	w->kernel_bytes = build_bytes(&w->kernel, &size);
	assert_int_equal(btf_view_from(w->kernel_bytes, size, &w->kernel_view), 0);
	btf_min_want(&w->m, &wanted);
	assert_int_equal(wanted.count, 2); /* task only once */
	assert_int_equal(btf_lookup_find(&wanted, w->kernel_view), 0);
	assert_int_equal(btf_min_build(&w->m, w->kernel_view, &wanted, &w->data, &w->size), 0);
	assert_int_equal(btf_view_from(w->data, w->size, &w->made), 0);
	btf_lookup_free(&wanted);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	btf_view_close(w->made);
	btf_view_close(w->kernel_view);
	btf_min_close(&w->m);
	free(w->data);
	free(w->our_bytes);
	free(w->kernel_bytes);
	free(w);
	return 0;
}

/* Both layouts of ours go by the kernel's one name. */
static uint32_t task_with(struct world *w, const char *member, struct btf_found *found)
{
	for (uint32_t id = 1; id < btf_view_count(w->made); id++)
		if (!strcmp(btf_view_name(w->made, id), "task") &&
		    btf_view_member(w->made, id, member, strlen(member), found))
			return id;
	return 0;
}

static void test_fields(void **state)
{
	struct world *w = *state;
	struct btf_found f;
	uint32_t task = task_with(w, "in", &f);

	assert_int_equal(btf_view_size(w->made, task), 128);
	assert_int_equal(f.bit_offset, 64);
	assert_int_equal(btf_view_size(w->made, f.type), 16);
	assert_true(btf_view_member(w->made, f.type, "x", 1, &f));
	assert_int_equal(f.bit_offset, 64);
	assert_true(task_with(w, "comm", &f)); /* out of the anonymous union */
	assert_int_equal(f.bit_offset, 256);
	assert_int_equal(btf_view_size(w->made, f.type), 24);
	assert_true(task_with(w, "next", &f));
	assert_int_equal(f.bit_offset, 512);
	assert_int_equal(btf_view_kind(w->made, f.type), BTF_KIND_PTR);
	assert_true(task_with(w, "flag", &f));
	assert_int_equal(f.bit_offset, 581);
	assert_int_equal(f.bit_size, 3);
	assert_int_not_equal(task_with(w, "state", &f), task); /* of the second layout */
	assert_int_equal(f.bit_offset, 608);
	assert_int_equal(f.bit_size, 0);
	assert_int_equal(btf_view_kind(w->made, f.type), BTF_KIND_ENUM);
}

static void test_nothing_else(void **state)
{
	struct world *w = *state;
	struct btf_found f;

	assert_false(task_with(w, "gone", &f));	  /* not in the kernel */
	assert_false(task_with(w, "secret", &f)); /* not in ours */
	assert_false(task_with(w, "other", &f));
	assert_int_equal(btf_view_find(w->made, BTF_KIND_STRUCT, "nobody"), 0);
	assert_int_equal(btf_view_find(w->made, BTF_KIND_STRUCT, "task___old"), 0);
}

/* Names of all lengths, for each that is found makes the search another one. */
static void test_names_in_one_pass(void **state)
{
	struct btf_build *b = calloc(1, sizeof(*b));
	struct btf_lookup w = { 0 };
	struct btf_view *view;
	uint64_t seed = 0x5eed;
	uint8_t *bytes;
	size_t size;
	char name[64];

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%.*s%u", (int)(random_next(&seed) % 40),
			 "a_name_that_is_as_long_as_it_is_and_more", i);
		build_ref(b, BTF_KIND_FWD, name, 0);
		btf_lookup_add(&w, i % 2 ? BTF_KIND_FWD : BTF_KIND_TYPEDEF, name, strlen(name));
		btf_lookup_add(&w, BTF_KIND_FWD, "absent", strlen("absent"));
	}
	assert_int_equal(w.count, 301);
	bytes = build_bytes(b, &size);
	assert_int_equal(btf_view_from(bytes, size, &view), 0);
	assert_int_equal(btf_lookup_find(&w, view), 0);
	for (size_t i = 0; i < w.count; i++) {
		const struct btf_query *q = &w.queries[i];

		if (q->kind == BTF_KIND_FWD && strcmp(q->name, "absent"))
			assert_string_equal(btf_view_name(view, q->id), q->name);
		else
			assert_int_equal(q->id, 0);
	}
	assert_int_equal(btf_lookup_id(&w, BTF_KIND_FWD, "unasked", 7), 0);
	btf_lookup_free(&w);
	btf_view_close(view);
	free(bytes);
	free(b);
}

static void test_the_object_inside(void **state)
{
	struct btf_min m;
	size_t size, len;
	void *elf = (void *)opensnoop_bpf__elf_bytes(&size);
	bool task = false;

	(void)state;
	assert_non_null(elf);
	assert_non_null(bpf_elf_section(elf, size, ".maps", &len));
	assert_null(bpf_elf_section(elf, size, ".nothing", &len));
	/* functions keep their names, labels of jumps do not (tools/pack-clear.h) */
	assert_non_null(memmem(elf, size, "open_enter_kprobe", 17));
	assert_null(memmem(elf, size, "\0LBB", 4));
	assert_null(bpf_elf_section(elf, 100, ".maps", &len));
	assert_int_equal(btf_min_open(&m, elf, size), 0);
	for (size_t i = 0; i < m.root_count; i++)
		task |= !strcmp(btf_view_name(m.ours, m.roots[i]), "task_struct");
	assert_true(task);
	btf_min_close(&m);
	assert_int_equal(btf_min_open(&m, "no object", 9), -EBADMSG);
	free(elf);
}

static void test_damaged_packing(void **state)
{
	/* what zstd 1.5 makes of them, with a checksum */
	uint8_t packed[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x0c, 0x61, 0x00, 0x00,
			     't',  'w',	 'e',  'l',  'v',  'e',	 ' ',  'b',  'y',
			     't',  'e',	 's',  0x8e, 0xff, 0xf0, 0x5d };
	char *got = unpack_embedded(packed, sizeof(packed), 12);

	(void)state;
	assert_string_equal(got, "twelve bytes");
	free(got);
	assert_null(unpack_embedded(packed, sizeof(packed), 13));
	assert_null(unpack_embedded(packed, sizeof(packed), 11));
	packed[10] ^= 0xff;
	assert_null(unpack_embedded(packed, sizeof(packed), 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_nothing_else),
		cmocka_unit_test(test_names_in_one_pass),
		cmocka_unit_test(test_the_object_inside),
		cmocka_unit_test(test_damaged_packing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
