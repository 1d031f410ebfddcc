/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ctype.h - the C types of expressions.
 */
#ifndef CORETAP_EXPR_CTYPE_H
#define CORETAP_EXPR_CTYPE_H

#include "expr/ast.h"
#include "btf/btf.h"

struct ctype ctype_of(uint32_t id);
struct ctype ctype_int(uint8_t size, bool is_signed);
struct ctype ctype_pointer_to(struct ctype t);
bool ctype_is_pointer(const struct btf_view *b, struct ctype t);
bool ctype_is_array(const struct btf_view *b, struct ctype t);
bool ctype_is_address(const struct btf_view *b, struct ctype t);   /* pointer or array */
bool ctype_is_composite(const struct btf_view *b, struct ctype t); /* struct or union */
/* The type that a pointer points to, or the element type of an array. */
struct ctype ctype_target(const struct btf_view *b, struct ctype t);
bool ctype_is_char(const struct btf_view *b, struct ctype t);
bool ctype_is_text(const struct btf_view *b, struct ctype t);  /* or unsigned char */
bool ctype_is_const(const struct btf_view *b, struct ctype t); /* itself, not what it points to */
/* The size of __be16, __be32, __be64 or a typedef of one; 0: another type. */
unsigned ctype_big_endian(const struct btf_view *b, struct ctype t);
bool ctype_is_user(const struct btf_view *b, struct ctype t);	 /* a pointer tagged __user */
bool ctype_is_integer(const struct btf_view *b, struct ctype t); /* including bool and enums */
/* True if the integer is signed. Pointers are not. */
bool ctype_is_signed(const struct btf_view *b, struct ctype t);
uint64_t ctype_size(const struct btf_view *b, struct ctype t);
uint64_t ctype_elements(const struct btf_view *b, struct ctype t); /* of an array */
/* Sets the offset of a member of struct `id`, in bytes. */
bool ctype_member_offset(const struct btf_view *b, uint32_t id, const char *name, int *offset);
void ctype_declare(const struct btf_view *b, struct ctype t, const char *name, char *buf,
		   size_t size);

/* True if one load can read that many bytes. Damaged BTF may have integers of any size. */
static inline bool is_load_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

#endif
