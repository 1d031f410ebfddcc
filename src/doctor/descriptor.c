/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.c - the applet doctor: what works on this kernel, and why not. doctor/doctor.c does
 * the work.
 */
#include "doctor/doctor.h"
#include "doctor/check.h"
#include "front/recipe/recipe.h"
#include "cli/complete.h"
#include "run/session.h"

static struct doctor_request request;

static int doctor_args(struct session *s, int argc, char **argv)
{
	(void)s;
	request.tools = argv;
	request.tool_count = argc;
	return 0;
}

static int doctor_start(struct session *s)
{
	return doctor_run(&s->options, &request);
}

static void doctor_words(struct completion *c, const char *begin)
{
	(void)begin;
	for (const struct applet *const *a = applets; *a; a++)
		completion_word(c, (*a)->name, (*a)->summary);
	completion_choices(c, recipe_names());
}

static const struct option_spec options[] = {
	{ .name = "recipes",
	  .type = OPTION_FLAG,
	  .value = &request.recipes,
	  .help = "check which recipes work here (coretap --list): what they attach to, or what "
		  "is missing" },
	{ .name = "kernel",
	  .type = OPTION_LIST,
	  .arg = "FILE|DIR|VERSION",
	  .value = &request.kernels,
	  .help = "check another kernel from a file: a vmlinux, a vmlinuz or raw "
		  "BTF, a folder of such files, or an installed version; of several kernels a "
		  "table" },
	{ 0 },
};

static const struct example examples[] = {
	{ "doctor", "what works here; run it as root, because most answers come from trying" },
	{ "doctor -v", "with the verifier's last message for each failure" },
	{ "doctor -j", "one JSON object per answer" },
	{ "doctor --recipes", "which recipes work here, and what the others lack" },
	{ "doctor tcplife", "does this tool work here?" },
	{ "doctor --btf /tmp/btf", "what can be known from another kernel's types" },
	{ "doctor --kernel /boot --recipes", "which tools work on which of the kernels in /boot" },
	{ "doctor --kernel 6.12.90-amd64 tcplife", "would this one work there?" },
	{ 0 },
};

const struct applet doctor_applet = {
	.name = "doctor",
	.summary = "check what works on this kernel and explain what does not",
	.description = "Looks at the kernel, its types, the rights of this process and "
		       "the settings that matter. Then tries each attach method and each "
		       "feature of BPF with a tiny program on a harmless function. Last it "
		       "reports for each applet whether it works: yes, partly (with what is "
		       "not seen) or no (with the reason). With TOOL, an applet or a recipe, it "
		       "reports only that.\n\n"
		       "Nothing is concluded from the kernel's version. Without rights, it "
		       "prints what can be known without them; with --btf or --kernel, only "
		       "what those types show. TOOL may be a file, such as ./mine.probe.\n\n"
		       "For several kernels it prints a table: a row for each tool, a column "
		       "for each kernel. The reason follows a row whose answer is not yes; "
		       "with -v, so does what is attached, where that differs.\n\n"
		       "The exit status is 0 if on each kernel at least one tool works, at "
		       "least in part, else 2.",
	.args = "[TOOL...]",
	.options = options,
	.args_set = doctor_args,
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_JSON | OPTION_GROUP_BTF,
	.fields = doctor_fields,
	.field_count = DOCTOR_FIELDS,
	.record_min = sizeof(struct doctor_row),
	.is_bare = true,
	.examples = examples,
	.overhead = "Takes about a second and leaves nothing attached.",
	.blind_spots = "Each attach method is tried on one function only. Another function "
		       "may be inlined or protected; the applet that is to trace it "
		       "reports that.",
	.run = doctor_start,
	.complete = doctor_words,
};
