/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names_of.c - converts numbers to names for functions of the language: strerror(), syscall_name(), signal_name().
 */
#include <stdlib.h>
#include <string.h>

#include "script/type.h"

enum { ERRORS = 134, SIGNALS = 65 };

/* Returns the error's text. For some errors bpftrace's differs from the C library's. */
static const char *error_name(unsigned number)
{
	static const struct {
		uint8_t number;
		const char *name;
	} others[] = {
		{ 5, "I/O error" },
		{ 9, "Bad file number" },
		{ 11, "Try again (operation would block)" },
		{ 12, "Out of memory" },
		{ 18, "Cross-device link" },
		{ 23, "File table overflow" },
		{ 25, "Not a typewriter" },
		{ 33, "Math argument out of domain of func" },
		{ 34, "Math result not representable" },
		{ 35, "Resource deadlock would occur" },
		{ 37, "No record locks available" },
		{ 38, "Invalid system call number" },
		{ 40, "Too many symbolic links encountered" },
		{ 74, "Not a data message" },
		{ 84, "Illegal byte sequence" },
		{ 95, "Operation not supported on transport endpoint" },
		{ 102, "Network dropped connection because of reset" },
		{ 122, "Quota exceeded" },
		{ 125, "Operation Canceled" },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].number == number)
			return others[i].name;
	return number < ERRORS ? strerror((int)number) : "Unknown error";
}

bool script_is_named(enum script_kind kind)
{
	return kind == SCRIPT_ERROR || kind == SCRIPT_SYSCALL || kind == SCRIPT_SIGNAL;
}

const char *script_number_name(enum script_kind kind, int number, script_syscall_fn *syscall)
{
	if (kind == SCRIPT_ERROR)
		return error_name((unsigned)abs(number));
	if (kind == SCRIPT_SYSCALL)
		return (syscall ? syscall((uint32_t)number) : NULL) ?: "Unknown syscall";
	return (unsigned)number < SIGNALS ? strsignal(number) : "N/A";
}
