#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes: every one is planned with the types of every kernel at hand; the head's parts; what is
# wrong with a recipe or with what the user gave. Needs no root and traces nothing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/config
	mkdir -p "$XDG_CONFIG_HOME/coretap"
}

plan_all() { # KERNEL
	local answers expected unsure
	unsure=$(awk '$2 == "?" {print $1}' tests/cli/recipes.not)
	answers=$("$coretap" doctor -j --recipes --btf "$(tools/fetch-kernel --btf "$1")" |
		jq -r 'select(.group == "recipe") | .name + " " + .answer + " " + (.text // "")')
	[ "$(wc -l <<<"$answers")" -eq "$(ls recipes/*.probe | wc -l)" ]
	expected=$(awk -v kernel="$1" '$2 == kernel || $2 == "*" {print $1}' tests/cli/recipes.not | sort)
	[ "$(awk '$2 != "yes" {print $1}' <<<"$answers" | grep -vxF "$unsure")" = "$expected" ] ||
		{ awk '$2 != "yes"' <<<"$answers"; echo "expected: $expected"; false; }
}

@test "every recipe is planned on 5.10" {
	plan_all 5.10
}
@test "every recipe is planned on 6.1" {
	plan_all 6.1
}
@test "every recipe is planned on 6.12" {
	plan_all 6.12
}
@test "every recipe is planned on 6.18" {
	plan_all 6.18
}
@test "every recipe is planned on 7.x" {
	plan_all 7
}

@test "every recipe has a theme, an example and a symlink, and its file has its name" {
	local completed listed file name text line=$'[^\n]'
	completed="$("$coretap" --completion | tail -n 1) "
	listed=$("$coretap" --list)
	for file in recipes/*.probe; do
		name=${file##*/}
		name=${name%.probe}
		text=$'\n'$(<"$file")$'\n'
		[[ $text =~ $'\n'"recipe $name: "([a-z]|[A-Z][A-Z]) && $text =~ $'\n''theme '[a-z]+$'\n' && $text == *$'\n''example '* ]]
		[[ $text =~ $'\n'sees\ $line{20} && $text =~ $'\n'unseen\ $line{20} ]] || { echo "$name does not say what it sees, and what it does not"; false; }
		[[ $("$coretap" "$name" --help) == *$'\nSees: '*$'\nDoes not see: '* ]]
		[[ build/$name -ef build/coretap && -L build/$name ]]
		[[ $listed == *"  $name "* ]]
		[[ $("$coretap" --man "$name") == *".SH OPTIONS"* ]]
		[[ $completed == *" $name "* ]]
	done
}

# "NAME KEY" of each pair and of each map in FILE that owned_by does not declare. A map of aggregates alone is a result.
states_of() { # FILE
	local name=${1##*/}
	name=${name%.probe}
	sed -n '/^\(program\|part .*\)$/q; s/\(.*[ )]\|^\)--on  *\('"'[^']*'"'\|[^ ]*\).*/\2/p' "$1" | sed "s/^'//; s/'\$//" | awk -v n="$name" '{ print n "\t" $0 }'
	awk -v n="$name" '
		/^(program|part .*)$/ || FILENAME ~ /\.part$/ { is_program = 1 }
		is_program && /^import "/ {
			split($0, w, "\"")
			while ((getline line <("recipes/" w[2] ".part")) > 0)
				if (line ~ /^let @[a-z_]+ = owned_by\(/) { split(line, w2, /[ @]+/); owned[w2[2]] = 1 }
		}
		is_program && /^let @[a-z_]+ = owned_by\(/ { split($0, w, /[ @]+/); owned[w[2]] = 1 }
		is_program && !/^(let|part|\/\/)/ {
			line = $0
			while (match(line, /@[a-z_]+\[/)) {
				map = substr(line, RSTART + 1, RLENGTH - 2)
				line = substr(line, RSTART + RLENGTH)
				key = ""
				for (depth = 1; depth && line != ""; line = substr(line, 2)) {
					c = substr(line, 1, 1)
					depth += (c == "[") - (c == "]")
					if (depth) key = key c
				}
				if (line ~ /^ *(=[^=]|[+]=|[+][+]|--)/ && line !~ /^ *= *(count|sum|max|min|avg|hist|lhist)\(/) set[map "[" key "]"] = map
			}
		}
		END { for (k in set) if (!(set[k] in owned)) print n "\t@" k }' "$1"
}

# What is kept under an address must not be inherited by whoever has that address next.
@test "pairs and maps of recipes end with their owner, or tests/cli/owners.tbl says why they need not" {
	local file found
	found=$(for file in recipes/*.probe recipes/*.part; do states_of "$file"; done | sort -u)
	[ "$(wc -l <<<"$found")" -ge 30 ]
	diff <(grep -v '^#' tests/cli/owners.tbl | cut -f 1,2 | sort) - <<<"$found"
	# each has a reason
	[ -z "$(grep -v '^#' tests/cli/owners.tbl | awk -F '\t' 'NF != 3 || length($3) < 9')" ]
	# the test sees what has none
	printf '%s\n' 'recipe mine: of mine' "vfs_open --until vfs_read --on 'path->dentry' --count" >"$BATS_TEST_TMPDIR/mine.probe"
	printf '%s\n' 'recipe other: of mine' program 'let @a = owned_by(sk);' 'kprobe:x { @a[sk] = 1; @n[sk] = count(); @b[sk] = nsecs; }' >"$BATS_TEST_TMPDIR/other.probe"
	[ "$(states_of "$BATS_TEST_TMPDIR/mine.probe"; states_of "$BATS_TEST_TMPDIR/other.probe")" = $'mine\tpath->dentry\nother\t@b[sk]' ]
}

@test "a recipe of the user's: in a folder, by a path, with an error in it" {
	cat >"$XDG_CONFIG_HOME/coretap/mine.probe" <<-'END'
		recipe mine: reads of a file
		option -z, --size BYTES: of this size
		  --if 'count == BYTES'
		vfs_read count
	END
	btf=$(tools/fetch-kernel --btf 6.12)
	[[ $("$coretap" --list) == *$'other:\n  mine '* ]]
	run -0 "$coretap" mine --size 5 --dry-run --btf "$btf"
	[[ $output == *"if count == 5"* ]]
	run -0 "$coretap" "$XDG_CONFIG_HOME/coretap/mine.probe" --dry-run --btf "$btf"
	[[ $output != *"if count"* ]]
	echo 'vfs_read "count' >"$XDG_CONFIG_HOME/coretap/mine.probe"
	run -1 "$coretap" mine --dry-run --btf "$btf"
	[[ $output == *"mine.probe:1: missing closing quote"* ]]
	run -1 "$coretap" ./nosuch.probe
	[[ $output == *"cannot read './nosuch.probe': No such file"* ]]
	run -1 "$coretap" tcpconect
	[[ $output == *"did you mean tcpconnect?"* ]]
}

@test "an option whose lines replace those of the recipe: it counts, or prints" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$coretap" bindsnoop --count -P 80 --dry-run --btf "$btf"
	[[ $output == *'port = port='* && $output == *'== 80'* && $output != *proto* ]] || { echo "$output"; false; }
	run -1 "$coretap" bindsnoop --count --print-uid --dry-run --btf "$btf"
	[[ $output == *'--print-uid and --count exclude each other'* ]] || { echo "$output"; false; }
	run -0 --separate-stderr "$coretap" memleak --programs --trace --min-size 64 -v --dry-run --btf "$btf"
	[[ $stderr == *' --and u:libc:free '* && $stderr != *--until* && $stderr != *--interval* ]] || { echo "$stderr"; false; }
	run -1 "$coretap" memleak --trace --dry-run --btf "$btf" 5
	[[ $output == *'--interval needs a counting option'* ]] || { echo "$output"; false; }
	run -1 "$coretap" memleak -t -a --dry-run --btf "$btf"
	[[ $output == *'--show-allocs and --trace exclude each other'* ]] || { echo "$output"; false; }
}

# bcc's traces the kernel, unless -p or a command is given
@test "memleak: whose memory, by what is given" {
	btf=$(tools/fetch-kernel --btf 6.12)
	while IFS='|' read -r words wanted; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr "$coretap" memleak $words -v --dry-run --btf "$btf"
		[[ ${stderr%%$'\n'*} == *"$wanted"* && ${stderr%%$'\n'*} != *nothing* ]] || { echo "$words: $stderr; wants $wanted"; false; }
	done <<-'END'
		|t:kmem:kmalloc,
		3 2|t:kmem:kmalloc,
		--older 5 --show-allocs|t:kmem:kmalloc,
		--trace|t:kmem:kfree,kmem:kmem_cache_free address=ptr:x64
		-p 1 --trace|--and u:libc:free 'address=$arg1:x64'
		-p 1|u:libc:malloc,
		--comm ab|u:libc:malloc,
		--programs|u:libc:malloc,
		--obj libc|u:libc:malloc,
		--symbols-prefix je_|u:libc:je_malloc,
		-p 1 --kernel|-p 1 --sort size --interval 5 --top 10 't:kmem:kmalloc,
		--percpu|t:percpu:percpu_alloc_percpu
		--percpu --trace|t:percpu:percpu_free_percpu address=ptr:x64
		--kernel --obj libc|--obj and --kernel exclude each other
		--kernel --symbols-prefix je_|--symbols-prefix and --kernel exclude each other
		--kernel --percpu|--kernel and --percpu exclude each other
	END
}

@test "sslsniff --also: another library, with the same columns" {
	btf=$(tools/fetch-kernel --btf 6.12)
	library=$(readlink -f "$BATS_TEST_DIRNAME/../../${BUILD:-build}/tests/work/libssl.so.3")
	[ -e "$library" ] || { echo "no $library: make work"; false; }
	run -0 --separate-stderr "$coretap" sslsniff --openssl "$library" --also "$library" --extra -v --dry-run --btf "$btf"
	[[ $stderr == *"tid' 'u:$library:"*" --and 'u:$library:"* ]] || { echo "$stderr"; false; }
}

@test "options that leave nothing to trace are named" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -1 "$coretap" sslsniff --extra --no-openssl --no-gnutls --no-nss --dry-run --btf "$btf"
	[ "$output" = 'sslsniff: nothing is left to trace with --no-openssl --no-gnutls --no-nss' ] || { echo "$output"; false; }
}

@test "an option's value as a part of a probe's name" {
	btf=$(tools/fetch-kernel --btf 6.12)
	printf '%s\n' 'recipe mine: of mine' 'option --prefix PREFIX: begins with this' '  of = ${PREFIX}_read,${PREFIX}_write?' 'of = vfs_open' 'of $func' \
		>"$BATS_TEST_TMPDIR/mine.probe"
	run -0 "$coretap" "$BATS_TEST_TMPDIR/mine.probe" --prefix vfs --dry-run --btf "$btf"
	[[ $output == *'vfs_read'*'vfs_write'* && $output != *vfs_open* ]] || { echo "$output"; false; }
}

@test "--folded of a recipe: without the recipe's own table, but not without the user's" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$coretap" stackcount -P --folded submit_bio -v --dry-run --btf "$btf"
	[[ $stderr != *--top* ]] || { echo "$stderr"; false; }
	[[ $(sed -n 's/^  \([a-z]*\) = .*/\1/p' <<<"$output" | tr '\n' ' ') == 'pid comm ustack kstack ' ]] || { echo "$output"; false; }
	for words in '--top 5' '-i 1'; do
		# shellcheck disable=SC2086
		run -1 "$coretap" stackcount --folded $words submit_bio --dry-run --btf "$btf"
		[[ $output == *'--folded prints all stacks at the end: it cannot be combined with'* ]] || { echo "$output"; false; }
	done
}

@test "offwaketime --state, biolatpcts --which: only words of their kind" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$coretap" offwaketime --state D --user --dry-run --btf "$btf"
	run -1 "$coretap" offwaketime --state R --dry-run --btf "$btf"
	[[ $output == *"--state takes the state of a task that waits: S D T t P or I, not 'R'"* ]] || { echo "$output"; false; }
	run -1 "$coretap" offwaketime --user -K --dry-run --btf "$btf"
	[[ $output == *'--kernel and --user exclude each other'* ]] || { echo "$output"; false; }
	run -0 "$coretap" biolatpcts --which after-rq-alloc --dry-run --btf "$btf"
	[[ $output == *'rq->start_time_ns'* ]] || { echo "$output"; false; }
	run -1 "$coretap" biolatpcts --which alloc --dry-run --btf "$btf"
	[[ $output == *'--which takes one of on-device, after-rq-alloc and from-rq-alloc'* ]] || { echo "$output"; false; }
}

@test "a program of the user's: errors have the line of the file, and the meaning of a name" {
	btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 'recipe mine: of mine' 'option -m, --min MS: longer' '  least = MS +' 'least = 0' 'program ' \
		'kprobe:vfs_open {' $'\temit(pid, x = least,' $'\t\ty = nope);' '}' >mine.probe
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf"
	[[ ${lines[0]} == "mine: ./mine.probe:8: unknown word nope" && ${lines[1]} == '      y = nope);' && ${lines[2]} == '          ^~~~' ]] ||
		{ echo "$output"; false; }
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf" -m 5
	[[ ${lines[0]} == "mine: ./mine.probe:7: "* && $output == *"  least is (5000000 +)"* ]] || { echo "$output"; false; }
	run -1 "$coretap" ./mine.probe -m x
	[[ ${lines[1]} == "  see coretap ./mine.probe --help" ]] || { echo "$output"; false; }
	# as Windows ends lines
	sed -i 's/nope/1/; s/$/\r/' mine.probe
	run -0 --separate-stderr "$coretap" ./mine.probe --dry-run --btf "$btf" -v
	[[ $stderr == $'#define least (0)\nkprobe:vfs_open { \n\temit(pid, x = least, \n\t\ty = 1); \n}'* ]] || { echo "$stderr"; false; }
	run -0 "$coretap" ./mine.probe --help
	[[ $output == "Usage: coretap ./mine.probe [OPTION...] [-- COMMAND [ARG...]]"* && $output != *Examples:* ]] || { echo "$output"; false; }
	sed -i '1a columns pid' mine.probe
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf"
	[[ $output == *"./mine.probe:2: a program's columns are those of its emit(); remove: pid"* ]] || { echo "$output"; false; }
	printf '%s\n' 'recipe mine: of mine' '--interval 3 --top 5' program 'kprobe:vfs_read { @n[comm] = count(); }' \
		'report { for ($kv : @n) { emit(comm = $kv.0, count = (uint64)$kv.1); } }' >mine.probe
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf"
	[[ $output == *"./mine.probe:2: expected --interval SEC or --clear before a program, not: --interval 3 --top 5"* ]] || { echo "$output"; false; }
	sed -i 's/--top 5/--clear/' mine.probe
	run -0 "$coretap" ./mine.probe --dry-run --btf "$btf"
}

@test "a program: \${NAME} is the text of a definition; an unknown or open one is refused" {
	btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 'recipe mine: of mine' 'option --func F: another' '  where = F' 'where = vfs_open' program 'kprobe:${where} { emit(pid); }' >mine.probe
	run -0 --separate-stderr "$coretap" ./mine.probe --dry-run --btf "$btf" -v --func vfs_unlink
	[[ $stderr == 'kprobe:vfs_unlink { emit(pid); }'* ]] || { echo "$stderr"; false; }
	sed -i 's/{where}/{nosuch}/' mine.probe
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf"
	[[ $output == *'this name is not defined'*'${nosuch}'* ]] || { echo "$output"; false; }
	printf '%s\n' 'recipe mine: of mine' 'where = vfs_open' program >mine.probe
	printf '%s' 'kprobe:${where' >>mine.probe
	run -1 "$coretap" ./mine.probe --dry-run --btf "$btf"
	[[ $output == *'this name is not defined'*'${where'* ]] || { echo "$output"; false; }
}

@test "a program: parts that it imports, options that all recipes of records have" {
	btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p sub
	printf '%s\n' 'recipe mine: of mine' program 'import "tcp_owner";' 'import "more.bt";' \
		'kprobe:tcp_reset { emit(pid = @owner[sk].0, comm = @owner[sk].1, more = more(1)); }' >sub/mine.probe
	echo 'macro more($x) { $x + 1 }' >sub/more.bt
	for options in '' -k '-U --stack-depth 5' '--columns more,pid' '--ring 5' '--rotate 1M -o out'; do
		# shellcheck disable=SC2086 # words
		run -0 "$coretap" ./sub/mine.probe --dry-run --btf "$btf" $options
		[[ $output$(cat out* 2>/dev/null) == *kprobe:tcp_reset* ]] || { echo "$options: $output"; false; }
	done
	run -1 "$coretap" ./sub/mine.probe --dry-run --btf "$btf" --columns pid,nose
	[[ $output == "mine: --columns: unknown value 'nose'"*"columns: pid, comm, more" ]] || { echo "$output"; false; }
	run -1 "$coretap" ./sub/mine.probe --dry-run --btf "$btf" --with-container
	[[ $output == *"--with-container adds a column"* ]] || { echo "$output"; false; }
	run -0 "$coretap" argdump --recipe tcp_owner
	[[ $output == *'let @owner = owned_by(sk);'* ]] || { echo "$output"; false; }
	# it is no tool
	run -1 "$coretap" tcp_owner
	[[ $output == *"unknown tool 'tcp_owner'"* ]] || { echo "$output"; false; }
	printf '%s\n' 'recipe mine: of mine' program 'kprobe:vfs_read { @n[comm] = count(); }' \
		'report { for ($kv : @n) { emit(comm = $kv.0, count = (uint64)$kv.1); } }' >counts.probe
	for options in '' '--top 3 --sort comm' '1 5' '--openmetrics x.prom'; do
		# shellcheck disable=SC2086 # words
		run -0 "$coretap" ./counts.probe --dry-run --btf "$btf" $options
		[[ $output == kprobe:vfs_read* ]] || { echo "$options: $output"; false; }
	done
	run -1 "$coretap" ./counts.probe --dry-run --btf "$btf" --svg x.svg
	[[ $output == *"--svg draws histograms, but a program's report has none"* ]] || { echo "$output"; false; }
	run -1 "$coretap" ./counts.probe --dry-run --btf "$btf" -n 5
	run -1 "$coretap" bt --dry-run --btf "$btf" -e 'report { }'
	[[ $output == *"report is a probe of recipes"* ]] || { echo "$output"; false; }
	sed -i 's/tcp_owner/tcp_nobody/' sub/mine.probe
	run -1 "$coretap" ./sub/mine.probe --dry-run --btf "$btf"
	[[ $output == *"./sub/mine.probe:3: cannot read 'tcp_nobody'"* ]] || { echo "$output"; false; }
}

@test "sees, unseen: in the page, the description, the man page and the table; twice is a mistake" {
	cat >"$XDG_CONFIG_HOME/coretap/mine.probe" <<-'END'
		recipe mine: reads of a file
		sees read(2)
		  and pread(2)
		unseen a | b
		vfs_read count
	END
	run -0 "$coretap" mine --help
	[[ $output == *$'\nSees: read(2) and pread(2).\nDoes not see: a | b.\n'* ]]
	[[ $("$coretap" mine --help=description) == *$'Does not see: a | b.\n'* ]]
	[[ $("$coretap" --man mine) == *$'.SH WHAT IT SEES\nSees: read(2) and pread(2).\n'* ]]
	[[ $("$coretap" --table=sees) == *$'| `mine` | read(2) and pread(2) | a \\| b |'* ]]
	echo 'sees it again' >>"$XDG_CONFIG_HOME/coretap/mine.probe"
	run -1 "$coretap" mine --help
	[[ $output == *"mine.probe:6: a recipe has only one such line, but this is the second: it again"* ]]
}

@test "--inner-pids: with a recipe's columns, and refused where a row is not the running process's" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$coretap" tcpaccept --inner-pids --dry-run --btf "$btf"
	[[ $output == *"inner_pid = "* ]]
	run -1 "$coretap" tcpdrop --inner-pids --dry-run --btf "$btf"
	[[ $output == *"--inner-pids is for tools whose rows show the running process"* ]]
	run -1 "$coretap" tcppktlat --inner-pids --dry-run --btf "$btf"
	[[ $output == *"--inner-pids adds a column, but the columns of a program are those of its emit()"* ]]
}

@test "arguments: missing, too many, no numbers, intervals" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -1 "$coretap" vfsstat x
	[[ $output == *"INTERVAL 'x': expected a time"* ]]
	run -1 "$coretap" vfsstat 1 2 3
	[[ $output == *"unexpected argument '3'"* && $output == *"usage: vfsstat [OPTION...] [INTERVAL [COUNT]]"* ]]
	run -0 "$coretap" vfsstat 1 2 --dry-run --btf "$btf"
	run -1 "$coretap" fileslower -m ten
	[[ $output == *"--min takes a time such as 10 (ms), 0.5 or 100us, not 'ten'"* ]]
	run -1 "$coretap" tcpconnect -P '"'
	[[ $output == *"--port takes a number"* ]]
	run -1 "$coretap" tcpconnect -P 65536
	[[ $output == *"--port takes a port, 0 to 65535, not '65536'"* ]]
	run -1 "$coretap" biotop -D nosuch
	[[ $output == *"--disk: unknown disk 'nosuch'"*"disks: "* ]]
	run -1 "$coretap" biosnoop -D nosuch
	[[ $output == *"--disk: unknown disk 'nosuch'"*"disks: "* ]]
	run -0 "$coretap" biotop -D /dev/sdz9 --dry-run --btf "$btf"
	[[ $output == *'== "sdz9"'* ]]
	run -1 "$coretap" fileslower surplus
	[[ $output == *"MS takes a time such as 10 (ms), 0.5 or 100us, not 'surplus'"* ]]
}

@test "--recipe prints one, --save --name writes one" {
	btf=$(tools/fetch-kernel --btf 6.12)
	[[ $("$coretap" argdump --recipe vfsstat) == "recipe vfsstat: "* ]]
	run -1 "$coretap" argdump --recipe nosuch
	[[ $output == *"unknown recipe 'nosuch'"* ]]
	# one that is there and cannot be read is not one that is not there
	mkdir -p "$XDG_CONFIG_HOME/coretap/folder.probe"
	run -1 "$coretap" argdump --recipe folder
	[[ $output == *"cannot read '$XDG_CONFIG_HOME/coretap/folder.probe': Is a directory"* ]]
	rmdir "$XDG_CONFIG_HOME/coretap/folder.probe"
	"$coretap" argdump --btf "$btf" --save "$XDG_CONFIG_HOME/coretap/saved.probe" --name saved \
		vfs_read 'n=count' --columns 'n,$comm'
	run -0 "$coretap" saved --dry-run -v --btf "$btf"
	[[ $output == *"argdump --columns 'n,\$comm' vfs_read n=count"* ]]
	run -1 "$coretap" argdump --name x vfs_read
}

@test "--print: unknown names, forms, counts" {
	# names are known when it is attached; what excludes it before
	run -1 "$coretap" argdump --print x --count vfs_read
	[[ $output == *"--print is for records"* ]]
	run -1 "$coretap" argdump --print x --columns '$pid' vfs_read
	[[ $output == *"cannot be combined with --columns"* ]]
}

@test "--columns: unknown names, counts" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -1 "$coretap" argdump --columns x --count vfs_read
	[[ $output == *"--columns is for records"* ]]
}
