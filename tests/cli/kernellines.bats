#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Lines of the kernel's source, and functions that it inlines: found in a file with debug information, here a program's.
# tests/judges/kernel_lines compares with a real kernel. Nothing is attached.

bats_require_minimum_version 1.5.0
load plan

work=$(realpath "${BUILD:-build}/tests/work")

planned() { # FILE ARGUMENTS...
	run -0 --separate-stderr "$argdump" --dry-run -v --btf "$btf" --vmlinux "$work/$1" "${@:2}"
}
refused() { # TEXT ARGUMENTS...
	run --separate-stderr "$argdump" --dry-run --btf "$btf" --vmlinux "$work/scopes" "${@:2}"
	[[ $status -eq 1 && $stderr == *"$1"* ]] || { echo "$status $stderr"; false; }
}
line_of() { awk -v text="$1" 'index($0, text) { print FNR; exit }' tests/work/scopes.c; }
# The function and offset of each place, as gdb has them.
gdb_places() { # FILE LINE
	gdb -batch -ex "info line scopes.c:$2" "$work/$1" 2>&1 | grep -oE '<[a-z_]+(\+[0-9]+)?>' | head -1
}
our_place() {
	sed -nE 's/^argdump: [^ ]+: ([a-z_]+)\+0x([0-9a-f]+)$/\1 \2/p' <<<"$stderr" | head -1 |
		while read -r name at; do at=$((16#$at)); ((at)) && echo "<$name+$at>" || echo "<$name>"; done
}

@test "a line: the place that gdb has, memory of the kernel, variables in scope" {
	for text in 'number=20' 'same=1000000000002' 'sum=46' 'list[2]=12'; do
		planned scopes "work/scopes.c:$(line_of "$text")"
		[ "$(our_place)" = "$(gdb_places scopes "$(line_of "$text")")" ] || { echo "$text: $(our_place)"; echo "$stderr"; false; }
	done
	planned scopes "scopes.c:$(line_of 'list[2]=12')" pair.x sum
	[[ $output == *'x = pair.x  (int): 1 probe_read load'*'sum  (int): 1 probe_read load'* ]] || { echo "$output"; false; }
}

@test "a line counted from where a function is declared" {
	declared=$(line_of 'OWN int blocks')
	planned scopes "blocks:$(($(line_of 'same=1000000000002') - declared))" same
	[[ $output == *'same  (long int)'* ]] || { echo "$output"; false; }
	refused 'the next line with code is' "blocks:3"
	refused 'has no function blokcs' blokcs:2
}

@test "an inlined function: each place, with its parameters" {
	planned scopes adds
	[[ $stderr == *'adds is inlined into its callers: traced in 2 places'* ]] || { echo "$stderr"; false; }
	[ "$(grep -c '^kprobe adds' <<<"$output")" = 2 ] || { echo "$output"; false; }
	refused 'adds is inlined into its callers, in 2 places, and has no return' -r adds
}

@test "a function that has code, and is inlined elsewhere: a note says in how many places" {
	argdump=$PWD/$argdump
	cd "$BATS_TEST_TMPDIR"
	cat >fsync.c <<-'END'
		int vfs_fsync(int fd)
		{
			__asm__ volatile("" : "+r"(fd));
			return fd + 1;
		}
		__attribute__((noinline)) int alone(int fd) { return 3 * vfs_fsync(fd); }
		int main(int argc, char **argv) { (void)argv; return alone(argc) + vfs_fsync(2); }
	END
	gcc -O2 -g -o file fsync.c
	[ "$(nm file | grep -cw vfs_fsync)" = 1 ]
	places=$(readelf --debug-dump=info file | awk '
		/^ <[0-9]+><[0-9a-f]+>: Abbrev/ { inlined = /inlined_subroutine/; match($0, /><[0-9a-f]+>/); id = substr($0, RSTART + 2, RLENGTH - 3); next }
		/DW_AT_name .*vfs_fsync$/ { of["<0x" id ">"] = 1 }
		inlined && /DW_AT_abstract_origin/ { count[$NF]++ }
		END { for (id in of) all += count[id]; print all }')
	[ "$places" -gt 1 ]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --vmlinux file vfs_fsync
	[[ $stderr == *"calls of vfs_fsync are not seen where it is inlined, in $places places"*'SOURCE.c:LINE'* ]] ||
		{ echo "$places: $stderr"; false; }
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --vmlinux file fsync.c:3
	[[ $stderr == *"fsync.c:3 is in 3 functions"* ]] || { echo "$stderr"; false; }
	# nothing is said of a function that is not, nor without the file
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --vmlinux file vfs_read
	[ -z "$stderr" ] || { echo "$stderr"; false; }
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" vfs_fsync
	[ -z "$stderr" ] || { echo "$stderr"; false; }
}

@test "what cannot be traced is refused with the reason" {
	refused 'has no code at scopes.c:900' scopes.c:900
	refused 'has no code of other.c' other.c:9
	refused 'a return belongs to a whole function' "scopes.c:$(line_of 'number=20')%return"
	refused 'did you mean number? In scope: number, text' "scopes.c:$(line_of 'number=20')" numbr
	refused 'a line cannot be part of a list' vfs_read,scopes.c:30
	refused 'a line cannot be part of a list' 'vfs_read|scopes.c:30'
	refused 'nothing can follow the number of a line' scopes.c:30+0x10
	refused 'nothing can follow the number of a line' 'scopes.c:30?'
	refused 'a line has no name' -l scopes.c:30
	run --separate-stderr "$argdump" --dry-run --btf "$btf" fs/sync.c:186
	[[ $status -ne 0 && $stderr == *"the kernel's debug information is not installed"*'--vmlinux FILE'* ]] || { echo "$stderr"; false; }
	run --separate-stderr "$argdump" --dry-run --btf "$btf" --vmlinux /nonexistent fs/sync.c:186
	[[ $status -ne 0 && $stderr == *'/nonexistent'* ]] || { echo "$stderr"; false; }
}

@test "a file of the same name in two folders: which, and the end of its path decides" {
	argdump=$PWD/$argdump
	cd "$BATS_TEST_TMPDIR"
	mkdir -p one two
	for folder in one two; do
		printf '__attribute__((noinline)) int %s(int n)\n{\n\treturn n + 1;\n}\n' "$folder" >$folder/same.c
	done
	echo 'int one(int), two(int); int main(int c, char **v) { (void)v; return one(c) + two(c); }' >main.c
	gcc -g -O2 -o program one/same.c two/same.c main.c
	run --separate-stderr "$argdump" --dry-run --btf "$btf" u:./program:same.c:3 n
	[[ $status -eq 1 && $stderr == *'same.c:3 is a line of several files'*'one/same.c:3'*'two/same.c:3'* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr "$argdump" --dry-run -v --btf "$btf" u:./program:two/same.c:3 n
	[[ $stderr != *'in 2 functions'* && $output == *'n  (int)'* ]] || { echo "$stderr"; false; }
}

@test "a line in several functions is traced in each" {
	argdump=$PWD/$argdump
	cd "$BATS_TEST_TMPDIR"
	echo 'static volatile int sink; static inline __attribute__((always_inline)) void in(int n) { sink += n; }' >in.h
	printf '#include "in.h"\n__attribute__((noinline)) void a(int x) { in(x); }\n__attribute__((noinline)) void b(int x) { in(x + 1); }\nint main(int c, char **v) { (void)v; a(c); b(c); return 0; }\n' >several.c
	gcc -g -O1 -o several several.c
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" u:./several:in.h:1
	[[ $stderr == *'in.h:1 is in 2 functions'* && $(grep -c '^uprobe' <<<"$output") = 2 ]] || { echo "$stderr$output"; false; }
}

@test "variables in the frame of code without .eh_frame, as the kernel's: by .debug_frame" {
	argdump=$PWD/$argdump
	cd "$BATS_TEST_TMPDIR"
	printf 'volatile int sink;\n__attribute__((noinline)) int kept(int n)\n{\n\tint list[4] = { n, 2, 3, 4 };\n\tfor (int i = 0; i < 4; i++)\n\t\tsink += ((volatile int *)list)[i];\n\treturn sink;\n}\nint main(int c, char **v) { (void)v; return kept(c); }\n' >frame.c
	gcc -g -O1 -fomit-frame-pointer -fno-asynchronous-unwind-tables -o frame frame.c
	objcopy --remove-section .eh_frame --remove-section .eh_frame_hdr frame
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" u:./frame:frame.c:6 'list[1]'
	[[ $output == *'list[1]'*'(int): 1 probe_read_user load'* ]] || { echo "$stderr$output"; false; }
}
