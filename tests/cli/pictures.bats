#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Outputs for other programs to draw: what goes together and what does not. Needs no root.

bats_require_minimum_version 1.5.0
load plan

@test "records have one form and go to one place" {
	wrong 'takes one value' --trace-json x --trace-json y vfs_read
	wrong '--json and --trace-json exclude each other' --trace-json x -j vfs_read
	wrong '--folded and --trace-json exclude each other' --trace-json x --folded vfs_read
	wrong 'both name the file' --trace-json x -o y vfs_read
	wrong '--timestamp is for tables' --trace-json x -T vfs_read
	wrong '--trace-json shows calls; it cannot be combined with counting' --trace-json x --count vfs_read
	run -1 "${argdump%argdump}biolatency" --trace-json x
}

@test "a plan is no trace" {
	cd "$BATS_TEST_TMPDIR"
	run -0 "$OLDPWD/$argdump" --dry-run --btf "$btf" --trace-json x vfs_read
	[[ $output == *"fentry vfs_read"* && ! -e x ]]
}

@test "a trace's records have their start, also for a pair with a key" {
	run -0 "$argdump" --dump=types --btf "$btf" --trace-json x -r vfs_read count
	[[ $output == *$'\n''3: $ts'* ]]
	run -0 "$argdump" --dump=types --btf "$btf" --trace-json x vfs_read count --until vfs_write --on file
	[[ $output == *': $ts'* ]]
	run -0 "$argdump" --dump=types --btf "$btf" --trace-json x vfs_read count
	[[ $output != *'$ts'* ]]
	run -0 "$argdump" --dump=types --btf "$btf" -j -r vfs_read count
	[[ $output != *'$ts'* ]]
}

@test "a trace that cannot be written is reported" {
	run -1 "$argdump" --trace-json /nowhere/x vfs_read
	[[ $output == *"cannot write to '/nowhere/x': No such file or directory"* ]]
}

@test "ftrace: lines of argdump that are not a table" {
	wrong '--json and --ftrace exclude each other' --ftrace -j vfs_read
	wrong '--timestamp is for tables' --ftrace -T vfs_read
	wrong '--ftrace has its own columns' --ftrace --columns count vfs_read count
	wrong '--ftrace needs the time of each record' --ftrace --open vfs_read --until vfs_write
	wrong '--ftrace shows calls; it cannot be combined with counting' --ftrace --count vfs_read
	run -1 "${argdump%argdump}opensnoop" --ftrace
	run -0 "$argdump" --dump=types --btf "$btf" --ftrace -r vfs_read count
	[[ $output == *': @ret($cpu)'* ]]
	run -0 "$argdump" --dump=types --btf "$btf" --ftrace vfs_read count
	[[ $output == *'1: $cpu'* ]]
}

@test "pictures are of histograms and of folded stacks" {
	wrong "--svg draws histograms (--hist, --lhist), and stacks (--folded, --by '\$kstack')" --svg x.svg vfs_read
	wrong '--svg draws histograms' --svg x.svg --count vfs_read
	wrong '--svg draws histograms' --svg x.svg --pct '50=count' vfs_read
	wrong '--heatmap draws one histogram' --heatmap --count vfs_read
	wrong '--heatmap draws one histogram' --heatmap --hist count --hist '*pos' vfs_read
	wrong '--heatmap is for histograms, not for --folded' --heatmap --folded vfs_read
	wrong '--svg and --heatmap exclude each other' --svg x.svg --heatmap --hist count vfs_read
	wrong '--svg and --json exclude each other' --svg x.svg -j --hist count vfs_read
	wrong '--heatmap and --json exclude each other' --heatmap -j --hist count vfs_read
	wrong '--svg and --screen exclude each other' --svg x.svg --screen --interval 1 --hist count vfs_read
	wrong 'both name the file' --svg x.svg -o y --hist count vfs_read
	run -1 "${argdump%argdump}opensnoop" --svg x
	said 0 '' --svg x.svg --interval 1 --hist count vfs_read
	said 0 '' --heatmap --hist count vfs_read
	said 0 '' --heatmap --lhist count,0,100,10 vfs_read
	said 0 '' --svg x.svg --folded vfs_read
	said 0 '' --svg x.svg --count --by '$kstack' vfs_read
	said 0 '' --svg x.svg --sum count --by '$comm,$ustack' vfs_read
	wrong '--svg draws histograms' --svg x.svg --avg count --by '$kstack' vfs_read
	wrong 'a flame graph has all stacks at the end: it cannot be combined with --interval' --svg x.svg --interval 1 --count --by '$kstack' vfs_read
	[ ! -e x.svg ]
	for applet in biolatency runqlat; do
		run -0 "${argdump%argdump}$applet" --dry-run --btf "$btf" --svg x.svg
		run -0 "${argdump%argdump}$applet" --dry-run --btf "$btf" --heatmap
	done
	run -0 "${argdump%argdump}offcputime" --dry-run --btf "$btf" --svg x.svg
}
