/* SPDX-License-Identifier: GPL-2.0-only */
/* mm.h - address spaces and the loading of programs: linux/mm_types.h, linux/binfmts.h. */

struct mm_struct {
	unsigned long arg_start, arg_end, env_start, env_end;
	struct file *exe_file;
};

struct linux_binprm {
	const char *filename; /* as given by the caller, or /dev/fd/N/… for execveat */
	const char *interp;   /* the last interpreter in the chain; filename if there is none */
	const char *fdpath;   /* filename, if that begins with /dev/fd/N */
	int argc;
};
