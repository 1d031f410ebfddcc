#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# b:PROGRAM: BPF programs that are loaded, and functions of these. The work program `verdicts` has three: one drops
# packets of an odd length, one says what it would do, one returns the low bits of each system call's number.

bats_require_minimum_version 1.5.0
load argdump
load verdicts
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	verdicts_begin
}

teardown() { verdicts_end; }

# Traces a program while packets of these lengths are sent: send_while 'LENGTHS' TOOL ARG…
send_while() {
	local lengths=$1 tool=$2
	shift 2
	: >out
	timeout 60 "$tool" "$@" >out 2>err & local tracer=$!
	wait_until grep -q "$ready" err out || { cat out err; false; }
	printf '%s\n' $lengths >&7
	before=$((before + $(wc -w <<<"$lengths")))
	wait_until sent_all $before
	sleep 0.5
	kill -INT $tracer
	wait $tracer || { echo "status $?"; cat out err; false; }
}
ready=COMM before=0
sent_all() { [ "$(grep -c classified sent)" -ge "$1" ]; }

@test "the context as the kernel sees it, the verdict by name" {
	send_while '58 71' argdump -r b:verdict_of_each_packet 'len=ctx->data_end - ctx->data' 'ctx->rxq->dev->name' --if 'ctx->data_end - ctx->data < 130'
	# each packet arrives, and is dropped if it is odd; the kernel answers those that arrive
	grep -qE ' len=100 name="lo" ret=XDP_PASS lat=' out || { cat out err; false; }
	grep -qE ' len=113 name="lo" ret=XDP_DROP lat=' out || { cat out err; false; }
	send_while '90' argdump -r b:verdict_of_each_packet --if '$ret == XDP_DROP'
	[ "$(grep -c verdicts out)" -eq 0 ] || { cat out err; false; }
}

@test "a classifier gets an sk_buff; what it returns is TC_ACT_" {
	send_while '100 1500' argdump -r b:tc_shot_every 'skb->len'
	[ "$(sed -n 's/.* \(len=.*\) lat=.*/\1/p' out)" = $'len=100 ret=TC_ACT_OK\nlen=1500 ret=TC_ACT_SHOT' ] || { cat out err; false; }
	[ "$(cat sent)" = $'ready\nsent 100, classified 0\nsent 1500, classified 2' ] || { cat sent; false; }
	send_while '200' argdump b:tc_shot_every%return
	grep -q 'ret=TC_ACT_OK$' out || { cat out err; false; }
}

@test "a result of a program whose context has another type than its kind: behind five arguments" {
	argdump -n 20 -r b:on_sys_enter 'nr=ctx[1]' -c bash >out 2>err & local tracer=$!
	wait_until grep -q COMM out
	bash -c 'for i in {1..30}; do : </dev/null; done'
	wait $tracer
	[ "$(wc -l <out)" -eq 21 ] || { cat out err; false; }
	# the low three bits
	sed -n 's/.* nr=\([0-9]*\) ret=\([0-9]*\) .*/\1 \2/p' out | awk '{ if ($1 % 8 != $2) bad++ } END { exit bad || NR != 20 }' || { cat out; false; }
}

@test "a static function: its parameters are registers, because the compiler moves them" {
	send_while '158' argdump -r b:verdict_of_each_packet:classify_by_length
	grep -q 'its calls do not fit its types' err || { cat out err; false; }
	grep -qE ' arg1=[0-9]+ .* arg5=[0-9]+ ret=2 lat=' out || { cat out err; false; }
	run -1 argdump b:verdict_of_each_packet:classify_by_length seen
	[[ $output == *'no parameter seen'*'$arg1'* ]] || { echo "$output"; false; }
}

@test "names, ids, tags, patterns, lists; counts" {
	local id tag
	run -0 --separate-stderr argdump -l -j b:tc_shot_every
	id=$(jq .id <<<"$output")
	tag=$(jq -r .tag <<<"$output")
	[ "$(jq -c '[.program_type, .params[].name, .params[].ctype]' <<<"$output")" = '["SCHED_CLS","skb","struct sk_buff *"]' ] || { echo "$output"; false; }
	for name in "$id" "$tag" tc_shot_every 'tc_shot*' "$id:tc_shot_every" '*:tc_shot_every'; do
		run -0 --separate-stderr argdump --dry-run "b:$name"
		[[ $output == *'fentry b:tc_shot_every'* ]] || { echo "$name: $output"; false; }
	done
	run -0 --separate-stderr argdump -l 'b:verdict*:*'
	[[ $output == *'b:verdict_of_each_packet(struct xdp_buff *ctx)'*$'\n'*'b:verdict_of_each_packet:classify_by_length(struct seen *seen, int limit)'* ]] || { echo "$output"; false; }
	sysctl -qw kernel.bpf_stats_enabled=1
	for _ in {1..20}; do : </dev/null; done
	sysctl -qw kernel.bpf_stats_enabled=0
	run -0 --separate-stderr argdump -l b:on_sys_enter
	[[ $output =~ ', '[1-9][0-9]*' runs, '[1-9][0-9]*' ns each */' ]] || { echo "$output"; false; }
	ready=attached
	send_while '100 102 104' argdump -v --count --by '$func' b:tc_shot_every,verdict_of_each_packet
	grep -qE 'tc_shot_every +3' out || { cat out err; false; }
}

@test "with ftrace switched off: a program's trampoline does not need it" {
	sysctl -qw kernel.ftrace_enabled=0 2>/dev/null || skip "this kernel does not let ftrace be switched off here"
	run send_while '100 1500' argdump -r b:tc_shot_every 'skb->len'
	sysctl -qw kernel.ftrace_enabled=1
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	grep -q 'len=1500 ret=TC_ACT_SHOT' out || { cat out err; false; }
}

@test "what cannot be traced is refused, with what to do" {
	run -1 argdump b:nosuch
	[[ $output == *"no BPF program nosuch"*"argdump -l 'b:*' lists all"* ]]
	run -1 argdump b:verdict_of_each_packt
	[[ $output == *'did you mean verdict_of_each_packet?'* ]]
	run -1 argdump b:
	[[ $output == *'a name is missing'* ]]
	run -1 argdump b:tc_shot_every --dry-run --btf /sys/kernel/btf/vmlinux
	[[ $output == *'leave out --btf'* ]]
	run -1 argdump b:verdict_of_each_packet nosuch
	[[ $output == *'its parameters: ctx'* ]]
	run -0 argdump --dry-run 'b:nosuch?,tc_shot_every'
}

@test "a command gets no descriptor of the program" {
	argdump -o out b:tc_shot_every -- ls -l /proc/self/fd >fds
	grep -q ' 1 -> ' fds
	! grep bpf-prog fds || false
}

@test "bt: fentry:bpf:NAME, fexit:bpf:ID:NAME" {
	local id
	id=$(argdump -l -j b:tc_shot_every | jq .id)
	ready=Attached
	send_while '100 1500' bt -e "fentry:bpf:verdict_of_each_packet { @[str(args.ctx->rxq->dev->name)] = count(); } fexit:bpf:$id:tc_shot_every { printf(\"%d %s %d\\n\", args.skb->len, func, retval); }"
	grep -qx '100 tc_shot_every 0' out && grep -qx '1500 tc_shot_every 2' out || { cat out err; false; }
	grep -qE '^@\[lo\]: [0-9]+$' out || { cat out err; false; }
}
