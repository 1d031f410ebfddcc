# SPDX-License-Identifier: GPL-2.0-only
# engine.bash - the applets that are argdump's engine under other names need a probe; what they are run
# with here asks for nothing that a kernel may lack.
# shellcheck disable=SC2034 # for the tests
declare -gA engine=(
	[argdump]='vfs_fallocate offset'
	[bt]='-e kprobe:vfs_fallocate{@=count();}'
	[trace]='p::vfs_fallocate(arg3>=0)"%d",arg3'
	[argdist]='-C p::vfs_fallocate()'
	[funcgraph]='vfs_fallocate'
)
