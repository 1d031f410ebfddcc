#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Bytes of users in messages and in help: whatever is typed, or stands in a file, nothing reaches the terminal that
# drives it, or that looks like a message of ours. Needs no root.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$PWD/$(tools/fetch-kernel --btf 6.12)
	[[ -e $btf ]] || btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR" || return # options write files of these names
	bad=$'a\e[31m\xffb\nargdump: fine'
}

say() { # WORDS...: runs them; what is asked is what is printed, of all of them at the end
	local status=0
	printf '== %q\n' "$*" >>"$BATS_TEST_TMPDIR/said"
	timeout 20 "$coretap" "$@" >>"$BATS_TEST_TMPDIR/said" 2>&1 </dev/null || status=$?
	((status < 124)) || { echo "$*: status $status"; tail -n 3 "$BATS_TEST_TMPDIR/said" | cat -v; false; }
}

# All bytes are printable UTF-8 in lines, none of which is the one that was typed. (bats does not stop a teardown at what fails.)
teardown() {
	local said=$BATS_TEST_TMPDIR/said
	[[ -e $said ]] || return 0
	iconv -f UTF-8 -t UTF-8 <"$said" >/dev/null || { LC_ALL=C.UTF-8 grep -naxv '.*' "$said" | cat -v; return 1; }
	if LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]' "$said" | cat -v | grep .; then return 1; fi
	if grep -naxB 3 'argdump: fine' "$said"; then return 1; fi
}

options_of() { # APPLET
	"$coretap" "$1" --help=options | grep -oE -- '--[a-z][a-z-]+' | sort -u
}

@test "an argument of any option" {
	local applet option count=0
	for applet in argdump opensnoop syssnoop execsnoop connsnoop biosnoop funcgraph bt doctor tcplife; do
		for option in $(options_of "$applet"); do
			[[ $option != --@(help|usage|version) ]] || continue
			case $applet in
			doctor) say "$applet" "$option=$bad" --btf /nonexistent ;;
			*) say "$applet" --dry-run --btf "$btf" "$option=$bad" "$bad" ;;
			esac
			count=$((count + 1))
		done
	done
	echo "$count"
	((count > 300))
}

@test "options that there are not, and words" {
	local words=("--$bad" "--pid$bad=3" $'-\e' $'-\xff' "-p$bad" "-u$bad" "-d$bad" "-c$bad" "--help=$bad" "$bad")
	for applet in argdump opensnoop syssnoop doctor trace bt; do
		for word in "${words[@]}"; do
			say "$applet" "$word"
		done
	done
	for word in "$bad" "./$bad" --man "--$bad" --completion --complete; do
		say "$word" "$bad"
	done
}

@test "output of --dry-run and --dump for expressions" {
	for how in --dry-run --dump=tokens --dump=ast --dump=plan --dump=insns; do
		say argdump "$how" --btf "$btf" vfs_read $'x="\e[31m"' $'y="\xe2\x80\xae"' $'buf:str == "\e\xff"' --if $'$comm == "\e[3m"'
	done
	run "$coretap" argdump --dry-run --btf "$btf" vfs_read $'x="\e[31m"'
	[ "$status" -eq 0 ]
	[[ $output == *'x="\x1b[31m"'* ]]
}

@test "a hint names options that the tool has" {
	# memleak is a pair, whose --keys only argdump has; the hint's other part stays
	"$coretap" memleak --help=options | grep -q -- --keys && false
	run "$coretap" memleak --dry-run --btf "$btf" --keys 9
	[ "$status" -eq 1 ]
	[[ $output != *"larger --keys"* ]]
}

@test "an ambiguous option is one message, as is one with a newline" {
	"$coretap" argdump --s 2>said || true
	[[ $(head -1 said) == "argdump: option '--s' is ambiguous;"*--screen* ]]
	"$coretap" argdump $'--zz\nargdump: fine\n' 2>said || true
	[[ $(head -1 said) == "argdump: unknown option --zz\\nargdump: fine\\n" ]]
	[ "$(wc -l <said)" -eq 2 ]
}

@test "a file's own texts: in --help, --list, --man, and in errors" {
	local place bytes
	export XDG_CONFIG_HOME=$PWD
	mkdir -p coretap
	for bytes in $'\e[31m' $'\xff' $'\xe2\x80\xae' $'\x9b' $'\xc2\x9b'; do
		for place in "recipe evil: X$bytes" "recipe evil: x
    About it$bytes." "recipe evil: x
option --min N: X$bytes" "recipe evil: x
example evil: X$bytes" "recipe evil: x
theme: X$bytes" "vfs_read $bytes" "--$bytes"; do
			printf '%s\nvfs_read count\n' "$place" >coretap/evil.probe
			say evil --help
			say evil --help=all
			say ./coretap/evil.probe --dry-run --btf "$btf"
			say --man evil
			say --list
			say --table
			say argdump --load coretap/evil.probe --dry-run --btf "$btf"
		done
	done
	printf 'recipe evil: x\nvfs_read \e\n' >coretap/evil.probe
	run "$coretap" evil --dry-run --btf "$btf"
	[ "$status" -eq 1 ]
	[[ $output == *"evil.probe:2: "*"control character"* ]]
	[[ $output == *'$'"'\\x1b'"* || $output == *'\\x1b'* ]]
}

@test "the name of a file becomes a tool's name, with any bytes" {
	echo 'vfs_read count' >"./$bad" || skip "no such file name here"
	say "./$bad" --help
	say "./$bad" --usage
	say "./$bad" --zz
	say "./$bad" --dry-run --btf "$btf"
}

@test "comments of a file may have any bytes; a word has them as bash writes them" {
	printf '# \xff\e\nvfs_read --if '"'"'$comm == "a"'"'"' -c $'"'"'\\xff'"'"'\n' >x.probe
	run -0 "$coretap" ./x.probe --dry-run --btf "$btf"
}

@test "a home that cannot be searched, or is not a folder, has no recipes: a mistyped tool is reported as such" {
	mkdir -p home/.config
	unset XDG_CONFIG_HOME
	for HOME in "$PWD/home" /dev/null /nonexistent "$(printf '/%05000d' 0)"; do
		export HOME
		[[ $HOME != *home ]] || chmod 0 home
		if ((UID)); then
			run "$coretap" argdmp
		elif command -v setpriv >/dev/null; then
			run setpriv --reuid 65534 --regid 65534 --clear-groups "$coretap" argdmp
		fi
		chmod 755 home
		echo "$HOME: $output"
		[ "$status" -eq 1 ]
		[[ $output == *"unknown tool 'argdmp'"*"argdump"* ]]
	done
}

@test "a newline at the end of an untrusted word is shown" {
	local word
	for word in $'--nosuch\n' $'--no\nsuch\n'; do
		run -1 --separate-stderr "$coretap" execsnoop "$word"
		[[ $stderr == *"unknown option ${word//$'\n'/\\n}"$'\n'* ]] || { echo "$stderr"; false; }
	done
	run -1 --separate-stderr "$coretap" doctor $'--kernel=/no/such\n'
	[[ $stderr == *'/no/such\n'* ]]
	run -1 --separate-stderr "$coretap" $'execsnop\n'
	[[ $stderr == *"'execsnop\n'"* ]]
}
