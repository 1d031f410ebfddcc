/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ioctl.h - the two encodings of requests of ioctl(2).
 *
 * The tables have that of asm-generic/ioctl.h: two bits of direction, 14 of size. PowerPC has three, among them one for
 * "none", and 13 (asm/ioctl.h). A request without a size may be any number, the same on all, or made by _IO(), whose
 * numbers differ: a number does not tell which, so on PowerPC the latter have no name. Terminals have their own requests
 * there (asm/ioctls.h), and a struct termios of their own, whose requests have no name either.
 */
#ifndef CORETAP_SYSCALLS_IOCTL_H
#define CORETAP_SYSCALLS_IOCTL_H

#include <linux/ioctl.h>
#include <stddef.h>
#include <stdint.h>

enum {
	IOCTL_IS_GENERIC = _IOC_NONE == 0,
	IOCTL_GENERIC_WRITE = 1,
	IOCTL_GENERIC_READ = 2,
};

/* This machine's request → that of the tables. */
static inline uint64_t ioctl_generic(uint64_t request)
{
	uint64_t way = (request >> 29 & 2 ? IOCTL_GENERIC_READ : 0) |
		       (request >> 29 & 4 ? IOCTL_GENERIC_WRITE : 0);

	return IOCTL_IS_GENERIC ? request : way << 30 | (request & 0x1fffffff);
}

static const struct {
	uint16_t generic;
	uint32_t powerpc;
} ioctl_terminals[] = {
	{ 0x5409, 0x2000741d }, /* TCSBRK */ { 0x540a, 0x2000741e },	 /* TCXONC */
	{ 0x540b, 0x2000741f }, /* TCFLSH */ { 0x540f, 0x40047477 },	 /* TIOCGPGRP */
	{ 0x5410, 0x80047476 }, /* TIOCSPGRP */ { 0x5411, 0x40047473 },	 /* TIOCOUTQ */
	{ 0x5413, 0x40087468 }, /* TIOCGWINSZ */ { 0x5414, 0x80087467 }, /* TIOCSWINSZ */
	{ 0x541b, 0x4004667f }, /* FIONREAD */ { 0x5421, 0x8004667e },	 /* FIONBIO */
	{ 0x5450, 0x20006602 }, /* FIONCLEX */ { 0x5451, 0x20006601 },	 /* FIOCLEX */
	{ 0x5452, 0x8004667d }, /* FIOASYNC */ { 0x5441, 0x20005441 },	 /* TIOCGPTPEER */
};

/* The other way round. */
static inline uint64_t ioctl_native(uint64_t request)
{
	uint64_t way = (request >> 30 & IOCTL_GENERIC_READ ? _IOC_READ : 0) |
		       (request >> 30 & IOCTL_GENERIC_WRITE ? _IOC_WRITE : 0);

	if (IOCTL_IS_GENERIC)
		return request;
	for (size_t i = 0; i < sizeof(ioctl_terminals) / sizeof(ioctl_terminals[0]); i++)
		if (ioctl_terminals[i].generic == request)
			return ioctl_terminals[i].powerpc;
	if (request >> 16 == 0)
		return request;
	return (way ?: _IOC_NONE) << 29 | (request & 0x1fffffff);
}

#endif
