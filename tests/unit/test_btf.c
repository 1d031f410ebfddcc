/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_btf.c - the BTF reader on BTF whose every byte is known: names, members, bitfields, sizes,
 * declarations; the same through pages; damaged data.
 */
#include <errno.h>
#include <unistd.h>

#include "unit.h"
#include "btf_build.h"
#include "btf/btf_copy.h"
#include "btf/btf_priv.h"
#include "util/suggest.h"

struct fixture {
	struct btf_build build;
	uint8_t *bytes;
	size_t size;
	struct btf_view *view;
	uint32_t int_id, char_id, u64_id, inner, outer, old, pointer, array, matrix, kind, func,
		list;
};

static void build_all(struct fixture *f)
{
	struct btf_build *b = &f->build;
	uint32_t constant, tag, typedefed, params, variadic;

	f->int_id = build_int(b, "int", 4, BTF_INT_SIGNED);
	f->char_id = build_int(b, "char", 1, BTF_INT_SIGNED);
	f->u64_id = build_int(b, "u64", 8, 0);
	f->inner = build_struct(
		b, BTF_KIND_STRUCT, "", 8,
		(struct build_part[]){ { "x", f->int_id, 0, 0 }, { "y", f->int_id, 32, 0 } }, 2);
	f->array = build_array(b, f->char_id, 16);
	f->matrix = build_array(b, f->array, 3);
	f->list = build_ref(b, BTF_KIND_PTR, "", 0);
	f->outer = build_struct(b, BTF_KIND_STRUCT, "outer", 80,
				(struct build_part[]){ { "first", f->u64_id, 0, 0 },
						       { "", f->inner, 64, 0 },
						       { "bits", f->int_id, 131, 7 },
						       { "names", f->matrix, 192, 0 },
						       { "next", f->list, 576, 0 } },
				5);
	build_set(b, f->list, f->outer);
	constant = build_ref(b, BTF_KIND_CONST, "", f->outer);
	tag = build_ref(b, BTF_KIND_TYPE_TAG, "user", constant);
	f->pointer = build_ref(b, BTF_KIND_PTR, "", tag);
	typedefed = build_ref(b, BTF_KIND_TYPEDEF, "outer_t", f->pointer);
	f->kind = build_enum(b, "kind", (struct build_part[]){ { "ONE", 0, 1, 0 } }, 1);
	params = build_func(b, "callback", f->int_id,
			    (struct build_part[]){ { "", f->char_id, 0, 0 } }, 1);
	variadic = build_ref(b, BTF_KIND_PTR, "", params - 1);
	f->func = build_func(b, "do_it", f->int_id,
			     (struct build_part[]){ { "o", typedefed, 0, 0 },
						    { "fn", variadic, 0, 0 },
						    { "", 0, 0, 0 } },
			     3);
	/* before kind_flag: the width is in an int of its own */
	f->old = build_int(b, "unsigned int", 4, 0);
	b->types[b->words - 1] = 5; /* bits */
	f->old = build_type(b, BTF_KIND_STRUCT, "old", 1, 0, 8);
	build_word(b, build_string(b, "five"));
	build_word(b, f->old - 1);
	build_word(b, 35);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	build_all(f);
	f->bytes = build_bytes(&f->build, &f->size);
	assert_int_equal(btf_view_from(f->bytes, f->size, &f->view), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	btf_view_close(f->view);
	free(f->bytes);
	free(f);
	return 0;
}

static void test_find(void **state)
{
	struct fixture *f = *state;
	struct btf_query q[] = {
		{ BTF_KIND_FUNC, "do_it", 0 },	{ BTF_KIND_STRUCT, "outer", 0 },
		{ BTF_KIND_STRUCT, "oute", 0 }, { BTF_KIND_STRUCT, "do_it", 0 },
		{ BTF_KIND_INT, "int", 0 },	{ BTF_KIND_TYPEDEF, "outer_t", 0 },
		{ BTF_KIND_STRUCT, "", 0 },	{ BTF_KIND_INT, "unsigned int", 0 },
		{ BTF_KIND_ENUM, "kind", 77 },	{ BTF_KIND_ENUM, "absent", 77 },
	};

	assert_int_equal(btf_view_find_all(f->view, q, COUNT(q)), 0);
	assert_int_equal(q[0].id, f->func);
	assert_int_equal(q[1].id, f->outer);
	assert_int_equal(q[2].id, 0);
	assert_int_equal(q[3].id, 0);
	assert_int_equal(q[4].id, f->int_id);
	assert_string_equal(btf_view_name(f->view, q[5].id), "outer_t");
	assert_int_equal(q[6].id, 0);
	assert_int_equal(q[7].id, f->old - 1);
	assert_int_equal(q[8].id, f->kind);
	assert_int_equal(q[9].id, 0);
	assert_int_equal(btf_view_func(f->view, "do_it"), f->func);
	assert_int_equal(btf_view_func(f->view, "x"), 0);
	assert_int_equal(btf_view_count(f->view), f->build.count + 1);
}

/* A search answers what is expected, too: afterwards it is known without the names in the file. */
static void test_expect(void **state)
{
	struct fixture *f = *state;
	struct btf_lookup names = { 0 };
	uint8_t *bytes = malloc(f->size);
	struct btf_view *view;

	memcpy(bytes, f->bytes, f->size);
	assert_int_equal(btf_view_from(bytes, f->size, &view), 0);
	btf_lookup_add(&names, BTF_KIND_STRUCT, "outer", strlen("outer"));
	btf_lookup_add(&names, BTF_KIND_ENUM, "absent", strlen("absent"));
	btf_view_expect(view, &names);
	assert_int_equal(names.count, 0);
	assert_int_equal(btf_view_func(view, "do_it"), f->func);
	memset(bytes + view->strings + 1, 'x', view->strings_end - view->strings - 2);
	assert_int_equal(btf_view_find(view, BTF_KIND_STRUCT, "outer"), f->outer);
	assert_int_equal(btf_view_find(view, BTF_KIND_ENUM, "absent"), 0);
	assert_int_equal(btf_view_find(view, BTF_KIND_INT, "int"), 0); /* nobody expected it */
	btf_view_close(view);
	free(bytes);
}

static void test_accessors_stay_inside(void **state)
{
	struct fixture *f = *state;

	assert_null(btf_view_type(f->view, 0));
	assert_null(btf_view_type(f->view, f->build.count + 1));
	assert_null(btf_view_type(f->view, ~0u));
	assert_string_equal(btf_view_string(f->view, f->build.string_bytes), "");
	assert_string_equal(btf_view_string(f->view, ~0u), "");
	assert_string_equal(btf_view_name(f->view, f->inner), "");
	assert_int_equal(btf_view_kind(f->view, 0), BTF_KIND_UNKN);
	assert_int_equal(btf_view_strip(f->view, 0), 0);
}

static bool member(struct fixture *f, uint32_t id, const char *name, struct btf_found *found)
{
	return btf_view_member(f->view, id, name, strlen(name), found);
}

static void test_members(void **state)
{
	struct fixture *f = *state;
	struct btf_found found;

	assert_true(member(f, f->outer, "first", &found));
	assert_int_equal(found.bit_offset, 0);
	assert_int_equal(found.type, f->u64_id);
	assert_true(member(f, f->outer, "y", &found)); /* through the anonymous one */
	assert_int_equal(found.bit_offset, 64 + 32);
	assert_int_equal(found.bit_size, 0);
	assert_true(member(f, f->outer, "bits", &found));
	assert_int_equal(found.bit_offset, 131);
	assert_int_equal(found.bit_size, 7);
	assert_true(member(f, f->old, "five", &found));
	assert_int_equal(found.bit_offset, 35);
	assert_int_equal(found.bit_size, 5);
	assert_false(member(f, f->outer, "firs", &found));
	assert_false(member(f, f->outer, "firsts", &found));
	assert_false(member(f, f->outer, "", &found));
	assert_false(member(f, f->int_id, "first", &found));
}

static void test_strip_and_size(void **state)
{
	struct fixture *f = *state;
	uint32_t user = btf_view_type(f->view, f->pointer)->type;

	assert_int_equal(btf_view_strip(f->view, user), f->outer);
	assert_true(btf_view_tagged(f->view, user, "user"));
	assert_false(btf_view_tagged(f->view, user, "percpu"));
	assert_false(btf_view_tagged(f->view, f->outer, "user"));
	assert_int_equal(btf_view_size(f->view, f->matrix), 48);
	assert_int_equal(btf_view_size(f->view, user), 80);
	assert_int_equal(btf_view_size(f->view, f->pointer), 8);
	assert_int_equal(btf_view_size(f->view, 0), 0);
	assert_int_equal(btf_view_size(f->view, f->func), 0);
}

static void check_declared(struct fixture *f, uint32_t id, const char *name, const char *want)
{
	char text[256];

	assert_int_equal(btf_view_declare(f->view, id, name, text, sizeof(text)), strlen(want));
	assert_string_equal(text, want);
	btf_view_declare(f->view, id, name, text, 5);
	assert_int_equal(strlen(text), 4);
}

static void test_declare(void **state)
{
	struct fixture *f = *state;
	const struct btf_type *proto = btf_view_type(f->view,
						     btf_view_type(f->view, f->func)->type);

	check_declared(f, f->pointer, "p", "const struct outer *p");
	check_declared(f, f->matrix, "names", "char names[3][16]");
	check_declared(f, f->outer, "", "struct outer");
	check_declared(f, f->kind, "k", "enum kind k");
	check_declared(f, 0, "", "void");
	check_declared(f, btf_params(proto)[0].type, "", "outer_t");
	check_declared(f, btf_params(proto)[1].type, "fn", "int (*fn)(char)");
	check_declared(f, f->func, "do_it", "int do_it(outer_t, int (*)(char), ...)");
	check_declared(f, f->inner, "", "struct {…}");
}

static void check_around(struct fixture *f, uint32_t id, size_t size, const char *want_before,
			 const char *want_after)
{
	char before[64], after[64];

	btf_view_declare_around(f->view, id, before, after, size);
	assert_string_equal(before, want_before);
	assert_string_equal(after, want_after);
}

static void test_declare_around(void **state)
{
	struct fixture *f = *state;
	const struct btf_type *proto = btf_view_type(f->view,
						     btf_view_type(f->view, f->func)->type);

	check_around(f, f->pointer, 64, "const struct outer *", "");
	check_around(f, 0, 64, "void ", "");
	check_around(f, btf_params(proto)[1].type, 64, "int (*", ")(char)");
	check_around(f, btf_params(proto)[1].type, 4, "int", ")(c"); /* each is cut by itself */
}

static void test_names_for_nearest(void **state)
{
	struct fixture *f = *state;
	struct suggestion n;

	suggest_init(&n, "frist");
	btf_view_member_names(f->view, f->outer, &n);
	assert_string_equal(suggest_get(&n), "first");
	suggest_init(&n, "do_ti");
	btf_view_func_names(f->view, &n);
	assert_string_equal(suggest_get(&n), "do_it");
}

/* Many types and strings, so that pages and windows have borders in the midst of them. */
static uint8_t *build_large(size_t *size)
{
	enum { TYPES = 40000 };
	struct btf_header *h;
	uint8_t *bytes = calloc(1, 8 << 20);
	uint32_t *types = (uint32_t *)(bytes + sizeof(*h));
	char *strings;
	size_t at = 1;

	assert_non_null(bytes);
	strings = (char *)(types + 5 * TYPES);
	for (uint32_t i = 0; i < TYPES; i++) { /* each one an enum that says its number */
		types[5 * i] = at;
		types[5 * i + 1] = BTF_KIND_ENUM << 24 | 1;
		types[5 * i + 2] = 4;
		types[5 * i + 3] = at;
		types[5 * i + 4] = i;
		at += sprintf(strings + at, "type_number_%u", i) + 1;
	}
	h = (struct btf_header *)bytes;
	*h = (struct btf_header){ .magic = BTF_MAGIC,
				  .version = 1,
				  .hdr_len = sizeof(*h),
				  .type_len = 20 * TYPES,
				  .str_off = 20 * TYPES,
				  .str_len = at };
	*size = sizeof(*h) + h->type_len + at;
	return bytes;
}

static void check_large(struct btf_view *b)
{
	char name[32];

	for (uint32_t i = 0; i < 40000; i += 1237) {
		uint32_t id;

		snprintf(name, sizeof(name), "type_number_%u", i);
		id = btf_view_find(b, BTF_KIND_ENUM, name);
		assert_int_equal(id, i + 1);
		assert_int_equal(btf_enums(btf_view_type(b, id))[0].val, i);
		assert_string_equal(btf_view_name(b, id), name);
		assert_int_equal(btf_view_enum_with(b, name), id);
	}
	assert_int_equal(btf_view_enum_with(b, "type_number_40000"), 0);
	assert_int_equal(btf_view_find(b, BTF_KIND_ENUM, "type_number_40000"), 0);
	assert_int_equal(btf_view_count(b), 40001);
}

static void test_pages(void **state)
{
	char path[] = "/tmp/test_btf.XXXXXX";
	int fd = mkstemp(path);
	struct btf_view *b;
	size_t size;
	uint8_t *bytes = build_large(&size);

	(void)state;
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
	for (int map = 0; map < 2; map++) {
		assert_int_equal(view_open(NULL, path, map, &b), 0);
		check_large(b);
		btf_view_close(b);
	}
	assert_int_equal(btf_view_from(bytes, size, &b), 0);
	check_large(b);
	btf_view_close(b);
	/* with a table of names everything is in memory: the file is not read again */
	assert_int_equal(view_open(NULL, path, false, &b), 0);
	assert_int_equal(btf_view_names_build(b), 0);
	assert_int_equal(truncate(path, 0), 0);
	check_large(b);
	btf_view_close(b);
	unlink(path);
	free(bytes);
	assert_int_equal(btf_view_open(path, &b), -ENOENT);
	assert_int_equal(btf_view_open("/dev/null", &b), -EBADMSG);
}

/* ---- split: a module over the fixture ---- */

struct module {
	struct btf_build build;
	uint8_t *bytes;
	size_t size;
	struct btf_view *view;
	uint32_t mine, outer, func, twin, numbers;
};

static void module_build(struct fixture *f, struct module *m)
{
	struct btf_build *b = &m->build;

	b->base = &f->build;
	/* its name is the section's first byte */
	m->mine = build_struct(
		b, BTF_KIND_STRUCT, "mine", 88,
		(struct build_part[]){ { "own", f->outer, 0, 0 }, { "first", f->pointer, 640, 0 } },
		2);
	m->outer = build_struct(b, BTF_KIND_STRUCT, "outer", 4,
				(struct build_part[]){ { "other", f->int_id, 0, 0 } }, 1);
	m->twin = build_ref(b, BTF_KIND_PTR, "", m->mine);
	m->numbers = build_enum(b, "numbers",
				(struct build_part[]){ { "TWO", 0, 2, 0 }, { "ONE", 0, 3, 0 } }, 2);
	m->func = build_func(
		b, "mod_do", f->int_id,
		(struct build_part[]){ { "m", m->twin, 0, 0 }, { "o", f->pointer, 0, 0 } }, 2);
	m->bytes = build_bytes(b, &m->size);
	assert_int_equal(btf_view_from_split(f->view, m->bytes, m->size, &m->view), 0);
}

static void test_split(void **state)
{
	struct fixture *f = *state;
	struct module *m = calloc(1, sizeof(*m));
	struct btf_query q[] = {
		{ BTF_KIND_STRUCT, "mine", 0 }, { BTF_KIND_STRUCT, "outer", 0 },
		{ BTF_KIND_FUNC, "mod_do", 0 }, { BTF_KIND_FUNC, "do_it", 0 },
		{ BTF_KIND_STRUCT, "own", 0 },	{ BTF_KIND_STRUCT, "min", 0 },
		{ BTF_KIND_ENUM, "kind", 0 },
	};
	struct btf_found found;
	struct suggestion n;
	char text[64];

	module_build(f, m);
	assert_int_equal(btf_view_enum_with(m->view, "TWO"), m->numbers);
	assert_int_equal(btf_view_enum_with(m->view, "ONE"),
			 f->kind); /* the base's before its own */
	assert_int_equal(btf_view_enum_with(m->view, "mine"), 0);
	assert_int_equal(btf_view_enum_with(f->view, "TWO"), 0);
	assert_int_equal(btf_view_first(f->view), 1);
	assert_int_equal(btf_view_first(m->view), f->build.count + 1);
	assert_int_equal(m->mine, f->build.count + 1);
	assert_int_equal(btf_view_count(m->view), f->build.count + m->build.count + 1);
	assert_int_equal(btf_view_find_all(m->view, q, COUNT(q)), 0);
	assert_int_equal(q[0].id, m->mine);
	assert_int_equal(q[1].id, m->outer); /* its own before the base's */
	assert_int_equal(q[2].id, m->func);
	assert_int_equal(q[3].id, f->func);
	assert_int_equal(q[4].id, 0);
	assert_int_equal(q[5].id, 0);
	assert_int_equal(q[6].id, f->kind);
	assert_int_equal(btf_view_find(f->view, BTF_KIND_STRUCT, "mine"), 0);
	assert_string_equal(btf_view_name(m->view, m->mine), "mine");
	assert_string_equal(btf_view_name(m->view, f->func), "do_it");
	assert_ptr_equal(btf_view_type(m->view, f->outer), btf_view_type(f->view, f->outer));
	assert_null(btf_view_type(f->view, m->mine));
	assert_null(btf_view_type(m->view, 0));
	assert_null(btf_view_type(m->view, m->func + 1));
	assert_int_equal(btf_view_size(m->view, m->mine), 88);
	assert_true(btf_view_member(m->view, m->mine, "first", 5, &found));
	assert_int_equal(found.bit_offset, 640);
	assert_true(btf_view_member(m->view, f->outer, "y", 1, &found));
	btf_view_declare(m->view, m->func, "mod_do", text, sizeof(text));
	assert_string_equal(text, "int mod_do(struct mine *, const struct outer *)");
	suggest_init(&n, "mod_od");
	btf_view_func_names(m->view, &n);
	assert_string_equal(suggest_get(&n), "mod_do");
	btf_view_close(m->view);
	free(m->bytes);
	free(m);
}

/* Strings of its own are not needed, types neither; but a base that is whole and no split is. */
static void test_split_edges(void **state)
{
	struct fixture *f = *state;
	struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h) };
	struct btf_view *empty, *second;

	assert_int_equal(btf_view_from(&h, sizeof(h), &empty), -EBADMSG);
	assert_int_equal(btf_view_from_split(f->view, &h, sizeof(h), &empty), 0);
	assert_int_equal(btf_view_count(empty), f->build.count + 1);
	assert_int_equal(btf_view_func(empty, "do_it"), f->func);
	assert_int_equal(btf_view_func(empty, "mod_do"), 0);
	assert_string_equal(btf_view_string(empty, f->build.string_bytes), "");
	assert_int_equal(btf_view_from_split(empty, &h, sizeof(h), &second), 0);
	assert_int_equal(btf_view_count(second), f->build.count + 1);
	assert_int_equal(btf_view_func(second, "do_it"), f->func);
	btf_view_close(second);
	btf_view_close(empty);
	assert_int_equal(btf_view_open_split(f->view, "/no/such/file", &empty), -ENOENT);
}

/* ---- damage ---- */

static int open_damaged(struct fixture *f, size_t offset, uint32_t word, size_t size)
{
	uint8_t *bytes = malloc(size ?: 1);
	struct btf_view *b;
	int err;

	memcpy(bytes, f->bytes, size);
	if (offset + sizeof(word) <= size)
		memcpy(bytes + offset, &word, sizeof(word));
	err = btf_view_from(bytes, size, &b);
	if (!err) {
		err = btf_view_count(b) ? 0 : -EBADMSG;
		btf_view_close(b);
	}
	free(bytes);
	return err;
}

static void test_damaged_header(void **state)
{
	struct fixture *f = *state;

	for (size_t size = 0; size < f->size; size++)
		assert_int_equal(open_damaged(f, f->size, 0, size), -EBADMSG);
	assert_int_equal(open_damaged(f, 0, 0x12345678, f->size), -EBADMSG);
	assert_int_equal(open_damaged(f, 4, 8, f->size), -EBADMSG);	      /* hdr_len */
	assert_int_equal(open_damaged(f, 8, 0xfffffff0, f->size), -EBADMSG);  /* type_off */
	assert_int_equal(open_damaged(f, 12, 0xfffffff0, f->size), -EBADMSG); /* type_len */
	assert_int_equal(open_damaged(f, 16, 0xfffffff0, f->size), -EBADMSG); /* str_off */
	assert_int_equal(open_damaged(f, 20, 0, f->size), -EBADMSG);	      /* str_len */
	assert_int_equal(open_damaged(f, 12, f->build.words * 4 - 4, f->size), -EBADMSG);
	assert_int_equal(open_damaged(f, 28, 31u << 24, f->size), -EBADMSG); /* kind */
	assert_int_equal(open_damaged(f, 28, BTF_KIND_STRUCT << 24 | 0xffff, f->size), -EBADMSG);
}

/* Types that contain, modify and hold themselves end, somehow. */
static void test_cycles(void **state)
{
	struct btf_build b = {};
	uint32_t id, array, modifier;
	struct btf_found found;
	struct btf_view *view;
	struct suggestion n;
	char text[64];
	size_t size;
	uint8_t *bytes;

	(void)state;
	id = build_struct(&b, BTF_KIND_STRUCT, "s", 8,
			  (struct build_part[]){ { "", 1, 0, 0 }, { "", 1, 0, 0 } }, 2);
	array = build_array(&b, 2, 4);
	modifier = build_ref(&b, BTF_KIND_CONST, "", 3);
	build_ref(&b, BTF_KIND_PTR, "", 4);
	build_type(&b, BTF_KIND_FUNC_PROTO, "", 1, 0, 5);
	build_word(&b, 0);
	build_word(&b, 5);
	bytes = build_bytes(&b, &size);
	assert_int_equal(btf_view_from(bytes, size, &view), 0);
	assert_false(btf_view_member(view, id, "x", 1, &found));
	suggest_init(&n, "x");
	btf_view_member_names(view, id, &n);
	assert_int_equal(btf_view_size(view, array), 0);
	assert_int_equal(btf_view_strip(view, modifier), 0);
	assert_false(btf_view_tagged(view, modifier, "user"));
	for (id = 1; id < btf_view_count(view); id++)
		btf_view_declare(view, id, "name", text, sizeof(text));
	btf_view_close(view);
	free(bytes);
}

/* Types copied on top of themselves are the same, one by one. */
static void test_copy(void **state)
{
	struct fixture *f = *state;
	struct btf_view *copy;
	char before[256], after[256];
	void *bytes;
	size_t size;

	assert_int_equal(btf_copy_on(f->view, f->view, &bytes, &size), 0);
	assert_int_equal(btf_view_from_split(f->view, bytes, size, &copy), 0);
	assert_int_equal(btf_view_count(copy), 2 * btf_view_count(f->view) - 1);
	assert_int_equal(btf_copy_id(f->view, 0), 0);
	for (uint32_t id = 1; id < btf_view_count(f->view); id++) {
		uint32_t other = btf_copy_id(f->view, id);

		assert_string_equal(btf_view_name(copy, other), btf_view_name(copy, id));
		assert_int_equal(btf_view_kind(copy, other), btf_view_kind(copy, id));
		assert_int_equal(btf_view_size(copy, other), btf_view_size(copy, id));
		btf_view_declare(copy, id, "x", before, sizeof(before));
		btf_view_declare(copy, other, "x", after, sizeof(after));
		assert_string_equal(after, before);
	}
	btf_view_close(copy);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),	       cmocka_unit_test(test_find),
		cmocka_unit_test(test_expect),	       cmocka_unit_test(test_accessors_stay_inside),
		cmocka_unit_test(test_members),	       cmocka_unit_test(test_strip_and_size),
		cmocka_unit_test(test_declare),	       cmocka_unit_test(test_names_for_nearest),
		cmocka_unit_test(test_declare_around), cmocka_unit_test(test_pages),
		cmocka_unit_test(test_damaged_header), cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_split),	       cmocka_unit_test(test_split_edges),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
