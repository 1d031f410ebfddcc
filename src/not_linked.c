/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * not_linked.c - keeps parts of the static libraries that are never called out of the binary.
 *
 * The linker takes each of these functions instead of the library's own and leaves out the file that
 * has it, with all that only this file calls. They are weak: where another version of a library needs
 * the file for something else, its own functions win. They have no parameters because they look at
 * none. Dynamic builds (SAN in the Makefile) and unit tests are linked without them.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NEVER_CALLED(name_)                                                                        \
	__attribute__((weak)) long name_(void)                                                     \
	{                                                                                          \
		abort();                                                                           \
	}
#define RETURNS(name_, value_)                                                                     \
	__attribute__((weak)) long name_(void)                                                     \
	{                                                                                          \
		return value_;                                                                     \
	}

/* zlib's compressor (33 KB): for elf_compress(3) in libelf. coretap compresses nothing. */
NEVER_CALLED(deflateInit_)
NEVER_CALLED(deflateInit2_)
NEVER_CALLED(deflateParams)
NEVER_CALLED(deflateReset)
NEVER_CALLED(deflate)
NEVER_CALLED(deflateEnd)

/* .gz files (12 KB) and their checksum (13 KB): libbpf reads /proc/config.gz for objects with
 * variables of section .kconfig; ours have none. Inflate needs the checksum for such files only. */
RETURNS(gzopen, 0)
RETURNS(gzopen64, 0)
NEVER_CALLED(gzgets)
NEVER_CALLED(gzclose)
RETURNS(crc32, 0)

/* libbpf's light skeletons (10 KB): a loader program is made of an object instead of loading it. */
NEVER_CALLED(bpf_gen__init)
NEVER_CALLED(bpf_gen__finish)
RETURNS(bpf_gen__free, 0) /* closing an object calls it */
NEVER_CALLED(bpf_gen__load_btf)
NEVER_CALLED(bpf_gen__map_create)
NEVER_CALLED(bpf_gen__map_freeze)
NEVER_CALLED(bpf_gen__map_update_elem)
NEVER_CALLED(bpf_gen__populate_outer_map)
NEVER_CALLED(bpf_gen__prog_load)
NEVER_CALLED(bpf_gen__record_attach_target)
NEVER_CALLED(bpf_gen__record_extern)
NEVER_CALLED(bpf_gen__record_relo_core)

/* libbpf's USDT (12 KB) */
RETURNS(usdt_manager_free, 0) /* closing an object calls it */
RETURNS(usdt_manager_new, 0)
NEVER_CALLED(usdt_manager_attach_usdt)

/* Translations of the C library's messages, with the conversion of character sets and the loader of
 * shared objects behind them: coretap's locale is C. */
__attribute__((weak)) const char *__dcigettext(const char *domain, const char *message)
{
	(void)domain;
	return message;
}

/* Streams of wide characters (100 KB): their conversions, and their part of printf. Every stream here is one
 * of bytes, and in the C locale a character is a byte. */
NEVER_CALLED(__gconv_release_step)
NEVER_CALLED(__vfwprintf_internal)
NEVER_CALLED(__wcsmbs_load_conv)
NEVER_CALLED(__wcsmbs_clone_conv)
NEVER_CALLED(__wcsmbs_named_conv)
NEVER_CALLED(__libio_codecvt_out)
NEVER_CALLED(__libio_codecvt_in)
NEVER_CALLED(__libio_codecvt_length)
NEVER_CALLED(__libio_codecvt_encoding)
RETURNS(_IO_fwide, -1)
RETURNS(fwide, -1)
__attribute__((weak)) char __wcsmbs_gconv_fcts_c[128];
__attribute__((weak)) int __gconv_lock; /* fclose takes it for such streams */

/* Other eras and digits of strftime, and with them the loader of locales */
RETURNS(_nl_get_era_entry, 0)
RETURNS(_nl_get_alt_digit, 0)

/* scanf's floats but double, and printf's %a */
NEVER_CALLED(__strtof_internal)
NEVER_CALLED(__strtold_internal)
NEVER_CALLED(__strtof128_internal)
NEVER_CALLED(__printf_fphex)

/* The unwinder (22 KB): the C library refers to it for the cancellation of threads. Without unwind
 * tables (tools/no-unwind.ld) it would only abort. */
NEVER_CALLED(_Unwind_Resume)
NEVER_CALLED(__gcc_personality_v0)

/* printf's %ls */
NEVER_CALLED(__wcsrtombs)
NEVER_CALLED(__wcsnlen)

/* Where the loader looks for shared objects (24 KB): it prepares that at the start of each program. */
RETURNS(_dl_init_paths, 0)

/* A profiler of shared objects */
RETURNS(_dl_mcount_wrapper_check, 0)

/* Texts compared in a locale's order: coretap's is C. */
__attribute__((weak)) int strcoll(const char *a, const char *b)
{
	return strcmp(a, b);
}

/* Texts compared without case: the C library has a version for every kind of vector unit (40 KB). */
static int caseless(const char *a, const char *b, size_t max)
{
	for (; max && *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); max--)
		a++, b++;
	return max ? tolower((unsigned char)*a) - tolower((unsigned char)*b) : 0;
}

__attribute__((weak)) int strcasecmp(const char *a, const char *b)
{
	return caseless(a, b, SIZE_MAX);
}

__attribute__((weak)) int strncasecmp(const char *a, const char *b, size_t max)
{
	return caseless(a, b, max);
}

/* argp's, and strtod's "inf" and "nan" */
__attribute__((weak)) int __strcasecmp(const char *a, const char *b)
{
	return caseless(a, b, SIZE_MAX);
}

__attribute__((weak)) int __strncasecmp_l(const char *a, const char *b, size_t max)
{
	return caseless(a, b, max);
}
