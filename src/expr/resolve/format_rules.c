/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_rules.c - the formats by name.
 */
#include <string.h>
#include <stdio.h>

#include "expr/resolve/format.h"
#include "output/field/flag_names.h"
#include "util/suggest.h"

#define SIZED(bits_)                                                                               \
	{ "u" #bits_, WANTS_NUMBER, FIELD_UINT, bits_ / 8 },                                       \
		{ "s" #bits_, WANTS_NUMBER, FIELD_INT, bits_ / 8 },                                \
	{                                                                                          \
		"x" #bits_, WANTS_NUMBER, FIELD_HEX, bits_ / 8                                     \
	}

static const struct format_rule rules[] = {
	{ "d", WANTS_NUMBER, FIELD_INT },
	{ "u", WANTS_NUMBER, FIELD_UINT },
	{ "x", WANTS_NUMBER, FIELD_HEX },
	{ "o", WANTS_NUMBER, FIELD_OCT },
	{ "c", WANTS_NUMBER, FIELD_CHAR, 1 },
	{ "b", WANTS_NUMBER, FIELD_BOOL },
	{ "p", WANTS_NUMBER, FIELD_PTR },
	{ "ptr", WANTS_NUMBER, FIELD_PTR },
	SIZED(8),
	SIZED(16),
	SIZED(32),
	SIZED(64),
	{ "char", WANTS_NUMBER, FIELD_CHAR, 1 },
	{ "str", WANTS_STRING, FIELD_CSTR, 0, STRING_BY_ADDRESS },
	{ "ustr", WANTS_STRING, FIELD_CSTR, 0, STRING_USER },
	{ "string", WANTS_STRING, FIELD_CSTR, 0, STRING_BY_ADDRESS },
	{ "ustring", WANTS_STRING, FIELD_CSTR, 0, STRING_USER },
	{ "path", WANTS_PATH, FIELD_PATH },
	{ "sym", WANTS_NUMBER, FIELD_SYM, 8 },
	{ "symbol", WANTS_NUMBER, FIELD_SYM, 8 },
	{ "symstr", WANTS_NUMBER, FIELD_SYM, 8 },
	{ "usym", WANTS_NUMBER, FIELD_USYM, 8 },
	{ "ns", WANTS_NUMBER, FIELD_SPAN_NS },
	{ "us", WANTS_NUMBER, FIELD_SPAN_US },
	{ "ms", WANTS_NUMBER, FIELD_SPAN_MS },
	{ "time", WANTS_NUMBER, FIELD_TIME, 8 },
	{ "hundredths", WANTS_NUMBER, FIELD_HUNDREDTHS },
	{ "dev", WANTS_NUMBER, FIELD_DEV },
	{ "user", WANTS_NUMBER, FIELD_USER },
	{ "container", WANTS_NUMBER, FIELD_CONTAINER, 8 },
	{ "sock", WANTS_SOCK, FIELD_SOCK },
	{ "local", WANTS_SOCK, FIELD_LOCAL },
	{ "peer", WANTS_SOCK, FIELD_PEER },
	{ "localip", WANTS_SOCK, FIELD_LOCAL_IP },
	{ "peerip", WANTS_SOCK, FIELD_PEER_IP },
	{ "flow", WANTS_FLOW, FIELD_FLOW },
	{ "packet", WANTS_PACKET, FIELD_PACKET },
	{ "eth", WANTS_HEADER, FIELD_STRUCT },
	{ "ip", WANTS_HEADER, FIELD_STRUCT },
	{ "ipv6", WANTS_HEADER, FIELD_STRUCT },
	{ "tcp", WANTS_HEADER, FIELD_STRUCT },
	{ "udp", WANTS_HEADER, FIELD_STRUCT },
	{ "hex", WANTS_BYTES, FIELD_BYTES },
	{ "mac", WANTS_BYTES, FIELD_MAC, 6 },
	{ "ip4", WANTS_EITHER, FIELD_IP4, 4 },
	{ "ip6", WANTS_BYTES, FIELD_IP6, 16 },
	{ "port", WANTS_NUMBER, FIELD_PORT, 2 },
	{ "be", WANTS_NUMBER, FIELD_PORT },
	{ "sockaddr", WANTS_BYTES, FIELD_SOCKADDR, SOCKADDR_SIZE },
	{ "uuid", WANTS_BYTES, FIELD_UUID, 16 },
	{ "errno", WANTS_NUMBER, FIELD_ERROR },
	{ "filemode", WANTS_NUMBER, FIELD_MODE },
	{ "rwbs", WANTS_NUMBER, FIELD_RWBS },
	{ "openflags", WANTS_NUMBER, FIELD_FLAGS, .names = flags_open },
	{ "resolve", WANTS_NUMBER, FIELD_FLAGS, .names = flags_resolve },
	{ "gfp", WANTS_NUMBER, FIELD_FLAGS, .names = flags_gfp },
	{ "clone", WANTS_NUMBER, FIELD_FLAGS, .names = flags_clone },
	{ "prot", WANTS_NUMBER, FIELD_FLAGS, .names = flags_prot },
	{ "mmap", WANTS_NUMBER, FIELD_FLAGS, .names = flags_mmap },
	{ "msg", WANTS_NUMBER, FIELD_FLAGS, .names = flags_msg },
	{ "dirfd", WANTS_NUMBER, FIELD_ENUM, .names = flags_dirfd },
	{ "family", WANTS_NUMBER, FIELD_ENUM, .names = flags_family },
	{ "signal", WANTS_NUMBER, FIELD_ENUM, .names = flags_signal },
	{ "cap", WANTS_NUMBER, FIELD_ENUM, .names = flags_cap },
	{ "mount", WANTS_NUMBER, FIELD_FLAGS, .names = flags_mount },
	{ "socktype", WANTS_NUMBER, FIELD_FLAGS, .names = flags_socktype },
	{ "proto", WANTS_NUMBER, FIELD_ENUM, .names = flags_proto },
	{ "syscall", WANTS_NUMBER, FIELD_ENUM, .names = flags_syscall },
	{ "enum", WANTS_ENUM, FIELD_ENUM },
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

static const char *const formats_hint =
	"formats: d u x o c b p, u8 s8 x8 to u64 s64 x64, path str ustr :LENGTH, b4@2/32, hex[N], "
	"mac ip4 ip6 port be sockaddr sock local localip peer peerip flow packet eth ip ipv6 tcp udp uuid errno sym usym ns us ms hundredths dev user container filemode rwbs family socktype proto syscall signal cap dirfd "
	"enum(CONSTANT), flags: openflags resolve gfp clone prot mmap mount msg; TYPE[N]";

/* ---- lookup ---- */

const char *expr_format_name(size_t number)
{
	return number < RULE_COUNT ? rules[number].name : NULL;
}

void format_rules_offer(struct suggestion *nearest)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		suggest_offer(nearest, rules[i].name);
}

/* Conversions of printf(3). */
static const char *of_printf(const char *name)
{
	static const char *const names[][2] = {
		{ "s", "str" },	 { "i", "d" },	  { "ld", "d" },   { "lld", "d" }, { "lu", "u" },
		{ "llu", "u" },	 { "X", "x" },	  { "hx", "x16" }, { "lx", "x" },  { "llx", "x" },
		{ "hhx", "x8" }, { "hd", "s16" }, { "hu", "u16" }, { "r", "hex" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i][0], name))
			return names[i][1];
	return NULL;
}

static void fail_unknown(struct compile *c, struct slot *s)
{
	struct suggestion nearest;
	char name[32];

	compile_text(c, s->format.name, name, sizeof(name));
	compile_fail(c, s->format.name, "unknown format %s", name);
	suggest_init(&nearest, of_printf(name) ?: name);
	format_rules_offer(&nearest);
	compile_suggest(c, &nearest, &(struct suggest_words){ .also = formats_hint });
}

static const struct format_rule *rule_of(const char *name, size_t len)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		if (strlen(rules[i].name) == len && !memcmp(rules[i].name, name, len))
			return &rules[i];
	}
	return NULL;
}

const struct format_rule *format_rule_find(struct compile *c, struct slot *s)
{
	struct span name = s->format.name;
	const struct format_rule *rule = rule_of(s->text + name.start, name.end - name.start);

	if (!rule)
		fail_unknown(c, s);
	return rule;
}

const struct format_rule *format_rule_named(const char *name)
{
	return rule_of(name, strlen(name));
}

/* ---- :gfp: names of bits whose numbers differ by kernel, from its BTF ---- */

/* Names that kernel developers use for several bits. They are first, so they have precedence. */
static const struct {
	const char *name;
	const char *bits[5];
} gfp_sums[] = {
	{ "GFP_KERNEL", { "IO", "FS", "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
	{ "GFP_NOFS", { "IO", "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
	{ "GFP_NOIO", { "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
};
enum { GFP_SUMS = sizeof(gfp_sums) / sizeof(gfp_sums[0]), GFP_BITS_MAX = 32 };

#define GFP_PREFIX "___GFP_"
#define GFP_SUFFIX "_BIT"

/* The enum of bit numbers has no name: finds it by its first value. */
static const struct btf_type *gfp_enum(const struct btf_view *b)
{
	for (uint32_t id = 1; id < btf_view_count(b); id++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (t && btf_kind(t) == BTF_KIND_ENUM && !t->name_off && btf_vlen(t) &&
		    !strcmp(btf_view_string(b, btf_enums(t)->name_off), "___GFP_DMA_BIT"))
			return t;
	}
	return NULL;
}

static void name_add(struct compile *c, struct field_name *to, const char *name, size_t len,
		     uint64_t value)
{
	char text[64];

	snprintf(text, sizeof(text), "__GFP_%.*s", (int)len, name);
	*to = (struct field_name){ value, arena_text(&c->p->arena, text, strlen(text)) };
	if (!to->name)
		c->err = -ENOMEM;
}

/* Extracts IO from ___GFP_IO_BIT. Returns the number of names. */
static int names_from_btf(struct compile *c, const struct btf_type *t, struct field_name *to)
{
	int count = 0;

	for (unsigned i = 0; i < btf_vlen(t) && count < GFP_BITS_MAX; i++) {
		const char *name = btf_view_string(c->in->btf, btf_enums(t)[i].name_off);
		size_t len = strlen(name), frame = strlen(GFP_PREFIX GFP_SUFFIX);

		if (len > frame && btf_enums(t)[i].val < GFP_BITS_MAX &&
		    !strncmp(name, GFP_PREFIX, strlen(GFP_PREFIX)))
			name_add(c, &to[count++], name + strlen(GFP_PREFIX), len - frame,
				 1ull << btf_enums(t)[i].val);
	}
	return count;
}

static int names_from_table(struct compile *c, struct field_name *to)
{
	int count = 0;

	for (const struct field_name *n = flags_gfp; n->name && count < GFP_BITS_MAX; n++)
		name_add(c, &to[count++], n->name, strlen(n->name), n->value);
	return count;
}

static uint64_t sum_of(const char *const *bits, const struct field_name *names)
{
	uint64_t sum = 0;

	for (; *bits; bits++) {
		const struct field_name *n = names;

		while (n->name && strcmp(n->name + strlen("__GFP_"), *bits))
			n++;
		sum |= n->value;
	}
	return sum;
}

const struct field_name *format_gfp_names(struct compile *c)
{
	struct field_name *names = compile_alloc(c, (GFP_SUMS + GFP_BITS_MAX + 1) * sizeof(*names));
	const struct btf_type *t;

	if (!names)
		return NULL;
	t = gfp_enum(c->in->btf);
	if (t)
		names_from_btf(c, t, names + GFP_SUMS);
	else
		names_from_table(c, names + GFP_SUMS);
	for (int i = 0; i < GFP_SUMS && !c->err; i++)
		names[i] = (struct field_name){ sum_of(gfp_sums[i].bits, names + GFP_SUMS),
						gfp_sums[i].name };
	return names;
}
