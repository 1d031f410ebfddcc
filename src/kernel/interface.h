/* SPDX-License-Identifier: GPL-2.0-only */
/* interface.h - network interfaces of this machine by their numbers, as they were at the start. */
#ifndef CORETAP_KERNEL_INTERFACE_H
#define CORETAP_KERNEL_INTERFACE_H

/* Reads them: later, a run may not open files. */
void interfaces_read(void);
/* NULL: there was none of that number. */
const char *interface_name(unsigned index);

#endif
