/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipes.c - does this recipe work here? Runs it as its first example has it, without tracing, and reads what it prints:
 * the plan, or why there is none.
 */
#include "doctor/recipes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "front/recipe/recipe.h"
#include "doctor/tool_run.h"

static const char *line_end(const char *text)
{
	return strchrnul(text, '\n');
}

/* "argdump: what is wrong": the first line, without the name. */
static void error_say(struct doctor_result *r, const char *errors, const char *name)
{
	size_t len = strlen(name);

	if (!strncmp(errors, name, len) && !strncmp(errors + len, ": ", 2))
		errors += len + 2;
	doctor_say(r, DOCTOR_NO, 0, "%.*s", (int)(line_end(errors) - errors), errors);
}

/* Lines that do not begin with blanks name the method and what it is attached to; a method is said
 * once. */
static void plan_say(struct doctor_result *r, const char *plan)
{
	size_t size = sizeof(r->text), len = 0, method_len = 0;
	const char *method = "";
	char text[sizeof(r->text)];

	for (const char *end; *plan && len < size; plan = end + (*end != 0)) {
		size_t head = strcspn(plan, " \n");
		bool same = head == method_len && !strncmp(plan, method, head);

		end = line_end(plan);
		if (*plan == ' ')
			continue;
		len += snprintf(text + len, size - len, "%s%.*s",
				!len ? "" :
				same ? "" :
				       ", ",
				(int)(end - plan - (same ? head : 0)), plan + (same ? head : 0));
		method = plan;
		method_len = head;
	}
	if (len >= size)
		strcpy(text + size - 4, "...");
	doctor_say(r, DOCTOR_YES, 0, "%s", text);
}

/* Its first example has the arguments that it needs. */
void doctor_recipe_judge(struct doctor *d, const char *name, struct doctor_result *r)
{
	const struct applet *a = recipe_named(name);
	const char *example = a && a->examples ? a->examples[0].command : NULL;
	struct doctor_tool_output o = { 0 };
	int code = a ? doctor_tool_run(d, a, example ?: a->name, &o) : -ENOMEM;

	if (code < 0)
		doctor_say(r, DOCTOR_UNKNOWN, -code, "it could not be tried");
	else if (code)
		error_say(r, o.errors, a->name);
	else
		plan_say(r, o.plan);
	doctor_tool_free(&o);
}
