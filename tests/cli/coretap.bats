#!/usr/bin/env bats
# The command line of the whole suite: dispatch, help, versions, wrong options, exit codes, and
# that every example of every applet parses. Needs no root and traces nothing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/build/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
}

applets() {
	"$coretap" --list | awk '{print $1}'
}

@test "the binary is static, stripped and at most 1.6 MB" {
	file -L "$coretap" | grep -q 'statically linked'
	run ! grep -q debug_info <(readelf -S "$coretap")
	[ "$(stat -c %s "$coretap")" -le 1600000 ]
}

@test "--list names each applet with a summary, and each has a symlink that runs it" {
	[ "$(applets | wc -l)" -ge 4 ]
	for a in $(applets); do
		[ "$(readlink "build/$a")" = coretap ]
		"build/$a" --help | grep -q "^Usage: $a "
		"$coretap" "$a" --help | grep -q "^Usage: $a "
	done
}

@test "no argument prints the help and exits with 1" {
	run -1 "$coretap"
	[[ $output == *"Usage: coretap APPLET"* ]]
}

@test "--version prints one line" {
	run -0 "$coretap" --version
	[[ $output =~ ^coretap\ [^\ ]+$ ]]
}

@test "an unknown applet is told with the nearest name" {
	run -1 "$coretap" opensnop
	[[ $output == *"no applet 'opensnop'"* ]]
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

@test "wrong arguments of options are told, with exit code 1" {
	while read -r -a args; do
		run -1 "$coretap" opensnoop "${args[@]}"
		[[ $output == *"${args[0]%=*} "* ]] || { echo "not told: ${args[*]}: $output"; false; }
	done <<-'END'
		--pid 0
		--pid x
		--uid no-such-user
		--comm longer-than-fifteen
		--duration -1
		--buffer 3M
		--timestamp=never
		--rung ladder
	END
}

@test "-f without -p, and -- with -p, are refused" {
	run -1 "$coretap" opensnoop -f
	[[ $output == *"-p PID"* ]]
	run -1 "$coretap" opensnoop -p 1 -- true
	run -1 "$coretap" opensnoop --
}

@test "a closed stdout is an error" {
	run -3 bash -c "'$coretap' --list >/dev/full"
}

# The examples are lines of the help: two blanks and the applet's name. What the output is piped
# into is not ours to test.
@test "every example parses and plans" {
	for a in $(applets); do
		[ "$a" = doctor ] && continue
		while read -r example; do
			example=${example%% | *}
			run -0 bash -c "PATH=$PWD/build:\$PATH; cd $BATS_TEST_TMPDIR; ${example/$a/$a --dry-run --btf $btf}"
			[ -n "$output" ] || { echo "nothing from: $example"; false; }
		done < <("$coretap" "$a" --help | sed -n "s/^  \($a .*\)/\1/p")
	done
}

@test "every applet has an example" {
	for a in $(applets); do
		"$coretap" "$a" --help | grep -q "^  $a"
	done
}

@test "kernel types that cannot be read are told" {
	run -1 "$coretap" opensnoop --dry-run --btf /dev/null
	[[ $output == *"/dev/null"* ]]
	run -1 "$coretap" opensnoop --dry-run --btf /no/such/file
	[[ $output == *"No such file"* ]]
}

@test "an output file that cannot be written is told" {
	run -1 "$coretap" opensnoop --btf "$btf" -o /no/such/dir/file
	[[ $output == *"/no/such/dir/file"* ]]
}
