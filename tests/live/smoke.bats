#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every applet, and recipes of every kind, once: exact fields of a known workload. It is short, so that other
# processors and kernels can be asked often; each tool has tests of its own, which look closer.

bats_require_minimum_version 1.5.0
load argdump
load disk
load recipes
load wait

setup_file() {
	export ANSWERS=$BATS_FILE_TMPDIR/answers
	doctor -j | jq -r '[.group, .name, .answer, .text] | join(" ")' >"$ANSWERS"
}

setup() {
	[[ $BATS_TEST_DESCRIPTION == doctor:* ]] || ! grep '^kernel tracing programs no ' "$ANSWERS" >"$BATS_TEST_TMPDIR/why" || skip "$(<"$BATS_TEST_TMPDIR/why")"
	disk_find || return
	ip link set lo up
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# An applet that doctor says cannot work on this kernel is left out, with doctor's reason.
can() { # APPLET
	! grep "^applet $1 no " "$ANSWERS" >"$BATS_TEST_TMPDIR/why" || skip "$(<"$BATS_TEST_TMPDIR/why")"
}

@test "doctor: its answers for applets are those of a run" {
	local name answer status words untraced
	untraced=$(grep -c '^kernel tracing programs no ' "$ANSWERS") || true
	[ "$(grep -c ^applet "$ANSWERS")" -eq 13 ] || { cat "$ANSWERS"; false; }
	while read -r _ name answer _; do
		case $name in argdump | bt | trace | argdist | funcgraph) continue ;; esac
		words=(-- true)
		[[ $name != bps ]] || words=() # it runs no command
		status=0
		"$name" "${words[@]}" >out 2>err 3>&- || status=$?
		[[ $answer == no ]] && ((status == 2)) || ((status == 0)) || { echo "$name: $answer, status $status"; cat err; false; }
		((status != 2 || !untraced)) || grep 'without CONFIG_BPF_EVENTS' err
	done < <(grep ^applet "$ANSWERS")
}

@test "execsnoop: words and failures" {
	shows '[.comm, .argv, .errno]' execsnoop -c env,true -- env -i /usr/bin/true a 'b c' <<-'END'
		["env",["env","-i","/usr/bin/true","a","b c"],null]
		["true",["/usr/bin/true","a","b c"],null]
	END
	shows '[.path, .argv, .errno]' execsnoop -x -c sh -- /usr/bin/sh -c './nosuch 1; true' <<<'["./nosuch",["./nosuch","1"],"ENOENT"]'
}

@test "opensnoop: paths, flags and failures" {
	shows 'select(.path == "some" or .path == "nosuch") | [.comm, .path, .flags, .errno]' \
		opensnoop -- bash -c 'reads 2 some; reads 1 nosuch; true' <<-'END'
		["reads","some",["O_RDONLY"],null]
		["reads","nosuch",["O_RDONLY"],"ENOENT"]
	END
}

@test "syssnoop: calls and results, as strace prints them; counted" {
	run -0 syssnoop -e read,getpid,exit_group -- reads 3 some
	[ "$(count '^read([0-9]*, "x", 1) *= 1$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	[[ $output == *'exit_group(0)'*'+++ exited with 0 +++'* ]]
	shows "select(.syscall == \"$LSEEK\") | [.calls, .errors]" syssnoop -c -- reads 31 some <<<'[31,0]'
}

@test "connsnoop: both ends of connections, every byte" {
	can connsnoop
	run -0 --separate-stderr connsnoop -j -- deeds tcp 5000 2 1000
	same 'select(.event == "close") | [.direction, .proto, (.local | endswith(":5000")), (.peer | endswith(":5000")), .sent, .received]' \
		"$(for _ in 1 2; do
			printf '["%s","tcp",%s]\n' out false,true,1000,10 in true,false,10,1000
		done)" connsnoop
	shows '[.event, .peer, .errno]' connsnoop -- deeds refused 5001 <<<'["connect","127.0.0.1:5001","ECONNREFUSED"]'
}

type_lines() { printf 'echo one\n\ttwo\n' >&8 && wait_until has_lines 2 beside.out; }

@test "bashreadline: the lines of a bash" {
	cp "$(type -P deeds)" bash
	mkfifo in
	./bash readline 0 <in >said 2>&1 3>&- &
	exec 8>in
	beside bashreadline -- type_lines
	exec 8>&-
	wait
	same 'select(.comm == "bash") | .line' $'"echo one"\n"\\ttwo"' bashreadline
}

read_five() { dd if="$DISK" of=/dev/null bs=4k count=5 skip=3 iflag=direct 2>/dev/null; }

@test "biosnoop, biolatency: requests of the disk" {
	together 'biosnoop -j' 'biolatency -j' -- read_five
	showed 'select(.comm == "dd") | [.op, .sector, .bytes, .errno]' biosnoop < <(
		printf '["read",%d,4096,null]\n' 24 32 40 48 56)
	[ "$(jq -s 'map(.latency_us // .latency_ms | map(.[2]) | add) | add' biolatency.out)" -ge 5 ] || { cat biolatency.out; false; }
}

@test "argdump: chains, returns, stacks, registers, system calls, programs" {
	local method
	for method in $(function_methods); do
		[[ $method != fentry ]] || grep -q '^attach fentry yes' "$ANSWERS" || continue
		shows '[.args.name, .args.count, .args.x]' argdump --attach "$method" --if 'count == 1' vfs_read \
			'name=file->f_path.dentry->d_name.name:str' count 'x=$arg3 + 1' -- reads 2 some <<<$'["some",1,2]\n["some",1,2]'
	done
	shows '[.args.count, .args.ret]' argdump -c reads -r vfs_read count '$ret' --if '$ret == 1' -- reads 3 some <<<$'[1,1]\n[1,1]\n[1,1]'
	shows '[.args.filename, .args.ret == 0]' argdump -c reads -r s:openat filename '$ret' --if '$ret < 0' -- bash -c 'reads 1 nosuch; true' <<<'["nosuch",false]'
	shows '.args.got' argdump "t:syscalls:sys_exit_${LSEEK#_}" got=ret -- reads 2 some <<<$'0\n0'
	run -0 --separate-stderr argdump -j -kU "${STACKS_BY[@]}" -c chain vfs_read --if 'count == 1' -- chain 3 some
	same '[.kernel_stack[0:2][] | sub("\\+.*"; "")] | join(" ")' "$(printf '"vfs_read ksys_read"\n%.0s' 1 2 3)" argdump
	if [ "$USER_STACKS" = yes ]; then
		same '[.user_stack[0:5][] | sub("\\+.*"; "")] | join(" ")' \
			"$(printf '"chain_read inner middle outer main"\n%.0s' 1 2 3)" argdump
	else
		echo "# this kernel does not walk the stacks of programs" >&3
	fi
	shows 'select(.by.count == 1) | [.calls // .count]' argdump --count --by count vfs_read -- reads 17 some <<<'[17]'
	shows '[.args.text, .args.n, .args.ret]' argdump -r "u:$(type -P target):calls_target" 'text=$arg1:ustr' 'n=(int)$arg2' '$ret' \
		-- target 2 text <<<$'["text",-1,4826]\n["text",0,4827]'
}

@test "bt, trace, argdist, funcgraph: other notations, and a tree" {
	run -0 --separate-stderr bt 'kretprobe:vfs_read /comm == "reads" && retval == 1/ { @ = count(); }' -c 'reads 23 some'
	[[ $output == *'@: 23'* ]] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr trace 'r::vfs_read (retval == 1) "%d", retval' -- reads 2 some
	[ "$(count ' reads .*retval=1$' <<<"$output")" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdist -C 'p::vfs_read(void *f, void *b, size_t n):size_t:n:n==1' -- reads 19 some
	[ "$(count -E '^ *1 +(19|20)$' <<<"$output")" -eq 1 ] || { echo "$output$stderr"; false; }
	# by a pointer: what is called directly may be inlined
	run -0 --separate-stderr funcgraph -j --funcs shmem_file_read_iter vfs_read -- reads 1 some
	same '[.depth, .func]' $'[0,"vfs_read"]\n[1,"shmem_file_read_iter"]' funcgraph
}

processes() { deeds kill 2; deeds ids; deeds nap 2 2; dynamic host 127.0.0.1 1; dynamic threads 2; sh -c 'exit 3' || true; }

@test "recipes of processes: signals, ids, naps, threads, names, exits" {
	together 'exitsnoop -j -x' 'killsnoop -j' 'setuids -j' 'capable -j --failed -c deeds' 'naptime -j -c deeds' 'syscount -j --comm deeds --top 100' \
		'threadsnoop -j -c dynamic' 'gethostlatency -j' -- processes
	showed 'select(.comm == "sh") | .args.code' exitsnoop <<<3
	showed 'select(.comm == "deeds") | [.args.sig, .args.to == .pid, .errno]' killsnoop <<-'END'
		["SIGUSR1",true,null]
		["SIGUSR1",true,null]
		["SIGTERM",false,"ESRCH"]
	END
	showed 'select(.comm == "deeds") | [.args.call, .args.old, .args.asked, .args.ret]' setuids <<-'END'
		["setuid",0,0,0]
		["setreuid",0,0,0]
		["setresuid",0,0,0]
		["setfsuid",0,0,0]
		["setuid",0,7,0]
		["setuid",7,0,-1]
	END
	showed '[.args.cap, .errno]' capable <<<'["CAP_SETUID","EPERM"]'
	showed '[.args.asked, .args.slept >= 2000000]' naptime <<<$'[2000000,true]\n[2000000,true]'
	[ "$(jq -r 'select(.by.what // "" | test("nanosleep|^kill$|setresuid")) | "\(.count) \(.by.what | sub("clock_"; ""))"' syscount.out | sort)" = \
		$'1 setresuid\n2 nanosleep\n3 kill' ] || { cat syscount.out; false; }
	showed .args.ret threadsnoop <<<$'0\n0'
	showed '[.comm, .args.host, .args.took > 0]' gethostlatency <<<'["dynamic","127.0.0.1",true]'
}

files() { reads 3 some; mv some other; stat other; stat nosuch || true; reads 2 other; rm other; }

@test "recipes of files: reads, times, names that come and go" {
	together 'vfsstat -j -c reads --interval 60' 'funccount -j -c reads vfs_read,vfs_write' 'fileslower -j -m 0 -c reads' 'filegone -j -c mv,rm' \
		'statsnoop -j -c stat' 'funclatency -j -c reads vfs_read' 'filetop -j -c reads --interval 60' -- files
	showed .reads vfsstat <<<5
	showed 'select(.by.func == "vfs_read") | .count' funccount <<<5
	showed 'select(.args.op == "R") | [.args.bytes, .args.file, .args.took > 0]' fileslower < <(
		printf "[1,\"$PWD/%s\",true]\n" some some some other other)
	showed '[.args.op, .args.ret, .args.name, .args.to]' filegone <<-'END'
		["vfs_rename",0,"some","other"]
		["vfs_unlink",0,"other",""]
	END
	showed 'select(.args.path // "" | test("other|nosuch")) | [.args.path, .args.ret, .errno]' statsnoop <<-'END'
		["other",0,null]
		["nosuch",-2,"ENOENT"]
	END
	showed '.total' funclatency <<<5
	showed 'select(.by.file | endswith("/other") or endswith("/some")) | [.reads, .rbytes]' filetop <<<$'[3,3]\n[2,2]'
}

network() { deeds tcp 5000 2 1000; deeds bind 5003; deeds listen 5005 7; deeds unix 5 2; }

@test "recipes of the network: addresses, ports, states and bytes" {
	local port
	together 'tcpconnect -j' 'tcpaccept -j' 'tcpconnlat -j' 'tcplife -j' 'tcpstates -j' 'bindsnoop -j -P 5003' 'solisten -j' \
		'undump -j -c deeds' -- network
	grep -E '^[0-9]+$' together.work | head -n 2 >ports
	showed '[.args.to, .args.lport, .args.ret]' tcpconnect < <(while read -r port; do echo "[\"127.0.0.1:5000\",$port,0]"; done <ports)
	showed '.args.connection | [.daddr, .dport, .sport]' tcpaccept < <(while read -r port; do echo "[\"127.0.0.1\",$port,5000]"; done <ports)
	showed '[.args.to, .args.error, .args.took > 0]' tcpconnlat < <(for _ in 1 2; do echo '["127.0.0.1:5000",0,true]'; done)
	showed 'select(.args.to == "127.0.0.1:5000") | [.args.tx, .args.rx] | map(. - . % 10)' tcplife <<<$'[1000,10]\n[1000,10]'
	showed 'select(.args.to == "127.0.0.1:5000" and .args.next != "TCP_SYN_SENT") | .args.next' tcpstates < <(for _ in 1 2; do
		printf '"TCP_%s"\n' ESTABLISHED FIN_WAIT1 FIN_WAIT2 CLOSE
	done)
	showed '[.args.proto, .args.addr, .args.ret]' bindsnoop <<-'END'
		["IPPROTO_TCP","127.0.0.1:5003",0]
		["IPPROTO_UDP","127.0.0.1:5003",0]
		["IPPROTO_TCP","127.0.0.1:5003",-98]
		["IPPROTO_TCP","[::1]:5003",0]
	END
	showed 'select(.args.addr | endswith(":5005")) | [.args.family, .args.backlog, .args.ret]' solisten <<<'["AF_INET",7,0]'
	showed '[.args.bytes, .args.data]' undump <<<$'[5,"uuuuu"]\n[5,"uuuuu"]'
}

others() { read_five; reads 5 some; deeds shm 10000; dd if=some of=copy conv=fsync 2>/dev/null; waits futex 30 3; samples burn 1 0.5; dynamic leaks 10; }

@test "recipes of disks, memory, locks and processors" {
	together 'iosnoop -j' 'biotop -j --interval 60' 'bitesize -j' 'shmsnoop -j -c deeds' 'syncsnoop -j -c dd' 'futexctn -j' 'memleak -j --interval 60 --comm dynamic' \
		'profile -F 50 -c samples' 'runqlat -j' "stackcount ${STACKS_BY[*]} -j -c reads vfs_read" -- others
	showed 'select(.comm == "dd") | [(.args.op | sub("S$"; "")), .args.block, .args.bytes, .args.took > 0]' iosnoop < <(
		printf '["R",%d,4096,true]\n' 24 32 40 48 56)
	showed 'select(.by.comm == "dd") | [.by.op, .bytes, .count]' biotop <<<'["R",20480,5]'
	showed 'select(.by.comm == "dd") | .bytes | map(.[2]) | add' bitesize <<<5
	showed '[.args.call, .args.size]' shmsnoop <<<$'["shmget",10000]\n["shmat",0]\n["shmat",0]\n["shmdt",0]\n["shmctl",0]'
	showed '[.args.call, .args.ret, .args.took > 0]' syncsnoop <<<'["fsync",0,true]'
	[ "$(jq -s 'map(select(.by.comm == "a;b\nc") | .count) | add' futexctn.out)" -eq 3 ] || { cat futexctn.out; false; }
	showed 'select(any(.by.ustack[]?; startswith("first"))) | [.count, .size]' memleak <<<'[5,500]'
	[ "$(jq -s 'map(select(any(.by.kstack[]?; startswith("ksys_read"))) | .count) | add' stackcount.out)" -eq 5 ] || { cat stackcount.out; false; }
	grep -qE '^samples;.*burning.* [0-9]+$' profile.out
	[ "$(sed -n 's/.*"total":\([0-9]*\).*/\1/p' runqlat.out | head -n 1)" -ge 3 ]
}
