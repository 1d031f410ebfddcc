/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verifier.h - predicts what the verifier says.
 */
#ifndef CORETAP_EXPR_LOWER_VERIFIER_H
#define CORETAP_EXPR_LOWER_VERIFIER_H

#include "expr/expr.h"

enum typed_result { TYPED_NO, TYPED_SCALAR, TYPED_POINTER };

/* A load of `size` bytes (1, 2, 4, 8) at `off` through a typed pointer to struct `id`. The pointee
 * of a loaded pointer is 0 if the verifier does not allow reading through it (__user, __percpu). */
enum typed_result typed_load(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size,
			     uint32_t *pointee);
/* Any number of bytes, in the loads that typed_piece divides them into. */
bool typed_bytes(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size);
static inline uint32_t typed_piece(uint32_t rest)
{
	return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}
/* May a parameter of type `id` be loaded from the context of fentry? */
bool typed_argument(const struct btf_view *b, const struct expr_target *t, uint32_t id,
		    uint32_t *pointee);

#endif
