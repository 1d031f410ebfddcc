# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# wait.bash - how live tests wait: `load wait`.
#
# A guest is slow, and stands still for seconds while the machine has other work. So no test sleeps in the
# hope that something has happened by then: it waits for a condition that can be observed.

WAIT_LOOKS=500 # a tenth of a second apart, and each costs a fork: a minute, longer where all is slow
WAIT_TOOL=$(type -P coretap)

# Waits until COMMAND succeeds. After a minute fails, and shows what was waited for and where every process
# stands.
wait_until() { # COMMAND…
	local i
	for ((i = 0; i < WAIT_LOOKS; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	echo "not within a minute: $*"
	processes_show || true
	return 1
}

# Every process but the kernel's own: its command line, and its kernel stack.
processes_show() {
	local folder words
	for folder in /proc/[0-9]*; do
		mapfile -d '' words <"$folder/cmdline"
		((${#words[@]})) || continue
		echo "${folder#/proc/} ${words[*]}"
		sed 's/^/    /' "$folder/stack"
	done 2>/dev/null
}

# Waits until coretap, which process PID is or becomes, has attached everything. Fails at once if it has
# ended, and shows its stderr.
wait_attached() { # PID [STDERR-FILE [BINARY]]
	local WAIT_TOOL=${3:-$WAIT_TOOL}
	wait_until is_attached_or_gone "$1" && ! is_gone "$1" && return
	echo "process $1 has not attached; its stderr:"
	cat "${2:-err}" || true
	return 1
}

is_attached_or_gone() { is_gone "$1" || is_attached "$1"; } # PID

# It catches signals from when all is attached on. What becomes coretap later may catch some, too.
is_attached() { # PID
	[[ /proc/$1/exe -ef $WAIT_TOOL ]] && ((0x$(status_of "$1" SigCgt) & 1 << 1)) # SIGINT is 2
}

# Ended, whether its parent has taken notice of that or not.
is_gone() { # PID
	[[ ! -e /proc/$1 || $(status_of "$1" State) == Z ]]
}

# The first word that /proc/PID/status has of KEY; 0 if there is no such process. Read at once: line by line bash
# seeks, in a text that may have become longer in between.
status_of() { # PID KEY
	local text found=0
	mapfile -d '' text <"/proc/$1/status"
	[[ ! ${text-} =~ $'\n'"$2:"[[:blank:]]*([^[:space:]]+) ]] || found=${BASH_REMATCH[1]}
	echo "$found"
} 2>/dev/null

# Sleeps in a kernel function of a name like PATTERN, or in one that it has called.
is_in() { grep -qE " $2\+" "/proc/$1/stack"; } # PID PATTERN

has_lines() { [[ $(wc -l <"$2") -ge $1 ]]; } # COUNT FILE

# Waits until a process has read COUNT times more, by system calls.
wait_reads() { # PID COUNT
	wait_until has_read "$1" $(($(reads_count "$1") + $2))
}

has_read() { [[ $(reads_count "$1") -ge $2 ]]; } # PID COUNT

reads_count() { sed -n 's/^syscr: //p' "/proc/$1/io"; } # PID

# Ends the processes of that program, if there are any.
all_end() { # NAME
	local victim
	for victim in $(pidof "$1"); do kill "$victim" || true; done
}
