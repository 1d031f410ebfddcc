/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errname.c - names of error numbers, including those that user space never sees.
 *
 * The C library knows the public ones. A traced kernel function may also return ERESTARTSYS or EPROBE_DEFER: no
 * header of user space has these, so they are listed here by number.
 */
#include <stdlib.h>
#include <string.h>

#include "util/errname.h"

#define FIRST_INTERNAL 512

/* include/linux/errno.h of the kernel; it does not use 520 */
static const char *const internal_names[] = {
	[512 - FIRST_INTERNAL] = "ERESTARTSYS",
	[513 - FIRST_INTERNAL] = "ERESTARTNOINTR",
	[514 - FIRST_INTERNAL] = "ERESTARTNOHAND",
	[515 - FIRST_INTERNAL] = "ENOIOCTLCMD",
	[516 - FIRST_INTERNAL] = "ERESTART_RESTARTBLOCK",
	[517 - FIRST_INTERNAL] = "EPROBE_DEFER",
	[518 - FIRST_INTERNAL] = "EOPENSTALE",
	[519 - FIRST_INTERNAL] = "ENOPARAM",
	[521 - FIRST_INTERNAL] = "EBADHANDLE",
	[522 - FIRST_INTERNAL] = "ENOTSYNC",
	[523 - FIRST_INTERNAL] = "EBADCOOKIE",
	[524 - FIRST_INTERNAL] = "ENOTSUPP",
	[525 - FIRST_INTERNAL] = "ETOOSMALL",
	[526 - FIRST_INTERNAL] = "ESERVERFAULT",
	[527 - FIRST_INTERNAL] = "EBADTYPE",
	[528 - FIRST_INTERNAL] = "EJUKEBOX",
	[529 - FIRST_INTERNAL] = "EIOCBQUEUED",
	[530 - FIRST_INTERNAL] = "ERECALLCONFLICT",
	[531 - FIRST_INTERNAL] = "ENOGRACE",
};

#define COUNT(array) (int)(sizeof(array) / sizeof(*(array)))

const char *errname(int err)
{
	if (err > 0 && err < FIRST_INTERNAL)
		return strerrorname_np(err);
	if (err >= FIRST_INTERNAL && err < FIRST_INTERNAL + COUNT(internal_names))
		return internal_names[err - FIRST_INTERNAL];
	return NULL;
}

const char *errtext(int err)
{
	const char *name = err < FIRST_INTERNAL ? NULL : errname(err);

	if (err == KERNEL_ENOTSUPP) /* the most common error of bpf(2) */
		return "not supported (ENOTSUPP)";
	if (err == ERR_SWITCHED_OFF)
		return "switched off in the kernel";
	return name ?: strerror(err);
}

int errname_find(const char *text, size_t len)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long number = digits ? strtoul(text, NULL, 10) : 0;

	if (digits)
		return digits >= len && number <= ERRNO_MOST ? (int)number : 0;
	for (int i = 1; i <= ERRNO_MOST; i++) {
		const char *name = errname(i);

		if (name && strlen(name) == len && !strncasecmp(name, text, len))
			return i;
	}
	return 0;
}
