#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Completion: the words that coretap offers, and shells that complete a line with its scripts.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$coretap" "$BATS_TEST_TMPDIR/bin/coretap"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# The words offered for a line: the last word is what is completed; a blank at the end: nothing yet.
offered() { # LINE
	local -a words
	read -ra words <<<"$1"
	[[ $1 != *" " ]] || words+=("")
	"$coretap" --complete "${words[@]}" | cut -f 1
}

# shellcheck disable=SC2086 # words
is() { # LINE WORDS
	[ "$(offered "$1" | sort | tr '\n' ' ')" = "$(printf '%s\n' $2 | sed '/^$/d' | sort | tr '\n' ' ')" ] ||
		{ echo "$1: $(offered "$1" | head -n 20)"; false; }
}

has() { # LINE WORD
	offered "$1" | grep -qxF -- "$2" || { echo "$1: no $2 in $(offered "$1" | head -n 20)"; false; }
}

@test "tools, options, choices" {
	is "coretap opens" opensnoop
	is "coretap --man coreta" coretap
	is "coretap --completion " "bash zsh fish"
	is "coretap runql" "runqlat runqlen"
	is "execsnoop --attach kp" "kprobe.multi kprobe"
	is "coretap execsnoop --attach=kp" "--attach=kprobe.multi --attach=kprobe"
	is "execsnoop --attac" --attach
	is "opensnoop --full" --full-path
	is "/usr/bin/opensnoop --full" --full-path
	is "execsnoop --full" ""
	is "execsnoop -Tr" -Trel
	is "execsnoop --timestamp=i" --timestamp=iso
	is "argdump --help=form" --help=formats
	is "opensnoop --help=form" ""
	is "opensnoop --count=" "--count=path --count=comm"
	is "opensnoop --flags O_CREAT,O_EX" O_CREAT,O_EXCL
	is "connsnoop --only connect,unix,re" connect,unix,retrans
	is "syssnoop -e openat,%net" "openat,%network openat,%net"
	is "syssnoop -e execvea" execveat
	is "opensnoop --columns pid,lat" pid,latency_ns
	is "doctor tcplif" tcplife
	is "no-such-tool " ""
	# the argument of an option that looks like one
	is "execsnoop -o -- --keep" --keep
	is "execsnoop -vo " :files
	is "execsnoop -p 1 -- l" :command
	has "execsnoop " --attach
	# each tool with each of its options
	for a in execsnoop argdump tcplife bt; do
		[ "$(offered "$a --" | grep -vxE -- '--help=?|--version' | sort)" = \
			"$("$coretap" "$a" --help=options | grep -oE '^(  -., |      )--[a-zA-Z0-9_-]+' |
				grep -oE -- '--.*' | grep -vxE -- '--(help|usage|version)' | sort)" ]
	done
}

@test "each shell of the list completes a line below, and is named in docs/usage.md" {
	for shell in $("$coretap" --complete coretap --completion ''); do
		grep -q "^@test \"$shell completes a line\"" tests/cli/completion.bats || { echo "$shell: no test"; false; }
		grep -qE "completion for .*$shell" docs/usage.md || { echo "$shell is not in docs/usage.md"; false; }
	done
}

@test "users, processes and their names" {
	has "execsnoop -u roo" root
	has "execsnoop --uid=roo" --uid=root
	has "execsnoop -u 0,roo" 0,root
	has "execsnoop --as roo" root
	cp "$(type -P sleep)" ./build/unlikely-name 2>/dev/null
	./build/unlikely-name 60 3>&- &
	pid=$!
	until [ "$(cat /proc/$pid/comm)" = unlikely-name ]; do :; done
	has "execsnoop -p $pid" $pid
	has "execsnoop -p 1,$pid" 1,$pid
	has "execsnoop -p$pid" -p$pid
	has "execsnoop -c unlik" unlikely-name
	"$coretap" --complete execsnoop -p $pid | grep -qx "$pid	unlikely-name"
	kill $pid
	rm build/unlikely-name
}

@test "functions, tracepoints, system calls, events" {
	is "argdump --btf $btf vfs_rea" "vfs_read vfs_readlink vfs_readv"
	is "argdump --btf $btf vfs_open,vfs_readl" vfs_open,vfs_readlink
	is "argdump --btf $btf --and vfs_readl" vfs_readlink
	is "funclatency --btf $btf vfs_readl" vfs_readlink
	is "funcgraph --btf $btf vfs_readl" vfs_readlink
	is "argdump --btf=$btf vfs_readl" vfs_readlink
	is "argdump --btf $btf t:sched_swi" t:sched_switch
	is "argdump s:openat" "s:openat s:openat2"
	is "argdump hw:ca" "hw:cache-references hw:cache-misses"
	is "argdump sw:page" sw:page-faults
	has "argdump " t:
	is "argdump --btf /no/such vfs_rea" ""
	# all functions that begin with t: read at once, in milliseconds of processor time
	[ "$(offered "argdump --btf $btf t" | wc -l)" -gt 500 ]
	TIMEFORMAT=%U+%S
	used=$({ time "$coretap" --complete argdump --btf "$btf" t >/dev/null; } 2>&1)
	[[ ${BUILD:-} ]] || awk "BEGIN { exit !($used < 0.2) }" || { echo "$used s"; false; }
}

@test "bash completes a line" {
	"$coretap" --completion bash >"$BATS_TEST_TMPDIR/script"
	[ "$("$coretap" --completion)" = "$(cat "$BATS_TEST_TMPDIR/script")" ]
	# what bash does with a line: words as it splits them, and what is behind the last : or = is replaced
	cat >"$BATS_TEST_TMPDIR/line" <<-'END'
		. "$1"
		COMP_LINE=$2 COMP_POINT=${#2}
		read -ra COMP_WORDS <<<"$(sed 's/\([:=]\)/ \1 /g' <<<"$2")"
		[[ $2 != *' ' ]] || COMP_WORDS+=('')
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		[[ $(complete -p "${COMP_WORDS[0]}") == *'-F _coretap'* ]] || exit
		_coretap
		printf '%s\n' "${COMPREPLY[@]}"
	END
	completed() { bash --norc "$BATS_TEST_TMPDIR/line" "$BATS_TEST_TMPDIR/script" "$1"; }
	[ "$(completed 'coretap opens')" = opensnoop ]
	[ "$(completed 'coretap opensnoop --full')" = --full-path ]
	[ "$(completed 'tcplife --foll')" = --follow ]
	[ "$(completed "argdump s:openat2")" = openat2 ]
	[ "$(completed "argdump 's:openat2")" = s:openat2 ]
	[ "$(completed 'execsnoop --attach=kprobe.')" = kprobe.multi ]
	[ "$(completed "argdump --btf $btf vfs_readl")" = vfs_readlink ]
	# words with blanks: quoted, half quoted, and with backslashes
	completed "argdump --btf $btf --type 'struct fil" | grep -qx 'struct file'
	completed "argdump --btf $btf --type \"struct fil" | grep -qx 'struct file'
	completed "argdump --btf $btf --type struct\\ fil" | grep -qx 'struct\\ file'
	completed "argdump --btf $btf --type='struct fil" | grep -qx 'struct file'
	! completed "argdump --btf $btf --type 'struct fil" | grep -qx 'file' || false
	[ "$(completed "argdump --btf $btf vfs_read 'co")" = count ]
	[ "$(completed "argdump --btf $btf vfs_read 'file->f_pos_")" = 'file->f_pos_lock' ]
	[ "$(completed "argdump --btf $btf vfs_read 'x=file->f_pos_")" = 'x=file->f_pos_lock' ]
	[ "$(completed "argdump --btf $btf vfs_read \$com")" = '\$comm' ]
	[ "$(completed "argdump --btf $btf vfs_read '\$com")" = '$comm' ]
	touch "$BATS_TEST_TMPDIR/a-file"
	[ "$(completed "execsnoop -o $BATS_TEST_TMPDIR/a-f")" = "$BATS_TEST_TMPDIR/a-file" ]
	[ "$(completed "execsnoop -- coreta" | sort -u)" = coretap ]
	# readline itself, on a terminal
	run -0 timeout 60 /usr/bin/python3 - "$BATS_TEST_TMPDIR/script" "$btf" <<-'END'
		import os, pty, sys
		pid, terminal = pty.fork()
		if not pid:
		    os.environ.update(PS1='ready> ', TERM='dumb')
		    os.execvp('bash', ['bash', '--norc', '-i'])
		def wait_for(text):
		    said = b''
		    while text not in said:
		        said += os.read(terminal, 4096)
		wait_for(b'ready> ')
		os.write(terminal, f". '{sys.argv[1]}'; execsnoop() {{ echo \"given: $*.\"; }}\n".encode())
		wait_for(b'ready> ')
		os.write(terminal, b'execsnoop --foll\t\n')
		wait_for(b'given: --follow.')
		os.write(terminal, b"argdump() { printf '<%s>' \"$@\"; }\n")
		os.write(terminal, f"argdump --btf {sys.argv[2]} --type 'struct vfsmou\t\n".encode())
		wait_for(b'<struct vfsmount>')
		os.write(terminal, f"argdump --btf {sys.argv[2]} --type struct\\ vfsmou\t\n".encode())
		wait_for(b'<struct vfsmount>')
		os.write(terminal, b'exit\n')
	END
}

@test "zsh completes a line" {
	command -v zsh >/dev/null || skip "there is no zsh here: tools/setup test"
	"$coretap" --completion zsh >"$BATS_TEST_TMPDIR/_coretap"
	cat >"$BATS_TEST_TMPDIR/driver" <<-'END'
		zmodload zsh/zpty
		zpty shell "TERM=dumb zsh -f -i"
		give() { zpty -w shell "$1"; }
		give "PROMPT='> '; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
		give 'execsnoop() { print "given: $*" }; argdump() { print "given: $*" }; coretap() { [[ $1 == --complete ]] && { command coretap "$@"; return }; print "given: $*" }'
		give "execsnoop --foll"$'\t'
		give "argdump --btf $2 vfs_readl"$'\t'
		give "argdump --btf $2 t:sched_swi"$'\t'
		give "coretap opens"$'\t'
		give "execsnoop --attach=kprobe."$'\t'
		give "argdump --btf $2 vfs_read 'file->f_pos_"$'\t'
		give exit
		zpty -r shell out '*exit*'
		while zpty -r shell more; do out+=$more; done
		print -r -- "$out"
	END
	run timeout 60 zsh -f "$BATS_TEST_TMPDIR/driver" "$BATS_TEST_TMPDIR" "$btf"
	for line in --follow "--btf $btf vfs_readlink" "--btf $btf t:sched_switch" opensnoop --attach=kprobe.multi "--btf $btf vfs_read file->f_pos_lock"; do
		grep -qxF "given: $line" <(tr -d '\r' <<<"$output" | sed 's/ *$//') || { echo "no $line: $output"; false; }
	done
}

@test "fish completes a line" {
	command -v fish >/dev/null || skip "there is no fish here: tools/setup test"
	"$coretap" --completion fish >"$BATS_TEST_TMPDIR/coretap.fish"
	completed() { HOME=$BATS_TEST_TMPDIR fish --no-config -c "source $BATS_TEST_TMPDIR/coretap.fish; complete -C '$1'" | cut -f 1; }
	[ "$(completed 'coretap opens')" = opensnoop ]
	[ "$(completed 'execsnoop --foll')" = --follow ]
	[ "$(completed "argdump --btf $btf vfs_readl")" = vfs_readlink ]
	[ "$(completed "argdump --btf $btf t:sched_swi")" = t:sched_switch ]
	[ "$(completed 'execsnoop --attach=kprobe.')" = --attach=kprobe.multi ]
	[ "$(completed "argdump --btf $btf vfs_read \"file->f_pos_")" = 'file->f_pos_lock' ]
	touch "$BATS_TEST_TMPDIR/a-file"
	[ "$(completed "execsnoop -o $BATS_TEST_TMPDIR/a-f")" = "$BATS_TEST_TMPDIR/a-file" ]
	completed 'execsnoop -- coreta' | grep -qx coretap
}

@test "other shells are refused" {
	run -1 "$coretap" --completion tcsh
	[[ $output == *"no completion for tcsh"* ]]
	[ "$("$coretap" --completion=fish)" = "$("$coretap" --completion fish)" ]
}

@test "after a probe: its parameters and words, no functions" {
	is "argdump --btf $btf vfs_read co" count
	is "argdump --btf $btf vfs_read fi" file
	is "argdump --btf $btf -r vfs_write%return,vfs_read po" pos
	is "argdump --btf $btf vfs_read \$com" '$comm'
	is "argdump --btf $btf vfs_read -k vfs_rea" ""
	is "argdump --btf $btf --count vfs_read --by fi" file
	is "argdump --btf $btf --count vfs_read --by=pos,fi" --by=pos,file
	has "argdump --btf $btf vfs_read count --and vfs_rea" vfs_readlink
	has "argdump --btf $btf vfs_rea" vfs_readlink
}

@test "members of structs, by what is before -> or a dot, with their types" {
	is "argdump --btf $btf vfs_read file->f_pos_" 'file->f_pos_lock'
	is "argdump --btf $btf vfs_read x=file->f_inode->i_sb->s_ty" 'x=file->f_inode->i_sb->s_type'
	is "argdump --btf $btf vfs_read file->f_path.den" 'file->f_path.dentry'
	is "argdump --btf $btf vfs_read file->f_flags&&file->f_po" 'file->f_flags&&file->f_pos file->f_flags&&file->f_pos_lock'
	is "argdump --btf $btf vfs_read --if file->f_inode->i_sb->s_root" 'file->f_inode->i_sb->s_root file->f_inode->i_sb->s_roots'
	is "argdump --btf $btf vfs_read file->f_nosuch->x" ""
	is "argdump --btf $btf vfs_read file->f_mode.x" ""
	is "argdump --btf $btf vfs_read nosuch->f" ""
	# of anonymous structs and unions inside; behind an array
	has "argdump --btf $btf tcp_sendmsg sk->__sk_common.skc_dad" 'sk->__sk_common.skc_daddr'
	has "argdump --btf $btf do_writev vec[1].iov_l" 'vec[1].iov_len'
	# the arguments of a tracepoint
	is "argdump --btf $btf t:sched:sched_switch prev->com" 'prev->comm prev->compat_robust_list'
	"$coretap" --complete argdump --btf "$btf" vfs_read 'file->f_pos_' | grep -qx "file->f_pos_lock	struct mutex"
}

@test "formats behind a colon, words behind a dollar" {
	is "argdump --btf $btf vfs_read file:pa" "file:packet file:path"
	is "argdump --btf $btf vfs_read buf[0]:st" "buf[0]:str buf[0]:string"
	is "argdump --btf $btf vfs_read x=\$ks" 'x=$kstack'
	is "argdump --btf $btf vfs_read count>1?1:fi" 'count>1?1:file count>1?1:filemode'
}

@test "functions of a file, and files" {
	is "argdump u:$PWD/${BUILD:-build}/tests/work/chain:chain_re" "u:$PWD/${BUILD:-build}/tests/work/chain:chain_read"
	is "argdump u:/no/such/file:f" ""
	is "argdump u:/bin/b" :files
}
