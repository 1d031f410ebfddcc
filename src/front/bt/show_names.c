/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_names.c - prints values by name: addresses, stacks, network addresses, times, users, errors, system calls,
 * points.
 */
#include <arpa/inet.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "front/bt/show_parts.h"
#include "output/field/stack.h"
#include "output/field/stack_copy.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms.h"
#include "syscalls/syscalls.h"
#include "util/clock.h"
#include "util/passwd.h"

/* ---- addresses ---- */

/* Prints an address without a name: 0x…, but 0 for 0, as C++ prints a pointer. */
static void address_write(struct buf *o, uint64_t address)
{
	if (address)
		buf_str(o, "0x");
	buf_hex(o, address);
}

static void symbols_ask(const struct bt_names *n)
{
	if (n->symbols)
		n->symbols();
}

static void kernel_symbol_write(const struct bt_names *n, struct buf *o, const void *image)
{
	uint64_t address = bt_number_read(image, sizeof(address), false), offset = 0;
	const char *name;

	symbols_ask(n);
	name = n->kernel ? n->kernel(n->ctx, address, &offset) : ksyms_name(address, &offset, NULL);
	if (name)
		buf_str(o, name);
	else
		address_write(o, address);
}

static const char *user_symbol_find(const struct bt_names *n, const struct script_usym *s)
{
	struct usyms_place place;
	uint64_t offset;

	if (n->user)
		return n->user(n->ctx, s, &offset);
	usyms_poll();
	return usyms_name(s->tgid, s->address, &place);
}

static void user_symbol_write(const struct bt_names *n, struct buf *o, const void *image)
{
	struct script_usym s;
	const char *name;

	memcpy(&s, image, sizeof(s));
	name = user_symbol_find(n, &s);
	if (name)
		buf_str(o, name);
	else
		address_write(o, s.address);
}

/* ---- stacks ---- */

static void frame_symbol_write(struct buf *o, const struct frame *f)
{
	if (!f->name) {
		address_write(o, f->address);
		return;
	}
	buf_str(o, f->name);
	buf_char(o, '+');
	buf_uint(o, f->offset);
}

/* Writes the file by its build id and the offset in it; without an id the address. */
static void frame_id_write(struct buf *o, const struct frame *f, uint32_t tgid)
{
	uint64_t offset;
	const char *id = usyms_build_id(tgid, f->address, &offset);

	if (!id) {
		buf_hex(o, f->address);
		return;
	}
	buf_str(o, id);
	buf_str(o, " 0x");
	buf_hex(o, offset);
}

static void frame_write(struct buf *o, const struct frame *f, enum script_stack_mode mode,
			bool is_user, uint32_t tgid)
{
	if (mode == SCRIPT_STACK_RAW) {
		buf_hex(o, f->address);
	} else if (mode == SCRIPT_STACK_BUILD_ID) {
		frame_id_write(o, f, tgid);
	} else if (mode == SCRIPT_STACK_PERF) {
		buf_char(o, '\t');
		buf_hex(o, f->address);
		buf_char(o, ' ');
		frame_symbol_write(o, f);
		if (is_user) {
			buf_str(o, " (");
			buf_str(o, f->path ?: f->module ?: "[unknown]");
			buf_char(o, ')');
		}
	} else {
		buf_repeat(o, ' ', 8);
		frame_symbol_write(o, f);
	}
	buf_char(o, '\n');
}

static void frames_write(struct buf *o, const struct script_type *t, const struct value *v,
			 uint32_t copied)
{
	bool is_user = t->kind == SCRIPT_USTACK;
	const struct field field = { .type = is_user ? FIELD_USER_STACK : FIELD_KERNEL_STACK,
				     .kind = copied ? &stack_copy_kind : NULL,
				     .size = copied,
				     .width = (int)t->depth };
	struct stack_walk w;
	struct frame frame;

	for (stack_begin(&w, &field, v); stack_next(&w, &frame);)
		frame_write(o, &frame, t->mode, is_user, (uint32_t)v->u);
}

/* ---- texts of stacks: each is read and formatted once ---- */

enum { STACK_TEXTS_MOST = 4096 };

struct bt_stack_texts {
	void *tree;
	size_t count;
};

struct stack_text {
	struct stack_text_key {
		struct stack_id id;
		uint32_t mode, depth;
	} key;
	size_t len;
	char text[];
};

struct bt_stack_texts *bt_stack_texts_new(void)
{
	return calloc(1, sizeof(struct bt_stack_texts));
}

void bt_stack_texts_free(struct bt_stack_texts *k)
{
	if (k)
		tdestroy(k->tree, free);
	free(k);
}

static int key_compare(const void *x, const void *y)
{
	return memcmp(x, y, sizeof(struct stack_text_key));
}

static bool text_find(const struct bt_names *n, struct buf *o, const struct stack_text_key *key)
{
	struct stack_text **there = n->stack_texts ?
					    tfind(key, &n->stack_texts->tree, key_compare) :
					    NULL;

	if (there)
		buf_bytes(o, (*there)->text, (*there)->len);
	return there;
}

static void text_cache(const struct bt_names *n, const struct stack_text_key *key, const char *text,
		       size_t len)
{
	struct bt_stack_texts *k = n->stack_texts;
	struct stack_text *t = k && k->count < STACK_TEXTS_MOST ? malloc(sizeof(*t) + len) : NULL;

	if (!t)
		return;
	t->key = *key;
	t->len = len;
	memcpy(t->text, text, len);
	if (tsearch(t, &k->tree, key_compare))
		k->count++;
	else
		free(t);
}

/* Writes a line for each frame. Reports a lost stack; no frames mean that the stack was empty. Returns false if the
 * stack is missing. */
static bool lines_write(const struct bt_names *n, struct buf *o, const struct script_type *t,
			const struct stack_id *found)
{
	const struct event_stack *stack = NULL;
	struct stack_id id = *found;
	struct value v = { 0 };

	if (n->stack && id.hash >= STACK_NONE)
		stack = n->stack(n->ctx, &id, &v.named);
	if (stack && t->kind == SCRIPT_KSTACK)
		symbols_ask(n);
	if (stack && stack->size > 0) {
		v.u = t->kind == SCRIPT_USTACK ? id.tgid : stack->function;
		v.bytes = (const char *)stack->frames;
		v.len = (size_t)stack->size;
		frames_write(o, t, &v, 0);
	} else if (!stack && id.hash > STACK_FAULT) {
		buf_str(o, "        [stack was lost]\n");
	}
	return stack;
}

static void copy_write(struct buf *o, const struct script_type *t, const char *image)
{
	uint32_t registers = arch_offset(arches[ARCH_NATIVE].sample_registers);
	struct event_user_copy copy;
	struct value v = { .u = bt_number_read(image, sizeof(uint32_t), false) };

	memcpy(&copy, image + SCRIPT_COPY_AT, sizeof(copy));
	if (copy.size > SCRIPT_COPY_STACK)
		return;
	v.bytes = image + SCRIPT_COPY_AT + sizeof(copy);
	v.len = registers + copy.size;
	frames_write(o, t, &v, sizeof(copy) + registers + SCRIPT_COPY_STACK);
}

/* Writes a newline, then the frames. */
static void stack_write(const struct bt_names *n, struct buf *o, const struct script_type *t,
			const void *image)
{
	struct stack_text_key key;
	size_t start;

	memset(&key, 0, sizeof(key));
	memcpy(&key.id, image, sizeof(key.id));
	key.mode = t->mode;
	key.depth = t->depth;
	buf_char(o, '\n');
	if (script_is_copy(t)) {
		copy_write(o, t, image);
		return;
	}
	if (t->kind == SCRIPT_KSTACK && text_find(n, o, &key))
		return;
	start = o->len;
	if (lines_write(n, o, t, &key.id) && t->kind == SCRIPT_KSTACK && o->len > start)
		text_cache(n, &key, o->data + start, o->len - start);
}

/* ---- network ---- */

static void inet_write(struct buf *o, const void *image)
{
	char text[INET6_ADDRSTRLEN];
	struct script_inet a;

	memcpy(&a, image, sizeof(a));
	if ((a.family == AF_INET || a.family == AF_INET6) &&
	    inet_ntop((int)a.family, a.address, text, sizeof(text)))
		buf_str(o, text);
}

static void mac_write(struct buf *o, const unsigned char *mac)
{
	buf_printf(o, "%02X:%02X:%02X:%02X:%02X:%02X", mac[0], mac[1], mac[2], mac[3], mac[4],
		   mac[5]);
}

/* ---- times ---- */

/* %f, %k and %l are bpftrace's own: micro-, nano- and milliseconds. */
static void format_expand(struct buf *o, const char *format, uint64_t ns)
{
	for (; *format; format++) {
		if (*format != '%') {
			buf_char(o, *format);
			continue;
		}
		switch (*++format) {
		case 'f': buf_uint_pad(o, ns / 1000, 6); break;
		case 'k': buf_uint_pad(o, ns, 9); break;
		case 'l': buf_uint_pad(o, ns / 1000000, 3); break;
		case '\0': buf_char(o, '%'); return;
		default: buf_char(o, '%'); buf_char(o, *format);
		}
	}
}

void bt_time_write(struct buf *o, const char *format, int64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_SEC - (ns % NS_PER_SEC < 0));
	struct buf expanded;
	char text[1024];
	struct tm tm;

	buf_init(&expanded, -1);
	format_expand(&expanded, format, (uint64_t)(ns - seconds * NS_PER_SEC));
	buf_char(&expanded, '\0');
	if (!seconds || expanded.error || !localtime_r(&seconds, &tm))
		buf_str(o, "(?)");
	else
		buf_bytes(o, text, strftime(text, sizeof(text), expanded.data, &tm));
	buf_free(&expanded);
}

static const char *text_of(const struct bt_show *s, uint32_t number)
{
	return s->script && number < s->script->text_count ? s->script->texts[number] : "";
}

static void time_value_write(const struct bt_show *s, struct buf *o, const void *image)
{
	struct script_time t;

	memcpy(&t, image, sizeof(t));
	bt_time_write(o, text_of(s, t.format), (int64_t)bt_wall(s, t.clock, t.ns));
}

/* ---- numbers with a name ---- */

static void user_write(const struct bt_names *n, struct buf *o, const void *image)
{
	uint32_t uid = (uint32_t)bt_number_read(image, sizeof(uid), false);
	const char *name = n->user_name ? n->user_name(n->ctx, uid) : user_name(uid);

	buf_str(o, name ?: "");
}

const char *bt_syscall_name(uint32_t number)
{
	return syscall_name(SYSCALL_ABI_64, number);
}

static void cgroup_write(const struct bt_show *s, struct buf *o, const void *image)
{
	struct script_cgroup c;
	const char *filter;

	memcpy(&c, image, sizeof(c));
	filter = text_of(s, c.filter);
	if (s->names.cgroup)
		s->names.cgroup(s->names.ctx, o, c.id, filter);
	else
		bt_cgroup_write(o, c.id, filter);
}

static void point_write(const struct bt_show *s, struct buf *o, const struct script_type *t,
			const void *image)
{
	uint32_t i = (uint32_t)bt_number_read(image, sizeof(i), false);

	if (s->points && i < s->points->count)
		buf_str(o, t->is_func ? s->points->all[i].func : s->points->all[i].probe);
}

void bt_show_name(const struct bt_form *f, struct buf *o, const struct script_type *t,
		  const void *image)
{
	const struct bt_names *n = &f->s->names;

	switch (t->kind) {
	case SCRIPT_KSTACK:
	case SCRIPT_USTACK: stack_write(n, o, t, image); break;
	case SCRIPT_KSYM: kernel_symbol_write(n, o, image); break;
	case SCRIPT_USYM: user_symbol_write(n, o, image); break;
	case SCRIPT_INET: inet_write(o, image); break;
	case SCRIPT_MAC: mac_write(o, image); break;
	case SCRIPT_TIME: time_value_write(f->s, o, image); break;
	case SCRIPT_CGROUP: cgroup_write(f->s, o, image); break;
	case SCRIPT_USER: user_write(n, o, image); break;
	case SCRIPT_ERROR:
	case SCRIPT_SYSCALL:
	case SCRIPT_SIGNAL:
		buf_str(o, script_number_name(t->kind, (int)bt_number_read(image, 4, true),
					      bt_syscall_name));
		break;
	case SCRIPT_POINT: point_write(f->s, o, t, image); break;
	default: break;
	}
}
