/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_values.c - resolves functions that convert a value: addresses, symbols, names that user space looks up.
 */
#include <arpa/inet.h>
#include <string.h>

#include "script/resolve/resolve.h"

static bool is_kind(const struct script_expr *e, enum script_kind a, enum script_kind b)
{
	return e->type.kind == a || e->type.kind == b;
}

static void set_kind(struct script_expr *e, enum script_kind kind, uint32_t size)
{
	e->type = (struct script_type){ .kind = kind, .size = size };
}

/* ---- symbols ---- */

void func_ksym(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	arg_address(r, e, 0);
	set_kind(e, SCRIPT_KSYM, 8);
}

void func_usym(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	arg_address(r, e, 0);
	set_kind(e, SCRIPT_USYM, sizeof(struct script_usym));
}

static uint64_t kernel_symbol(struct resolve *r, struct script_expr *e)
{
	const struct script_world *w = r->c->world;
	const struct script_expr *name = e->items[0];
	uint64_t address = w->kernel_symbol ? w->kernel_symbol(w->ctx, name->bytes) : 0;

	if (!address)
		script_fail(r->c, name->span, "the kernel has no symbol %s", name->bytes);
	return address;
}

void func_kaddr(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	e->value = (int64_t)kernel_symbol(r, e);
	e->type = script_int(8, false);
	e->is_constant = true;
}

void func_percpu_kaddr(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (!arg_text(r, e, 0) || (e->count > 1 && !arg_number(r, e, 1)))
		return;
	e->type = script_int(8, false);
	e->value = btf_lookup_kind(r, BTF_KIND_VAR, e->items[0]->bytes);
	if (!e->value)
		script_fail(r->c, e->items[0]->span, "the kernel's types have no variable %s",
			    e->items[0]->bytes);
}

/* Returns the file of a user probe: the text between the first and the second colon. */
static const char *user_file(struct resolve *r, const struct script_expr *e)
{
	const struct script_attach *attach = r->c->point->attach;

	if (attach->kind != PROBE_UPROBE && attach->kind != PROBE_URETPROBE &&
	    attach->kind != PROBE_USDT) {
		script_fail(r->c, e->span, "%s() needs a probe of a program: uprobe, usdt",
			    func_name(e->func));
		return NULL;
	}
	return attach->part_count > 1 ? attach->parts[1] : "";
}

static void symbol_refuse(struct resolve *r, const struct script_expr *e, const char *file, int err)
{
	struct span span = e->items[0]->span;

	if (err == -ENOENT) {
		script_fail(r->c, span, "%s has no symbol %s", file, e->items[0]->bytes);
	} else if (err == -EADDRNOTAVAIL) {
		script_fail(r->c, span, "%s is loaded at a different address each time", file);
		script_hint(
			r->c,
			"its address is known in a probe at the entry of one function, as uprobe:%s:main",
			file);
	} else {
		script_fail(r->c, span, "the symbols of %s cannot be read: %s", file,
			    strerror(-err));
	}
}

/* Changes *address to the distance from the probe's own address, which reveals where the file is loaded. */
static bool distance_find(struct resolve *r, const char *file, uint64_t *address)
{
	const struct script_attach *attach = r->c->point->attach;
	const struct script_world *w = r->c->world;
	uint64_t own, size;

	if (attach->kind != PROBE_UPROBE || attach->part_count != 3 ||
	    strpbrk(attach->parts[2], "*?[+") ||
	    w->user_symbol(w->ctx, file, attach->parts[2], &own, &size) != -EADDRNOTAVAIL)
		return false;
	*address -= own;
	return true;
}

void func_uaddr(struct resolve *r, struct script_expr *e)
{
	const struct script_world *w = r->c->world;
	const char *file = user_file(r, e);
	uint64_t address = 0, size = 8;
	int err;

	if (file)
		infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	err = w->user_symbol ? w->user_symbol(w->ctx, file, e->items[0]->bytes, &address, &size) :
			       -ENOENT;
	e->is_relative = err == -EADDRNOTAVAIL && distance_find(r, file, &address);
	if (err && !e->is_relative)
		symbol_refuse(r, e, file, err);
	e->value = (int64_t)address;
	e->type = script_pointer_to(NULL,
				    ctype_int(size < 8 && is_load_size(size) ? size : 8, true));
	e->type.is_user = true;
}

/* ---- user or kernel memory ---- */

static void func_space(struct resolve *r, struct script_expr *e, bool is_user)
{
	infer_items(r, e);
	if (!arg_address(r, e, 0))
		return;
	e->type = e->items[0]->type;
	e->type.is_user = is_user;
	e->type.is_typed &= !is_user;
	e->is_constant = e->items[0]->is_constant;
	e->value = e->items[0]->value;
}

void func_kptr(struct resolve *r, struct script_expr *e)
{
	func_space(r, e, false);
}

void func_uptr(struct resolve *r, struct script_expr *e)
{
	func_space(r, e, true);
}

/* ---- addresses of networks ---- */

static bool is_bytes(const struct script_expr *e)
{
	return is_kind(e, SCRIPT_ARRAY, SCRIPT_STRING);
}

void func_ntop(struct resolve *r, struct script_expr *e)
{
	struct script_expr *address = e->items[e->count - 1];
	uint32_t size;

	infer_items(r, e);
	set_kind(e, SCRIPT_INET, sizeof(struct script_inet));
	if (failed(r) || (e->count == 2 && !arg_number(r, e, 0)))
		return;
	if (!arg_of(r, e, e->count - 1, "a number, or 4 or 16 bytes",
		    address->type.kind == SCRIPT_INT || is_bytes(address)))
		return;
	size = script_c_bytes(&address->type);
	if (is_bytes(address) && size != 4 && size != 16)
		script_fail(r->c, address->span, "an address has 4 or 16 bytes, but this has %u",
			    size);
}

void func_pton(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *text = e->items[0];
	uint8_t *bytes;
	bool is_v6;

	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	is_v6 = strchr(text->bytes, ':');
	bytes = alloc_lasting(r, 16);
	if (!bytes)
		return;
	if (inet_pton(is_v6 ? AF_INET6 : AF_INET, text->bytes, bytes) != 1) {
		script_fail(r->c, text->span, "this is not an address like 127.0.0.1 or ::1");
		return;
	}
	e->length = is_v6 ? 16 : 4;
	e->bytes = (const char *)bytes;
	e->is_constant = true;
	set_kind(e, SCRIPT_ARRAY, e->length);
	e->type.c = ctype_int(1, false);
	e->type.count = e->length;
}

void func_macaddr(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *arg = e->items[0];

	infer_items(r, e);
	set_kind(e, SCRIPT_MAC, 6);
	if (failed(r) || !arg_of(r, e, 0, "6 bytes",
				 (is_bytes(arg) && !arg->is_constant) ||
					 is_kind(arg, SCRIPT_POINTER, SCRIPT_INT)))
		return;
	if (is_bytes(arg) && script_c_bytes(&arg->type) < 6)
		script_fail(r->c, arg->span, "an address has 6 bytes, but this has %u",
			    script_c_bytes(&arg->type));
}

void func_socket_cookie(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	e->type = script_int(8, false);
	if (!failed(r))
		arg_of(r, e, 0, "a struct sock *",
		       !strcmp(pointed_struct(&e->items[0]->type), "sock"));
}

/* ---- names that user space looks up ---- */

void func_cgroupid(struct resolve *r, struct script_expr *e)
{
	const struct script_world *w = r->c->world;
	int64_t id;

	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	id = w->cgroup_id ? w->cgroup_id(w->ctx, e->items[0]->bytes) : -ENOENT;
	if (id < 0)
		script_fail(r->c, e->items[0]->span, "%s is not a cgroup: %s", e->items[0]->bytes,
			    id == -EXDEV ? "it is in another file system" : strerror((int)-id));
	e->type = script_int(8, false);
	e->is_constant = true;
	e->value = id;
}

void func_cgroup_path(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	set_kind(e, SCRIPT_CGROUP, sizeof(struct script_cgroup));
	if (arg_number(r, e, 0) && e->count > 1 && arg_text(r, e, 1))
		e->text = text_number(r, e->items[1]->bytes);
}

void func_strftime(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	set_kind(e, SCRIPT_TIME, sizeof(struct script_time));
	if (!arg_text(r, e, 0) || !arg_number(r, e, 1))
		return;
	if (e->items[1]->is_constant && e->items[1]->type.is_signed && e->items[1]->value < 0) {
		script_fail(r->c, e->items[1]->span, "a time of strftime() cannot be negative");
		return;
	}
	e->text = text_number(r, e->items[0]->bytes);
	e->value = e->items[1]->type.kind == SCRIPT_INT ? e->items[1]->type.mode : 0;
	if (e->value != SCRIPT_CLOCK_MONOTONIC)
		return;
	script_fail(r->c, e->items[1]->span, "nsecs(monotonic) is not a time of day");
	script_hint(r->c, "use nsecs or nsecs(tai) instead");
}

void func_number_name(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	arg_number(r, e, 0);
	set_kind(e,
		 e->func == FUNC_STRERROR     ? SCRIPT_ERROR :
		 e->func == FUNC_SYSCALL_NAME ? SCRIPT_SYSCALL :
						SCRIPT_SIGNAL,
		 4);
}

void func_bswap(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (arg_number(r, e, 0))
		e->type = script_int(e->items[0]->type.size, false);
}
