#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# README, docs and the other pages: links lead somewhere, blocks say what they are, what is typed there is
# known to the tools.

bats_require_minimum_version 1.5.0
load plan
load ../lib/doc-commands

@test "each relative link and its anchor exists" {
	/usr/bin/python3 - README.md HACKING.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md docs/dev/*.md <<-'END'
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

@test "what make docs writes is current: descriptions, attach methods, totals, the table of sees.md" {
	BUILD=${BUILD:-build} run -0 tools/docs --check
	[ -z "$output" ] || { echo "$output"; false; }
}

@test "each page of docs is in both packages, but their index" {
	for page in docs/*.md; do
		[ "$page" = docs/README.md ] && continue
		grep -qxF "$page" deploy/debian/coretap.docs || { echo "$page is not in coretap.docs"; false; }
		grep -qE "^%doc .*$page( |\$)" deploy/coretap.spec || { echo "$page is not in coretap.spec"; false; }
	done
}

@test "each page of docs is in the index; README has at most 200 lines" {
	for page in docs/*.md docs/*.json; do
		[ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md || { echo "$page"; false; }
	done
	[ "$(wc -l <README.md)" -le 200 ]
}

@test "blocks of README and docs say what they are: sh, console or text" {
	run -0 awk '/^```/ { inside = !inside; if (inside && !/^```(sh|console|text)$/) print FILENAME ":" FNR ": " $0 }
		END { if (inside) print FILENAME ": a block is open" }' README.md HACKING.md docs/*.md docs/dev/*.md
	[ -z "$output" ] || { echo "$output"; false; }
}

# What a default installation links (LINKS=unique) is own in deploy/names; other tools are behind coretap.
@test "commands of blocks exist after a default make install: coretap NAME, or a name that it links" {
	local first second i
	doc_commands README.md docs/*.md
	[ "${#doc_texts[@]}" -ge 60 ]
	for i in "${!doc_texts[@]}"; do
		read -r first second _ <<<"${doc_texts[i]}"
		case $first in
		coretap) [[ $second == -* || -x build/$second || $second == */* ]] ;;
		*) grep -qE "^own:.* $first( |\$)" deploy/names ;;
		esac || { echo "${doc_places[i]}: $first $second"; false; }
	done
}
