/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verdicts.bpf.c - BPF programs that tests trace: each knows its results in advance.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

struct seen {
	__u32 length, parity;
	char label[8];
};

/* A function of its own, with a struct of the program as its parameter. */
static __attribute__((noinline)) int classify_by_length(struct seen *seen, int limit)
{
	/* otherwise the compiler leaves out what it knows */
	asm volatile("" : "+r"(limit), "+r"(seen));
	seen->parity = seen->length & 1;
	return seen->length > (__u32)limit ? 2 : 1;
}

/* Drops packets of an odd length, and passes others. */
SEC("xdp")
int verdict_of_each_packet(struct xdp_md *ctx)
{
	struct seen seen = { .length = ctx->data_end - ctx->data, .label = "xdp" };
	int class = classify_by_length(&seen, 100);

	asm volatile("" : "+r"(class));

	return class >= 0 && seen.parity ? XDP_DROP : XDP_PASS;
}

SEC("tc")
int tc_shot_every(struct __sk_buff *skb)
{
	return skb->len > 1000 ? 2 /* TC_ACT_SHOT */ : 0 /* TC_ACT_OK */;
}

SEC("raw_tp/sys_enter")
int on_sys_enter(unsigned long long *ctx)
{
	return ctx[1] & 7;
}
