# SPDX-License-Identifier: GPL-2.0-only
# newest.bash: the newest bpftrace of Debian's archive, with its libraries, for guests; to be sourced.

readonly NEWEST=${CORETAP_CACHE:-$HOME/.cache/coretap}/judges/language # where it is kept
readonly SUITES="sid forky trixie" # where bpftrace and its libraries are: the newest wins

apt_ours() { # PROGRAM ARG…
	local program=$1
	shift
	"$program" -c "$NEWEST/apt/apt.conf" "$@"
}

apt_configure() {
	local uri suite
	# shellcheck disable=SC2016 # apt expands it
	uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
	mkdir -p "$NEWEST"/apt/{lists,archives}/partial
	for suite in $SUITES; do
		echo "deb [arch=amd64 target=Packages signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
	done >"$NEWEST/apt/sources.list"
	cat >"$NEWEST/apt/apt.conf" <<-END
		Dir::Etc::sourcelist "$NEWEST/apt/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State::lists "$NEWEST/apt/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$NEWEST/apt";
		Dir::Cache::archives "archives";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "";
		APT::Architecture "amd64";
		APT::Architectures "amd64";
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
	END
}

# A disk with the programs and libraries of bpftrace's package and of all that it needs.
bpftrace_fetch() {
	local deb tree=$NEWEST/tree
	[[ ! -e $NEWEST/image ]] || return 0
	echo "${0##*/}: downloading bpftrace" >&2
	apt_configure
	apt_ours apt-get -qq update
	apt_ours apt-get -qq -y --no-install-recommends --download-only install bpftrace
	rm -rf "$tree"
	mkdir -p "$tree"
	for deb in "$NEWEST"/apt/archives/*.deb; do dpkg-deb -x "$deb" "$tree"; done
	rm -rf "$tree"/usr/share/{doc,man,lintian,locale}
	mke2fs -qF -t ext2 -m 0 -N 4096 -d "$tree" "$NEWEST/image.new" \
		"$(($(du -sm "$tree" | cut -f1) * 11 / 10 + 8))M"
	mv "$NEWEST/image.new" "$NEWEST/image"
	rm -rf "$tree"
}

# FOLDER/newest, to be sourced in a guest with that disk: `bpftrace` can be run then.
newest_guest_write() { # FOLDER
	cat >"$1/newest" <<-'END'
		mkdir -p /mnt
		mount -t ext2 -o ro /dev/vda /mnt || exit
		mount --bind /mnt/usr/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu
		mount --bind "$(readlink -f /mnt/usr/lib64/ld-linux-x86-64.so.2)" /usr/lib64/ld-linux-x86-64.so.2
		cp /mnt/usr/bin/bpftrace /usr/bin/
	END
}
