#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a tracer gives up when all is attached, and that it works without. (What is traced, all other tests say:
# they run after the drop, too.)
# shellcheck disable=SC2016,SC2154 # $… is for another shell, or argdump; bats sets stderr

bats_require_minimum_version 1.5.0
load wait

NAMES=(chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable
	net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot
	sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease
	audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm block_suspend audit_read
	perfmon bpf checkpoint_restore)

setup() {
	mkdir -p "/tmp/dropped-$BATS_TEST_NUMBER"
	cd "/tmp/dropped-$BATS_TEST_NUMBER" || return
	ulimit -l unlimited
}

teardown() {
	jobs -p | xargs -r kill 2>/dev/null || true
}

names() { # HEX
	local i said=()
	for i in "${!NAMES[@]}"; do
		((!(0x$1 >> i & 1))) || said+=("${NAMES[i]}")
	done
	echo "${said[*]}"
}

# bpf(2) on maps that are open needs CAP_BPF before Linux 5.19, where unprivileged users may not call it.
maps_need() {
	[[ $(printf '%s\n' 5.19 "$(uname -r)" | sort -V | head -n 1) == 5.19 ]] || echo "bpf"
}

start() { # TOOL…
	"$@" >out 2>err &
	tracer=$!
	wait_attached $tracer
}

end() {
	kill -INT "$tracer"
	wait "$tracer" || [ $? -eq 4 ]
}

# What a run keeps is this, in the order of numbers, in all its sets; and it can get nothing else.
keeps() { # "NAME…" TOOL…
	local want set expected="NoNewPrivs 1 Seccomp 2"
	want=$(tr ' ' '\n' <<<"$1 $(maps_need)" | sort -u | paste -sd' ')
	want=${want# }
	shift
	start "$@"
	for set in CapEff CapPrm CapBnd; do
		[[ $(names "$(status_of $tracer $set)" | tr ' ' '\n' | sort | paste -sd' ') == "$want" ]] ||
			{ echo "$*: $set is '$(names "$(status_of $tracer $set)")', not '$want'"; cat err; false; }
	done
	[[ $(status_of $tracer CapInh) =~ ^0+$ && $(status_of $tracer CapAmb) =~ ^0+$ ]]
	[[ "NoNewPrivs $(status_of $tracer NoNewPrivs) Seccomp $(status_of $tracer Seccomp)" == "$expected" ]]
	end
}

# The kernel gives uprobes to CAP_SYS_ADMIN only.
probes_need() {
	withcaps bpf,perfmon argdump -q -d 0.1 u:/tests/work/target:calls_target >&2 || echo sys_admin
}

@test "each tool keeps the rights that it needs later, and no others" {
	local look="dac_read_search sys_ptrace checkpoint_restore" tool
	[ "$(</proc/sys/kernel/unprivileged_bpf_disabled)" -ne 0 ] || echo 1 >/proc/sys/kernel/unprivileged_bpf_disabled
	for tool in execsnoop opensnoop biosnoop biolatency syssnoop connsnoop "argdump vfs_read" "argdump --count vfs_read" \
		"argdump -k vfs_read" "opensnoop --ring 10" "opensnoop -j" tcplife funcgraph\ vfs_read; do
		# shellcheck disable=SC2086 # words
		keeps "" $tool
	done
	keeps "dac_read_search" opensnoop --with-container
	keeps "dac_read_search" argdump vfs_read '$cgroup:container'
	keeps "$look" argdump -U vfs_read
	keeps "dac_override fowner" opensnoop -o o --rotate 1M
	keeps "dac_override fowner $look" argdump --folded --svg s.svg vfs_read
	keeps "kill" opensnoop -- sleep 1000
	keeps "bpf perfmon $look $(probes_need 2>/dev/null)" bashreadline
	keeps "bpf perfmon $look $(probes_need 2>/dev/null)" connsnoop -j
}

@test "a command keeps the rights that it would have without us, and may get more" {
	execsnoop -o /dev/null -- cat /proc/self/status >with
	cat /proc/self/status >without
	diff <(grep -E '^(Cap|NoNew|Seccomp:)' with) <(grep -E '^(Cap|NoNew|Seccomp:)' without)
	opensnoop -o /dev/null --as nobody -- cat /proc/self/status >with
	grep -qE '^Uid:.65534.65534' with
	grep -qE '^NoNewPrivs:.0' with
	# which is ended though it is another user's
	run -0 opensnoop -d 0.3 -o /dev/null --as nobody -- sleep 1000
	[[ $output == *"ended by SIGTERM"* ]] || { echo "$output"; false; }
}

@test "-v names the kept rights" {
	run -0 --separate-stderr execsnoop -v -o /dev/null -- true
	[[ $stderr == *"rights: kept "*cap_kill* ]] || { echo "$stderr"; false; }
}

@test "--run-as: another user, who owns created files; the command keeps its user" {
	mkdir -p theirs ours
	chown nobody theirs
	chmod 700 theirs ours
	echo 'ann:x:2234:2235:Ann:/home/ann:' >>/etc/passwd
	echo 'anns:x:2236:ann' >>/etc/group
	start argdump --run-as ann -U vfs_write
	[ "$(sed -n 's/^\(Uid\|Gid\|Groups\):\s*//p' /proc/$tracer/status | tr -s ' \t\n' ' ')" = \
		"2234 2234 2234 2234 2235 2235 2235 2235 2235 2236 " ]
	[[ $(names "$(status_of $tracer CapEff)") == *"sys_ptrace"* ]]
	end
	run -0 opensnoop --run-as nobody --path '/no/*' -j -o theirs/o --rotate 2K,3 -- bash -c \
		'for ((i = 0; i < 50; i++)); do : <"/no/$i"; done 2>&-; grep Uid: /proc/self/status >u'
	[ "$(stat -c %U theirs/o theirs/o.1 theirs/o.3 | sort -u)" = nobody ]
	[ "$(cat theirs/o{.3,.2,.1,} | jq -r .path | tail -n 1)" = /no/49 ]
	grep -qE '^Uid:.0.0.0.0' u
	# in /tmp, which has the sticky bit, what root has made can be replaced
	run -0 opensnoop --run-as nobody --path '/no/*' -j -o /tmp/dropped.o --rotate 2K,1 -- bash -c \
		'for ((i = 0; i < 50; i++)); do : <"/no/$i"; done 2>&-; true'
	[ "$(stat -c %U /tmp/dropped.o /tmp/dropped.o.1 | sort -u)" = nobody ]
	run -0 argdump --run-as nobody --folded --svg theirs/s.svg do_sys_openat2 -- cat /etc/passwd
	grep -q cat theirs/s.svg
	# where the user makes no files that is said before the command runs
	run -3 argdump --run-as nobody --folded --svg ours/s.svg do_sys_openat2 -- touch ran
	[[ $output == *"cannot write to 'ours/s.svg'"* && ! -e ran ]]
	run -1 opensnoop --run-as nobody -o ours/o --rotate 2K -- touch ran
	[[ $output == *"--rotate: cannot create 'ours/o.1'"* && ! -e ran ]]
}

@test "--run-as: names of new processes, containers, hosts and shells are still found" {
	local cg=/sys/fs/cgroup/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope
	mkdir -p "$cg" now
	run -0 argdump --run-as nobody -q -U "u:$(type -P ucalls):called" -- ucalls nest 1
	grep -q "^    called" <<<"$output" || { echo "$output"; false; }
	opensnoop --run-as nobody --path '/no/*' -j --with-container -o c -- \
		bash -c "echo \$\$ >$cg/cgroup.procs; : </no/x" || true
	[[ $(jq -r .container c) == 0123456789abcdef* ]]
	rmdir "$cg" || true
	start bashreadline -v -j --run-as nobody
	cp "$(type -P deeds)" now/bash
	[ -p in ] || mkfifo in
	unshare -m sh -c 'mount -t tmpfs none now && cp "$(type -P deeds)" now/bash && exec now/bash readline 0 <in' &
	exec 8>in
	wait_until grep -q 'uretprobe readline: .*now/bash' err
	echo typed >&8
	exec 8>&-
	wait_until grep -q '"line":"typed"' out
	end
}

@test "--run-as: without the right, and an unknown user" {
	run -1 opensnoop --run-as nobody-such -d 0.1
	[[ $output == *"--run-as: unknown user 'nobody-such'"* ]]
	run -2 withcaps bpf,perfmon execsnoop --run-as root -d 0.1
	[[ $output == *"--run-as: cannot become 'root': "*CAP_SETUID* ]]
}

@test "after the drop: a flight recorder, rotated files, reports, children, symbols, fds, inner pids" {
	local called
	called="u:$(type -P ucalls):called"
	start argdump --ring 4 "$called" 'n=$arg2'
	ucalls nest 9
	kill -USR1 $tracer
	wait_until grep -q n=1 out
	end
	run -0 opensnoop --path '/no/*' -j -o o --rotate 2K,30 -- \
		bash -c 'for ((i = 0; i < 100; i++)); do : <"/no/$i"; done 2>&-; true'
	[ "$(cat o o.* | jq -r .path | sort -u | wc -l)" -eq 100 ]
	start argdump --count --by '$comm' --interval 0.2 --clear -j "$called"
	ucalls nest 9
	wait_until grep -q ucalls out
	end
	[ "$(jq -s 'map(select(.type == "count").count) | add' out)" -eq 9 ] || { cat out; false; }
	run -0 --separate-stderr execsnoop --inner-pids -o p -- unshare -pf bash -c 'busybox true; true'
	grep -q 'busybox true' p
	run -0 argdump -q -U "$called" -- ucalls nest 1
	grep -q "^    called" <<<"$output"
	run -0 syssnoop -y -e close -o y -- cat /etc/passwd
	grep -q 'close([0-9]*</etc/passwd>' y || { cat y; false; }
	rm -f go
	mkfifo go
	bash -c 'read -r _ <go; (: </no/child)' 2>/dev/null &
	start opensnoop --path '/no/*' -f -p $!
	echo >go
	wait $tracer # which ends with that process
	grep -q /no/child out
}
