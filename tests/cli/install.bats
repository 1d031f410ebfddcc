#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What `make install` puts where, which names become commands, and that `make uninstall` takes all of it
# away; the version; what `make` says without its compilers.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	[[ ! ${BUILD:-} ]] || skip "this is about build/"
	export root=$BATS_FILE_TMPDIR/root coretap=$PWD/build/coretap
	make -s install DESTDIR="$root"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

# Of the table of names. Without CLASS all names.
names() { # [CLASS]
	sed -nE "s/^(${1:-own|shared|general}): //p" deploy/names | tr ' ' '\n' | sort
}

tools() { HOME=/nonexistent "$coretap" --list | sed -nE 's/^ *([a-z0-9_]+) +[a-zA-Z].*/\1/p' | sort; }

commands() { find "$root/usr/local/bin" -mindepth 1 -printf '%f\n' | sort; }

@test "deploy/names has each tool once" {
	diff -u <(tools) <(names)
	[ "$(names | wc -l)" -gt 100 ]
}

@test "deploy/names: own are those that docs/tools.md assigns to no other project" {
	run ! grep -xF -f <(names own) <(sed -nE 's/^\| ([a-z][a-z0-9_-]*) .*/\1/p' docs/tools.md)
	diff -u <(names own) <(sed -nE 's/^\| `([a-z0-9_]+)` .*/\1/p' docs/tools.md | sort | grep -vxF -f <(names general))
}

@test "commands are coretap and the names that no other project uses; they run" {
	diff -u <({ echo coretap; names own; } | sort) <(commands)
	[ "$("$root/usr/local/bin/coretap" --version)" = "$("$coretap" --version)" ]
	"$root/usr/local/bin/argdump" --help | grep -q '^Usage: argdump '
}

@test "LINKS=none, unique: the links are those of the last install" {
	make -s install DESTDIR="$root" LINKS=none
	[ "$(commands)" = coretap ]
	[ -z "$(find "$root" -type l)" ]
	make -s install DESTDIR="$root"
	diff -u <({ echo coretap; names own; } | sort) <(commands)
	run ! make -s install DESTDIR="$root" LINKS=some
	[[ $output == *"LINKS=some: unique (names that nobody else has), all or none"* ]]
}

@test "a manual page for coretap and each tool, one more name for each link" {
	pages=$root/usr/local/share/man/man8
	diff -u <({ echo coretap; tools | sed 's/^/coretap-/'; } | sort) \
		<(find "$pages" -type f -printf '%f\n' | sed 's/\.8$//' | sort)
	[ "$(readlink "$pages/argdump.8")" = coretap-argdump.8 ]
	grep -qF 'coretap\-doctor, doctor \- check what works' "$pages/coretap-doctor.8"
	grep -qxF '\fBcoretap doctor\fR [\fIOPTION\fR...] [TOOL...]' "$pages/coretap-doctor.8"
	# each tool, below its theme
	[ "$(grep -c '^\\fB[a-z0-9_]*\\fR$' "$pages/coretap.8")" -ge "$(tools | wc -l)" ]
	grep -qxF '.SS Recipes: disks' "$pages/coretap.8"
	grep -qF "\"coretap $("$coretap" --version | cut -d ' ' -f 2)\"" "$pages/coretap.8"
	run ! grep -rlF '@' "$pages/coretap.8"
}

@test "a manual page has what docs/tools has: output, columns, how to read it; roff takes it" {
	local pages=$root/usr/local/share/man/man8 name
	for name in $(tools); do
		grep -qx '\.SH HOW TO READ IT' "$pages/coretap-$name.8" || { echo "$name"; false; }
	done
	# once, instead of the binary's sample, after the examples and before the rest
	[ "$(sed -nE '/^\.SH (EXAMPLES|OUTPUT|COLUMNS|HOW TO READ IT|LIMITATIONS)$/p' "$pages/coretap-biosnoop.8" | tr '\n' ' ')" = \
		'.SH EXAMPLES .SH OUTPUT .SH COLUMNS .SH HOW TO READ IT .SH LIMITATIONS ' ]
	run ! grep -q 'What it prints' "$pages/coretap-biosnoop.8"
	grep -qF '$ sudo coretap biosnoop ' "$pages/coretap-biosnoop.8"
	LC_ALL=C run ! grep -n $'[^\t -~]' "$pages"/coretap-*.8
	command -v groff >/dev/null || skip "there is no groff here: tools/setup test"
	[ -z "$(groff -ww -man -Tutf8 -Z "$pages"/coretap-*.8 2>&1 >/dev/null)" ]
}

# What the documents show begins with coretap (docs.bats); the manual pages' examples do so as well.
@test "commands in documents and manual pages run after an installation without links" {
	local name page pages=$root/usr/local/share/man/man8
	make -s install DESTDIR="$root" LINKS=none
	for name in $(sed -nE '/^```(sh|console)/,/^```$/s/^(\$ )?(sudo )?coretap ([a-z0-9_]+).*/\3/p' README.md docs/*.md | sort -u); do
		[[ $name == @(find|help|examples|tutorial) ]] ||
			env -i PATH="$root/usr/local/bin" coretap "$name" --help >/dev/null || { echo "$name"; false; }
	done
	for page in "$pages"/coretap-*.8; do
		run -0 sed -nE '/^\.SH EXAMPLES/,/^\.SH [^E]/{/^\.TP/{n;/^\\fBcoretap /!p}; /^\$ /{/^\$ (sudo )?coretap /!p}}' "$page"
		[ -z "$output" ] || { echo "${page##*/}: $output"; false; }
	done
	[ "$(cat "$pages"/coretap-*.8 | grep -c '^\\fBcoretap [a-z]')" -ge 250 ]
	make -s install DESTDIR="$root"
}

@test "recipes of whoever builds are in no manual page" {
	mkdir -p "$BATS_TEST_TMPDIR/coretap"
	printf 'recipe foreign: of mine\ntheme mine\nhz:1 $pid\n' >"$BATS_TEST_TMPDIR/coretap/foreign.probe"
	XDG_CONFIG_HOME=$BATS_TEST_TMPDIR "$coretap" --list | grep -q foreign
	XDG_CONFIG_HOME=$BATS_TEST_TMPDIR tools/texts "$coretap" "$BATS_TEST_TMPDIR/texts" argdump
	run ! grep -r foreign "$BATS_TEST_TMPDIR/texts"
	grep -q 'execsnoop' "$BATS_TEST_TMPDIR/texts/completion.bash"
}

@test "LINKS=all, in the folders that are asked for; another program stays; uninstall leaves nothing else" {
	mine=$BATS_TEST_TMPDIR/usr/sbin/execsnoop
	where=(DESTDIR="$BATS_TEST_TMPDIR" PREFIX=/usr BINDIR=/usr/sbin ZSHDIR=/zsh LINKS=all)
	mkdir -p "${mine%/*}"
	echo mine >"$mine"
	run -0 make -s install "${where[@]}"
	[[ $output == *"/usr/sbin/execsnoop is not coretap's: left as it is"* ]]
	[ "$(cat "$mine")" = mine ]
	diff -u <({ echo coretap; tools; } | sort) <(find "${mine%/*}" -mindepth 1 -printf '%f\n' | sort)
	"${mine%/*}/opensnoop" --help | grep -q '^Usage: opensnoop '
	[[ -f $BATS_TEST_TMPDIR/zsh/_coretap ]]
	[ "$(readlink "$BATS_TEST_TMPDIR/usr/share/fish/vendor_completions.d/opensnoop.fish")" = coretap.fish ]
	cmp docs/json-schema.json "$BATS_TEST_TMPDIR/usr/share/coretap/json-schema.json"
	grep -q '^ExecStart=/usr/sbin/coretap %i ' "$BATS_TEST_TMPDIR/usr/lib/systemd/system/coretap@.service"
	cmp <(deploy/clickhouse-tables opensnoop) <("$BATS_TEST_TMPDIR/usr/share/coretap/clickhouse-tables" opensnoop)
	make -s uninstall "${where[@]}"
	[ "$(cd "$BATS_TEST_TMPDIR" && find . ! -type d)" = ./usr/sbin/execsnoop ]
	[ ! -e "$BATS_TEST_TMPDIR/usr/share/coretap" ]
}

@test "bash also completes a link" {
	dir=$root/usr/local/share/bash-completion/completions
	[[ $(bash -c '. "$1/argdump"; complete -p argdump' - "$dir") == *_coretap* ]]
}

@test "the version: VERSION at its tag, else with the commit, and .dirty" {
	repo=$BATS_TEST_TMPDIR/repo
	mkdir -p "$repo/tools"
	cp VERSION .gitattributes "$repo"
	cp tools/version "$repo/tools"
	want=$(cat VERSION)
	[ "$("$repo/tools/version")$("$repo/tools/version" --date)" = "$want" ] # a copy of the files
	git -C "$repo" init -q
	git -C "$repo" add .
	git -C "$repo" -c user.name=n -c user.email=e@example.org commit -qm x
	commit=$(git -C "$repo" rev-parse HEAD | cut -c 1-10)
	[ "$("$repo/tools/version")" = "$want~g$commit" ]
	mkdir "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	git -C "$repo" archive HEAD | tar -x -C "$BATS_TEST_TMPDIR/a"
	[ "$("$BATS_TEST_TMPDIR/a/tools/version")" = "$want~g$commit" ]
	[ "$("$BATS_TEST_TMPDIR/a/tools/version" --date)" = "$(git -C "$repo" log -1 --format=%cs)" ]
	git -C "$repo" tag "v$want"
	[ "$("$repo/tools/version")" = "$want" ]
	git -C "$repo" archive HEAD | tar -x -C "$BATS_TEST_TMPDIR/b"
	[ "$("$BATS_TEST_TMPDIR/b/tools/version")" = "$want" ]
	echo >>"$repo/VERSION"
	[ "$("$repo/tools/version")" = "$want~g$commit.dirty" ]
}

@test "coretap --version is that of its source" {
	[ "$("$coretap" --version)" = "coretap $(make -s version)" ]
	[[ $(tools/version) == "$(cat VERSION)"* ]]
	grep -q "^## $(cat VERSION)" CHANGELOG.md
}

@test "without clang or bpftool, make names the packages that have them" {
	for lacks in CLANG=/nonexistent/clang BPFTOOL=/nonexistent/bpftool; do
		run -2 make -s B="$BATS_TEST_TMPDIR/build" "$lacks"
		[[ $output == *"there is no '${lacks#*=}'"*"Debian: apt install "*"Fedora: dnf install "*"Arch: "*"Alpine: apk add "* ]]
	done
	[[ $output == *"Arch:   pacman -S bpf"$'\n'* ]]
	# what needs neither works
	CLANG=/nonexistent/clang make -s help | grep -q '^make install '
}

@test "make help names each target that is for users" {
	help=$(make -s help)
	for target in demo test check check-live bench soak asan fuzz format clean install uninstall dist release \
		deb rpm check-packages; do
		grep -q "^make $target " <<<"$help" || { echo "no $target"; false; }
	done
}
