#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Man pages: that roff takes them, what each has, and that samples and figures are those of README and docs.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
}

applets() { sed -n 's/^APPLET(\(.*\))/\1/p' src/applets.def; }

@test "man and groff have no warning about any page" {
	command -v man >/dev/null && command -v groff >/dev/null || skip "there is no man, or no groff, here: tools/setup test"
	cd "$BATS_TEST_TMPDIR"
	for page in coretap coretap-doctor $("$coretap" --list | awk 'NF > 1 {print $1}'); do
		"$coretap" --man "$page" >"$page.8"
		LC_ALL=C run ! grep -n $'[^\t -~]' "$page.8"
	done
	pages=(./*.8)
	[ "${#pages[@]}" -ge 100 ]
	run -0 groff -ww -man -Tutf8 -Z ./*.8
	[ -z "$(groff -ww -man -Tutf8 -Z ./*.8 2>&1 >/dev/null)" ]
	for page in argdump opensnoop coretap tcplife; do
		run -0 --separate-stderr env MANROFFSEQ= man --warnings -E UTF-8 -l -Tutf8 -Z "$page.8"
		[ -z "$stderr" ]
	done
	# text that begins as a request of roff does, and characters that are none of ASCII
	[[ $(MANWIDTH=200 man -l argdump.8 2>/dev/null | tr -s ' \n' ' ') == *"before them; such calls"* ]]
	grep -qF '\[u2026]' argdump.8
}

@test "each page has its parts: date and version, options below headings, examples, limitations" {
	version=$("$coretap" --version)
	for a in $(applets); do
		page=$("$coretap" --man "$a")
		[[ $page =~ ^\.TH\ [A-Z]+\ 8\ \"20[0-9][0-9]-[01][0-9]-[0-3][0-9]\"\ \""$version"\" ]] || { head -n 1 <<<"$page"; false; }
		for part in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES LIMITATIONS 'SEE ALSO' BUGS; do
			grep -qx ".SH $part" <<<"$page" || { echo "$a has no $part"; false; }
		done
		grep -q '^\.SS ' <<<"$page"
		# a run as it was, with its command line
		grep -qE "^\\$ sudo (coretap )?$a " <(sed -n '/^\.EX$/,/^\.EE$/{s/\\-/-/g;p}' <<<"$page") || { echo "no sample of $a"; false; }
	done
	# it has a status of its own
	[[ $("$coretap" --man doctor) != *".SH EXIT STATUS"* && $("$coretap" --man opensnoop) == *".SH EXIT STATUS"* ]]
	[[ $("$coretap" --man coretap-doctor) == ".TH CORETAP-DOCTOR 8 "*$'\ncoretap\\-doctor, doctor \\- '*'\fBcoretap doctor\fR'* ]]
	SOURCE_DATE_EPOCH=86400 make -s B="$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/version.h"
	grep -qx '#define CORETAP_DATE "1970-01-02"' "$BATS_TEST_TMPDIR/version.h"
}

@test "coretap(8) has every tool, recipes by theme" {
	"$coretap" --man coretap >"$BATS_TEST_TMPDIR/page"
	[ "$(grep -A 1 '^\.TP$' "$BATS_TEST_TMPDIR/page" | sed -n 's/\\-/-/g; s/^\\fB\([a-z0-9_]*\)\\fR$/\1/p' | sort)" = \
		"$("$coretap" --list | awk 'NF > 1 {print $1}' | sort)" ]
	[ "$(grep '^\.SS Recipes: ' "$BATS_TEST_TMPDIR/page" | cut -d' ' -f3)" = \
		"$("$coretap" --list | sed -n 's/^\([a-z]*\):$/\1/p')" ]
}

@test "output shown in README and docs is in docs/samples, in full, and so in man pages" {
	local page
	for page in README.md docs/*.md; do
		[[ $page == docs/tutorial.md ]] || cat "$page" # whose runs are one story (tools/tutorial)
	done >"$BATS_TEST_TMPDIR/all"
	/usr/bin/python3 - "$BATS_TEST_TMPDIR/all" docs/samples/*.txt <<-'END'
		import re, sys
		readme = open(sys.argv[1]).read()
		samples = {path: open(path).read() for path in sys.argv[2:]}
		blocks = re.findall(r'(?ms)^```console\n(.*?)^```$', readme)
		assert len(blocks) >= 4
		shown = set()
		for block in blocks:
		    while block:
		        path = next((p for p, text in samples.items() if block.startswith(text)), None)
		        assert path, f'README or docs show what no file of docs/samples has: {block}'
		        shown.add(path)
		        block = block[len(samples[path]):]
		for path, text in samples.items():
		    name = re.fullmatch(r'docs/samples/(\w+)\.txt', path).group(1)
		    assert re.match(rf'\$ sudo (coretap )?{name} .*\n', text), path
		    assert path in shown or text.split('\n')[0] not in readme, f'{path}: README or docs have another one'
	END
	# a page has its file, escaped
	diff <("$coretap" --man biosnoop | sed -n '/^\.EX$/,/^\.EE$/p' | sed 's/\\-/-/g; s/\\(aq/'\''/g; 1d; $d') docs/samples/biosnoop.txt
}

@test "a sample's columns are those of today" {
	# FIELDS of the descriptors, in capitals, but those that have another title
	for a in execsnoop opensnoop bashreadline biosnoop connsnoop; do
		read -ra titles < <(grep -m 1 -xE '[A-Z ]+' "docs/samples/$a.txt")
		[ "${#titles[@]}" -ge 4 ]
		for title in "${titles[@]}"; do
			grep -rqiE "\.title = \"$title\"|\.name = \"$title\"|EVENT\($title," "src/applets/$a.c" || { echo "$a: $title"; false; }
		done
	done
}

@test "figures of README, of the comparison and of man pages are those of docs/overhead.md" {
	for a in execsnoop opensnoop biosnoop biolatency connsnoop argdump; do
		echo "@$a"
		"$coretap" --man "$a" | sed -n '/^\.SH OVERHEAD$/,/^\.SH LIMITATIONS$/p' | sed 's/Kernels that preempt.*//'
	done >"$BATS_TEST_TMPDIR/pages"
	/usr/bin/python3 - README.md docs/comparison.md docs/overhead.md "$BATS_TEST_TMPDIR/pages" <<-'END'
		import re, sys
		readme, comparison, overhead, pages = (open(path).read() for path in sys.argv[1:])
		def table(text, title):
		    rows, above = [], ''
		    for line in text[text.index(title):].split('\n\n')[0].splitlines()[2:]:
		        rows.append([cell.strip() for cell in line.strip('|').split('|')])
		    return rows
		numbers = lambda text: [int(n) for n in re.findall(r'(?<![\w.])\d{3,}(?![\w.]*\d)', text.replace(',', ''))]
		measured = table(overhead, '| event | traced by | traced task | tool | all together |')
		by_hand = table(overhead, '| event | traced by | traced task | tool |\n')
		def row(event, by):
		    i = next(i for i, r in enumerate(measured) if r[0].strip('…').strip() == event)
		    while by not in measured[i][1]:
		        i += 1
		    return measured[i]
		chain = "`argdump vfs_read 'file->f_inode->i_sb->s_type->name'`"
		expected = [
		    [row(chain, 'argdump'), row(chain, 'kprobe_event')],
		    [row(chain, 'another `-p`')],
		    [row('an open', 'opensnoop'), row('an open', 'kprobe_event')],
		]
		of_readme = table(readme, '| event | traced task | tool |')
		assert len(of_readme) == len(expected)
		for shown, rows in zip(of_readme, expected):
		    for column in (1, 2):
		        want = [int(r[column + 1]) for r in rows if r[column + 1]]
		        got = numbers(shown[column])
		        assert got == want, f'README: {shown[0]}: {got}, docs/overhead.md: {want}'
		# what other tools cost
		others, job = {}, ''
		for r in table(overhead, '| job | tool | traced task | tool | first line | memory |'):
		    job = r[0] or job
		    if job == 'an open':
		        others.setdefault(r[1].split()[0].rstrip(':'), []).append((sum(numbers(r[2] + ' ' + r[3])), r[4], r[5]))
		why = {r[0]: r for r in table(comparison, '| | coretap | bpftrace |')}
		titles = [t.strip() for t in comparison[comparison.index('| | coretap |'):].split('\n')[0].strip('|').split('|')]
		for name, rows in others.items():
		    got = sorted(numbers(why['an open costs'][titles.index(name)]))
		    assert got == sorted({min(r[0] for r in rows), max(r[0] for r in rows)}), f'comparison: {name}: {got}'
		    first = why['first row after, memory'][titles.index(name)]
		    for figure in [f for r in rows for f in r[1:] if f]:
		        assert figure.split()[0] in first, f'comparison: {name}: {figure} is not in {first}'
		# the sentences of README have the same figures
		bullets = readme[readme.index('## Why another one'):].split('\n\n')[1]
		for cell, name in (('first row after, memory', 'coretap'), ('first row after, memory', 'bpftrace'),
		                   ('an open costs', 'coretap'), ('an open costs', 'bpftrace'), ('an open costs', 'strace')):
		    least = re.findall(r'[\d,]+', why[cell][titles.index(name)])[0]
		    assert least in bullets, f'README: {cell}, {name}: {least}'
		mine = row('an open', 'opensnoop')
		assert numbers(why['an open costs'][1]) == [int(mine[2]) + int(mine[3])]
		# pages round
		for page in pages.split('@')[1:]:
		    name, text = page.split('\n', 1)
		    known = [n for r in measured + by_hand if name in r[1] or (name == 'argdump' and r[1] and 'snoop' not in r[1] and 'bio' not in r[1])
		             for n in numbers(' '.join(r[2:]))]
		    got = numbers(text)
		    assert got, name
		    for n in got:
		        assert any(abs(n - k) <= 0.01 * k for k in known), f'{name}(8): {n} is not in docs/overhead.md: {known}'
	END
}
