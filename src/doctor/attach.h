/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.h - doctor's second table: ways to attach.
 */
#ifndef CORETAP_DOCTOR_ATTACH_H
#define CORETAP_DOCTOR_ATTACH_H

#include "doctor/check.h"

const struct doctor_check *doctor_attach(void); /* ends with name == NULL */

#endif
