/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_default.c - the format of a value without a :FORMAT: a struct file * is shown as its
 * path, an int called dfd by name. :p and :x show the number. Counted calls use the number also,
 * except for a path.
 *
 * Nothing here knows how a format is stored.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "expr/resolve/format.h"
#include "expr/ctype.h"
#include "output/field/btf_field.h"
#include "expr/syntax/syntax.h"

/*
 * The first matching row is used. A type is written as BTF declares it, without const. `as` is a
 * format, or what is shown instead: "->name" and ".val" a member, "*" the target.
 */
static const struct {
	const char *type;  /* NULL: any integer */
	const char *names; /* names of the parameter or member, between blanks; NULL: any */
	const char *funcs; /* functions or system calls that have the parameter; NULL: any */
	const char *as;
} defaults[] = {
	{ "struct file *", NULL, NULL, "path" },
	{ "struct path *", NULL, NULL, "path" },
	{ "struct dentry *", NULL, NULL, "path" },
	{ "struct filename *", NULL, NULL, "->name" },
	{ "struct sockaddr *", NULL, NULL, "sockaddr" },
	{ "struct sockaddr_unsized *", NULL, NULL, "sockaddr" }, /* since 6.19 */
	{ "struct sock *", NULL, NULL, "sock" },
	{ "struct socket *", NULL, NULL, "sock" },
	{ "struct in_addr", NULL, NULL, "ip4" },
	{ "struct in6_addr", NULL, NULL, "ip6" },
	{ "uuid_t", NULL, NULL, "uuid" },
	{ "guid_t", NULL, NULL, "uuid" },
	{ "kuid_t", NULL, NULL, ".val" },
	{ "kgid_t", NULL, NULL, ".val" },
	{ "loff_t *", NULL, NULL, "*" },
	{ "gfp_t", NULL, NULL, "gfp" },
	{ "umode_t", NULL, NULL, "o" },
	{ "fmode_t", NULL, NULL, "x" },
	{ "__be16", NULL, NULL, "be" },
	{ "__be32",
	  " saddr daddr addr skc_daddr skc_rcv_saddr sk_daddr sk_rcv_saddr inet_saddr inet_daddr "
	  "inet_rcv_saddr s_addr ",
	  NULL, "ip4" },
	{ "__be32", NULL, NULL, "be" },
	{ "__be64", NULL, NULL, "be" },
	{ "unsigned char *", " dev_addr perm_addr broadcast ", NULL, "mac" },
	{ NULL, " dfd dirfd olddfd newdfd from_dfd to_dfd ", NULL, "dirfd" },
	{ NULL, " f_flags ", NULL, "openflags" },
	{ NULL, " addr address vaddr vm_flags ", NULL, "x" },
	{ NULL, " prot ", NULL, "prot" },
	{ NULL, " clone_flags ", NULL, "clone" },
	{ NULL, " sig signum ", NULL, "signal" },
	{ NULL, " family sk_family skc_family sa_family ", NULL, "family" },
	{ NULL, " mode ", " open openat creat mkdir mkdirat mknod mknodat chmod fchmod fchmodat ",
	  "o" },
	{ NULL, " flags ", " open openat do_sys_open open_by_handle_at ", "openflags" },
	{ NULL, " flags flag ", " mmap mmap_pgoff do_mmap vm_mmap vm_mmap_pgoff ksys_mmap_pgoff ",
	  "mmap" },
	{ NULL, " flags ",
	  " send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg tcp_recvmsg udp_recvmsg "
	  "inet_recvmsg sock_recvmsg ",
	  "msg" },
	{ NULL, " flags ", " clone ", "clone" },
	{ NULL, " flags ", " mount path_mount do_mount ", "mount" },
	{ NULL, " type ", " socket socketpair __sys_socket sock_create __sock_create ",
	  "socktype" },
	{ NULL, " protocol ", " socket socketpair __sys_socket sock_create __sock_create ",
	  "proto" },
	{ NULL, " cap ",
	  " cap_capable security_capable capable ns_capable ns_capable_noaudit file_ns_capable ",
	  "cap" },
};
enum { DEFAULTS = sizeof(defaults) / sizeof(defaults[0]) };

/*
 * ---- char *buf, size_t count: a buffer that the function fills ----
 *
 * At the entry it has no contents yet: its address is shown. At the return its new contents are
 * shown, if the function returns their length, as read does: a long (ssize_t), negative for an
 * error. An int may be a length or 0 for success, so nothing is known then.
 */

enum { LENGTH_TEXT = 160 };

/* True if the name is one of these words, which are between blanks. */
static bool has_word(const char *words, const char *name)
{
	char word[40];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(words, word);
}

static bool is_void(const struct btf_view *b, struct ctype t)
{
	return !t.stars && !t.int_size && !btf_view_strip(b, t.id);
}

/* True for a pointer to bytes that are not const; to void only if the name contains "buf". */
static bool is_buffer(struct compile *c, const struct node *n, const char *name)
{
	const struct btf_view *b = c->in->btf;
	struct ctype target;

	if (!ctype_is_pointer(b, n->type) || strstr(name, "name"))
		return false;
	target = ctype_target(b, n->type);
	if (ctype_is_const(b, target))
		return false;
	return ctype_is_char(b, target) || (is_void(b, target) && strstr(name, "buf"));
}

/* The name of the next parameter, if that is the length of the buffer; NULL: no such buffer. */
static const char *length_of(struct compile *c, const struct slot *s)
{
	static const char lengths[] =
		" count size len n buflen bufsiz bufsize buf_size nbytes msg_len ";
	const struct node *n = s->root;
	const char *next;

	if (!is_param(n) || n->param + 1 >= param_count(c) ||
	    !is_buffer(c, n, param_name(c, n->param)))
		return NULL;
	next = param_name(c, n->param + 1);
	return has_word(lengths, next) ? next : NULL;
}

static bool returns_length(struct compile *c)
{
	const struct btf_type *prototype = compile_prototype(c);
	struct ctype type = ctype_of(prototype ? prototype->type : 0);

	return prototype && ctype_is_integer(c->in->btf, type) &&
	       ctype_is_signed(c->in->btf, type) && ctype_size(c->in->btf, type) == 8;
}

/* The format of a parameter that is such a buffer; NULL: no such buffer. */
static const char *filled_format(struct compile *c, struct slot *s)
{
	const char *length = length_of(c, s);
	char text[LENGTH_TEXT];

	if (!length)
		return NULL;
	if (c->in->scope == EXPR_SCOPE_ENTRY || !returns_length(c))
		return s->at_return ? NULL : "p";
	s->at_return = true;
	snprintf(text, sizeof(text), "$ret < (long)%s ? $ret : (long)%s", length, length);
	s->format.bytes = parse_inner(c, text);
	if (!c->err)
		resolve_node(c, s->format.bytes);
	return "str";
}

/* ---- --diff: which value is compared, before it gets a format ---- */

/* Replaces a pointer without a format by its target. */
static void node_follow(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct node *n = s->root, *deref;

	if (s->format.span.end || !ctype_is_pointer(b, n->type) ||
	    ctype_is_char(b, ctype_target(b, n->type)) || !ctype_size(b, ctype_target(b, n->type)))
		return;
	deref = compile_node(c, n, NODE_DEREF, ctype_target(b, n->type), n, NULL);
	if (!deref)
		return;
	deref->category = CATEGORY_LVALUE;
	s->root = deref;
}

/* Sets what must hold even after the same text is resolved again. */
void format_diff(struct compile *c, struct slot *s)
{
	if (s->ret.end)
		compile_fail(c, s->ret, "--diff itself reads the value at both ends");
	else if (s->at_return && s->diff.part != DIFF_AFTER)
		compile_fail(c, s->root->span, "it does not exist yet when the function begins");
	else
		node_follow(c, s);
	s->at_return = s->diff.part == DIFF_AFTER;
}

/* ---- which row ---- */

static void value_name(struct compile *c, const struct slot *s, char *name, size_t size)
{
	const struct node *n = s->root;

	*name = '\0';
	if (is_param(n))
		snprintf(name, size, "%s", param_name(c, n->param));
	else if (n->kind == NODE_MEMBER || n->kind == NODE_ARROW)
		compile_text(c, n->name, name, size);
}

/* The type as BTF declares it, without const. */
static const char *type_text(struct compile *c, const struct slot *s, char *text, size_t size)
{
	ctype_declare(c->in->btf, s->root->type, "", text, size);
	return strncmp(text, "const ", 6) ? text : text + 6;
}

static const char *row_find(struct compile *c, const struct slot *s)
{
	bool is_integer = ctype_is_integer(c->in->btf, s->root->type) && !s->root->bit_size;
	char text[96], name[32];
	const char *type = type_text(c, s, text, sizeof(text));

	value_name(c, s, name, sizeof(name));
	for (size_t i = 0; i < DEFAULTS; i++) {
		if (defaults[i].type ? strcmp(defaults[i].type, type) : !is_integer)
			continue;
		if (defaults[i].names && !has_word(defaults[i].names, name))
			continue;
		if (!defaults[i].funcs ||
		    (is_param(s->root) && has_word(defaults[i].funcs, c->p->func)))
			return defaults[i].as;
	}
	return NULL;
}

/* ---- pointers to code and to tables of it ---- */

static bool is_code(const struct btf_view *b, struct ctype t)
{
	if (!ctype_is_pointer(b, t))
		return false;
	t = ctype_target(b, t);
	return !t.stars && !t.int_size && btf_field_names_code(b, t.id);
}

const struct format_rule *format_default(struct compile *c, struct slot *s)
{
	const struct format_rule *rule = NULL;
	const char *as;

	bool is_key = slot_is_key(c->p, s);

	/* a result may be an error instead of a pointer */
	if (c->in->plain || s->diff.part || s->format.has_bits || s->root->builtin)
		return NULL;
	if (s->followed.parent || s->format.span.end) /* a length */
		return text_type_format(c, s);
	if (c->in->site.own_types &&
	    c->in->site.in_user) { /* the rows are about the kernel's types */
		rule = text_type_format(c, s);
		return rule || is_key || !is_code(c->in->btf, s->root->type) ?
			       rule :
			       format_rule_named("usym");
	}
	as = is_code(c->in->btf, s->root->type) ? "sym" : filled_format(c, s) ?: row_find(c, s);
	if (c->err)
		return NULL;
	if (as && isalpha((unsigned char)*as))
		rule = format_rule_named(as);
	else if (as && !is_key)
		format_replace_root(c, s, as);
	/* a key needs no memory that only a helper reads; other formats need an address */
	if (rule && ((is_key && rule->wants != WANTS_PATH) ||
		     (rule->wants == WANTS_PATH && !format_path_known(c)) ||
		     (rule->wants == WANTS_SOCK && !format_sock_known(c, s)) ||
		     (ctype_is_composite(c->in->btf, s->root->type) &&
		      s->root->category != CATEGORY_LVALUE)))
		return NULL;
	return rule;
}
