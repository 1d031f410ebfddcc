# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# pages.bash - runs, in a guest, the commands that the pages of docs/tools show: `load ../lib/pages`, or
# `bash pages.bash --run TOOL[:NUMBER]…`, which tools/pages calls.
#
# docs/pages/*.pages says what runs: for each tool a scene (a function scene_NAME below), work that goes on beside
# the runs, and the runs. The rest of these files is text, which tools/pages reads.

pages_data=${PAGES_DATA:-/docs/pages}

# ---- scenes: what a workload needs, made once in a guest ----

# /dev/vda may be empty, or have ext4 as tools/pages makes it; then there is a second disk that other scenes may overwrite.
pages_disk=/dev/vda
[[ ! -b /dev/vdc ]] || pages_disk=/dev/vdc

# A disk with ext4, which is /data.
scene_disk() {
	mkdir -p /data
	mount -t ext4 /dev/vda /data || { mke2fs -b 4096 -F /dev/vda && mount -t ext4 /dev/vda /data; } || return
	[[ -e /data/table ]] || dd if=/dev/urandom of=/data/table bs=1M count=16
	sync
}

# The same with the file system that mkfs.TYPE made, which is /data, too.
scene_image() { # TYPE
	mkdir -p /data
	modprobe "$1" && gunzip -c "/tests/work/$1.gz" | dd of=$pages_disk bs=1M && mount -t "$1" $pages_disk /data
}
scene_xfs() { scene_image xfs; }
scene_btrfs() { scene_image btrfs; }

# A RAID of the disk alone.
scene_raid() {
	modprobe raid1 && devices raid /dev/md0 $pages_disk
}

# A server of web pages on this machine.
scene_web() {
	mkdir -p /srv
	dd if=/dev/urandom of=/srv/page bs=1k count=100
	echo hello >/srv/index.html
	httpd -p 0.0.0.0:80 -h /srv
}

# Another machine, 10.0.0.2, which is a network namespace with a server of web pages.
scene_net() {
	scene_web
	modprobe veth || return
	unshare -n sleep 10000 3>&- &
	other=$!
	sleep 0.5
	# busybox' ip does not name the other end: the kernel does
	ip link add eth0 type veth && ip link set veth0 netns $other || return
	nsenter -t $other -n ip link set veth0 name eth1
	ip addr add 10.0.0.1/24 dev eth0 && ip link set eth0 up
	nsenter -t $other -n ip addr add 10.0.0.2/24 dev eth1
	nsenter -t $other -n ip link set eth1 up
	nsenter -t $other -n ip link set lo up
	nsenter -t $other -n httpd -p 0.0.0.0:80 -h /srv
	echo $other >/run/other
	cat >/usr/local/bin/outage <<-'END'
		#!/bin/bash
		# the other machine is not there for half a second
		sleep 0.3
		nsenter -t "$(</run/other)" -n ip link set eth1 down
		sleep 0.5
		nsenter -t "$(</run/other)" -n ip link set eth1 up
	END
	chmod +x /usr/local/bin/outage
}

# A library with the names of OpenSSL's.
scene_tls() { cp /tests/work/libssl.so.3 /lib/x86_64-linux-gnu/; }

# A control group of 20 MB, /sys/fs/cgroup/small, and a disk.
scene_small() {
	scene_disk || return
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p /sys/fs/cgroup/small
	echo 20M >/sys/fs/cgroup/small/memory.max
}

# BPF programs of others: one of XDP, one of tc, one of each system call, and two of coretap itself.
scene_programs() {
	sleep 10000 | verdicts /tests/work/verdicts.o >/dev/null 2>&1 3>&- &
	coretap argdump -q --count vfs_read >/dev/null 3>&- &
	coretap argdump -q --count --attach kprobe vfs_open >/dev/null 3>&- &
	until [[ $(coretap bps 2>&1) == *kprobe:vfs_open* ]]; do sleep 0.2; done
}

scene_unmake() {
	local pid
	cd /
	sleep 0.2
	! grep -q ' /data ' /proc/mounts || umount /data || umount -l /data
	[[ ! -e /dev/md0 ]] || devices stop /dev/md0
	pkill_name httpd
	[[ ! -e /run/other ]] || { kill "$(</run/other)"; rm /run/other; }
	rm -f /lib/x86_64-linux-gnu/libssl.so.3
	for pid in $(pidof verdicts) $(pidof coretap); do kill "$pid"; done
}

pkill_name() { # NAME
	local pid
	for pid in $(pidof "$1"); do kill "$pid" 2>/dev/null || true; done
}

# ---- the data ----

# The lines of TOOL as KEYWORD TAB TEXT; a line that begins with a blank goes on with the one before.
pages_lines() { # TOOL
	cat "$pages_data"/*.pages | awk -v tool="$1" '
		function done() { if (is && line != "") print line; line = "" }
		/^#/ || /^$/ { next }
		/^[ \t]/ { sub(/^[ \t]+/, ""); line = line " " $0; next }
		{ done() }
		$1 == "tool" { is = $2 == tool; next }
		is { line = $0; sub(/ +/, "\t", line) }
		END { done() }'
}

pages_runs() { pages_lines "$1" | grep -c '^run	'; } # TOOL

# ---- runs ----

pages_work_end() {
	[[ ! $pages_work ]] || kill -9 -- -"$pages_work" 2>/dev/null || true
	pages_work=''
}

pages_scene=''
pages_scene_use() { # NAME
	[[ $1 != "$pages_scene" ]] || return 0
	scene_unmake >/dev/null 2>&1
	pages_scene=$1
	[[ $1 == none ]] || "scene_$1" >/run/scene.log 2>&1 || { echo "pages: scene $1: $(</run/scene.log)" >&2; return 1; }
}

# Programs under names that say what they are for: dd, with the options of coreutils, is a backup that reads and a database that
# appends; and one that is linked dynamically, as most are.
pages_programs() {
	local name
	mkdir -p /usr/local/bin
	PATH=/usr/local/bin:/usr/bin:/tests/work
	[[ ! -e /usr/local/bin/backup ]] || return 0
	for name in backup database; do cp /usr/libexec/coreutils/dd /usr/local/bin/$name; done
	for name in app client; do cp /tests/work/dynamic /usr/local/bin/$name; done
	for name in server python3; do cp /tests/work/speaks /usr/local/bin/$name; done
	ln -s ../../libexec/coreutils/dd /usr/local/bin/dd
	ln -s ../../bin/busybox /usr/local/bin/sh # found first
}

# Runs the commands of TOOL: prints "@ TOOL NUMBER STATUS" before what each prints. Only the run with NUMBER, if it is given.
pages_tool() { # TOOL [NUMBER]
	local keyword text number=0 status pages_work='' scene=none both=''
	while IFS=$'\t' read -r -u 9 keyword text; do
		case $keyword in
		scene)
			scene=$text
			pages_scene_use "$text" || return
			;;
		work)
			pages_work_end
			cd /tmp || return
			[[ $text != none ]] || continue
			setsid bash -c "$text" >/dev/null 2>&1 </dev/null 3>&- 9>&- &
			pages_work=$!
			disown
			sleep 0.3
			;;
		both) both=yes ;;
		run)
			[[ $scene != none ]] || pages_scene_use none
			((++number))
			[[ ! ${2:-} || $2 == "$number" ]] || continue
			cd /tmp || return
			status=0
			timeout 150 bash -c "coretap ${text}" >/run/stdout 2>/run/stderr </dev/null 3>&- 9>&- || status=$?
			[[ ! $both || ! -s /run/stderr ]] || mv /run/stderr /run/stdout
			echo "@ $1 $number $status"
			[[ ! -e /run/stdout ]] || cat /run/stdout
			[[ ! -s /run/stderr ]] || sed "s/^/$1 $number: /" /run/stderr >&2
			;;
		esac
	done 9< <(pages_lines "$1")
	pages_work_end
}

if [[ ${1:-} == --run ]]; then
	shift
	pages_programs
	for tool; do
		number=${tool#"${tool%%:*}"}
		pages_tool "${tool%%:*}" "${number#:}"
	done
fi
