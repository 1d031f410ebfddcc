#!/usr/bin/env bats
# What argdump says to options about counting that do not fit together. Nothing is traced.

bats_require_minimum_version 1.5.0
load plan

@test "plans of what is counted" {
	plan $argdump --count --by '$comm,file->f_inode->i_sb->s_type->name' --avg count
	[ "$status" -eq 0 ]
	[[ $output == *"comm = "*"name = "*"count = "* ]]
	plan $argdump --count --by 'container_of(file->f_inode, struct inode, i_mode),count'
	[ "$status" -eq 0 ]
	run -0 $argdump --dump=layout --btf "$btf" --hist count --by '$pid' vfs_read
	[[ $output == *"key of 16 bytes, entry of 67 words"* ]]
}

@test "options that are about counting alone" {
	for alone in '--by $pid' '--top 3' '--interval 1' '--keys 5' '--clear'; do
		plan $argdump $alone
		[ "$status" -eq 1 ]
		[[ $output == *"${alone% *} is for calls that are counted"*--count* ]]
	done
	plan $argdump --count --clear
	[ "$status" -eq 1 ]
	[[ $output == *"--clear is for --interval"* ]]
}

@test "what makes no sense with counting" {
	run -1 $argdump --dry-run --btf "$btf" --count vfs_read count
	[[ $output == *"--by EXPR"* ]]
	plan $argdump --count -n 3
	[[ $status -eq 1 && $output == *"-n is for records"* ]]
	plan $argdump --count -k
	[[ $status -eq 1 && $output == *"stacks are for records"* ]]
}

@test "wrong expressions have a caret, wrong steps a hint" {
	plan $argdump --sum file
	[[ $status -eq 1 && $output == *"no number"*"^~~~"* ]]
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
