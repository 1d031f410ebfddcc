/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_dwarf.c - damaged debug information: functions, a struct, the types of their unit as BTF, where their parameters are.
 * Whatever the bytes, nothing outside of the sections is read, and the result is BTF that can be read.
 *
 *	fuzz_dwarf BTF PROGRAM [COUNT [SEED]]
 *
 * PROGRAM is tests/work/kinds.c or classes.cc with debug information, which may refer to another file.
 */
#include "fuzz.h"
#include "symbols/user/dwarf_place.h"
#include "symbols/user/usyms.h"

enum { FUNCTIONS = 8 };
/* of kinds.c, of classes.cc */
static const char *const names[][FUNCTIONS] = {
	{ "numbers", "many", "walk", "by_value", "with_floats", "on_stack", "makes", "main" },
	{ "_Z3twoi3Twoi", "_Z5movedi5Movedi", "_Z5holdsi5Holdsi", "_Z7derivedi7Derivedi",
	  "_Z8virtualsi7Virtuali", "_Z8pointersDniM3TwoiiM5WordsFiiEi",
	  "_Z4many9Destroyedi6CopiediS_S0_iS_i", "_Z5pairsiSt4pairIiiEi" },
};
static const char *const *functions;

static struct dwarf_info whole;
static uint64_t addresses[FUNCTIONS];
static struct btf_view *kernel;

static bool file_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : dwarf_info_open(fd, &whole);
	uint64_t size;

	if (fd >= 0)
		close(fd);
	functions = names[usyms_object(path, names[0][0], &addresses[0], &size) == -ENOENT];
	for (int i = 0; i < FUNCTIONS && !err; i++) {
		usyms_object(path, functions[i], &addresses[i], &size);
		err = addresses[i] ? 0 : -ENOENT;
	}
	return !err;
}

/* Copies the sections into blocks of their exact size, so that ASAN sees over-reads; damages some. */
static void sections_damage(struct chance *c, const struct dwarf_section *from,
			    struct dwarf_section *s)
{
	for (int i = 0; i < INFO_SECTIONS; i++) {
		s[i] = from[i];
		s[i].window = NULL;
		if (!from[i].bytes)
			continue;
		if (!chance_below(c, 20))
			s[i].size = chance_below(c, (uint32_t)s[i].size + 1);
		s[i].bytes = malloc(s[i].size ?: 1);
		memcpy(s[i].bytes, from[i].bytes, s[i].size);
		for (uint32_t changes = chance_below(c, 6); changes && s[i].size; changes--)
			s[i].bytes[chance_below(c, (uint32_t)s[i].size)] = (char)chance_next(c);
	}
}

static void info_damage(struct chance *c, const struct dwarf_info *from, struct dwarf_info *info)
{
	sections_damage(c, from->sections, info->sections);
	info->base = from->base;
	info->units = calloc(1, sizeof(*info->units));
	info->other = from->other ? calloc(1, sizeof(*info->other)) : NULL;
	if (info->other)
		info_damage(c, from->other, info->other);
}

static void types_check(const struct dwarf_unit *unit, const struct dwarf_entry *function)
{
	struct dwarf_types types;
	struct btf_view *view;
	char text[200];

	if (dwarf_btf_build(unit, kernel, &types))
		return;
	if (!btf_view_from_split(kernel, types.bytes, types.size, &view)) {
		FUZZ_CHECK(btf_view_count(view));
		for (uint32_t id = btf_view_first(view); id < btf_view_count(view); id++) {
			btf_view_declare(view, id, "x", text, sizeof(text));
			btf_view_size(view, id);
		}
		FUZZ_CHECK(dwarf_types_function(&types, function) < btf_view_count(view));
		btf_view_close(view);
	}
	dwarf_types_free(&types);
}

/* The variables at a place inside of the function, whether its line is known or not. */
static void variables_check(struct chance *c, const struct dwarf_unit *unit,
			    const struct dwarf_entry *function, uint64_t address,
			    const struct arch *arch)
{
	const struct dwarf_frame frame = { .is_known = chance_below(c, 2), .reg = 7, .offset = 8 };
	const struct dwarf_spot spot = { .address = address + chance_below(c, 64),
					 .inlined = chance_below(c, 2) ? "line" : NULL,
					 .line = chance_below(c, 256) };
	struct dwarf_param list[DWARF_PARAMS_MAX];
	size_t count = dwarf_variables_read(unit, function, &spot, arch, &frame, list);

	for (size_t i = 0; i < count; i++)
		FUZZ_CHECK(*list[i].name && strlen(list[i].name) < SIZE_MAX);
}

static void inlined_check(const struct dwarf_info *info)
{
	uint64_t places[8];

	FUZZ_CHECK(dwarf_inlined_find(info, "line", places, 8) <= 8);
}

static bool one_round(struct chance *c)
{
	struct dwarf_param params[DWARF_PARAMS_MAX];
	struct dwarf_info info = { .hides_result = chance_below(c, 2),
				   .in_kernel = chance_below(c, 2) };
	const struct arch *arch = &arches[chance_below(c, ARCH_COUNT)];
	unsigned which = chance_below(c, FUNCTIONS);
	struct dwarf_entry function = { 0 };
	struct dwarf_unit unit;
	bool found;

	info_damage(c, &whole, &info);
	found = !dwarf_function_find(&info, addresses[which], functions[which], &unit, &function);
	if (found) {
		size_t count = dwarf_params_read(&unit, &function, addresses[which], arch, params);

		for (size_t i = 0; i < count; i++)
			FUZZ_CHECK(params[i].name && strlen(params[i].name) < SIZE_MAX);
		variables_check(c, &unit, &function, addresses[which], arch);
		dwarf_result_is_hidden(&unit, &function);
		types_check(&unit, &function);
		dwarf_unit_free(&unit);
	}
	if (!dwarf_type_find(&info, "node", 4, BTF_KIND_STRUCT, &unit)) {
		types_check(&unit, &function);
		dwarf_unit_free(&unit);
	}
	inlined_check(&info);
	dwarf_info_close(&info);
	return found;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 0) : 2000;
	unsigned long seed = argc > 4 ? strtoul(argv[4], NULL, 0) : 1, good = 0;

	if (argc < 3 || btf_view_open(argv[1], &kernel) || !file_read(argv[2])) {
		fprintf(stderr, "usage: fuzz_dwarf BTF PROGRAM [COUNT [SEED]]\n");
		return 2;
	}
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = chance_of(seed, i);

		good += one_round(&c);
	}
	printf("%lu found, %lu refused\n", good, count - good);
	return 0;
}
