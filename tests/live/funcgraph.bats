#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# funcgraph against a workload whose calls are known (tests/work/reads) and against the kernel's own
# function_graph tracer, which is shown the same functions: the same calls, in the same nesting.
#
# Everything runs on one processor, as in callsets.bats.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0
load argdump
load wait

T=/sys/kernel/tracing
SET='rw_verify_area,security_file_p*'
# of opens, those that exist on this kernel
OPENS='do_filp_open,do_file_open,path_openat,path_init,inode_permission,lookup_fast,may_open,do_open,vfs_open,security_inode_permission,security_file_open,step_into,complete_walk,generic_permission,proc_lookup,proc_pid_lookup,proc_reg_open,proc_self_get_link'

setup() {
	taskset -p 1 $BASHPID >/dev/null
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# Of OPENS, what can be traced here, with commas.
traceable() { # LIST
	local name names=
	for name in ${1//,/ }; do
		grep -qx "$name" $T/available_filter_functions || continue
		names+=${names:+,}$name
	done
	echo "$names"
}

# A line for each tree of FUNC in funcgraph's JSON, with how often it was there: vfs_read(rw_verify_area(…))
trees() {
	jq -r 'select(.type == "funcgraph") | "\(.depth) \(.func)"' | nested | sort | uniq -c
}

# "DEPTH NAME" lines → trees
nested() {
	awk '
		function end(to) { for (; depth > to; depth--) tree = tree ")" }
		NF == 2 && $1 == 0 { if (tree) { end(0); print tree }; tree = $2; depth = 0; next }
		NF == 2 { if ($1 > depth) { depth++; tree = tree "(" $2 } else { end($1); tree = tree " " $2 } }
		END { if (tree) { end(0); print tree } }'
}

# What the kernel's tracer shows of COMMAND, in the same form: FUNC and what it calls of the functions in
# `traced`.
kernel_trees() { # FUNC COMMAND…
	local func=$1
	shift
	echo 0 >$T/tracing_on
	echo >$T/trace
	xargs -n 1 <traced >$T/set_ftrace_filter 2>/dev/null || cat traced >$T/set_ftrace_filter
	echo "$func" >$T/set_graph_function
	echo 0 >$T/options/funcgraph-irqs
	echo 1 >$T/options/function-fork
	echo function_graph >$T/current_tracer
	"$BASH" -c 'echo $$ >'$T'/set_ftrace_pid; echo 1 >'$T'/tracing_on; exec "$@"' - "$@" >/dev/null 2>&1 || true
	echo 0 >$T/tracing_on
	sed -nE 's/^[^|]*\|  ( *)([A-Za-z_0-9.]+)\(.*(;|\{).*/\1|\2/p' $T/trace |
		awk -F'|' '{print length($1) / 2, $2}' | nested | grep "^$func" | sort | uniq -c
	echo nop >$T/current_tracer
	echo >$T/set_graph_function
	echo >$T/set_ftrace_filter
	echo >$T/set_ftrace_pid
	echo 1 >$T/tracing_on
}

nothing_attached() {
	[ ! -s $T/enabled_functions ] && ! ls -l /proc/[0-9]*/fd | grep -E 'bpf-(prog|link|map)'
}

# The functions that a run of funcgraph would trace.
functions_planned() { # FUNC LIST
	funcgraph --dry-run "$1" --funcs "$2" 2>/dev/null | grep -v '^  ' | cut -d' ' -f2- | tr ' ' '\n' | sed 's/%return//' |
		sort -u | grep -xF -f $T/available_filter_functions
}

@test "10000 calls: no tree is torn, and each call is inside of its parent" {
	run -0 --separate-stderr funcgraph -j --buffer 128M vfs_read --funcs "$SET" -c reads -o out -- reads 10000 some
	trees <out >kinds
	whole=$(awk '$2 == "vfs_read(rw_verify_area(security_file_permission))" { print $1 }' kinds)
	missed=$(sed -n 's/.* at most \([0-9]*\) events missed.*/\1/p' <<<"$stderr" | tail -n 1)
	# a kernel that preempts programs may miss some, where others wait for the processor
	if [ -z "$missed" ]; then
		[[ $whole = 10000 && $(wc -l <kinds) = 1 ]] && ! grep -q '"torn":true' out || false
	else
		[ $((whole + missed)) -ge 10000 ]
	fi || { cat kinds; echo "$stderr"; false; }
	[ -z "$missed" ] || return 0
	jq -en '[foreach inputs as $c ({}; if $c.type != "funcgraph" then .bad = false else
		.bad = ($c.call > 0 and (.at[$c.parent] as $p | $c.ts_ns < $p[0] or $c.ts_ns + $c.duration_ns > $p[1])) |
		.at = (if $c.call == 0 then [] else .at end) | .at[$c.call] = [$c.ts_ns, $c.ts_ns + $c.duration_ns] end;
		.bad)] | any | not' out
}

# What breaks no rule of the format (tests/lib/trace_rules.jq, which knows spans, not funcgraph).
@test "trace events: each call is a span, well nested in its thread, with arguments and result" {
	rules=$(dirname "$BATS_TEST_DIRNAME")/lib
	run -0 --separate-stderr funcgraph --trace-json t.json vfs_read --funcs "$SET" -c reads -- reads 25 some
	[[ $output != *vfs_read* && $output != *DURATION* ]]
	run -0 jq -c -L "$rules" 'include "trace_rules"; trace_errors' t.json
	[ "$output" = '[]' ] || { echo "$output" | head -c 2000; false; }
	# the tree of each read on "some", by the times of its spans alone
	run -0 jq -c '[.[] | select(.ph == "X")] | map(select(.args.file? // "" | endswith("/some"))) | sort_by(.ts, -.dur) |
		[range(0; length; 3) as $i | .[$i:$i + 3] |
			(map(.name) == ["vfs_read", "rw_verify_area", "security_file_permission"]) and
			.[1].ts + .[1].dur <= .[0].ts + .[0].dur + 0.0005 and .[2].ts + .[2].dur <= .[1].ts + .[1].dur + 0.0005 and
			(map(.args.depth) == [0, 1, 2]) and .[0].args.ret == 1 and .[1].args.ret == 0 and .[0].args.count == 1] |
		[length, all]' t.json
	[ "$output" = '[25,true]' ] || { echo "$output"; head -c 3000 t.json; false; }
	# an error's path is spans, too
	run -0 --separate-stderr funcgraph --trace-json e.json --errors do_sys_openat2 --funcs 'do_fil*_open' \
		-- bash -c 'cat /none/x 2>/dev/null; exit 0'
	run -0 jq -c -L "$rules" 'include "trace_rules"; trace_errors, (map(select(.name == "do_sys_openat2")) | length)' e.json
	[[ ${lines[0]} = '[]' && ${lines[1]} -ge 1 ]] || { echo "$output"; head -c 3000 e.json; false; }
}

@test "the same calls and nesting as the kernel's tracer: reads" {
	functions_planned vfs_read "$SET" >traced
	kernel_trees vfs_read reads 300 some >theirs
	run -0 --separate-stderr funcgraph -j vfs_read --funcs "$SET" -o out -- reads 300 some
	trees <out | grep -w 300 >ours
	grep -w 300 theirs | diff - ours || { cat theirs; trees <out; echo "$stderr"; false; }
}

@test "the same calls and nesting as the kernel's tracer: opens of many depths" {
	mkdir -p a/b/c
	echo x >a/b/c/d
	ln -s b/c a/link
	list=$(traceable "$OPENS")
	functions_planned do_sys_openat2 "$list" >traced
	printf 'cat a/b/c/d a/link/d /proc/self/status /proc/1/stat a/none /none/x 2>/dev/null\nexit 0' >work
	bash work # what it reads is in caches from here on
	kernel_trees do_sys_openat2 bash work >theirs
	run --separate-stderr funcgraph -j do_sys_openat2 --funcs "$list" -o out -- bash work
	[[ $status == [04] ]]
	! grep -q '"torn":true' out || { echo "$stderr"; false; }
	echo "# $(uname -r): $(wc -l <traced) functions, $(wc -l <theirs) kinds of trees" >&3
	trees <out >ours
	[ -s ours ]
	diff theirs ours || { echo "$stderr"; false; }
}

@test "text as the kernel's, with arguments and results" {
	run -0 --separate-stderr funcgraph vfs_read --funcs "$SET" -c reads -n 2 -- reads 5 some
	diff <(sed -E 's/reads-[0-9]+/reads-N/; s/0x[0-9a-f]+/0x/; s/^ +[0-9]+\) //; s/^[ +!#*@$] +[0-9.]+ us/TIME/; s/^ +\|/ |/; s#"/[^"]*/some"#"some"#' <<<"$output" | grep -v '^[0-9]*$') - <<-'END'
		 CPU   DURATION       |  FUNCTION CALLS
		# reads-N
		 |  vfs_read(file="some", buf=0x, count=1, pos=0) {
		 |    rw_verify_area(read_write=0, file="some", ppos=0, count=1) {
		TIME |      security_file_permission(file="some", mask=4) = 0;
		TIME |    } = 0
		TIME |  } = 1
		# reads-N
		 |  vfs_read(file="some", buf=0x, count=1, pos=0) {
		 |    rw_verify_area(read_write=0, file="some", ppos=0, count=1) {
		TIME |      security_file_permission(file="some", mask=4) = 0;
		TIME |    } = 0
		TIME |  } = 1
	END
}

@test "--errors: the path of an error, the innermost first" {
	list=$(traceable "$OPENS")
	mkdir folder
	printf '< none\n< some\n> folder\n:' >work
	run --separate-stderr funcgraph -j --errors do_sys_openat2 --funcs "$list" -o out -- bash work
	jq -r 'select(.type == "funcgraph") | "\(.tree) \(.func) \(.errno)"' out >paths
	# of `none`: the file system has not found it
	path=$(jq -rs 'map(select(.type == "funcgraph")) | group_by(.tree)[] |
		select(any(.args.filename == "none")) | map("\(.func) \(.errno)") | join(" < ")' out)
	[[ $path =~ path_openat\ ENOENT\ \<\ do_fil[a-z_]*open\ ENOENT\ \<\ do_sys_openat2\ ENOENT$ ]] || { echo "$path"; cat paths; echo "$stderr"; false; }
	path=$(jq -rs 'map(select(.type == "funcgraph")) | group_by(.tree)[] |
		select(any(.args.filename == "folder")) | map("\(.func) \(.errno)") | join(" < ")' out)
	[[ $path =~ path_openat\ EISDIR\ \<\ do_fil[a-z_]*open\ EISDIR\ \<\ do_sys_openat2\ EISDIR$ ]] || { echo "$path"; cat paths; false; }
	! grep -qF '"filename":"some"' out || false
	# only some errors, by name and by number; the word after a bare option is its argument if it is an error
	for words in '-x EISDIR do_sys_openat2' 'do_sys_openat2 --errors 21' '--errors=eisdir,EPERM do_sys_openat2'; do
		run --separate-stderr funcgraph -j $words --funcs "$list" -o out -- bash work
		[ "$(jq -r 'select(.type == "funcgraph") | .errno' out | sort -u)" = EISDIR ] || { echo "$words"; cat out; false; }
	done
	# a component of the path: by a function that on some kernels is a copy without a type
	run --separate-stderr funcgraph --errors do_sys_openat2 --funcs "$list,link_path_walk*" -- bash -c '< none/x; :'
	! grep -q '^link_path_walk' $T/available_filter_functions ||
		grep -E '^ +[0-9]+\) [ +!#*@$] +[0-9.]+ us \|  link_path_walk[^ ]*\(.*\) = -ENOENT /\* error \*/;$' <<<"$output" || { echo "$output$stderr"; false; }
	# as text
	run --separate-stderr funcgraph --errors do_sys_openat2 --funcs "$list" -- bash -c '< none; :'
	grep -E '^ +[0-9]+\) [ +!#*@$] +[0-9.]+ us \|  do_sys_openat2\(.*"none".*\) = -ENOENT /\* error \*/;$' <<<"$output"
}

@test "--depth, --longer, -p and -n" {
	run -0 --separate-stderr funcgraph -j vfs_read --funcs "$SET" --depth 2 -c reads -o out -- reads 7 some
	[ "$(trees <out | sed 's/ *//')" = '7 vfs_read(rw_verify_area)' ]
	run -0 --separate-stderr funcgraph -j vfs_read --depth 1 --longer 100s -c reads -- reads 7 some
	! grep -q '"funcgraph"' <<<"$output" || false
	run -0 --separate-stderr funcgraph -j vfs_read --depth 1 --longer 1ns -c reads -- reads 7 some
	[ "$(grep -c '"funcgraph"' <<<"$output")" -eq 7 ]
}

# Trees that have been shown before the flood are whole; the flood finds a reader that is stopped.
@test "a full ring tears trees, which is counted; none has a wrong nesting" {
	printf 'reads 50 some\nuntil [ "$(grep -c vfs_read out)" -ge 50 ]; do sleep 0.1; done\nkill -STOP $PPID; reads 2000 some; kill -CONT $PPID\n' >work
	run --separate-stderr funcgraph -j --buffer 256K vfs_read --funcs "$SET" -c reads -o out -- bash work
	[ "$status" -eq 0 ] || { echo "$status: $stderr"; tail -n 1 out; false; } # the command's
	grep -q '"torn":true' out || { echo "$stderr"; false; }
	jq -en 'last(inputs | select(.type == "lost")) | .final and .torn > 0 and .ring_full > 0' out
	# whole trees are whole
	first=$(jq -n 'first(inputs | select(.type == "funcgraph")) | .pid' out)
	[ "$(jq -c "select(.pid == $first)" out | trees | sed 's/ *//')" = '50 vfs_read(rw_verify_area(security_file_permission))' ]
	jq -c 'select(.torn == false)' out | trees >whole
	! grep -v ' vfs_read(rw_verify_area(security_file_permission))$' whole || { cat whole; false; }
}

@test "without --funcs: functions that FUNC's code calls; the processor" {
	run_nested --separate-stderr funcgraph -j vfs_read --depth 3 -c reads -o out -- reads 20 some
	[[ $stderr =~ tracing\ vfs_read\ and\ ([0-9]+)\ functions\ that\ its\ code\ calls,\ 2\ levels\ down ]] || { echo "$stderr"; false; }
	((BASH_REMATCH[1] >= 5))
	[ "$(jq -n '[inputs | select(.type == "funcgraph" and .call == 0)] | length' out)" -eq 20 ]
	[ "$(jq -n '[inputs | select(.func == "rw_verify_area" and .depth == 1)] | length' out)" -eq 20 ]
	[ "$(jq -n '[inputs | select(.func == "security_file_permission" and .depth == 2)] | length' out)" -eq 20 ]
	jq -en '[inputs | select(.type == "funcgraph") | .depth < 3 and .cpu == 0] | all' out # as setup says
	run -0 --separate-stderr funcgraph -j vfs_read --depth 1 -c reads -- reads 7 some
	[ "$(grep -c '"funcgraph"' <<<"$output")" -eq 7 ]
	[[ $stderr != *tracing* ]]
}

@test "kill -9 leaves nothing attached" {
	probes=$(cat $T/kprobe_events $T/uprobe_events)
	funcgraph vfs_read --depth 2 -p 1 2>err 3>&- & tool=$!
	wait_attached $tool
	kill -9 $tool
	wait $tool || true
	wait_until nothing_attached
	# an event that asks for room has a name until the next run that makes one (kretprobe.h)
	run -0 --separate-stderr funcgraph vfs_read --depth 2 -p 1 -d 0.1
	[ "$(cat $T/kprobe_events $T/uprobe_events)" = "$probes" ]
	[ "$(cat $T/current_tracer) $(ls $T/instances)" = 'nop ' ]
}

@test "a call that has not returned is shown at the end" {
	mkfifo fifo
	sleep 1000 >fifo 3>&- &
	writer=$!
	funcgraph vfs_read --funcs "$SET" -c reads -o out -- bash -c 'echo $$ >pid; exec reads 1 fifo' 2>err 3>&- &
	tracer=$!
	wait_until test -s pid
	wait_until is_in "$(cat pid)" '(anon_|fifo_)?pipe[a-z_]*read'
	kill -INT $tracer
	wait $tracer || true
	kill $writer
	grep -F '/* has not returned */' out || { cat out err; false; }
}

# What the set is, the code tells: no test has chosen it. The lowest are called with little on the stack between.
@test "without --funcs: no tree is torn, and entries and returns inside of FUNC are equally many" {
	for func in vfs_read __x64_sys_read do_sys_openat2; do
		grep -qx $func $T/available_filter_functions || continue
		run --separate-stderr funcgraph $func -- bash -c 'reads 50 some; read -r a </proc/uptime'
		[[ $output == *" $func("* ]] || { echo "$func: $output"; false; }
		# an event may be missed on a kernel that preempts, and is counted then
		[[ $output != *torn* || $stderr == *' missed'* ]] || { echo "$func: $(grep -A1 torn <<<"$output" | head -4) $stderr"; false; }
	done
	local callees
	callees=$(traceable rw_verify_area,security_file_permission,apparmor_file_permission)
	argdump --count=n --by '$func' -j "$callees%return" --in vfs_read -- reads 50 some >returns
	argdump --count=n --by '$func' -j "$callees" --in vfs_read -- reads 50 some >entries
	jq -s 'map(select(.type == "count").n) | add // 0' returns entries
	[ "$(jq -s 'map(select(.type == "count" and .n >= 50)) | length' returns)" -eq "$(tr ',' '\n' <<<"$callees" | wc -l)" ]
	[ "$(jq -s 'map(select(.type == "count" and .n >= 50)) | length' entries)" -eq "$(tr ',' '\n' <<<"$callees" | wc -l)" ]
}
