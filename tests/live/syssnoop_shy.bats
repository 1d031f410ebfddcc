#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2034,SC2054  # bash in the guest expands it; judge.bash has options
# syssnoop on processes that a debugger cannot have, or that come to be in odd ways (shy.c).

bats_require_minimum_version 1.5.0
load judge

# Calls of all that `shy HOW` starts, one process after the other. When SIGCHLD comes, depends on who is faster.
calls_of() { # HOW…
	mkdir "$BATS_TEST_TMPDIR"/{d,out}
	cd "$BATS_TEST_TMPDIR/d" || return
	options=(-e trace=write,prctl,getppid,ptrace,clone,fork,vfork,wait4,exit,exit_group,tgkill)
	syssnoop_all bash -c 'for how; do shy "$how"; done; exit 0' bash "$@"
	split_syssnoop ../out/all
	rm sn.0 # bash
	KNOWN+='
/^--- SIGCHLD /d
s/^(ptrace\(PTRACE_CONT, )[0-9]+/\1PID/'
	for file in $(printf '%s\n' sn.* | sort -t. -nk2); do
		echo "process:"
		masked "$file"
	done >got
}

@test "without core dumps, with a tracer, in a sandbox: traced all the same" {
	calls_of dumpable traced strict killed filter
	# what the strict sandbox kills for a call has not begun it
	diff - got <<-'END'
		process:
		prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE) = 0
		write(1, "dumpable\n", 9) = 9
		exit_group(0) = ?
		+++ exited with 0 +++
		process:
		clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=ADDRESS) = PID
		wait4(PID, [{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}], 0, NULL) = PID
		ptrace(PTRACE_CONT, PID, NULL, 0) = 0
		wait4(PID, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = PID
		exit_group(0) = ?
		+++ exited with 0 +++
		process:
		ptrace(PTRACE_TRACEME) = 0
		tgkill(PID, SIGSTOP) = 0
		write(1, "traced\n", 7) = 7
		exit_group(0) = ?
		+++ exited with 0 +++
		process:
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) = 0
		write(1, "strict\n", 7) = 7
		exit(0) = ?
		+++ exited with 0 +++
		process:
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) = 0
		write(1, "strict\n", 7) = 7
		+++ killed by SIGKILL +++
		process:
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) = 0
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {len=5, filter=ADDRESS}) = 0
		getppid() = -1 EPERM (Operation not permitted)
		ptrace(PTRACE_TRACEME) = -1 EPERM (Operation not permitted)
		write(1, "filter\n", 7) = 7
		exit_group(0) = ?
		+++ exited with 0 +++
	END
}

@test "threads by clone alone, as of Go, and children that share memory" {
	calls_of go shared
	diff - got <<-'END'
		process:
		clone(child_stack=ADDRESS, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|CLONE_CHILD_CLEARTID, child_tidptr=ADDRESS) = PID
		exit_group(0) = ?
		+++ exited with 0 +++
		process:
		write(1, "go\n", 3) = 3
		exit(0) = ?
		+++ exited with 0 +++
		process:
		clone(child_stack=ADDRESS, flags=CLONE_VM|SIGCHLD) = PID
		wait4(-1, NULL, 0, NULL) = PID
		clone(child_stack=ADDRESS, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = PID
		wait4(-1, NULL, 0, NULL) = PID
		vfork() = PID
		wait4(-1, NULL, 0, NULL) = PID
		exit_group(0) = ?
		+++ exited with 0 +++
		process:
		write(1, "clone\n", 6) = 6
		exit(0) = ?
		+++ exited with 0 +++
		process:
		write(1, "as vfork\n", 9) = 9
		exit(0) = ?
		+++ exited with 0 +++
		process:
		write(1, "vfork\n", 6) = 6
		exit_group(0) = ?
		+++ exited with 0 +++
	END
}
