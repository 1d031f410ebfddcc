/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.c - the applet doctor: what works on this kernel, and why not. doctor/doctor.c does
 * the work.
 */
#include "doctor/doctor.h"
#include "doctor/row.h"
#include "session/session.h"

static int doctor_start(struct session *s)
{
	return doctor_run(&s->options);
}

static const struct example examples[] = {
	{ "doctor", "what works here; as root, for only trying answers most of it" },
	{ "doctor -v", "with the verifier's last words where something fails" },
	{ "doctor -j", "one JSON object for each answer" },
	{ "doctor --btf /tmp/btf", "what another kernel's types can tell" },
	{ 0 },
};

const struct applet doctor_applet = {
	.name = "doctor",
	.summary = "say what works on this kernel, and why not",
	.description = "Looks at the kernel, its types, this process's rights and the "
		       "switches that matter; then tries every way to attach and "
		       "everything that programs may do, each with a tiny program on a "
		       "harmless function; then says of each applet whether it works: yes, "
		       "partly (with what is not seen) or no (with the reason).\n\n"
		       "Nothing is judged from the kernel's version. Without rights, what "
		       "can be known is still printed. With --btf, only what those types "
		       "can tell.\n\n"
		       "The exit status is 0 when at least one applet works, at least in "
		       "part, and 2 when none does.",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_JSON | OPTION_GROUP_BTF,
	.fields = doctor_fields,
	.field_count = DOCTOR_FIELDS,
	.record_min = sizeof(struct doctor_row),
	.is_bare = true,
	.examples = examples,
	.overhead = "Tries for about a second and leaves nothing attached.",
	.blind_spots = "A way to attach is tried on one function only; another function "
		       "may be inlined or protected: the applet that is asked to trace it "
		       "says so.",
	.run = doctor_start,
};
