/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - private to syscalls/: the parsed tables.
 */
#ifndef CORETAP_SYSCALLS_TABLE_H
#define CORETAP_SYSCALLS_TABLE_H

#include "output/field/field.h"
#include "syscalls/syscalls.h"

enum type_kind {
	TYPE_INT,
	TYPE_UINT,
	TYPE_HEX,
	TYPE_PTR,
	TYPE_OCTAL,
	TYPE_MODE,
	TYPE_FD,
	TYPE_AT,
	TYPE_ID,
	TYPE_ENUM,
	TYPE_FLAGS,
	TYPE_STRUCT,
	TYPE_PATH,
	TYPE_STR,
	TYPE_BUF,
	TYPE_CHARS,
	TYPE_WORDS,
	TYPE_ENVP,
	TYPE_IOVEC,
	TYPE_MSGHDR,
	TYPE_MMSGHDR,
	TYPE_REQUESTS, /* pointers to struct iocb */
	TYPE_SOCKADDR,
	TYPE_SOCKLEN,
	TYPE_OPTVAL,
	TYPE_SIGSET,
	TYPE_WSTATUS,
	TYPE_DIRENT,
	TYPE_DEV,
	TYPE_RLIM,
	TYPE_HANDLER,
	TYPE_EPOLLDATA,
	TYPE_FDSET,
	TYPE_CPUSET,
	TYPE_FUTEXOP,
	TYPE_WAKEOP,
	TYPE_QCMD,
	TYPE_SWAPF,
	TYPE_PERSONA,
	TYPE_BITSET,
	TYPE_CLONE,
	TYPE_SIGNAL,
	TYPE_ERRNO,
	TYPE_NERRNO,
	TYPE_MSGBUF,
	TYPE_PERM,
	TYPE_SIGINFO,
	TYPE_BIT,
	TYPE_BYTES,
	TYPE_INET,
	TYPE_INET6,
	TYPE_PORT,
	TYPE_NETWORK,
	TYPE_NFMSG,
	TYPE_MAC,
	TYPE_BITS,
	TYPE_BE,
	TYPE_IFINDEX,
	TYPE_INDEXED,
	TYPE_KVER,
	TYPE_IFREQS,
	TYPE_CLOCKT,
	TYPE_ADDRESS,
	TYPE_ATTRS,
	TYPE_TIME,
	TYPE_REST,
	TYPE_HOLE,
	TYPE_SKID,
	TYPE_CAPS,
	TYPE_INSN,
	TYPE_ARCH,
	TYPE_NR, /* of the architecture before it, or behind it */
	TYPE_PERFCONF,
	TYPE_IOPRIO,
	TYPE_FOURCC, /* of a format of pictures: four characters */
	TYPE_UUID,
	TYPE_FRACT,   /* two numbers of 32 bits */
	TYPE_CID,     /* of a control of video devices */
	TYPE_ZHEX,    /* with all digits */
	TYPE_TAIL,    /* a string behind the struct, by its offset there */
	TYPE_CONSOLE, /* of consoles: enum console_form */
	TYPE_SKIP,
	TYPE_NONE,
};

struct type {
	uint8_t kind;  /* enum type_kind */
	uint8_t size;  /* bytes; SIZE_WORD: as the ABI has it */
	char ptr;      /* 0, or the kind of pointer: * ! & ^ > < */
	bool array;    /* printed in [ ], even a single element */
	bool hidden;   /* ~ */
	bool whole;    /* + */
	bool optional; /* ? */
	uint8_t hex;   /* bytes shown as \x41; bit2: two bits */
	uint8_t bit; /* TYPE_BIT: the bit; other types 1: bufz, atnofd, direntold, date, charsn, cidnext, ixu,
			* hnx, note */
	char condition; /* of a member: 0, or & = ! ^ * + - . < */
	uint8_t on;	/* the member that the condition refers to */
	uint8_t count_at; /* #N: of the count in what argument count_arg leads to; 0: the argument is it */
	uint8_t count_arg; /* of elements: COUNT_NONE, an argument or a member before, SYSCALL_RESULT */
	uint8_t limit_arg; /* /ARG, the number of bytes: COUNT_NONE, an argument, LIMIT_SIZE */
	uint8_t less_arg; /* /MEMBER-LESS: so many fewer, as a member that the call fills says; COUNT_NONE */
	bool is_exact;	/* /=ARG: exactly the bytes of the type */
	bool is_short;	/* |N~: so many only without -v */
	bool is_filled; /* *>: the call fills what a member points to */
	uint8_t least;	/* /ARG>N: of a growing struct, at least N bytes */
	uint16_t count; /* if it is COUNT_NONE */
	int32_t each;	/* %N: an element for each N of the count, %-N: of one less; 0: for each */
	uint32_t most;	/* |N: of more elements, the address; 0: no limit */
	int16_t offset; /* in a struct, -1: as C lays it out, OFFSET_SAME: that of the one before */
	uint64_t with;	/* the value to compare with */
	const void *of; /* struct set, struct layout */
};
#define SIZE_WORD    0xff
#define COUNT_OF_ARG 0xf0 /* argN: + N, of a member: argument N of the call */
#define COUNT_NONE   0xff
#define LIMIT_SIZE   0xfe /* the struct has a member `size` */
#define OFFSET_SAME  (-2)

struct set {
	const char *name, *prefix;
	bool is_enum, is_decimal; /* d: of what has no name the number is not shown as 0x1 */
	bool is_both;  /* v, w, c: the number, with its name as a comment; v: decimal; c: flags */
	bool is_split; /* g: the enum under the mask and the flags are shown apart */
	uint8_t only;  /* of a copy of such a set: PART_ENUM, PART_FLAGS */
	const struct field_name *items;
};
#define PART_ENUM  1
#define PART_FLAGS 2
struct member {
	const char *name;
	struct type type;
};
struct layout {
	const char *name, *prefix; /* prefix: of attributes (%NAME), whose numbers are type.with */
	uint8_t count;
	uint8_t head; /* members before "|", which are enough if the rest cannot be read; 0: all are needed */
	bool head_asks; /* "|?": a number of the rest is ??? then, not the address */
	uint8_t zeros; /* members before "0|", which are 0 where the struct is too short; 0: none */
	uint8_t received; /* the member behind "=>?", as a struct; 0: none */
	bool is_64;	  /* contains words at offsets: not a layout of 32-bit programs */
	struct member *members;
};
#define MEMBERS_MAX 80
/* type.bit of a descriptor that may be a socket: messages are received, or sent. */
#define FD_IN  1
#define FD_OUT 2
/* … or it is one of the process whose number is so many arguments before, or of another one: that of the result. */
#define FD_PID	      3
#define FD_PID_BEFORE 3
#define FD_RESULT     4
/* Of one in a list of io_uring: IORING_REGISTER_FILES_SKIP is none. */
#define FD_SKIP 8

/* Calls with a presentation of their own. */
enum special {
	SPECIAL_NONE,
	SPECIAL_CLONE,
	SPECIAL_CLONE3,
	SPECIAL_FCNTL,
	SPECIAL_POLL,
	SPECIAL_PPOLL,
	SPECIAL_RECVMMSG,
	SPECIAL_SELECT,
	SPECIAL_SIGRETURN,
};
struct call {
	const char *name, *variants, *classes;
	const char *machines;	  /* list of machines whose programs have it; NULL: all */
	const struct call *first; /* the first of its variants; NULL: none */
	const struct call *next;  /* next variant of the same call */
	uint8_t nargs, special;	  /* enum special */
	struct member args[SYSCALL_ARGS];
	struct type result;
	const char *
		/* printed before the result's meaning, which follows the number; NULL: the meaning depends only on
		 * the type */
		result_word;
};

/* Returns NULL if the number has no row, or if out of memory. */
const struct call *call_row(unsigned abi, uint32_t nr);
const struct call *call_variant(const struct call *c, const __u64 *args);
/* Returns the row +NAME, which is not a call. NULL: none. */
const struct call *call_part(const char *name);
/* Iterates over the rows of a call by the value of an argument: `first` NULL at the start, NULL at the end. */
const struct call *call_variant_next(const struct call *c, const struct call *last);
struct set *set_add(const char *name);
struct layout *layout_add(const char *name);
const struct set *set_find(const char *name);
const struct layout *layout_find(const char *name);
const char *set_name(const struct set *s, uint64_t value); /* of an enum; NULL */
/* The name of requests of ioctl(2) that differ in their size, or in what they ask for; NULL: it is none. */
const char *request_group(const struct set *s, uint64_t v);
static inline bool type_is_fd(const struct type *t)
{
	return !t->ptr && (t->kind == TYPE_FD || t->kind == TYPE_AT);
}
/* … of the process that makes the call. */
static inline bool type_is_own_fd(const struct type *t)
{
	return type_is_fd(t) && (t->kind == TYPE_AT || t->bit < FD_PID);
}
/* True if argument `i` is data that the call writes to its descriptor, or reads from it: dump.c. */
bool call_moves(const struct call *c, unsigned i, bool writes);
/* Returns the size of a value other than a struct. */
static inline uint32_t scalar_size(const struct type *t, unsigned abi)
{
	return t->size == SIZE_WORD ? (abi ? 4 : 8) : t->size;
}
/* Returns the bits that a TYPE_BIT or TYPE_REST is of `v`, the number that holds them. */
static inline uint64_t type_bits(const struct type *t, uint64_t v)
{
	if (t->kind == TYPE_REST)
		return v >> (t->size == 8 ? 38 : 3);
	return v >> t->bit & (t->hex ? 3 : 1);
}

/* ---- types.c: a line of a table ---- */

void set_read(char *line);
void layout_read(char *line);
char *word_next(char **s);
/* Cuts "@MACHINE,…" off a name. Returns the machines, or NULL. */
const char *machines_cut(char *name);
bool is_of_machine(const char *machines, const char *machine);

/* Parses a type; its count may name one of `args`. */
void type_read(struct type *t, char *s, const struct member *args, uint8_t nargs);
/* Returns the bytes of an element in an ABI, or with `align` its alignment. */
uint32_t type_size(const struct type *t, unsigned abi, uint32_t *align);
/* Bytes of a member in its struct; what it points to is elsewhere. */
uint32_t member_size(const struct type *m, unsigned abi, uint32_t *align);
/* True for a struct that says its size first, which is shown alone if it is less than any kernel takes. */
bool type_has_size_first(const struct type *t);
/* Sets `at` to the offset of each member. */
void members_place(const struct layout *l, unsigned abi, uint32_t at[MEMBERS_MAX]);

#endif
