/* SPDX-License-Identifier: GPL-2.0 */
/*
 * strip-bpf.c - takes out of a BPF object, in place, what nobody needs to load it: the source
 * lines (line_info of .BTF.ext, for verifier logs only) and the labels of basic blocks. A build
 * tool; together a third of the object.
 *
 * .BTF.ext is a header and three parts: func_info, line_info, core_relo (Documentation/bpf/btf.rst).
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_len;
	uint32_t func_info_off, func_info_len; /* from the header's end */
	uint32_t line_info_off, line_info_len;
	uint32_t core_relo_off, core_relo_len;
};

static Elf_Scn *section_find(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr header;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    !strcmp(elf_strptr(elf, names, header.sh_name), name))
			return scn;
	return NULL;
}

static Elf_Data *section_data(Elf *elf, const char *name)
{
	Elf_Scn *scn = section_find(elf, name);

	return scn ? elf_getdata(scn, NULL) : NULL;
}

/* Closes the gap that line_info leaves; the parts lie in the order of the header. */
static int lines_drop(Elf_Data *data)
{
	struct ext_header *h = data->d_buf;
	char *parts = (char *)data->d_buf + h->header_len;

	if (data->d_size < sizeof(*h) || h->magic != 0xeb9f || h->core_relo_off < h->line_info_off)
		return -1;
	memmove(parts + h->line_info_off, parts + h->core_relo_off, h->core_relo_len);
	data->d_size -= h->core_relo_off - h->line_info_off;
	h->core_relo_off = h->line_info_off;
	h->line_info_len = 0;
	return 0;
}

/* A label: local, of no type. Sections, functions and variables have one; relocations of this
 * compiler go to those. */
static int is_label(const Elf64_Sym *s)
{
	return GELF_ST_TYPE(s->st_info) == STT_NOTYPE && GELF_ST_BIND(s->st_info) == STB_LOCAL &&
	       s->st_name;
}

/* Renumbers what relocations refer to. */
static int relocations_move(Elf *elf, const uint32_t *moved)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = elf_getdata(scn, NULL);

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_REL)
			continue;
		for (size_t i = 0; i < data->d_size / sizeof(Elf64_Rel); i++) {
			Elf64_Rel *r = (Elf64_Rel *)data->d_buf + i;
			uint32_t to = moved[ELF64_R_SYM(r->r_info)];

			if (!to)
				return -1; /* to a label, after all */
			r->r_info = ELF64_R_INFO(to, ELF64_R_TYPE(r->r_info));
		}
		elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	}
	return 0;
}

/* Names of the symbols that stay and of the sections, into one new table. */
static int names_pack(Elf *elf, Elf_Data *strings, Elf64_Sym *symbols, size_t count)
{
	char *old = strings->d_buf, *packed = calloc(2, strings->d_size);
	size_t len = 1, size;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	if (!packed)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!symbols[i].st_name)
			continue;
		size = strlen(old + symbols[i].st_name) + 1;
		memcpy(packed + len, old + symbols[i].st_name, size);
		symbols[i].st_name = len;
		len += size;
	}
	while ((scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &header)) {
		size = strlen(old + header.sh_name) + 1;
		memcpy(packed + len, old + header.sh_name, size);
		header.sh_name = len;
		len += size;
		gelf_update_shdr(scn, &header);
	}
	if (len <= strings->d_size) { /* not so only if names had shared their ends */
		memcpy(old, packed, len);
		strings->d_size = len;
	}
	free(packed);
	return len == strings->d_size ? 0 : -1;
}

static int labels_drop(Elf *elf)
{
	Elf_Data *symbols = section_data(elf, ".symtab"), *strings = section_data(elf, ".strtab");
	size_t count = symbols ? symbols->d_size / sizeof(Elf64_Sym) : 0, kept = 0;
	Elf64_Sym *s = symbols ? symbols->d_buf : NULL;
	uint32_t *moved = calloc(count + 1, sizeof(*moved));
	int err = -1;

	if (!s || !strings || !moved)
		goto out;
	for (size_t i = 0; i < count; i++) {
		if (is_label(&s[i]))
			continue;
		moved[i] = kept;
		s[kept++] = s[i];
	}
	symbols->d_size = kept * sizeof(*s);
	err = relocations_move(elf, moved);
	if (!err)
		err = names_pack(elf, strings, s, kept);
	elf_flagdata(symbols, ELF_C_SET, ELF_F_DIRTY);
	elf_flagdata(strings, ELF_C_SET, ELF_F_DIRTY);
out:
	free(moved);
	return err;
}

static int object_strip(Elf *elf)
{
	Elf_Data *ext = elf ? section_data(elf, ".BTF.ext") : NULL;

	if (!ext || lines_drop(ext) || labels_drop(elf))
		return -1;
	elf_flagdata(ext, ELF_C_SET, ELF_F_DIRTY);
	return elf_update(elf, ELF_C_WRITE) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	int fd, err;
	Elf *elf;

	if (argc != 2 || elf_version(EV_CURRENT) == EV_NONE) {
		fprintf(stderr, "usage: strip-bpf OBJECT\n");
		return 1;
	}
	fd = open(argv[1], O_RDWR);
	elf = elf_begin(fd, ELF_C_RDWR, NULL);
	err = object_strip(elf);
	if (err)
		fprintf(stderr, "strip-bpf: %s: %s\n", argv[1], elf_errmsg(-1));
	elf_end(elf);
	close(fd);
	return err ? 1 : 0;
}
