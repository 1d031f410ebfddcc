/* SPDX-License-Identifier: GPL-2.0-only */
/* walk_end.c - a struct that is longer, or shorter, than the known members. */
#include <string.h>

#include "syscalls/walk.h"

/* Writes the bytes of union bpf_attr that follow the known members, from `size` on. */
RARE static void bpf_rest_write(struct walk *w, uint32_t size)
{
	buf_str(w->out->o, w->any ? ", " : "");
	if (!w->out->options->verbose) {
		buf_str(w->out->o, "...");
		return;
	}
	buf_str(w->out->o, "extra_data=");
	out_string(w->out, w->p + size, w->len - size, false, true);
	buf_printf(w->out->o, " /* bytes %u..%u */", size, (unsigned)w->len - 1);
}

/* Where the last member of a struct, or of the struct that this is, ends: of alternatives, that which is there. */
RARE static uint32_t members_end(const struct walk *w)
{
	uint32_t align, end = 0;

	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		const struct type *t = &w->l->members[i].type;
		struct walk inner = *w;
		uint32_t size = member_size(t, w->out->event->abi, &align), at = w->at[i];

		if (type_is_inner(t) && at < w->len) {
			inner.l = t->of;
			inner.p += at;
			inner.len -= at;
			members_place(inner.l, w->out->event->abi, inner.at);
			size = members_end(&inner);
		}
		if (strchr("=*", t->condition) && t->condition && !walk_holds(w, i))
			continue;
		end = at + size > end ? at + size : end;
	}
	return end;
}

bool walk_is_too_small(const struct walk *w, const struct type *t)
{
	return t->limit_arg == LIMIT_SIZE && w->room < t->least && type_has_size_first(t);
}

void walk_tail_write(struct walk *w, const struct type *t)
{
	uint32_t align, size = type_size(t, w->out->event->abi, &align),
			most = w->out->options->strings, i = size;

	if (t->limit_arg == LIMIT_SIZE) {
		if (!walk_is_too_small(w, t))
			w->hidden |= w->room > size || w->len < w->room;
		return;
	}
	if (t->least && w->room > size && w->len < w->room && w->len < SYSSNOOP_TAKE_MAX &&
	    !w->out->json) {
		buf_str(w->out->o, w->any ? ", ???" : "???");
		return;
	}
	if (t->least == 1) /* bpf(2): without padding at its end */
		i = size = members_end(w);
	while (t->least && i < w->len && !w->p[i])
		i++;
	if (!t->least || i >= w->len || w->out->json)
		return;
	if (t->least == 1) { /* bpf(2) */
		bpf_rest_write(w, size);
		return;
	}
	buf_printf(w->out->o, "%s/* bytes %u..%u */ ", w->any ? ", " : "", size,
		   (unsigned)w->len - 1);
	out_string(w->out, w->p + size, w->len - size < most ? w->len - size : most,
		   w->len - size > most, true);
}

void walk_zeros_append(struct walk *w, struct longer *l, uint32_t end)
{
	if (end <= w->len || end > ZEROS_MAX)
		return;
	memmove(l->bytes, w->p, w->len);
	memset(l->bytes + w->len, 0, end - w->len);
	l->out = *w->out;
	l->out.base = l->bytes - (w->p - w->out->base);
	w->out = &l->out;
	w->p = l->bytes;
	w->len = end;
}

RARE uint32_t walk_zeros_end(const struct walk *w)
{
	uint32_t align;

	return w->at[w->l->zeros - 1] +
	       member_size(&w->l->members[w->l->zeros - 1].type, w->out->event->abi, &align);
}

uint32_t walk_member_end(const struct walk *w)
{
	uint32_t align, end = 0;

	for (uint8_t i = 0; i < w->l->count && i < MEMBERS_MAX; i++) {
		uint32_t size = member_size(&w->l->members[i].type, w->out->event->abi, &align);

		if (w->at[i] < w->len && w->at[i] + size > w->len && w->at[i] + size > end)
			end = w->at[i] + size;
	}
	return end;
}
