/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_modules.c - opens a directory of BTF files: vmlinux, and one for each module.
 */
#include "btf/btf_modules.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct module {
	struct btf_view *view; /* NULL: not opened yet, or err is set */
	int err;
	char name[64]; /* the kernel's MODULE_NAME_LEN is 56 */
};

struct btf_modules {
	const struct btf_view *base;
	const char *folder;
	struct module *modules;
	size_t count;
};

static int module_add(struct btf_modules *m, const char *name)
{
	struct module *larger;

	if (name[0] == '.' || !strcmp(name, "vmlinux") || strlen(name) >= sizeof(larger->name))
		return 0;
	larger = realloc(m->modules, (m->count + 1) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	m->modules = larger;
	m->modules[m->count] = (struct module){ 0 };
	strcpy(m->modules[m->count++].name, name);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct module *)a)->name, ((const struct module *)b)->name);
}

static int folder_read(struct btf_modules *m)
{
	DIR *dir = opendir(m->folder);
	struct dirent *entry;
	int err = dir ? 0 : -errno;

	while (dir && !err && (entry = readdir(dir)))
		err = module_add(m, entry->d_name);
	if (dir)
		closedir(dir);
	if (m->count)
		qsort(m->modules, m->count, sizeof(*m->modules), by_name);
	return err;
}

int btf_modules_open(const struct btf_view *base, const char *folder, struct btf_modules **out)
{
	struct btf_modules *m = calloc(1, sizeof(*m));
	int err;

	if (!m)
		return -ENOMEM;
	m->base = base;
	m->folder = folder ?: BTF_FOLDER;
	err = folder_read(m);
	if (err)
		btf_modules_close(m);
	else
		*out = m;
	return err;
}

void btf_modules_close(struct btf_modules *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++)
		btf_view_close(m->modules[i].view);
	free(m->modules);
	free(m);
}

size_t btf_modules_count(const struct btf_modules *m)
{
	return m ? m->count : 0;
}

const char *btf_modules_name(const struct btf_modules *m, size_t i)
{
	return m->modules[i].name;
}

int btf_modules_view(struct btf_modules *m, size_t i, const struct btf_view **out)
{
	struct module *module = &m->modules[i];
	char path[512];

	if (!module->view && !module->err) {
		snprintf(path, sizeof(path), "%s/%s", m->folder, module->name);
		module->err = btf_view_open_split(m->base, path, &module->view);
	}
	*out = module->view;
	return module->err;
}
