#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# :path, in any probe: absolute through directories and mounts.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	mkdir -p a/b/c
	cp some a/b/c/deep
}

teardown() {
	umount "$BATS_TEST_TMPDIR/a/inner" "$BATS_TEST_TMPDIR/a" 2>/dev/null || true
}

rows() { grep -c "$@" <<<"$output" || true; }

@test "files, struct paths and dentries; /proc and /sys" {
	run -0 --separate-stderr argdump vfs_read file:path 'p=file->f_path:path' 'd=file->f_path.dentry:path' -- \
		reads 7 some a/b/c/deep /proc/version /sys/kernel/mm/transparent_hugepage/enabled
	[ "$(rows -F "file=\"$PWD/some\" p=\"$PWD/some\" d=\"")" -eq 7 ] || { echo "$output$stderr"; false; }
	[ "$(rows -F "file=\"$PWD/a/b/c/deep\"")" -eq 7 ]
	[ "$(rows -F 'file="/proc/version" p="/proc/version" d="…/version"')" -eq 7 ]
	run -0 --separate-stderr argdump -j vfs_read 'd=file->f_path.dentry' -- reads 2 /proc/version
	[ "$(rows -F '"d":"version"')" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump vfs_read file:path -- reads 7 /sys/kernel/mm/transparent_hugepage/enabled
	[ "$(rows -F 'file="/sys/kernel/mm/transparent_hugepage/enabled"')" -eq 7 ]
}

@test "mounts in mounts, one over another" {
	mount -t tmpfs one a
	mkdir a/inner
	mount -t tmpfs two a/inner
	mount -t tmpfs three a/inner
	cp some a/inner/file
	run -0 --separate-stderr argdump -j vfs_read file:path -- reads 5 a/inner/file
	jq -e -s --arg p "$PWD/a/inner/file" 'map(select(.args.file == $p)) | length == 5' <<<"$(grep '^{' <<<"$output")" ||
		{ echo "$output$stderr"; false; }
	umount a/inner
}

@test "by kprobes too; names that users gave" {
	name=$'n\nl\e[1m"\xff'
	mkdir "$name"
	cp some "$name/x"
	run -0 --separate-stderr argdump --attach kprobe vfs_read file:path -- reads 3 "$name/x"
	[ "$(rows -F '/n\nl\x1b[1m\"\xff/x"')" -eq 3 ] || { echo "$output$stderr"; false; }
}

@test "a path that is too long is cut, and marked" {
	local deep=$PWD name
	name=$(printf 'd%.0s' {1..200})
	for _ in 1 2 3 4; do deep+=/$name; done
	mkdir -p "$deep"
	cp some "$deep/last"
	run -0 --separate-stderr argdump vfs_read file:path -- reads 3 "$deep/last"
	[ "$(rows -F "file=\"…/$name")" -eq 3 ] || { echo "$output$stderr"; false; }
	[ "$(rows -F '/last"')" -eq 3 ]
	run -0 --separate-stderr argdump vfs_read file:path:2000 -- reads 3 "$deep/last"
	[ "$(rows -F "file=\"$deep/last\"")" -eq 3 ] || { echo "$output$stderr"; false; }
}

@test "files without a path are marked" {
	run -1 argdump vfs_read count:path
	[[ $output == *"size_t has no path"* ]]
	for wrong in --count=--by=count:path --if='count:path == "x"'; do
		run -1 argdump "${wrong%%=*}" ${wrong#*=} vfs_read
	done
	run -1 argdump --if 'file ~ "/etc/*"' vfs_read
	[[ $output == *"file:path ~"* ]] || { echo "$output"; false; }
}

# As records have it, each path with the number of its reads; pipes and sockets are new ones each time.
by_records() {
	argdump -j vfs_read file -- "$@" | jq -c -s 'map(select(.type == "argdump").args.file | gsub("[0-9]+"; "N")) |
		group_by(.) | map([.[0], length])'
}

by_keys() {
	argdump -j --count --by file vfs_read -- "$@" | jq -c -s 'map(select(.by) | .by.file |= gsub("[0-9]+"; "N")) |
		group_by(.by.file) | map([.[0].by.file, (map(.count) | add)])'
}

everything='
	mount -t tmpfs none a; cp some a/in; exec 3<a/in; umount -l a; reads 1 some
	mkdir gone; cp some gone/x; exec 4<gone/x; rm -r gone; read -r -n 1 -u 3 b; read -r -n 3 -u 4 b
	exec 5< <(echo abc); read -r -u 5 b; exec 6<>/dev/udp/127.0.0.1/9; timeout 1 dd bs=1 count=1 <&6
	for name in "${names[@]}"; do mkdir -p "$name/$name"; cp some "$name/$name/f"; reads 3 "$name/$name/f"; done
	mkdir -p one two; mount --bind one two; cp some one/f; reads 2 one/f; reads 5 two/f; umount two
	mkdir -p from/d; mount --bind from two; cp some two/d/f; exec 7<two/d/f; mv from/d one/d; read -r -n 2 -u 7 b; umount -l two; rm -r one/d
	reads 4 /proc/version'

@test "a key is the text in records: pipes, sockets, mounts, removed files, hostile names" {
	local names=(' ' $'\n' $'\e[31m' '"' '\' '*?[a]' $'\xff\xc3(' '…' "$(printf 'n%.0s' {1..60})")
	ip link set lo up
	declare -p names >do
	echo "$everything" >>do
	by_records bash do >records
	rm -rf -- "${names[@]}" one two
	by_keys bash do >keys
	jq -e 'length > 15 and (map(.[0]) | any(test("^pipe:")) and any(test("^socket:")) and any(test("^.unreachable./")))' records ||
		{ cat records; false; }
	diff records keys
}

@test "conditions: equal, not equal, patterns; alone and with others; every way to attach" {
	local case methods='fentry kprobe'
	local -A cases=(
		["file:path ~ \"$PWD/a/*\""]=7
		["file:path ~ \"*/a/*/de?[a-p]\" && count == 1"]=7
		["contains(file:path, \"/b/c/\")"]=7
		["file:path == \"$PWD/some\""]=5
		["\"$PWD/some\" == file->f_path:path"]=5
		["file:path ~ \"$PWD/*\" && file:path != \"$PWD/some\""]=7
		["file:path == \"$PWD/some\" || file:path == \"/proc/version\""]=9
		['$comm == "reads" && count == 1 && !(file:path ~ "/proc/*")']=12
		['file->f_path.dentry:path == "/version"']=4
		['count == 1 && (file:path ~ "*/some" ? 1 : 0)']=5
	)
	grep -q ' register_fprobe_ips$' /proc/kallsyms && methods+=' kprobe.multi'
	for case in "${!cases[@]}"; do
		for method in $methods; do
			run -0 --separate-stderr argdump --attach $method --if "$case" vfs_read file -- \
				sh -c 'reads 7 a/b/c/deep; reads 5 some; reads 4 /proc/version'
			[ "$(rows 'reads  *file=')" -eq "${cases[$case]}" ] || { echo "$method $case: $output$stderr"; false; }
		done
	done
}

@test "a path of 50 directories is compared in full, of 90 the last 64; the ledger counts that" {
	local deep=$PWD/deep-50 deeper
	for _ in {1..50}; do deep+=/dd; done
	mkdir -p "$deep"
	cp some "$deep/last"
	run -0 --separate-stderr argdump --if "file:path ~ \"$PWD/deep-50/dd/*/last\"" vfs_read count -- reads 3 "$deep/last"
	[ "$(rows 'count=1$')" -eq 3 ] || { echo "$output$stderr"; false; }
	deeper=$deep
	for _ in {1..40}; do deeper+=/dd; done
	mkdir -p "$deeper"
	cp some "$deeper/last"
	run -0 --separate-stderr argdump --if "file:path ~ \"/*/last\"" vfs_read count -- reads 3 "$deeper/last"
	[ "$(rows 'count=1$')" -eq 0 ] || { echo "$output$stderr"; false; }
	[[ $stderr == *"3 values cut"* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr argdump --if 'file:path ~ "…/dd/*/last"' vfs_read count -- reads 3 "$deeper/last"
	[ "$(rows 'count=1$')" -eq 3 ] || { echo "$output$stderr"; false; }
}

@test "a key that is too long keeps its end; one as long as it likes" {
	local name
	name=$(printf 'd%.0s' {1..200})
	mkdir -p "$name/e"
	cp some "$name/e/f"
	run -0 --separate-stderr argdump -j --count --by file vfs_read -- reads 3 "$name/e/f"
	jq -e -s --arg tail "${name:16}/e/f" 'map(select(.by and (.by.file | endswith($tail)) and (.by.file | startswith("…"))).count) == [3]' <<<"$output" ||
		{ echo "$output$stderr"; false; }
	[[ $stderr == *"3 values cut"* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr argdump -j --count --by file:path:400 vfs_read -- reads 3 "$name/e/f"
	jq -e -s --arg whole "$PWD/$name/e/f" 'map(select(.by.file == $whole).count) == [3]' <<<"$output" || { echo "$output$stderr"; false; }
}

@test "the verifier follows the loop of a path, not each of its rounds" {
	local tool insns
	load wait
	coretap argdump --type 'struct bpf_verifier_state' | grep -q may_goto_depth ||
		skip "before Linux 6.9 programs have no may_goto: the verifier follows each round"
	argdump --count --by file vfs_read >out 2>err &
	tool=$!
	wait_attached $tool
	insns=$(cat /proc/$tool/fdinfo/* | awk '/^verified_insns:/ && $2 > most { most = $2 } END { print most + 0 }')
	kill -INT $tool
	wait $tool
	((insns > 500 && insns < 5000)) || { echo "verified: $insns instructions"; false; }
}

@test "while names change: each read is counted, by a name that the file had" {
	local short=s long
	long=$(printf 'l%.0s' {1..100})
	mkdir "$short"
	cp some "$short/f"
	run -0 --separate-stderr argdump -j -c reads --count --by file vfs_read -- bash -c \
		"(while mv -T $short $long && mv -T $long $short; do :; done) 2>/dev/null & until reads 20000 $short/f 2>/dev/null; do :; done; kill \$!; wait"
	jq -e -s --arg a "$PWD/$short/f" --arg b "$PWD/$long/f" 'map(select(.by)) | (map(.count) | add) >= 20000 and
		all(.by.file == null or .by.file == $a or .by.file == $b or (.by.file | startswith("/usr/lib") or startswith("/lib")))' <<<"$output" ||
		{ echo "$output$stderr"; false; }
}
