#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every recipe loads, attaches and ends on this kernel, or doctor says why not; what --columns shows. What
# each recipe shows is the subject of recipes_*.bats.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# Its first example, for a moment.
moment() { # NAME
	local example
	example=$("$1" --help=examples | sed -n "/^Examples:/,\$ s/^  \($1\b.*\)/\1/p" | head -n 1)
	example=${example%% -- *}
	echo "$1 -d 0.05 ${example#"$1"}" | sed -E 's/ -d [0-9]+( |$)/ /; s/ [0-9]+ [0-9]+$//'
}

# Those with a test of what they show attach there.
has_test() { grep -qw -- "$1" "$BATS_TEST_DIRNAME"/recipes_*.bats; }

# Attaching is mostly waiting for the kernel, so several run at a time.
attach_one() { # NAME ANSWER
	local status=0
	timeout 100 bash -c "$(moment "$1")" >/dev/null 2>"$1.err" || status=$?
	# 4: on a busy guest something may be lost
	case $2.$status in
	yes.0 | yes.4 | no.[123]) echo fine ;;
	*) echo "doctor: $2; $(moment "$1"): status $status: $(head -n 4 "$1.err")" ;;
	esac >"$1.is"
}

@test "every recipe attaches, except those that doctor rejects" {
	local name answer rest=0
	doctor -j --recipes | jq -r 'select(.group == "recipe") | .name + " " + .answer' >answers
	while read -r name answer; do
		! has_test "$name" || continue
		rest=$((rest + 1))
		while [ "$(jobs -pr | wc -l)" -ge 8 ]; do wait -n || true; done
		attach_one "$name" "$answer" 3>&- &
	done <answers
	wait
	[ "$(wc -l <answers)" -ge 90 ]
	[ "$rest" -ge 1 ]
	[ "$(cat ./*.is | grep -cx fine)" -eq "$rest" ] || { cat ./*.is | grep -vx fine; false; }
}

@test "--columns: the named ones, in that order, below one header; JSON unchanged" {
	run -0 --separate-stderr argdump --columns 'n,$comm,f' vfs_read n=count f=file -- reads 3 some
	[[ ${lines[0]} =~ ^\ +N\ COMM\ +F$ ]] || { echo "$output"; false; }
	[ "$(grep -cE "^ +1 reads +$PWD/some$" <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -j --columns 'n' vfs_read n=count f=file -- reads 1 some
	jq -e -s 'any(.[]; .comm == "reads" and .args == {"n": 1, "f": "'"$PWD/some"'"})' <<<"$output"
	run -1 --separate-stderr argdump --columns 'n,com' vfs_read n=count -- true
	[[ $stderr == *"unknown value 'com'"*"did you mean comm?"* ]]
}

@test "a recipe of the user's runs with the common options" {
	cat >mine.probe <<-'END'
		recipe mine: reads of some bytes
		option -b, --bytes BYTES: of this size
		  --if 'bytes == BYTES'
		bytes = count
		vfs_read bytes took=$lat -r
		columns bytes, took
	END
	run -0 --separate-stderr coretap ./mine.probe -b 1 -c reads -n 2 -T -- reads 5 some
	[ "$(grep -cE '^[0-9:.]+ +1 +[0-9.]+[num]s$' <<<"$output")" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr coretap ./mine.probe -j -c reads -- reads 5 some
	[ "$(jq -s 'map(select(.type == "mine" and .args.bytes == 1)) | length' <<<"$output")" -eq 5 ]
}
