/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_gfp.c - %gr of printf(): flags of an allocation by name, GFP_KERNEL|__GFP_ZERO.
 *
 * Like bpftrace, uses one table for all kernels, with the bits of Linux 6.12. On other kernels some bits have another
 * meaning but get the same names. Bits 3 and 4 (movable, reclaimable) have no name of their own.
 */
#include "front/bt/show_parts.h"

struct flag {
	uint64_t bits;
	const char *name;
};

/* Combinations precede the bits that they consist of. */
static const struct flag flags[] = {
	{ 0x21c24ca, "GFP_TRANSHUGE" },
	{ 0x21c20ca, "GFP_TRANSHUGE_LIGHT" },
	{ 0x2100cca, "GFP_HIGHUSER_MOVABLE" },
	{ 0x100cc2, "GFP_HIGHUSER" },
	{ 0x100cc0, "GFP_USER" },
	{ 0x400cc0, "GFP_KERNEL_ACCOUNT" },
	{ 0xcc0, "GFP_KERNEL" },
	{ 0xc40, "GFP_NOFS" },
	{ 0x820, "GFP_ATOMIC" },
	{ 0xc00, "GFP_NOIO" },
	{ 0x2800, "GFP_NOWAIT" },
	{ 0x1, "GFP_DMA" },
	{ 0x4, "GFP_DMA32" },
	{ 0x2, "__GFP_HIGHMEM" },
	{ 0x20, "__GFP_HIGH" },
	{ 0x40, "__GFP_IO" },
	{ 0x80, "__GFP_FS" },
	{ 0x100, "__GFP_ZERO" },
	{ 0x400, "__GFP_DIRECT_RECLAIM" },
	{ 0x800, "__GFP_KSWAPD_RECLAIM" },
	{ 0x1000, "__GFP_WRITE" },
	{ 0x2000, "__GFP_NOWARN" },
	{ 0x4000, "__GFP_RETRY_MAYFAIL" },
	{ 0x8000, "__GFP_NOFAIL" },
	{ 0x10000, "__GFP_NORETRY" },
	{ 0x20000, "__GFP_MEMALLOC" },
	{ 0x40000, "__GFP_COMP" },
	{ 0x80000, "__GFP_NOMEMALLOC" },
	{ 0x100000, "__GFP_HARDWALL" },
	{ 0x200000, "__GFP_THISNODE" },
	{ 0x400000, "__GFP_ACCOUNT" },
	{ 0x800000, "__GFP_ZEROTAGS" },
	{ 0x1000000, "__GFP_SKIP_ZERO" },
	{ 0x2000000, "__GFP_SKIP_KASAN" },
	{ 0x4000000, "__GFP_NO_OBJ_EXT" },
};

void bt_show_gfp(struct buf *o, uint64_t value)
{
	const char *before = "";

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if ((value & flags[i].bits) != flags[i].bits)
			continue;
		buf_str(o, before);
		buf_str(o, flags[i].name);
		value &= ~flags[i].bits;
		before = "|";
	}
	if (!value && *before)
		return;
	buf_str(o, before);
	if (value)
		buf_str(o, "0x");
	buf_hex(o, value);
}
