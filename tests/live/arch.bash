# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034  # for the tests
# arch.bash - what this processor calls things, for tests that name registers, kernel functions or frames:
# `load arch`.

# how the kernel's stacks are whole, and whether those of programs are walked
STACKS_BY=()
USER_STACKS=yes
LSEEK=lseek # what the C library calls
case $(uname -m) in
x86_64)
	SYSCALL=__x64_sys_ # the entry of a system call begins so
	# frames between a system call's entry and what it does, and the outermost one
	SYSCALL_INNER='do_syscall_64|x64_sys_call|__(x64|do)_sys_[a-z0-9_]*'
	SYSCALL_OUTER=entry_SYSCALL_64_after_hwframe
	REGISTERS=(r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss)
	ARGUMENTS=(di si dx cx r8 r9)
	KEPT=(bx r12 r15) # by functions that are called
	REGISTER_IP=ip REGISTER_FLAGS=flags REGISTER_RESULT=ax
	OPENAT_NR=257 LARGEFILE=0x8000
	TRAPPED='\+0x[0-9a-f]+' # where a kprobe at a function's entry says that it is: behind its trap
	INSIDE=(9 5) # a function's first instruction behind the call of the tracer, with endbr64 before it or not, in hex
	STACK_POINTER='0xffff[0-9a-f]{12}' # what is on the stack at a function's entry: the return address
	FLAGS_LAST=0x8d5 # what the last sum leaves behind: carry, parity, adjust, zero, sign, overflow
	VDSO_CLOCK=clock_gettime
	# what a signal's handler returns to, in a static program, and in one whose C library has no symbols
	SIGNAL_FRAMES=('__restore_rt [unwound]' '- [libc]')
	LARGE_LAST=large # the last frame found of a large one: its return address is above its variables
	KPROBE_MASKS=no # interrupts
	FENTRY_NEEDS='' # a function of kernels that have fentry
	HAS_LINK=no # a register that a call leaves its return address in
	TRIPLET=x86_64-linux-gnu
	;;
aarch64)
	SYSCALL=__arm64_sys_
	SYSCALL_INNER='__(arm64|do)_sys_[a-z0-9_]*|(__)?invoke_syscall[a-z0-9_.]*|el0_svc_common[a-z0-9_.]*|do_el0_svc|el0_svc|el0t?(_64)?_sync_handler'
	SYSCALL_OUTER='el0t?(_64)?_sync'
	REGISTERS=(x{0..30} sp pc pstate)
	ARGUMENTS=(x{0..5})
	KEPT=(x19 x20 x21)
	REGISTER_IP=pc REGISTER_FLAGS=pstate REGISTER_RESULT=x0
	OPENAT_NR=56 LARGEFILE=0x20000
	TRAPPED=''
	INSIDE=(10 c)
	STACK_POINTER='0x[0-9a-f]+' # anything
	FLAGS_LAST=0xf0000000 # negative, zero, carry, overflow
	VDSO_CLOCK=__kernel_clock_gettime
	SIGNAL_FRAMES=('- [vdso]' '- [vdso]')
	LARGE_LAST=main # the last frame found of a large one: its return address is below its variables
	KPROBE_MASKS=yes
	FENTRY_NEEDS=register_ftrace_direct
	HAS_LINK=yes
	TRIPLET=aarch64-linux-gnu
	;;
riscv64)
	SYSCALL=__riscv_sys_
	SYSCALL_INNER='__(riscv|do|se)_sys_[a-z0-9_]*|do_trap_ecall_u'
	SYSCALL_OUTER='handle_exception|ret_from_exception'
	REGISTERS=(epc ra sp gp tp t{0..2} s0 s1 a{0..7} s{2..11} t{3..6} status badaddr cause orig_a0)
	ARGUMENTS=(a{0..5})
	KEPT=(s1 s2 s3)
	REGISTER_IP=epc REGISTER_FLAGS=status REGISTER_RESULT=a0
	OPENAT_NR=56 LARGEFILE=0x8000
	TRAPPED=''
	INSIDE=(10 c)
	STACK_POINTER='0x[0-9a-f]+'
	FLAGS_LAST=0 # it has no flags of sums
	VDSO_CLOCK=__vdso_clock_gettime
	KPROBE_MASKS=yes
	FENTRY_NEEDS=register_ftrace_direct
	HAS_LINK=yes
	STACKS_BY=(--attach kprobe) # the others have one frame of the kernel's
	USER_STACKS=no
	TRIPLET=riscv64-linux-gnu
	;;
ppc64le)
	SYSCALL=sys_
	SYSCALL_INNER='__(do|se)_sys_[a-z0-9_]*|system_call_exception'
	SYSCALL_OUTER='system_call_(common|vectored_common)|interrupt_return.*'
	REGISTERS=(r{0..31} nip msr orig_gpr3 ctr link xer ccr softe trap dar dsisr result)
	ARGUMENTS=(r{3..8})
	KEPT=(r14 r15 r16)
	REGISTER_IP=nip REGISTER_FLAGS=ccr REGISTER_RESULT=r3
	OPENAT_NR=286 LARGEFILE=0x10000
	TRAPPED=''
	INSIDE=(10 c)
	STACK_POINTER='0x[0-9a-f]+'
	FLAGS_LAST=0
	VDSO_CLOCK=__kernel_clock_gettime
	KPROBE_MASKS=yes
	FENTRY_NEEDS=register_ftrace_direct
	HAS_LINK=yes
	USER_STACKS=no
	LSEEK=_llseek
	TRIPLET=powerpc64le-linux-gnu
	;;
esac

# Frames, a line each, as text has them: without the inner ones of a system call, whose outermost is SYSCALL.
frames_plain() { sed -E "s/^( *)($SYSCALL_OUTER)(\+.*)?\$/\1SYSCALL/; /^ *($SYSCALL_INNER)(\+.*)?\$/d"; }
# The same of folded stacks.
folded_plain() { sed -E "s/;($SYSCALL_OUTER)_\[k\](;($SYSCALL_INNER)_\[k\])*/;SYSCALL_[k]/"; }
# The same for jq, of an array; offsets are dropped, too: `plain`.
PLAIN='def plain: map(sub("\\+0x[0-9a-f]+"; "") | select(test("^('"$SYSCALL_INNER"')$") | not) |
	sub("^('"$SYSCALL_OUTER"')$"; "SYSCALL"));'

# Words with x86's names of registers → with the names here that mean the same, in `words`.
registers_here() { # WORD…
	local x86=(di si dx cx r8 r9 ip ax) here=("${ARGUMENTS[@]}" "$REGISTER_IP" "$REGISTER_RESULT") i
	words=("$@")
	for i in "${!x86[@]}"; do
		words=("${words[@]//%${x86[i]}/%${here[i]}}")
		words=("${words[@]//reg(${x86[i]})/reg(${here[i]})}")
	done
}

has_fentry() {
	[ -z "$FENTRY_NEEDS" ] || grep -q " $FENTRY_NEEDS" /proc/kallsyms && return
	echo "# this kernel has no fentry" >&3
	return 1
}
