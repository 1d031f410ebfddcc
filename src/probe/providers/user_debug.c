/* SPDX-License-Identifier: GPL-2.0-only */
/* user_debug.c - debug information of the files that probes are in, and the types of its units, each read once. */
#include "probe/providers/user_debug.h"

#include <errno.h>
#include <stdlib.h>

#include "expr/expr.h"
#include "symbols/user/cfi.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "util/clock.h"
#include "util/log.h"

/* ---- types of a unit ---- */

/* Kept until exit: values that are shown later have these types. */
static struct user_unit *known;

struct user_unit *user_unit_find(const struct stat *st, uint32_t unit)
{
	struct user_unit *t = known;

	while (t && (t->device != st->st_dev || t->inode != st->st_ino || t->unit != unit))
		t = t->next;
	return t;
}

int user_unit_read(const struct btf_view *kernel, const struct stat *st,
		   const struct dwarf_unit *unit, struct user_unit **out)
{
	struct user_unit *t = calloc(1, sizeof(*t));
	int err = t ? dwarf_btf_build(unit, kernel, &t->types) : -ENOMEM;

	if (!err)
		err = btf_view_from_split(kernel, t->types.bytes, t->types.size, &t->view);
	if (err) {
		if (t)
			dwarf_types_free(&t->types);
		free(t);
		return err;
	}
	t->device = st->st_dev;
	t->inode = st->st_ino;
	t->unit = unit->offset;
	t->has_texts = expr_texts_exist(t->view);
	t->next = known;
	known = t;
	*out = t;
	return 0;
}

/* ---- the file ---- */

/* The debug information that was read last, of a file that may be asked for thousands of functions. */
static struct {
	dev_t device;
	ino_t inode;
	struct dwarf_info info;
	int err;
	struct cfi *cfi; /* NULL: none, or not read yet */
	bool has_read_cfi;
} last;

struct dwarf_frame user_debug_frame(int fd, uint64_t address)
{
	struct cfi_row row;

	if (!last.has_read_cfi && usyms_cfi_read(fd, NULL, 0, &last.cfi)) {
		cfi_free(last.cfi);
		last.cfi = NULL;
	}
	last.has_read_cfi = true;
	if (!last.cfi || cfi_find(last.cfi, address, &row) || row.frame.how != CFI_REGISTER)
		return (struct dwarf_frame){ 0 };
	return (struct dwarf_frame){ true, row.frame.reg, row.frame.offset };
}

const char *user_debug_reason(int err)
{
	return err == -ENODATA ?
		       "the file has no debug information: install that of its package, or compile it with -g" :
	       err == -EFBIG ?
		       "the file's debug information is compressed, and larger than 128 MB: trace a copy made by objcopy --decompress-debug-sections" :
	       err == -ENOENT ? "the file's debug information does not have this function" :
				"the file's debug information cannot be read";
}

enum { PACKED_NOTED = 64 /* MB */ };

/* Only a section that is not compressed can be read in part. */
static void cost_note(uint64_t began)
{
	uint64_t packed = 0, ms = (now_ns() - began) / 1000000;

	for (int i = 0; i < INFO_SECTIONS; i++)
		packed += last.info.sections[i].was_packed ? last.info.sections[i].size : 0;
	packed >>= 20;
	if (packed >= PACKED_NOTED)
		log_note(
			"the debug information is compressed: %llu MB were decompressed in %llu ms (objcopy --decompress-debug-sections makes a copy that is read in part)",
			(unsigned long long)packed, (unsigned long long)ms);
}

int user_debug_open(int fd, const struct elf_file *file, struct dwarf_info **info)
{
	uint64_t began = now_ns();
	struct stat st;

	*info = &last.info;
	if (fstat(fd, &st))
		return -errno;
	if (last.inode == st.st_ino && last.device == st.st_dev)
		return last.err;
	dwarf_info_close(&last.info);
	cfi_free(last.cfi);
	last.cfi = NULL;
	last.has_read_cfi = false;
	last.device = st.st_dev;
	last.inode = st.st_ino;
	last.err = dwarf_info_open(fd, &last.info);
	last.info.hides_result = file->head.e_machine == EM_X86_64;
	cost_note(began);
	return last.err;
}
