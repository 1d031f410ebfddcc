#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# apt-own.bash: apt with a configuration of our own, to be sourced: packages of any Debian release and
# architecture, unpacked, not installed. It has its own sources, package lists and cache, on the mirror
# that this machine already uses.
#
# arch.bash says for which architecture, and where things are kept.

# shellcheck source=tools/arch.bash
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/arch.bash"

SUITES=${SUITES:-bullseye bookworm bookworm-backports trixie trixie-backports}
readonly KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

codename() { . /etc/os-release && echo "${VERSION_CODENAME:-}"; }

# The mirror that this machine's apt uses for its own Debian release.
mirror_uri() {
	# shellcheck disable=SC2016  # apt expands it
	local format='$(RELEASE) $(COMPONENT) $(REPO_URI)'
	[[ -z ${CORETAP_MIRROR:-} ]] || { echo "$CORETAP_MIRROR"; return; }
	apt-get indextargets --format "$format" 'Created-By: Packages' |
		awk -v suite="$(codename)" '$1 == suite && $2 == "main" { print $3; exit }'
}

apt_configure() {
	local uri suite signed=
	uri=$(mirror_uri)
	[[ -n $uri ]] || die "no Debian mirror in this machine's apt sources;" \
		"set CORETAP_MIRROR to the address of one"
	[[ ! -e $KEYRING ]] || signed="signed-by=$KEYRING"
	mkdir -p "$store"/apt/{lists,archives}/partial
	for suite in $SUITES ${MORE_SUITES[$arch]-}; do
		echo "deb [arch=$arch target=Packages $signed] $uri $suite main"
	done >"$store/apt/sources.list"
	cat >"$store/apt/apt.conf" <<-END
		Dir::Etc::sourcelist "$store/apt/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State::lists "$store/apt/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$store/apt";
		Dir::Cache::archives "archives";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "";
		APT::Architecture "$arch";
		APT::Architectures "$arch";
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
	END
}

apt_own() {
	local program=$1
	shift
	"$program" -c "$store/apt/apt.conf" "$@"
}

# Downloads the package lists unless that was done within the last day. If the mirror no longer has
# a suite, only that suite's packages are missing.
apt_update() {
	local stamp=$store/apt/updated
	[[ ${1:-} == force || -z $(find "$stamp" -mmin -1440 2>/dev/null) ]] || return 0
	apt_configure
	say "downloading Debian's package lists"
	apt_own apt-get -qq update >"$store/apt/update.log" 2>&1 ||
		say "some lists failed to download, see $store/apt/update.log"
	compgen -G "$store/apt/lists/*_Packages*" >/dev/null ||
		die "no package lists, is the mirror reachable? see $store/apt/update.log"
	touch "$stamp"
}

# Downloads packages and unpacks them into a folder. apt takes the newest of all suites, or what
# "-t SUITE" prefers.
package_unpack() { # FOLDER [-t SUITE] PACKAGE…
	local into=$1 deb
	shift
	mkdir -p "$into/deb"
	(cd "$into/deb" && apt_own apt-get -qq download "$@") \
		>"$into/log" 2>&1 </dev/null || return 1
	for deb in "$into"/deb/*.deb; do
		dpkg-deb -x "$deb" "$into" || return 1
		rm "$deb"
	done
}
