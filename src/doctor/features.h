/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.h - doctor's third table: what a loaded program can do.
 */
#ifndef CORETAP_DOCTOR_FEATURES_H
#define CORETAP_DOCTOR_FEATURES_H

#include "doctor/check.h"

extern const struct doctor_check doctor_features[]; /* ends with name == NULL */

#endif
