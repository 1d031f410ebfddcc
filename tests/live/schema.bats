#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every line that an applet prints with -j is as docs/json-schema.json says, and each kind of line occurs
# here. tests/lib/schema.jq looks; tests/cli/schema.bats has what needs no kernel.
# shellcheck disable=SC2016,SC2154 # $ret is argdump's, and bats sets stderr

bats_require_minimum_version 1.5.0
load disk

setup() {
	export SCHEMA=$BATS_TEST_DIRNAME/../../docs/json-schema.json
	cd "$BATS_TEST_TMPDIR" || return
	printf '#!/bin/bash\n:\n' >script
	chmod +x script
	echo x >some
}

# All lines of $output fit, and there are such for which each FILTER is true.
fits() { # FILTER…
	local filter faults
	faults=$(jq -rn --slurpfile schema "$SCHEMA" -f "$BATS_TEST_DIRNAME/../lib/schema.jq" <<<"$output")
	[ -z "$faults" ] || { head -n 20 <<<"$faults"; head -c 3000 <<<"$output"; false; }
	for filter; do
		jq -en "any(inputs; $filter)" <<<"$output" >/dev/null || {
			echo "no line with $filter:"; head -c 3000 <<<"$output"; echo "$stderr"; false
		}
	done
}

# As `run`, of a tracer that may lose events: with its own status, or 4.
traced() { # COMMAND…
	run --separate-stderr "$@"
	[[ $status == [04] ]] || { echo "status $status: $stderr"; false; }
}

@test "schema: execsnoop" {
	traced execsnoop -j --json-strings -- bash -c 'execs run /usr/bin/true true a; execs run ./none none
		execs run "$PWD/script" script; execs at /usr/bin true true; execs bad-argv /usr/bin/true
		execs bad-word /usr/bin/true; execs long "$PWD/none" 70000 61057 5; :'
	fits '.errno == "ENOENT" and .ret == -2' '.interp' '.exe == null' '.dirfd == "AT_FDCWD"' '.dirfd != "AT_FDCWD"' \
		'.errors.argv == "fault"' '.cut.argv' '.type == "lost" and .final and .cut > 0 and .fault > 0'
}

@test "schema: opensnoop" {
	traced opensnoop -j --meta -a -- bash -c 'opens calls; opens fails; opens uring; opens dirs; true'
	fits '.errno == "ENOENT" and .ret == -2 and .fd == -1' '.errno == null and .ret == .fd and .fd > 2' \
		'.kind == "exec" and .ret == null' '.mode == "0604"' '.kind == "io_uring"' '.mode == null' '.path == null'
	traced opensnoop -j --count --interval 0.2 -- bash -c 'opens fails; sleep 0.3'
	fits '.type == "opens" and .errno == "ENOENT" and .path' '.errno == null and .opens > 0' '.path == null' '.time'
	traced opensnoop -j --count=comm -- bash -c 'opens fails'
	fits '.comm == "fails" and .errno == "ENOENT" and (has("path") | not)'
}

@test "schema: connsnoop" {
	ip link set lo up
	traced connsnoop -j -- sessions tcp4 udp6 stream refused4
	fits '.errno == "ECONNREFUSED" and .ret == -111' '.peer == null' '.took_ns == null' '.sent == 1000'
	traced connsnoop --dns -j -- lookups
	fits '.rcode == "NXDOMAIN"' '.rcode == null and .answer == null' '.cut and .name == "long.test"'
}

@test "schema: biosnoop and biolatency" {
	disk_find
	work='dd if=$DISK of=/dev/null bs=4k count=4 iflag=direct; dd if=/dev/zero of=$DISK bs=4k count=4 conv=fsync'
	traced biosnoop -j -- bash -c "$work"
	fits '.op == "read" and .errno == null and .ret == 0 and .latency_ns > 0' '.op == "write"'
	for options in '' '-D -F' '-m -F' '-D --interval 0.1 --clear' '--interval 0.1'; do
		# shellcheck disable=SC2086 # words
		traced biolatency -j $options -- bash -c "$work"
		fits '.latency_us // .latency_ms | length > 0' 'has("p50_us") or has("p50_ms")'
	done
	fits '.time'
}

@test "schema: argdump: values of all kinds, calls, sets, stacks" {
	traced argdump -j -c reads --json-strings vfs_read '*file' file '(u64)file' 'file->f_flags' buf count '$comm' '$ts' \
		'x=file->f_inode->i_pipe->files' 'name=file->f_path.dentry->d_name.name:3' -- reads 2 some
	fits '(.args["(u64)file"] | type) == "string"' '.args.ts_ns' '.errors.x' '.cut | has("name")'
	traced argdump -j -c reads -r -k -U 'vfs_read,vfs_open' '$ret' '$lat' '$func' -- reads 2 some
	fits '.func == "vfs_read" and .errno == null and .args.ret == 1 and .args.lat_ns > 0' '.kernel_stack' '.user_stack'
	traced argdump -j -r s:openat -- bash -c 'cat ./none; true'
	fits '.errno == "ENOENT" and .args.ret == -2'
	traced argdump -j --diff '*pos' -c reads vfs_read -- reads 2 some
	fits '.args | has("lat_ns")'
	traced argdump -j t:sched:sched_process_exec -- true
	fits '.args'
	open=$(grep -owE -m 1 'do_(filp|file)_open' /proc/kallsyms) # the second since 7
	traced argdump -j "$open%return" '$ret:p' -- bash -c 'cat ./none; true'
	fits '.errno == "ENOENT"'
}

@test "schema: argdump: counts" {
	jq '.["$defs"].count.additionalProperties = false' "$SCHEMA" >own
	SCHEMA=$PWD/own
	traced argdump -j -c reads --json-strings -r --count --avg '$lat' --min '$lat' --max '$ret' --hist '$lat' --hist '$ret' \
		vfs_read -- reads 3 some
	fits '.count == 3 and .avg_ns > 0 and .max == 1 and .["p50_ns($lat)"] > 0'
	traced argdump -j -c reads --json-strings --sum count --max '(u64)file' --lhist count,0,9,1 --hist '(u64)file' \
		--by '$func,file->f_inode->i_pipe->files,$ts' vfs_read,vfs_write -- reads 3 some
	fits '.func == "vfs_read" and .by.ts_ns and .sum == 1 and (.max | type) == "string"' '.errors' '.hist_p50'
	traced argdump -j --meta -c reads --sum count --interval 0.1 vfs_read -- reads 3 some
	fits '.time and .sum == 3'
	SCHEMA=$BATS_TEST_DIRNAME/../../docs/json-schema.json
	traced argdump -j -c reads --json-strings vfs_read --count=n --sum big=count --and vfs_write --avg w=count --by '$comm' \
		--show 'big,comm,pct=100*big/n,none=n/0,w' -- reads 3 some
	fits '.by.comm == "reads" and .big == 3 and .pct == 100' '.none == null'
	traced argdump -j -c reads --sum bytes=count --hist size=count vfs_read -- reads 3 some
	fits '.bytes == 3 and .size == [[1,2,3]] and .size_p50'
}

@test "schema: the ledger of lost records" {
	traced argdump -j --buffer 64K vfs_read '*file' -- bash -c 'reads -j 2 4000 some >/dev/null'
	fits '.type == "argdump"'
	[ "$status" != 4 ] || fits '.type == "lost" and .final and .lost > 0'
}

@test "schema: what can be traced, types, doctor" {
	sleep 60 | verdicts /tests/work/verdicts.o >verdicts & local loader=$! # of BPF programs
	until grep -qx ready verdicts; do sleep 0.1; done
	output=$(for what in 'vfs_r*' 'exc_*' 'el1h*' 'do_trap_*' 't:sched:*' 't:*:*read*' 's:open*' u:/tests/work/names:'kin_*' u:/tests/work/kinds:paints 'b:*:*'; do
		argdump -j -l "$what"
	done)
	kill $loader
	wait $loader || true
	fits '.type == "function" and .attach != null' '.type == "function" and .why' '.type == "tracepoint" and .group' \
		'.type == "syscall"' '.type == "user_function" and .also == ["kin_uno"]' \
		'.type == "user_function" and .params[0].ctype == "enum color"' '.type == "bpf_program" and .function'
	output=$(for what in 'struct file' file.f_inode sk_buff 'enum pid_type' umode_t; do argdump -j --type "$what"; done)
	fits '.type == "member"' '.kind == "enum"' '.kind == "typedef"' '[.. | objects | .bits] | any'
	output=$(doctor -j)
	fits '.answer == "yes"' '.group == "applet"' '.group == "attach"'
}

# A table's columns are keys of JSON.
@test "--columns of every applet: these, in this order" {
	disk_find
	ip link set lo up
	run -0 --separate-stderr opensnoop --columns ret,path,flags,comm -- busybox cat some
	[[ $output =~ RET\ PATH\ +FLAGS\ +COMM && $output =~ \ [0-9]+\ some\ +O_RDONLY\ +busybox ]] || { echo "$output"; false; }
	run -0 --separate-stderr execsnoop --columns argc,comm -- bash -c 'execs run /usr/bin/true true a'
	[[ $output =~ ARGC\ [A-Z]*COMM && $output =~ 2\ true ]] || { echo "$output"; false; }
	run -0 --separate-stderr biosnoop --columns device,bytes -- dd if="$DISK" of=/dev/null bs=4k count=1 iflag=direct
	[[ $output =~ ${DISK##*/}\ +4096 ]] || { echo "$output"; false; }
	run -0 --separate-stderr connsnoop --columns event,proto -- sessions tcp4
	[[ $output =~ connect\ +tcp ]] || { echo "$output"; false; }
	run -1 --separate-stderr opensnoop --columns pid,pth -- true
	[[ $stderr == *"--columns: unknown value 'pth'"*"did you mean path?"* ]]
	run -1 --separate-stderr execsnoop --columns container -- true
	[[ $stderr == *"unknown value 'container'"*"columns: "*comm* ]]
	run -1 --separate-stderr biosnoop --count --columns comm -d 1
	[[ $stderr == *"not for counts"* ]]
	run -0 --separate-stderr opensnoop -j --columns comm -- busybox cat some
	jq -se 'any(.path == "some")' <<<"$output" >/dev/null
}
