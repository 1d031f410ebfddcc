# shellcheck shell=bash
# argdump.bash - what several files of live tests ask argdump in the same way: `load argdump`.

count() { grep -c "$@" || true; }

# Bytes from the start of the last member's struct: offset FUNC EXPR
offset() {
	argdump --dump=types "$1" "$2" | sed -n 's/.*, in memory at +\([0-9]*\)$/\1/p' | head -n 1
}

# Runs argdump with its workload (behind --), and wants COUNT lines like PATTERN.
wants() { # COUNT PATTERN ARGDUMP-ARGUMENTS...
	local n=$1 pattern=$2
	shift 2
	run --separate-stderr argdump "$@"
	# shellcheck disable=SC2154 # bats sets output and stderr
	if [ "$status" -ne 0 ] || [ "$(count -E -- "$pattern" <<<"$output")" -ne "$n" ]; then
		echo "wanted $n of $pattern; argdump $*"; echo "$output" | tail -n 20; echo "$stderr"; false
	fi
}
