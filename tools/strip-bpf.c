/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strip-bpf.c - removes from a BPF object, in place, what is not needed to load it: the source
 * lines (line_info of .BTF.ext, used only in verifier logs), their text, and the labels of basic blocks.
 * A build tool; all together are a third of the object.
 *
 * .BTF.ext is a header and three parts: func_info, line_info, core_relo
 * (Documentation/bpf/btf.rst).
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_len;
	uint32_t func_info_off, func_info_len; /* from the end of the header */
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

/* Closes the gap that line_info leaves; the parts are in the order of the header. */
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

/* A label: local, without a type. Sections, functions and variables have one; this compiler's
 * relocations refer to those. */
static int is_label(const Elf64_Sym *s)
{
	return GELF_ST_TYPE(s->st_info) == STT_NOTYPE && GELF_ST_BIND(s->st_info) == STB_LOCAL &&
	       s->st_name;
}

/* Renumbers the symbols that relocations refer to. */
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
				return -1; /* refers to a label after all */
			r->r_info = ELF64_R_INFO(to, ELF64_R_TYPE(r->r_info));
		}
		elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	}
	return 0;
}

/* Builds a new table from the names of the remaining symbols and of the sections. */
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
	if (len <= strings->d_size) { /* false only if names shared their ends */
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

/* ---- the text of source lines: strings of .BTF that nothing names any more ---- */

/* Bytes behind struct btf_type, and of each of its vlen members. */
static const struct {
	uint8_t tail, member;
} shapes[] = {
	[BTF_KIND_INT] = { 4, 0 },	[BTF_KIND_ARRAY] = { 12, 0 },
	[BTF_KIND_STRUCT] = { 0, 12 },	[BTF_KIND_UNION] = { 0, 12 },
	[BTF_KIND_ENUM] = { 0, 8 },	[BTF_KIND_FUNC_PROTO] = { 0, 8 },
	[BTF_KIND_VAR] = { 4, 0 },	[BTF_KIND_DATASEC] = { 0, 12 },
	[BTF_KIND_DECL_TAG] = { 4, 0 }, [BTF_KIND_ENUM64] = { 0, 12 },
};

struct names {
	const char *old;
	char *kept;
	size_t len;
};

static int name_keep(struct names *n, uint32_t at)
{
	if (at >= n->len)
		return -1;
	memcpy(n->kept + at, n->old + at, strnlen(n->old + at, n->len - at));
	return 0;
}

/* Members of all kinds but DATASEC begin with a name. */
static int types_keep(struct names *n, const char *at, const char *end)
{
	int err = 0;

	while (at < end && !err) {
		const struct btf_type *t = (const void *)at;
		unsigned kind = BTF_INFO_KIND(t->info), count = BTF_INFO_VLEN(t->info);
		size_t size = kind <= BTF_KIND_ENUM64 ? shapes[kind].member : 0;

		err = kind > BTF_KIND_ENUM64 || name_keep(n, t->name_off);
		at += sizeof(*t) + (err ? 0 : shapes[kind].tail);
		for (unsigned i = 0; i < count && size && !err; i++, at += size)
			err = kind != BTF_KIND_DATASEC && name_keep(n, *(const uint32_t *)at);
	}
	return err;
}

/* A part of .BTF.ext: the size of a record, then for each section its name, the number of its records,
 * the records. `member` is the offset of another name in a record; 0: none. */
static int records_keep(struct names *n, const char *at, uint32_t len, uint32_t member)
{
	const char *end = at + len;
	uint32_t size = len ? *(const uint32_t *)at : 0;
	int err = 0;

	for (at += 4; at < end && !err;) {
		const uint32_t *section = (const void *)at;

		err = name_keep(n, section[0]);
		at += 8;
		for (uint32_t i = 0; i < section[1] && !err; i++, at += size)
			err = member && name_keep(n, *(const uint32_t *)(at + member));
	}
	return err;
}

/* They stay where they are, as NULs: nothing is renumbered, and they compress to nothing. */
static int lines_blank(Elf_Data *btf, const Elf_Data *ext)
{
	const struct btf_header *h = btf->d_buf;
	const struct ext_header *e = ext->d_buf;
	char *data = (char *)btf->d_buf + h->hdr_len;
	const char *parts = (const char *)ext->d_buf + e->header_len;
	struct names n = { .old = data + h->str_off,
			   .kept = calloc(1, h->str_len),
			   .len = h->str_len };
	int err = !n.kept || types_keep(&n, data + h->type_off, data + h->type_off + h->type_len) ||
		  records_keep(&n, parts + e->func_info_off, e->func_info_len, 0) ||
		  records_keep(&n, parts + e->core_relo_off, e->core_relo_len, 8);

	if (!err)
		memcpy(data + h->str_off, n.kept, n.len);
	free(n.kept);
	return err ? -1 : 0;
}

static int object_strip(Elf *elf)
{
	Elf_Data *ext = elf ? section_data(elf, ".BTF.ext") : NULL;
	Elf_Data *btf = elf ? section_data(elf, ".BTF") : NULL;

	if (!ext || !btf || lines_drop(ext) || lines_blank(btf, ext) || labels_drop(elf))
		return -1;
	elf_flagdata(btf, ELF_C_SET, ELF_F_DIRTY);
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
