/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_packet.h - a packet in a program: locates its frame, and loads from it.
 *
 * A frame is what tcpdump would see on Ethernet. Its first 14 bytes, or 18 with a VLAN tag that the kernel stores
 * outside of the packet, are on the stack: a packet without a link header gets one that has only the EtherType. Filters
 * that name no VLAN see no such tag, as those of tcpdump on a device. The bytes after these are at REG_VALUE + offset in
 * the frame.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PACKET_H
#define CORETAP_EXPR_EMIT_EMIT_PACKET_H

#include "expr/emit/emit_slot.h"
#include "packet/filter.h"

enum {
	FRAME_HEADER = 14, /* bytes of a link header … */
	FRAME_TAGGED = 18, /* … with a tag */
	FRAME_MACS = 12,   /* of these, bytes of addresses */

	/* on the stack */
	FRAME_CAPTURED = STACK_SCRATCH, /* 4 bytes: length of the first piece, header included … */
	FRAME_LENGTH = STACK_SCRATCH + 4, /* … and of the whole frame */
	FRAME_READ = STACK_WORK - 8,	  /* 8 bytes for a helper to write */
	FRAME_X = STACK_WORK - 12,	  /* of the classic machine, 4 bytes each */
	FRAME_A = STACK_WORK - 16,
	FRAME_AT = STACK_WORK - 40,	/* the header: FRAME_TAGGED bytes, … */
	FRAME_HAS_MACS = FRAME_AT + 18, /* … 1 if the addresses are known, … */
	FRAME_HAS_TAG = FRAME_AT + 19,	/* … 1 if it has the tag */
	FRAME_MEMORY = STACK_WORK - 104,
	FRAME_BLOCK = -STACK_SIZE, /* a copy of the members, until the frame is found */
	FRAME_BLOCK_SIZE = FRAME_READ - FRAME_BLOCK,
};

struct packet_code {
	struct gen *g;
	struct code *k;
	const struct packet_offsets *at;
	bool typed;	  /* reads by casts and loads, else by a helper */
	bool is_untagged; /* a tag outside of the packet is no part of the frame */
	int none;	  /* target if the packet, or the bytes to load, are missing */
};

enum {
	NO_KERNEL_POINTER = -4096
}; /* signed; a packet's address is below: typed loads must not read others */

/* REG_VALUE = the frame of the struct at REG_VALUE. Jumps to `none` if there is no frame. Clobbers r0 … r5. */
void gen_frame(struct packet_code *w);
/* r0 = `size` bytes at r3, in memory order. Clobbers r1 … r5. */
void gen_memory_read(struct packet_code *w, unsigned size);

/* ---- emit_packet_load.c ---- */

/* r0 = `size` bytes at `offset` of the frame as a number, r1 … r5 clobbered. */
void gen_frame_load(struct packet_code *w, uint32_t offset, uint32_t size);
/* The same at *(u32 *)(r10 + FRAME_X) + offset. */
void gen_frame_load_indexed(struct packet_code *w, uint32_t offset, uint32_t size);

/* emit_filtered.c: REG_VALUE = 1 if the packet at REG_VALUE, which is not NULL, matches, else 0. Binds w->none. */
void gen_packet_filter(struct packet_code *w, const struct packet_filter *f);
/* emit_packet_copy.c: stores a struct packet with room for `size` bytes at `base` + `at` (base none of r0 … r5). A packet
 * without a frame has no bytes. Binds w->none. */
void gen_packet_store(struct packet_code *w, int base, int at, uint32_t size);

#endif
