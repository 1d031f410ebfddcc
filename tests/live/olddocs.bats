#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every example of the kernel's documents on kprobe_events, fprobe, eprobe and uprobe events, and of
# the one on function_events, as it stands there: only offsets that gdb had told are this kernel's.

bats_require_minimum_version 1.5.0
load arch
load argdump
load argdump_x86
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

teardown() {
	[ -z "${noise:-}" ] || kill "$noise"
}

@test "kprobetrace" {
	wants 1 " reads +dfd=0x[0-9a-f]+ filename=$LARGEFILE flags=0x0 mode=0x[0-9a-f]+\$" \
		'p:myprobe,do_sys_open,dfd=%ax,filename=%dx,flags=%cx,mode=+4($stack)' -- reads 1 some
	wants 1 ' reads +a=\{0x[0-9a-f, x]*\} b=\{0x[0-9a-f]+\} c=0x[0-9a-f]+$' \
		'p:myprobe vfs_read a=+8($stack):x8[8] b=+0(%di):x32[1] c=+0(%di):x32' -- reads 1 some
	[[ $(grep ' reads ' <<<"$output") =~ b=\{(0x[0-9a-f]+)\}\ c=(0x[0-9a-f]+) ]]
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	wants 1 ' reads +f="some" g="some"$' 'p do_sys_openat2 f=+u0(%si):string g=+0(%si):ustring' -- reads 1 some
	wants 1 ' reads +h="some"$' 'p do_sys_openat2 h=+0(%si):string' -- reads 1 some
	wants 1 ' reads +i="me"$' 'p do_sys_openat2 i=+u2(%si):string' -- reads 1 some
	run -1 argdump -d 5 'p vfs_read $stack1:x8[8]' # "is wrong", it says there
	[[ $output == *"an array must be in memory"* ]] || { echo "$output"; false; }
}

@test "fprobetrace" {
	run -0 --separate-stderr argdump --if 'prev->comm == "reads"' 't sched_switch prev->comm:string' -- reads -s 3 some
	[ "$(count -E ' reads +comm="reads"$' <<<"$output")" -ge 3 ] || { echo "$output$stderr"; false; }
	# an open may come by another way, what the C library begins with does not
	grep -q ' getname_flags\.' /proc/kallsyms || wants 1 ' reads +(\([a-z0-9_]+\+0x[0-9a-f]+/0x[0-9a-f]+ <- getname_flags\) )?name="/proc/self/exe"$' \
		'f getname_flags%return $retval->name:string' -- reads 1 some
	run -0 --separate-stderr argdump -n 5 't sched_switch comm=next->comm:string next->start_time'
	[ "$(count -E ' comm="[^"]+" start_time=[0-9]+$' <<<"$output")" -eq 5 ] || {
		echo "$output"; false
	}
	wants 3 ' reads +file=0xffff[0-9a-f]{12} buf=.* count=1 pos=0xffff[0-9a-f]{12}$' 'f vfs_read $arg*' -- reads 3 some
}

@test "eprobetrace" {
	nr=$OPENAT_NR
	# the document shows (fault) for it: these are the bytes of the pointer, and no user memory
	wants 1 " reads +nr=$nr filename=<fault: .*>\$" --if "id == $nr" \
		'e:openat raw_syscalls.sys_enter nr=$id filename=+8($args):ustring' -- reads 1 some
	wants 1 " reads +nr=$nr filename=(0x[0-9a-f]+) same=\\1 text=\"some\"\$" --if "id == $nr" \
		'e:openat_start raw_syscalls.sys_enter nr=$id filename=+8($args):x64' 'same=args[1]:x64' 'text=args[1]:ustr' -- \
		reads 1 some
}

@test "uprobetracer" {
	offset=$(argdump --dry-run -v u:/tests/work/target:calls_target 2>&1 | sed -n 's/.*offset \(0x[0-9a-f]*\).*/\1/p')
	wants 5 ' target +arg1=0x[0-9a-f]+ arg2=0x[0-9a-f]+$' "p:zfree_entry /tests/work/target:$offset %ip %ax" -- target 5 text
	entry=$(sed -n 's/.* target .*arg1=\(0x[0-9a-f]*\) .*/\1/p' <<<"$output" | sort -u)
	[ "$((entry & 0xfff))" -eq "$((offset & 0xfff))" ]
	# the instruction pointer is where the function goes back to, the caller's, and ax the value
	wants 1 " target +\\((0x[0-9a-f]+) <- target:$offset\\) arg1=\\1 arg2=0x12da\$" \
		"r:zfree_exit /tests/work/target:$offset %ip %ax" -- target 5 text
	wants 5 ' target +\(0x[0-9a-f]+ <- target:0x[0-9a-f]+\)$' "r /tests/work/target:$offset" -- target 5 text
	run -0 argdump -:p_bash_0x4245c0
}

# Packets on the loopback: a ping is two of them, whoever takes them in.
packets() { # DEFINITION
	argdump_start -n 4 -d 60 "$1"
	ping -c 2 127.0.0.1 >/dev/null
	wait $tool
	output=$(cat out err)
}

@test "function_events: packets, by index, offset and array" {
	len=$(offset ip_rcv 'skb->len') addr=$(offset ip_rcv 'dev->perm_addr[0]') dev=$(offset ip_rcv 'skb->dev')
	packets 'ip_rcv(x64 skb, x86 dev)'
	[ "$(count -E '[a-z_]+->ip_rcv\(skb=0xffff[0-9a-f]{12}, dev=0xffff[0-9a-f]{12}\)$' <<<"$output")" -eq 4 ]
	packets "ip_rcv(int skb[$((len / 4))], x64 dev)"
	[ "$(count -E '\(skb=84, dev=0xffff[0-9a-f]{12}\)$' <<<"$output")" -eq 4 ] || { echo "$output"; false; }
	packets "ip_rcv(x64 skb | int skb[$((len / 4))], x64 dev)"
	[ "$(count -E '\(skb=0xffff[0-9a-f]{12}, skb_2=84, dev=0xffff[0-9a-f]{12}\)$' <<<"$output")" -eq 4 ] || { echo "$output"; false; }
	packets "ip_rcv(unsigned int skb+4[$((len / 4 - 1))])"
	[ "$(count '(skb=84)$' <<<"$output")" -eq 4 ]
	packets "ip_rcv(NULL, x8[6] perm_addr+$addr)"
	[ "$(count '(perm_addr={0x0, 0x0, 0x0, 0x0, 0x0, 0x0})$' <<<"$output")" -eq 4 ] || { echo "$output"; false; }
	packets "ip_rcv(x64 skb, x8[6] perm_addr+$addr)"
	[ "$(count 'perm_addr={0x0, 0x0, 0x0, 0x0, 0x0, 0x0})$' <<<"$output")" -eq 4 ]
	packets "ip_rcv(x8[6] perm_addr+$dev[0]+$addr | x8 one+$dev[0]+$addr[0] | x8[3] name+$dev[0]+$(offset ip_rcv 'dev->name[0]'))"
	[ "$(count '(perm_addr={0x0, 0x0, 0x0, 0x0, 0x0, 0x0}, one=0x0, name={0x6c, 0x6f, 0x0})$' <<<"$output")" -eq 4 ] || {
		echo "$output"; false
	}
}

@test "function_events: names, symbols, addresses" {
	mkdir -p one/two
	cp some one/two/
	for type in 'char[64]' string; do
		grep -qE ' t link_path_walk$' /proc/kallsyms || break # the compiler took it apart: -l tells
		wants 1 ' reads +[a-z_]+->link_path_walk\(name="one/two/some"\)$' "link_path_walk($type name)" -- \
			reads 1 one/two/some
	done
	op=$(offset vfs_read 'file->f_op') read=$(offset vfs_read 'file->f_op->read')
	wants 3 ' reads +[a-z_]+->vfs_read\(read=seq_read\)$|vfs_read\(read=0x0\)$' \
		"__vfs_read(symbol read+$op[0]+$read)" -- reads 3 /proc/mounts
	run_nested --separate-stderr argdump -n 3 -d 100 '__queue_work(int cpu, x64 wq, symbol func[3])'
	[ "$(count -E '[a-z_]+->__queue_work\(cpu=-?[0-9]+, wq=0xffff[0-9a-f]{12}, func=[a-z0-9_]+(\[[a-z0-9_]+\])?\)$' <<<"$output")" -eq 3 ] || {
		echo "$output"; false
	}
}

@test "function_events: an interrupt, and a variable by its address" {
	forks=$(awk '$3 == "total_forks" { print $1 }' /proc/kallsyms)
	ip=$(offset __common_interrupt 'regs->ip')
	# what is written to the guest's console ends in an interrupt
	(while sleep 0.2; do echo "# an interrupt, please" >&3; done) &
	noise=$!
	if ! grep -q ' __common_interrupt$' /proc/kallsyms; then # part of the entry code
		run ! argdump 'do_IRQ()'
		[[ $output == *"cannot trace do_IRQ"*"no such function"* ]]
		return
	fi
	run -0 --separate-stderr argdump -n 2 -d 60 'do_IRQ()'
	[[ $stderr == *"do_IRQ is gone: __common_interrupt is traced"* ]]
	[ "$(count -E '[a-z_]+->__common_interrupt\(\)$' <<<"$output")" -ge 1 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump -n 2 -d 60 "do_IRQ(int total_forks=0x$forks, symbol regs[$((ip / 8))])"
	[ "$(count -E -- '->__common_interrupt\(total_forks=[1-9][0-9]*, regs=[a-z0-9_.+]+\)$' <<<"$output")" -ge 1 ] || {
		echo "$output$stderr"; false
	}
}
