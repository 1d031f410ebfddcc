#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# With -j stdout is JSON and nothing else, whatever the command prints and whatever values are called.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

@test "the command's output goes to stderr" {
	for tool in "execsnoop " "opensnoop " "argdump vfs_read count"; do
		run -0 --separate-stderr ${tool/ / -j } -- bash -c 'echo hello; echo there >&2; reads 1 some'
		jq -e -s --arg tool "${tool%% *}" 'length > 0 and all(.[]; .type == $tool or .type == "lost")' <<<"$output" || {
			echo "$tool: $output"; false
		}
		[[ $stderr == *$'hello\nthere\n'* ]] || { echo "$tool: $stderr"; false; }
	done
}

@test "with -o, and in text, its stdout is its own" {
	run -0 --separate-stderr execsnoop -j -o out -- echo hello
	[ "$output" = hello ] || { echo "$output"; false; }
	jq -e -s 'map(select(.comm == "echo" and .argv == ["echo", "hello"])) | length == 1' out || { cat out; false; }
	run -0 --separate-stderr execsnoop -- echo hello
	[[ $'\n'$output$'\n' == *$'\nhello\n'* ]] || { echo "$output"; false; }
}

# Every key that a record has of its own, as the name of a value.
@test "values may have any name" {
	run -0 --separate-stderr argdump -j -c reads vfs_read,vfs_write type=count ts_ns=count time=count pid=count tid=count \
		comm=count func=count abi=count args=count errno=count errors='file->f_inode->i_pipe->files' cut=count '$pid > 1' -- reads 3 some
	jq -e -s 'map(select(.func == "vfs_read")) | length == 3 and all(.[];
		.type == "argdump" and .pid > 1 and .comm == "reads" and (.ts_ns | type) == "number" and
		(.args | [.type, .ts_ns, .time, .pid, .tid, .comm, .func, .abi, .args, .errno, .cut] | unique == [1]) and
		.args.errors == null and (.errors.errors | startswith("NULL")) and .args["$pid>1"] == 1)' <<<"$output" || {
		echo "$output $stderr"; false
	}
	run -1 argdump vfs_read count n=count n=pos
	[[ $output == *"already called 'n'"*NAME=EXPR* ]] || { echo "$output"; false; }
	run -1 argdump --sum type=count vfs_read
	[[ $output == *"'type'"*NAME=EXPR* ]] || { echo "$output"; false; }
}
