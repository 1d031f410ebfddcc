/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_types.c - types of the functions of BPF programs: those that each program was loaded with, on top of the
 * kernel's.
 *
 * What a program calls struct xdp_md or __sk_buff is translated when it is loaded; a tracer sees the struct behind,
 * an xdp_buff or sk_buff. struct bpf_ctx_convert in the kernel's types has both, for each type of program
 * (kernel/bpf/btf.c).
 */
#include "probe/providers/bpf_types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf_copy.h"
#include "btf/btf_write.h"

/* Kept until exit: values that are shown later have these types. */
static struct object_types {
	uint32_t btf_id;
	struct btf_view *own, *copy; /* copy: on top of the kernel's */
	struct object_types *next;
} * known;

static int object_open(const struct btf_view *kernel, struct object_types *o)
{
	void *bytes;
	size_t size;
	int err = bpf_types_read(o->btf_id, &bytes, &size);

	if (!err && (err = btf_view_from(bytes, size, &o->own)))
		free(bytes);
	if (!err)
		err = btf_copy_on(kernel, o->own, &bytes, &size);
	if (!err && (err = btf_view_from_split(kernel, bytes, size, &o->copy)))
		free(bytes);
	return err;
}

static int object_find(const struct btf_view *kernel, uint32_t btf_id,
		       const struct object_types **found)
{
	struct object_types *o = known;
	int err;

	while (o && o->btf_id != btf_id)
		o = o->next;
	if (!o) {
		o = calloc(1, sizeof(*o));
		if (!o)
			return -ENOMEM;
		o->btf_id = btf_id;
		err = object_open(kernel, o);
		if (err) {
			free(o);
			return err;
		}
		o->next = known;
		known = o;
	}
	*found = o;
	return 0;
}

const char *bpf_function_name(const struct btf_view *kernel, const struct bpf_program_info *info,
			      size_t function)
{
	const struct object_types *o;

	if (function < info->function_count && !object_find(kernel, info->btf_id, &o))
		return btf_view_name(o->own, info->functions[function]);
	return function ? "" : info->name;
}

/* ---- the context, as the kernel sees it ---- */

enum kernel_type {
	TYPE_PROGRAMS,
	TYPE_CONTEXTS,
	TYPE_XDP_ACTIONS,
	TYPE_SK_ACTIONS,
	TYPE_RETURN_CODES,
	KERNEL_TYPES,
};

/* Returns its id, or 0. All are looked up in one pass over the kernel's types, once. */
static uint32_t kernel_type(const struct btf_view *kernel, enum kernel_type type)
{
	static struct btf_query types[KERNEL_TYPES] = {
		[TYPE_PROGRAMS] = { BTF_KIND_ENUM, "bpf_prog_type", 0 },
		[TYPE_CONTEXTS] = { BTF_KIND_STRUCT, "bpf_ctx_convert", 0 },
		[TYPE_XDP_ACTIONS] = { BTF_KIND_ENUM, "xdp_action", 0 },
		[TYPE_SK_ACTIONS] = { BTF_KIND_ENUM, "sk_action", 0 },
		[TYPE_RETURN_CODES] = { BTF_KIND_ENUM, "bpf_ret_code", 0 },
	};
	static const struct btf_view *searched;

	if (searched != kernel && !btf_view_find_all(kernel, types, KERNEL_TYPES))
		searched = kernel;
	return types[type].id;
}

const char *bpf_program_type(const struct btf_view *kernel, uint32_t type)
{
	static const char prefix[] = "BPF_PROG_TYPE_";
	const struct btf_type *t = btf_view_type(kernel, kernel_type(kernel, TYPE_PROGRAMS));
	const char *name;

	for (unsigned i = 0; t && i < btf_vlen(t); i++)
		if (btf_view_enum_value(kernel, t, i, &name) == type &&
		    !strncmp(name, prefix, strlen(prefix)))
			return name + strlen(prefix);
	return NULL;
}

/* Returns the type of the member of struct bpf_ctx_convert for that type of program, or 0. */
static uint32_t context_member(const struct btf_view *kernel, const char *type, const char *side)
{
	uint32_t id = kernel_type(kernel, TYPE_CONTEXTS);
	struct btf_found found;
	char name[64];

	snprintf(name, sizeof(name), "BPF_PROG_TYPE_%s_%s", type ?: "", side);
	return id && btf_view_member(kernel, id, name, strlen(name), &found) ? found.type : 0;
}

/* True for a pointer to the struct of that name. */
static bool points_to(const struct btf_view *b, uint32_t id, const char *name)
{
	const struct btf_type *t = btf_view_stripped(b, id);

	if (!*name || !t || btf_kind(t) != BTF_KIND_PTR)
		return false;
	id = btf_view_strip(b, t->type);
	return btf_view_kind(b, id) == BTF_KIND_STRUCT && !strcmp(btf_view_name(b, id), name);
}

/* ---- results by name ---- */

/* include/uapi/linux/pkt_cls.h */
static const struct verdict {
	const char *name;
	int value;
} tc_verdicts[] = { { "TC_ACT_UNSPEC", -1 }, { "TC_ACT_OK", 0 },     { "TC_ACT_RECLASSIFY", 1 },
		    { "TC_ACT_SHOT", 2 },    { "TC_ACT_PIPE", 3 },   { "TC_ACT_STOLEN", 4 },
		    { "TC_ACT_QUEUED", 5 },  { "TC_ACT_REPEAT", 6 }, { "TC_ACT_REDIRECT", 7 },
		    { "TC_ACT_TRAP", 8 } };
enum { TC_VERDICTS = sizeof(tc_verdicts) / sizeof(tc_verdicts[0]) };

/* The enum of the kernel that has the results of a type of program. */
static const struct {
	const char *type;
	enum kernel_type verdicts; /* KERNEL_TYPES: tc_verdicts, which are macros there */
} results[] = {
	{ "XDP", TYPE_XDP_ACTIONS },
	{ "SCHED_CLS", KERNEL_TYPES },
	{ "SCHED_ACT", KERNEL_TYPES },
	{ "SK_SKB", TYPE_SK_ACTIONS },
	{ "SK_MSG", TYPE_SK_ACTIONS },
	{ "SK_REUSEPORT", TYPE_SK_ACTIONS },
	{ "SK_LOOKUP", TYPE_SK_ACTIONS },
	{ "LWT_IN", TYPE_RETURN_CODES },
	{ "LWT_OUT", TYPE_RETURN_CODES },
	{ "LWT_XMIT", TYPE_RETURN_CODES },
	{ "LWT_SEG6LOCAL", TYPE_RETURN_CODES },
	{ "FLOW_DISSECTOR", TYPE_RETURN_CODES },
};

static void tc_verdicts_write(struct btf_write *w)
{
	btf_write_type(w, &w->types, NULL, btf_write_info(BTF_KIND_ENUM, TC_VERDICTS, true), 4);
	for (size_t i = 0; i < TC_VERDICTS; i++) {
		btf_write_word(&w->types, btf_write_string(w, tc_verdicts[i].name));
		btf_write_word(&w->types, tc_verdicts[i].value);
	}
}

/* Returns the type of the program's result: a named one for known types of programs, else `declared`. `next` is the
 * id of the next type that is written. */
static uint32_t result_type(struct btf_write *w, const struct btf_view *kernel, const char *type,
			    uint32_t declared, uint32_t *next)
{
	for (size_t i = 0; type && i < sizeof(results) / sizeof(results[0]); i++) {
		if (strcmp(results[i].type, type))
			continue;
		if (results[i].verdicts != KERNEL_TYPES)
			return kernel_type(kernel, results[i].verdicts) ?: declared;
		tc_verdicts_write(w);
		return (*next)++;
	}
	return declared;
}

/* ---- the function ---- */

struct builder {
	struct btf_write w;
	const struct btf_view *kernel, *copy;
	uint32_t next;		  /* id of the next type that is written */
	uint32_t context;	  /* a pointer to the kernel's struct; 0: none */
	unsigned what;		  /* enum bpf_types */
	const char *context_name; /* what programs call that struct */
};

static void context_write(struct builder *b, const char *type)
{
	uint32_t ours = context_member(b->kernel, type, "prog");
	uint32_t kernels = context_member(b->kernel, type, "kern");

	b->context_name = btf_view_name(b->kernel, btf_view_strip(b->kernel, ours));
	if (!ours || !kernels)
		return;
	btf_write_type(&b->w, &b->w.types, NULL, btf_write_info(BTF_KIND_PTR, 0, false), kernels);
	b->context = b->next++;
}

static void prototype_write(struct builder *b, const struct btf_type *proto, uint32_t result)
{
	const struct btf_param *param = btf_params(proto);
	unsigned count = btf_vlen(proto);

	btf_write_type(&b->w, &b->w.types, NULL, btf_write_info(BTF_KIND_FUNC_PROTO, count, false),
		       result);
	for (unsigned i = 0; i < count; i++, param++) {
		bool is_context = b->context && points_to(b->copy, param->type, b->context_name);

		btf_write_word(&b->w.types,
			       btf_write_string(&b->w, btf_view_string(b->copy, param->name_off)));
		btf_write_word(&b->w.types, is_context ? b->context : param->type);
	}
	b->next++;
}

/* As many numbers as a program of the kernel has arguments. */
static void unnamed_write(struct builder *b, uint32_t result)
{
	uint32_t number = b->next++;

	btf_write_type(&b->w, &b->w.types, "u64", btf_write_info(BTF_KIND_INT, 0, false), 8);
	btf_write_word(&b->w.types, 64);
	btf_write_type(&b->w, &b->w.types, NULL,
		       btf_write_info(BTF_KIND_FUNC_PROTO, BPF_ARGUMENTS, false), result);
	for (int i = 0; i < BPF_ARGUMENTS; i++) {
		btf_write_word(&b->w.types, 0);
		btf_write_word(&b->w.types, number);
	}
	b->next++;
}

static int function_write(struct builder *b, const struct bpf_program_info *info, size_t function)
{
	const char *type = bpf_program_type(b->kernel, info->type);
	uint32_t id = btf_copy_id(b->kernel, info->functions[function]), result;
	const struct btf_type *func = btf_view_type(b->copy, id), *proto;

	proto = func ? btf_view_type(b->copy, func->type) : NULL;
	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
		return -EBADMSG;
	context_write(b, type);
	result = function || !(b->what & BPF_TYPES_VERDICTS) ?
			 proto->type :
			 result_type(&b->w, b->kernel, type, proto->type, &b->next);
	if (b->what & BPF_TYPES_UNNAMED)
		unnamed_write(b, result);
	else
		prototype_write(b, proto, result);
	btf_write_type(&b->w, &b->w.types, btf_view_name(b->copy, id),
		       btf_write_info(BTF_KIND_FUNC, 0, false), b->next - 1);
	return 0;
}

int bpf_function_types(const struct btf_view *kernel, const struct bpf_program_info *info,
		       size_t function, unsigned what, struct btf_view **view, uint32_t *func_id)
{
	const struct object_types *o;
	struct builder b = { .kernel = kernel, .what = what };
	void *bytes = NULL;
	size_t size;
	int err = object_find(kernel, info->btf_id, &o);

	if (err)
		return err;
	b.copy = o->copy;
	b.next = btf_view_count(o->copy);
	btf_write_begin(&b.w, o->copy);
	err = function_write(&b, info, function);
	if (!err && !(bytes = btf_write_bytes(&b.w, &size)))
		err = -ENOMEM;
	btf_write_free(&b.w);
	if (!err)
		err = btf_view_from_split(o->copy, bytes, size, view);
	if (err)
		free(bytes);
	*func_id = b.next;
	return err;
}
