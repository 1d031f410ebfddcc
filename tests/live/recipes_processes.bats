#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about processes, the scheduler and interrupts: exact counts and values of known workloads.

bats_require_minimum_version 1.5.0
load arch
load argdump
load recipes
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "exitsnoop: codes and signals" {
	shows '[.args.code, .args.signal, .args.ppid > 0, .pid == .tid]' exitsnoop -c sh -- sh -c 'sh -c "exit 3"; sh -c "kill -9 \$\$"; exit 0' <<-'END'
		[3,0,true,true]
		[0,"SIGKILL",true,true]
		[0,0,true,true]
	END
	shows '.args.code' exitsnoop -x -- sh -c '(exit 3); exit 0' <<<3
	# how old it became: more than it slept, less than this test has run
	titles 'PID TID PPID COMM AGE CODE SIGNAL' exitsnoop -c deeds -- deeds nap 50 1
	shows '.args.age >= 50000000 and .args.age < 60000000000' exitsnoop -c deeds -- deeds nap 50 1 <<<true
}

@test "killsnoop, sigsnoop: signals sent, and generated" {
	shows '[.args.sig, .args.to == .pid, .errno]' killsnoop -- deeds kill 2 <<-'END'
		["SIGUSR1",true,null]
		["SIGUSR1",true,null]
		["SIGTERM",false,"ESRCH"]
	END
	shows '[.args.sig, .errno]' killsnoop -x -- deeds kill 2 <<<'["SIGTERM","ESRCH"]'
	shows '.args.sig' killsnoop -s 10 -- deeds kill 2 <<<$'"SIGUSR1"\n"SIGUSR1"'
	shows '[.args.to == .pid, .args.name]' sigsnoop -s 10 -- deeds kill 2 <<<$'[true,"deeds"]\n[true,"deeds"]'
}

@test "pidpersec, threadsnoop, gethostlatency: counts and texts" {
	shows .count pidpersec -- sh -c '(exit 1); (exit 2); (exit 3); true' <<<3
	shows .args.ret threadsnoop -- dynamic threads 2 <<<$'0\n0'
	shows '[.args.host, .args.took > 0]' gethostlatency -- dynamic host 127.0.0.1 2 <<<$'["127.0.0.1",true]\n["127.0.0.1",true]'
}

# It returns with the number of the first thread.
@test "syscount -L: a thread that is not the first executes a program" {
	run -0 --separate-stderr syscount -L -j --top 100 -- "$(command -v execs)" thread /bin/busybox true </dev/null
	same 'select(.by.what == "execve") | .count' 2 syscount
}

@test "syscount: calls by name, and by process" {
	shows 'select(.by.what | test("nanosleep")) | [.count, .took >= 5000000]' \
		syscount -L -- deeds nap 1 5 <<<'[5,true]'
	run -0 --separate-stderr syscount -j -P -- deeds nap 1 5
	[ "$(jq 'select(.by.what == "deeds") | .count' <<<"$output")" -ge 6 ] || { echo "$output"; false; }
}

@test "syscount --failed, -e: calls that succeed are not counted, and have ended" {
	local choice
	for choice in --failed '-e ENOENT' '-L -e ENOENT'; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr syscount -j $choice -- bash -c 'for ((i = 0; i < 20; i++)); do [ -e /no/such ]; [ -e /tmp ]; done'
		[ "$(jq -s 'map(select(.by) | .count) | max' <<<"$output")" -ge 20 ] || { echo "$output"; false; }
		[ "$(jq -s 'map(select(.by.what == "newfstatat") | .count) | add // 20' <<<"$output")" -lt 40 ] || { echo "$output"; false; }
		[[ $stderr != *"starts replaced"* ]] || { echo "$choice: $stderr"; false; }
	done
}

@test "naptime: asked and slept" {
	shows '[.comm, .args.asked, .args.slept >= 2000000]' naptime -- deeds nap 2 2 <<-'END'
		["deeds",2000000,true]
		["deeds",2000000,true]
	END
}

@test "setuids: all calls have one link where the kernel has kprobe.session" {
	grep -q ' bpf_session_cookie$' /proc/kallsyms || skip "this kernel has no kprobe.session"
	run -0 strace -f -e trace=bpf -o trace setuids -d 0.1
	[ "$(grep -c BPF_LINK_CREATE trace)" -eq 1 ] || { grep -E 'LINK_CREATE|TRACEPOINT_OPEN' trace; false; }
	run -1 grep RAW_TRACEPOINT_OPEN trace
}

@test "setuids, capable: what is asked for and refused" {
	shows '[.args.call, .args.old, .args.asked, .args.ret]' setuids -- deeds ids <<-'END'
		["setuid",0,0,0]
		["setreuid",0,0,0]
		["setresuid",0,0,0]
		["setfsuid",0,0,0]
		["setuid",0,7,0]
		["setuid",7,0,-1]
	END
	shows '[.args.cap, .args.audit, .errno]' capable --failed -c deeds -- deeds ids <<<'["CAP_SETUID",true,"EPERM"]'
	titles 'PID COMM CAP AUDIT UID OWN USERNS RET' capable --failed -c deeds -- deeds ids
}

@test "--mntnsmap: tasks of the mount namespaces in a pinned map, in programs and in lines" {
	mkdir -p pinned
	mount -t bpf none pinned
	pins pinned/own "$(stat -Lc %i /proc/self/ns/mnt)"
	pins pinned/other 4026531999
	# once here, once in a namespace of its own
	work='deeds ids; unshare -m deeds ids'
	shows '[.args.cap, .errno]' capable --failed -c deeds -- sh -c "$work" <<<$'["CAP_SETUID","EPERM"]\n["CAP_SETUID","EPERM"]'
	shows '[.args.cap, .errno]' capable --failed -c deeds --mntnsmap pinned/own -- sh -c "$work" <<<'["CAP_SETUID","EPERM"]'
	shows '[.args.cap, .errno]' capable --failed -c deeds --mntnsmap pinned/other -- sh -c "$work" </dev/null
	shows '.args.call' setuids --mntnsmap pinned/own -- sh -c "$work" <<<$'"setuid"\n"setreuid"\n"setresuid"\n"setfsuid"\n"setuid"\n"setuid"'
	run -0 --separate-stderr tcptracer -j --mntnsmap pinned/own -- true
	run ! tcptracer -j --mntnsmap pinned/none -- true
	[[ $output == *"cannot open the BPF map 'pinned/none'"* ]]
}

# How many records of a tool have this filter true.
times() { jq -s "map(select(.type == \"$1\" and ($2))) | length" <<<"$output"; } # TOOL FILTER

@test "--mntnsmap of the tools in C: one namespace, and several" {
	ulimit -l unlimited # before 5.11 the maps of the test before may not be free yet
	mkdir -p pinned
	mount -t bpf none pinned
	pins pinned/own "$(stat -Lc %i /proc/self/ns/mnt)"
	pins pinned/other 4026531999
	work='deeds ids; unshare -m deeds ids'
	run -0 --separate-stderr execsnoop -j -- sh -c "$work"
	[ "$(times execsnoop '.comm == "deeds"')" -eq 2 ] || { echo "$output"; false; }
	run -0 --separate-stderr execsnoop -j --mntnsmap pinned/own -- sh -c "$work"
	[ "$(times execsnoop '.comm == "deeds"')" -eq 1 ] || { echo "$output"; false; }
	[ "$(times execsnoop '.comm == "sh"')" -eq 1 ] || { echo "$output"; false; }
	run -0 --separate-stderr execsnoop -j --mntnsmap pinned/other -- sh -c "$work"
	[ "$(times execsnoop true)" -eq 0 ] || { echo "$output"; false; }
	work='cat /etc/passwd; unshare -m cat /etc/passwd; true'
	run -0 --separate-stderr opensnoop -j --path /etc/passwd -c cat -- sh -c "$work"
	[ "$(jq -s 'map(select(.type == "opensnoop")) | length' < <(grep '^{' <<<"$output"))" -eq 2 ] || { echo "$output"; false; }
	run -0 --separate-stderr opensnoop -j --path /etc/passwd -c cat --mntnsmap pinned/other --mntnsmap pinned/own -- sh -c "$work"
	[ "$(jq -s 'map(select(.type == "opensnoop")) | length' < <(grep '^{' <<<"$output"))" -eq 1 ] || { echo "$output"; false; }
	run ! opensnoop -j --mntnsmap pinned/none -- true
	[[ $output == *"cannot open the BPF map 'pinned/none'"* ]]
}

@test "capable --unique: once of each process, and of each answer" {
	touch f && chown 7 f
	work='for i in 1 2 3; do chown 7 f f f f; done'
	run -0 --separate-stderr capable -j --cap CHOWN -c chown -- sh -c "$work" # some kernels ask twice a call
	jq -e -s 'map(select(.args)) | length % 12 == 0 and length > 0 and all(.args.own and .args.ret == 0)' <<<"$output" || { echo "$output"; false; }
	shows '[.comm, .args.cap, .args.ret]' capable --cap CHOWN --unique -c chown -- sh -c "$work" < <(
		printf '["chown","CAP_CHOWN",0]\n%.0s' {1..3})
	[ "$(jq -s 'map(select(.args).pid) | unique | length' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	# granted, then not any more
	shows '[.args.cap, .errno]' capable --cap SETUID --unique -c deeds -- deeds ids <<<$'["CAP_SETUID",null]\n["CAP_SETUID","EPERM"]'
}

@test "ttysnoop: the text, and where" {
	run -0 --separate-stderr ttysnoop -j -- deeds term hello
	same '[.args.tty, .args.text]' "[\"$(sed 's,^/dev/,,; s,/,,' <<<"$(grep -o '/dev/pts/.*' <<<"$stderr")")\",\"hello\"]" ttysnoop
}

@test "sslsniff, sslsnoop, ssllatency: a library with those names" {
	cp "$(dirname "$(command -v deeds)")/libssl.so.3" "/lib/$TRIPLET/"
	shows '[.args.sent, .args.bytes, .args.text]' sslsniff -- dynamic tls libssl.so.3 2 <<-'END'
		[true,6,"sent 0"]
		[false,6,"came 0"]
		[true,6,"sent 1"]
		[false,6,"came 1"]
	END
	shows '[.args.sent, .args.bytes, .args.text]' sslsniff --hexdump --handshake -- dynamic tls libssl.so.3 1 <<-'END'
		[false,1,""]
		[true,6,"73656e742030"]
		[false,6,"63616d652030"]
	END
	shows '[.args.bytes, .args.text]' sslsniff --max-buffer-size 4 -- dynamic tls libssl.so.3 1 <<<$'[6,"sent"]\n[6,"came"]'
	# a second copy, as in a container
	cp "/lib/$TRIPLET/libssl.so.3" "$PWD/libother.so"
	shows '[.args.sent, .args.text]' sslsniff --extra-lib "openssl:$PWD/libother.so" -- sh -c "dynamic tls libssl.so.3 1; dynamic tls $PWD/libother.so 1" <<-'END'
		[true,"sent 0"]
		[false,"came 0"]
		[true,"sent 0"]
		[false,"came 0"]
	END
	shows '[.args.sent, .args.bytes, .args.text]' sslsniff --openssl "/lib/$TRIPLET/libssl.so.3" -- dynamic tls libssl.so.3 1 <<-'END'
		[true,6,"sent 0"]
		[false,6,"came 0"]
	END
	shows '[(.args.call | sub(".*:"; "")), .args.ret]' sslsnoop -- dynamic tls libssl.so.3 1 <<-'END'
		["SSL_do_handshake",1]
		["SSL_write",6]
		["SSL_read",6]
		["SSL_read",-1]
	END
	titles 'total: 4 calls' ssllatency -- dynamic tls libssl.so.3 1
	# as Python calls it
	shows '[.args.sent, .args.bytes, .args.text]' sslsniff -- dynamic tls_ex libssl.so.3 2 <<-'END'
		[true,9,"ex sent 0"]
		[false,9,"ex came 0"]
		[true,9,"ex sent 1"]
		[false,9,"ex came 1"]
	END
	shows '[(.args.call | sub(".*:"; "")), .args.ret]' sslsnoop -- dynamic tls_ex libssl.so.3 1 <<-'END'
		["SSL_write_ex",1]
		["SSL_read_ex",1]
		["SSL_read_ex",0]
	END
	titles 'total: 3 calls' ssllatency -- dynamic tls_ex libssl.so.3 1
	rm "/lib/$TRIPLET/"libssl.so.3
}

@test "sslsniff: GnuTLS and NSPR beside OpenSSL, by libraries with those names; one without the others" {
	local at dir
	dir=$(dirname "$(command -v deeds)")
	at="/lib/$TRIPLET"
	cp "$dir/libssl.so.3" "$at/"
	# what is not there is said, and the others are traced
	shows '[.args.sent, .args.text]' sslsniff -- dynamic tls libssl.so.3 1 <<<$'[true,"sent 0"]\n[false,"came 0"]'
	[[ $stderr == *'not traced: u:libgnutls:'*'libgnutls has none of these'*'not traced: u:libnspr4:'* ]] || { echo "$stderr"; false; }
	run -1 sslsniff --no-openssl
	[[ $output == *'nothing is left to trace'* ]] || { echo "$output"; false; }
	for way in gnutls:libgnutls.so.30:gnutls_record_send:gnutls_record_recv nss:libnspr4.so:PR_Send:PR_Recv nss:libnspr4.so:PR_Write:PR_Read; do
		IFS=: read -r option library write read <<<"$way"
		cp "$dir/libssl.so.3" "$at/$library"
		shows '[.args.sent, .args.bytes, .args.text]' sslsniff -- sh -c "dynamic tls_as $library $write $read 2; dynamic tls libssl.so.3 1" <<-END
			[true,4,"sent"]
			[false,${#read},"$read"]
			[true,4,"sent"]
			[false,${#read},"$read"]
			[true,6,"sent 0"]
			[false,6,"came 0"]
		END
		shows '.args.text' sslsniff --no-$option -- sh -c "dynamic tls_as $library $write $read 1; dynamic tls libssl.so.3 1" <<<$'"sent 0"\n"came 0"'
		shows '.args.text' sslsniff --no-openssl -- sh -c "dynamic tls_as $library $write $read 1; dynamic tls libssl.so.3 1" <<<$'"sent"\n"'"$read"'"'
		shows '.args.text' sslsniff -ogn --extra-lib $option:$at/$library -- sh -c "dynamic tls_as $library $write $read 1; dynamic tls libssl.so.3 1" <<<$'"sent"\n"'"$read"'"'
		rm "$at/$library"
	done
	rm "$at/libssl.so.3"
}

calls() { sed -n 's/.*"total":\([0-9]*\).*/\1/p' <<<"$output" | head -n 1; }

# schedstat of a thread says how often it got a processor; it waited for each
@test "runqslower, runqlat, cpudist: as often as the kernel says" {
	local tid times n
	beside runqslower -m 0 -- deeds turns 20
	read -r tid times <beside.work
	n=$(jq "select(.args.task == $tid) | .args.name" <<<"$output" | grep -c deeds)
	[ "$n" -ge "$times" ] && [ "$n" -le $((times + 3)) ] || { echo "$n rows, not $times"; echo "$output" | tail; false; }
	beside runqslower -m 0 -c deeds -- deeds turns 20
	[ "$(jq -r 'select(.args) | .args.name' <<<"$output" | sort -u)" = deeds ] || { echo "$output" | head; false; }
	beside runqlat -- deeds turns 20
	read -r tid times <beside.work
	[ "$(calls)" -ge "$times" ] || { echo "$output"; false; }
	beside cpudist -P -- deeds turns 20
	[ "$(jq -s 'map(select(.by.name == "deeds")) | length' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	beside cpudist -O -- deeds nap 2 5
	[ "$(calls)" -ge 5 ] || { echo "$output"; false; }
	beside cpudist -P -I -- deeds nap 2 5
	jq -e -s 'map(.by.name // "") | any(startswith("swapper/")) and any(startswith("deeds"))' <<<"$output" || { echo "$output"; false; }
}

in_group() { sh -c 'echo $$ >/sys/fs/cgroup/above/below/cgroup.procs; exec deeds nap 5 20'; }

@test "runqslower, runqlat, cpudist -c CGROUP: threads of the group and of those below it, no others" {
	mkdir -p /sys/fs/cgroup/above/below /sys/fs/cgroup/aside
	for group in above above/below; do
		together "runqslower -m 0 -j -c /sys/fs/cgroup/$group" "runqlat -P -j -c /sys/fs/cgroup/$group" "cpudist -P -j -c /sys/fs/cgroup/$group" -- in_group
		[ "$(grep -c '"name":"deeds"' runqslower.out)" -ge 20 ] || { cat runqslower.out; false; }
		for tool in runqslower runqlat cpudist; do
			# the shell before it executed the workload
			[ "$(jq -r '.args.name? // .by.name? // empty' $tool.out | grep -vx sh | sort -u)" = deeds ] || { echo "$group $tool"; cat $tool.out; false; }
		done
	done
	together "runqslower -m 0 -j -c /sys/fs/cgroup/aside" "cpudist -j -c /sys/fs/cgroup/aside" -- in_group
	! grep -q '"name"\|"count":' runqslower.out cpudist.out || { cat runqslower.out cpudist.out; false; }
	run -1 runqlat -c /proc
	[[ $output == *"'/proc' is no directory of cgroup v2"* ]] || { echo "$output"; false; }
}

@test "wqlat: work that a terminal queues" {
	shows 'select(.by.function | startswith("flush_to_ldisc")) | [.count, .avg > 0]' wqlat -- deeds term hello <<<'[1,true]'
	shows 'select(.by.function | startswith("flush_to_ldisc")) | .count' wqlat -w events_unbound -- deeds term hello <<<1
	shows .by.function wqlat -w nosuchqueue -- deeds term hello </dev/null
	shows 'select(.by.queue == "events_unbound") | [.count >= 1, .dist_p50 >= 0]' wqlat -W -- deeds term hello <<<'[true,true]'
}

# How often an interrupt came, on all processors together.
interrupts() { # FILE PATTERN
	awk -v pattern="$2" '$0 ~ pattern { n += $2 + $3 } END { print n + 0 }' "/proc/$1"
}

@test "hardirqs, softirqs: no more than /proc counts, and not none" {
	local before n
	before=$(interrupts interrupts 'virtio[0-9]*-req')
	beside hardirqs -- dd if=/dev/vda of=/dev/null bs=4k count=20 iflag=direct
	n=$(jq -s 'map(select(.by.name // "" | test("-req")) | .count) | add // 0' <<<"$output")
	[ "$n" -ge 1 ] && [ "$n" -le $(($(interrupts interrupts 'virtio[0-9]*-req') - before)) ] ||
		{ echo "$n"; cat /proc/interrupts; echo "$output"; false; }
	before=$(interrupts softirqs TIMER:)
	beside softirqs -- deeds nap 20 10
	n=$(jq -s 'map(select(.by.softirq == "TIMER_SOFTIRQ") | .count) | add // 0' <<<"$output")
	[ "$n" -ge 1 ] && [ "$n" -le $(($(interrupts softirqs TIMER:) - before)) ] || { echo "$n"; echo "$output"; false; }
	beside softirqslower -m 0 -- deeds nap 20 10
	[ "$(jq -s 'map(select(.args.took > 0 and (.args.softirq // "" | endswith("_SOFTIRQ")))) | length' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	beside softirqslower -m 0 -c 0 -- deeds nap 20 10
	[ "$(jq -c -s 'map(select(.args).args.cpu) | unique' <<<"$output")" = '[0]' ] || { echo "$output"; false; }
}

@test "numasched: one node, so nobody goes to another" {
	numasched --dry-run -q >/dev/null 2>&1 || skip "$(numasched --dry-run 2>&1 | head -n 1)"
	beside numasched -- deeds turns 20
	[[ $stderr != *"could not be read"* ]] || { echo "$stderr"; false; } # 5.10 has no types of per-CPU variables
	same .comm '' numasched
}
