# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# newest.bash - the newest bpftrace of Debian's archive, as a disk for a guest. STORE is where it is kept.
SUITES="sid forky trixie" # where bpftrace and its libraries are: the newest wins
# shellcheck source=tools/apt-own.bash
. "$ROOT/tools/apt-own.bash"
arch_use amd64
store=$STORE

# A disk with the programs and libraries of bpftrace's package and of all that it needs.
bpftrace_fetch() {
	local deb tree=$STORE/tree
	[[ ! -e $STORE/image ]] || return 0
	say "downloading bpftrace"
	apt_update force
	apt_own apt-get -qq -y --no-install-recommends --download-only install bpftrace
	rm -rf "$tree"
	mkdir -p "$tree"
	for deb in "$STORE"/apt/archives/*.deb; do dpkg-deb -x "$deb" "$tree"; done
	rm -rf "$tree"/usr/share/{doc,man,lintian,locale}
	mke2fs -qF -t ext2 -m 0 -N 4096 -d "$tree" "$STORE/image.new" \
		"$(($(du -sm "$tree" | cut -f1) * 11 / 10 + 8))M"
	mv "$STORE/image.new" "$STORE/image"
	rm -rf "$tree"
}
