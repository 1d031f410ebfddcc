/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksyms.c - reads /proc/kallsyms into 16 bytes per symbol and one block of names; binary search.
 *
 * The kernel lists its own symbols by address, and then each module's in any order. So only that tail is sorted, and
 * a search covers both parts.
 */
#include "symbols/kernel/ksyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/suffix.h"
#include "util/log.h"

#define REACH	 (16 << 20) /* bytes after a kernel symbol that count as part of it */
#define PAGE	 4096ull
#define PADDED	 0x80 /* flag: padding precedes the function */
#define LINE_MAX 1024 /* KSYM_NAME_LEN is 128 or 512, and a module's name is shorter */

struct symbol {
	uint64_t address;
	uint32_t name;	 /* offset in names; the byte before it is the type, maybe with PADDED */
	uint32_t module; /* offset in names; 0: the kernel proper */
};

static struct {
	struct symbol *symbols;
	size_t count, room;
	size_t sorted; /* symbols that were read in order; the tail after them was sorted here */
	char *names;
	size_t used, size;
	uint64_t end;	  /* the address of the kernel proper's _end */
	uint64_t padding; /* bytes of padding before a function, if symbols show it; 0: none */
	uint64_t padded;  /* address where the last padding began */
	bool read;
	int err;
} table;

/* ---- reading ---- */

static bool grow(void **array, size_t *room, size_t wanted, size_t size)
{
	size_t more = *room ? *room * 2 : 1 << 17;
	void *larger = wanted <= *room ? *array : realloc(*array, more * size);

	if (!larger)
		return false;
	if (wanted > *room)
		*room = more;
	*array = larger;
	return true;
}

/* Stores `before`, then the text with a NUL. Returns the offset of the text. */
static uint32_t name_add(char before, const char *text, size_t len)
{
	char *to = table.names + table.used;

	to[0] = before;
	memcpy(to + 1, text, len);
	to[1 + len] = '\0';
	table.used += len + 2;
	return to + 1 - table.names;
}

static uint32_t module_add(const char *text, size_t len)
{
	uint32_t last = table.count ? table.symbols[table.count - 1].module : 0;

	if (last && !strncmp(table.names + last, text, len) && !table.names[last + len])
		return last;
	return name_add('m', text, len);
}

/* True for the padding before functions, which is half of all symbols in some kernels and never executed. */
static bool is_padding(const char *name)
{
	return name[0] == '_' && name[1] == '_' &&
	       (!strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6));
}

static const char *address_read(const char *p, uint64_t *address)
{
	uint64_t a = 0;

	for (; *p != ' ' && *p != '\n'; p++)
		a = a << 4 | ((*p & 0xf) + (*p > '9' ? 9 : 0));
	*address = a;
	return p;
}

/* Parses "ffffffff81000000 T name\t[module]\n"; ignores other lines. */
static int line_parse(const char *line, const char *end)
{
	struct symbol s = { 0 };
	const char *p = address_read(line, &s.address), *tab;

	if (end - p < 4)
		return 0;
	if (is_padding(p + 3)) {
		table.padded = s.address;
		return 0;
	}
	if (!grow((void **)&table.symbols, &table.room, table.count + 1, sizeof(s)) ||
	    !grow((void **)&table.names, &table.size, table.used + 2 * LINE_MAX, 1))
		return -ENOMEM;
	tab = memchr(p + 3, '\t', end - p - 3);
	if (tab && end - tab > 3)
		s.module = module_add(tab + 2, end - tab - 3);
	if (table.padded && s.address > table.padded && s.address - table.padded <= 64)
		table.padding = s.address - table.padded;
	s.name = name_add(p[1] | (table.padded ? PADDED : 0), p + 3, (tab ? tab : end) - p - 3);
	table.padded = 0;
	table.symbols[table.count++] = s;
	return 0;
}

/* Parses all whole lines. Returns the number of bytes of the partial line, which is moved to the front. */
static ssize_t lines_parse(char *text, size_t len)
{
	char *line = text, *end = text + len, *newline;
	int err = 0;

	while (!err && (newline = memchr(line, '\n', end - line))) {
		if (newline - line < LINE_MAX)
			err = line_parse(line, newline);
		line = newline + 1;
	}
	memmove(text, line, end - line);
	return err ? err : end - line;
}

/* Reads a page at a time: the kernel returns no more, however large the buffer is. */
static int file_read(int fd)
{
	char text[4096 + LINE_MAX];
	ssize_t rest = 0, n;

	while ((n = read(fd, text + rest, sizeof(text) - rest)) > 0) {
		log_busy("finding", 0, 0);
		rest = lines_parse(text, rest + n);
		if (rest < 0 || rest == (ssize_t)sizeof(text))
			return rest < 0 ? (int)rest : -EBADMSG;
	}
	return n < 0 ? -errno : 0;
}

/* Leaves symbols with equal addresses in the order of the file, as the kernel's own traces do. */
static int symbol_compare(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void tail_sort(void)
{
	const struct symbol *s = table.symbols;
	size_t i = 0;

	while (i < table.count && !s[i].module && (!i || s[i - 1].address <= s[i].address))
		i++;
	table.sorted = i;
	if (table.count)
		qsort(table.symbols + table.sorted, table.count - table.sorted,
		      sizeof(struct symbol), symbol_compare);
}

static bool all_hidden(void)
{
	for (size_t i = 0; i < table.count; i++)
		if (table.symbols[i].address)
			return false;
	return true;
}

static int kept_fd = -1;

void ksyms_open(void)
{
	if (kept_fd < 0 && !table.read)
		kept_fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
}

int ksyms_read(const char *path)
{
	int fd = !path && kept_fd >= 0 ? kept_fd :
					 open(path ? path : "/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	free(table.symbols);
	free(table.names);
	memset(&table, 0, sizeof(table));
	table.read = true;
	table.err = fd < 0 ? -errno : file_read(fd);
	if (fd >= 0)
		close(fd);
	kept_fd = -1;
	if (!table.err)
		table.err = !table.count ? -ENODATA : all_hidden() ? -EPERM : 0;
	tail_sort();
	table.end = ksyms_address("_end", NULL);
	return table.err;
}

int ksyms_load(void)
{
	return table.read ? table.err : ksyms_read(NULL);
}

const char *ksyms_hint(int err)
{
	if (err == -EPERM)
		return "the kernel hides the addresses in /proc/kallsyms: that needs root or "
		       "CAP_SYSLOG, and kernel.kptr_restrict below 2";
	if (err == -ENOENT)
		return "/proc/kallsyms does not exist: mount /proc, on a kernel with "
		       "CONFIG_KALLSYMS";
	return err ? "/proc/kallsyms cannot be read" : "";
}

/* ---- searching ---- */

/* Returns the first symbol in [first, last) with the greatest address that is at most `address`. */
static const struct symbol *search(size_t first, size_t last, uint64_t address)
{
	const struct symbol *s = table.symbols, *found;
	size_t begin = first;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (s[middle].address <= address)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == begin)
		return NULL;
	for (found = &s[first - 1]; found > &s[begin] && found[-1].address == found->address;)
		found--;
	return found;
}

static char type_of(const struct symbol *s)
{
	return table.names[s->name - 1] & ~PADDED;
}

static bool is_function(const struct symbol *s)
{
	return ksym_type_is_code(type_of(s));
}

/*
 * True if the address belongs to the module's symbol. Modules lie in gaps of a large area, between BPF programs and
 * trampolines that may have no symbols. A guard page follows each allocation. Up to the end of that page the
 * preceding symbol is the right one; beyond it only if the next symbol has the same module and kind.
 */
static bool within_module(const struct symbol *s, uint64_t address)
{
	const struct symbol *next = s + 1, *end = table.symbols + table.count;

	if (address < (s->address | (PAGE - 1)) + 1 + PAGE)
		return true;
	while (next < end && next->address == s->address)
		next++;
	return next < end && next->module == s->module && is_function(next) == is_function(s);
}

static bool within(const struct symbol *s, uint64_t address)
{
	if (!s || !ksyms_address_is_kernel(s->address))
		return false;
	if (s->module)
		return within_module(s, address);
	if (table.end && s->address <= table.end && address >= table.end)
		return false;
	return address - s->address < REACH;
}

static const struct symbol *find(uint64_t address)
{
	const struct symbol *s, *other;

	if (!ksyms_address_is_kernel(address) || ksyms_load())
		return NULL;
	s = search(0, table.sorted, address);
	other = search(table.sorted, table.count, address);
	if (!s || (other && other->address > s->address))
		s = other;
	return within(s, address) ? s : NULL;
}

/* Returns the bytes of padding before the next function: the kernel lists its own as separate symbols. A module's
 * padding may be anywhere. */
static uint64_t padding_of(const struct symbol *s)
{
	bool is_padded = s->module ? is_function(s) : table.names[s->name - 1] & PADDED;

	return is_padded ? table.padding : 0;
}

uint64_t ksyms_size(uint64_t address)
{
	const struct symbol *s = find(address), *end = table.symbols + table.count, *next = s;

	while (next && next < end && next->address == s->address)
		next++;
	if (!next || next == end || next->address < s->address)
		return 0;
	return next->address - s->address - padding_of(next);
}

const char *ksyms_name(uint64_t address, uint64_t *offset, const char **module)
{
	const struct symbol *s = find(address);

	if (!s)
		return NULL;
	if (offset)
		*offset = address - s->address;
	if (module)
		*module = s->module ? table.names + s->module : NULL;
	return table.names + s->name;
}

uint64_t ksyms_address(const char *name, size_t *count)
{
	uint64_t lowest = 0;
	size_t found = 0;

	ksyms_load();
	for (const struct symbol *s = table.symbols; s < table.symbols + table.count; s++) {
		if (strcmp(table.names + s->name, name))
			continue;
		if (!found++ || s->address < lowest)
			lowest = s->address;
	}
	if (count)
		*count = found;
	return lowest;
}

bool ksyms_get(size_t i, struct ksym *s)
{
	const struct symbol *symbol;

	ksyms_load();
	if (i >= table.count)
		return false;
	symbol = &table.symbols[i];
	*s = (struct ksym){
		.address = symbol->address,
		.name = table.names + symbol->name,
		.module = symbol->module ? table.names + symbol->module : NULL,
		.type = type_of(symbol),
	};
	return true;
}

/* ---- kinds of symbols ---- */

/* The type alone is not enough: 7.3 kernels list variables as T. The list is sorted by address, so symbols between
 * the marks of the data section are data. */
bool ksym_is_code(const struct ksym *s, enum ksym_part *part)
{
	static const struct {
		const char *name;
		enum ksym_part part; /* the part that begins at this mark */
	} marks[] = {
		{ "_sdata", KSYM_DATA },
		{ "_edata", KSYM_TEXT },
		{ "_sinittext", KSYM_INIT },
		{ "_einittext", KSYM_TEXT },
	};

	for (size_t i = 0; s->name[0] == '_' && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strcmp(s->name, marks[i].name))
			*part = marks[i].part;
	return ksym_type_is_code(s->type) && *part != KSYM_DATA;
}

bool ksym_is_foreign(const struct ksym *s)
{
	return !strncmp(s->name, "__SCT__", 7) ||
	       (s->module && (!strcmp(s->module, "bpf") || !strncmp(s->module, "__builtin__", 11)));
}

bool ksym_is_cold(const struct ksym *s)
{
	return symbol_suffix(s->name, strcspn(s->name, ".")) == SUFFIX_COLD;
}
