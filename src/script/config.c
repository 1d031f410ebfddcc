/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.c - settings of programs: config = { … } and variables of the environment.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

void script_config_default(struct script_config *c)
{
	*c = (struct script_config){
		.max_map_keys = 4096,
		.max_strlen = 1024,
		.max_cat_bytes = 10240,
		.max_probes = 1024,
		.stack_mode = SCRIPT_STACK_BPFTRACE,
		.print_maps_on_exit = true,
		.str_trunc_trailer = "..",
		.license = "GPL",
	};
}

const char script_config_unknown[] = "there is no such setting";

/* ---- values ---- */

static const char *number_set(uint32_t *to, const char *value, uint64_t most)
{
	char *end;
	unsigned long long number;

	if (!isdigit((unsigned char)*value))
		return "the setting is a number";
	number = strtoull(value, &end, 0);
	if (*end)
		return "the setting is a number";
	if (number > most)
		return "the number is too large";
	*to = number;
	return NULL;
}

static const char *bool_set(bool *to, const char *value)
{
	if (!strcasecmp(value, "true") || !strcmp(value, "1"))
		*to = true;
	else if (!strcasecmp(value, "false") || !strcmp(value, "0"))
		*to = false;
	else
		return "the setting is true or false";
	return NULL;
}

/* The index of the value in a list of words, or -1. */
static int word_find(const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (!strcasecmp(words[i], value))
			return i;
	return -1;
}

static const char *stack_mode_set(struct script_config *c, const char *value)
{
	static const char *const words[] = { "bpftrace", "perf", "raw", NULL };
	int mode = word_find(words, value);

	if (mode < 0)
		return "the setting is bpftrace, perf or raw";
	c->stack_mode = mode;
	return NULL;
}

static const char *missing_probes_set(struct script_config *c, const char *value)
{
	static const char *const words[] = { "error", "warn", "ignore", NULL };
	int mode = word_find(words, value);

	if (mode < 0)
		return "the setting is error, warn or ignore";
	c->missing_probes = mode;
	return NULL;
}

static const char *license_set(struct script_config *c, const char *value)
{
	static const char *const words[] = { "GPL",
					     "GPL v2",
					     "GPL and additional rights",
					     "Dual BSD/GPL",
					     "Dual MIT/GPL",
					     "Dual MPL/GPL",
					     NULL };
	int license = word_find(words, value);

	if (license < 0)
		return "the kernel's helpers need a license that goes with the GPL";
	c->license = words[license];
	return NULL;
}

static const char *trailer_set(struct script_config *c, const char *value)
{
	c->str_trunc_trailer = value;
	return NULL;
}

/* ---- names ---- */

/* Those that change nothing here: how bpftrace keeps symbols, logs, pages. */
static bool is_without_effect(const char *name)
{
	static const char *const words[] = {
		"cache_user_symbols",
		"cpp_demangle",
		"lazy_symbolication",
		"log_size",
		"max_bpf_progs",
		"on_stack_limit",
		"perf_rb_pages",
		"show_debug_info",
		"use_blazesym",
		"unstable_import",
		"unstable_map_decl",
		"unstable_tseries",
		"unstable_addr",
		"unstable_macro",
		"unstable_import_statement",
		"max_ast_nodes",
		"max_type_res_iterations",
		"symbol_source",
		"debug_output",
		"btf",
		"vmlinux",
		"kernel_source",
		"kernel_build",
		"color",
		"verify_llvm_ir",
		NULL,
	};

	return word_find(words, name) >= 0;
}

const char *script_config_set(struct script_config *c, const char *name, const char *value)
{
	if (!strncasecmp(name, "bpftrace_", 9))
		name += 9;
	if (!strcasecmp(name, "max_map_keys"))
		return number_set(&c->max_map_keys, value, UINT32_MAX);
	if (!strcasecmp(name, "max_strlen") || !strcasecmp(name, "strlen"))
		return number_set(&c->max_strlen, value, 1 << 20);
	if (!strcasecmp(name, "max_cat_bytes") || !strcasecmp(name, "cat_bytes_max"))
		return number_set(&c->max_cat_bytes, value, UINT32_MAX);
	if (!strcasecmp(name, "max_probes"))
		return number_set(&c->max_probes, value, UINT32_MAX);
	if (!strcasecmp(name, "map_keys_max"))
		return number_set(&c->max_map_keys, value, UINT32_MAX);
	if (!strcasecmp(name, "stack_mode"))
		return stack_mode_set(c, value);
	if (!strcasecmp(name, "missing_probes"))
		return missing_probes_set(c, value);
	if (!strcasecmp(name, "print_maps_on_exit"))
		return bool_set(&c->print_maps_on_exit, value);
	if (!strcasecmp(name, "str_trunc_trailer"))
		return trailer_set(c, value);
	if (!strcasecmp(name, "license"))
		return license_set(c, value);
	return is_without_effect(name) ? NULL : script_config_unknown;
}
