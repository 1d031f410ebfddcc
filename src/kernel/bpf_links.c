/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_links.c - asks the kernel where BPF programs are attached.
 *
 * A link is described by a row for its type. The layouts are here because headers of the C library may be older than
 * the kernel; what an old kernel does not fill stays zero.
 */
#include "kernel/bpf_links.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/interface.h"

enum { TEXT_ROOM = 256 };

/* bpf_link_info, with the members that are shown */
struct link_info {
	uint32_t type, id, program, pad;
	union {
		struct {
			uint64_t name;
			uint32_t name_size;
		} text; /* of a raw tracepoint, of an iterator: the address comes first */
		struct {
			uint32_t attach_type, types, function;
		} tracing;
		struct {
			uint64_t cgroup;
			uint32_t attach_type;
		} cgroup;
		struct {
			uint32_t number, attach_type; /* of a device, or of a network namespace */
		} net;
		struct {
			uint64_t addresses;
			uint32_t count, flags;
		} functions; /* kprobe.multi */
		struct {
			uint64_t path, offsets, counters, cookies;
			uint32_t path_size, count;
		} file_functions; /* uprobe.multi */
		struct {
			uint32_t kind, pad;
			uint64_t name;
			uint32_t name_size, offset;
		} event; /* kind: enum event_kind */
		char room[128];
	};
};

enum event_kind {
	EVENT_UPROBE = 1,
	EVENT_URETPROBE,
	EVENT_KPROBE,
	EVENT_KRETPROBE,
	EVENT_TRACEPOINT,
	EVENT_KINDS
};
static const char *const event_names[EVENT_KINDS] = { "perf event", "uprobe",	 "uretprobe",
						      "kprobe",	    "kretprobe", "tracepoint" };

/* ---- what each type of link is attached to ---- */

static void text_write(struct buf *o, const struct link_info *l, const char *text)
{
	(void)l;
	buf_printf(o, ":%s", text);
}

static void cgroup_write(struct buf *o, const struct link_info *l, const char *text)
{
	(void)text;
	buf_printf(o, ":%llu", (unsigned long long)l->cgroup.cgroup);
}

static void number_write(struct buf *o, const struct link_info *l, const char *text)
{
	(void)text;
	buf_printf(o, ":%u", l->net.number);
}

static void device_write(struct buf *o, const struct link_info *l, const char *text)
{
	(void)text;
	buf_printf(o, ":%s", interface_name(l->net.number));
}

static void functions_write(struct buf *o, const struct link_info *l, const char *text)
{
	(void)text;
	if (l->functions.count)
		buf_printf(o, ":%u function%s", l->functions.count,
			   l->functions.count == 1 ? "" : "s");
}

static void file_functions_write(struct buf *o, const struct link_info *l, const char *text)
{
	buf_printf(o, ":%s:%u function%s", text, l->file_functions.count,
		   l->file_functions.count == 1 ? "" : "s");
}

static void event_write(struct buf *o, const struct link_info *l, const char *text)
{
	o->len = 0;
	buf_str(o, event_names[l->event.kind < EVENT_KINDS ? l->event.kind : 0]);
	if (*text)
		buf_printf(o, ":%s", text);
	if (*text && l->event.kind < EVENT_TRACEPOINT && l->event.offset)
		buf_printf(o, "+0x%x", l->event.offset);
}

/* By enum bpf_link_type. `text`: where the address of a text is, in 8 bytes, with its size behind it; 0: it has none. */
static const struct link_type {
	const char *name;
	void (*write)(struct buf *o, const struct link_info *l, const char *text);
	uint8_t text, size;
} types[] = {
#define TEXT(name_, size_)                                                                         \
	.text = offsetof(struct link_info, name_), .size = offsetof(struct link_info, size_)
	[1] = { "raw_tracepoint", text_write, TEXT(text.name, text.name_size) },
	[2] = { "tracing" },
	[3] = { "cgroup", cgroup_write },
	[4] = { "iter", text_write, TEXT(text.name, text.name_size) },
	[5] = { "netns", number_write },
	[6] = { "xdp", device_write },
	[7] = { "perf event", event_write, TEXT(event.name, event.name_size) },
	[8] = { "kprobe.multi", functions_write },
	[9] = { "struct_ops" },
	[10] = { "netfilter" },
	[11] = { "tcx", device_write },
	[12] = { "uprobe.multi", file_functions_write,
		 TEXT(file_functions.path, file_functions.path_size) },
	[13] = { "netkit", device_write },
	[14] = { "sockmap" },
#undef TEXT
};

enum { LINK_PERF_EVENT = 7 };

static const struct link_type *type_of(const struct link_info *l)
{
	return &types[l->type < sizeof(types) / sizeof(types[0]) ? l->type : 0];
}

/* Reads what the kernel says, and the text behind an address if the type has one. */
static int info_read(int fd, struct link_info *l, char text[TEXT_ROOM])
{
	__u32 len = sizeof(*l);
	const struct link_type *t;
	uint64_t address = (uintptr_t)text;
	uint32_t room = TEXT_ROOM;

	memset(l, 0, sizeof(*l));
	if (bpf_obj_get_info_by_fd(fd, l, &len))
		return -errno;
	t = type_of(l);
	/* a perf event has a text of its own only if the kernel says which kind it is */
	if (!t->text || (l->type == LINK_PERF_EVENT && !l->event.kind))
		return 0;
	memset((char *)l + 16, 0, sizeof(*l) - 16);
	memcpy((char *)l + t->text, &address, sizeof(address));
	memcpy((char *)l + t->size, &room, sizeof(room));
	len = sizeof(*l);
	return bpf_obj_get_info_by_fd(fd, l, &len) ? -errno : 0;
}

static void link_show(int fd, bpf_place_fn *found, void *ctx)
{
	char text[TEXT_ROOM] = "";
	struct bpf_place place = { 0 };
	const struct link_type *t;
	struct link_info l;
	struct buf o;

	if (info_read(fd, &l, text) && !l.type)
		return;
	text[TEXT_ROOM - 1] = '\0';
	t = type_of(&l);
	buf_init(&o, -1);
	buf_str(&o, t->name ?: "link");
	if (t->write)
		t->write(&o, &l, text);
	buf_char(&o, '\0');
	place.program = l.program;
	place.place = o.data;
	place.link = l.id;
	place.count = t->write == functions_write      ? l.functions.count :
		      t->write == file_functions_write ? l.file_functions.count :
							 0;
	if (l.type == BPF_LINK_TYPE_TRACING) {
		place.types = l.tracing.types;
		place.function = l.tracing.function;
	}
	if (!o.error)
		found(ctx, &place);
	buf_free(&o);
}

int bpf_links_each(bpf_place_fn *found, void *ctx)
{
	__u32 id = 0;

	while (!bpf_link_get_next_id(id, &id)) {
		int fd = bpf_link_get_fd_by_id(id);

		if (fd < 0 && errno == ENOENT) /* gone meanwhile */
			continue;
		if (fd < 0)
			return -errno;
		link_show(fd, found, ctx);
		close(fd);
	}
	return errno == ENOENT ? 0 : -errno;
}

void bpf_event_place(uint32_t pid, int fd, bpf_place_fn *found, void *ctx)
{
	static const char *const kinds[] = { "raw_tracepoint", "tracepoint", "kprobe",
					     "kretprobe",      "uprobe",     "uretprobe" };
	char name[TEXT_ROOM] = "", text[TEXT_ROOM + 64];
	struct bpf_place place = { .place = text };
	__u32 len = sizeof(name), kind = 0;
	__u64 offset = 0, address = 0;

	if (bpf_task_fd_query((int)pid, fd, 0, name, &len, &place.program, &kind, &offset,
			      &address) ||
	    kind >= sizeof(kinds) / sizeof(kinds[0]))
		return;
	snprintf(text, sizeof(text), "%s:%s", kinds[kind], name);
	if (kind > 1 && offset)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "+0x%llx",
			 (unsigned long long)offset);
	found(ctx, &place);
}
