#!/usr/bin/env bats
# The suite under lockdown=confidentiality. The mode can be raised while the kernel runs, and never
# be lowered again: this file must be the last that a guest runs, hence its name.

bats_require_minimum_version 1.5.0

setup_file() {
	echo confidentiality >/sys/kernel/security/lockdown || return
	coretap doctor -j >"$BATS_FILE_TMPDIR/doctor.json"
}

setup() {
	json=$BATS_FILE_TMPDIR/doctor.json
}

answer() { # NAME
	jq -r --arg n "$1" 'select(.name == $n) | .answer' "$json"
}

@test "doctor tells the mode, and what it forbids" {
	[ "$(answer lockdown)" = partly ]
	for way in kprobe kretprobe probe_read_kernel; do
		[ "$(answer $way)" = no ]
		jq -r --arg n "$way" 'select(.name == $n) | .text' "$json" | grep -q 'lockdown forbids it'
	done
	[ "$(jq -r 'select(.name == "kprobe") | .errno' "$json")" = EPERM ]
}

@test "doctor finds that typed programs still work" {
	for way in fentry fexit tp_btf 'ring buffer' 'typed loads'; do
		[ "$(answer "$way")" = yes ]
	done
	[[ $(answer argdump) =~ ^(yes|partly)$ ]]
}

@test "an applet runs exactly when doctor says so" {
	for a in $(coretap --list | awk '$1 != "doctor" {print $1}'); do
		args=(-d 0.2)
		[ "$a" != argdump ] || args+=(vfs_fallocate offset)
		code=0
		[[ $(answer "$a") != no ]] || code=2
		run "-$code" "$a" "${args[@]}"
	done
}

@test "what lockdown forbids is told as that" {
	run -2 argdump --rung kprobe -d 0.2 vfs_read
	[[ $output == *"lockdown (confidentiality)"* ]]
	[[ $output == *"coretap doctor"* ]]
}
