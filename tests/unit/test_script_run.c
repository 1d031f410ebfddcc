/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_run.c - programs in bpftrace's language, compiled for every target and run on the simulated machine:
 * what they send and what is in their maps.
 *
 * What a program sends is written as "printf(5, "text") exit(0)", then its maps as "@x=5 @y[3,"a"]=7", in the order of
 * their first use and of their keys.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "script/inside.h"
#include "../lib/silent.h"
#include "../lib/script_points.h"
#include "../lib/vm_maps.h"

enum { CPUS = 4, VALUE_WORDS = 4096 };

enum { RUNS_MAX = 8 };

/* A program at its points, each with a machine. */
struct program {
	struct script *s;
	struct script_error error;
	struct script_world world;
	struct script_points at;
	struct harness h; /* of the point that runs */
	struct vm *first; /* whose maps all share */
};

/* As probe/usdt_arg.c writes them. */
static const struct expr_param operands[] = {
	{ .name = "",
	  .inner = "(int)(int)($reg(di))",
	  .where = EXPR_PARAM_INNER,
	  .size = 4,
	  .is_signed = true },
	{ .name = "",
	  .inner = "(unsigned char)(unsigned char)($reg(di) >> 8)",
	  .where = EXPR_PARAM_INNER,
	  .size = 1 },
	{ .name = "",
	  .inner = "(long)(long)((long)0x2aUL)",
	  .where = EXPR_PARAM_INNER,
	  .size = 8,
	  .is_signed = true },
	{ .name = "",
	  .inner =
		  "(unsigned int)(unsigned int)(*(unsigned int __user *)(-12 + $reg(bp) + $reg(cx) * 4))",
	  .where = EXPR_PARAM_INNER,
	  .size = 4 },
};

static uint64_t symbol_of(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "things") ? 0 : THING_AT(0);
}

/* ---- compiling ---- */

static void point_fill(struct expr_input *in, const struct script_attach *attach,
		       const struct expr_target *target)
{
	in->btf = things_btf;
	in->target = *target;
	in->run.filter.self = 1;
	in->site.func_id = btf_view_func(things_btf, attach_name(attach));
	in->site.on_function = in->site.func_id;
	if (attach->kind == PROBE_TRACEPOINT) {
		tracepoint_fill(in);
		in->target.method = EXPR_CTX_EVENT;
	}
	if (attach->kind == PROBE_USDT) {
		in->site.func_id = 0;
		in->site.in_user = true;
		in->site.params = operands;
		in->site.param_count = COUNT(operands);
		in->target.method = EXPR_CTX_KPROBE;
		in->target.arch = ARCH_X86_64;
	}
	if (attach->kind == PROBE_FEXIT || attach->kind == PROBE_KRETPROBE)
		in->scope = EXPR_SCOPE_RETURN;
}

static int program_open(struct program *p, const char *text, const struct expr_target *target)
{
	static const char *const words[] = { "42", "text" }; /* the script refers to them */
	static const struct script_args args = { .words = words, .count = COUNT(words) };
	int err;

	memset(p, 0, sizeof(*p));
	p->world = (struct script_world){ .kernel_symbol = symbol_of,
					  .cpus = CPUS,
					  .has_unsafe = true };
	p->world.has_for_each = p->world.has_loop = p->world.has_lookup_per_cpu = target->func_arg;
	p->world.has_boot_clock = target->func_arg;
	err = script_parse(text, &args, &p->s, &p->error);
	if (err)
		return err;
	script_points_fill(&p->at, p->s, point_fill, target);
	return script_infer(p->s, &p->world, p->at.points, p->at.count, &p->error);
}

/* ---- what they sent ---- */

static void value_write(const struct script_type *t, const uint8_t *bytes, struct buf *o)
{
	uint64_t word = 0;
	uint32_t n;

	switch (t->kind) {
	case SCRIPT_STRING:
		buf_printf(o, "\"%.*s\"", (int)strnlen((const char *)bytes, t->size), bytes);
		return;
	case SCRIPT_BUFFER:
		memcpy(&n, bytes, 4);
		buf_char(o, '<');
		for (uint32_t i = 0; i < n; i++)
			buf_printf(o, "%02x", bytes[4 + i]);
		buf_char(o, '>');
		return;
	case SCRIPT_ARRAY:
	case SCRIPT_RECORD:
	case SCRIPT_MAC:
	case SCRIPT_INET:
		buf_char(o, '<');
		for (uint32_t i = 0; i < t->size; i++)
			buf_printf(o, "%02x", bytes[i]);
		buf_char(o, '>');
		return;
	case SCRIPT_KSTACK:
	case SCRIPT_USTACK:
		memcpy(&word, bytes, 8);
		memcpy(&n, bytes + 8, 4);
		buf_printf(o, word < STACK_NONE ? "no stack" : "stack of %u", n);
		return;
	case SCRIPT_TUPLE:
		buf_char(o, '(');
		for (uint32_t i = 0; i < t->count; i++) {
			if (i)
				buf_char(o, ',');
			value_write(&t->parts[i].type, bytes + t->parts[i].offset, o);
		}
		buf_char(o, ')');
		return;
	default: break;
	}
	memcpy(&word, bytes, t->size < 8 ? t->size : 8);
	if (t->kind == SCRIPT_INT && t->is_signed && t->size < 8)
		word = (uint64_t)((int64_t)(word << (64 - 8 * t->size)) >> (64 - 8 * t->size));
	if ((t->kind == SCRIPT_INT || t->kind >= SCRIPT_COUNT) && t->is_signed)
		buf_printf(o, "%lld", (long long)word);
	else if (t->kind == SCRIPT_POINTER)
		buf_printf(o, "0x%llx", (unsigned long long)word);
	else
		buf_printf(o, "%llu", (unsigned long long)word);
}

static const char *const action_names[] = {
	[ACTION_PRINTF] = "printf",
	[ACTION_ERRORF] = "errorf",
	[ACTION_WARNF] = "warnf",
	[ACTION_PRINT] = "print",
	[ACTION_PRINT_MAP] = "map",
	[ACTION_CLEAR] = "clear",
	[ACTION_ZERO] = "zero",
	[ACTION_EXIT] = "exit",
	[ACTION_TIME] = "time",
	[ACTION_JOIN] = "join",
	[ACTION_CAT] = "cat",
	[ACTION_SYSTEM] = "system",
	[ACTION_DELETE_MISSED] = "missed",
	[ACTION_UNWATCH] = "unwatch",
	[ACTION_ASSERT] = "assert",
	[ACTION_EMIT] = "emit",
	[ACTION_WARNING] = "warning",
};

static void record_write(const struct script *s, const struct vm_sent *sent, struct buf *o)
{
	const struct script_action *a;
	struct script_record head;

	assert_true(sent->size >= sizeof(head));
	memcpy(&head, sent->bytes, sizeof(head));
	assert_true(head.action < s->action_count);
	a = s->actions[head.action];
	assert_int_equal(sent->size, (a->size + 7) / 8 * 8);
	buf_printf(o, "%s%s(", o->len ? " " : "", action_names[a->kind]);
	for (size_t i = 0; i < a->arg_count; i++) {
		if (i)
			buf_str(o, ", ");
		if (a->args[i].is_literal)
			buf_str(o, "literal");
		else if (a->kind == ACTION_JOIN)
			buf_printf(o, "%u", *(const uint32_t *)(sent->bytes + a->args[i].offset));
		else
			value_write(&a->args[i].type, sent->bytes + a->args[i].offset, o);
	}
	buf_char(o, ')');
}

/* Words of an aggregate that are not 0: index:value. */
static void words_write(const uint8_t *bytes, uint32_t size, struct buf *o)
{
	const char *between = "{";

	for (uint32_t i = 0; i < size / 8; i++) {
		int64_t word;

		memcpy(&word, bytes + 8 * i, 8);
		if (!word)
			continue;
		buf_printf(o, "%s%u:%lld", between, i, (long long)word);
		between = " ";
	}
	buf_char(o, '}');
}

static void entry_write(const struct script_map *m, const uint8_t *key, const uint8_t *value,
			struct buf *o)
{
	buf_printf(o, "%s@%s", o->len ? " " : "", m->name);
	if (m->has_key) {
		buf_char(o, '[');
		value_write(&m->key, key, o);
		buf_char(o, ']');
	}
	buf_char(o, '=');
	if (m->value.kind >= SCRIPT_MIN && m->value.kind <= SCRIPT_TSERIES)
		words_write(value, m->value.size, o);
	else
		value_write(&m->value, value, o);
}

static const struct vm_map *map_numbered(const struct vm *m, unsigned number)
{
	for (size_t i = 0; i < m->map_count; i++)
		if (m->maps[i].asked->kind == EXPR_MAP_SCRIPT && m->maps[i].asked->number == number)
			return &m->maps[i];
	return NULL;
}

/* The slots of all processors as one: others than that of the machine are 0. */
static const uint8_t *slots_join(const struct script_map *m, const struct vm_map *map,
				 const uint8_t *value)
{
	static uint64_t words[VALUE_WORDS];
	uint32_t slot = script_map_slot(m, CPUS, map->asked->entries), used = 0;
	uint64_t word;

	if (!slot)
		return value;
	assert_int_equal(map->asked->value_size, CPUS * slot);
	memset(words, 0, sizeof(words));
	for (uint32_t at = 0; at < CPUS * slot; at += sizeof(word)) {
		memcpy(&word, value + at, sizeof(word));
		words[at % slot / sizeof(word)] += word;
		used |= word ? 1u << at / slot : 0;
	}
	assert_false(used & (used - 1));
	return (const uint8_t *)words;
}

/* A map of the kernel's side, if the program uses it. */
static void map_write(const struct script *s, const struct vm_map *map, struct buf *o)
{
	const struct script_map *m = map ? s->maps[map->asked->number] : NULL;

	for (uint32_t i = 0; m && i < map->room; i++)
		if (!m->has_key || map->used[i])
			entry_write(m, map->keys + (size_t)i * map->asked->key_size,
				    slots_join(m, map, map->values + (size_t)i * map->stride), o);
}

/* ---- running ---- */

/* The maps of the script go from machine to machine. */
static void maps_move(struct vm *from, struct vm *to)
{
	for (size_t i = 0; from && i < from->map_count; i++) {
		for (size_t j = 0; j < to->map_count; j++) {
			struct vm_map *a = &from->maps[i], *b = &to->maps[j];

			if (a->asked->kind != EXPR_MAP_SCRIPT ||
			    b->asked->kind != EXPR_MAP_SCRIPT ||
			    a->asked->number != b->asked->number)
				continue;
			assert_int_equal(a->asked->value_size, b->asked->value_size);
			assert_int_equal(a->asked->key_size, b->asked->key_size);
			memcpy(b->values, a->values, (size_t)a->room * a->stride);
			memcpy(b->keys, a->keys, (size_t)a->room * a->asked->key_size);
			memcpy(b->used, a->used, sizeof(b->used));
			b->count = a->count;
		}
	}
}

static void event_fill(struct vm *m)
{
	static const char name[] = "open";
	uint64_t words[] = { 0, (uint64_t)-5, USER_AT };

	memset(m->ctx, 0, sizeof(m->ctx));
	memcpy(m->ctx, words, sizeof(words));
	strcpy((char *)m->ctx + 24, "field");
	memcpy(m->ctx + 40, (uint32_t[]){ 5u << 16 | 64, 7 }, 8);
	memcpy(m->ctx + 64, name, sizeof(name));
}

/* No program loses what it does not count. */
static void check_silent(const struct program *p, const struct expr_program *program)
{
	const char *what;
	int at = silent_script_find(program, &what);

	if (at < 0)
		return;
	print_error("%s\ninstruction %d: a %s that fails in silence\n", p->s->text, at, what);
	fail();
}

/* Runs the program of a point; what it sent is appended. */
static bool point_run(struct program *p, size_t i, const char *target, struct vm *before,
		      struct harness *h, struct buf *o)
{
	things_init(h, target);
	h->in = p->at.in[i];
	thing_fill(&things[0]);
	strcpy(things[0].array, "array");
	things[0].text = THING_AT(8);
	things[0].table = THING_AT(9);
	vm_region_add(&h->vm, THING_AT(9), (uint64_t[]){ THING_AT(8), THING_AT(8) + 8, 0 }, 24);
	memcpy(h->vm.frames,
	       (uint64_t[]){ 0xffffffff81000010, 0xffffffff81000020, 0xffffffff81000030 }, 24);
	vm_region_add(&h->vm, THING_AT(8), (void *)"text of the kernel", 19);
	h->args[1] = THING_AT(8);
	h->args[2] = (uint64_t)-7;
	h->args[3] = 1000;
	h->vm.now = 5000000000;
	h->vm.function = 0xffffffff81000018; /* of frame 1 */
	h->vm.returned = 12;
	if (p->at.in[i].site.func_id)
		harness_context(h, p->at.in[i].scope == EXPR_SCOPE_RETURN);
	if (p->at.in[i].target.method == EXPR_CTX_EVENT)
		event_fill(&h->vm);
	if (p->at.in[i].site.params == operands) {
		memset(h->vm.ctx, 0, sizeof(h->vm.ctx));
		memcpy(h->vm.ctx + 112, (uint64_t[]){ 0x12345fffffff0 }, 8); /* di */
		memcpy(h->vm.ctx + 32, (uint64_t[]){ USER_AT + 8 }, 8);	     /* bp */
		memcpy(h->vm.ctx + 88, (uint64_t[]){ 2 }, 8);		     /* cx */
	}
	if (script_compile(p->s, &p->world, &p->at.points[i], &h->program, &p->error))
		return false;
	check_silent(p, h->program);
	assert_true(vm_take(&h->vm, h->program));
	maps_move(before, &h->vm);
	if (!harness_run(h, &h->vm.code)) {
		print_error("%s\n", p->s->text);
		fail();
	}
	for (unsigned j = 0; j < h->vm.sent_count; j++)
		record_write(p->s, &h->vm.sent[j], o);
	return true;
}

/* What the program does when each of its points is hit once, in order. */
static bool program_run(struct program *p, const char *target, struct buf *o)
{
	static struct harness h[POINTS_MAX];
	bool fine = true;

	for (size_t i = 0; i < p->at.count && fine; i++)
		fine = point_run(p, i, target, i ? &h[i - 1].vm : NULL, &h[i], o);
	for (size_t i = 0; i < p->s->map_count && fine; i++)
		map_write(p->s, map_numbered(&h[p->at.count - 1].vm, i), o);
	for (size_t i = 0; i < p->at.count && fine; i++) {
		if (vm_loss(&h[i].vm, LOSS_KEYS_FULL))
			buf_str(o, " full");
		if (vm_loss(&h[i].vm, LOSS_RING_FULL))
			buf_str(o, " ring");
		if (vm_loss(&h[i].vm, LOSS_ROUNDS))
			buf_str(o, " cut");
	}
	for (size_t i = 0; i < p->at.count; i++)
		harness_free(&h[i]);
	return fine;
}

static void check_on(const char *text, const char *want, const char *target)
{
	struct expr_target t = target_of(things_btf, target);
	struct program p;
	struct buf o;
	int err = program_open(&p, text, &t);

	buf_init(&o, -1);
	if (!err && !program_run(&p, target, &o))
		err = -EINVAL;
	if (err)
		buf_str(&o, p.error.message);
	buf_char(&o, '\0');
	if (strcmp(o.data, want))
		print_error("%s, on %s\n", text, target);
	assert_string_equal(o.data, want);
	buf_free(&o);
	script_free(p.s);
}

struct row {
	const char *text, *want;
};

/* By typed loads, by helpers, from registers; the newest kernel and the oldest. */
static const char *const all_targets[] = {
	"5.10,fentry", "6.18,fentry", "5.10,untyped",	     "6.12,untyped",
	"5.10,kprobe", "6.12,kprobe", "6.18,kprobe,untyped", "6.12,kprobe,arm64",
};

static void check_all(const struct row *rows, size_t count)
{
	for (size_t t = 0; t < COUNT(all_targets); t++)
		for (size_t i = 0; i < count; i++)
			check_on(rows[i].text, rows[i].want, all_targets[t]);
}

/* ---- programs ---- */

static const struct row numbers[] = {
	{ "begin { @ = 5; }", "@=5" },
	{ "begin { $a = 3; $b = $a * 7 - 1; printf(\"%d\", $b); }", "printf(20)" },
	{ "begin { $a = -8; printf(\"%d %d\", $a >> 1, $a < 3); }",
	  "printf(9223372036854775804, 1)" },
	{ "begin { $a = (uint64)7; $b = $a / 2; $c = $a % 2; @ = $b * 10 + $c; }", "@=31" },
	{ "begin { $a = (uint64)7; $z = $a - 7; @ = $a / $z; @y = $a % $z; @z = $a / 3; $a /= $z; @w = $a; }",
	  "warning() warning() warning() @=1 @y=1 @z=2 @w=1" },
	{ "begin { $z = (uint64)0; @x = (int8)7; @y[1] = 5; @x /= $z; @y[1] %= $z; printf(\"%d\", 3 + 8 / $z); }",
	  "warning() warning() warning() printf(4) @x=1 @y[1]=1" },
	{ "begin { $a = (uint64)7; $a += 3; $a <<= 2; $a ^= 1; @ = $a; }", "@=41" },
	{ "begin { $a = (int8)200; $b = (uint8)300; @x = $a; @y = $b; }", "@x=-56 @y=44" },
	/* constants with a cast as at run time */
	{ "begin { @x = (int8)-7 / (int8)2; @y = (int8)-1 >> 1; @z = (uint64)-1 > (int8)0; }",
	  "@x=9223372036854775804 @y=9223372036854775807 @z=0" },
	{ "begin { @x = (uint64)-1000 << (int32)10; @y = -7 / 2; @z = -5 >> 1; }",
	  "@x=-1024000 @y=-3 @z=-3" },
	{ "begin { $t = \"abc\"; $p = &$t; @x = *$p; $q = (1, \"x\"); $r = &$q; @y = *$r; }",
	  "@x=\"abc\" @y=(1,\"x\")" },
	{ "begin { $a = 5; $b = $a++; $c = ++$a; @ = ($a, $b, $c, $a--, $a); }", "@=(7,5,7,7,6)" },
	{ "begin { $a = 1; @ = $a ? 10 : 20; $a = 0; @y = $a ? 10 : 20; }", "@=10 @y=20" },
	{ "begin { $a = 4; @ = $a > 3 && $a < 5; @y = $a == 1 || $a == 2; @z = !$a; }",
	  "@=1 @y=0 @z=0" },
	{ "begin { $a = ~(uint64)5; @ = $a & 0xff; }", "@=250" },
	{ "begin { @ = bswap((uint16)0x1234); @y = bswap((uint32)0x12345678); }",
	  "@=13330 @y=2018915346" },
	{ "begin { $x = pid; if ($x == 42) { @ = 1 } else { @ = 2 } }", "@=1" },
	{ "begin { if (pid != 42) { @ = 1 } else if (tid == 43) { @ = 2 } else { @ = 3 } }",
	  "@=2" },
	{ "begin /pid == 1/ { @ = 1; }", "@=0" },
	{ "begin { printf(\"%d %d %d %d\", uid, gid, cpu, nsecs); }",
	  "printf(1000, 7, 3, 5000000000)" },
};

static const struct row maps[] = {
	{ "begin { @[1] = (); @x = (); }", "@[1]=() @x=()" },
	{ "begin { @[1] = 2; @[3] = 4; @[1] = 5; }", "@[1]=5 @[3]=4" },
	{ "begin { @s[tid] = 3; delete(@s, tid); @s[tid] = 4; @s[tid] = 5; } fentry:probe /@s[tid]/ { @a = @s[tid]; "
	  "@b = @s[pid]; @s[tid] += 2; @c = @s[tid]; if (@a) { delete(@s, tid); } @d = @s[tid]; }",
	  "@a=5 @b=0 @c=7 @d=0" },
	{ "begin { @s[tid] = 3; } fentry:probe /@s[tid]/ { @n = 0; while (@s[tid] > 1) { @s[tid] -= 1; @n++; } }",
	  "@s[43]=1 @n=2" },
	{ "begin { @x[pid, tid] = 7; @y = @x[42, 43] + @x[1, 2]; }", "@x[(42,43)]=7 @y=7" },
	{ "begin { @[comm] = count(); @[comm] = count(); }", "@[\"worker\"]=2" },
	{ "begin { @x++; @x++; @y = @x; @z = ++@x; @w = @x--; }", "@x=2 @y=2 @z=3 @w=3" },
	{ "begin { @x[\"a\"]++; @x[\"a\"] += 5; @x[\"bc\"] -= 2; }", "@x[\"a\"]=6 @x[\"bc\"]=-2" },
	{ "begin { @x[1] = 1; $a = delete(@x, 1); $b = delete(@x, 1); @y = ($a, $b); }",
	  "@y=(1,0)" },
	{ "begin { @x[1] = 1; @y = has_key(@x, 1); @z = has_key(@x, 2); }", "@x[1]=1 @y=1 @z=0" },
	{ "begin { @x = \"text\"; $a = @x; printf(\"%s\", $a); }", "printf(\"text\") @x=\"text\"" },
	{ "begin { @x[1] = \"one\"; @x[2] = \"three\"; print(@x[2]); print(@x[3]); }",
	  "print(\"three\") print(\"\") @x[1]=\"one\" @x[2]=\"three\"" },
	{ "begin { @x = (1, \"ab\", -2); $t = @x; @y = $t.2; print($t.1); }",
	  "print(\"ab\") @x=(1,\"ab\",-2) @y=-2" },
	{ "begin { @x[1, \"a\"] = 1; @x[2, \"b\"] = 2; delete(@x[1, \"a\"]); }",
	  "@x[(2,\"b\")]=2" },
	{ "begin { @x[1] = 5; delete(@x, 2); delete(@x, 1); }", "missed()" },
	{ "let @x = hash(2); begin { @x[1] = 1; @x[2] = 1; @x[3] = 1; }", "@x[1]=1 @x[2]=1 full" },
	{ "begin { @x = 3; delete(@x); @y = 1; }", "@x=0 @y=1" },
	{ "begin { $a = (1, \"ab\", (2, -3)); $b = ((int64)1, \"ab\", ((uint16)2, -3)); @ = $a == $b; "
	  "$b = ((int64)1, \"ab\", ((uint16)2, -4)); @y = $a == $b; @z = $a != $b; }",
	  "@=1 @y=0 @z=1" },
	{ "begin { if ($1 != 0) { @ = 1; } if (str($2) != \"\") { @y = 1; } if (str($3) == \"\") { @z = 1; } }",
	  "@=1 @y=1 @z=1" },
	/* records are compared by names */
	{ "begin { @ = (a=1, b=\"x\") == (b=\"x\", a=1); @y = (a=1, b=\"x\") == (b=\"x\", a=2); "
	  "$a = (a=pid, b=\"text\", c=(1, (d=2, e=-3))); "
	  "@p = $a == (b=\"text\", c=(1, (e=-3, d=2)), a=(uint64)42); "
	  "@q = $a != (c=(1, (d=2, e=-4)), b=\"text\", a=42); "
	  "$b = (c=((uint16)1, (e=(int64)-3, d=2)), a=42, b=\"text\"); @r = $b == $a; @s = $a == $b; }",
	  "@=1 @y=0 @p=1 @q=1 @r=1 @s=1" },
	{ "begin { $k = (1, 2); @x[$k] = 3; @x[1, 2] += 1; }", "@x[(1,2)]=4" },
};

static const struct row counts[] = {
	{ "begin { @ = count(); @ = count(); @ = count(); }", "@=3" },
	{ "begin { @ = sum(5); @ = sum(7); }", "@=12" },
	{ "begin { @ = sum(-5); @ = sum(7); }", "@=2" },
	{ "begin { @ = min(5); @ = min(7); @ = min(3); }", "@={0:3 1:1}" },
	{ "begin { @ = max(-5); @ = max(-7); }", "@={0:-5 1:1}" },
	{ "begin { @ = avg(5); @ = avg(8); }", "@={0:13 1:2}" },
	{ "begin { @[1] = stats(5); @[1] = stats(8); @[2] = stats(1); }",
	  "@[1]={0:13 1:2} @[2]={0:1 1:1}" },
	{ "begin { @ = hist(-1); @ = hist(0); @ = hist(1); @ = hist(2); @ = hist(3); @ = hist(1024); }",
	  "@={0:1 1:1 2:1 3:2 12:1}" },
	{ "begin { @ = hist(5, 2); @ = hist(3, 2); @ = hist(7, 2); @ = hist(8, 2); @ = hist(11, 2); }",
	  "@={4:1 6:1 8:1 9:1 10:1}" },
	{ "begin { @ = lhist(-1, 0, 100, 10); @ = lhist(0, 0, 100, 10); @ = lhist(99, 0, 100, 10); "
	  "@ = lhist(100, 0, 100, 10); @ = lhist(55, 0, 100, 10); }",
	  "@={0:1 1:1 6:1 10:1 11:1}" },
	{ "begin { @ = lhist(-15, -20, 20, 10); }", "@={1:1}" },
	{ "begin { @ = tseries(5, 1s, 3); @ = tseries(6, 1s, 3); }", "@={0:6 1:6 2:2}" },
	{ "begin { @ = tseries(5, 1h, 3); }", "@={3:1 4:5 5:1}" },
	{ "config = { dummy_ts_map = \"@t\" } begin { @t = (uint64)3s; @ = tseries(5, 1s, 3); "
	  "@t += 1500ms; @ = tseries(6, 1s, 3); @ = tseries(7, 1s, 3); }",
	  "@t=4500000000 @={3:4 4:5 5:1 6:5 7:7 8:2}" },
	{ "begin { @ = tseries(5, 1s, 3, \"sum\"); @ = tseries(6, 1s, 3, \"sum\"); }",
	  "@={0:6 1:11 2:2}" },
};

static const struct row texts[] = {
	{ "begin { $a = \"abcdef\"; $b = str(pid == 42 ? $a : \"x\", 2); print($b); }",
	  "print(\"a\")" },
	{ "begin { $a = \"abcdef\"; $b = \"a longer text\"; $b = str($a, pid - 39); print($b); }",
	  "print(\"ab\")" },
	{ "begin { $c = config; print($c.stack_mode); @ = $c.max_map_keys; @y = config.max_probes; }",
	  "print(\"bpftrace\") @=4096 @y=1024" },
	{ "begin { $a = \"abab\"; @ = strstr($a, \"bab\"); @y = strstr($a, \"abc\"); @z = strstr($a, \"\"); }",
	  "@=1 @y=-1 @z=0" },
	{ "begin { if (comm == \"worker\") { @ = 1 } }", "@=1" },
	{ "begin { if (comm != \"work\") { @ = 1 } }", "@=1" },
	{ "begin { $a = \"hello\"; $b = \"hello\"; @ = $a == $b; $b = \"help\"; @y = $a == $b; }",
	  "@=1 @y=0" },
	{ "begin { $a = \"a\"; $a = \"longer\"; printf(\"%s %s\", $a, comm); }",
	  "printf(\"longer\", \"worker\")" },
	{ "begin { @[comm, \"x\"] = 1; @[\"worker\", \"x\"] += 1; }", "@[(\"worker\",\"x\")]=2" },
	{ "begin { $a = pid == 42 ? \"yes\" : \"no\"; print($a); }", "print(\"yes\")" },
	{ "begin { $a = pid == 4 ? \"yes\" : \"other\"; print($a); }", "print(\"other\")" },
};

static const struct row searches[] = {
	{ "fentry:probe { @ = strncmp(str(args.string), \"text off\", 7); @y = strncmp(comm, \"wor\", 3); "
	  "@z = strncmp(comm, \"wor\", 4); }",
	  "@=0 @y=0 @z=1" },
	{ "begin { @ = strlen(comm); $a = \"\"; if (pid == 42) { $a = \"four\" } @y = strlen($a); }",
	  "@=6 @y=4" },
	{ "fentry:probe { @ = strlen(args.string); @y = strcontains(args.string, \"of the\"); "
	  "@z = strcontains(str(args.string), \"off\"); }",
	  "@=18 @y=1 @z=0" },
	{ "begin { @ = strstr(comm, \"ker\"); @y = strstr(comm, \"kernel\"); @z = strstr(comm, \"worker\"); "
	  "@w = strstr(comm, \"workers and many more\"); }",
	  "@=3 @y=-1 @z=0 @w=-1" },
	{ "begin { $n = \"rk\"; if (pid == 1) { $n = \"longer than that\" } @ = strstr(comm, $n); "
	  "$n = \"x\"; @y = strcontains(comm, $n); }",
	  "@=2 @y=0" },
	{ "begin { @ = globmatch(comm, \"w*r\"); @y = globmatch(comm, \"w*s\"); @z = globmatch(comm, \"?orke[a-r]\"); }",
	  "@=1 @y=0 @z=1" },
	{ "fentry:probe { @ = memcmp(args.string, args.thing->array, 4); $a = args.thing->array; "
	  "@y = memcmp($a, \"array\", 6); }",
	  "@=19 @y=0" },
	{ "begin { print(ntop(0x0100007f)); print(ntop(pton(\"::1\"))); }",
	  "print(<020000007f00000100000000000000000000000000000000>) "
	  "print(<0a0000000000000000000000000000000000000100000000>)" },
	{ "fentry:probe { print(ntop(args.number)); print(macaddr(args.string)); }",
	  "print(<02000000f9ffffff00000000000000000000000000000000>) print(<74657874206f>)" },
	{ "fentry:probe { join(args.thing->table); }", "join(2)" },
	{ "fentry:probe { @[kstack] = count(); @[kstack] = count(); print(ustack(2)); "
	  "@m = len(ustack(2)); }",
	  "print(stack of 42) @[stack of 0]=2 @m=2" },
};

static const struct row flows[] = {
	{ "begin { $n = 1; printf(\"%d %d\", $n, { $n++; $n }); }", "printf(1, 2)" },
	{ "begin { $n = 1; printf(\"%d %d %d\", $n++, $n == 2, $n--); }", "printf(1, 1, 2)" },
	{ "begin { $i = 0; while ($i < 5) { $i++; if ($i == 2) { continue } if ($i == 4) { break } "
	  "@[$i] = 1; } @n = $i; }",
	  "@[1]=1 @[3]=1 @n=4" },
	{ "begin { for $i : 0..3 { @[$i] = $i * 2; } }", "@[0]=0 @[1]=2 @[2]=4" },
	{ "begin { unroll (3) { @ += 2; } }", "@=6" },
	{ "begin { printf(\"a\"); exit(); printf(\"b\"); }", "printf() exit()" },
	{ "begin { if (pid == 42) { return; } @ = 1; }", "@=0" },
	{ "begin { $x = { $y = 3; $y + 1 }; @ = $x; }", "@=4" },
	{ "begin { if (true) { @x = 1 } else { @x = 2 } if (false) { @y = 1 } }", "@x=1" },
	{ "begin { assert(pid == 42, \"no\"); assert(pid == 1, \"yes\"); @ = 1; }",
	  "assert(literal) @=0" },
	{ "begin { print(5); print((pid, comm)); clear(@x); zero(@x); @x = 1; time(); print(@x); }",
	  "print(literal) print((42,\"worker\")) clear() zero() time() map() @x=1" },
};

static const struct row probes[] = {
	{ "fentry:probe { $n = (uint64)args.thing; @ = *$n == (uint64)args.thing->next; }", "@=1" },
	{ "usdt:/bin/a:b { let $x: uint64 = (uint64)arg2; @ = $x; }", "@=42" },
	{ "usdt:/bin/a:b { @[pid] = 1; @[~arg2] = 2; @[strcap(\"abc\")] = 3; @[arg2] = 4; }",
	  "@[42]=4 @[-43]=2 @[4]=3" },
	{ "fentry:probe { printf(\"%d %d %d\", args.number, args.count, args.thing->number); }",
	  "printf(-7, 1000, -5)" },
	{ "fentry:probe { @ = args.thing->next->next->next; }", "@=0xffff888010030000" },
	{ "fentry:probe { @ = args.thing->next->next->next->next->next->big; }", "@=0" },
	{ "fentry:probe { @ = args.thing->next->next->next->next->next->big ?? 7; @y = args.thing->number ?? -1; "
	  "@z = str(((struct thing *)0)->text) ?? \"none\"; @s = str(args.string) ?? \"none\"; "
	  "printf(\"%s %d\", str(((struct thing *)0)->text) ?? comm, (*(int64 *)8 ?? *(int64 *)16) ?? 5); }",
	  "printf(\"worker\", 5) @=7 @y=-5 @z=\"none\" @s=\"text of the kernel\"" },
	{ "fentry:probe { @ = args.thing->nosuch ?? 3; @y = args.nosuch->a.b ?? \"x\"; if ((args.nosuch ?? 1) == 1) { @z = 1; } }",
	  "@=3 @y=\"x\" @z=1" },
	{ "fentry:probe { @ = thing->number; @y = str(string); @w[count] = count(); @z = sum(count); if (number == -7) { @x = count; } }",
	  "@=-5 @y=\"text of the kernel\" @w[1000]=1 @z=1000 @x=1" },
	{ "fentry:probe { emit(comm, number, n = number:x, s = string:str, m = string:mac, one = 1, t = \"text\", "
	  "e = number:u8, d = (count ? thing->number : 1):d, h = thing->array:hex[2], w = ((struct thing *)0)->big ?? 7); }",
	  "emit(\"worker\", -7, -7, \"text of the kernel\", <74657874206f>, 1, \"text\", -7, -5, <6172>, 7)" },
	{ "fentry:probe { $t = args.thing; $u = $t->next; @x = $u->next; @y = $t->tiny; }",
	  "@x=0xffff888010020000 @y=-100" },
	{ "fentry:probe { printf(\"%s %s\", str(args.string), args.thing->array); }",
	  "printf(\"text of the kernel\", \"array\")" },
	{ "fentry:probe { print(str(args.thing->text, 4)); $n = args.count - 995; print(str(args.string, $n)); }",
	  "print(\"tex\") print(\"text\")" },
	{ "fentry:probe { @[str(args.string)] = count(); }", "@[\"text of the kernel\"]=1" },
	{ "fentry:probe { if (str(args.string) == \"text of the kernel\") { @ = 1 } }", "@=1" },
	{ "fexit:number_probe { @ = retval; }", "@=12" },
	{ "tracepoint:a:b { printf(\"%d %s %s %d %s\", args.id, str(args.filename), args.comm, args.flags, "
	  "str(args.name)); }",
	  "printf(-5, \"from user space\", \"field\", 7, \"open\")" },
	{ "fentry:probe { @ = args.thing->low; @y = args.thing->five; @z = args.thing->wide; }",
	  "@=5 @y=-9 @z=703710" },
	{ "fentry:probe { print(buf(args.string, 4)); }", "print(<74657874>)" },
	{ "fentry:probe { $p = (uint8 *)args.string; @ = *$p; @y = $p[1]; $p++; @z = *$p; }",
	  "@=116 @y=101 @z=101" },
	{ "usdt:/bin/a:b { printf(\"%d %d %d %d\", arg0, arg1, arg2, arg3); }",
	  "printf(-16, 255, 42, 1702065440)" },
	{ "fentry:probe { print(func); print(probe); if (func == \"probe\") { @ = 1 } }",
	  "print(0) print(0) @=1" },
};

static const struct row kernel_loops[] = {
	{ "begin { @[1] = 10; @[2] = 20; for ($kv : @) { @sum += $kv.1; @keys += $kv.0; } }",
	  "@[1]=10 @[2]=20 @sum=30 @keys=3" },
	{ "begin { $n = (uint64)5; for $i : 0..$n { if ($i == 3) { break } @ += 1; } @x = 1; }",
	  "@=3 @x=1" },
	{ "begin { $n = (uint64)5; for $i : 0..$n { if ($i == 3) { return } @ += 1; } @x = 1; }",
	  "@=3 @x=0" },
	{ "begin { $n = (uint64)3; for $i : 0..$n { for $j : 0..$n { if ($j == 1) { continue } @ += 10; } } }",
	  "@=60" },
	{ "begin { $n = (uint64)3; for $i : 0..$n { if ($i == 1) { exit() } printf(\"%d\", $i); } @x = 1; }",
	  "printf(0) exit() @x=0" },
	{ "begin { $n = (uint64)8388609; for $i : 0..$n { @ += 1; } @x = 1; }", "@=0 @x=1 cut" },
	{ "begin { @a[1] = 1; @a[7] = 1; @ = len(@a); }", "@a[1]=1 @a[7]=1 @=2" },
	{ "begin { @u[1, @w[1]] = 1; for ($kv : @u) { @ = $kv.0.0; } @w[1] = 5; }",
	  "@u[(1,0)]=1 @w[1]=5 @=1" },
	{ "begin { if (!@t) { @t = 7; } if (!@t) { @t = 8; } @ = @t; }", "@t=7 @=7" },
	{ "begin { @c[1] = count(); @c[3] = count(); for ($kv : @c) { printf(\"%d %d\", $kv.0, $kv.1); } }",
	  "printf(1, 1) printf(3, 1) @c[1]=1 @c[3]=1" },
};

/* Programs on every kernel read what they count. */
static const struct row reads[] = {
	{ "begin { @c = count(); @c = count(); if (@c == 2) { @ = 1 } print(@c); }",
	  "map() @c=2 @=1" },
	{ "begin { @c[1] = avg(10); @c[1] = avg(20); @ = @c[1] + 1; }", "@c[1]={0:30 1:2} @=16" },
	{ "begin { @c[1] = max(10); @c[1] = max(20); @ = @c[1] + 1; }", "@c[1]={0:20 1:1} @=21" },
	{ "begin { @c[1] = min(-3); @c[1] = min(20); @ = @c[1] + 1; }", "@c[1]={0:-3 1:1} @=-2" },
	{ "begin { @c[1] = sum(-3); @c[1] = sum(20); @ = @c[1] + 1; @y = @c[2]; }",
	  "@c[1]=17 @=18 @y=0" },
	{ "begin { @c = count(); @ = @c; delete(@c); @y = @c; }", "@c=0 @=1 @y=0" },
};

static void test_numbers(void **state)
{
	(void)state;
	check_all(numbers, COUNT(numbers));
}

static void test_maps(void **state)
{
	(void)state;
	check_all(maps, COUNT(maps));
}

static void test_counts(void **state)
{
	(void)state;
	check_all(counts, COUNT(counts));
}

static void test_reads(void **state)
{
	(void)state;
	check_all(reads, COUNT(reads));
}

static void test_texts(void **state)
{
	(void)state;
	check_all(texts, COUNT(texts));
}

static void test_searches(void **state)
{
	(void)state;
	check_all(searches, COUNT(searches));
}

/* A trampoline's program and its caller are no part of the stack. */
static void test_stacks(void **state)
{
	static const char text[] = "fentry:probe { @n = len(kstack); @m = len(kstack(1)); }";

	(void)state;
	check_on(text, "@n=2 @m=1", "6.12,fentry");
	check_on(text, "@n=3 @m=1", "6.12,kprobe");
}

/* Where no helper may read memory of the kernel, typed pointers are followed; the rest is refused. */
static void test_lockdown(void **state)
{
	static const char text[] =
		"fentry:probe { @ = args.thing->next->next; @y[comm] = args.thing->number; }";

	(void)state;
	check_on(text, "@=0xffff888010020000 @y[\"worker\"]=-5", "5.10,lockdown");
	check_on(text, "@=0xffff888010020000 @y[\"worker\"]=-5", "6.12,lockdown");
	check_on("fentry:probe { print(str(args.string)); }",
		 "strings of the kernel cannot be read here", "6.12,lockdown");
}

/* Claims of scratch memory that are left: of a user probe, which may be preempted. */
static uint64_t claims_left(struct vm *m)
{
	const struct vm_map *work = vm_map_of(m, EXPR_MAP_WORK);
	uint64_t claims = 0, word;

	assert_non_null(work);
	for (uint32_t i = 0; i < work->room; i++) {
		memcpy(&word, work->values + (size_t)i * work->stride + work->asked->value_size - 8,
		       8);
		claims += word;
	}
	return claims;
}

static void check_claims(bool is_taken, unsigned sent, unsigned lost)
{
	static struct harness h;
	struct expr_target t = target_of(things_btf, "6.1,kprobe");
	struct program p;
	struct buf o;

	assert_int_equal(program_open(&p, "usdt:/bin/a:b { $a = str(arg0, 100); print($a); }", &t),
			 0);
	buf_init(&o, -1);
	assert_true(point_run(&p, 0, "6.1,kprobe", NULL, &h, &o));
	assert_int_equal(claims_left(&h.vm), 0);
	if (is_taken)
		vm_map_fill(&h.vm, EXPR_MAP_WORK, 1);
	h.vm.steps = 0;
	h.vm.record_size = 0;
	assert_true(vm_run(&h.vm, &h.vm.code));
	assert_int_equal(h.vm.sent_count, sent);
	assert_int_equal(vm_loss(&h.vm, LOSS_RECURSION), lost);
	buf_free(&o);
	harness_free(&h);
	script_free(p.s);
}

static void test_claims(void **state)
{
	(void)state;
	check_claims(false, 2, 0);
	check_claims(true, 1, 1);
}

static void test_flows(void **state)
{
	(void)state;
	check_all(flows, COUNT(flows));
}

static void test_probes(void **state)
{
	(void)state;
	check_all(probes, COUNT(probes));
}

/* Only newer kernels run callbacks. */
static void test_kernel_loops(void **state)
{
	static const char *const targets[] = { "6.1,fentry", "6.12,untyped", "6.18,kprobe" };

	(void)state;
	for (size_t t = 0; t < COUNT(targets); t++)
		for (size_t i = 0; i < COUNT(kernel_loops); i++)
			check_on(kernel_loops[i].text, kernel_loops[i].want, targets[t]);
}

/* Names of tasks, with bytes behind their NUL, as keys, in tuples at odd places, and compared with texts that are nearly
 * the same. */
static void test_names(void **state)
{
	static const char own[16] = "worker\0old one";
	static const struct {
		char comm[16];
		const char *name, *longer;
	} names[] = {
		{ "seven__\0old one", "seven__", "seven___" },
		{ "eight___\0old one", "eight___", "eight__" },
		{ "nine_____\0again", "nine_____", "nine____x" },
		{ "fifteen letters", "fifteen letters", "fifteen letter" },
		{ "\0worker", "", "worker" },
	};
	char text[300], want[200];

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		memcpy(things_comm, names[i].comm, sizeof(things_comm));
		for (size_t t = 0; t < COUNT(all_targets); t++) {
			snprintf(text, sizeof(text),
				 "begin { @[(uint8)1, comm] = count(); @[1, \"%s\"] = count(); "
				 "@x[pid, comm] = 1; @x[42, \"%s\"] += 1; "
				 "@y = comm == \"%s\"; @z = comm == \"%s\"; }",
				 names[i].name, names[i].name, names[i].name, names[i].longer);
			snprintf(want, sizeof(want), "@[(1,\"%s\")]=2 @x[(42,\"%s\")]=2 @y=1 @z=0",
				 names[i].name, names[i].name);
			check_on(text, want, all_targets[t]);
		}
	}
	memcpy(things_comm, own, sizeof(things_comm));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	 cmocka_unit_test(test_maps),
		cmocka_unit_test(test_counts),	 cmocka_unit_test(test_texts),
		cmocka_unit_test(test_flows),	 cmocka_unit_test(test_probes),
		cmocka_unit_test(test_searches), cmocka_unit_test(test_kernel_loops),
		cmocka_unit_test(test_reads),	 cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_names),	 cmocka_unit_test(test_claims),
		cmocka_unit_test(test_lockdown),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
