/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - formats: how a value is shown and stored.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_H
#define CORETAP_EXPR_RESOLVE_FORMAT_H

#include "expr/resolve/resolve.h"

void expr_format(struct compile *c, struct slot *s);

/* ---- format_rules.c: the formats by name ---- */

enum format_wants {
	WANTS_NUMBER, /* any integer, bool, enum or pointer; for an array, its elements */
	WANTS_STRING, /* a pointer, an array, or an integer as wide as a pointer */
	WANTS_BYTES,  /* as for strings, or a struct or union */
	WANTS_PATH,   /* a path, a file, a dentry */
	WANTS_EITHER, /* a number if it has that size; else bytes */
	WANTS_SOCK,   /* a socket */
	WANTS_FLOW,   /* a packet */
	WANTS_PACKET, /* the same, or one of XDP */
	WANTS_HEADER, /* a packet, one header of which is printed */
	WANTS_ENUM,   /* a number; a constant selects the enum */
};

/* The meaning of a format's name. */
struct format_rule {
	const char *name;
	enum format_wants wants;
	enum field_type type;
	uint8_t size;			/* bytes; 0: as many as the value has */
	enum string_space space;	/* WANTS_STRING */
	const struct field_name *names; /* FIELD_FLAGS, FIELD_ENUM */
};

/* Returns the rule for s->format.name, or NULL with an error. */
const struct format_rule *format_rule_find(struct compile *c, struct slot *s);
/* Returns the rule of that name; NULL: unknown. */
const struct format_rule *format_rule_named(const char *name);
struct suggestion;
void format_rules_offer(struct suggestion *nearest);
/* The names of the bits of a gfp_t in this kernel. */
const struct field_name *format_gfp_names(struct compile *c);
/* Returns the names of an enum's values, masked to that many bits, from the program's arena; NULL if out of memory. */
const struct field_name *format_enum_names(struct compile *c, const struct btf_view *btf,
					   const struct btf_type *t, unsigned bits);

/* ---- format_type.c: formats by the type alone ---- */

void format_by_type(struct compile *c, struct slot *s);
void format_scalar(struct slot *s, enum field_type type, uint64_t size);
void format_string(struct compile *c, struct slot *s, enum string_space space);
/* `size` bytes at the address that is the value; for an array or a struct, at its own address. */
void format_bytes(struct compile *c, struct slot *s, enum field_type type, uint64_t size);
/* The number of bytes that s->format.bytes computes, up to a string's. */
void format_counted(struct compile *c, struct slot *s, enum field_type type,
		    enum string_space space);
/* A number, shown by the names of the enum that has the constant s->format.constant. */
void format_enum_of(struct compile *c, struct slot *s);
/* The element type of an array, below all dimensions; any other type unchanged. */
struct ctype format_innermost(const struct compile *c, struct ctype t);
/* Replaces the root by "->member", ".member" or "*". Errors still point to the root. Does nothing
 * without such a member. */
void format_replace_root(struct compile *c, struct slot *s, const char *as);
/* Fails with "`what` has no name and no format" if the slot has one. */
void format_refuse(struct compile *c, const struct slot *s, const char *what);
/* Fails with "TYPE `why`", at the whole expression. */
void format_fail(struct compile *c, struct slot *s, const char *why);

/* ---- format_default.c: formats by the name of a type or parameter; --diff ---- */

/* Returns the rule for a slot without a :FORMAT. NULL: by size and kind alone. May replace the
 * slot's root by what it points to. */
const struct format_rule *format_default(struct compile *c, struct slot *s);
/* The rule for a string of C++, Rust or Go; replaces the slot's root by its bytes. NULL: another type. In text_value.c. */
const struct format_rule *text_type_format(struct compile *c, struct slot *s);
/* Decides which value --diff compares, before it gets a format. */
void format_diff(struct compile *c, struct slot *s);

/* ---- format_path.c: :path ---- */

/* True if this kernel's types lead to paths, and they can be read (not under lockdown). */
bool format_path_known(struct compile *c);
/* Finds the offset of the struct path, unless the value points to a dentry. Returns false if the
 * value has no path. */
bool format_path_find(struct compile *c, const struct node *n, int *offset, bool *is_dentry);
void format_path(struct compile *c, struct slot *s, const struct format_rule *rule);
/* NODE_PATH */
void resolve_path(struct compile *c, struct node *n);

/* ---- packet.c: :packet ---- */

void format_packet(struct compile *c, struct slot *s, const struct format_rule *rule);
/* :eth, :ip, :ipv6, :tcp, :udp: replaces the root by that header, a struct. */
void format_header(struct compile *c, struct slot *s, const struct format_rule *rule);

/* ---- format_sock.c: :sock, :local, :peer and :flow ---- */

/* True for a struct sock, a struct that begins with one, a struct socket, or a pointer to one of
 * these, if this kernel's types have the addresses. */
bool format_sock_known(struct compile *c, const struct slot *s);
/* Returns a pointer to the socket (for a struct socket: its sk), and the BTF id of the sock_common
 * at its beginning. Fails if it is not a socket. */
struct node *format_sock_pointer(struct compile *c, struct node *n, uint32_t *common);
/* The BTF id of the sock_common at the beginning of a struct; 0: none. */
uint32_t format_sock_common(const struct compile *c, uint32_t id);
/* Returns the offsets in the sock_common; NULL: this kernel's types lack one. */
const struct sock_layout *format_sock_layout(struct compile *c, uint32_t common);
void format_sock(struct compile *c, struct slot *s, const struct format_rule *rule);
void format_flow(struct compile *c, struct slot *s, const struct format_rule *rule);

#endif
