#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What works with a few capabilities instead of root, and that the rest is told with what it needs.

bats_require_minimum_version 1.5.0
load wait

setup_file() {
	printf 'x%.0s' {1..64} >"$BATS_FILE_TMPDIR/some"
	chmod a+rx /tmp "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	ulimit -l unlimited
	read -r paranoid </proc/sys/kernel/perf_event_paranoid
	read -r kptr </proc/sys/kernel/kptr_restrict
	# what Debian begins with, and other kernels take no notice of
	echo 3 >/proc/sys/kernel/perf_event_paranoid
}

teardown() {
	jobs -p | xargs -r kill 2>/dev/null || true
	echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
	echo "$kptr" >/proc/sys/kernel/kptr_restrict
}

caps() { run --separate-stderr withcaps "$@"; }

# kprobe.multi, which is no perf event, sees them all.
needs_perf() { withcaps bpf,perfmon opensnoop --dry-run | grep -q '^kprobe io_openat2'; }

# The kernel has Debian's level 3: even CAP_PERFMON opens no perf event.
perf_forbidden() { ! withcaps bpf,perfmon argdump -q -d 0.1 --attach kprobe vfs_read 2>/dev/null; }

fine() { [ "$status" -eq 0 ] || { echo "$status: $output$stderr"; false; }; }

answer() { # NAME; of $output
	jq -r --arg n "$1" 'select(.name == $n) | .answer' <<<"$output"
}

@test "CAP_BPF and CAP_PERFMON: execs, opens, functions, counts" {
	caps bpf,perfmon execsnoop -- busybox true
	fine
	grep -qE '^busybox .* 0 busybox true$' <<<"$output"
	# who cannot see whether this kernel preempts programs must expect it, and has kprobes alone before 6.14
	caps bpf,perfmon opensnoop -- reads 1 some
	if [ "$status" -ne 0 ]; then
		[[ $status -eq 2 && $stderr == *"perf_event_paranoid is 3"* ]] || { echo "$stderr"; false; }
		caps bpf,perfmon,dac_read_search opensnoop -- reads 1 some
	fi
	fine
	grep -qE ' reads .* 0 +some$' <<<"$output" || { echo "$output"; false; }
	if perf_forbidden && needs_perf; then
		[[ $stderr == *"not seen here: opens by io_uring"*"perf_event_paranoid is 3"* ]] || { echo "$stderr"; false; }
		[ "$(grep -c 'not seen here' <<<"$stderr")" -eq 1 ]
	fi
	caps bpf,perfmon argdump vfs_read 'file->f_inode->i_size' count -- reads 3 some
	fine
	[ "$(grep -c ' reads .*i_size=64 count=1$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	caps bpf,perfmon argdump -c reads --count -r vfs_read,vfs_write -- reads 3 some
	fine
}

@test "perf events: the switch that forbids them is named, and lowered it all works" {
	if perf_forbidden; then
		for args in '--attach kprobe vfs_read' u:/tests/work/target:calls_target; do
			# shellcheck disable=SC2086 # words
			caps bpf,perfmon argdump -d 0.1 $args
			[[ $status -eq 2 && $stderr == *"perf_event_paranoid is 3"*"perf_event_paranoid=2"* ]] ||
				{ echo "$args: $stderr"; false; }
		done
	else
		echo "# this kernel has no level 3 of kernel.perf_event_paranoid" >&3
	fi
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	caps bpf,perfmon argdump -q --attach kprobe -c reads vfs_read count -- reads 3 some
	fine
	[ "$(grep -c 'count=1$' <<<"$output")" -eq 3 ]
	# which newer kernels, and later versions of older ones, give to nobody else
	caps bpf,perfmon argdump -q u:/tests/work/target:calls_target '(int)$arg2' -- target 3 text
	[[ $stderr == *"missing CAP_SYS_ADMIN"* ]] || fine
	caps bpf,perfmon,sys_admin argdump -q u:/tests/work/target:calls_target '(int)$arg2' -- target 3 text
	fine
	caps bpf,perfmon opensnoop -- reads 1 some
	fine
	[[ $stderr != *"not seen"* ]] || { echo "$stderr"; false; }
}

@test "tracefs that may not be read: system calls without names are told" {
	caps bpf,perfmon argdump -n 1 s:read -- reads 3 some
	fine
	[[ $output == *arg1=* && $stderr == *"have no names"*CAP_DAC_READ_SEARCH* ]] || { echo "$output$stderr"; false; }
	caps bpf,perfmon argdump -n 1 t:sched:sched_process_exec -- busybox true
	fine
	[[ $stderr == *"no fields"*CAP_DAC_READ_SEARCH* ]] || { echo "$stderr"; false; }
	caps bpf,perfmon,dac_read_search argdump -n 1 s:read -- reads 3 some
	fine
	[[ $output == *fd=* && $stderr != *"no names"* ]] || { echo "$output$stderr"; false; }
}

@test "tracefs that a group may read, by the command that the hint names" {
	local allow
	caps bpf,perfmon argdump -n 1 s:read -- reads 3 some
	allow=$(grep -o 'mount -o remount,gid=GROUP[^ ]* [^ ;]*' <<<"$stderr")
	[ "$allow" ]
	${allow/GROUP/$(withcaps bpf id -g)}
	caps bpf,perfmon argdump -n 1 s:read -- reads 3 some
	[[ $output == *fd=* && $stderr != *"no names"* ]] || { echo "$output$stderr"; false; }
	caps bpf,perfmon argdump -n 1 t:sched:sched_process_exec -- busybox true
	fine
	[[ $stderr != *"no fields"* ]] || { echo "$output$stderr"; false; }
	caps bpf,perfmon coretap doctor -j
	[ "$(answer tracefs)" = yes ]
	mount -o remount,gid=0,mode=700 /sys/kernel/tracing
}

@test "doctor tells what these capabilities leave out" {
	caps bpf,perfmon coretap doctor -j
	fine
	[ "$(answer rights)" = yes ]
	[ "$(answer tracefs)" = partly ]
	[ "$(answer 'symbol addresses')" = partly ]
	[ "$(answer execsnoop)" = yes ]
	if perf_forbidden; then
		[ "$(answer 'perf events')" = partly ]
		[ "$(answer kprobe)" = no ]
	fi
	if perf_forbidden && needs_perf; then
		[ "$(answer opensnoop)" != yes ]
	fi
	caps bpf,perfmon,syslog,dac_read_search coretap doctor -j
	[ "$(answer tracefs)" = yes ]
	[ "$(answer 'symbol addresses')" = yes ]
	run -0 --separate-stderr coretap doctor -j
	for row in 'perf events' tracefs 'symbol addresses' 'locked memory'; do
		[ "$(answer "$row")" = yes ]
	done
}

@test "locked memory: the limit is named where the kernel counts against it" {
	# raised as far as it may be
	ulimit -S -l 64
	caps bpf,perfmon argdump -n 1 vfs_read count -- reads 3 some
	fine
	ulimit -l 64
	caps bpf,perfmon argdump -n 1 vfs_read count -- reads 3 some
	if [ "$status" -eq 0 ]; then
		caps bpf,perfmon coretap doctor -j
		[ "$(answer 'locked memory')" = yes ]
		skip "this kernel does not count BPF as locked memory"
	fi
	for args in execsnoop opensnoop 'argdump vfs_read'; do
		# shellcheck disable=SC2086 # words
		caps bpf,perfmon $args -d 0.1
		[[ $status -eq 2 && $stderr == *"limited to 64 KiB (ulimit -l)"*"CAP_SYS_RESOURCE"* ]] ||
			{ echo "$args: $stderr"; false; }
	done
	caps bpf,perfmon coretap doctor -j
	[ "$(answer 'locked memory')" = partly ]
	[ "$(answer opensnoop)" = no ]
	# root raises it
	run -0 argdump -n 1 vfs_read count -- reads 3 some
}

@test "a command has the limit that it would have without us" {
	ulimit -S -l 64
	run -0 --separate-stderr argdump vfs_fallocate -- bash -c 'ulimit -S -l'
	grep -qx 64 <<<"$output" || { echo "$output"; false; }
}

# setcap(8); the root file system of a guest may keep no attributes, a tmpfs does.
binary_with() { # CAPS
	grep -q " $PWD/bin " /proc/mounts || { mkdir -p bin && mount -t tmpfs -o mode=755 none bin; }
	rm -f bin/coretap # it may still be executed
	cp "$(type -P coretap)" bin/coretap
	withcaps --file bin/coretap "$1"
}

# cap_bpf,cap_perfmon → bpf,perfmon
words() { sed 's/^setcap //; s/=ep .*//; s/cap_//g' <<<"$1"; }

@test "what doctor says that each applet needs is enough for it, given by the file" {
	local applet rights
	ulimit -l 64
	run -0 --separate-stderr coretap doctor -j
	root=$output
	applets=$(jq -r 'select(.group == "applet" and .rights) | .name' <<<"$root")
	[ "$(wc -l <<<"$applets")" -ge 8 ]
	for applet in $applets; do
		rights=$(jq -r --arg n "$applet" 'select(.name == $n) | .rights' <<<"$root")
		[[ $rights == cap_bpf,cap_perfmon* ]]
		binary_with "$(words "$rights")"
		run -0 --separate-stderr withcaps - bin/coretap doctor -j "$applet"
		[ "$(jq -c 'select(.group == "applet") | [.answer, .text, .rights]' <<<"$output")" = \
			"$(jq -c --arg n "$applet" 'select(.name == $n) | [.answer, .text, .rights]' <<<"$root")" ] ||
			{ jq -c 'select(.group == "applet")' <<<"$output"; echo "$rights"; false; }
	done
}

@test "the file has what doctor says: an ordinary user traces everything, a command gets nothing of it" {
	local line
	ulimit -l 64
	line=$(coretap doctor -j | jq -r 'select(.name == "all by setcap").text')
	[[ $line == "setcap cap_"*"=ep $(type -P coretap)" ]]
	binary_with "$(words "$line")"
	run -0 --separate-stderr withcaps - bin/coretap execsnoop -- grep -E '^(CapEff|CapPrm|NoNewPrivs|Uid):' /proc/self/status
	grep -qE '^Uid:.65534' <<<"$output"
	[ "$(grep -cE '^Cap(Eff|Prm):.0+$' <<<"$output")" -eq 2 ]
	grep -qE '^NoNewPrivs:.0' <<<"$output"
	grep -qE ' 0 grep -E ' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr withcaps - bin/coretap opensnoop -- reads 1 some
	[[ $output == *" some"* && $stderr != *"not seen"* ]] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr withcaps - bin/coretap syssnoop -e openat -- reads 1 some
	[[ $stderr == *'"some"'* ]] || { echo "$output$stderr"; false; }
	# another user's process: names of its functions, and in the kernel
	withcaps - bin/coretap argdump -k -U "u:$(type -P ucalls):called" >stacks 2>err &
	tracer=$!
	wait_attached $tracer err bin/coretap
	ucalls stay 3>&- & # until its frames have names: of one that has ended they are addresses
	worker=$!
	wait_until grep -q '^    called' stacks || { cat stacks err; false; }
	kill $worker
	kill -INT $tracer
	wait $tracer
	run -0 --separate-stderr withcaps - bin/coretap argdump -n 1 -k vfs_read -- reads 1 some
	[[ $output == *ksys_read+* && $stderr != *"no symbols"* ]] || { echo "$output$stderr"; false; }
	mkdir -p now
	cp "$(type -P deeds)" now/bash
	withcaps - bin/coretap bashreadline -v -j >lines 2>err &
	tracer=$!
	wait_attached $tracer err bin/coretap
	mkfifo in
	now/bash readline 0 <in &
	exec 8>in
	wait_until grep -q 'uretprobe readline: .*now/bash' err
	echo typed >&8
	exec 8>&-
	wait_until grep -q '"line":"typed"' lines
	kill -INT $tracer
	wait $tracer
}

@test "what is missing is named, with the line that gives it" {
	binary_with bpf
	run -2 --separate-stderr withcaps - bin/coretap execsnoop -d 0.1
	[[ $stderr == *"missing CAP_PERFMON"*"as root: setcap cap_bpf,cap_perfmon=ep $PWD/bin/coretap"* ]] ||
		{ echo "$stderr"; false; }
	binary_with bpf,perfmon
	run -0 --separate-stderr withcaps - bin/coretap argdump -n 1 s:read -- reads 3 some
	[[ $stderr == *"CAP_DAC_READ_SEARCH"*"as root: setcap cap_bpf,cap_perfmon,cap_dac_read_search=ep "* ]] ||
		{ echo "$stderr"; false; }
	run --separate-stderr withcaps - bin/coretap argdump -n 1 -k vfs_read -- reads 3 some
	[[ $stderr == *"CAP_SYSLOG"*"as root: setcap cap_bpf,cap_perfmon,cap_syslog=ep "* ]] ||
		{ echo "$stderr"; false; }
	if perf_forbidden; then
		run -2 --separate-stderr withcaps - bin/coretap argdump -d 0.1 --attach kprobe vfs_read
		[[ $stderr == *"CAP_SYS_ADMIN"*"as root: setcap cap_bpf,cap_perfmon,cap_sys_admin=ep "* ]] ||
			{ echo "$stderr"; false; }
	fi
}

@test "files that the user names are opened with the user's own rights, whatever the binary may read" {
	local own=$BATS_FILE_TMPDIR/withfile secret=$BATS_FILE_TMPDIR/secret home=$BATS_FILE_TMPDIR/home
	cp "$(command -v coretap)" "$own"
	withcaps --file "$own" bpf,perfmon,dac_read_search,sys_ptrace ||
		{ skip "this file system keeps no capabilities of files"; }
	printf 'recipe secret: of root alone\nSECRET_TEXT more\n' >"$secret"
	mkdir -p "$home/coretap" "$home/kernels"
	cp "$secret" "$home/coretap/hidden.probe"
	cp /sys/kernel/btf/vmlinux "$home/kernels/vmlinux"
	cp "$(command -v busybox)" "$BATS_FILE_TMPDIR/hiddenprog"
	chmod 0600 "$secret" "$home/kernels/vmlinux" "$BATS_FILE_TMPDIR/hiddenprog" "$home/coretap/hidden.probe"
	chmod 0755 "$home" "$home/coretap"
	# it has the capability: the kernel would let it
	withcaps - "$own" doctor 2>&1 | grep -q . || true

	local words
	for words in "argdump --dry-run --load $secret" "$secret --dry-run" "$secret --help" "bt --dry-run $secret" \
		"argdump --dry-run --btf $home/kernels/vmlinux vfs_read" "argdump --list u:$BATS_FILE_TMPDIR/hiddenprog:*" \
		"argdump --dry-run u:$BATS_FILE_TMPDIR/hiddenprog:main" "doctor --kernel $home/kernels/vmlinux" \
		"argdump --recipe hidden" "hidden --help"; do
		# shellcheck disable=SC2086
		run env XDG_CONFIG_HOME="$home" withcaps - "$own" $words
		echo "$words: $status $output"
		[ "$status" -ne 0 ]
		[[ $output == *"Permission denied"* ]]
		[[ $output != *SECRET_TEXT* && $output != *"of root alone"* ]]
	done
	# whether a folder or a file is there is not told either
	mkdir -p "$home/closed"
	ln -sf /etc/passwd "$home/closed/link"
	chmod 0700 "$home/closed"
	run withcaps - "$own" execsnoop --dry-run --cgroup "$home/closed/none"
	[[ $status -ne 0 && $output == *"Permission denied"* ]] || { echo "$output"; false; }
	# root's own rights are all of them
	run argdump --dry-run --load "$secret"
	[[ $output == *SECRET_TEXT* ]]
}

@test "a sticky folder: what another exchanges there is neither followed nor taken over" {
	local dir=$BATS_FILE_TMPDIR/sticky victim=$BATS_FILE_TMPDIR/victim option
	mkdir -p "$dir"
	chmod 1777 "$dir"
	echo kept >"$victim"
	chmod 0600 "$victim"
	ln -sf "$victim" "$dir/link"
	chown -h 65534 "$dir/link"
	for option in -o --openmetrics --trace-json --save; do
		run argdump "$option" "$dir/link" -d 0.1 -r --hist '$lat' vfs_fsync_range
		[[ $option != --trace-json ]] || run opensnoop --trace-json "$dir/link" -d 0.1
		[[ $option != -o ]] || run opensnoop -o "$dir/link" -d 0.1
		echo "$option: $status $output"
		[ "$status" -ne 0 ]
		[[ $output == *"symbolic link"*"others may write"* ]]
		[ "$(cat "$victim")" = kept ]
	done
	echo theirs >"$dir/file"
	chown 65534 "$dir/file"
	chmod 0666 "$dir/file"
	run opensnoop -o "$dir/file" -d 0.1
	[ "$status" -ne 0 ]
	[ "$(cat "$dir/file")" = theirs ]
	run -0 biolatency --openmetrics "$dir/file" -d 0.2
	[ "$(stat -c '%u %a' "$dir/file")" = "0 644" ]
	grep -q '^coretap_info' "$dir/file"
	run -0 opensnoop -o "$dir/mine" --rotate 4K,2 -d 0.2
	[ -f "$dir/mine" ]
}
