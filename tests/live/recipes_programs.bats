#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about programs: probes (USDT) that servers and interpreters have, in a program with the same ones;
# memory that is not freed.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	file=$(command -v speaks)
}

@test "dbslower, mysqld_qslower, dbstat: queries with line ends, and how long" {
	together "dbslower -j $file -m 2" "mysqld_qslower -j $file" "dbstat -j $file" -- speaks queries 3 2
	showed '[.comm, .args.query, .args.took >= 3000000]' dbslower <<-'END'
		["speaks","select '0\nx'",true]
		["speaks","select '1\nx'",true]
	END
	showed 'select(.args.took >= 3000000) | [.args.query, .args.host]' mysqld_qslower <<-'END'
		["select '0\nx'","h\tost"]
		["select '1\nx'","h\tost"]
	END
	showed '[.count, (.took | map(.[2]) | add)]' dbstat <<<'[3,3]'
	# as text, a line each
	run -0 --separate-stderr dbslower "$file" -- speaks queries 3 2
	[ "$(grep -cF "select '1\\nx'" <<<"$output")" -eq 1 ] && [ "$(wc -l <<<"$output")" -eq 3 ] || { echo "$output"; false; }
}

called() { coretap ucalls "$@"; }
latencies() { coretap ucalls --latency "$@"; }

@test "ucalls, uflow, ugc, ustat: calls, collections and imports of Python" {
	# a workload is called ucalls, too
	together "coretap ucalls -j $file" "uflow -j $file" "ugc -j $file" "ustat -j $file --interval 60" -- speaks python 3
	showed '[.by.class, .by.method, .count]' ucalls <<<'["file.py","f\nun",3]'
	shows '[.by.method, .count, .took >= .longest and .longest > 0]' latencies "$file" -- speaks python 3 <<<'["f\nun",3,true]'
	showed '[(.args.what | sub(".*:"; "")), .args.file, .args.function, .args.line]' uflow < <(
		for _ in 1 2 3; do printf '["function__%s","file.py","f\\nun",7]\n' entry return; done)
	shows '.args.function' uflow --function un --class file "$file" -- speaks python 1 <<<$'"f\\nun"\n"f\\nun"'
	shows '.args.function' uflow --class other "$file" -- speaks python 1 </dev/null
	showed '[.comm, .args.took >= 1000000]' ugc <<<$'["speaks",true]\n["speaks",true]\n["speaks",true]'
	showed '[.by.comm, .calls, .collections, .imports]' ustat <<<'["speaks",3,3,1]'
}

@test "ugc: collections by description, of pools separately; -F a text of it, -M a shortest time" {
	shows '.args | [.what, .pool, .collected]' ugc "$file" -- speaks python 1 <<<'["gen 2 GC","",0]'
	shows '.args | [.what, .pool, .took >= 2000000]' ugc "$file" -- speaks java 1 <<-'END'
		["GC of a pool","Tenured Gen",true]
		["GC of a pool","Eden",true]
		["GC","",true]
	END
	shows '.args.pool' ugc -F Tenured -M 1 "$file" -- speaks java 2 <<<$'"Tenured Gen"\n"Tenured Gen"'
	shows '.args.pool' ugc -F Tenured -M 1000 "$file" -- speaks java 2 </dev/null
	shows '.args.what' ugc --filter 'gen 2' "$file" -- speaks python 1 <<<'"gen 2 GC"'
	shows '.args.what' ugc --filter 'gen 1' "$file" -- speaks python 1 </dev/null
}

@test "ustat: other languages: what their interpreters have probes for; -l of a language" {
	shows '[.by.comm, .calls, .collections, .objects, .imports, .exceptions]' ustat --interval 60 "$file" -- speaks jvm 4 <<<'["speaks",4,0,4,0,0]'
	shows '[.by.comm, .calls, .collections, .objects]' ustat --interval 60 "$file" -- speaks ruby 5 <<<'["speaks",0,0,5]'
	shows '[.by.comm, .calls, .collections]' ustat --interval 60 "$file" -- speaks java 2 <<<'["speaks",0,2]'
	# a process that runs it names the file
	cp "$file" rubyish
	"$PWD/rubyish" queries 2500 1 &
	shows '[.by.comm, .objects]' ustat -l ruby --interval 60 -- "$PWD/rubyish" ruby 6 <<<'["rubyish",6]'
	wait $!
}

@test "ucalls -S, -L, -T, -l none: system calls of the program beside its functions, or alone" {
	shows 'select(.by.call == "clock_nanosleep") | [.by.class, .by.method, .count, .took >= .longest and .longest > 0]' \
		latencies -S "$file" -- speaks python 3 <<<'[null,null,3,true]'
	shows 'select(.by.method) | [.by.call, .by.class, .by.method, .count, .took]' called -S "$file" -- speaks python 3 <<<'[-1,"file.py","f\nun",3,null]'
	# any program, by its process
	deeds nap 1 2000 &
	run -0 --separate-stderr coretap ucalls -j -l none -L -ST 2 $! -d 1
	kill $!
	jq -e -s 'map(select(.by)) | length <= 2 and (.[0] | .by.call == "clock_nanosleep" and .count >= 50 and .took >= 100000000)' <<<"$output" ||
		{ echo "$output$stderr"; false; }
}

both() { speaks ruby 4 && speaks java 2; }

@test "uobjnew, javagc: objects of Ruby, collections of Java" {
	together "uobjnew -j $file" "javagc -j $file" -- both
	showed '[.by.class, .count]' uobjnew <<<'["Thing",4]'
	showed 'select(.args.call | test("pool") | not) | [.comm, .args.took >= 2000000]' javagc <<<$'["speaks",true]\n["speaks",true]'
	shows '.comm' javagc -t 30000000 "$file" -- speaks java 2 </dev/null
}

@test "memleak -t: each call; memleak -c: a command" {
	run -0 --separate-stderr memleak -t -j -- dynamic leaks 10
	jq -e -s 'map(select(.args)) | map(select(.args.size == 100 and (.func | test("malloc")))) as $got | map(select(.func | test("free"))) as $freed |
		($got | length) == 10 and ([$freed[].args.address] as $gone | $got | map(select(.args.address as $a | $gone | index($a))) | length >= 5)' <<<"$output" ||
		{ echo "$output" | head -40; false; }
	run -0 --separate-stderr memleak -j --interval 60 -c 'dynamic leaks 10'
	same 'select(any(.by.ustack[]?; startswith("first"))) | [.count, .size]' '[5,500]' memleak
}

@test "memleak -S: an allocator whose functions have a prefix" {
	run -0 --separate-stderr memleak -S __libc_ -j --interval 60 -- dynamic leaks 10
	same 'select(any(.by.ustack[]?; startswith("first"))) | [.count, .size]' '[5,500]' memleak
}

# three file systems, of which one is unmounted, and 60 files on the second, of which 20 are removed
held_by_kernel() {
	mkdir -p a b c && mount -t tmpfs none a && mount -t tmpfs none b && mount -t tmpfs none c && umount a || return
	for ((i = 0; i < 60; i++)); do : >"b/$i"; done
	rm b/1? b/2?
	sleep 1 # inodes are freed after a grace period
}

@test "memleak, --kernel, -P: inodes that the kernel has not freed, and what each mount has for each processor" {
	: >beside.work # it is there, and its inode
	of='map(select(any(.by.kstack[]?; startswith("%s"))) | .count) | add'
	beside memleak --top 100000 --interval 60 -- held_by_kernel # what other processes create is in it, too
	umount b c
	# shellcheck disable=SC2059 # a format
	[ "$(jq -s "$(printf "$of" shmem_alloc_inode)" <<<"$output")" -ge 40 ] || { head -c 4000 <<<"$output"; echo "$stderr"; false; }
	beside memleak --kernel --top 100000 --interval 60 --comm 'b*' -- held_by_kernel
	umount b c
	# shellcheck disable=SC2059 # a format
	[ "$(jq -s "$(printf "$of" shmem_alloc_inode)" <<<"$output")" -eq 40 ] || { head -c 4000 <<<"$output"; echo "$stderr"; false; }
	beside memleak -P --top 1000 --interval 60 -- held_by_kernel
	umount b c
	# shellcheck disable=SC2059
	[ "$(jq -s "$(printf "$of" shmem_fill_super)" <<<"$output")" -eq 2 ] || { head -c 4000 <<<"$output"; echo "$stderr"; false; }
}

@test "uobjnew --malloc: allocations by size" {
	run -0 --separate-stderr uobjnew -j --malloc libc --top 1000 --comm dynamic -- dynamic leaks 10
	same 'select(.by.size == 100) | [.count, .bytes]' '[10,1000]' uobjnew
}

# free ends what malloc began, realloc ends it and begins anew
@test "memleak: how much by which function, of each way to get memory" {
	together 'memleak -j --interval 60 --comm dynamic' -- dynamic leaks 10
	showed 'select(any(.by.ustack[]?; startswith("first"))) | [.count, .size]' memleak <<<'[5,500]'
	shows 'select(any(.by.ustack[]?; startswith("first"))) | [.count, .size, (.by.address > 4096)]' memleak -a --top 100 --interval 60 --comm dynamic -- \
		dynamic leaks 10 < <(printf '[1,100,true]\n%.0s' 1 2 3 4 5)
	[ "$(jq -c 'select(any(.by.ustack[]?; startswith("second"))) | [.count, .size]' memleak.out | sort)" = \
		$'[10,1280]\n[10,1500]\n[10,2000]' ] || { cat memleak.out; false; }
}
