#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What `make dist`, `release`, `deb` and `rpm` make: built once, of the tarball, in a folder without git. What
# cannot be made here, for want of its tools, is skipped. Nothing is installed on this machine.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	tree=$(deploy/dist --build 2>"$BATS_FILE_TMPDIR/dist.log") || { cat "$BATS_FILE_TMPDIR/dist.log"; return 1; }
	version=${tree##*/coretap-}
	export tree version
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

needs() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null || skip "there is no $1 (apt install $2)"
}

# Makes build/WHAT if this run has not.
made() { # WHAT
	[[ -e $BATS_FILE_TMPDIR/$1 ]] || MAKEFLAGS='' make -s "$1" >"$BATS_FILE_TMPDIR/$1.log" 2>&1 ||
		{ cat "$BATS_FILE_TMPDIR/$1.log"; false; }
	touch "$BATS_FILE_TMPDIR/$1"
}

shared() { tools/install names shared | tr ' ' '\n'; }

@test "dist: the commit's files, the same bytes twice, and the tree's version" {
	sum=$(sha256sum <"$tree.tar.xz")
	rm "$tree.tar.xz"
	deploy/dist
	[ "$(sha256sum <"$tree.tar.xz")" = "$sum" ]
	tar -tf "$tree.tar.xz" >"$BATS_TEST_TMPDIR/list"
	grep -qxF "coretap-$version/LICENSE" "$BATS_TEST_TMPDIR/list"
	run ! grep -E '/\.(git|ci)|/build/' "$BATS_TEST_TMPDIR/list"
	[ ! -e "$tree/.git" ]
	[ "$("$tree/tools/version")" = "$version" ]
	[ "$("$tree/build/coretap" --version)" = "coretap $version" ]
}

@test "two builds in different folders, with and without git, are the same bytes" {
	[[ $(tools/version) != *.dirty ]] || skip "files differ from the commit that the tarball is of"
	make -s build/coretap
	cmp build/coretap "$tree/build/coretap"
	run ! grep -aF "$PWD" "$tree/build/coretap"
}

@test "release: a static binary, the tarball, notices, checksums" {
	made release
	cd build/release
	sha256sum --quiet -c SHA256SUMS
	[ "$(wc -l <SHA256SUMS)" -eq $(($(find . -type f | wc -l) - 1)) ]
	binary=coretap-$version-$(uname -m)
	file "$binary" | grep -q 'statically linked'
	[ "$("./$binary" --version)" = "coretap $version" ]
	[[ -f coretap-$version.tar.xz && -f LICENSE ]]
	# of the other processor, or the reason why not
	other=$(compgen -G "coretap-$version-*" | grep -vxF "$binary") ||
		grep -q '^release: no binary for ' "$BATS_FILE_TMPDIR/release.log"
	[[ ! $other ]] || file "$other" | grep -q 'statically linked'
}

@test "release: the notices name each library with its version and licence" {
	made release
	notices=build/release/THIRD-PARTY-$(uname -m).txt
	for package in libbpf-dev libelf-dev libiberty-dev zlib1g-dev libzstd-dev liblzma-dev liblz4-dev libpcap0.8-dev libc6-dev; do
		grep -qxF "  $package: $(dpkg-query -W -f '${source:Package} ${source:Version}' "$package")" "$notices"
		grep -qxF "==== $package ====" "$notices"
	done
	grep -q 'GNU LESSER GENERAL PUBLIC LICENSE' "$notices"
	grep -qi 'jean-loup gailly' "$notices"
	run ! deploy/third-party /dev/null
	[[ $output == *"names no library"* ]]
}

@test "deb: coretap has the binary of the tree, the names that nobody else has, and their pages" {
	needs dh debhelper
	made deb
	dpkg-deb -x "build/deb/coretap_${version}_$(dpkg --print-architecture).deb" "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR/usr"
	cmp bin/coretap "$OLDPWD/$tree/build/coretap"
	diff -u <(find bin -type l -printf '%f\n' | sort) <("$OLDPWD/tools/install" names own | tr ' ' '\n' | sort)
	[[ -f share/man/man8/coretap.8.gz && -f share/man/man8/coretap-doctor.8.gz && -L share/man/man8/argdump.8.gz ]]
	[[ ! -e share/man/man8/doctor.8.gz && -f share/coretap/json-schema.json && -f share/doc/coretap/copyright ]]
	[[ -x share/coretap/clickhouse-tables && -f lib/systemd/system/coretap@.service ]]
	zgrep -q 'libbpf-dev' share/doc/coretap/THIRD-PARTY.gz
}

@test "deb: the packages depend on each other alone, and say what is linked in" {
	needs dh debhelper
	made deb
	[ -z "$(dpkg-deb -f build/deb/coretap_*.deb Depends)" ]
	[[ $(dpkg-deb -f build/deb/coretap_*.deb Built-Using) == *"libbpf (= "* ]]
	[ "$(dpkg-deb -f build/deb/coretap-snoops_*.deb Depends)" = "coretap (>= $version)" ]
}

@test "deb: lintian finds no error and no warning" {
	needs dh debhelper
	needs lintian lintian
	made deb
	lintian --allow-root --fail-on error,warning build/deb/*.changes
}

@test "deb: installed, coretap-snoops makes alternatives, which give way to others; purged, nothing is left" {
	needs dh debhelper
	[[ $(id -u) == 0 ]] || skip "dpkg needs root"
	made deb
	root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root"/{usr/bin,usr/sbin,etc/alternatives,var/lib/dpkg/{info,updates,alternatives},var/log}
	touch "$root/var/lib/dpkg/status"
	(cd "$root" && find . ! -type d) >"$BATS_TEST_TMPDIR/before"
	in_root() { dpkg --root="$root" --force-script-chrootless --force-depends --log=/dev/null "$@"; }
	in_root -i build/deb/*.deb
	for name in $(shared); do
		[ "$(readlink "$root/usr/bin/$name")" = "/etc/alternatives/$name" ]
		[ "$(readlink "$root/etc/alternatives/$name")" = "/usr/libexec/coretap/$name" ]
		[ "$(readlink -f "$root/usr/libexec/coretap/$name")" = "$root/usr/bin/coretap" ]
	done
	"$root/usr/libexec/coretap/tcplife" --help | grep -q '^Usage: tcplife '
	printf '#!/bin/sh\n' >"$root/usr/sbin/other" && chmod +x "$root/usr/sbin/other"
	update-alternatives --root "$root" --install /usr/bin/execsnoop execsnoop /usr/sbin/other 90
	[ "$(readlink "$root/etc/alternatives/execsnoop")" = /usr/sbin/other ]
	in_root --remove coretap-snoops
	[ "$(readlink "$root/etc/alternatives/execsnoop")" = /usr/sbin/other ]
	update-alternatives --root "$root" --remove execsnoop /usr/sbin/other
	rm "$root/usr/sbin/other"
	in_root --purge coretap-snoops coretap
	diff -u "$BATS_TEST_TMPDIR/before" <(cd "$root" && find . ! -type d ! -path './var/*' -o -path ./var/lib/dpkg/status)
}

@test "rpm: the same binary, links and pages" {
	needs rpmbuild rpm
	needs rpm2cpio rpm2cpio
	made rpm
	cd "$BATS_TEST_TMPDIR"
	rpm2cpio "$OLDPWD"/build/rpm/coretap-*.rpm | cpio -idm --quiet
	cmp usr/bin/coretap "$OLDPWD/$tree/build/coretap"
	diff -u <(find usr/bin -type l -printf '%f\n' | sort) <("$OLDPWD/tools/install" names own | tr ' ' '\n' | sort)
	[[ -f $(find usr -name 'coretap-doctor.8*') && -f $(find usr -name LICENSE) ]]
	[[ -x usr/share/coretap/clickhouse-tables && -f usr/lib/systemd/system/coretap@.service ]]
}
