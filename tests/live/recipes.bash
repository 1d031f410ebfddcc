# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# recipes.bash - how the tests of recipes run one and look at what it shows: `load recipes`.

# What FILTER makes of each record, or row, of a run must be what stands on stdin.
shows() { # FILTER RECIPE ARGUMENT…
	local filter=$1 expected
	expected=$(cat)
	shift
	run -0 --separate-stderr "$1" --json "${@:2}"
	same "$filter" "$expected" "$*"
}

# The same of `output`; that something was lost, at most, is no record.
same() { # FILTER EXPECTED WHAT
	local is
	is=$(jq -c "select(.type != \"lost\") | $1" <<<"$output")
	# shellcheck disable=SC2154 # bats sets output and stderr
	[ "$is" = "$2" ] || { echo "$3 shows"; echo "$is"; echo "not"; echo "$2"; echo "$output$stderr" | tail -n 15; false; }
}

# Runs COMMAND while the recipe traces all processes; its JSON is in `output`, what COMMAND printed in beside.work.
beside() { # RECIPE ARGUMENT… -- COMMAND…
	local recipe=() pid
	while [ "$1" != -- ]; do recipe+=("$1") && shift; done
	shift
	"${recipe[0]}" --json "${recipe[@]:1}" >beside.out 2>beside.err 3>&- &
	pid=$!
	wait_attached $pid beside.err
	"$@" >beside.work 2>&1
	kill -INT $pid
	wait $pid || [ $? = 4 ] || { cat beside.err; false; } # 4: something was lost
	# shellcheck disable=SC2034 # for the tests
	output=$(<beside.out) stderr=$(<beside.err)
}

# Runs COMMAND while several recipes trace all processes, each given as one word with its arguments. What RECIPE
# printed is in RECIPE.out, what COMMAND printed in together.work.
together() { # '[coretap ]RECIPE ARGUMENT…'… -- COMMAND…
	local words name pids=() names=() i status
	while [ "$1" != -- ]; do
		read -r -a words <<<"$1"
		name=${words[0]/#coretap/${words[1]-}}
		"${words[@]}" >"$name.out" 2>"$name.err" 3>&- &
		pids+=($!) names+=("$name")
		shift
	done
	shift
	for i in "${!pids[@]}"; do wait_attached "${pids[i]}" "${names[i]}.err"; done
	"$@" >together.work 2>&1
	kill -INT "${pids[@]}"
	for i in "${!pids[@]}"; do
		status=0
		wait "${pids[i]}" || status=$?
		[[ $status == [04] ]] || { echo "${names[i]}: status $status"; cat "${names[i]}.err"; return 1; } # 4: something was lost
	done
}

# What FILTER makes of each line that RECIPE printed, run by `together`, must be what stands on stdin.
showed() { # FILTER RECIPE
	# shellcheck disable=SC2034 # for same
	output=$(<"$2.out") stderr=$(<"$2.err")
	same "$1" "$(cat)" "$2"
}

# A number that is at least LOW and at most HIGH.
within() { # LOW HIGH NUMBER
	[[ $3 && $3 -ge $1 && $3 -le $2 ]] || { echo "$3 is not in $1 … $2"; cat ./*.out ./*.err; false; }
}

# As text: the header must be HEADER, blanks apart.
titles() { # HEADER RECIPE ARGUMENT…
	run -0 --separate-stderr "${@:2}"
	[[ $(sed -n 's/^ *//; s/  */ /gp' <<<"$output") == *"$1"* ]] || { echo "no '$1'"; echo "$output$stderr" | head; false; }
}
