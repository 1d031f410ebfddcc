#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# execsnoop against known execs. The same work is traced three times, as JSON, as text and by
# kprobes; most tests look at what came out.

bats_require_minimum_version 1.5.0
load arch
load wait

# Words and the name of a file with the nastiest bytes.
# shellcheck disable=SC2016,SC2089  # they are to be taken as they stand
hostile=(true hostile $'new\nline' $'\e[31mred\e[0m' "quo'te\"s" 'back\slash' $'\xff\xc3(' ''
	$'tab\t' '$HOME `id` $(id) * ~ {a,b}' '#word' $'\xe2\x80\xae' -x=1 '<fault>' '…')
hostile_file=$'h\n\e[2J\'"\\ \xff.x'
# … as JSON: bytes that are no UTF-8 are U+EF80 to U+EFFF
hostile_json='["true","hostile","new\nline","\u001b[31mred\u001b[0m","quo'\''te\"s","back\\slash",
	"\uefff\uefc3(","","tab\t","$HOME `id` $(id) * ~ {a,b}","#word","\u202e","-x=1","<fault>","…"]'
hostile_file_json='"h\n\u001b[2J'\''\"\\ \uefff.x"'

# The work: a line a case, told apart by a word. Each `execs` is itself an exec, too.
work() {
	exec 2>/dev/null
	/usr/bin/true plain a 'b c'
	execs at /usr/bin true true at
	execs fd /usr/bin/true true fd
	"$W/script" script
	"$W/nested" nested
	execs fd "$W/script" s fdscript
	execs thread /usr/bin/true true thread </dev/null >"$W/$NAME.thread"
	execs run "$W/none" none enoent
	execs run "$W/plain" file eacces
	execs run "$W" dir eacces-dir
	execs run "$W/garbage" garbage enoexec
	execs run "$W/plain/x" x enotdir
	execs run "$W/loop" loop eloop
	execs run "$long" x enametoolong
	execs run '' x empty-name
	execs at "$W" none none at-enoent
	execs fd "$W/plain" x fd-eacces
	execs bad-argv /usr/bin/true
	execs bad-word /usr/bin/true
	execs late "$W/late"
	execs many /usr/bin/true 10000
	execs many "$W/many" 10000
	execs long /usr/bin/true 102400
	execs long /usr/bin/true 131072
	execs long /usr/bin/true 70000 61056
	execs long /usr/bin/true 70000 61057
	execs long "$W/cut" 70000 61057 5
	execs long /usr/bin/true 130000 130000 130000 130000 130000
	execs run /usr/bin/true true '' empty ''
	execs nothing /usr/bin/true
	execs static fork /usr/bin/true
	execs static vfork "$W/none"
	execs run /usr/bin/true "${hostile[@]}"
	execs run "$W/$hostile_file" "${hostile[@]}"
	execs run "$W/none$hostile_file" "${hostile[@]}"
	execs run "$slashes" true slashes
	(cd "$W/deep/$hostile_file" && /usr/bin/true cwd)
	execs as 1234 /usr/bin/true true user
	(echo $BASHPID >"$C/cgroup.procs" && /usr/bin/true cgroup)
	execs flood /usr/bin/true 200
	[ "$HOSTTYPE" != x86_64 ] || work32
	exit 7
}

work32() {
	execs compat /usr/bin/true true compat
	execs compat "$W/none" none compat-enoent
	execs compat-at "$W" none none compat-at-enoent
}

trace() { # NAME OPTION…
	local status=0
	NAME=$1 coretap execsnoop -o "$W/$1" "${@:2}" -- /usr/bin/bash -c \
		"$(declare -p hostile hostile_file) ; $(declare -f work work32) ; work" \
		2>"$W/$1.err" || status=$?
	echo "$status" >"$W/$1.status"
}

setup_file() {
	export W=$BATS_FILE_TMPDIR C=/sys/fs/cgroup/execsnoop slashes long
	slashes=$(printf %4083s '' | tr ' ' /)usr/bin/true
	long=/$(printf %04096d 0)
	mkdir -p "$C" "$W/deep/$hostile_file"
	ln -s loop "$W/loop"
	echo x | tee "$W/plain" >"$W/garbage"
	printf '#!/usr/bin/bash -f\n:\n' >"$W/script"
	printf '#!%s word\n' "$W/script" >"$W/nested"
	cp "$W/script" "$W/$hostile_file"
	chmod +x "$W"/{garbage,script,nested,"$hostile_file"}
	trace json -j
	trace text
	trace kprobe -j --attach kprobe
	# apart, because jq is slow here
	awk -v w="$W" '{
		file = length > 6000 ? "heavy" : /"argv":\["\/usr\/bin\/true","[0-9]+"\]/ ? "flood" : "light"
		print >(w "/" file)
	}' "$W/json"
}

# The one record of FILE that is SELECTed must fulfil CONDITION.
record_is() { # FILE SELECTION CONDITION
	jq -s -e --arg w "$W" --argjson hostile "$hostile_json" --argjson file "$hostile_file_json" \
		"map(select(.type == \"execsnoop\") | select($2)) |
		if length == 1 then .[0] else error(\"\\(length) records\") end |
		if $3 then true else error(tojson[:2000]) end" "$W/$1"
}

# The same, by the word of the case.
case_is() { # WORD CONDITION
	record_is light "(.comm != \"execs\" or .ret != 0) and ((.argv // []) | index(\"$1\"))" "$2"
}

rows() { # PATTERN: rows of the text trace
	grep -a -e "$1" "$W/text"
}

# The ARGS of a row, read back by the shell, into words.
row_read() { # ROW
	[[ $1 =~ ^.*\ +[0-9]+\ +[0-9]+\ +(0|-E[A-Z]+)\ (.*)$ ]] || return
	eval "words=(${BASH_REMATCH[2]}"$'\n)' # behind a line end, for a remark hides all up to it
}

same() { # two lists of words, the second behind --
	local a=() b=()
	while [ "$1" != -- ]; do a+=("$1"); shift; done
	b=("${@:2}")
	[ "${a[*]@Q}" = "${b[*]@Q}" ] || { printf '%q ' "${a[@]}" -- "${b[@]}"; return 1; }
}

# ---- all of them ----

@test "each exec is there exactly once, and the command's exit status is passed on" {
	[ "$(cat "$W"/{json,text,kprobe}.status)" = $'7\n7\n7' ]
	local compat=0
	[ "$HOSTTYPE" != x86_64 ] || compat=1
	jq -s -e --argjson c $compat 'map(select(.type == "execsnoop")) |
		(map(select(.ret == 0)) | length) == 257 + 4 * $c and
		(map(select(.ret != 0)) | length) == 18 + 2 * $c' "$W/json"
	[ "$(wc -l <"$W/text")" -eq $((1 + 275 + 6 * compat)) ]
}

@test "200 processes at once" {
	jq -s -e 'map(.argv[1] | tonumber) | sort == [range(1; 201)]' "$W/flood"
	jq -s -e 'map(select(.argv[0] == "execs" and .argv[1] == "flood")) | length == 1' "$W/light"
}

@test "kprobes bring the same records" {
	# where programs are preempted, the tracepoint of that attach method misses some (counted as recursion)
	execsnoop --dry-run | grep -q '^kprobe.multi\|^kretprobe.multi' &&
		skip "this kernel preempts programs; the order takes kprobe.multi for that"
	local keep='select(.type == "execsnoop") | del(.ts_ns, .time, .pid, .tid, .ppid)'
	jq -c "$keep" "$W/json" | sort >"$W/json.sorted"
	jq -c "$keep" "$W/kprobe" | sort >"$W/kprobe.sorted"
	[ -s "$W/json.sorted" ]
	cmp "$W/json.sorted" "$W/kprobe.sorted"
}

@test "nothing was lost; unreadable and cut values are counted" {
	jq -s -e 'map(select(.type == "lost")) | .[-1] | .lost == 0 and .final and .cut == 5 and
		.fault >= 4' "$W/light"
}

# ---- one by one ----

@test "every field of a plain exec" {
	case_is plain 'keys == ["argc", "argv", "cgroup", "comm", "cwd", "dirfd", "errno", "exe",
		"gid", "interp", "path", "pid", "ppid", "ret", "tid", "time", "ts_ns", "type", "uid"]'
	case_is plain '.comm == "true" and .pid == .tid and .pid > 1 and .ppid > 1 and .uid == 0 and
		.gid == 0 and .ret == 0 and .errno == null and .dirfd == "AT_FDCWD" and
		.interp == null and .exe == "/usr/bin/busybox" and .cwd == env.PWD and .argc == 4 and
		.argv == ["/usr/bin/true", "plain", "a", "b c"] and .path == "/usr/bin/true" and
		(.time | test("^20[0-9-]+T[0-9:.]+Z$")) and .ts_ns > 1000000000'
}

@test "execveat, and execution of a descriptor" {
	case_is at '.argv == ["true", "at"] and .exe == "/usr/bin/busybox" and .dirfd >= 3 and
		.path == "/dev/fd/\(.dirfd)/true" and .interp == null'
	case_is fd '.argv == ["true", "fd"] and .exe == "/usr/bin/busybox" and .dirfd == 9 and
		.path == "/dev/fd/9"'
}

@test "scripts: the requested file, the interpreter and the program that runs" {
	case_is script '.argv == ["/usr/bin/bash", "-f", $w + "/script", "script"] and
		.path == $w + "/script" and .interp == "/usr/bin/bash" and .exe == .interp and
		.comm == "script" and .argc == 4'
	case_is nested '.argv == ["/usr/bin/bash", "-f", $w + "/script", "word", $w + "/nested",
		"nested"] and .path == $w + "/nested" and .interp == "/usr/bin/bash" and
		.exe == .interp and .comm == "nested" and .argc == 6'
	case_is fdscript '.argv == ["/usr/bin/bash", "-f", "/dev/fd/9", "fdscript"] and
		.path == "/dev/fd/9" and .interp == "/usr/bin/bash" and .exe == .interp'
}

@test "exec by a thread that is not the leader" {
	read -r pid tid <"$W/json.thread"
	[ "$pid" != "$tid" ]
	case_is thread ".pid == $pid and .tid == $tid and .argv == [\"true\", \"thread\"]"
}

failed() { # WORD ERRNO FILE
	case_is "$1" ".ret < 0 and .errno == \"$2\" and .path == $3 and .exe == null and
		.interp == null and .cwd == env.PWD and .comm == \"execs\" and .dirfd == \"AT_FDCWD\" and
		(.argv | length) == 2 and .argc == 2 and .argv[1] == \"$1\""
}

@test "failed: error, file as given, arguments" {
	failed enoent ENOENT '$w + "/none"'
	failed eacces EACCES '$w + "/plain"'
	failed eacces-dir EACCES '$w'
	failed enoexec ENOEXEC '$w + "/garbage"'
	failed enotdir ENOTDIR '$w + "/plain/x"'
	failed eloop ELOOP '$w + "/loop"'
	failed empty-name ENOENT '""'
	case_is enoent '.ret == -2 and .argv[0] == "none" and (has("errors") or has("cut") | not)'
}

@test "failed: a file name that is too long is cut and marked" {
	case_is enametoolong '.errno == "ENAMETOOLONG" and .path == env.long[:4096] and
		.cut == {"path": null}'
}

@test "failed: execveat and execution of a descriptor" {
	case_is at-enoent '.errno == "ENOENT" and .path == "none" and .dirfd >= 3 and
		.argv == ["none", "at-enoent"]'
	case_is fd-eacces '.errno == "EACCES" and .path == "" and .dirfd == 9 and
		.argv == ["x", "fd-eacces"]'
}

@test "failed: bad pointers are no empty words" {
	record_is light '.errno == "EFAULT" and .argv == null' '.path == "/usr/bin/true" and
		.errors == {"argv": "fault"} and .argc == 0'
	record_is light '.errno == "EFAULT" and .argv != null' '.argc == 3 and
		.argv == ["first", null, "third"] and .errors == {"argv": "fault"}'
	rows EFAULT | grep -q ' <fault> # /usr/bin/true$'
	rows EFAULT | grep -q ' first <fault> third # /usr/bin/true$'
}

@test "failed: after the point of no return" {
	record_is light '.comm == "late" and .ret != 0' '.argv == null and .path == null and
		(.errors | keys) == ["argv", "path"] and .exe == $w + "/late"'
}

@test "32-bit system calls" {
	[ "$HOSTTYPE" = x86_64 ] || skip "no 32-bit system calls on $HOSTTYPE"
	case_is compat '.ret == 0 and .argv == ["true", "compat"] and .path == "/usr/bin/true"'
	failed compat-enoent ENOENT '$w + "/none"'
	case_is compat-at-enoent '.errno == "ENOENT" and .path == "none" and .dirfd >= 3 and
		.argv == ["none", "compat-at-enoent"]'
}

@test "constant strings that a child has not touched yet" {
	record_is light '.comm == "true" and .argv[0] == "a constant string"' \
		'.argv == ["a constant string", "", "another"] and .argc == 3'
	# from 6.8 on the file is opened first, so the kernel has not touched them either
	record_is light '.errno == "ENOENT" and .comm == "execs" and .argc == 3 and
		(.argv[1] == "" or .argv[1] == null)' \
		'.argv == ["a constant string", "", "another"] or
		(.argv == [null, null, null] and .errors == {"argv": "fault"})'
}

@test "no argument at all; empty arguments" {
	record_is light '.argv == [""] or .argv == []' '.ret == 0 and .path == "/usr/bin/true" and
		.argc == (.argv | length)'
	case_is empty '.argv == ["true", "", "empty", ""] and .argc == 4'
	rows ' empty ' | grep -q "0 true '' empty ''$"
}

@test "10 000 arguments, of one that succeeds and of one that fails" {
	for ret in 0 -2; do
		record_is heavy ".ret == $ret and .argc == 10001" '.argv[1:] ==
			[range(1; 10001) | tostring] and (has("cut") | not)'
	done
}

@test "an argument of 100 KiB" {
	record_is heavy '.ret == 0 and (.argv | length) == 2 and (.argv[1] | length) == 102400' \
		'(.argv[1] | test("^a+$")) and (has("cut") | not)'
}

@test "more than 128 KiB are cut, with the exact number of bytes left out" {
	record_is heavy '.argc == 3 and .ret == 0 and (has("cut") | not)' \
		'.argv | map(length) == [13, 70000, 61056]'
	record_is heavy '.argc == 3 and .ret == 0 and has("cut")' \
		'.cut == {"argv": 1} and (.argv | map(length) == [13, 70000, 61057])'
	record_is heavy '.argc == 6 and .ret == 0' \
		'.cut == {"argv": 518947} and (.argv | map(length) | .[0:2] == [13, 130000])'
	rows 'long .* 130000' >/dev/null
	rows '^true .* …(+518947 bytes)$' >/dev/null
}

@test "failed: 128 KiB and more" {
	record_is heavy '.errno == "E2BIG"' '.cut == {"argv": 15} and .argc == 2 and
		(.argv | map(length) == [13, 131058])'
	record_is heavy '.argc == 4 and .errno == "ENOENT"' \
		'.cut == {"argv": (($w + "/cut" | length) + 70000 + 61057 + 5 + 4 - 131072)}'
}

@test "hostile bytes in JSON" {
	record_is light '.ret == 0 and .argv == $hostile' '.path == "/usr/bin/true"'
	record_is light '.ret == 0 and .interp != null and (.argv | index("hostile"))' \
		'.argv == ["/usr/bin/bash", "-f", $w + "/" + $file] + $hostile[1:] and
		.path == $w + "/" + $file and .comm == $file[:15]'
	record_is light '.ret != 0 and .argv == $hostile' '.path == $w + "/none" + $file'
	case_is cwd '.cwd == $w + "/deep/" + $file'
}

@test "shell-quoted text is read back to the same bytes" {
	local list words
	mapfile -t list < <(rows ' hostile ' | grep -av '^execs .* 0 execs ')
	[ "${#list[@]}" -eq 3 ]
	row_read "${list[0]}"
	same "${words[@]}" -- "${hostile[@]}"
	row_read "${list[1]}"
	same "${words[@]}" -- /usr/bin/bash -f "$W/$hostile_file" "${hostile[@]:1}"
	row_read "${list[2]}"
	same "${words[@]}" -- "${hostile[@]}"
	[[ ${list[2]} == *" # $W/noneh\\n\\x1b[2J'\"\\\\ \\xff.x" ]]
}

@test "neither control bytes nor invalid UTF-8 reach the output" {
	[ -z "$(LC_ALL=C tr -d '\12\40-\176\342\200\246' <"$W/text")" ] # …
	[ -z "$(LC_ALL=C tr -d '\12\40-\177\200-\377' <"$W/json")" ]
	jq . "$W/json" >/dev/null
}

@test "a path of 4095 bytes" {
	[ ${#slashes} -eq 4095 ]
	record_is light '.argv[1] == "slashes" and .comm == "true"' '.path == env.slashes'
}

@test "user, group, working directory and cgroup" {
	case_is user '.uid == 1234 and .gid == 1234'
	case_is cgroup ".cgroup == $(stat -c %i "$C")"
	case_is cwd ".cgroup != $(stat -c %i "$C") and .uid == 0"
}

# ---- options; each trace is of its own ----

snoop() { # OPTION… -- COMMAND: its rows without the header; stderr goes to $W/err
	coretap execsnoop "$@" 2>"$W/err" | tail -n +2
}

# A trace in the background, once it is attached: rows in FILE, process in $snoop.
snoop_begin() { # FILE OPTION…
	rm -f "$1"
	coretap execsnoop -o "$@" 2>"$W/err" 3>&- 9>&- &
	snoop=$!
	wait_attached "$snoop" "$W/err"
}

# A process that waits for a line in $W/gate, and then executes a child and itself; in $waiter.
waiter_begin() {
	rm -f "$W/gate"
	mkfifo "$W/gate"
	/usr/bin/bash -c 'read -r <"$W/gate"; /usr/bin/true child; exec /usr/bin/true self' 3>&- &
	waiter=$!
}

# Ends the trace as Ctrl-C does, after the waiter.
waiter_end() {
	/usr/bin/true other
	echo >"$W/gate"
	wait "$waiter"
	kill -INT "$snoop"
	wait "$snoop"
}

@test "-x: only failures" {
	snoop -x -- /usr/bin/bash -c '/usr/bin/true; execs run /none none -x; :' >"$W/x"
	[ "$(wc -l <"$W/x")" -eq 1 ]
	grep -qE '^execs +[0-9]+ +[0-9]+ +-ENOENT none -x # /none$' "$W/x"
	# the file is not said twice
	snoop -x -- /usr/bin/bash -c 'execs run /none /none -x; execs run /none /non; execs run /none /none2; :' >"$W/x"
	diff - <(sed 's/.*ENOENT //' "$W/x") <<-'END'
		/none -x
		/non # /none
		/none2 # /none
	END
}

@test "-p: one process; Ctrl-C ends with status 0" {
	waiter_begin
	snoop_begin "$W/p" -p "$waiter"
	waiter_end
	[ "$(wc -l <"$W/p")" -eq 2 ]
	grep -qE "^true +$waiter +[0-9]+ +0 /usr/bin/true self$" "$W/p"
}

@test "-p -f: also its children" {
	waiter_begin
	snoop_begin "$W/p" -p "$waiter" -f
	waiter_end
	[ "$(wc -l <"$W/p")" -eq 3 ]
	grep -qE "^true +$waiter +[0-9]+ +0 /usr/bin/true self$" "$W/p"
	grep -qE "^true +[0-9]+ +$waiter +0 /usr/bin/true child$" "$W/p"
}

@test "--ppid: the children of these, not grandchildren; also failures" {
	local one two
	waiter_begin
	one=$waiter
	snoop_begin "$W/ppid" --ppid "$one,1234567"
	waiter_end
	/usr/bin/true late
	[ "$(wc -l <"$W/ppid")" -eq 2 ]
	grep -qE "^true +[0-9]+ +$one +0 /usr/bin/true child$" "$W/ppid"
	two=$BASHPID
	snoop_begin "$W/ppid" --ppid "$two" -x
	execs run "$W/none" none mine || true
	/usr/bin/bash -c 'execs run /none none other; :'
	kill -INT "$snoop"
	wait "$snoop"
	[ "$(wc -l <"$W/ppid")" -eq 2 ]
	grep -qE "^execs +[0-9]+ +$two +-ENOENT none mine # " "$W/ppid"
}

@test "--tid: a thread, by the number it had before" {
	mkfifo "$W/gate-t"
	execs thread /usr/bin/true true thread <"$W/gate-t" >"$W/thread" 3>&- &
	waiter=$!
	exec 9>"$W/gate-t"
	wait_until has_lines 1 "$W/thread"
	read -r pid tid <"$W/thread"
	snoop_begin "$W/t" --tid "$tid"
	/usr/bin/true other
	exec 9>&-
	wait "$waiter"
	kill -INT "$snoop"
	wait "$snoop"
	[ "$(wc -l <"$W/t")" -eq 2 ]
	grep -qE "^true +$pid +$BASHPID +0 true thread$" "$W/t"
}

@test "-u: a user, with the time" {
	snoop -u 1234 -Tiso -- /usr/bin/bash -c '/usr/bin/true; execs as 1234 /usr/bin/true true user; :' \
		>"$W/u"
	[ "$(wc -l <"$W/u")" -eq 1 ]
	grep -qE '^20[0-9-]{8}T[0-9:]{8}\.[0-9]{6}[+-][0-9:]{5} true +[0-9]+ +[0-9]+ +0 true user$' "$W/u"
}

@test "-c: the new name on success, the caller's on failure" {
	snoop -c execs -- /usr/bin/bash -c 'execs run /usr/bin/true true; execs run /none execs; :' >"$W/c"
	[ "$(cut -c 1-6,34-41 "$W/c" | tr -d '\n')" = \
		'execs        0execs        0execs  -ENOENT' ]
}

@test "--cgroup" {
	snoop --cgroup "$C" -- /usr/bin/bash -c '/usr/bin/true out
		echo $$ >"$C/cgroup.procs"; /usr/bin/true in; echo $$ >"$C/../cgroup.procs"' >"$W/cg"
	[ "$(wc -l <"$W/cg")" -eq 1 ]
	grep -q ' /usr/bin/true in$' "$W/cg"
}

@test "-n: so many records" {
	snoop -n 3 -- /usr/bin/bash -c 'for i in {1..9}; do /usr/bin/true $i; done' >"$W/n"
	[ "$(wc -l <"$W/n")" -eq 3 ]
	tail -n 1 "$W/n" | grep -q ' /usr/bin/true 2$'
}

@test "-d: so long, and --extended" {
	local begin=$EPOCHREALTIME
	coretap execsnoop -e -d 1.5 >"$W/d"
	[ $((${EPOCHREALTIME/./} - ${begin/./})) -ge 1500000 ]
	[ "$(head -n 1 "$W/d" | tr -s ' ')" = 'PCOMM PID TID PPID UID RET DIRFD EXE CWD ARGS' ]
}

@test "a reader that goes away ends it" {
	timeout 100 bash -c 'coretap execsnoop | head -n 1' >"$W/head"
	[ "$(tr -s ' ' <"$W/head")" = 'PCOMM PID PPID RET ARGS' ]
}

# Functions that are traced; those of kprobes are not among ftrace's where these are instructions that trap. A kretprobe of
# which kill -9 has left the name is off.
traced() { grep -hv '\[DISABLED\]' /sys/kernel/tracing/enabled_functions /sys/kernel/debug/kprobes/list; }

none_traced() { [[ ! $(traced) ]]; }

@test "programs that the kernel itself executes; kill -9 leaves nothing attached" {
	snoop_begin "$W/kernel"
	grep -q "${SYSCALL}execveat" <(traced)
	pattern=$(cat /proc/sys/kernel/core_pattern)
	echo '|/usr/bin/true helper' >/proc/sys/kernel/core_pattern
	bash -c 'kill -SEGV $$' || true
	echo "$pattern" >/proc/sys/kernel/core_pattern
	wait_until grep -q helper "$W/kernel"
	kill -9 "$snoop"
	wait "$snoop" || true
	grep -qE '^true +[0-9]+ +2 +0 /usr/bin/true helper$' "$W/kernel"
	wait_until none_traced
}
