#!/usr/bin/env bats
# --if: conditions decided in the kernel, with exact counts of a known workload; strings of the
# kernel and of user space.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	printf 'x%.0s' {1..64} >other.log
}

# Where programs are preempted the kernel may refuse another process's run: told, and not ours.
quiet() {
	! grep -v 'the probe was already running' <<<"$stderr" | grep .
}

rows() { grep -c " reads .*$1" <<<"$output" || true; }

reads_if() { # CONDITION: 31 reads each of some, other.log and /proc/version
	echo "$1" # shown when it fails
	run -0 --separate-stderr argdump --if "$1" vfs_read 'n=file->f_path.dentry->d_name.name:str' -- \
		reads 31 some other.log /proc/version
}

@test "numbers, tasks, members behind pointers" {
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

@test "every rung filters alike" {
	for rung in fentry kprobe.multi kprobe; do
		if [ $rung = kprobe.multi ] && ! grep -q ' fprobe_handler\| fprobe_entry\| __fprobe_handler' /proc/kallsyms; then
			echo "# $rung: this kernel has no fprobe" >&3
			continue
		fi
		run -0 --separate-stderr argdump --rung $rung --if 'count == 1 && (char *)file->f_path.dentry->d_name.name ~ "*.log"' \
			vfs_read count -- reads 17 some other.log
		[ "$(rows count=1)" -eq 17 ] || { echo "$rung: $output"; false; }
	done
}

@test "a wrong condition is told with its place" {
	run -1 argdump --if 'count == file->f_inoo' vfs_read
	[[ $output == *"struct file has no member f_inoo"*"did you mean f_ino"* ]]
	run -1 argdump --if 'count ~ "x"' vfs_read
	[[ $output == *"a text is compared with a string"* ]]
	run -1 argdump --if 'file->f_inode->i_sb->s_id ~ "[x"' vfs_read
	[[ $output == *"has no ]"* ]]
}
