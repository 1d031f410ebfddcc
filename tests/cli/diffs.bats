#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --diff and $ctx: what is planned, what is said to what cannot be. Nothing is traced.

bats_require_minimum_version 1.5.0
load plan

@test "--diff is -r, with what the call returned and how long it took" {
	plan $argdump --diff file --diff 'p=*pos'
	[ "$status" -eq 0 ]
	[[ $output == *fentry+fexit*"file = file"*"p = p=*pos"*'ret = $ret'*'lat = $lat'* ]]
	[[ $output != *"count ="* ]]
	run -0 $argdump --dry-run --btf "$btf" --diff 'file->f_path' vfs_read count '$ret'
	[[ $output == *"count = count"*'ret = $ret'*"f_path = "* && $output != *'lat ='* ]]
	run -0 $argdump --dump=layout --btf "$btf" --diff 'file->f_path' vfs_read
	[[ $output == *"8 bytes what changed f_path"* ]]
}

@test "--diff of values that no call can change" {
	for wrong in count 'count + 1' '$comm' 'file->f_path:path'; do
		plan $argdump --diff "$wrong"
		[[ $status -eq 1 && $output == *"    $wrong"*"^"*"POINTER->MEMBER"* ]] || { echo "$output"; false; }
	done
	plan $argdump --diff file --diff 'file->f_inod'
	[[ $status -eq 1 && $output == *"    file->f_inod"*"          ^~~~~~"*"did you mean f_inode?"* ]]
	plan $argdump --diff '$ret'
	[[ $status -eq 1 && $output == *"does not exist yet"*"^~~~"* ]]
	plan $argdump --diff '@ret(*pos)'
	[[ $status -eq 1 && $output == *"reads the value at both ends"*"^~~~"* ]]
	plan $argdump --diff '*pos:nonsense'
	[[ $status -eq 1 && $output == *"unknown format nonsense"*"    *pos:nonsense"*"^~~~"* ]]
	run -1 $argdump --dry-run --btf "$btf" --diff 'prev' t:sched:sched_switch
	[[ $output == *"-r is for functions"* ]]
	plan $argdump --count --diff file
	[[ $status -eq 1 && $output == *"--diff shows calls"* ]]
}

@test "--diff of too large a value is reported" {
	run -1 $argdump --dry-run --btf "$btf" --diff '$task' --diff '*$task->mm' --diff '$task->group_leader' --diff '$task->parent' vfs_read
	[[ $output == *"too large"* ]]
}

@test "\$ctx: only kprobes see it" {
	run -0 $argdump --dry-run --btf "$btf" vfs_read '$ctx' count
	[[ $output == "kprobe vfs_read"*'ctx = $ctx'* ]]
	run -0 $argdump --dry-run --btf "$btf" --count --by '$ctx' vfs_read
	run -1 $argdump --dry-run --btf "$btf" vfs_read+4 '$ctx'
	[[ $output == *"not known to probes of this kind"*'    $ctx'*"where a function"* ]]
	run -1 $argdump --dry-run --btf "$btf" --attach fentry vfs_read '$ctx'
	[[ $output == *"only kprobes"*'    $ctx'*"^~~~"* ]]
	run -1 $argdump --dry-run --btf "$btf" t:sched:sched_switch '$ctx'
	[[ $output == *"only kprobes"* ]]
	run -1 $argdump --dry-run --btf "$btf" vfs_read '$ctxt'
	[[ $output == *'did you mean $ctx?'* ]]
}
