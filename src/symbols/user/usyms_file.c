/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_file.c - the known files and their symbols: when to read them, and when to read them again.
 *
 * A file that is written in place keeps its inode; its size and times show the change. Its symbols are then read
 * again. If they differ, an event may be older than the names shown with it, so these are marked. How much of a file
 * is read, and how often, is bounded, because it may be any user's.
 */
#include "symbols/user/usyms_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/log.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_elf.h"

enum {
	BUCKETS = 1024,
	FILES_BYTES_MAX = 1 << 20,     /* bytes of the list, without symbols: about 5000 files */
	SYMBOLS_BYTES_MAX = 256 << 20, /* bytes of the symbols of all files */
	LOOK_NS = 10000000,	       /* shortest time between two checks of a file */
	FIRST_LOOK_NS = 1000000,       /* the same for a file that could not be opened yet */
	/* the next check waits this many times as long as the last one took */
	LOOK_FACTOR = 8,
	CLOCK_TICK_NS = 20000000, /* time stamps of files are no finer than this */
	TOLD_MAX = 10,		  /* how many files are reported as unreadable */
};

static struct mapped_file *files; /* the most recently used first */
static struct mapped_file *buckets[BUCKETS];
static size_t files_bytes, symbols_bytes;

/* ---- the list ---- */

static size_t file_bytes(const struct mapped_file *f)
{
	return sizeof(*f) + strlen(f->path) + 1;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct mapped_file **bucket_of(uint64_t inode, const char *name)
{
	uint32_t hash = inode;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char)*name;
	return &buckets[hash % BUCKETS];
}

static void file_unlink(struct mapped_file *f)
{
	*(f->before ? &f->before->next : &files) = f->next;
	if (f->next)
		f->next->before = f->before;
}

static void file_link_first(struct mapped_file *f)
{
	f->before = NULL;
	f->next = files;
	if (files)
		files->before = f;
	files = f;
}

static void file_used(struct mapped_file *f)
{
	file_unlink(f);
	file_link_first(f);
}

static struct mapped_file *file_add(unsigned major, unsigned minor, uint64_t inode,
				    const char *path, struct mapped_file **bucket)
{
	struct mapped_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	*f = (struct mapped_file){ .alike = *bucket,
				   .major = major,
				   .minor = minor,
				   .inode = inode,
				   .path = strdup(path) };
	if (!f->path) {
		free(f);
		return NULL;
	}
	f->name = last_part(f->path);
	files_bytes += file_bytes(f);
	file_link_first(f);
	return *bucket = f;
}

struct mapped_file *file_get(unsigned major, unsigned minor, uint64_t inode, const char *path)
{
	const char *name = last_part(path);
	struct mapped_file **bucket = bucket_of(inode, name), *f = *bucket;

	while (f && (f->inode != inode || f->major != major || f->minor != minor ||
		     strcmp(f->name, name)))
		f = f->alike;
	if (!f)
		return file_add(major, minor, inode, path, bucket);
	file_used(f);
	return f;
}

static void symbols_free(struct mapped_file *f)
{
	symbols_bytes -= usyms_elf_bytes(f->elf);
	usyms_elf_free(f->elf);
	f->elf = NULL;
}

/* Marks half of the files at once, because finding the pointers to them is slow and should be rare. */
bool files_forget(void)
{
	size_t kept = 0;

	if (files_bytes <= FILES_BYTES_MAX)
		return false;
	for (struct mapped_file *f = files; f; f = f->next) {
		kept += file_bytes(f);
		f->forgotten = kept > FILES_BYTES_MAX / 2;
	}
	return true;
}

static void file_free(struct mapped_file *f)
{
	struct mapped_file **link = bucket_of(f->inode, f->name);

	while (*link != f)
		link = &(*link)->alike;
	*link = f->alike;
	file_unlink(f);
	files_bytes -= file_bytes(f);
	symbols_free(f);
	free(f->path);
	free(f);
}

void files_free_forgotten(void)
{
	for (struct mapped_file *f = files, *next; f; f = next) {
		next = f->next;
		if (f->forgotten)
			file_free(f);
	}
}

/* Frees the least recently used symbols, but not those of `keep`. They are read again if needed. */
static void symbols_trim(const struct mapped_file *keep)
{
	while (symbols_bytes > SYMBOLS_BYTES_MAX) {
		struct mapped_file *last = NULL;

		for (struct mapped_file *f = files; f; f = f->next)
			if (f->elf && f != keep)
				last = f;
		if (!last)
			return;
		symbols_free(last);
		last->tried = false;
		last->look_ns = now_ns() + 100 * (uint64_t)LOOK_NS;
	}
}

/* ---- reading ---- */

/* Reports a file that cannot be read, unless it is simply no ELF file: mapping one is normal. */
static void unreadable_report(const struct mapped_file *f, int err)
{
	static unsigned told;

	if (err != -EFBIG || told > TOLD_MAX)
		log_debug(1, "functions of %s have no names: %s", f->path, elf_strerror(err));
	else if (told++ < TOLD_MAX)
		log_note("functions of %s have no names: %s", f->path, elf_strerror(err));
	else
		log_note("functions of more files have no names; -v lists them");
}

static bool cfi_wanted, lines_wanted, ids_wanted;

void usyms_want_cfi(void)
{
	cfi_wanted = true;
}

void usyms_want_lines(void)
{
	lines_wanted = true;
}

void usyms_want_ids(void)
{
	ids_wanted = true;
}

/* If these cannot be read, stacks are unwound by frame pointers and shown without lines. */
static void tables_add(struct mapped_file *f, struct usyms_elf *elf, int fd, const void *image,
		       size_t size)
{
	int err = cfi_wanted && elf ? usyms_elf_read_cfi(elf, fd, image, size) : 0;

	if (err)
		log_debug(1, "no call frame information of %s: %s", f->path, elf_strerror(err));
	err = lines_wanted && elf ? usyms_elf_read_lines(elf, fd, image, size) : 0;
	if (err)
		log_debug(1, "no lines of %s: %s", f->path, elf_strerror(err));
	err = ids_wanted && elf ? usyms_elf_read_id(elf, fd, image, size) : 0;
	if (err)
		log_debug(1, "no build id of %s: %s", f->path, elf_strerror(err));
}

/* The kernel maps the same vdso into every process of our word size, so our own copy is used. Any user can name a
 * file [vdso], but the mapping of a file has an inode. */
static const struct usyms_elf *vdso_symbols(struct mapped_file *f, uint64_t start)
{
	const void *ours = (const void *)getauxval(AT_SYSINFO_EHDR);
	uint64_t size = f->tried || !ours ? 0 : usyms_own_size(ours);

	if (size)
		usyms_elf_read(-1, ours, size, &f->elf);
	tables_add(f, size ? f->elf : NULL, -1, ours, size);
	f->tried = true;
	symbols_bytes += size ? usyms_elf_bytes(f->elf) : 0;
	return start > UINT32_MAX ? f->elf : NULL;
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* True if the file was written so recently that another write may get the same time stamp. */
static bool is_fresh(const struct stat *st)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (t.tv_sec - st->st_ctim.tv_sec) * 1000000000ll + t.tv_nsec - st->st_ctim.tv_nsec <
	       CLOCK_TICK_NS;
}

/* Compares both times, because the owner of a file can set mtime. */
static bool is_as_it_was(const struct mapped_file *f, const struct stat *st)
{
	return st->st_size == f->stat.st_size && is_same_time(&st->st_mtim, &f->stat.st_mtim) &&
	       is_same_time(&st->st_ctim, &f->stat.st_ctim);
}

static void changed_report(const struct mapped_file *f)
{
	static bool told;

	if (!told)
		log_note(
			"%s was changed while it was in use: functions of changed files are marked "
			"with ?, because an event may be older than the name shown for it",
			f->path);
	told = true;
}

static void symbols_read(struct mapped_file *f, int fd)
{
	struct usyms_elf *now = NULL;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return;
	err = usyms_elf_read(fd, NULL, 0, &now);
	if (err)
		unreadable_report(f, err);
	tables_add(f, now, fd, NULL, 0);
	if (f->tried && !f->changed && !usyms_elf_equal(f->elf, now)) {
		f->changed = true;
		changed_report(f);
	}
	symbols_free(f);
	f->elf = now;
	f->tried = true;
	f->stat = st;
	if (is_fresh(&st))
		f->stat.st_size = -1; /* forces a new read next time */
	symbols_bytes += usyms_elf_bytes(now);
	symbols_trim(f);
}

static void file_read(uint32_t pid, const struct mapping *m)
{
	struct mapped_file *f = m->file;
	uint64_t began = now_ns(), took;
	struct stat st;
	int fd;

	if (f->tried && (usyms_stat(pid, m, &f->stat, &st) || is_as_it_was(f, &st)))
		return;
	fd = usyms_open(pid, m);
	if (fd < 0)
		return; /* opening it through another process may still work */
	symbols_read(f, fd);
	close(fd);
	took = now_ns() - began;
	f->look_ns += took * LOOK_FACTOR;
}

const struct usyms_elf *file_symbols(uint32_t pid, const struct mapping *m, uint64_t now)
{
	struct mapped_file *f = m->file;

	if (!f->inode)
		return strcmp(f->path, "[vdso]") ? NULL : vdso_symbols(f, m->start);
	if (now < f->look_ns)
		return f->elf;
	file_used(f);
	f->look_ns = now + (f->tried ? LOOK_NS : FIRST_LOOK_NS);
	file_read(pid, m);
	return f->elf;
}
