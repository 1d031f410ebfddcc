# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# namespaces.bash - network namespaces, veth between them, and skbtrace while packets pass: `load namespaces`.

# A process in each, whose number is in the file of that name.
namespaces_make() { # NAMESPACE…
	local ns
	ip link set lo up
	modprobe veth
	for ns in "$@"; do
		unshare -n sleep 100000 3>&- &
		echo $! >"$BATS_FILE_TMPDIR/$ns"
		wait_until is_apart $!
		inside "$ns" ip link set lo up
	done
}

namespaces_end() { # NAMESPACE…
	local ns
	for ns in "$@"; do kill "$(<"$BATS_FILE_TMPDIR/$ns")"; done
}

is_apart() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; } # PID

inside() { # NAMESPACE COMMAND…
	local pid
	pid=$(<"$BATS_FILE_TMPDIR/$1")
	nsenter -t "$pid" -n "${@:2}"
}

# A veth pair; without an address: -. busybox' ip does not name the other end: the kernel does.
joined() { # NAMESPACE ADDRESS NAMESPACE ADDRESS
	ip link add "v$1$3" type veth
	ip link set "v$1$3" netns "$(<"$BATS_FILE_TMPDIR/$1")"
	ip link set veth0 netns "$(<"$BATS_FILE_TMPDIR/$3")"
	inside "$3" ip link set veth0 name "v$3$1"
	[ "$2" = - ] || inside "$1" ip addr add "$2/24" dev "v$1$3"
	[ "$4" = - ] || inside "$3" ip addr add "$4/24" dev "v$3$1"
	inside "$1" ip link set "v$1$3" up
	inside "$3" ip link set "v$3$1" up
}

# a - r - b, with a router between two networks
routed() {
	joined a 10.1.0.1 r 10.1.0.2
	joined b 10.2.0.1 r 10.2.0.2
	inside a ip route add default via 10.1.0.2
	inside b ip route add default via 10.2.0.2
	echo 1 | inside r tee /proc/sys/net/ipv4/ip_forward
	wait_until inside a ping -c 1 -W 1 10.2.0.1
}

inode() { stat -L -c %i "/proc/$(<"$BATS_FILE_TMPDIR/$1")/ns/net"; } # NAMESPACE

counter() { # NAMESPACE PROTOCOL NAME, of /proc/net/snmp
	inside "$1" cat /proc/net/snmp | awk -v p="$2:" -v n="$3" '
		$1 == p && !names { for (i = 2; i <= NF; i++) if ($i == n) at = i; names = 1; next }
		$1 == p { print $at }'
}

# Traces while COMMAND runs, up to --: rows are in the file `rows`.
while_runs() { # COMMAND… -- SKBTRACE-ARGUMENT…
	local command=()
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	skbtrace -j -o rows "$@" 2>err 3>&- &
	tool=$!
	wait_attached $tool
	"${command[@]}" >/dev/null || true
	sleep 0.3 # the last rows are of what the command did not wait for
	kill -INT $tool
	wait $tool || { cat err; false; }
}

# jq of all rows as one array, with the names of namespaces
rows() { # JQ-ARGUMENT…
	jq -s --argjson a "$(inode a)" --argjson r "$(inode r)" --argjson b "$(inode b)" "$@" <rows >answer ||
		{ cat answer; cat rows; false; }
}
