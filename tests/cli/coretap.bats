#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The command line of the whole suite: dispatch, help, versions, wrong options, exit codes, and
# that every example of every applet parses. Needs no root and traces nothing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
}

applets() {
	"$coretap" --list | awk 'NF > 1 {print $1}'
}

@test "--rung, as --attach was called once, still serves, and no help shows it" {
	btf=$(tools/fetch-kernel --btf 6.12)
	for option in --attach --rung; do
		run -0 "$coretap" argdump "$option" kprobe --dry-run --btf "$btf" vfs_read count
		[[ $output == "kprobe vfs_read"* ]]
	done
	[[ $("$coretap" argdump --help=all) == *--attach* && $("$coretap" argdump --help=all) != *rung* ]]
}

@test "the binary is static, stripped and at most 4 MB" {
	[[ ! ${BUILD:-} ]] || skip "this one has sanitizers"
	file -L "$coretap" | grep -q 'statically linked'
	run ! grep -q debug_info <(readelf -S "$coretap")
	[ "$(stat -c %s "$coretap")" -le 4000000 ]
}

@test "--list names each applet with a summary, and each has a symlink that runs it" {
	[ "$(applets | wc -l)" -ge 4 ]
	for a in $(applets); do
		[ "$(readlink "${BUILD:-build}/$a")" = coretap ]
		"${BUILD:-build}/$a" --help | grep -q "^Usage: $a "
		"$coretap" "$a" --help | grep -q "^Usage: coretap $a "
	done
}

@test "--help: no line of a field begins before its column, and no example is broken" {
	for a in $(applets); do
		run -0 "build/$a" --help=all
		run ! grep -vE '^(Fields:|  [a-z]|              [^ ]|$)' \
			<(sed -n '/^Fields:/,/^$/p' <<<"$output")
		run -0 "build/$a" --help=examples
		run ! grep -vE '^(Examples:|  [a-z]|      [^ ]|$)' \
			<(sed -n '/^Examples:/,/^$/p' <<<"$output")
	done
}

@test "no argument prints the help and exits with 1" {
	run -1 "$coretap"
	[[ $output == *"Usage: coretap APPLET"* ]]
}

@test "-h, -V and --version in every applet; help and version as words; the list by -l" {
	version=$("$coretap" --version)
	for a in $(applets); do
		run -0 "$coretap" "$a" -h
		[[ $output == "Usage: coretap $a "* || $output == "Usage: $a "* ]]
		[ "$("$coretap" "$a" --version)" = "$version" ]
		[ "$("$coretap" "$a" -V)" = "$version" ]
	done
	[ "$("$coretap" version)" = "$version" ]
	[ "$("$coretap" help)" = "$("$coretap" --help)" ]
	[ "$("$coretap" -l)" = "$("$coretap" --list)" ]
}

@test "a failed write is reported, and is not a success" {
	for words in "--help" "--man argdump" "argdump --help" "argdump --dry-run --btf $btf vfs_read" \
		"argdump --list --btf $btf vfs_read"; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr bash -c '"$@" >/dev/full' - "$coretap" $words
		[[ $stderr == *"cannot write to"*"No space left on device"* ]] || { echo "$words: $stderr"; false; }
		# shellcheck disable=SC2086
		run -3 --separate-stderr bash -c '"$@" >&-' - "$coretap" $words
		[[ $stderr == *"cannot write to"* ]] || { echo "$words: $stderr"; false; }
	done
}

@test "--version prints one line" {
	run -0 "$coretap" --version
	[[ $output =~ ^coretap\ [^\ ]+$ ]]
}

@test "an unknown applet is reported with the nearest name" {
	run -1 "$coretap" opensnop
	[[ $output == *"unknown tool 'opensnop'"* ]]
	[[ $output == *opensnoop* ]]
}

@test "the name of an applet may hold any bytes" {
	run -1 "$coretap" $'\e[31mx'
	[[ $output != *$'\e'* ]]
}

@test "a wrong option is a usage error in every applet" {
	for a in $(applets); do
		run -1 "$coretap" "$a" --no-such-option
	done
}

@test "wrong arguments of options are reported, with exit code 1" {
	while read -r -a args; do
		run -1 "$coretap" opensnoop "${args[@]}"
		[[ $output == *"${args[0]%=*} "* ]] || { echo "not told: ${args[*]}: $output"; false; }
	done <<-'END'
		--pid 0
		--pid x
		--pid 1,,2
		--tid 1,0
		--uid root,no-such-user
		--comm a,longer-than-fifteen
		--uid no-such-user
		--comm longer-than-fifteen
		--duration -1
		--buffer 3M
		--timestamp=never
		--attach order
	END
}

@test "an option that takes one value refuses two, and names both" {
	while read -r option first second; do
		run -1 "$coretap" opensnoop "$option" "$first" "$option" "$second"
		[[ $output == *"$option is given twice, as '$first' and '$second'"* ]] || { echo "$output"; false; }
	done <<-'END'
		--duration 3 5
		--output a b
		--events 1 2
		--btf /a /b
		--buffer 64K 128K
		--attach kprobe fentry
	END
	run -1 "$coretap" argdump -s 64 --string 128 vfs_read
	[[ $output == *"--string is given twice, as '64' and '128'"* ]]
	run -1 "$coretap" opensnoop --timestamp=rel -T
	[[ $output == *"--timestamp is given twice, as 'rel' and ''"* ]]
	# a file says what holds if the command line does not say otherwise
	printf '%s\n' '--attach kprobe' vfs_read >"$BATS_TEST_TMPDIR/load"
	run -0 "$coretap" argdump --attach fentry --dry-run --btf "$btf" --load "$BATS_TEST_TMPDIR/load"
	[[ $output == fentry* ]]
	run -0 "$coretap" argdump --dry-run --btf "$btf" --load "$BATS_TEST_TMPDIR/load"
	[[ $output == kprobe* ]]
}

@test "--dry-run leaves the file of -o, --pcap and --trace-json as it is" {
	btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR"
	echo kept >file
	for option in -o --pcap --trace-json; do
		run -0 "$coretap" argdump --dry-run --btf "$btf" "$option" file tcp_v4_rcv skb:packet
		[[ $output == *tcp_v4_rcv* && $(<file) == kept ]]
	done
	run -0 "$coretap" opensnoop --dry-run --btf "$btf" -o file
	[[ $output == *openat* && $(<file) == kept ]]
}

@test "a mistake in a file of --load is reported with its line" {
	btf=$(tools/fetch-kernel --btf 6.12)
	printf '%s\n' '# two probes' 'vfs_read count' 'vfs_write cuont --if "count > 4"' '-n 3' >"$BATS_TEST_TMPDIR/two"
	run -1 "$coretap" argdump --dry-run --btf "$btf" --load "$BATS_TEST_TMPDIR/two"
	[[ $output == *"no parameter cuont"*"this is in line 3 of '$BATS_TEST_TMPDIR/two'"* ]]
	# and one of the command line is not
	sed -i s/cuont/count/ "$BATS_TEST_TMPDIR/two"
	run -1 "$coretap" argdump --dry-run --btf "$btf" --load "$BATS_TEST_TMPDIR/two" vfs_write cuont
	[[ $output == *"no parameter cuont"* && $output != *"this is in line"* ]]
}

@test "--dry-run: what would be attached, also of a program; unknown columns are refused as in a run" {
	run -0 "$coretap" tcplife --dry-run --btf "$btf"
	[[ $output == *rawtracepoint:vmlinux:inet_sock_set_state* ]]
	local line
	while read -r line; do
		# shellcheck disable=SC2086 # words
		run -1 "$coretap" ${line/ / --dry-run --btf $btf }
		[[ $output == *": unknown value 'nosuch'"* ]] || { echo "$line: $output"; false; }
	done <<-'END'
		opensnoop --columns nosuch
		execsnoop -x --columns pid,nosuch
		biosnoop --columns nosuch
		tcplife --columns nosuch
		argdump --columns nosuch vfs_read count
		argdump --columns nosuch vfs_read count --until vfs_write
		argdump --sort nosuch --count vfs_read
		argdump --sort nosuch --count --by file vfs_read --until vfs_write
	END
}

@test "-T with -j: JSON has both clocks anyway" {
	for form in -T -Trel --timestamp=iso; do
		run -1 "$coretap" opensnoop -j $form --dry-run --btf "$btf"
		[[ $output == *'--timestamp and --json exclude each other: each record has "time" and "ts_ns" in JSON'* ]] || { echo "$output"; false; }
	done
	run -1 "$coretap" opensnoop --timestamp=now
	[[ $output == *"expected clock, iso, rel, mono, unix or utc"* ]]
}

@test "repeatable options may be repeated, as the help states" {
	run -0 "$coretap" opensnoop --dry-run --btf "$btf" -v -v -x -x -e -e -p 1 -p 2,3 -t 4,5 -u root -u 1,2 \
		-c 'a*' -c 'b,[,]c'
	run -0 "$coretap" argdump --dry-run --btf "$btf" --if 'count < 10' --if 'count > 4' -c sh,bash vfs_read
	run -0 "$coretap" argdump --save "$BATS_TEST_TMPDIR/two" --btf "$btf" --if 'count < 10' --if 'count > 4' vfs_read
	[ "$(grep -c "^--if 'count [<>] [0-9]*'$" "$BATS_TEST_TMPDIR/two")" -eq 2 ]
	for option in pid tid uid comm; do
		"$coretap" opensnoop --help=options | tr -s ' \n' ' ' | grep -q -- "--$option=[^-]*[^=]*(may be repeated)"
	done
	"$coretap" argdump --help=options | tr -s ' \n' ' ' | grep -q -- '--if=EXPR [^(]*([^)]*)[^(]*(may be repeated)'
	run -1 "$coretap" opensnoop -p "$(seq -s , 1 33)"
	[[ $output == *'at most 32'* ]]
	run -1 "$coretap" opensnoop -c "$(printf 'abcdefghijklm%02d,' {1..19})z"
	[[ $output == *'too complex together'* ]]
	run -1 "$coretap" opensnoop -c 'a[b'
	[[ $output == *'--comm: a [ in a pattern has no ]'* ]]
}

@test "-f without -p, and -- with -p, are refused" {
	run -1 "$coretap" opensnoop -f
	[[ $output == *"-p PID"* ]]
	run -1 "$coretap" opensnoop -p 1 -- true
	run -1 "$coretap" opensnoop --
	run -1 "$coretap" opensnoop --keep
}

@test "--json-strings: numbers that a double rounds are strings; it needs -j" {
	look=("$coretap" argdump --btf "$btf" --type 'enum perf_callchain_context')
	highest='.values[] | select(.name == "PERF_CONTEXT_HV") | .value'
	[ "$("${look[@]}" -j | grep -oE '"PERF_CONTEXT_HV","value":[^}]*')" = '"PERF_CONTEXT_HV","value":18446744073709551584' ]
	[ "$("${look[@]}" -j --json-strings | jq "$highest")" = '"18446744073709551584"' ]
	run -1 "${look[@]}" --json-strings
	[[ $output == *"--json-strings has no effect without -j"* ]]
	for a in $(applets); do
		grep -q -- --json-strings <<<"$("$coretap" "$a" --help=options)"
	done
}

@test "-p and -t of missing tasks are refused before anything is touched" {
	for option in -p -t; do
		run -1 "$coretap" opensnoop -o "$BATS_TEST_TMPDIR/out" $option 4294967295
		[[ $output == *" 4294967295: it does not exist"* && ! -e $BATS_TEST_TMPDIR/out ]]
	done
}

@test "a closed stdout is an error" {
	run -3 bash -c "'$coretap' --list >/dev/full"
}

# The examples are lines of the help: two blanks and the applet's name. What the output is piped
# into is not ours to test.
@test "every example parses and plans" {
	for a in $(applets); do
		[ "$a" = doctor ] && continue
		grep -qE "^$a ([*?]|6.12) " tests/cli/recipes.not && continue # says why
		while read -r example; do
			example=${example%% | *}
			run -0 bash -c "PATH=$PWD/build:\$PATH; cd $BATS_TEST_TMPDIR; ${example/$a/$a --dry-run -v --btf $btf}"
			[[ $output || $example == *" -o "* ]] || { echo "nothing from: $example"; false; }
		done < <("$coretap" "$a" --help=examples | sed -n "s/^  coretap \($a .*\)/\1/p")
	done
}

@test "every applet has an example" {
	for a in $(applets); do
		"$coretap" "$a" --help=examples | grep -q "^  coretap $a"
	done
}

@test "unreadable kernel types are reported" {
	run -1 "$coretap" opensnoop --dry-run --btf /dev/null
	[[ $output == *"/dev/null"* ]]
	run -1 "$coretap" opensnoop --dry-run --btf /no/such/file
	[[ $output == *"No such file"* ]]
}

@test "an output file that cannot be written is reported" {
	run -1 "$coretap" opensnoop --btf "$btf" -o /no/such/dir/file
	[[ $output == *"/no/such/dir/file"* ]]
}

@test "list, help and -h as words" {
	[[ $("$coretap" list) == "$("$coretap" --list)" && $("$coretap" help profile) == "$("$coretap" profile --help)" ]]
	[[ $("$coretap" -h opensnoop) == "$("$coretap" opensnoop --help)" && $("$coretap" help) == "$("$coretap" --help)" ]]
}

@test "the C library's name services are not linked: in a static program they load libraries at run time" {
	map=${BUILD:-build}/coretap.debug.map
	grep -qF 'libc.a(printf.o)' "$map" || skip "this build is not static"
	run -1 grep -oE 'libc\.a\((nsswitch|getpwnam_r|getpwuid_r|res_query|getaddrinfo|wordexp)\.o\)' "$map"
	[[ ! $output ]]
}

@test "a wrong word is an error before a lack of rights is" {
	[ "$(id -u)" = 0 ] || skip "only root can become another user"
	cp "$coretap" "$BATS_TEST_TMPDIR/copy"
	chmod 755 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/copy"
	while IFS='|' read -r line wants; do
		# shellcheck disable=SC2086 # words
		run -1 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$BATS_TEST_TMPDIR/copy" $line
		[[ $output == *"$wants"* && $output != *"missing CAP"* ]] || { echo "$line: $output"; false; }
	done <<-'END'
		opensnoop --columns nosuch|--columns: unknown value 'nosuch'
		opensnoop --until nosuch==1|--until: unknown value 'nosuch'
		execsnoop --where nosuch==1|--where: unknown value 'nosuch'
		connsnoop --where pid|--where: expected a name and a comparison
		biosnoop --count --sort nosuch|--sort: unknown value 'nosuch'
		syssnoop -e nosuch|there is no such system call
	END
}
