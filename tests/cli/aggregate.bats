#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What argdump says to options about counting that do not fit together. Nothing is traced.

bats_require_minimum_version 1.5.0
load plan

@test "plans of counted runs" {
	plan $argdump --count --by '$comm,file->f_inode->i_sb->s_type->name' --avg count
	[ "$status" -eq 0 ]
	[[ $output == *"comm = "*"name = "*"count = "* ]]
	plan $argdump --count --by 'container_of(file->f_inode, struct inode, i_mode),count'
	[ "$status" -eq 0 ]
	run -0 $argdump --dump=layout --btf "$btf" --hist count --by '$pid' vfs_read
	[[ $output == *"key of 16 bytes, entry of 69 words"* ]]
}

@test "options that are about counting alone" {
	for alone in '--by $pid' '--top 3' '--interval 1' '--keys 5' '--clear'; do
		plan $argdump $alone
		[ "$status" -eq 1 ]
		[[ $output == *"${alone% *} needs a counting option"*--count* ]]
	done
	plan $argdump --count --clear
	[ "$status" -eq 1 ]
	[[ $output == *"--clear needs --interval"* ]]
}

@test "options that make no sense with counting" {
	run -1 $argdump --dry-run --btf "$btf" --count vfs_read count
	[[ $output == *"--by EXPR"* ]]
	plan $argdump --count -n 3
	[[ $status -eq 1 && $output == *"-n stops after N records"* ]]
	plan $argdump --count -k
	[[ $status -eq 1 && $output == *"-k and -U show calls"* ]]
}

@test "wrong expressions have a caret, wrong steps a hint" {
	plan $argdump --sum file
	[[ $status -eq 1 && $output == *"not a number"*"^~~~"* ]]
	plan $argdump --count --max cuont
	[[ $status -eq 1 && $output == *"cuont"*"did you mean count"* ]]
	plan $argdump --count --by '$pid,cuont'
	[[ $status -eq 1 && $output == *"    cuont"*"^~~~~"*"did you mean count"* ]]
	for steps in count count,0,10 count,10,0,1 count,0,10,0 0,10,1 count,a,b,c 'count,0,10,1x'; do
		plan $argdump --lhist "$steps"
		[[ $status -eq 1 && $output == *"--lhist '$steps'"*"count,0,4096,512"* ]]
	done
	plan $argdump --count --by 'count,,$pid'
	[[ $status -eq 1 && $output == *"an expression is empty"* ]]
}

@test "a constant after ?? takes the other's type" {
	run -0 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" --sum 'tx=size ?? 0' \
		--sum 'rx=copied ?? 0' --avg 'size ?? 0' --hist 'copied ?? 0' --by '$pid' tcp_sendmsg,tcp_cleanup_rbuf
	run -1 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" --max 'size ?? 0' tcp_sendmsg,tcp_cleanup_rbuf
	run -1 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" --sum 'size ?? -1' tcp_sendmsg,tcp_cleanup_rbuf
}

@test "probes that cannot be counted together are not planned" {
	run -1 $argdump --dry-run --btf "$btf" --max 'size ?? 0' --max 'copied ?? 0' tcp_sendmsg,tcp_cleanup_rbuf
	[[ $output == *"cannot be counted together"* ]]
}

@test "a tracepoint is counted by its arguments or its fields, more than six parameters by a capable method" {
	run -0 $argdump --dry-run --btf "$btf" --count --by 'prev->pid' t:sched:sched_switch
	[[ $output == tp_btf* ]]
	run -0 $argdump --dry-run --btf "$btf" -r --count --by uaddr do_futex
	old=$(tools/fetch-kernel --btf 5.10)
	run -0 $argdump --dry-run --btf "$old" -r --count --by uaddr do_futex
	[[ $output == kprobe+kretprobe* ]]
	run -0 $argdump --dry-run --btf "$old" -r do_futex uaddr
	[[ $output == kprobe+kretprobe* ]]
}

@test "a large struct is no key, a part of it is" {
	for by in '*file' 'f=file->f_ra' '*file->f_inode'; do
		plan $argdump --count --by "$by"
		[[ $status -eq 1 && $output == *"is too large to group calls by"*"name a member: "* ]] || { echo "$by: $output"; false; }
	done
	plan $argdump --count --by 'file->f_inode->i_uid,file->f_path,*file:hex[16]'
	[ "$status" -eq 0 ]
}

@test "each value of a row has a name of its own" {
	for fine in '--max count --by count' '--hist count --lhist count,0,9,1 --sum count' '--count --count' '--sum count --sum n=count'; do
		plan $argdump $fine
		[ "$status" -eq 0 ] || { echo "$fine: $output"; false; }
	done
	for twice in '--sum count --sum count' '--sum type=count' '--sum total=count' '--hist count --sum p50=count' '--hist h=count --sum h_p90=count'; do
		plan $argdump $twice
		[[ $status -eq 1 && $output == *"two values named"*NAME=EXPR* ]] || { echo "$twice: $output"; false; }
	done
	plan $argdump --count --by count,count
	[[ $status -eq 1 && $output == *"already called 'count'"* ]]
}
