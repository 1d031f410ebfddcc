/* SPDX-License-Identifier: GPL-2.0-only */
/* also.h - opensnoop --also: deletes and renames. */
#ifndef CORETAP_OPENSNOOP_ALSO_H
#define CORETAP_OPENSNOOP_ALSO_H

#include "applets/opensnoop/options.h"
#include "attach/skeleton.h"
#include "output/field/field_kind.h"

/* Settings of its programs: the same as opensnoop's. */
struct opensnoop_also {
	struct option_list words; /* as given */
	bool base, details;	  /* want_base, want_details */
	struct opensnoop_wanted *wanted;
};
extern struct opensnoop_also also;

/* Prints an error and exits with EXIT_USAGE if a word is wrong, or if opens are counted. */
void also_read(bool counting);
extern const struct skeleton_source also_source;

/* The new names of a rename; empty in other records. */
extern const struct field_kind also_new_path, also_new_full_path;
#define ALSO_NEW(name_, kind_, flags_, help_)                                                      \
	{                                                                                          \
		.name = name_, FIELD_AT(struct opensnoop_event, kind), .kind = kind_,              \
		.flags = FIELD_OPTIONAL | (flags_), .help = help_                                  \
	}

#endif
