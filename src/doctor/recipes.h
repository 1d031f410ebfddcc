/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipes.h - which recipes work here.
 */
#ifndef CORETAP_DOCTOR_RECIPES_H
#define CORETAP_DOCTOR_RECIPES_H

#include "doctor/check.h"

/* Can the recipe be planned with these types, as its first example? Sets the result, as a check
 * does: the text says what is attached, or what is missing. */
void doctor_recipe_judge(struct doctor *d, const char *name, struct doctor_result *r);

#endif
