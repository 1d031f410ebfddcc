/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.c - what the command line and the environment give to a program: parameters, headers, settings.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "script/inside.h"
#include "util/log.h"

int bt_params_parse(struct session *s, struct bt *b, const struct option_list *includes, int argc,
		    char **argv)
{
	char **more = s->options.child.command;
	size_t count = argc, options = 0;
	static const char *headers[OPTION_LIST_MAX];
	const char **words;

	for (char **word = more; word && *word; word++)
		count++;
	words = calloc(count + 1, sizeof(*words));
	b->args.options = calloc(count + 1, sizeof(*b->args.options));
	if (!words || !b->args.options)
		return -ENOMEM;
	for (int i = 0; i < argc; i++)
		words[b->args.count++] = argv[i];
	for (char **word = more; word && *word; word++) {
		char *value = strchr(*word, '=');

		if (strncmp(*word, "--", 2)) {
			words[b->args.count++] = *word;
			continue;
		}
		if (value)
			*value++ = 0;
		b->args.options[options++] = (struct script_option){ .name = *word + 2,
								     .value = value };
	}
	b->args.option_count = options;
	b->args.words = words;
	b->args.import = bt_import;
	b->args.import_ctx = b;
	for (size_t i = 0; i < includes->count; i++)
		headers[b->args.include_count++] = includes->items[i].text;
	b->args.includes = headers;
	s->options.child.command = NULL;
	return 0;
}

void bt_environment_apply(struct script *script)
{
	for (char **e = environ; *e; e++) {
		const char *value = strchr(*e, '='), *wrong;
		char name[64];

		if (strncmp(*e, "BPFTRACE_", 9) || !value || value - *e >= (int)sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(value - *e), *e);
		wrong = script_config_set(&script->config, name, value + 1);
		if (wrong == script_config_unknown)
			log_warn("%s in the environment is no setting of bt", name);
		if (!wrong || wrong == script_config_unknown)
			continue;
		log_error("%s in the environment: %s", name, wrong);
		exit(EXIT_CANNOT);
	}
}
