#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# README, docs and the other pages: links lead somewhere, blocks say what they are, what is typed there is
# known to the tools.

bats_require_minimum_version 1.5.0
load plan
load ../lib/doc-commands

@test "each relative link and its anchor exists" {
	/usr/bin/python3 - README.md HACKING.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md docs/dev/*.md docs/tools/*.md <<-'END'
		import os, re, sys
		def slug(title):
		    title = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', title).strip().lower()
		    return re.sub(r'[^\w\- ]', '', title).replace(' ', '-')
		def prose(path):
		    return re.sub(r'(?ms)^ *```.*?^ *```$', '', open(path).read())
		def anchors(path):
		    return {slug(t) for t in re.findall(r'(?m)^#+ (.*)$', prose(path))}
		count, wrong = 0, []
		for page in sys.argv[1:]:
		    for target in re.findall(r'\]\(([^)\s]+)\)', prose(page)):
		        if re.match(r'[a-z]+:', target):
		            continue
		        path, _, anchor = target.partition('#')
		        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
		        count += 1
		        if not os.path.exists(path):
		            wrong.append(f'{page}: there is no {target}')
		        elif anchor and anchor not in anchors(path):
		            wrong.append(f'{page}: {path} has no heading for #{anchor}')
		assert count >= 30, count
		sys.exit('\n'.join(wrong) or 0)
	END
}

@test "the output of make docs is current: descriptions, attach methods, totals, the table of sees.md" {
	BUILD=${BUILD:-build} run -0 tools/docs --check
	[ -z "$output" ] || { echo "$output"; false; }
}

# A page for each tool and no other; its columns are described; its commands have output.
@test "the pages of docs/tools are those of the tools and of docs/pages" {
	BUILD=${BUILD:-build} run -0 tools/pages --check
	[ -z "$output" ] || { echo "$output"; false; }
	for page in docs/tools/*.md; do
		grep -qF "(tools/${page##*/})" docs/tools.md docs/README.md || { echo "no page of docs leads to $page"; false; }
	done
	grep -qxF docs/tools deploy/debian/coretap.docs && grep -q '^%doc .* docs/tools ' deploy/coretap.spec
}

@test "each page of docs is in both packages, but their index" {
	for page in docs/*.md; do
		[ "$page" = docs/README.md ] && continue
		grep -qxF "$page" deploy/debian/coretap.docs || { echo "$page is not in coretap.docs"; false; }
		grep -qE "^%doc .*$page( |\$)" deploy/coretap.spec || { echo "$page is not in coretap.spec"; false; }
	done
}

@test "each page of docs is in the index; README has at most 130 lines" {
	for page in docs/*.md docs/*.json; do
		[ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md || { echo "$page"; false; }
	done
	[ "$(wc -l <README.md)" -le 130 ]
}

@test "blocks of README and docs are marked: sh, console, ini or text" {
	run -0 awk '/^```/ { inside = !inside; if (inside && !/^```(sh|console|ini|text)$/) print FILENAME ":" FNR ": " $0 }
		END { if (inside) print FILENAME ": a block is open" }' README.md HACKING.md docs/*.md docs/dev/*.md docs/tools/*.md
	[ -z "$output" ] || { echo "$output"; false; }
}

# After make install with any LINKS, of a package, or with the binary alone, there is coretap.
@test "commands of blocks begin with coretap, and a tool or a word that it has" {
	local first second i
	doc_commands README.md docs/*.md docs/samples/*.txt docs/tools/*.md
	[ "${#doc_texts[@]}" -ge 100 ]
	for i in "${!doc_texts[@]}"; do
		read -r first second _ <<<"${doc_texts[i]}"
		[[ $first == coretap && ($second == -* || $second == @(find|help|examples|tutorial) || -x build/$second || $second == */*) ]] ||
			{ echo "${doc_places[i]}: $first $second"; false; }
	done
}

# Each command in the blocks and tables of the page, of this shell instead of a process PID.
@test "the cheat sheet: each line plans, and it is one page" {
	local line btf tool count=0
	btf=$(tools/fetch-kernel --btf 6.12)
	while IFS= read -r line; do
		line=${line//PID/$$}
		tool=${line%% *}
		[[ $tool != @(find|TOOL|doctor) ]] || continue
		cd "$BATS_TEST_TMPDIR"
		run bash -c "PATH=$OLDPWD/build:\$PATH; $tool --dry-run --btf '$btf' ${line#"$tool"}"
		cd "$OLDPWD"
		[[ $status == 0 ]] || { echo "$line: $output"; false; }
		count=$((count + 1))
	done < <({ sed -n '/^```sh/,/^```/s/^coretap //p' docs/cheatsheet.md | sed 's/ *# .*//'
		grep '^|' docs/cheatsheet.md | grep -oE '`coretap [^`]*`' | sed 's/`coretap //; s/`$//'; })
	[ "$count" -ge 20 ]
	[ "$(wc -l <docs/cheatsheet.md)" -le 66 ]
}

@test "the tutorial: ten steps; each command of ours plans; coretap prints it" {
	local line btf count=0
	btf=$(tools/fetch-kernel --btf 6.12)
	while IFS= read -r line; do
		[[ $line != *u:/usr/local/bin/api:* ]] || line=${line/\/usr\/local\/bin\/api/$PWD\/build\/tests\/work\/api}
		[[ $line != *ext4_sync_file* && $line != *jbd2_* ]] || { count=$((count + 1)); continue; } # of a module
		run bash -c "PATH=$PWD/build:\$PATH; ${line%% *} --dry-run --btf '$btf' $(cut -d ' ' -f 2- <<<"${line//\$(pidof api)/$$}")"
		[[ $status == 0 ]] || { echo "$line: $output"; false; }
		count=$((count + 1))
	done < <(sed -n 's/^\$ sudo coretap //p' docs/tutorial.md)
	[ "$count" -eq 10 ]
	[ "$(grep -c '^\*\*[0-9]' docs/tutorial.md)" -eq 10 ]
	diff docs/tutorial.md <("$PWD/build/coretap" tutorial)
}
