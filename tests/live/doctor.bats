#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# doctor says what works on the running kernel. What is right is found here from the kernel's own
# lists (symbols, names in its types), never from its version.

bats_require_minimum_version 1.5.0
load arch
load wait
load engine

setup_file() {
	coretap doctor -j >"$BATS_FILE_TMPDIR/doctor.json" || return
	tr '\0' '\n' </sys/kernel/btf/vmlinux | grep -a '^BPF_' >"$BATS_FILE_TMPDIR/names" || return
	awk '{print $3}' /proc/kallsyms | grep -E '^(register_fprobe_ips|bpf_rdonly_cast)$' \
		>"$BATS_FILE_TMPDIR/symbols" || true
}

setup() {
	json=$BATS_FILE_TMPDIR/doctor.json
}

answer() { # NAME [FILE]
	jq -r --arg n "$1" 'select(.name == $n) | .answer' "${2:-$json}"
}

# The answer must be yes exactly when the rest, a command, succeeds.
yes_iff() { # NAME COMMAND...
	local name=$1 want=no
	shift
	if "$@"; then want=yes; fi
	[ "$(answer "$name")" = "$want" ] || {
		echo "$name: $(answer "$name") instead of $want"
		jq -c --arg n "$name" 'select(.name == $n)' "$json"
		return 1
	}
}

knows() { # a name of the kernel's types, and a symbol
	grep -qx "$1" "$BATS_FILE_TMPDIR/names" && { [ -z "${2:-}" ] || symbol "$2"; }
}

symbol() {
	grep -qx "$1" "$BATS_FILE_TMPDIR/symbols"
}

@test "each line of -j is an object with the same keys" {
	[ "$(wc -l <"$json")" -ge 20 ]
	jq -e -s 'all(.[]; keys == ["answer","errno","group","kernel","log","name","needed_for","rights","text","todo","type"]
		and .type == "doctor"
		and (.group | IN("kernel", "attach", "feature", "applet"))
		and (.answer | IN("yes", "partly", "no", "unknown", "fact")))' "$json"
	jq -e -s 'map(.name) | length == (unique | length)' "$json"
}

@test "the kernel, its types and rights" {
	[ "$(jq -r 'select(.name == "release") | .text' "$json")" = "$(uname -r), $(uname -m)" ]
	[ "$(answer 'types (BTF)')" = yes ]
	kib=$(($(stat -c %s /sys/kernel/btf/vmlinux) / 1024))
	jq -r 'select(.name == "types (BTF)") | .text' "$json" | grep -q "^$kib KiB, [0-9]* functions,"
	[ "$(answer fields)" = yes ]
	[ "$(answer rights)" = yes ]
	for switch in 'BPF JIT' ftrace kprobes; do
		[ "$(answer "$switch")" = yes ]
	done
}

@test "lockdown is read from the kernel" {
	mode=$(sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/security/lockdown)
	jq -r 'select(.name == "lockdown") | .text' "$json" | grep -q "^$mode:"
	yes_iff lockdown [ "$mode" != confidentiality ]
}

@test "the ways to attach that every kernel has" {
	for way in tp_btf tracepoint uprobe kprobe kretprobe; do
		yes_iff "$way" true
	done
}

@test "the ways to attach that some kernels have" {
	for way in fentry fexit; do
		yes_iff "$way" has_fentry
	done
	yes_iff kprobe.multi knows BPF_TRACE_KPROBE_MULTI register_fprobe_ips
	yes_iff kretprobe.multi knows BPF_TRACE_KPROBE_MULTI register_fprobe_ips
	yes_iff kprobe.session knows BPF_TRACE_KPROBE_SESSION register_fprobe_ips
	yes_iff fsession knows BPF_TRACE_FSESSION
	yes_iff fentry.multi knows BPF_TRACE_FENTRY_MULTI
}

@test "rights of programs" {
	for feature in 'ring buffer' 'typed loads' probe_read_kernel; do
		yes_iff "$feature" true
	done
	yes_iff rdonly_cast symbol bpf_rdonly_cast
	yes_iff current_task_btf knows BPF_FUNC_get_current_task_btf
	yes_iff get_func_arg knows BPF_FUNC_get_func_arg
	yes_iff 'attach cookie' knows BPF_FUNC_get_attach_cookie
}

@test "a no has a reason: an errno and the verifier's message, or a missing feature" {
	jq -e -s 'all(.[] | select(.answer == "no"); (.text | length) > 0 and .needed_for != null)' "$json"
	jq -e -s 'all(.[] | select(.answer == "no" and .group == "feature");
		.log != null or .errno == null)' "$json"
}

@test "every applet but doctor has an answer, and a yes is true" {
	applets=$(coretap --list | awk '!NF {exit} $1 != "doctor" {print $1}')
	[ "$(jq -r 'select(.group == "applet") | .name' "$json")" = "$applets" ]
	for a in $applets; do
		[[ $(answer "$a") =~ ^(yes|partly)$ ]]
		read -r -a args <<<"${engine[$a]-}"
		run "$a" -d 0.2 "${args[@]}"
		# on a busy machine it may have missed events, and says so
		[[ $status == 0 || ($status == 4 && $output == *missed*) ]] || { echo "$a: $status, $output"; false; }
	done
}

# Of what --verbose says on stdin: how each hook was attached, behind the last attach method that was refused.
attached() { # APPLET
	# a hook's copies (for programs that are preempted) are one hook
	tac | sed -n '/ refused: /q; p' | sort -u |
		sed -nE "s/^$1: (tp_btf|tracepoint|f(entry|exit)|k(ret)?probe(\.multi|\.session)?) [^ ]*: .*/\1/p" |
		sed 's/^kret/k/; s/^fexit/fentry/'
}

text() { jq -r --arg n "$1" 'select(.name == $n) | .text' "$json"; } # APPLET

@test "doctor's report on an applet's hooks equals what a run attaches" {
	for a in $(jq -r 'select(.group == "applet") | .name' "$json"); do
		[[ ! ${engine[$a]-} && $a != bps ]] || continue # bps attaches nothing
		"$a" --verbose -d 0.1 2>err >/dev/null # -v of syssnoop is strace's
		methods=$(attached "$a" <err)
		# the cheapest of them; kprobes and tracepoints serve beside it
		for by in fentry kprobe.multi kprobe tp_btf; do
			! grep -qx "$by" <<<"$methods" || break
		done
		unseen=$(sed -n "s/^$a: not seen here: \(.*\) (.*/\1/p" err | paste -sd '#' | sed 's/#/, /g')
		want="all $(wc -l <<<"$methods") hooks, by $by"
		[ -z "$unseen" ] || want="by $by; not seen: $unseen"
		[ "$(text "$a")" = "$want" ] || { echo "$a: $(text "$a"), but $(cat err)"; false; }
	done
}

@test "argdump attaches by the methods in doctor's report, in their order" {
	methods=$(text argdump | sed 's/^by //; s/;.*//; s/,//g')
	argdump -v -d 0.1 vfs_fallocate 2>err >/dev/null
	grep -q "^argdump: ${methods%% *} vfs_fallocate," err || { echo "$methods, but $(cat err)"; false; }
	for method in $methods; do
		argdump -v --attach "$method" -d 0.1 vfs_fallocate 2>err >/dev/null
		grep -q "^argdump: $method vfs_fallocate," err || { echo "$method: $(cat err)"; false; }
	done
}

@test "the text names every answer of -j" {
	run -0 --separate-stderr coretap doctor
	while IFS=$'\t' read -r name answer; do
		[ "$answer" != fact ] || answer=
		grep -q "^  $name *$answer" <<<"$output" || { echo "not there: $name $answer"; false; }
	done < <(jq -r '[.name, .answer] | @tsv' "$json")
	[ -z "$stderr" ]
}

@test "-v adds the kernel's words, and only then" {
	run -0 coretap doctor
	[[ $output != *" kernel: "* ]]
	run -0 coretap doctor -v
	# a new kernel may refuse nothing
	words=$(jq -r 'select(.log) | .log' "$json" | wc -l)
	[ "$(grep -c ' kernel: ' <<<"$output")" = "$words" ]
}

@test "without rights: reports that and all known facts, and exits with 2" {
	run -2 --separate-stderr su nobody -s /bin/sh -c 'coretap doctor'
	[[ $output == *"missing: CAP_BPF and CAP_PERFMON"* ]]
	[[ $output == *"types (BTF)         yes"* ]]
	[[ $output == *"not tried"*fentry* ]]
	[[ $stderr == *"run it as root"* ]]
	su nobody -s /bin/sh -c 'coretap doctor -j' >"$BATS_TEST_TMPDIR/json" 2>/dev/null || [ $? = 2 ]
	[ "$(answer fentry "$BATS_TEST_TMPDIR/json")" = unknown ]
	jq -e -s 'all(.[] | select(.group == "applet"); .answer == "no")' "$BATS_TEST_TMPDIR/json"
	# the same rows, and the two that matter to nobody else
	[ "$(wc -l <"$BATS_TEST_TMPDIR/json")" = "$(($(wc -l <"$json") + 2))" ]
}

@test "root of a user namespace gets a message that it is not enough" {
	unshare -Ur true || skip "no user namespaces here"
	run -2 --separate-stderr unshare -Ur coretap doctor
	[[ $output == *"initial user namespace"* ]]
	[[ $stderr == *"on the host"* ]]
}

@test "a switch that is off is detected, and probes that would never fire are not attached" {
	echo 0 >/sys/kernel/debug/kprobes/enabled
	coretap doctor -j >"$BATS_TEST_TMPDIR/json" || true
	echo 1 >/sys/kernel/debug/kprobes/enabled
	[ "$(answer kprobes "$BATS_TEST_TMPDIR/json")" = no ]
	[ "$(answer kprobe "$BATS_TEST_TMPDIR/json")" = no ]
	! has_fentry || [ "$(answer fentry "$BATS_TEST_TMPDIR/json")" = yes ]
	for name in kprobe kretprobe; do
		[ "$(jq -r --arg n $name 'select(.name == $n) | .text' "$BATS_TEST_TMPDIR/json")" = \
			'not attached: /sys/kernel/debug/kprobes/enabled is 0' ]
	done
}

@test "symbol addresses hidden from root are reported" {
	read -r before </proc/sys/kernel/kptr_restrict
	echo 2 >/proc/sys/kernel/kptr_restrict
	coretap doctor -j >"$BATS_TEST_TMPDIR/json"
	echo "$before" >/proc/sys/kernel/kptr_restrict
	[ "$(answer 'symbol addresses' "$BATS_TEST_TMPDIR/json")" = partly ]
}

@test "nothing stays attached" {
	coretap doctor >/dev/null
	[ ! -s /sys/kernel/debug/kprobes/list ]
	# trampolines go after a grace period
	wait_until test ! -s /sys/kernel/tracing/enabled_functions || { cat /sys/kernel/tracing/enabled_functions; false; }
}

@test "--btf of the running kernel's own types gives no answer about the running kernel" {
	coretap doctor -j --btf /sys/kernel/btf/vmlinux >"$BATS_TEST_TMPDIR/json"
	[ "$(jq -r .group "$BATS_TEST_TMPDIR/json" | sort -u | tr '\n' ' ')" = "applet kernel " ]
	# of types that lack static functions it cannot tell more
	jq -e -s 'all(.[]; (.answer | IN("yes", "partly")) or (.text | endswith("this kernel has no such function")))' "$BATS_TEST_TMPDIR/json"
	! grep -q ' register_ftrace_direct$' /proc/kallsyms || jq -e -s 'all(.[]; .answer != "no")' "$BATS_TEST_TMPDIR/json"
}
