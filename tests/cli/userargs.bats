#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Parameters of user functions by name: what is said if there are none. Nothing is attached.

bats_require_minimum_version 1.5.0
load plan

kinds=${BUILD:-build}/tests/work

refused() { # TEXT ARGUMENTS...
	local text=$1
	shift
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"
	[[ $status -eq 1 && $stderr == *"$text"* ]] || { echo "$status $stderr"; false; }
}

@test "an unknown name: the function's parameters, and the nearest" {
	refused 'did you mean other? Its parameters: n, other, list, depth' "u:$kinds/kinds:walk" 'othre->level'
	refused 'did you mean level?' "u:$kinds/kinds:walk" 'n->levl'
	refused 'this part of the program has no struct nod' "u:$kinds/kinds:walk" '((struct nod *)n)->level'
}

@test "what cannot be read is refused by name" {
	refused 'in a register of floating-point numbers, which BPF cannot read' "u:$kinds/kinds:with_floats" first
	refused 'm is passed in registers: this part of it cannot be read' "u:$kinds/kinds-pie:with_floats" m.weight
	refused 'name a member: low, high, color' "u:$kinds/kinds-pie:by_value" w
	refused 'parameter g is not known at the return' -r "u:$kinds/kinds:many" '@ret(g)'
}

@test "without debug information only registers are known" {
	refused 'the file has no debug information: install that of its package, or compile it with -g; $arg1' \
		"u:$kinds/kinds-bare:walk" 'n->level'
	run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/kinds-bare:walk" '$arg1'
}

@test "a line of source: the variables in scope, and what is no line" {
	first=$(awk '/number=20/ { print FNR }' tests/work/scopes.c)
	inlined=$(awk '/doubled=42/ { print FNR }' tests/work/scopes.c)
	inner=$(awk '/same=1000000000002/ { print FNR }' tests/work/scopes.c)
	run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/scopes:scopes.c:$first"
	[[ $output == *'number  (int)'*'text  (const char *)'* ]] || { echo "$output"; false; }
	run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/scopes:work/scopes.c:$inner" same
	[[ $output == *'same  (long int)'* ]] || { echo "$output"; false; }
	for program in scopes scopes-pie; do
		run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/$program:scopes.c:$inlined" doubled from
	done
	refused 'has it where it cannot be read: its debug information' "u:$kinds/scopes-pie:scopes.c:$inlined" 'of->x'
	refused 'has no variable in scope: numbr' "u:$kinds/scopes:scopes.c:$first" numbr
	refused 'did you mean number? In scope: number, text' "u:$kinds/scopes:scopes.c:$first" numbr
	refused 'is not the first instruction' "u:$kinds/scopes:scopes.c:$first" '$arg1'
	refused "  the next line with code is $inlined" "u:$kinds/scopes:scopes.c:$((inlined - 1))"
	refused 'has no code at scopes.c:900' "u:$kinds/scopes:scopes.c:900"
	refused 'has no code of other.c' "u:$kinds/scopes:other.c:9"
	refused 'a return belongs to a whole function' -r "u:$kinds/scopes:scopes.c:$first"
	refused 'adds is inlined into its callers, in 2 places, and has no return' -r "u:$kinds/scopes:adds"
	refused 'has no function ads' "u:$kinds/scopes:ads"
	for some in 'adds?' 'nosuch|adds'; do
		run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/scopes:$some" number
		[[ $output == *'number  (int)'* ]] || { echo "$output"; false; }
	done
	run -0 "$argdump" --dry-run --btf "$btf" -r "u:$kinds/scopes:adds|main" # adds has no return
	[[ $output == *":main"* ]] || { echo "$output"; false; }
	refused "$kinds/scopes has nothing of that name" "u:$kinds/scopes:nosuch?"
	refused 'a line has no name' -l "u:$kinds/scopes:scopes.c:$first"
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$kinds/kinds-bare:kinds.c:119"
	[[ $status -ne 0 && $stderr == *"cannot find kinds.c:119: $kinds/kinds-bare has no line numbers"* ]] || { echo "$stderr"; false; }
}

# Makes a program with more than 200 MB of debug information: a unit of 600 structs and functions, linked 210 times, and a
# small one. Names of three bytes need no relocation, which is what linking would take its time for.
large_made() {
	awk 'BEGIN {
		print "struct head { int first; struct head *next; };"
		for (i = 0; i < 600; i++) {
			printf "struct thing_with_a_name_%d { struct head head; int number; long array[%d]", i, i % 7 + 1
			for (j = 0; j < 120; j++) printf ", m%02x", j
			printf "; };\n__attribute__((used, noinline)) static int walk_%d(struct thing_with_a_name_%d *thing, int parameter) { int local = thing->number + parameter; return local + (int)thing->array[0]; }\n", i, i
		}
	}' >part.c
	cat >main.c <<-'C'
		struct wanted { int level; struct wanted *next; };
		__attribute__((noipa)) int wanted_one(struct wanted *w, int count) { return w->level + count; }
		int main(int argc, char **argv) { struct wanted w = { argc, &w }; (void)argv; return wanted_one(&w, 2) < 0; }
	C
	gcc -g -O0 -c part.c
	gcc -g -O1 -c main.c
	# shellcheck disable=SC2046 # one word each
	gcc -o large $(yes part.o | head -210) main.o
	# shellcheck disable=SC2046
	gcc -Wl,--compress-debug-sections=zlib -o packed $(yes part.o | head -110) main.o
	rm part.o
	large_debug=$(size -A large | awk '/^\.debug_/ { n += $2 } END { print n }')
}

# Resolves wanted_one's parameters within 300 ms of processor time and 60 MB.
cheap() { # PROGRAM
	local used
	run --separate-stderr env time -q -f '%U %S %M' "$argdump" --dry-run --btf "$btf" "u:$1:wanted_one" 'w->next->level' count
	[[ $status -eq 0 && $output == *"level = w->next->level  (int)"* ]] || { echo "$status $output $stderr"; false; }
	used=$(tail -1 <<<"$stderr")
	echo "$1: $used"
	awk '{ exit !(($1 + $2) * 1000 <= 300 && $3 <= 60000) }' <<<"$used"
}

@test "of 200 MB of debug information only what is asked for is read; compressed, it says what that costs" {
	cd "$BATS_TEST_TMPDIR"
	argdump=$(cd "$OLDPWD" && realpath -s "$argdump")
	btf=$(cd "$OLDPWD" && realpath "$btf")
	large_made
	[ "$large_debug" -ge $((200 << 20)) ] || { echo "$large_debug bytes"; false; }
	cheap "$PWD/large"
	objcopy -R .debug_aranges large
	cheap "$PWD/large"
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$PWD/packed:wanted_one" 'w->next->level'
	echo "$output $stderr"
	[[ $status -eq 0 && $stderr =~ 'MB were decompressed in '[0-9]+' ms' ]]
	gcc -g -O1 -o zeros main.c
	objcopy --update-section .debug_info=<(head -c 140M /dev/zero) zeros
	objcopy --compress-debug-sections zeros
	refused 'is compressed, and larger than 128 MB' "u:$PWD/zeros:wanted_one" 'w->next->level'
}

# Makes a program and libpart.so, whose debug information is only where debuginfod's clients keep it, by build ID: that of
# the library refers to a third file, which dwz made.
fetched_made() {
	local file id
	argdump=$(cd "$OLDPWD" && realpath -s "$argdump")
	btf=$(cd "$OLDPWD" && realpath "$btf")
	mkdir -p cache
	sed 's/int main(/int not_main(/' "$OLDPWD/tests/work/kinds.c" >part.c
	gcc -g -O2 -shared -fPIC -o libpart.so part.c
	gcc -g -O2 -shared -fPIC -o libother.so part.c
	dwz -m common -M "$PWD/common" libpart.so libother.so
	file=libpart.so
	id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
	mkdir "cache/$id"
	objcopy --only-keep-debug "$file" "cache/$id/debuginfo"
	strip --strip-debug "$file"
	export DEBUGINFOD_CACHE_PATH=$PWD/cache
}

@test "debug information that debuginfod fetched, and what dwz moved out of it, of a library by its path and by process" {
	cd "$BATS_TEST_TMPDIR"
	fetched_made
	run -0 "$argdump" --dry-run --btf "$btf" "u:$PWD/libpart.so:walk" 'n->next->in.text' 'list[1]->color' depth
	[[ $output == *'text = n->next->in.text  (const char *)'*'(enum color)'*'depth = depth  (int)'* ]] || { echo "$output"; false; }
	LD_PRELOAD=$PWD/libpart.so sleep 60 3>&- &
	for _ in {1..100}; do
		grep -q libpart.so "/proc/$!/maps" && break
		sleep 0.05
	done
	run "$argdump" --dry-run --btf "$btf" -p $! u:libpart.so:walk 'n->next->in.text'
	kill $!
	[[ $status -eq 0 && $output == *'text = n->next->in.text  (const char *)'* ]] || { echo "$output"; false; }
	mv common elsewhere
	refused 'types are missing: the debug information refers to a file that is not installed, with build ID ' \
		"u:$PWD/libpart.so:walk" 'n->next->in.text'
	mv elsewhere common
	gcc -g -O1 -shared -fPIC -o built.so part.c
	objcopy --only-keep-debug built.so cache/*/debuginfo # of another build
	refused 'the file has no debug information' "u:$PWD/libpart.so:walk" 'n->next->in.text'
	unset DEBUGINFOD_CACHE_PATH
	refused 'the file has no debug information' "u:$PWD/libpart.so:walk" 'n->next->in.text'
}

@test "static functions of one name in several files are all traced, each with its own types" {
	cd "$BATS_TEST_TMPDIR"
	argdump=$(cd "$OLDPWD" && realpath -s "$argdump")
	btf=$(cd "$OLDPWD" && realpath "$btf")
	cat >first.c <<-'END'
		struct of { int mode; long v; };
		static __attribute__((noinline)) int helper(struct of *c, int k) { return c->v * k; }
		int main(int argc, char **argv) { struct of o = { argc, 2 }; extern int other(int); (void)argv; return helper(&o, 3) + other(4); }
	END
	cat >second.c <<-'END'
		struct of { long v; char name[4]; int mode; };
		static __attribute__((noinline)) int helper(struct of *c, long z) { return c->mode + z; }
		int other(int n) { struct of o = { n, "abc", 5 }; return helper(&o, n); }
	END
	gcc -g -O0 -o twins first.c second.c
	run -0 "$argdump" --dry-run --btf "$btf" "u:$PWD/twins:helper"
	[[ $output == *"another file's helper is traced as well"*'k = k  (int)'*'z = z  (long int)'* ]] || { echo "$output"; false; }
	run -0 "$argdump" --dry-run --btf "$btf" -r "u:$PWD/twins:helper" 'c->mode'
	[ "$(grep -c '^uprobe+uretprobe .*:helper$' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
	run -0 "$argdump" --dry-run --btf "$btf" -r "u:$PWD/twins:helper" k
	[[ $output == *"calls of another file's helper are not seen: "*'has no parameter k'* && $output != *inlined* &&
		$(grep -c '^uprobe+uretprobe ' <<<"$output") -eq 1 ]] || { echo "$output"; false; }
}

@test "a function of a library in several pieces of code, by the debug information of its package" {
	local libc=/lib/x86_64-linux-gnu/libc.so.6 id
	id=$(readelf -n "$libc" 2>/dev/null | sed -n 's/.*Build ID: //p')
	[ -e "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ] || skip "no debug information of $libc (libc6-dbg)"
	run -0 "$argdump" --dry-run --btf "$btf" u:libc.so.6:fclose 'fp->_fileno'
	[[ $output == *'_fileno = fp->_fileno  (int)'* ]] || { echo "$output"; false; }
	run -0 "$argdump" --dry-run --btf "$btf" u:libc.so.6:getaddrinfo name 'hints->ai_family'
	[[ $output == *'ai_family = hints->ai_family  (int)'* ]] || { echo "$output"; false; }
}

@test "--type of a program's type, and what is said if there is none" {
	run -0 "$argdump" --btf "$btf" --type "u:$kinds/kinds:struct node"
	[[ $output == 'struct node {'* ]]
	[[ $output == *'/*   32   */ struct point grid[2][3];  /* 48 bytes */'* ]]
	[[ $output == *'/*   92:1 */ unsigned int mode:3;'* ]]
	[[ $output == *'/*  152   */ int (*call)(int);  /* 8 bytes */'* ]] || { echo "$output"; false; }
	run -0 "$argdump" --btf "$btf" --type "u:$kinds/kinds:node_t.in.text"
	[[ $output == *'/*   16   */ const char *text;'* ]] || { echo "$output"; false; }
	run -0 "$argdump" --btf "$btf" -j --type "u:$kinds/kinds:enum depth"
	[[ $output == *'"name":"depth"'* ]] || { echo "$output"; false; }
	for text in "u:$kinds/kinds:struct nod" "u:$kinds/kinds:union node"; do
		run --separate-stderr "$argdump" --btf "$btf" --type "$text"
		[[ $status -eq 1 && $stderr == *"debug information does not have this type"*'^~'* ]] || { echo "$status $stderr"; false; }
	done
	run --separate-stderr "$argdump" --btf "$btf" --type "u:$kinds/kinds-bare:struct node"
	[[ $status -eq 1 && $stderr == *'the file has no debug information'* ]] || { echo "$status $stderr"; false; }
	run --separate-stderr "$argdump" --btf "$btf" --type u:node
	[[ $status -eq 1 && $stderr == *'a type of a program is u:FILE:TYPE'* ]] || { echo "$status $stderr"; false; }
}

# Prints what gdb shows for each FUNCTION<TAB>EXPRESSION<TAB>VALUE of the program, as VALUE is written. Without optimization
# parameters have their places after the function's first instructions only.
gdb_values() { # PROGRAM
	local how='*' function expression value form
	[ "$1" != kinds ] || how=
	{
		echo 'set pagination off'
		echo 'set confirm off'
		echo 'set print address off'
		echo 'set print null-stop on'
		while IFS= read -r function; do
			printf 'tbreak %s%s\n' "$how" "$function"
		done < <(cut -f1 values | uniq)
		cat <<-GDB
			python
			import re, struct
			from fractions import Fraction
			def is_same(text, other, size):
			    if not re.match('-?[0-9]', text) or not re.match('-?[0-9]', other) or text[0] != other[0]:
			        return text == other
			    if size == 16: # 64 bits of fraction
			        return abs(Fraction(text) - Fraction(other)) <= abs(Fraction(other)) / 2**64
			    form = '<f' if size == 4 else '<d'
			    return struct.pack(form, float(text)) == struct.pack(form, float(other))
			end
		GDB
		echo 'run'
		# functions are called in another order than they are listed
		for function in $(cut -f1 values | sort -u); do
			cat <<-GDB
				python
				name = gdb.selected_frame().name()
				with open('values') as lines:
				    for line in lines:
				        function, expression, value = line.rstrip('\n').split('\t')
				        if function != name:
				            continue
				        form = expression[-2:] if expression[-2:] in (':x', ':d') else ''
				        own = expression[:-2] if form else expression
				        own = own.replace('\$arg1', '\$rdi')
				        shown = gdb.execute('output' + form.replace(':', '/') + ' ' + own, to_string=True)
				        number, _, character = shown.partition(" '")
				        shown = "'" + character if value.startswith("'") else number if character else shown
				        shown = shown or 'NULL' # without its address
				        shown = re.sub(r'nan\(.*', 'nan', shown).replace(' + -', '-')
				        kind = gdb.parse_and_eval(own).type.strip_typedefs()
				        if kind.code == gdb.TYPE_CODE_FLT and is_same(value, shown, kind.sizeof):
				            shown = value # by fewer digits
				        print('VALUE', function, expression, shown, sep='\t')
				end
				continue
			GDB
		done
	} >commands
	gdb -q -nx -batch -x commands --args "$kinds/$1" 2>&1 | tee gdb.log | sed -n 's/^VALUE\t//p' | sort
}

@test "gdb shows the same values of 200 variables as live tests expect of argdump" {
	command -v gdb >/dev/null || skip "no gdb"
	[ "$(uname -m)" = x86_64 ] || skip "names of registers are those of x86-64"
	kinds=$(realpath "$kinds")
	cd "$BATS_TEST_TMPDIR"
	"$kinds/kinds" values >values
	count=0
	for program in kinds kinds-pie kinds-old; do
		gdb_values "$program" >shown
		diff <(sort values) shown || { tail -5 gdb.log; false; }
		count=$((count + $(wc -l <shown)))
	done
	echo "$count values"
	[ "$count" -ge 200 ]
}

@test "gdb shows the same values at lines as live tests expect of argdump" {
	command -v gdb >/dev/null || skip "no gdb"
	# shellcheck disable=SC2016 # gdb's own words
	while IFS=$'\t' read -r line text <&3; do
		read -ra words <<<"$text"
		commands=(-ex "tbreak scopes.c:$line" -ex run)
		for word in "${words[@]}"; do
			commands+=(-ex "printf \"${word%%=*}=\"" -ex "output ${word%%=*}" -ex 'echo \n')
		done
		run -0 gdb -q -nx -batch -ex 'set print address off' "${commands[@]}" "$kinds/scopes"
		for word in "${words[@]}"; do
			grep -qxF "$word" <<<"$output" || { echo "line $line: $word"; echo "$output"; false; }
		done
	done 3<"$kinds/scopes.marks"
}

@test "a folder with the name of a program is not the program" {
	[[ -d /usr/lib/apt && -f /usr/bin/apt ]] || skip "this machine has no folder in /usr/lib and program of one name (apt)"
	run "$argdump" u:apt:nosuch --dry-run
	[[ $status -eq 1 && $output == *'/usr/bin/apt has no function nosuch'* ]] || { echo "$output"; false; }
}
