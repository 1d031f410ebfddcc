/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.c - settings of programs, from config = { … } and environment variables.
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

const char script_config_unknown[] = "unknown setting";

/* ---- values ---- */

static const char *number_set(uint32_t *to, const char *value, uint64_t most)
{
	char *end;
	unsigned long long number;

	if (!isdigit((unsigned char)*value))
		return "the setting must be a number";
	number = strtoull(value, &end, 0);
	if (*end)
		return "the setting must be a number";
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
		return "the setting must be true or false";
	return NULL;
}

/* Returns the index of the value in a list of words, or -1. */
static int word_find(const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (!strcasecmp(words[i], value))
			return i;
	return -1;
}

static const char *stack_mode_set(struct script_config *c, const char *value)
{
	static const char *const words[] = { "bpftrace", "perf", "raw", "build_id", NULL };
	int mode = word_find(words, value);

	if (mode < 0)
		return "the setting must be bpftrace, perf, raw or build_id";
	c->stack_mode = mode;
	return NULL;
}

static const char *missing_probes_set(struct script_config *c, const char *value)
{
	static const char *const words[] = { "error", "warn", "ignore", NULL };
	int mode = word_find(words, value);

	if (mode < 0)
		return "the setting must be error, warn or ignore";
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
		return "the kernel's helpers need a license compatible with the GPL";
	c->license = words[license];
	return NULL;
}

static const char *trailer_set(struct script_config *c, const char *value)
{
	c->str_trunc_trailer = value;
	return NULL;
}

/* dummy_ts_map = "@ts" makes tests of time series repeatable. */
static const char *time_map_set(struct script_config *c, const char *value)
{
	if (*value != '@')
		return "the setting must be a map without keys, as @ts";
	c->time_map = value + 1;
	return NULL;
}

/* ---- names ---- */

/* Settings that change nothing here: how bpftrace handles symbols, logs and pages. Only the values of `unstable` ones
 * are used. */
static const struct script_setting others[SCRIPT_SETTINGS] = {
	[SCRIPT_UNSTABLE_TSERIES] = { "unstable_tseries", SCRIPT_SETTING_UNSTABLE, "warn" },
	[SCRIPT_UNSTABLE_TYPEINFO] = { "unstable_typeinfo", SCRIPT_SETTING_UNSTABLE, "warn" },
	[SCRIPT_UNSTABLE_DW_USTACK] = { "unstable_dw_ustack", SCRIPT_SETTING_UNSTABLE, "warn" },
	{ "unstable_import_statement", SCRIPT_SETTING_UNSTABLE, "warn" },
	{ "log_size", SCRIPT_SETTING_NUMBER, "1000000" },
	{ "max_bpf_progs", SCRIPT_SETTING_NUMBER, "1024" },
	{ "on_stack_limit", SCRIPT_SETTING_NUMBER, "32" },
	{ "perf_rb_pages", SCRIPT_SETTING_NUMBER, "0" },
	{ "cpp_demangle", SCRIPT_SETTING_BOOL, "true" },
	{ "lazy_symbolication", SCRIPT_SETTING_BOOL, "true" },
	{ "show_debug_info", SCRIPT_SETTING_BOOL, "true" },
	{ "use_blazesym", SCRIPT_SETTING_BOOL, "true" },
	{ "cache_user_symbols" },
	{ "unstable_addr" }, /* from here on: of older releases, or only in the environment */
	{ "unstable_import" },
	{ "unstable_macro" },
	{ "unstable_map_decl" },
	{ "symbol_source" },
	{ "max_ast_nodes", SCRIPT_SETTING_ENVIRONMENT },
	{ "max_type_res_iterations" },
	{ "debug_output", SCRIPT_SETTING_ENVIRONMENT },
	{ "btf", SCRIPT_SETTING_ENVIRONMENT },
	{ "vmlinux", SCRIPT_SETTING_ENVIRONMENT },
	{ "kernel_source", SCRIPT_SETTING_ENVIRONMENT },
	{ "kernel_build", SCRIPT_SETTING_ENVIRONMENT },
	{ "color", SCRIPT_SETTING_ENVIRONMENT },
	{ "verify_llvm_ir", SCRIPT_SETTING_ENVIRONMENT },
};

const struct script_setting *script_setting_find(const struct script_config *c, const char *name,
						 const char **value)
{
	for (unsigned i = 0; i < SCRIPT_SETTINGS; i++)
		if (!strcasecmp(others[i].name, name)) {
			*value = c->others[i] ?: others[i].value;
			return &others[i];
		}
	return NULL;
}

bool script_config_demangles(const struct script_config *c)
{
	bool truth = true;
	const char *value;

	script_setting_find(c, "cpp_demangle", &value);
	bool_set(&truth, value);
	return truth;
}

bool script_is_forbidden(const struct script_config *c, unsigned setting)
{
	return c->others[setting] && !strcasecmp(c->others[setting], "error");
}

static const char *other_set(struct script_config *c, const char *name, const char *value)
{
	static const char *const words[] = { "enable", "warn", "error", NULL };
	const char *before;
	const struct script_setting *s = script_setting_find(c, name, &before);
	const char *wrong = NULL;
	uint32_t number;
	bool truth;

	if (!s)
		return script_config_unknown;
	if (s->kind == SCRIPT_SETTING_NUMBER)
		wrong = number_set(&number, value, UINT32_MAX);
	else if (s->kind == SCRIPT_SETTING_BOOL)
		wrong = bool_set(&truth, value);
	else if (s->kind == SCRIPT_SETTING_UNSTABLE && word_find(words, value) < 0)
		wrong = "the setting must be enable, warn or error";
	if (!wrong)
		c->others[s - others] = value;
	return wrong;
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
	if (!strcasecmp(name, "dummy_ts_map"))
		return time_map_set(c, value);
	return other_set(c, name, value);
}
