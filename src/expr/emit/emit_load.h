/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_load.h - sources and hops.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_LOAD_H
#define CORETAP_EXPR_EMIT_EMIT_LOAD_H

#include "expr/emit/emit_common.h"

/* A value that is not made from another; a hop from REG_VALUE. `last`: no later step would notice
 * that a typed load failed. `kept`: another slot made its base. */
void gen_source(struct gen *g, const struct vreg *v);
int gen_context_offset(const struct gen *g, const struct vreg *v); /* of an argument */
void gen_hop_fast(struct gen *g, const struct slot *s, const struct vreg *v, bool last, bool kept);
void gen_hop_exact(struct gen *g, const struct slot *s, const struct vreg *v, int link);
/* r0 = REG_VALUE + add, cast to a BTF type with bpf_rdonly_cast. */
void gen_cast(struct gen *g, int32_t add, int btf_id);
/* A probe_read for kernel or user memory, depending on the address: r1 … r3 are set, r3 is from
 * REG_VALUE. */
void gen_read_by_address(struct gen *g, enum string_space space, int kernel_helper, int user_helper,
			 const struct slot *s);

#endif
