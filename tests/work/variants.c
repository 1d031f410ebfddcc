/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * variants.c - a program whose debug information is that of Rust, written by hand: enums with data, and structs as Rust
 * passes them. For tests of what traces user functions; it must not know of any. It is compiled without other debug
 * information.
 *
 * In Rust:
 *
 *	enum Shape { Empty, Circle(u32), Rect { w: u32, h: u64 }, Named(String) }	the numbers are impossible capacities
 *	enum Tiny { A = 1, B(u8) = 200 }						a number of one byte
 *	enum Only { One(u32) }								no number at all
 *	struct Point { x: u32, y: u32 }							two registers
 *	fn shape(s: &Shape, t: &Tiny, o: &Only)
 *	fn passes(p: Point, t: Tiny, list: [u32; 2], three: Three)
 *	pub fn linked(gone: u32)		made static by the linker, which left the parameter out
 */
#include <stdint.h>
#include <string.h>

struct shape {
	uint64_t capacity;
	union {
		uint32_t circle;
		struct {
			uint64_t h;
			uint32_t w;
		} rect;
		struct {
			const char *bytes;
			uint64_t len;
		} named;
	};
};

struct three {
	uint32_t a, b, c;
};

__attribute__((noinline)) void shape(const struct shape *s, const uint8_t tiny[2],
				     const uint32_t *only)
{
	__asm__ volatile("" : : "r"(s), "r"(tiny), "r"(only) : "memory");
}

__attribute__((noinline)) void passes(uint32_t x, uint32_t y, uint8_t number, uint8_t data,
				      uint64_t list, const struct three *three)
{
	__asm__ volatile(""
			 :
			 : "r"(x), "r"(y), "r"(number), "r"(data), "r"(list), "r"(three)
			 : "memory");
}

__attribute__((noinline)) static void linked(void)
{
	__asm__ volatile("" : : : "memory");
}

#define NUMBER(n) ((uint64_t)1 << 63 | (n))

int main(void)
{
	static const char name[] = "a name that is longer than its length";
	const struct three three = { 31, 32, 33 };
	const struct shape shapes[] = {
		{ .capacity = NUMBER(0) },
		{ .capacity = NUMBER(1), .circle = 7 },
		{ .capacity = NUMBER(2), .rect = { (uint64_t)1 << 40, 3 } },
		{ .capacity = 64, .named = { name, 6 } },
	};

	for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		shape(&shapes[i], i % 2 ? (uint8_t[]){ 200, 9 } : (uint8_t[]){ 1, 0 },
		      &(uint32_t){ 5 + i });
	linked();
	passes(17, 18, 200, 19, 0x1500000014, &three);
	return 0;
}

/* clang-format off */
#define TEXT(s) ".asciz \"" s "\"\n"
#define BYTE(n) ".byte " #n "\n"
#define REF(label) ".4byte " label " - unit\n"
#define END ".byte 0\n"

/* abbreviations: attribute, form … */
#define ABBREV(...) ABBREV_TEXT(__VA_ARGS__)
#define ABBREV_TEXT(code, tag, children, ...) ".byte " #code ", " #tag ", " #children ", " #__VA_ARGS__ ", 0, 0\n"
#define NAMED 0x03, 0x08
#define SIZED 0x0b, 0x0b
#define TYPED 0x49, 0x13
#define AT_BYTE 0x38, 0x0b

#define BASE(label, name, size) label ": .byte 2\n" TEXT(name) BYTE(size) BYTE(7)
#define POINTER(label, to) label ": .byte 3\n" REF(to)
#define STRUCT(label, name, size) label ": .byte 4\n" TEXT(name) BYTE(size)
#define MEMBER(name, type, at) ".byte 5\n" TEXT(name) REF(type) BYTE(at)
#define PART(number) ".byte 6\n" REF(number)
#define NUMBER_AT(label, type) label ": .byte 7\n" REF(type) BYTE(0)
#define VARIANT_8(n) ".byte 8\n .8byte " #n "\n"
#define VARIANT_1(n) ".byte 9\n" BYTE(n)
#define VARIANT_ELSE ".byte 10\n"
#define PART_BARE ".byte 11\n"
/* without a place: only the convention tells it */
#define PARAMETER(name, type) ".byte 12\n" TEXT(name) REF(type)
#define FUNCTION(name) ".byte 13\n" TEXT(#name) ".8byte " #name ", 1\n"
#define ARRAY(label, of, last) label ": .byte 14\n" REF(of) ".byte 15\n" BYTE(last) END

__asm__(".pushsection .debug_abbrev, \"\"\n"
	"abbrevs:\n"
	ABBREV(1, 0x11, 1, 0x25, 0x08, 0x13, 0x0b) /* unit: compiler, language */
	ABBREV(2, 0x24, 0, NAMED, SIZED, 0x3e, 0x0b)
	ABBREV(3, 0x0f, 0, TYPED)
	ABBREV(4, 0x13, 1, NAMED, SIZED)
	ABBREV(5, 0x0d, 0, NAMED, TYPED, AT_BYTE)
	ABBREV(6, 0x33, 1, 0x15, 0x13)
	ABBREV(7, 0x0d, 0, TYPED, AT_BYTE)
	ABBREV(8, 0x19, 1, 0x16, 0x07)
	ABBREV(9, 0x19, 1, 0x16, 0x0b)
	ABBREV(10, 0x19, 1, 0x3c, 0x19) /* an attribute that means nothing here */
	ABBREV(11, 0x33, 1, 0x3c, 0x19)
	ABBREV(12, 0x05, 0, NAMED, TYPED)
	ABBREV(13, 0x2e, 1, NAMED, 0x3f, 0x19, 0x11, 0x01, 0x12, 0x07)
	ABBREV(14, 0x01, 1, TYPED)
	ABBREV(15, 0x21, 0, 0x2f, 0x0b)
	".byte 0\n"
	".popsection\n"
	".pushsection .debug_info, \"\"\n"
	"unit: .4byte unit_end - unit_begin\n"
	"unit_begin: .2byte 4\n"
	".4byte abbrevs\n"
	".byte 8\n"
	".byte 1\n" TEXT("GNU Rust") ".byte 0x1c\n" /* of LLVM's compilers, a parameter without a place is not used */
	BASE("u8_", "u8", 1) BASE("u32_", "u32", 4) BASE("u64_", "u64", 8)
	POINTER("bytes_", "u8_")
	STRUCT("unique_", "Unique", 8) MEMBER("pointer", "nonnull_", 0) END
	STRUCT("nonnull_", "NonNull", 8) MEMBER("pointer", "bytes_", 0) END
	STRUCT("inner_", "RawVecInner", 16) MEMBER("cap", "u64_", 0) MEMBER("ptr", "unique_", 8) END
	STRUCT("raw_", "RawVec", 16) MEMBER("inner", "inner_", 0) END
	STRUCT("vec_", "Vec", 24) MEMBER("buf", "raw_", 0) MEMBER("len", "u64_", 16) END
	STRUCT("string_", "String", 24) MEMBER("vec", "vec_", 0) END
	STRUCT("shape_", "Shape", 24)
		PART("shape_number") NUMBER_AT("shape_number", "u64_")
			VARIANT_8(0x8000000000000000) MEMBER("Empty", "empty_", 0) END
			VARIANT_8(0x8000000000000001) MEMBER("Circle", "circle_", 0) END
			VARIANT_ELSE MEMBER("Named", "named_", 0) END
			VARIANT_8(0x8000000000000002) MEMBER("Rect", "rect_", 0) END
		END
		STRUCT("empty_", "Empty", 24) END
		STRUCT("circle_", "Circle", 24) MEMBER("__0", "u32_", 8) END
		STRUCT("rect_", "Rect", 24) MEMBER("w", "u32_", 16) MEMBER("h", "u64_", 8) END
		STRUCT("named_", "Named", 24) MEMBER("__0", "string_", 0) END
	END
	STRUCT("tiny_", "Tiny", 2)
		PART("tiny_number") NUMBER_AT("tiny_number", "u8_")
			VARIANT_1(1) MEMBER("A", "tiny_a_", 0) END
			VARIANT_1(200) MEMBER("B", "tiny_b_", 0) END
		END
		STRUCT("tiny_a_", "A", 2) END
		STRUCT("tiny_b_", "B", 2) MEMBER("__0", "u8_", 1) END
	END
	STRUCT("only_", "Only", 4)
		PART_BARE VARIANT_ELSE MEMBER("One", "one_", 0) END END
		STRUCT("one_", "One", 4) MEMBER("__0", "u32_", 0) END
	END
	STRUCT("point_", "Point", 8) MEMBER("x", "u32_", 0) MEMBER("y", "u32_", 4) END
	STRUCT("three_", "Three", 12) MEMBER("a", "u32_", 0) MEMBER("b", "u32_", 4) MEMBER("c", "u32_", 8) END
	ARRAY("list_", "u32_", 1)
	POINTER("to_shape_", "shape_") POINTER("to_tiny_", "tiny_") POINTER("to_only_", "only_")
	FUNCTION(shape)
		PARAMETER("s", "to_shape_") PARAMETER("t", "to_tiny_") PARAMETER("o", "to_only_")
	END
	FUNCTION(passes)
		PARAMETER("p", "point_") PARAMETER("t", "tiny_") PARAMETER("list", "list_") PARAMETER("three", "three_")
	END
	FUNCTION(linked)
		PARAMETER("gone", "u32_")
	END
	".byte 0\n"
	"unit_end:\n"
	".popsection\n");
