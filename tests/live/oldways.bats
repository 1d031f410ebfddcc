#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What people type today (the kernel's own notations), taken as it is: each line's values against
# what is known of the workload. Offsets come from this kernel's types, as they did from gdb.

bats_require_minimum_version 1.5.0
load arch
load argdump
load argdump_x86
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "p:open do_sys_open file=%si, +0(%si):string, +0(\$arg2)" {
	wants 1 ' reads +file=0x[0-9a-f]+$' 'p:open do_sys_open file=%si' -- reads 1 some
	wants 1 ' reads +file="some"$' 'p:open do_sys_open file=+0(%si):string' -- reads 1 some
	wants 1 ' reads +file="some"$' 'p:open do_sys_open file=+0($arg2):string' -- reads 1 some
	wants 1 ' reads +file="/proc/version"$' 'p:open do_sys_openat2 file=+u0(%si):string' -- reads 1 /proc/version
	wants 1 ' reads +file="/proc/version"$' 'p:open do_sys_openat2 file=+0(%si):ustring' -- reads 1 /proc/version
	[ -z "$stderr" ]
	wants 1 ' reads +arg1="roc/version"$' 'p:open do_sys_openat2 +2(%si):string' -- reads 1 /proc/version
}

@test "registers and stack words, in hex" {
	upper='{1,8}ffffffff' # of the return address, the lower half of which is below
	[ "$HAS_LINK" = no ] || upper=+
	wants 1 " reads +dfd=0x[0-9a-f]+ filename=$LARGEFILE flags=0x0 mode=0x[0-9a-f]$upper\$" \
		'p:my do_sys_open dfd=%ax filename=%dx flags=%cx mode=+4($stack)' -- reads 1 some
	wants 5 " reads +a=0x1 b=1 c=0x[1-9a-f][0-9a-f]+ d=($STACK_POINTER) e=\\1 f=0xffff[0-9a-f]{12}\$" \
		'p:my vfs_read a=%dx b=%dx:u8 c=%si d=$stack0 e=+0($stack):x64 f=%sp' -- reads 5 some
}

@test "\$argN, parameters by name, \$arg*, \$comm, immediate values, types" {
	wants 5 ' reads +arg1=0xffff[0-9a-f]{12} arg2=1 arg3=0x1 count=1$' \
		'p vfs_read $arg1 $arg3:u32 $arg3:x16 count' -- reads 5 some
	wants 5 ' reads +c="reads" i=0x7b j=-5 k=251 b=0 n=4$' \
		'p vfs_read c=$comm i=\123 j=\-5:s8 k=\-5:u8 b=%dx:b4@2/32 n=file->f_path.dentry->d_name.len' -- reads 5 some
	wants 5 ' reads +a="text" b="" c="a longer text, of 33 bytes\\\\n"$' \
		'p vfs_read a=\"text" b=\""' 'c="a longer text, of 33 bytes\\n"' -- reads 5 some
	wants 5 ' reads +file=0xffff[0-9a-f]{12} buf=.* count=1 pos=0xffff[0-9a-f]{12}$' \
		'f:myprobe vfs_read $arg*' -- reads 5 some
	wants 5 ' reads +count=1 pos=0xffff[0-9a-f]{12}$' 'f:myprobe vfs_read count pos' -- reads 5 some
	wants 5 ' reads +name="some" s="some"$' \
		'f vfs_read name=$arg1:%pD s=file->f_path.dentry->d_name.name:string' -- reads 5 some
}

@test "the filesystem's name by offsets, as p:crazy has it" {
	inode=$(offset vfs_read 'file->f_inode') sb=$(offset vfs_read 'file->f_inode->i_sb')
	type=$(offset vfs_read 'file->f_inode->i_sb->s_type')
	wants 7 ' reads +name="proc"$' \
		"p:crazy __vfs_read name=+0(+0(+$type(+$sb(+$inode(\$arg1))))):string" -- reads 7 /proc/version
	[[ $stderr == *"__vfs_read is gone: vfs_read is traced"* ]]
	wants 7 ' reads +[a-z_]*read[a-z_]*->vfs_read\(name="sysfs"\)$' \
		"__vfs_read(string name+${inode}[0]+${sb}[0]+${type}[0][0])" -- reads 7 /sys/kernel/mm/transparent_hugepage/enabled
}

@test "variables and addresses of the kernel" {
	banner=$(awk '$3 == "linux_banner" { print $1 }' /proc/kallsyms)
	wants 3 ' reads +a="Linux version [0-9].* b="x version ' \
		'p vfs_read a=@linux_banner:string b=@linux_banner+4:string' -- reads 3 some
	wants 3 ' reads +a=0x2078756e b=120 c=.*0x4c.*0x69.*0x6e.* d="Linux version ' \
		"p vfs_read a=@linux_banner+2:x32 b=+4(\\0x$banner):u8 c=@0x$banner:x8[3] d=@0x$banner:string" -- reads 3 some
	wants 3 ' reads +[a-z_]*read[a-z_]*->vfs_read\(forks=[1-9][0-9]*, b="Linux' \
		"vfs_read(int forks=\$total_forks, string b=0x$banner)" -- reads 3 some
}

@test "function_events: the caller, skipped parameters" {
	wants 1 ' reads +[a-z0-9_]*sys_openat->do_sys_openat2\(file="some"\)$' \
		'do_sys_open(NULL, string file)' -- reads 1 some
	wants 3 ' reads +[a-z_]*read[a-z_]*->vfs_read\(count=1\)$' 'vfs_read(NULL, NULL, size_t count)' -- reads 3 some
	wants 3 ' reads +[a-z_]*read[a-z_]*->vfs_read\(\)$' 'vfs_read()' -- reads 3 some
	run -0 --separate-stderr argdump -j 'vfs_read(NULL, NULL, size_t count)' -- reads 3 some
	jq -e -s 'map(select(.comm == "reads" and .args.count == 1)) | length == 3 and
		all(.[]; .args.caller | test("^[a-z_]*read[a-z_]*\\+0x[0-9a-f]+$"))' <<<"$(grep '^{' <<<"$output")"
}

@test "--caller: of any function, its return, several, and both sides of a call" {
	wants 3 ' reads +[a-z_]*read[a-z_]*->vfs_read\(file="/.*some", buf=0x[0-9a-f]+, count=1, pos=0\)$' \
		--caller vfs_read -- reads 3 some
	wants 3 ' reads +vfs_read +[a-z_]*read[a-z_]*->vfs_read\(count=1\)$' --caller vfs_read,vfs_write count -- reads 3 some
	wants 3 ' reads +[a-z_]*read[a-z_]*->rw_verify_area\(count=1\) ret=0 lat=[0-9.]+[num]s$' --caller -r rw_verify_area count -- reads 3 some
	# as the kernel says itself where the call came from
	cd /sys/kernel/tracing
	echo 'r:coretap_test vfs_read ret=$retval' >>kprobe_events
	echo 1 >events/kprobes/coretap_test/enable
	(cd "$BATS_TEST_TMPDIR" && reads 50 some)
	echo 0 >events/kprobes/coretap_test/enable
	kernel=$(sed -nE 's/^.*coretap_test: (\(.*<- vfs_read\)) ret=(0x)?1$/\1/p' trace |
		sort | uniq -c | sort -rn | sed -n '1s/^ *[0-9]* //p')
	echo -:coretap_test >>kprobe_events
	cd "$BATS_TEST_TMPDIR"
	[ -n "$kernel" ]
	if [ "$(uname -r | cut -d. -f1-2)" = 5.10 ]; then # its kretprobes cannot tell, and it is said
		run -1 argdump --caller vfs_read%return -- reads 3 some
		[[ $output == *"do not know the caller"* ]]
	else
		run -0 --separate-stderr argdump --caller vfs_read%return -- reads 3 some
		[ "$(count -F " $kernel ret=1" <<<"$output")" -eq 3 ] || { echo "$kernel" "$output"; false; }
	fi
}

@test "r: the caller and the return value" {
	caller='\([a-z0-9_]*sys_openat\+0x[0-9a-f]+/0x[0-9a-f]+ <- do_sys_openat2\) '
	read='(\([a-z_]*read[a-z_]*\+0x[0-9a-f]+/0x[0-9a-f]+ <- vfs_read\) )'
	entry='\([a-z0-9_]+\+0x[0-9a-f]+/0x[0-9a-f]+ <- openat\) '
	[ "$(uname -r | cut -d. -f1-2)" != 5.10 ] || caller='' read='' entry='' # its kretprobes cannot tell, and it is said
	wants 1 " reads +${caller}arg1=[3-9]\$" 'r:myret do_sys_open $retval' -- reads 1 some
	[ -n "$caller" ] || [[ $stderr == *"do not know the caller"* ]]
	wants 1 " reads +${caller}ret=[3-9]\$" -d 100 'r:do_sys_open ret=$retval' -- reads 1 some
	wants 1 " reads +${caller}ret=0xf*fe r=-2\$" 'r10:x do_sys_openat2 ret=$retval:x32 r=$retval:s32' -- \
		bash -c 'reads 1 no-such-file; true'
	wants 5 " reads +${read}arg1=1\$" 'f vfs_read%return $retval' -- reads 5 some
	wants 1 " reads +${entry}arg1=[3-9]\$" 'r sys_openat $retval' -- reads 1 some
	wants 1 ' reads +ret=[3-9] file="some"$' 'r sys_openat ret=$retval file=+0($arg2):string' -- reads 1 some
	[[ $stderr == *"the caller is not shown"* ]]
	wants 5 ' reads +count=1 ret=1$' 'f vfs_read%return count ret=$retval' -- reads 5 some
}

@test "a system call's arguments, where sys_NAME had them in registers" {
	wants 1 ' bash +filename="[^"]*/reads" arg1="reads" arg2="1"$' \
		'p:test sys_execve filename=+0(%di):string arg1=+0(+0(%si)):string arg2=+0(+8(%si)):string' -- \
		bash -c 'reads 1 some'
	[[ $stderr == *"traced as the system call execve"* ]]
	wants 1 ' bash +v_0="reads" v_1="1" v_2="some"$' 'p:test sys_execve v=+0(%si):string[3]' -- bash -c 'reads 1 some'
	wants 1 ' reads +[a-z0-9_]+->openat\(file="some", flags=0x0\)$' \
		'sys_openat(NULL, string file, x32 flags)' -- reads 1 some
}

@test "tracepoints: their own arguments, and the fields of their events" {
	wants 1 ' reads +file="[^"]*/reads" comm="reads"$' \
		't:ev sched_process_exec file=bprm->filename:string p->comm:string' -- bash -c 'reads 1 some'
	run -0 --separate-stderr argdump -n 5 't sched_switch preempt prev_pid=prev->pid next_pid=next->pid next->start_time'
	[ "$(count -E 'preempt=.* prev_pid=[0-9]+ next_pid=[0-9]+ start_time=[0-9]+$' <<<"$output")" -eq 5 ]
	run -0 --separate-stderr argdump -n 5 't sched_switch $arg*'
	[ "$(count -E 'preempt=.* prev=0xffff[0-9a-f]{12} next=0xffff[0-9a-f]{12}' <<<"$output")" -eq 5 ]
	run -0 --separate-stderr argdump -n 5 'e:sched/switch sched.sched_switch prev=$prev_pid:u32 next=$next_pid:u32'
	[ "$(count -E 'prev=[0-9]+ next=[0-9]+$' <<<"$output")" -eq 5 ]
}

@test "a place in a program, by its offset" {
	reads=$(command -v reads)
	entry=$(od -An -tx8 -j24 -N8 "$reads" | tr -d ' ' | sed 's/^0*//')
	wants 1 " reads +arg1=0x$entry n=0x3 s=\"reads\" t=\"some\"\$" \
		"p:e $reads:$((0x$entry - 0x400000)) %ip n=\$stack0 s=+0(+8(%sp)):string t=+0(+24(\$stack)):ustring" -- reads 1 some
}

@test "an instruction inside of a function" {
	for place in "${INSIDE[@]}"; do
		run --separate-stderr argdump "p vfs_read+0x$place n=%dx at=%ip:symbol" -- reads 5 some
		[ "$status" -ne 0 ] || break
	done
	# an int3 has been passed when the program sees the registers
	[ "$(count -E " reads +n=0x1 at=vfs_read\\+0x($place|$(printf %x $((0x$place + 1))))\$" <<<"$output")" -eq 5 ] || {
		echo "$output" "$stderr"; false
	}
}

@test "a place in the kernel, by its address" {
	place=$(awk '$3 == "do_sys_openat2" { print $1 }' /proc/kallsyms)
	wants 1 ' reads +file="some"$' "p:x 0x$place file=+0(%si):string" -- reads 1 some
}

received() { awk '/^Ip:/ && $4 ~ /^[0-9]+$/ {print $4}' /proc/net/snmp; }

# Packets on the loopback: a ping is two of them. The kernel's own count stands beside ours.
packets() { # PROBE...
	argdump_start -n 6 -d 60 "$@"
	before=$(received)
	ping -c 3 127.0.0.1
	echo "received by IP: $(($(received) - before))"
	wait $tool
	cat out err
}

@test "a network device's name and fields by their offsets" {
	n=$(offset ip_rcv 'dev->name[0]') m=$(offset ip_rcv 'dev->mtu') a=$(offset ip_rcv 'dev->perm_addr[0]')
	packets "p:net ip_rcv dev=\$arg2 name=+$n(\$arg2):string b=+$n(\$arg2):x8 mtu=+$m(\$arg2):u32 a=+$a(\$arg2):x8[6]"
	[ "$(count -E 'dev=0xffff[0-9a-f]{12} name="lo" b=0x6c mtu=65536 a=.*0x0' <out)" -eq 6 ]
	# as it is typed: the name was the device's first member once; six bytes by a number from gdb
	packets 'p:net ip_rcv dev=$arg2 name=+0($arg2):string'
	name='"?.*' && [ "$n" -ne 0 ] || name='"lo"'
	[ "$(count -E "dev=0xffff[0-9a-f]{12} name=$name\$" <out)" -eq 6 ]
	bytes=
	for i in 1 2 3 4 5 6; do
		bytes+=" a$i=+$((573 + i))(\$arg2):x8"
	done
	packets "p:net ip_rcv$bytes same=+574(\$arg2):x8[6]"
	[ "$(awk '/ a1=/ { gsub(/[{},]/, ""); split($0, a, "same="); split(a[2], s, " ")
		for (i = 1; i <= 6; i++) if (index($0, " a" i "=" s[i] " ")) n++ } END { print n }' out)" -eq 36 ]
	# the same in the other notation
	packets ip_rcv dev 'dev->name' 'dev->perm_addr:mac'
	[ "$(count -E 'dev=0xffff[0-9a-f]{12} name="lo" perm_addr=00:00:00:00:00:00$' <out)" -eq 6 ]
	packets "ip_rcv(x64 skb, x64 dev | x8[3] name+$n | u32 mtu+${m}[0])"
	[ "$(count -E -- '->ip_rcv\(skb=0xffff[0-9a-f]{12}, dev=0xffff[0-9a-f]{12}, name=.*0x6c.*0x6f.*0x0.*, mtu=65536\)' <out)" -eq 6 ]
}

@test "unreadable values are marked as such" {
	wants 1 ' fails +file=<fault: \$arg2>$' 'p:open do_sys_open file=+0(%si):string' -- opens fails
}

@test "every register that holds an argument, and every type" {
	wants 3 ' reads +a=(0xffff[0-9a-f]{12}) b=\1 c=1 d=1 e=1 f=1 g=1 h=0x1 i=0x1 j=0x1 k=0x1$' \
		'p vfs_read a=%di b=$arg1 c=%dx:u16 d=%dx:u64 e=%dx:s16 f=%dx:s32 g=%dx:s64 h=%dx:x8 i=%dx:x16 j=%dx:x32 k=%dx:x64' -- \
		reads 3 some
	wants 3 " reads +c='[^ ]+' n=\"reads\" r8=0x[0-9a-f]+ r9=0x[0-9a-f]+ same=1\$" \
		"p vfs_read c=+0(\$arg1):char n=\$comm:string r8=%r8 r9=%r9" 'same=$reg(cx)==(u64)pos' -- reads 3 some
	wants 3 " reads +f=vfs_read$TRAPPED g=vfs_read$TRAPPED\$" 'p vfs_read f=%ip:symbol g=%ip:symstr' -- reads 3 some
	wants 1 ' bash +a="/[^"]*reads" v_0="reads" w_0="reads" w_1="1"$' \
		'p:test sys_execve a=+u0(%di):string v=+0(%si):string[1] w=+0(%si):ustring[2]' -- bash -c 'reads 1 some'
}

@test "a function that is gone: the error has the one that is there" {
	run ! argdump __vfs_read -- true
	[[ $output == *"vfs_read"* ]]
	wants 3 ' reads +name="[^"]*"$' vfs_read name='file->f_inode->i_sb->s_type->name' -- reads 3 some
	run --separate-stderr argdump 'p:crazy __vfs_read name=+0(+0(+40(+40(+32($arg1))))):string' -- reads 3 some
	[ "$(count -E ' reads +name=("|<)' <<<"$output")" -eq 3 ] # by the numbers of another kernel
}

@test "the function tracer's lines, and those of perf-tools' kprobe" {
	# the probe's own program takes locks
	run_nested --separate-stderr taskset 1 argdump -n 20 -d 60 '*spin_*' '$caller'
	[ "$(count -E ' [a-z_]*spin_[a-z_]* +caller=[a-zA-Z0-9_.]+\+0x[0-9a-f]+' <<<"$output")" -eq 20 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump -n 2 -k 'p:mytasklets vfs_read' -- reads 2 some
	[ "$(count '^    vfs_read$' <<<"$output")" -eq 2 ]
}

@test "all events of a group, and the filters of events" {
	run_nested --separate-stderr argdump -n 20 -d 60 't:sched:*'
	[ "$(count -E ' sched:sched_[a-z_]+ +[a-z_0-9]+=' <<<"$output")" -eq 20 ] || { echo "$output$stderr"; false; }
	wants 1 ' reads +filename="/proc/version"$' --if 'filename ~ "/proc/v*"' do_sys_openat2 filename -- \
		reads 1 some /proc/version
	reads -s 500000 some >pid &
	reader=$!
	wants 3 " $reader +$reader reads +count=1\$" -n 3 -d 60 --if "\$pid == $reader || \$pid == 4000000" vfs_read count
	kill $reader
}

@test "clearing a probe, and a wrong definition" {
	run -0 argdump -:myprobe
	[[ $output == *"nothing to clear"* ]]
	run -1 argdump 'p:my vfs_read a=%si:u9'
	[[ $output == *"unknown type u9"*"^~"* ]]
}

@test "memory of this CPU: this_cpu_read, this_cpu_ptr, and percpu() of any pointer" {
	address() { awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms; }
	wants 5 ' reads +cpu=([0-9]+) c=\1 here=\1$' 'f vfs_read cpu=(rq)this_cpu_ptr(@runqueues)->cpu' \
		"c=percpu((struct rq *)$(address runqueues))->cpu" 'here=$cpu' -- reads 5 some
	[ -z "$(address this_cpu_off)" ] || wants 5 ' reads +o=(0xffff[0-9a-f]{12}) same=\1$' 'f vfs_read o=this_cpu_read(@this_cpu_off)' \
		"same=*percpu((u64 *)$(address this_cpu_off)):x64" -- reads 5 some
}
