#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --if: conditions decided in the kernel, with exact counts of a known workload; strings of the
# kernel and of user space.

bats_require_minimum_version 1.5.0
load wait
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	printf 'x%.0s' {1..64} >other.log
}

# Where programs are preempted the kernel may refuse another process's run: told, and not ours.
# Without a row, what that may mean is said; with one it is not.
quiet() {
	local silent='argdump: vfs_read was not seen within the filters: '
	if [ "$(rows n=)" -eq 0 ] && grep -q "^$silent" <<<"$stderr"; then
		stderr=$(grep -v "^$silent" <<<"$stderr" || true)
	fi
	! grep -v 'the probe was already running' <<<"$stderr" | grep .
}

rows() { grep -c " reads .*$1" <<<"$output" || true; }

reads_if() { # CONDITION: 31 reads each of some, other.log and /proc/version
	echo "$1" # shown when it fails
	run -0 --separate-stderr argdump --if "$1" vfs_read 'n=file->f_path.dentry->d_name.name:str' -- \
		reads 31 some other.log /proc/version
}

@test "numbers, tasks, members through pointers" {
	while read -r condition count; do
		reads_if "$condition"
		[ "$(rows n=)" -eq "$count" ] || { echo "$condition: $(rows n=)"; false; }
		quiet
	done <<-'END'
		count==1&&$comm=="reads" 93
		count!=1&&$comm=="reads" 0
		$uid==0&&count==1 93
		$uid!=0 0
		$pid==$tid&&count*2+1==3 93
		file->f_path.dentry->d_name.len==4&&count==1 31
		file->f_path.dentry->d_name.len!=4&&count==1 62
		$task->pid==$tid&&count==1 93
		(count==1)&&!(file->f_path.dentry->d_name.len==4) 62
	END
}

@test "strings: ==, !=, ~ and contains()" {
	local name='file->f_path.dentry->d_name.name' fs='file->f_inode->i_sb->s_type->name' condition want
	while IFS=$'\t' read -r condition want; do
		reads_if "count == 1 && $condition"
		[ "$(rows n=)" -eq "$want" ] || { echo "$condition: $(rows n=), not $want"; false; }
		quiet
	done <<-END
		(char *)$name == "some"	31
		(char *)$name != "some"	62
		(char *)$name == "som"	0
		(char *)$name == "some1"	0
		(char *)$name ~ "*.log"	31
		(char *)$name ~ "some*"	31
		(char *)$name ~ "*o*"	93
		(char *)$name ~ "s[a-p]m?"	31
		contains((char *)$name, "er")	62
		$fs == "proc"	31
		$fs ~ "p*"	31
		$fs ~ "*oc"	31
		!($fs ~ "*oc")	62
		$name == "version"	31
		\$comm ~ "re*s"	93
	END
}

@test "strings in user memory" {
	run -0 --separate-stderr argdump --if 'filename ~ "/proc/*" && $comm == "reads"' do_sys_openat2 filename -- \
		reads 3 some /proc/version /proc/stat
	[ "$(rows 'filename="/proc/')" -eq 2 ]
	[ "$(rows 'filename=')" -eq 2 ]
	run -0 --separate-stderr argdump --if 'filename ~ "*.log"' do_sys_openat2 filename -- reads 3 some other.log
	[ "$(rows 'filename="other.log"')" -eq 1 ]
	[ "$(rows 'filename=')" -eq 1 ]
	run -0 --separate-stderr argdump --if 'filename == "other.log"' do_sys_openat2 filename -- reads 3 some other.log
	[ "$(rows 'filename="other.log"')" -eq 1 ]
}

@test "a long name, and bytes that are no text" {
	name=$(printf 'n%.0s' {1..250})
	cp some "$name"
	cp some $'a\nb\e\xff'
	run -0 --separate-stderr argdump --if 'filename ~ "*nnn" && filename ~ "nnnn*"' do_sys_openat2 $'filename' -- \
		reads 3 "$name" $'a\nb\e\xff'
	[ "$(rows 'filename="nnn')" -eq 1 ]
	run -0 --separate-stderr argdump --if 'filename == "a\nb\x1b\xff"' do_sys_openat2 filename -- reads 3 "$name" $'a\nb\e\xff'
	[ "$(rows 'filename="a.nb')" -eq 1 ]
}

@test "a link that is NULL, and memory that is not there, let nothing through" {
	reads_if 'count == 1 && file->f_inode->i_pipe->files == 0'
	[ "$(rows n=)" -eq 0 ]
	reads_if 'count == 1 && *(int *)8 == 0'
	[ "$(rows n=)" -eq 0 ]
	[[ $stderr == *'values that could not be read'* ]]
}

@test "every attach method filters alike" {
	for method in fentry kprobe.multi kprobe; do
		[ $method != fentry ] || has_fentry || continue
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
			echo "# $method: this kernel has no fprobe" >&3
			continue
		fi
		run -0 --separate-stderr argdump --attach $method --if 'count == 1 && (char *)file->f_path.dentry->d_name.name ~ "*.log"' \
			vfs_read count -- reads 17 some other.log
		[ "$(rows count=1)" -eq 17 ] || { echo "$method: $output"; false; }
	done
}

@test "a wrong condition is reported with its location" {
	run -1 argdump --if 'count == file->f_inoo' vfs_read
	[[ $output == *"struct file has no member f_inoo"*"did you mean f_ino"* ]]
	run -1 argdump --if 'count ~ "x"' vfs_read
	[[ $output == *"text cannot be compared with this"* ]]
	run -1 argdump --if 'file->f_inode->i_sb->s_id ~ "[x"' vfs_read
	[[ $output == *"has no ]"* ]]
}

@test "--if several times: all have to be true" {
	run -0 --separate-stderr argdump --if 'count == 1' --if '$comm == "reads"' \
		--if 'file->f_path.dentry->d_name.len != 4' vfs_read 'n=file->f_path.dentry->d_name.name:str' -- \
		reads 31 some other.log /proc/version
	[ "$(rows n=)" -eq 62 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump --if 'count < 10' --if 'count > 4' vfs_read -- reads 31 some
	[ "$(rows count)" -eq 0 ]
	run -0 --separate-stderr argdump -r --if '$comm ~ "read?"' --if '$ret == 1' --if '$lat > 0' vfs_read -- reads 9 some
	[ "$(rows ret=1)" -eq 9 ] || { echo "$output"; false; }
	cat >two <<-'END'
		--if 'count == 1'
		vfs_read 'n=file->f_path.dentry->d_name.name:str' --if '$comm == "reads"' --if 'file->f_path.dentry->d_name.len == 9'
	END
	run -0 --separate-stderr argdump --load two --if '$uid == 0' -- reads 11 some other.log
	[ "$(rows 'n="other.log"')" -eq 11 ] && [ "$(rows n=)" -eq 11 ] || { echo "$output"; false; }
	run -1 argdump --if 'count == 1' --if 'cnt == 2' vfs_read
	[[ $output == *'no parameter cnt'*$'\n    cnt == 2\n    ^~~\n'* ]] || { echo "$output"; false; }
}

@test "lists: -p, -t, -u and -c take several, and patterns" {
	taskset -p 1 $BASHPID >/dev/null # emulated processors fall over what is patched while another runs it
	workers=()
	for i in 1 2 3; do
		reads -s 1000000 some >worker$i 3>&- &
		workers+=($!)
		wait_until test -s worker$i
	done
	read -r a b c <<<"${workers[*]}"
	for filter in "-p $a,$b" "-p $a -p $b" "-t $a,$b" "-t $b -t $a" "-p $a,$b,1 -u nobody,root" "-p $a,$b -c x,r[de]ad*" \
		"-p $a,$b --attach kprobe -c reads -c cat"; do
		run_nested --separate-stderr argdump -n 60 $filter vfs_read count
		[ "$(count_of "$a")" -ge 10 ] && [ "$(count_of "$b")" -ge 10 ] && [ "$(count_of "$c")" -eq 0 ] &&
			[ $(($(count_of "$a") + $(count_of "$b"))) -eq 60 ] || { echo "$filter: $output"; false; }
	done
	argdump -o none -p "$a,$b" -u nobody,1 vfs_read 2>err 3>&- & tool=$!
	wait_attached $tool
	wait_reads "$a" 10
	wait_reads "$b" 10
	kill -INT $tool
	wait $tool || grep -qF "$MISSED" err
	[ "$(grep -c count none)" -eq 0 ]
	kill "${workers[@]}"
	for filter in '-c none,rea?s' '-c reads -c re' '-u nobody,root -c reads,x'; do
		run -0 --separate-stderr opensnoop $filter -- bash -c ': <some; reads 1 some; dd if=some of=/dev/null'
		[ "$(grep -c ' reads .* some$' <<<"$output")$(grep -cE ' (dd|bash) ' <<<"$output")" = 10 ] || { echo "$filter: $output"; false; }
	done
	run -0 --separate-stderr execsnoop -c 't*e' -- bash -c '/bin/true; reads 1 some'
	[ "$(grep -c '^true ' <<<"$output")$(grep -cE '^(reads|bash) ' <<<"$output")" = 10 ] || { echo "$output"; false; }
}

count_of() { grep -cE "^ *$1 " <<<"$output" || true; } # PID

@test "lists: -p and -t of applets with programs of their own" {
	taskset -p 1 $BASHPID >/dev/null
	mkfifo gate
	for i in 1 2 3; do
		bash -c 'exec 4<gate; read -r -u 4 -n 1; : <some; exit 0' 3>&- &
		echo $! >>pids
	done
	mapfile -t pids <pids
	opensnoop -q -o opens -p "${pids[0]}" -p "${pids[1]}" -t "${pids[1]},${pids[2]}" 2>err 3>&- & tool=$!
	opensnoop -q -o two -p "${pids[0]},${pids[1]}" 2>err.two 3>&- & other=$!
	wait_attached $tool
	wait_attached $other err.two
	exec 5>gate
	printf 123 >&5
	wait "${pids[@]}"
	kill -INT $tool $other
	wait $tool $other
	[ "$(grep -c ' some$' opens)" -eq 1 ] && grep -qE "^ *${pids[1]} .* some$" opens || { cat opens; false; }
	[ "$(grep -c ' some$' two)$(grep -cE "^ *${pids[2]} " two)" = 20 ] || { cat two; false; }
}
