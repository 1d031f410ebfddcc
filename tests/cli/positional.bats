#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Positional arguments, as users of bcc, libbpf-tools and perf-tools type them: planned, or refused with words about
# what was typed. Nothing is traced.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export btf
	btf=$(tools/fetch-kernel --btf 6.12)
}

setup() { coretap=${BUILD:-build}/coretap; }

# The plan of a line, and argdump's command line.
plan() { # LINE
	local words
	read -r -a words <<<"$1"
	run --separate-stderr "$coretap" "${words[0]}" --dry-run -v --btf "$btf" "${words[@]:1}"
}

@test "arguments as the originals have them" {
	while read -r line; do
		plan "$line"
		[ "$status" -eq 0 ] || { echo "$line: $stderr"; false; }
	done <<-'END'
		biolatency 1 5
		biolatency -D 1
		runqlat 1 5
		cpudist 1 5
		ext4dist 1 5
		vfsstat 1
		cachestat 1 5
		hardirqs 1 5
		funccount vfs_read 1 5
		funclatency vfs_read 1 5
		stackcount vfs_read 1 5
		memleak -p 1 3 1
		tcpsubnet 1 3
		offwaketime 5
	END
}

# What a number stands for: in argdump's command line.
@test "a number is what it is in the original: a threshold in its unit, a duration" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		# the other file systems are modules, whose types are not in the file
		[[ ($status -eq 0 || $stderr == *"no types of modules"*) && $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		ext4slower 10|$lat > 10000000
		btrfsslower 10|$lat > 10000000
		xfsslower 10|$lat > 10000000
		nfsslower 10|$lat > 10000000
		fsslower 10|$lat > 10000000
		fileslower 10ms|$lat > 10000000
		tcpconnlat 0.1|#define least (100000)
		fileslower 1|$lat > 1000000
		runqslower 1000|$lat > 1000000
		softirqslower 100|$lat > 100000
		tcppktlat 1000|#define least (1000000)
		tcpconnlat 10|#define least (10000000)
		profile 5|--duration 5
		offcputime 5|--duration 5
		offcputime -p 1 5|--duration 5
		wakeuptime 5|--duration 5
		llcstat 5|--duration 5
		vfscount 3|--duration 3
		biostacks 5|--duration 5
		iosnoop 5|--duration 5
		ttysnoop pts0|tty->name == "pts0"
		ttysnoop /dev/pts/0|tty->name == "pts0"
		ttysnoop pts/3|tty->name == "pts3"
		ttysnoop 2|tty->name == "pts2"
		ttysnoop /dev/ttyS0|tty->name == "ttyS0"
		ttysnoop --tty /dev/pts/7|tty->name == "pts7"
		killsnoop -s KILL|: $arg2)) == 9
		killsnoop -s 9,TERM|: $arg2)) == 9) || (
		killsnoop -s sigterm|: $arg2)) == 15
		sigsnoop -s 9|sig == 9
	END
}

@test "letters that have no value in the original, and have one here, may be followed by others" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		[[ $status -eq 0 && $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		sigsnoop -nk|: argdump --if '(u64)info > 1
		sigsnoop -kns 9|: argdump --if 'sig == 9' --if '(u64)info > 1
		sigsnoop -n5|: argdump -n 5 --columns
		killsnoop -nx|: argdump --if '$ret < 0' --columns
		tcpconnect -ct4|#define family (AF_INET)
		tcpretrans -c6|#define family (AF_INET6)
	END
}

@test "defaults are those of the originals: intervals, durations, lists, the order of rows" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		[[ ($status -eq 0 || $stderr == *"no hardware"*) && $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		biolatpcts|--pct '1,5,10,16,25,50,75,84,90,95,99,100=$lat'
		biolatpcts|--interval 3 --clear
		cachetop|--interval 5 --clear
		memleak -p 1|--sort size --interval 5 --top 10
		llcstat|--duration 10
		tcpsubnet|:enum("127.0.0.1/32,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,0.0.0.0/0,::/0")' --interval 1 --clear
		slabratetop|--sort bytes
		syscount -L|--sort took
		filetop|all=rb+srb+wb+swb+r+sr+w+sw:sort
		dirtop|all=rb+srb+wb+swb+r+sr+w+sw:sort
		tcptop|all=sent+received:sort
		runqlen|hz:99
		cpufreq|hz:99
	END
}

# Each in the plan: argdump's command line, or the definitions of a program.
@test "letters of the originals have the same effect" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		[[ $status -eq 0 && $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		funccount -c 1 vfs_read|--if '$cpu == 1'
		profile -C 7 -c 1000000|--if '$cpu == 7' --folded sw:cpu-clock:1000000
		profile -F 99|hz:99
		tcpconnect -6 -P 80,81|#define is_port ((bswap(((struct sockaddr_in *)uaddr)->sin_port) == 80) || (bswap(
		tcpaccept -4|skc_family == AF_INET ||
		bindsnoop -P 80-82|skc_num) == 81 ||
		bindsnoop -U|'uid=$uid'
		tcplife -L 22,80|#define is_local ((bswap(((struct inet_sock *)sk)->inet_sport) == 22) || (bswap(
		tcpcong -R 5000-5001 1|skc_dport == 5001)
		tcprtt -A 10.0.0.1 -b|--if 'sk:peer ~ "10.0.0.1"'
		tcprtt -b|--by from=sk:localip
		runqlat -L 1|--by 'tid=@end(next->pid)
		offcputime -u -M 10000|--if '!(prev->flags & 0x200000)'
		offcputime -M 10000|--if '$lat <= 10000000'
		stackcount -U vfs_read|ustack=$ustack
		syscount -e ENOENT|--if '(@end(ret) == -2) == 
		dirtop -d /srv,/hdfs/*/yarn|:path ~ "/srv/*") || (
		llcstat -c 100 5|hw:cache-misses:100
		funcslower vfs_read 1000|$lat > 1000000
		funcslower sys_nanosleep 100|argdump s:nanosleep
		funcslower c:malloc c:free|u:libc:malloc,free
		funccount bash:r*|argdump 'u:bash:r*'
		funccount -r ^vfs_rea.$|argdump 'vfs_rea[!/]'
		funcinterval c:malloc|--until u:libc:malloc
		iolatency -Q|t:block:block_rq_insert --until
		tcpsubnet -fK 192.30.253.110/27,10.1.0.0/16|(((sk:peer ~ "192.30.253.110/27")) ? 0 : ((sk:peer ~ "10.1.0.0/16")) ? 1 : 2)):enum(
		tcpsubnet -fK 10.80.0.0/24|--show 'net, kbytes=bytes/1024'
		tcpsubnet -f b|--show 'net, bits=bytes*8'
		wqlat -w events|--if '(pwq->wq->name == "events")
		wqlat -W 1|--by 'queue=pwq->wq->name'
		runqlen -f 199|hz:199
		cpufreq -f 199|hz:199
		ksnoop trace vfs_read vfs_write|argdump vfs_read,vfs_write -r
		exitsnoop --label EXIT|'label="EXIT"'
		memleak -p 1 -O c|u:libc:malloc,
		fileslower -a 5|--if '$lat > 5000000 && 1'
		klockwait --per-thread|--by '$comm,$tid'
		tcpdrop --netns-id 5|ns.inum == 5
		ustat 5 10|--top 20 'u:/usr/bin/python3:*:function__entry?
		bitesize 10|10: the interval, until Ctrl-C; -d 10 is the duration, as in bitesize of perf-tools
	END
	while IFS='|' read -r line wanted; do
		plan "$line" # a program without such probes, a file that may not be read, or a module's tracepoint
		[[ $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		kvmexit -v 1|--if 'vcpu_id == 1'
		dbstat /bin/true -p 1 2 -m 3|argdump -p 1,2 --if '$lat > 3000000'
		dbslower --pid 1 2 3 -x /bin/true|argdump -p 1,2,3
		ustat /bin/true 5|'u:/bin/true:*:function__entry?
	END
	plan 'bitesize 1 10'
	[[ $status -eq 0 && $stderr != *"the interval"* ]]
	plan 'funccount u:bash:x*'
	[[ $stderr == *"argdump 'u:bash:*:x*'"* && $stderr == *"is a static probe (USDT), as in bcc; a function is bash:x*"* ]]
}

@test "-- COMMAND: tools about other tasks than the running one say that they take none" {
	for tool in cpudist runqlat 'runqslower -c x'; do
		run -1 --separate-stderr bash -c "'$coretap' $tool --dry-run --btf '$btf' -- deeds nap 5 3"
		[[ $stderr == *"${tool%% *} takes no COMMAND: its rows are about other tasks"*$'\n  start the command beside it'* ]] || { echo "$stderr"; false; }
	done
	run -0 "$coretap" bps --dry-run --
	run -0 "$coretap" vfscount --dry-run --btf "$btf" -- true
}

# The line of argdump that runs.
@test "tools whose job argdump does" {
	while IFS='|' read -r line wanted; do
		run --separate-stderr bash -c "'$coretap' $line --dry-run --btf '$btf'"
		[[ ${stderr//$btf/FILE} == *": argdump $wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		kprobe -s p:do_sys_open|-k --dry-run --btf FILE p:do_sys_open
		kprobe 'p:x do_sys_open name=+0(%si):string' 'name ~ "*stat"'|--dry-run --btf FILE 'p:x do_sys_open name=+0(%si):string' --if 'name ~ "*stat"'
		uprobe 'r:bash:readline +0($retval):string'|--dry-run --btf FILE 'r u:bash:readline +0($retval):string'
		uprobe 'p:x /bin/bash:readline %di'|--dry-run --btf FILE 'p:x u:/bin/bash:readline %di'
		uprobe -l bash|--list 'u:bash:*' --dry-run --btf FILE
		tpoint -d 5 block:block_rq_issue|-d5 --dry-run --btf FILE t:block:block_rq_issue
		perf-stat-hist net:net_dev_xmit len 10|--dry-run --btf FILE -d10 --hist len t:net:net_dev_xmit
		tplist -l c|--dry-run --btf FILE --list 'u:libc:*:*'
		tplist 'block*'|--dry-run --btf FILE --list 't:block*:*'
		uthreads 999999999|--dry-run --btf FILE -p999999999 u:libc:pthread_create 'start=$arg3:usym'
		uthreads -l java 999999999|--dry-run --btf FILE -p999999999 u:libc:pthread_create 'start=$arg3:usym' --and 'u:/proc/999999999/exe:hotspot:thread__*'
		uthreads 999999999 --language=none|--dry-run --btf FILE -p999999999 u:libc:pthread_create 'start=$arg3:usym'
		perf-stat-hist -f 'len > 10' net:net_dev_xmit len 10|--if 'len > 10' --dry-run
		perf probe -x /bin/bash readline|--dry-run --btf FILE u:/bin/bash:readline
		perf probe --add='vfs_read%return $retval'|--dry-run --btf FILE vfs_read%return '$ret'
		perf probe 'vfs_read:3 file'|--dry-run --btf FILE vfs_read:3 file
		perf probe 'x=vfs_read file n=%dx:u64'|--dry-run --btf FILE vfs_read file 'n=$reg(dx):u64'
	END
	while IFS='|' read -r line wanted; do
		run -0 --separate-stderr bash -c "'$coretap' bpflist --dry-run $line"
		[[ $stderr == *": bps --dry-run $wanted" ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		|--by-process
		-v|--probes --by-process
		-vv|--probes --probes --by-process --definitions
		--verbosity -v|--probes --probes --by-process --definitions
	END
	run -0 "$coretap" bpflist -h
	[[ $output == 'Usage: bpflist [-v[v]]'* ]] || { echo "$output"; false; }
	run --separate-stderr "$coretap" perf probe 'vfs_read;ret*'
	[[ $status -eq 1 && $stderr == *"needs the text of the source"*$'\n  FUNC'* ]]
	run --separate-stderr "$coretap" kprobe
	[[ $status -eq 1 && $stderr == *"usage: kprobe "* ]]
	run --separate-stderr "$coretap" kprobe -F p:vfs_read --dry-run --btf "$btf"
	[[ $status -eq 0 && $stderr == *"-F: there is no warning to override: what cannot be traced is refused"* ]]
	run --separate-stderr "$coretap" uthreads -l ruby 1
	[[ $status -eq 1 && $stderr == *"takes java, c or none, not 'ruby'"* ]]
	run -0 "$coretap" kprobe --help
	[[ $output == "Usage: kprobe "* ]]
}

@test "refusals name the typed word" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		[[ $status -eq 1 && $stderr == *"$wanted"* ]] || { echo "$line: $status: $stderr; wants $wanted"; false; }
		[[ $stderr != *--folded* && $stderr != *--open* && $stderr != *--clear* ]] || { echo "$line: $stderr"; false; }
	done <<-'END'
		profile 5 3|unexpected argument '3'
		profile five|SEC takes a time such as 10 (s), 0.5 or 100us, not 'five'
		profile -d 3 5|SEC is given twice, by --duration and as '5'
		ext4slower -m 5 10|MS is given twice, by --min and as '10'
		ttysnoop --tty pts1 pts0|TTY is given twice, by --tty and as 'pts0'
		biolatency x|INTERVAL 'x': expected a time
		biolatency 1 x|COUNT 'x'
		biolatency 1 2 3|unexpected argument '3'
		biolatency --interval 2 1|INTERVAL is given twice, by --interval and as '1'
		runqlat -d 5 1 5|COUNT is given twice, by --duration and as '5'
		funccount -i 1 vfs_read 2|INTERVAL is given twice, by --every and as '2'
		stackcount -D 1 vfs_read 2 1|COUNT is given twice, by --seconds and as '1'
		runqslower 1 2|unexpected argument '2'
		sslsniff --no-openssl --handshake|--handshake and --no-openssl exclude each other
		stackcount -K -U vfs_read|--kernel-only and --user-only exclude each other
		offcputime -K -U|--kernel and --user exclude each other
		offcputime -uk|--user-threads and --kernel-threads exclude each other
		profile -UK|--kernel and --user exclude each other
		funclatency -u -m vfs_read|--milliseconds and --microseconds exclude each other
		tcprtt -46|--ipv4 and --ipv6 exclude each other
		tcplife -46|--ipv4 and --ipv6 exclude each other
		ksnoop vfs_read(file)|'vfs_read(file)': other tools of this name expect a function with its arguments
		killsnoop -s NOSUCH|takes a signal such as KILL, SIGKILL or 9, not 'NOSUCH'
		syscount -e getppid|takes an error such as ENOENT or 2, not 'getppid'
		killsnoop -s 9,x|takes a signal such as KILL, SIGKILL or 9, not 'x'
		tcpconnect -P 80,x|takes a number, not 'x'
		tcpconnect -P 80,70000|takes a port, 0 to 65535, not '70000'
		tcpcong -L 1-100|takes at most 64 values
		funccount -r vfs_+|no pattern is equivalent to this regular expression
	END
}

@test "the usage line has the accepted arguments" {
	while IFS='|' read -r tool usage; do
		run -0 "$coretap" "$tool" --help
		[[ ${lines[0]} == "Usage: "*"$tool [OPTION...] $usage"* ]] || { echo "$tool: ${lines[0]}"; false; }
	done <<-'END'
		biolatency|[INTERVAL [COUNT]]
		profile|[SEC]
		runqslower|[US]
		ext4slower|[MS]
		funccount|FUNC [INTERVAL [COUNT]]
		memleak|[INTERVAL [COUNT]]
	END
	[[ $("$coretap" profile --help=all) != *INTERVAL* ]]
}

@test "a disk that this machine does not have is refused, unless the plan is for another machine" {
	for tool in biolatpcts biopattern biosnoop biostacks biotop bitesize iolatency iosnoop; do
		run --separate-stderr -1 "$coretap" $tool -D NONSENSE --dry-run
		[[ $stderr == *"unknown disk 'NONSENSE'"* ]] || { echo "$tool: $stderr"; false; }
		run -0 "$coretap" $tool -D NONSENSE --dry-run --btf "$btf"
	done
}

@test "a recipe that reports only with an option: with it the options of counts, without it those of records" {
	local line
	while read -r line; do
		plan "skbtrace --stages $line"
		[ "$status" -eq 0 ] || { echo "$line: $stderr"; false; }
	done <<-'END'
		--summary
		--summary --top 3 --sort count --interval 1 --clear
		-n 3
		--steps --columns func,after
	END
	plan 'skbtrace --summary --drops'
	[ "$status" -eq 0 ] || { echo "$stderr"; false; }
	while IFS='|' read -r line what; do
		plan "skbtrace --stages $line"
		[ "$status" -eq 1 ] || { echo "$line: $status"; false; }
		[[ $stderr == *"$what"* ]] || { echo "$line: $stderr"; false; }
	done <<-'END'
		--summary -n 3|cannot be combined with --summary
		--top 3|need --summary
		--summary --columns func|--columns is for rows of events, not for --summary
		--summary -k|-k and -U are for rows of events, not for --summary
	END
}

@test "marks with masks, network namespaces by number, file and name" {
	local line
	for line in '--mark 7' '--mark 0x10/0xf0' '--mark 0xffffffff/0xffffffff' '--netns 4026531840' '--netns net:[4026531840]' \
		'--netns /proc/self/ns/net'; do
		plan "skbtrace --stages $line"
		[ "$status" -eq 0 ] || { echo "$line: $stderr"; false; }
	done
	# value in the lower half, mask in the upper one
	plan 'skbtrace --stages --mark 0x10/0xf0'
	[[ $stderr == *'#define of_mark (($skb->mark & 0xf000000010 >> 32) == (0xf000000010 & 0xffffffff))'* ]] || { echo "$stderr"; false; }
	for line in x 0x10/ /1 1/x 0x100000000 1/0x100000000; do
		plan "skbtrace --stages --mark $line"
		[ "$status" -eq 1 ] && [[ $stderr == *"--mark takes VALUE or VALUE/MASK, such as 0x10/0xf0, not '$line'"* ]] || { echo "$line: $stderr"; false; }
	done
	for line in skbtrace tcpdrop solisten tcptracer; do
		plan "$line --netns nosuch"
		[ "$status" -eq 1 ] && [[ $stderr == *"no network namespace 'nosuch'"* ]] || { echo "$line: $stderr"; false; }
		[ $line = skbtrace ] || plan "$line --netns /proc/self/ns/net"
		[ $line = skbtrace ] || [ "$status" -eq 0 ] || { echo "$line: $stderr"; false; }
	done
}
