/* SPDX-License-Identifier: GPL-2.0-only */
/* elements.c - prints values in memory by their types: one, or the elements of an array. */
#include <string.h>

#include "syscalls/text.h"

void out_memory(struct out *out, const struct type *t, const char *p, size_t len)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	uint64_t v;

	if (t->kind == TYPE_STRUCT) {
		out_struct(out, t->of, p, len);
		return;
	}
	if (t->kind == TYPE_SOCKADDR) {
		out_sockaddr(out, p, len);
		return;
	}
	if (t->kind == TYPE_SIGSET && len < size) {
		out_sigset(out, memory_number(p, (uint32_t)len));
		return;
	}
	if (len < size) {
		out_word(out, "?");
		return;
	}
	if (t->kind >= TYPE_BIT && out_form(out, t, p))
		return;
	v = memory_number(p, size);
	switch (t->kind) {
	case TYPE_SIGSET: out_sigset(out, v); break;
	case TYPE_SIGINFO: out_info(out, p); break;
	case TYPE_WSTATUS: out_wstatus(out, (unsigned)v); break;
	case TYPE_DEV: out_dev(out, v); break;
	case TYPE_EPOLLDATA:
		if (out->json)
			buf_printf(out->o, "{\"u32\":%u,\"u64\":%llu}", (unsigned)v,
				   (unsigned long long)v);
		else
			out_hex(out, v);
		break;
	default: out_scalar(out, t, v);
	}
}

/* [VINTR]= */
static void index_write(struct out *out, const struct type *t, uint32_t i)
{
	const struct set *s = t->of;
	const char *name = set_name(s, i);
	uint8_t style = out_is_styled(out) ? out->options->style : SYSCALL_NAMES;

	buf_char(out->o, '[');
	if (name && style == SYSCALL_NAMES)
		buf_str(out->o, name);
	else
		buf_uint(out->o, i);
	if (style == SYSCALL_BOTH && name)
		buf_printf(out->o, " /* %s */", name);
	else if (style != SYSCALL_NUMBERS_ONLY && !name && *s->prefix != '=')
		buf_printf(out->o, " /* %s??? */", s->prefix);
	buf_str(out->o, "]=");
}

bool type_is_list(const struct type *t)
{
	return t->array || t->count_arg != COUNT_NONE;
}

bool out_items(struct out *out, const struct type *t, const char *p, uint32_t count)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	uint16_t around = out->index; /* members of an element are such lists, too */
	bool is_all = true;

	for (uint32_t i = 0; i < count; i++) {
		if (i)
			buf_str(out->o, out->json ? "," : ", ");
		if (type_is_list(t) && !t->whole && i >= out->options->strings &&
		    !out->options->verbose && !out->json) {
			buf_str(out->o, "...");
			is_all = false;
			break;
		}
		if (t->kind == TYPE_INDEXED && !out->json)
			index_write(out, t, i);
		out->index = (uint16_t)i;
		out_memory(out, t, p + i * size, size);
		if (t->kind == TYPE_FD && t->ptr && !out->json && !out->list)
			out_member_file(out, p + i * size, "");
		else if (t->kind == TYPE_FD && !out->json && i < SYSSNOOP_LIST)
			out_list_file(out, i);
	}
	out->index = around;
	return is_all;
}

void out_elements(struct out *out, const struct type *t, const char *p, uint32_t count)
{
	buf_str(out->o, type_is_list(t) ? "[" : "");
	out_items(out, t, p, count);
	buf_str(out->o, type_is_list(t) ? "]" : "");
}

/* A string with room for so many characters, or up to a NUL. */
static void chars_write(struct out *out, const struct type *t, const char *p, size_t len)
{
	size_t most = t->count < len ? t->count : len, n = strnlen(p, most),
	       shown = n < out->options->strings ? n : out->options->strings;

	out_string(out, p, shown, n == most || shown < n, false);
}

void out_value(struct out *out, const struct type *t, const char *p, size_t len)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);

	if (t->kind == TYPE_BUF)
		out_string(out, p, len, false, t->hex);
	else if (t->kind == TYPE_CHARS)
		chars_write(out, t, p, len);
	else if (t->array && size)
		out_elements(out, t, p,
			     t->count && t->count < len / size ? t->count : (uint32_t)(len / size));
	else
		out_memory(out, t, p, len);
}
