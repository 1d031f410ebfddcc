/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_rules.c - the formats by name.
 */
#include "expr/resolve/format.h"

#include <string.h>

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
	{ "hundredths", WANTS_NUMBER, FIELD_HUNDREDTHS },
	{ "dev", WANTS_NUMBER, FIELD_DEV },
	{ "user", WANTS_NUMBER, FIELD_USER },
	{ "container", WANTS_NUMBER, FIELD_CONTAINER, 8 },
	{ "sock", WANTS_SOCK, FIELD_SOCK },
	{ "local", WANTS_SOCK, FIELD_LOCAL },
	{ "peer", WANTS_SOCK, FIELD_PEER },
	{ "peerip", WANTS_SOCK, FIELD_PEER_IP },
	{ "flow", WANTS_FLOW, FIELD_FLOW },
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
	"mac ip4 ip6 port be sockaddr sock local peer peerip flow uuid errno sym usym ns us ms hundredths dev user container filemode family socktype proto syscall signal cap dirfd "
	"enum(CONSTANT), flags: openflags resolve gfp clone prot mmap mount msg; TYPE[N]";

/* ---- look-up ---- */

static void fail_unknown(struct compile *c, struct slot *s)
{
	struct suggestion nearest;
	char name[32];

	compile_text(c, s->format.name, name, sizeof(name));
	compile_fail(c, s->format.name, "there is no format %s", name);
	suggest_init(&nearest, name);
	for (size_t i = 0; i < RULE_COUNT; i++)
		suggest_offer(&nearest, rules[i].name);
	if (suggest_get(&nearest))
		compile_hint(c, "did you mean %s? %s", suggest_get(&nearest), formats_hint);
	else
		compile_hint(c, "%s", formats_hint);
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
