#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016  # awk and python expand it
# HACKING.md and docs/dev: the files, tests and make targets that they name exist; they are short.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	pages=(HACKING.md docs/dev/*.md)
}

# Prints PAGE TAB WORD of each code span, and of each line of a block of commands.
spans() {
	/usr/bin/python3 - "${pages[@]}" <<-'END'
		import re, sys
		for page in sys.argv[1:]:
		    text = open(page).read()
		    for block in re.findall(r'(?ms)^```sh\n(.*?)^```$', text):
		        for line in block.splitlines():
		            for command in line.split(' # ')[0].split('&&'):
		                print(page, command.strip(), sep='\t')
		    for span in re.findall(r'`([^`\n]+)`', re.sub(r'(?ms)^```.*?^```$', '', text)):
		        print(page, span, sep='\t')
	END
}

@test "HACKING.md has at most 10,000 bytes, a page of docs/dev 12,000, a line of prose 120 characters" {
	[ "$(wc -c <HACKING.md)" -le 10000 ]
	run -0 find docs/dev -name '*.md' -size +12000c
	[ -z "$output" ] || { echo "too large: $output"; false; }
	run -0 awk 'length > 120 && !/^\|/ { print FILENAME ":" FNR ": " $0 }' "${pages[@]}"
	[ -z "$output" ] || { echo "$output"; false; }
}

# A shell's > in the wrong folder has left files there.
@test "the repository's root has nothing but its folders and documents" {
	git rev-parse --git-dir >/dev/null 2>&1 || skip "this is no clone"
	run -0 sh -c "git ls-files | cut -d/ -f1 | sort -u | grep -vxE '\..*|[A-Z]+(\.md)?|Makefile|bpf|deploy|docs|include|recipes|src|tests|tools|vmlinux' || true"
	[ -z "$output" ] || { echo "what is this: $output"; false; }
}

@test "HACKING.md names each page of docs/dev, and has a row for each thing to add" {
	for page in docs/dev/*.md; do
		grep -qF "($page)" HACKING.md || { echo "$page"; false; }
	done
	for thing in 'an applet' 'a recipe' 'a field of a record' 'a format' 'an attach method' \
		'a system call decoder' "a shell's completion" 'a processor' 'a word of bcc' 'a function of bpftrace'; do
		[ "$(grep -c "^| $thing" HACKING.md)" -eq 1 ] || { echo "$thing"; false; }
	done
}

# A path is from the root of the tree, or the end of one: emit/codegen.c. Capitals (NAME, KERNEL) stand for something.
@test "each file and folder that they name exists" {
	spans | /usr/bin/python3 -c 'if True:
		import fnmatch, os, re, sys
		skipped = (".git", "build")
		files = set()
		for folder, folders, names in os.walk("."):
		    folders[:] = [f for f in folders if f not in skipped]
		    files.update(os.path.join(folder, n)[1:] for n in names)
		    files.update(os.path.join(folder, n)[1:] + "/" for n in folders)
		ends = r"\.(c|h|def|tbl|md|mk|bats|case|bash|probe|json|not|txt|spec)"
		count, wrong = 0, []
		for line in sys.stdin:
		    page, span = line.rstrip("\n").split("\t")
		    for word in span.split():
		        path = word.split(":")[0]
		        if not re.fullmatch(r"[A-Za-z_.*][\w.*-]*(/[\w.*-]+)*/?", path) or re.search(r"NAME|VERSION|KERNEL|STAGE|(^|/)build/", path):
		            continue
		        if not re.search(ends + r"$", path) and "/" not in path:
		            continue
		        count += 1
		        pattern = "*/" + path
		        if not any(fnmatch.fnmatch(f, pattern) or fnmatch.fnmatch(f, pattern + "/") for f in files):
		            wrong.append(f"{page}: there is no {path}")
		assert count >= 150, count
		sys.exit("\n".join(wrong) or 0)'
}

@test "each test and make target that they name exists" {
	local page span word words count=0 targets
	targets=$(sed -nE 's/^([a-z][a-z0-9 -]*):.*/\1/p' Makefile deploy/packages.mk)
	while IFS=$'\t' read -r page span; do
		read -ra words <<<"$span"
		case $span in
		*run-live\ [a-z]*)
			span=${span#*run-live }
			for word in ${span%% \'*}; do # a title may follow
				[[ -e tests/live/$word.bats ]] || { echo "$page: no live test $word"; false; }
			done
			;;
		*tests/unit/unit\ test_*)
			word=${span##*tests/unit/unit }
			[[ -e tests/unit/${word%% *}.c ]] || { echo "$page: no unit test $word"; false; }
			;;
		make\ *)
			for word in "${words[@]:1}"; do
				[[ $word == [a-z]* && $word != build/* ]] || continue
				grep -qwF -- "$word" <<<"$targets" || { echo "$page: no target $word"; false; }
			done
			;;
		tests/golden/run\ [a-z]*)
			[[ -e tests/golden/${words[1]}.case ]] || { echo "$page: no case ${words[1]}"; false; }
			;;
		*) continue ;;
		esac
		count=$((count + 1))
	done < <(spans)
	[ "$count" -ge 30 ]
}

@test "each function, type and member that they name is in the source" {
	local page span missing=''
	while IFS=$'\t' read -r page span; do
		[[ $span =~ ^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*$ && $span != *NAME* ]] || continue
		grep -rqwF -- "$span" src bpf include tests tools Makefile || missing+="$page: there is no $span"$'\n'
	done < <(spans)
	[ -z "$missing" ] || { echo "$missing"; false; }
}
