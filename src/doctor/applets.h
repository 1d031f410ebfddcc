/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applets.h - which applets work here.
 */
#ifndef CORETAP_DOCTOR_APPLETS_H
#define CORETAP_DOCTOR_APPLETS_H

#include "doctor/check.h"
#include "cli/applet.h"

/* Does this applet work? Sets the result, as a check does. */
void doctor_judge(struct doctor *d, const struct applet *applet, struct doctor_result *r);

#endif
