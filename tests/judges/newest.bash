# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# newest.bash: the newest bpftrace of Debian's archive, with its libraries, for guests; to be sourced. ROOT is the project's.

readonly NEWEST=${CORETAP_CACHE:-$HOME/.cache/coretap}/judges/language # where it is kept
SUITES="sid forky trixie" # where bpftrace and its libraries are: the newest wins
# shellcheck source=tools/apt-own.bash
. "$ROOT/tools/apt-own.bash"
arch_use amd64
store=$NEWEST

# A disk with the programs and libraries of bpftrace's package and of all that it needs.
bpftrace_fetch() {
	local deb tree=$NEWEST/tree
	[[ ! -e $NEWEST/image ]] || return 0
	say "downloading bpftrace"
	apt_update force
	apt_own apt-get -qq -y --no-install-recommends --download-only install bpftrace
	rm -rf "$tree"
	mkdir -p "$tree"
	for deb in "$NEWEST"/apt/archives/*.deb; do dpkg-deb -x "$deb" "$tree"; done
	rm -rf "$tree"/usr/share/{doc,man,lintian,locale}
	mke2fs -qF -t ext2 -m 0 -N 4096 -d "$tree" "$NEWEST/image.new" \
		"$(($(du -sm "$tree" | cut -f1) * 11 / 10 + 8))M"
	mv "$NEWEST/image.new" "$NEWEST/image"
	rm -rf "$tree"
}

# FOLDER/newest, to be sourced in a guest with that disk: `bpftrace` can be run then, its tools are in /mnt/usr/sbin.
newest_guest_write() { # FOLDER
	cat >"$1/newest" <<-'END'
		mkdir -p /mnt
		mount -t ext2 -o ro /dev/vda /mnt || exit
		mount --bind /mnt/usr/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu
		mount --bind "$(readlink -f /mnt/usr/lib64/ld-linux-x86-64.so.2)" /usr/lib64/ld-linux-x86-64.so.2
		cp /mnt/usr/bin/bpftrace /usr/bin/
	END
}
