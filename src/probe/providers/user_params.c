/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_params.c - the parameters of a user function as expressions over registers and memory at its first instruction,
 * or the variables at a place inside it.
 *
 * Debug information tells where each is; of a function that stores its parameters into its frame first, it tells where
 * they will be. Then the calling convention tells where they come from (user_call.c).
 */
#include "probe/providers/user_call.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/user/dwarf_place.h"

enum {
	TEXT_SIZE = 96,
};

static const char in_vector[] = "in a register of floating-point numbers, which BPF cannot read";
static const char is_gone[] = "the compiler optimised it out";
static const char is_odd[] =
	"its debug information describes the place in a way that is not supported";
static const char is_untyped[] = "its debug information does not tell the type";
static const char is_of_thread[] =
	"each thread has its own (thread-local), at a place that only the C library knows";

/* ---- expressions ---- */

struct writer {
	struct user_params *out;
	struct call_state state;
	bool is_full; /* out of memory */
};

static const char *text_keep(struct writer *w, const char *text)
{
	const char *copy = arena_text(&w->out->texts, text, strlen(text));

	w->is_full |= !copy;
	return copy;
}

static const char *register_text(struct writer *w, unsigned number, int64_t offset)
{
	char text[TEXT_SIZE];

	snprintf(text, sizeof(text), "($reg(%s) + %lld)", w->state.arch->registers[number],
		 (long long)offset);
	return text_keep(w, text);
}

static const char *pointed_text(struct writer *w, const char *address)
{
	char text[TEXT_SIZE];

	snprintf(text, sizeof(text), "*(u64 %s*)%s", w->state.call->in_kernel ? "" : "__user ",
		 address ?: "0");
	return text_keep(w, text);
}

static const char *sum_text(struct writer *w, const char *number, int64_t offset)
{
	char text[2 * TEXT_SIZE];

	snprintf(text, sizeof(text), "(%s + %lld)", number ?: "0", (long long)offset);
	return offset ? text_keep(w, text) : number;
}

static void unreadable(struct expr_param *p, const char *why)
{
	p->where = EXPR_PARAM_INNER;
	p->type = why;
	p->inner = NULL;
	p->is_hidden = true;
}

static void expression(struct expr_param *p, enum expr_param_where where, const char *text)
{
	p->where = where;
	p->inner = text;
}

static const char *stack_text(struct writer *w, const struct home *h)
{
	return register_text(w, w->state.arch->sp,
			     (int64_t)h->stack + w->state.arch->stack_arguments);
}

static void words_set(struct expr_param *p, const struct shape *shape,
		      const char *const words[WORDS_MAX])
{
	if (shape->is_array) {
		unreadable(p, is_odd);
	} else if (!shape->is_struct && (!words[0] || shape->size > WORD)) {
		unreadable(p, words[0] ? is_odd : in_vector);
	} else if (shape->is_struct) {
		expression(p, EXPR_PARAM_WORDS, words[0]);
		p->next = words[1];
		p->is_hidden = true;
	} else {
		expression(p, EXPR_PARAM_VALUE, words[0]);
	}
}

/* Puts the numbers of a struct, each in a register of its own, where they are in memory. */
static void leaves_set(struct writer *w, struct expr_param *p, const struct shape *shape,
		       const struct home *h)
{
	const char *words[WORDS_MAX] = { NULL, NULL };
	char text[WORDS_MAX][TEXT_SIZE] = { "", "" };

	for (unsigned i = 0; i < WORDS_MAX; i++) {
		const struct leaf *leaf = &shape->leaves[i];
		char *to = text[leaf->at / WORD % WORDS_MAX];
		size_t len = strlen(to);

		if (h->words[i] >= 0)
			snprintf(to + len, TEXT_SIZE - len, "%s((u64)(u%u)$reg(%s) << %u)",
				 len ? " | " : "", (unsigned)leaf->size * 8,
				 w->state.arch->registers[w->state.arch->arguments[h->words[i]]],
				 (unsigned)(leaf->at % WORD * 8));
	}
	for (unsigned i = 0; i < WORDS_MAX; i++)
		words[i] = *text[i] ? text_keep(w, text[i]) : NULL;
	words_set(p, shape, words);
}

static void home_set(struct writer *w, struct expr_param *p, const struct shape *shape,
		     const struct home *h)
{
	const struct arch *arch = w->state.arch;
	const char *words[WORDS_MAX] = { NULL, NULL };

	switch (h->kind) {
	case HOME_STACK: expression(p, EXPR_PARAM_MEMORY, stack_text(w, h)); break;
	case HOME_POINTED:
		expression(p, EXPR_PARAM_MEMORY, register_text(w, arch->arguments[h->words[0]], 0));
		break;
	case HOME_STACK_POINTED:
		expression(p, EXPR_PARAM_MEMORY, pointed_text(w, stack_text(w, h)));
		break;
	case HOME_WORDS:
		if (!shape->is_struct && h->count == 1 && h->words[0] >= 0) {
			p->where = EXPR_PARAM_REGISTER;
			p->offset = (uint16_t)h->words[0];
			break;
		}
		for (unsigned i = 0; i < h->count; i++)
			if (h->words[i] >= 0)
				words[i] = register_text(w, arch->arguments[h->words[i]], 0);
		words_set(p, shape, words);
		break;
	case HOME_LEAVES: leaves_set(w, p, shape, h); break;
	default: unreadable(p, is_odd);
	}
}

/* Returns the number of a register in struct pt_regs, or -1 if BPF cannot read it. */
static int register_number(const struct arch *arch, unsigned dwarf)
{
	for (unsigned i = 0; i <= dwarf; i++)
		if (i == ARCH_DWARF_MAX || arch->dwarf[i] == ARCH_NO_REGISTER)
			return -1;
	return arch->dwarf[dwarf];
}

static int argument_number(const struct arch *arch, int number)
{
	for (int i = 0; i < arch->argument_count; i++)
		if (arch->arguments[i] == number)
			return i;
	return -1;
}

/* The address of what the file has at `offset`. */
static const char *static_text(struct writer *w, const struct dwarf_place *p)
{
	return register_text(w, w->state.arch->ip, p->offset - (int64_t)w->state.call->address);
}

static const char *piece_text(struct writer *w, const struct dwarf_place *p)
{
	int number = register_number(w->state.arch, p->reg);
	const char *inner;
	char text[TEXT_SIZE];

	if (p->kind == PLACE_CONSTANT) {
		snprintf(text, sizeof(text), "(u64)%lld", (long long)p->offset);
		return text_keep(w, text);
	}
	if (p->kind == PLACE_ADDRESS)
		return static_text(w, p);
	if (number < 0 ||
	    (p->kind != PLACE_REGISTER && p->kind != PLACE_SUM && p->kind != PLACE_MEMORY))
		return NULL;
	inner = register_text(w, (unsigned)number, p->offset);
	if (p->kind == PLACE_MEMORY)
		return pointed_text(w, inner);
	snprintf(text, sizeof(text), "((u64)%s >> %u)", inner ?: "0", p->shift);
	return p->shift ? text_keep(w, text) : inner;
}

/* Joins the pieces of each word. Returns a bit for each byte that has a value. */
static unsigned pieces_join(struct writer *w, const struct dwarf_param *from,
			    const char *words[WORDS_MAX])
{
	char text[WORDS_MAX][DWARF_PIECES_MAX * 2 * TEXT_SIZE] = { "", "" };
	unsigned known = 0;
	uint64_t at = 0;

	for (unsigned i = 0; i < from->piece_count; at += from->pieces[i++].size) {
		unsigned size = from->pieces[i].size, shift = at % WORD * 8;
		const char *piece = at % WORD + size <= WORD && at < WORDS_MAX * WORD && size ?
					    piece_text(w, &from->pieces[i].place) :
					    NULL;
		char *to = text[at / WORD % WORDS_MAX];
		size_t len = strlen(to);

		if (!piece)
			continue;
		known |= ((1u << size) - 1) << at;
		snprintf(to + len, sizeof(text[0]) - len, "%s((u64)%s << %u >> %u << %u)",
			 len ? " | " : "", piece, 64 - 8 * size, 64 - 8 * size, shift);
	}
	for (unsigned i = 0; i < WORDS_MAX; i++)
		words[i] = *text[i] ? text_keep(w, text[i]) : NULL;
	return known;
}

static void pieces_set(struct writer *w, struct expr_param *p, const struct shape *shape,
		       const struct dwarf_param *from)
{
	const char *words[WORDS_MAX] = { NULL, NULL };
	unsigned known = pieces_join(w, from, words);

	words_set(p, shape, words);
	p->unknown = (uint16_t)~known;
	if (!shape->is_struct &&
	    (shape->size >= 2 * WORD || p->unknown & ((1u << shape->size) - 1)))
		unreadable(p, is_gone);
}

static void register_set(struct writer *w, struct expr_param *p, const struct shape *shape,
			 const struct dwarf_place *place)
{
	int number = register_number(w->state.arch, place->reg);
	int argument = argument_number(w->state.arch, number);
	const char *words[WORDS_MAX] = { NULL, NULL };

	if (number < 0) {
		unreadable(p, in_vector);
	} else if (argument >= 0 && !shape->is_struct && shape->size <= WORD) {
		p->where = EXPR_PARAM_REGISTER;
		p->offset = (uint16_t)argument;
	} else {
		words[0] = register_text(w, (unsigned)number, 0);
		words_set(p, shape, words);
	}
}

static void memory_set(struct writer *w, struct expr_param *p, const struct dwarf_place *place)
{
	int number = register_number(w->state.arch, place->reg);
	const char *address;

	if (number < 0) {
		unreadable(p, is_odd);
		return;
	}
	address = register_text(w, (unsigned)number, place->offset);
	if (place->kind == PLACE_POINTED)
		address = sum_text(w, pointed_text(w, address), place->behind);
	expression(p, EXPR_PARAM_MEMORY, address);
}

/* True if only the convention tells where the parameter is: other files that call the function rely on it. One without any
 * place, or parts of one, are not used, so that clang lets callers in the same file pass anything. */
static bool is_by_convention(const struct writer *w, const struct dwarf_param *from)
{
	const struct user_call *call = w->state.call;

	if (call->is_inside)
		return false;
	switch (from->place.kind) {
	case PLACE_FRAME: return true;
	case PLACE_NONE: return call->is_gnu && !call->is_static;
	case PLACE_ODD: return (call->is_gnu || !from->piece_count) && !call->is_static;
	/* clang says where objects are from the instruction on that stores their address */
	case PLACE_LATER: return from->passing == PASS_BY_REFERENCE && !call->is_static;
	default: return false;
	}
}

static void place_set(struct writer *w, struct expr_param *p, const struct shape *shape,
		      const struct dwarf_param *from, const struct home *h)
{
	const struct dwarf_place *place = &from->place;
	const char *words[WORDS_MAX] = { NULL, NULL };

	if (is_by_convention(w, from)) {
		if (w->state.call->unknown)
			unreadable(p, w->state.call->unknown);
		else
			home_set(w, p, shape, h);
		return;
	}
	switch (place->kind) {
	case PLACE_REGISTER: register_set(w, p, shape, place); break;
	case PLACE_MEMORY:
	case PLACE_POINTED: memory_set(w, p, place); break;
	case PLACE_SUM:
	case PLACE_ADDRESS:
	case PLACE_CONSTANT:
		if (place->narrow && place->narrow < shape->size) {
			unreadable(p, is_odd);
			break;
		}
		words[0] = piece_text(w, place);
		words_set(p, shape, words);
		break;
	case PLACE_STATIC: expression(p, EXPR_PARAM_MEMORY, static_text(w, place)); break;
	case PLACE_THREAD: unreadable(p, is_of_thread); break;
	case PLACE_PIECES: pieces_set(w, p, shape, from); break;
	case PLACE_ODD: unreadable(p, is_odd); break;
	default: unreadable(p, is_gone);
	}
}

/* What the debug information tells of one parameter on the stack tells where the next one is. */
static void stack_follow(struct call_state *s, const struct shape *shape,
			 const struct dwarf_place *place)
{
	int64_t at = place->offset - s->arch->return_size;

	/* of an empty class, a byte is said to be there */
	if (shape->words[0] != WORD_EMPTY && !s->call->is_inside && place->kind == PLACE_MEMORY &&
	    at >= 0 && place->reg == s->arch->frames.sp)
		s->stack = (uint64_t)at + (shape->size + WORD - 1) / WORD * WORD;
}

/* True if the address of a struct is passed: the debug information says so, or the struct is where an argument points. */
static bool is_pointed(const struct writer *w, const struct shape *shape,
		       const struct dwarf_param *from)
{
	const struct dwarf_place *place = &from->place;
	int number = place->kind == PLACE_MEMORY ? register_number(w->state.arch, place->reg) : -1;

	return place->is_pointed || from->passing == PASS_BY_REFERENCE ||
	       (shape->is_struct && !place->offset && !w->state.call->is_inside && number >= 0 &&
		argument_number(w->state.arch, number) >= 0);
}

static void param_add(struct writer *w, const struct dwarf_types *types,
		      const struct dwarf_param *from)
{
	struct expr_param *p = &w->out->list[w->out->count++];
	uint32_t id = dwarf_types_id(types, from->type);
	struct shape shape = shape_of(w->state.call->btf, id);
	struct home h;

	shape.alignment = from->alignment;
	/* what it occupies, those behind it do not */
	w->state.is_lost |= !w->state.call->is_inside && (!id || !from->passing);
	h = home_next(&w->state, &shape, is_pointed(w, &shape, from));
	stack_follow(&w->state, &shape, &from->place);
	p->name = text_keep(w, from->name);
	p->id = id;
	p->size = WORD;
	if (id)
		place_set(w, p, &shape, from, &h);
	else
		unreadable(p, is_untyped);
}

/* $arg1 … are the registers of the arguments, whatever the debug information tells. */
static void registers_add(struct writer *w)
{
	for (unsigned i = 0; i < ARCH_SYSCALL_ARGUMENTS; i++)
		w->out->list[w->out->count++] = (struct expr_param){
			.name = "",
			.size = WORD,
			.is_hidden = true,
			.where = EXPR_PARAM_REGISTER,
			.offset = (uint16_t)i,
		};
}

void user_params_free(struct user_params *p)
{
	if (!p)
		return;
	free(p->list);
	arena_free(&p->texts);
	free(p);
}

int user_params_build(const struct user_call *call, const struct dwarf_types *types,
		      const struct dwarf_param *from, size_t count, struct user_params **out)
{
	struct writer w = { .out = calloc(1, sizeof(*w.out)),
			    .state = { .call = call, .arch = &arches[call->arch] } };

	*out = w.out;
	if (!w.out)
		return -ENOMEM;
	w.out->list = calloc(count + ARCH_SYSCALL_ARGUMENTS, sizeof(*w.out->list));
	w.state.integers = w.out->result_pointed = call->is_hidden;
	for (size_t i = 0; i < count && w.out->list; i++)
		param_add(&w, types, &from[i]);
	w.out->named = w.out->count;
	if (w.out->list && !call->is_inside)
		registers_add(&w);
	if (w.out->list && !w.is_full)
		return 0;
	user_params_free(w.out);
	*out = NULL;
	return -ENOMEM;
}
