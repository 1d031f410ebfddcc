/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_type.h - formats chosen by the type alone.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_TYPE_H
#define CORETAP_EXPR_RESOLVE_FORMAT_TYPE_H

#include "expr/resolve/resolve.h"

void format_by_type(struct compile *c, struct slot *s);
void format_scalar(struct slot *s, enum field_type type, uint64_t size);
void format_string(struct compile *c, struct slot *s, enum string_space space);
/* `size` bytes from the address in the value; for an array or a struct, from its own address. */
/* As many bytes as s->format.bytes says, at most a string's. */
void format_counted(struct compile *c, struct slot *s, enum field_type type,
		    enum string_space space);
void format_bytes(struct compile *c, struct slot *s, enum field_type type, uint64_t size);
/* A number by the names of the enum that has the constant s->format.constant. */
void format_enum_of(struct compile *c, struct slot *s);
/* The element type of an array, below all dimensions; any other type unchanged. */
struct ctype innermost(const struct compile *c, struct ctype t);
/* Fails with "TYPE `why`", about the whole expression. */
void fail_type(struct compile *c, struct slot *s, const char *why);

/* ---- format.c: how a value is shown: by :FORMAT, or by its type ---- */

void expr_format(struct compile *c, struct slot *s);

/* ---- format_default.c: values whose type or name says more than how many bytes they have ---- */

/* The rule for a slot that has no :FORMAT, or NULL: by the type's size and kind alone. May replace
 * the slot's root by what a pointer points to. */
const struct format_rule *format_default(struct compile *c, struct slot *s);
/* Replaces the root by "->member", ".member" or "*", what it points to; the name and the place of
 * mistakes remain those of the root. Without such a member nothing changes. */
void root_replace(struct compile *c, struct slot *s, const char *as);

/* ---- buffers that the function fills ---- */

/* ---- names of bits from BTF ---- */

/* The bits of a gfp_t in this kernel. */
const struct field_name *gfp_names(struct compile *c);

/* ---- format_path.c: which values can be shown as a path ---- */

/* Can a path be found: by this kernel's types, and not under lockdown? */
bool path_is_known(struct compile *c);
/* Where the walk begins: the offset of the struct path, unless the value points to a dentry. False: the
 * value has no path. */
bool path_find(struct compile *c, const struct node *n, int *offset, bool *is_dentry);
void path_format(struct compile *c, struct slot *s);
/* NODE_PATH */
void resolve_path(struct compile *c, struct node *n);

/* ---- format_rules.c: the formats by name ---- */

enum format_wants {
	WANTS_NUMBER, /* any integer, bool, enum or pointer; for an array, its elements */
	WANTS_STRING, /* a pointer, an array, or an integer as wide as a pointer */
	WANTS_BYTES,  /* the same, or a struct or union */
	WANTS_PATH,   /* a path, a file, a dentry */
	WANTS_EITHER, /* a number of that size; otherwise bytes */
	WANTS_SOCK,   /* a socket */
	WANTS_FLOW,   /* a packet */
	WANTS_ENUM,   /* a number, and the constant that tells which enum */
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

/* format_rules.c: the rule for s->format.name, or an error. */
const struct format_rule *format_rule_find(struct compile *c, struct slot *s);

/* The rule of that name; NULL: there is none. */
const struct format_rule *format_rule_named(const char *name);

/* ---- format_sock.c: :sock, the two addresses of a socket ---- */

/* Is it a struct sock, one that begins with a sock, a struct socket, or a pointer to one, and do
 * this kernel's types say where the addresses are? */
bool sock_is_known(struct compile *c, const struct slot *s);
/* The node of a pointer to the socket (of a struct socket: its sk), and the BTF id of the sock_common
 * that it begins with. Not a socket: an error. */
struct node *sock_pointer(struct compile *c, struct node *n, uint32_t *common);
/* Where that has its parts; NULL: this kernel's types lack one. */
const struct sock_layout *sock_layout_of(struct compile *c, uint32_t common);
/* As a FIELD_SOCK, FIELD_LOCAL or FIELD_PEER. */
void sock_format(struct compile *c, struct slot *s, enum field_type type);

/* ---- :flow, where a packet comes from and goes to ---- */

void flow_format(struct compile *c, struct slot *s);

/* ---- which value --diff compares, before it gets a format ---- */

void diff_format(struct compile *c, struct slot *s);

#endif
