#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# doctor with --btf: what types alone can tell. Nothing is loaded and no rights are needed, so this
# runs anywhere; doctor on a running kernel is tested in guests (tests/live/doctor.bats).

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	doctor=$PWD/${BUILD:-build}/doctor
}

# A BTF with no types: header (magic, version 1, its length, no types, one byte of strings), "".
btf_empty() {
	printf '\x9f\xeb\x01\x00\x18\x00\x00\x00\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0'
}

@test "every kernel at hand: each applet has an answer, and only types are looked at" {
	applets=$("${BUILD:-build}/coretap" --list | awk '!NF {exit} $1 != "doctor" {print $1}')
	for kernel in 5.10 6.1 6.12 6.18 7; do
		run -0 --separate-stderr "$doctor" -j --btf "$(tools/fetch-kernel --btf "$kernel")"
		[ -z "$stderr" ]
		[ "$(jq -r 'select(.group == "applet") | .name' <<<"$output")" = "$applets" ]
		jq -e -s 'all(.[] | select(.group == "applet"); .answer | IN("yes", "partly"))' <<<"$output"
		[ "$(jq -r 'select(.group == "kernel") | .name' <<<"$output")" = $'types (BTF)\nfields' ]
		jq -e -s 'all(.[] | select(.group == "kernel"); .answer == "yes")' <<<"$output"
		jq -e -s 'all(.[]; .group != "attach" and .group != "feature")' <<<"$output"
	done
}

@test "an option that could not be tried is neither one that works nor one that the kernel refuses" {
	kernel=$(tools/fetch-kernel --btf 6.12)
	# the trial needs pipes, doctor itself does not
	run -0 bash -c "ulimit -n 6; exec '$doctor' -j --btf '$kernel' biosnoop"
	answer=$(jq -c 'select(.name == "biosnoop")' <<<"$output")
	jq -e '.answer == "partly" and (.text | endswith("; could not be tried: --files, --count"))' <<<"$answer"
	# with enough, each that an applet names is one that it takes
	run -0 --separate-stderr "$doctor" -j --btf "$kernel"
	jq -e -s 'all(.[]; .text | test("could not be tried") | not)' <<<"$output"
}

@test "types without any function: nothing can be traced, exit code 2" {
	btf_empty >"$BATS_TEST_TMPDIR/btf"
	run -2 --separate-stderr "$doctor" --btf "$BATS_TEST_TMPDIR/btf"
	[[ $output == *"argdump             no"* ]]
	[[ $output == *"opensnoop           no"* ]]
	[[ $output == *"execsnoop           no"* ]]
	run -2 --separate-stderr "$doctor" -j --btf "$BATS_TEST_TMPDIR/btf"
	jq -e -s 'all(.[] | select(.group == "applet"); .answer == "no" and (.text | length) > 0)' \
		<<<"$output"
}

@test "a file that is no BTF is a usage error" {
	for file in /dev/null /etc/passwd /no/such/file; do
		run -1 "$doctor" --btf "$file"
		[[ $output == *"$file"* ]]
	done
}

@test "output that cannot be written is an error" {
	run -3 bash -c "'$doctor' --btf '$(tools/fetch-kernel --btf 6.12)' >/dev/full"
}

@test "a tool that does not exist" {
	run -1 "$doctor" --btf "$(tools/fetch-kernel --btf 6.12)" extra
}

@test "recipes: all, or those that are named; missing features are reported" {
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR
	mkdir "$BATS_TEST_TMPDIR/coretap"
	printf 'recipe broken: x\nnosuch_function\nexample : x\n' >"$BATS_TEST_TMPDIR/coretap/broken.probe"
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$doctor" --recipes --btf "$btf"
	[[ $output == *"vfsstat             yes     "*" vfs_read "* ]]
	[[ $output == *"broken              no      "*"nosuch_function"* ]]
	run -0 --separate-stderr "$doctor" tcpconnect opensnoop --btf "$btf"
	[[ $output == *"opensnoop  "*"tcpconnect  "* && $output != *argdump* && $output != *vfsstat* ]]
	run -2 --separate-stderr "$doctor" broken --btf "$btf"
	run -1 "$doctor" tcpconect --btf "$btf"
	[[ $output == *"unknown tool 'tcpconect'"*"did you mean tcpconnect?"* ]]
}

# ---- kernels of which there are only files ----

# The five kernels, in a folder each way: of raw BTF, of folders, of images that boot.
kernels_link() { # FOLDER
	local kernel btf folder name
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(realpath "$(tools/fetch-kernel --btf "$kernel")")
		folder=${btf%/*}
		name=${folder##*/}
		mkdir -p "$1"/{raw,folders,boot}
		ln -s "$btf" "$1/raw/$name.btf"
		ln -s "$folder" "$1/folders/$name"
		ln -s "$folder/vmlinuz" "$1/boot/vmlinuz-$name"
	done
}

@test "--kernel: a folder's kernels have the answers that each has by itself" {
	kernels_link "$BATS_TEST_TMPDIR"
	run -0 --separate-stderr "$doctor" -j --kernel "$BATS_TEST_TMPDIR/raw" tcpcong opensnoop
	[ -z "$stderr" ]
	all=$output
	[ "$(jq -r .kernel <<<"$all" | sort -Vu)" = "$(basename -as .btf "$BATS_TEST_TMPDIR"/raw/* | sort -V)" ]
	for kernel in "$BATS_TEST_TMPDIR"/raw/*; do
		name=$(basename "$kernel" .btf)
		run "$doctor" -j --btf "$kernel" tcpcong opensnoop
		[ "$(jq -c --arg k "$name" 'select(.kernel == $k) | .kernel = null' <<<"$all")" = \
			"$(jq -c 'select(.group | IN("applet", "recipe"))' <<<"$output")" ]
	done
	for form in folders boot; do
		run -0 --separate-stderr "$doctor" -j --kernel "$BATS_TEST_TMPDIR/$form" tcpcong opensnoop
		[ "$output" = "$all" ]
	done
}

@test "--kernel: the table has the first version, and reasons" {
	kernels_link "$BATS_TEST_TMPDIR"
	run -0 --separate-stderr "$doctor" --kernel "$BATS_TEST_TMPDIR/raw" tcpcong runqlat opensnoop
	grep -qE '^  opensnoop +yes +yes +yes +yes +yes$' <<<"$output"
	grep -qE '^  runqlat +yes +yes +yes +yes +yes$' <<<"$output"
	grep -qE '^  tcpcong +no +yes +yes +yes +yes$' <<<"$output"
	grep -qE '^ +before 6\.1\.[0-9]+: .*tcp_cong_state_set' <<<"$output"
	[ "$(grep -c tcp_cong <<<"$output")" -eq 1 ]
	run -0 --separate-stderr "$doctor" -v --kernel "$BATS_TEST_TMPDIR/raw" opensnoop
	grep -qE '^ +5\.10\.[0-9]+, 6\.12\.[0-9]+, 6\.18\.[0-9]+: all 5 hooks' <<<"$output"
	# of one of them nothing that is asked for works
	run -2 --separate-stderr "$doctor" --kernel "$BATS_TEST_TMPDIR/raw" tcpcong
	# a single one: the whole report
	run -0 --separate-stderr "$doctor" --kernel "$(tools/fetch-kernel --btf 6.12)" tcpcong
	[[ $output == *"fields  "*"all "*"tcpcong  "*" yes "* ]]
}

# With another name in the place of a member's.
member_without() { # NAME BTF
	LC_ALL=C sed "s/\x00$1\x00/\x00${1%?}~\x00/" "$2"
}

@test "--kernel: an applet whose programs read a member that is missing does not work, others do" {
	member_without mnt_parent "$(tools/fetch-kernel --btf 6.12)" >"$BATS_TEST_TMPDIR/btf"
	run -0 --separate-stderr "$doctor" --kernel "$BATS_TEST_TMPDIR/btf"
	grep -qE '^  opensnoop +no +missing, or of another type: mount\.mnt_parent$' <<<"$output"
	grep -qE '^  biolatency +yes ' <<<"$output"
}

@test "--btf: raw, in a vmlinux, in an image, compressed as kernels are" {
	btf=$(realpath "$(tools/fetch-kernel --btf 6.12)")
	plan() { "${BUILD:-build}/argdump" --dry-run --btf "$1" vfs_read 'file->f_inode->i_sb->s_type->name' '*file'; }
	plan "$btf" >"$BATS_TEST_TMPDIR/plan"
	[ -s "$BATS_TEST_TMPDIR/plan" ]
	for file in vmlinux vmlinuz; do
		plan "${btf%/*}/$file" | cmp - "$BATS_TEST_TMPDIR/plan"
	done
	for packer in gzip zstd xz 'lz4 -l' 'xz --format=lzma'; do
		command -v "${packer%% *}" >/dev/null || { echo "# no $packer here" >&3; continue; }
		$packer -1 -c <"$btf" >"$BATS_TEST_TMPDIR/packed"
		plan "$BATS_TEST_TMPDIR/packed" | cmp - "$BATS_TEST_TMPDIR/plan"
	done
	# an image without sections
	{ head -c 12345 /dev/zero; cat "$btf"; head -c 777 /dev/zero; } >"$BATS_TEST_TMPDIR/image"
	plan "$BATS_TEST_TMPDIR/image" | cmp - "$BATS_TEST_TMPDIR/plan"
}

@test "--btf, --kernel: files that are not kernels, or cannot be unpacked" {
	xz -1 -c <"$(tools/fetch-kernel --btf 6.12)" >"$BATS_TEST_TMPDIR/packed"
	PATH=/nowhere "${BUILD:-build}/argdump" --dry-run --btf "$BATS_TEST_TMPDIR/packed" vfs_read file
	printf 'BZh91AY&SY' >"$BATS_TEST_TMPDIR/other"
	run -1 "$doctor" --btf "$BATS_TEST_TMPDIR/other"
	[[ $output == *"it is compressed by bzip2: unpack it first (bzip2 -dc)"* ]]
	head -c 100000 "$BATS_TEST_TMPDIR/packed" >"$BATS_TEST_TMPDIR/cut"
	for file in /etc/passwd "$BATS_TEST_TMPDIR/cut"; do
		run -1 "$doctor" --kernel "$file"
		[[ $output == *"it contains no BTF"* ]]
	done
	mkdir "$BATS_TEST_TMPDIR/empty"
	run -1 "$doctor" --kernel "$BATS_TEST_TMPDIR/empty"
	[[ $output == *"no kernel found in '$BATS_TEST_TMPDIR/empty'"* ]]
	run -1 "$doctor" --kernel 99.9-nosuch
	[[ $output == *"'99.9-nosuch' is neither a file nor the version of a kernel"* ]]
	run -1 "$doctor" --kernel /no/such/file
	[[ $output == *"No such file"* ]]
	run -1 "$doctor" --kernel "$BATS_TEST_TMPDIR/packed" --btf "$BATS_TEST_TMPDIR/packed"
	[[ $output == *"exclude each other"* ]]
}

@test "a saved probe by its path" {
	"${BUILD:-build}/argdump" --save "$BATS_TEST_TMPDIR/reads.probe" --btf "$(tools/fetch-kernel --btf 6.12)" vfs_read count
	echo 'nosuch_function' >"$BATS_TEST_TMPDIR/bad.probe"
	run -0 --separate-stderr "$doctor" --kernel "$(tools/fetch-kernel --btf 6.12)" "$BATS_TEST_TMPDIR"/{reads,bad}.probe
	grep -qE "reads.probe +yes +fentry vfs_read" <<<"$output"
	grep -qE "bad.probe +no +.*nosuch_function" <<<"$output"
	run -1 "$doctor" ./nosuch.probe
	[[ $output == *"No such file"* ]]
}

@test "flavours of one version have heads of their own" {
	local copies=$BATS_TEST_TMPDIR/kernels one two
	mkdir -p "$copies"
	one=$copies/6.12.9-cloud-amd64 two=$copies/6.12.9-rt-amd64
	for copy in "$one" "$two"; do
		mkdir "$copy"
		cp "$(tools/fetch-kernel --btf 6.12)" "$copy/btf"
	done
	run -0 "$doctor" --kernel "$one/btf" --kernel "$two/btf" execsnoop
	[[ $output == *"Applets               6.12.9-cloud-amd64  6.12.9-rt-amd64"* ]] || { echo "$output"; false; }
	run -0 "$doctor" --kernel "$one/btf" --kernel "$(tools/fetch-kernel --btf 5.10)" execsnoop
	[[ $output == *"Applets               5.10.0  6.12.9"$'\n'* ]] || { echo "$output"; false; }
}
