/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_name.h - users of /etc/passwd. getpwnam and getpwuid would load NSS modules, which a static
 * binary cannot.
 */
#ifndef CORETAP_UTIL_USER_NAME_H
#define CORETAP_UTIL_USER_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* The first user of that number; NULL: there is none. The file is read at the first call. */
const char *user_name(uint32_t uid);
/* False: there is no such user. */
bool user_number(const char *name, uint32_t *uid);

#endif
