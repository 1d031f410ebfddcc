# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034  # for those who source it
# arch.bash: the architectures that kernels, libraries and guests can be of, to be sourced; a row each.
#
# `arch` is Debian's name of one, `store` the folder of what is kept for it.

declare -rA TRIPLETS=([amd64]=x86_64-linux-gnu [arm64]=aarch64-linux-gnu [riscv64]=riscv64-linux-gnu [ppc64el]=powerpc64le-linux-gnu)
# Debian's kernels for guests
declare -rA FLAVOURS=([amd64]=cloud-amd64 [arm64]=cloud-arm64 [riscv64]=riscv64 [ppc64el]=powerpc64le)
# Of what is too young for Debian's releases: where its packages are, too; they change daily.
declare -rA MORE_SUITES=([riscv64]=sid)
# Sections of its static C library whose relocations Debian 12's linker does not know, and falls over
# (R_RISCV_SET_ULEB128; binutils 2.41 does): what to clean up when a thread is cancelled, which nothing here is.
declare -rA UNLINKABLE=([riscv64]=.gcc_except_table)
# QEMU's name of the processor, its machine (or that of a kind of kernel, which not every processor runs), and the device
# that the machine's console is
declare -rA EMULATED=([amd64]=x86_64 [arm64]=aarch64 [riscv64]=riscv64 [ppc64el]=ppc64le)
declare -rA MACHINES=([amd64]="-M q35 -cpu Nehalem,-cx16" [arm64]="-M virt -cpu neoverse-n1" [riscv64]="-M virt"
	[ppc64el]="-M pseries -cpu power9"
	[arm64-16k]="-M virt -cpu max,pauth-impdef=on")
# Parameters of its kernels: a busy machine gives a guest no timer interrupt in the milliseconds that x86 waits for one.
declare -rA PARAMETERS=([amd64]=no_timer_check)
declare -rA CONSOLES=([amd64]=ttyS0 [arm64]=ttyAMA0 [riscv64]=ttyS0 [ppc64el]=hvc0)

cache=${CORETAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/coretap}

say() { echo "${0##*/}: $*" >&2; }
die() { say "$*"; exit 1; }

# Chooses the architecture of what follows. This machine's own is kept in the cache itself, and its
# build in build; `foreign` is /ARCH for others.
arch_use() { # [ARCH]
	local own
	own=$(dpkg --print-architecture)
	arch=${1:-$own}
	[[ ${TRIPLETS[$arch]-} ]] || die "no architecture '$arch'; there are: ${!TRIPLETS[*]}, as Debian calls them"
	foreign=/$arch
	[[ $arch != "$own" ]] || foreign=
	store=$cache$foreign
	mkdir -p "$store"
}
