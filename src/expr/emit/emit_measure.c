/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_measure.c - adds a measured value to the words of an entry: sums, extremes, histograms.
 *
 * struct expr_result (expr.h) describes the words.
 */
#include "expr/emit/emit_aggregate.h"

enum { EXCHANGES = 32 };

/* word += 1, or += a register. Atomic where another thread may preempt this one and do the same. */
void gen_word_add(struct gen *g, int base, unsigned word, int src)
{
	if (gen_is_preempted(g)) {
		if (src < 0)
			emit_move_imm(g->k, BPF_REG_1, 1);
		emit_atomic_add(g->k, base, 8 * word, src < 0 ? BPF_REG_1 : src, false);
		return;
	}
	emit_load(g->k, 8, BPF_REG_1, base, 8 * word);
	if (src < 0)
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	else
		emit_alu(g->k, BPF_ADD, BPF_REG_1, src);
	emit_store(g->k, 8, base, 8 * word, BPF_REG_1);
}

/* True if the program has compare-and-exchange. Kernels that preempt user probes' programs (6.0)
 * have it since 5.12. */
static bool is_exchanged(const struct gen *g)
{
	return gen_is_preempted(g) && g->target->func_arg;
}

/*
 * The same where another thread may preempt this one and store a larger value: replaces the word
 * only if it is unchanged. Each failed try was preempted right there by a larger value. Clobbers
 * r2, r3 and r4.
 */
static void exchange_larger(struct gen *g, unsigned word, int reg)
{
	int again = label_new(g->k), done = label_new(g->k);

	emit_move(g->k, BPF_REG_3, REG_ENTRY);
	emit_move_imm(g->k, BPF_REG_4, EXCHANGES);
	label_bind(g->k, again);
	emit_load(g->k, 8, BPF_REG_0, BPF_REG_3, 8 * word);
	emit_jump_reg(g->k, BPF_JGE, BPF_REG_0, reg, done);
	emit_move(g->k, BPF_REG_2, BPF_REG_0);
	emit_exchange_if(g->k, BPF_REG_3, 8 * word, reg);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_0, BPF_REG_2, done);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_4, 1);
	emit_jump(g->k, BPF_JNE, BPF_REG_4, 0, again);
	label_bind(g->k, done);
	emit_move(g->k, REG_ENTRY, BPF_REG_3);
}

/* Stores the register in the entry's word if it is larger. Clobbers r2, r3 and r4. */
static void larger_store(struct gen *g, unsigned word, int reg)
{
	int smaller = label_new(g->k);

	if (is_exchanged(g)) {
		exchange_larger(g, word, reg);
		return;
	}
	emit_load(g->k, 8, BPF_REG_2, REG_ENTRY, 8 * word);
	emit_jump_reg(g->k, BPF_JGE, BPF_REG_2, reg, smaller);
	emit_store(g->k, 8, REG_ENTRY, 8 * word, reg);
	label_bind(g->k, smaller);
}

/* Returns the register with the value as struct expr_result stores it: r1 if signed. */
static int ordered(struct gen *g, const struct expr_result *r)
{
	if (!r->is_signed)
		return REG_VALUE;
	emit_move(g->k, BPF_REG_1, REG_VALUE);
	emit_imm64(g->k, BPF_REG_2, 1ull << 63);
	emit_alu(g->k, BPF_XOR, BPF_REG_1, BPF_REG_2);
	return BPF_REG_1;
}

static void least_store(struct gen *g, unsigned word, int reg)
{
	if (reg != BPF_REG_1)
		emit_move(g->k, BPF_REG_1, reg);
	emit_alu_imm(g->k, BPF_XOR, BPF_REG_1, -1);
	larger_store(g, word, BPF_REG_1);
}

/* Updates the largest and the least value of a histogram, after its buckets. */
static void ends_update(struct gen *g, const struct expr_result *r)
{
	unsigned word = r->word + r->words - EXPR_HIST_ENDS;
	int reg = ordered(g, r);

	larger_store(g, word, reg);
	least_store(g, word + 1, reg);
}

/* Adds 1 to the bucket at r2 bytes after the first. */
static void bucket_add(struct gen *g, const struct expr_result *r)
{
	emit_alu(g->k, BPF_ADD, BPF_REG_2, REG_ENTRY);
	gen_word_add(g, BPF_REG_2, r->word, -1);
}

/* r2 += 8 * log2(r1), by bisection; the sum is a constant on each path. */
static void find_power(struct gen *g)
{
	for (int bits = 32; bits; bits /= 2) {
		int below = label_new(g->k);

		if (bits < 32) {
			emit_jump(g->k, BPF_JLT, BPF_REG_1, 1 << bits, below);
		} else { /* the constant of a jump has 31 bits */
			emit_move(g->k, BPF_REG_3, BPF_REG_1);
			emit_alu_imm(g->k, BPF_RSH, BPF_REG_3, bits);
			emit_jump(g->k, BPF_JEQ, BPF_REG_3, 0, below);
		}
		if (bits > 1)
			emit_alu_imm(g->k, BPF_RSH, BPF_REG_1, bits);
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, 8 * bits);
		label_bind(g->k, below);
	}
}

static void hist_add(struct gen *g, const struct expr_result *r)
{
	int add = label_new(g->k);

	emit_move(g->k, BPF_REG_1, REG_VALUE);
	if (r->is_signed) {
		emit_move_imm(g->k, BPF_REG_2, 0);
		emit_jump(g->k, BPF_JSLT, BPF_REG_1, 0, add);
	}
	emit_move_imm(g->k, BPF_REG_2, 8);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, add);
	emit_move_imm(g->k, BPF_REG_2, 2 * 8);
	find_power(g);
	label_bind(g->k, add);
	bucket_add(g, r);
}

static void lhist_add(struct gen *g, const struct expr_result *r, const struct expr_measure *m)
{
	int add = label_new(g->k), none = label_new(g->k);
	unsigned last = r->words - EXPR_HIST_ENDS - 1;

	emit_move(g->k, BPF_REG_1, REG_VALUE);
	emit_imm64(g->k, BPF_REG_3, m->low);
	emit_move_imm(g->k, BPF_REG_2, 0);
	if (r->is_signed || m->low > 0)
		emit_jump_reg(g->k, r->is_signed ? BPF_JSLT : BPF_JLT, BPF_REG_1, BPF_REG_3, add);
	emit_imm64(g->k, BPF_REG_4, m->high);
	emit_move_imm(g->k, BPF_REG_2, 8 * last);
	emit_jump_reg(g->k, r->is_signed ? BPF_JSGE : BPF_JGE, BPF_REG_1, BPF_REG_4, add);
	emit_alu(g->k, BPF_SUB, BPF_REG_1, BPF_REG_3);
	emit_imm64(g->k, BPF_REG_3, m->step);
	emit_alu(g->k, BPF_DIV, BPF_REG_1, BPF_REG_3);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	/* the verifier does not know the range of a quotient */
	emit_jump(g->k, BPF_JGT, BPF_REG_2, last, none);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_2, 3);
	label_bind(g->k, add);
	bucket_add(g, r);
	label_bind(g->k, none);
}

/* 0 to 15 have a bucket each. The bucket of larger values is the number of their highest four
 * bits, 8 to 15, plus 8 for each further bit. */
static void pct_add(struct gen *g, const struct expr_result *r)
{
	int add = label_new(g->k), large = label_new(g->k), known = label_new(g->k);
	int none = label_new(g->k);

	emit_move(g->k, BPF_REG_1, REG_VALUE);
	if (r->is_signed) {
		emit_move_imm(g->k, BPF_REG_2, 0);
		emit_jump(g->k, BPF_JSLT, BPF_REG_1, 0, add);
	}
	emit_jump(g->k, BPF_JGT, BPF_REG_1, 15, large);
	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	emit_goto(g->k, known);
	label_bind(g->k, large);
	emit_move_imm(g->k, BPF_REG_2, 0);
	find_power(g);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_2, 3 * 8);
	emit_move(g->k, BPF_REG_3, BPF_REG_2);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_3, 3);
	emit_move(g->k, BPF_REG_1, REG_VALUE);
	emit_alu(g->k, BPF_RSH, BPF_REG_1, BPF_REG_3);
	emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_1);
	label_bind(g->k, known);
	/* the verifier does not know the range after a shift */
	emit_jump(g->k, BPF_JGT, BPF_REG_2, EXPR_PCT_BUCKETS - 2, none);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, 1);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_2, 3);
	label_bind(g->k, add);
	bucket_add(g, r);
	label_bind(g->k, none);
}

void gen_measure(struct gen *g, size_t i)
{
	const struct expr_result *r = &g->p->results[i];

	if (result_is_hist(r))
		ends_update(g, r);
	switch (r->kind) {
	case EXPR_COUNT: break;
	case EXPR_SUM:
	case EXPR_AVG: gen_word_add(g, REG_ENTRY, r->word, REG_VALUE); break;
	case EXPR_MIN: least_store(g, r->word, ordered(g, r)); break;
	case EXPR_MAX: larger_store(g, r->word, ordered(g, r)); break;
	case EXPR_HIST: hist_add(g, r); break;
	case EXPR_PCT: pct_add(g, r); break;
	case EXPR_LHIST: lhist_add(g, r, &g->c->in->run.aggregate->measures[i]); break;
	}
}
