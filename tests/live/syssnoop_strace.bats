#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2034  # the commands expand it; judge.bash has options
# syssnoop judged by strace (judge.bash): a shell and workloads; syssnoop_programs.bats has what people use.

bats_require_minimum_version 1.5.0
load judge

@test "a shell, its children, files and signals: the lines of strace" {
	# what the C library gives back around a thread's heap depends on where that is mapped
	KNOWN+='
s/^munmap\(ADDRESS, [0-9]{5}\)/munmap(ADDRESS, PART)/'
	compare bash -c 'busybox ls -l /etc; /usr/libexec/coreutils/dd if=/etc/passwd bs=1 count=3; (exit 3); trap : USR1; kill -USR1 $$
		echo a >x; busybox cp -p x y; busybox rm y x; busybox touch /no/such; ulimit -n; exit 0'
}

@test "sockets and polling: the lines of strace" {
	compare bash -c 'speaks >&2; talks 2; connects; deeds fds /etc/passwd 2; exit 0' 2>/dev/null
}

@test "several messages in a call: the lines of strace, and JSON" {
	compare messages
	run -0 --separate-stderr syssnoop -j -e trace=sendmmsg,recvmmsg -- messages
	jq -c 'select(.syscall).args.mmsg' <<<"$output" | cut -c 1-200 >&2
	jq -s -e 'map(select(.syscall).args.mmsg) | length == 13
		and (.[0] | map([.msg_len, .msg_hdr.msg_iov[].iov_base]) == [[3,"one"],[5,"xy","one"],[3,"one"],[0]])
		and (.[8] | map(.msg_len) == [3,null,null])
		and (.[-1] | length == 32 and all(.[]; .msg_hdr.msg_name.sin_port == 7778 and .msg_hdr.msg_namelen == 16))' <<<"$output"
}

@test "files behind descriptors: the lines of strace -y" {
	options=(-y)
	compare bash -c 'exec 5>x 6</etc/passwd 7<>"a <b>"; busybox rm x; echo a >&5; busybox cat <&6; busybox cp -p "a <b>" y; busybox rm "a <b>" y
		cd /usr; busybox ls -l; exec 8<&6- 5>&-; mkdir "$OLDPWD/z"; cd "$OLDPWD/z"; busybox rmdir "$PWD"; busybox ls; exit 0'
}

@test "processes and threads of many kinds: the lines of strace" {
	# whether a child, or a thread that is joined, has ended already is another race in each run, and so
	# is how often /proc is asked what a thread waits in
	KNOWN+='
/^--- SIGCHLD /d
/^futex\(ADDRESS, FUTEX_WAIT/d
/^openat\(AT_FDCWD, "\/proc\/self\/task\/[^"]*\/syscall", /,/^close\(/d
/^clock_nanosleep\(/d'
	compare bash -c 'forks child 1 2; forks thread 1 2; forks vfork 1 2; waits futex 1 1; exit 0'
}

@test "data that are not in memory yet when a call begins: the lines of strace" {
	compare cold x
	run -0 --separate-stderr syssnoop -e trace=rt_sigprocmask,nanosleep,execve -- cold x
	for line in 'rt_sigprocmask(SIG_BLOCK, [USR1], NULL, 8)' 'nanosleep({tv_sec=0, tv_nsec=1000}, NULL)' \
		'execve("/no/such/cold", ["/no/such/cold"], NULL)'; do
		grep -qF "$line" <<<"$stderr" || { echo "$stderr"; false; }
	done
}

@test "a call that says how much there is shows only what there was room for: the lines of strace" {
	rooms x || { echo "attributes of this file system: see rooms.c"; false; }
	# strace 6.1 shows what the buffer had, later ones the address
	KNOWN+='
s/^(f?getxattr\(.*, )"#+"(, 0\) = 5)$/\1ADDRESS\2/'
	compare rooms x
	run -0 --separate-stderr syssnoop -e trace=getxattr,listxattr,recvfrom,recvmsg -- rooms x
	[ "$output" = 0 ]
	# nothing of what the buffer had before
	! grep -F '#' <<<"$stderr" || false
	for line in ', "", 0, MSG_TRUNC, NULL, NULL) = 10' ', "a m", 3, MSG_TRUNC, NULL, NULL) = 10' '[{iov_base=NULL, iov_len=0}]'; do
		grep -qF "$line" <<<"$stderr" || { echo "$stderr"; false; }
	done
}

@test "a 32-bit program: the lines of strace" {
	command -v calls32 >/dev/null || skip "there are no 32-bit programs on this architecture"
	calls32 1 x || skip "this kernel runs no 32-bit programs"
	fresh() { echo some >some; }
	compare bash -c 'calls32 3 some; exit 0'
}

@test "a program executed when the first thread has ended: it is superseded, as strace has it" {
	run -0 --separate-stderr syssnoop -f -e trace=execve,exit -o out -- execs alone /bin/true true
	cat out
	grep -qE '^[0-9]+ +exit\(0\) += \?$' out || false
	grep -qE '^[0-9]+ +execve\("/bin/true", \["true"\], .* <pid changed to [0-9]+ \.\.\.>$' out || false
	grep -qE '^[0-9]+ +\+\+\+ superseded by execve in pid [0-9]+ \+\+\+$' out || false
	grep -qE '^[0-9]+ +<\.\.\. execve resumed>\) += 0$' out || false
	[ "$(grep -c '+++ exited with 0 +++' out)" = 1 ]
	[[ $(tail -n 1 out) == *'+++ exited with 0 +++' ]]
}

@test "descriptors in lists have their paths, as strace -y shows them" {
	run -0 --separate-stderr syssnoop -y -e 'trace=?pipe,pipe2' -- bash -c 'echo a | busybox cat; exit 0'
	echo "$stderr"
	[[ $stderr =~ pipe2?\(\[[0-9]+\<pipe:\[[0-9]+\]\>,\ [0-9]+\<pipe:\[[0-9]+\]\>\] ]]
}

@test "requests that drivers share, and with structs, lists of interfaces, next hops of a route: the lines of strace" {
	compare newest drivers structs interfaces route
	grep -qF 'ioctl(-1, BTRFS_IOC_CLONE or FICLONE, 0) ' sn.* || { cat sn.*; false; }
	grep -qE 'SIOCGIFCONF, \{ifc_len=320 /\* 8 \* sizeof\(struct ifreq\) \*/ => [0-9]' sn.* || { cat sn.*; false; }
	grep -qF '[{nla_len=36, nla_type=RTA_MULTIPATH}, [[{rtnh_len=16, ' sn.* || { cat sn.*; false; }
}

@test "video devices, the device mapper, numbers of 64 bits, old headers: the lines of strace" {
	compare newest media wide
	grep -qF ', pixelformat=v4l2_fourcc('"'Y', 'U', 'Y', 'V'"') /* V4L2_PIX_FMT_YUYV */, ' sn.* || { cat sn.*; false; }
	grep -qF '{id=V4L2_CTRL_CLASS_USER+0xabcd}' sn.* || { cat sn.*; false; }
	grep -qF 'DM_TABLE_LOAD, [{version=[4, 0, 0], data_size=312, ' sn.* || { cat sn.*; false; }
	grep -qF 'max_objectid=4294967296, min_offset=21474836487, max_offset=18446744073709551614, ' sn.* || { cat sn.*; false; }
	grep -qF 'qgroup_inherit={flags=0, num_qgroups=1, ' sn.* || { cat sn.*; false; }
	grep -qE '^mknod\(.*makedev\(0x1, 0x3\)\)' sn.* || { cat sn.*; false; }
}

@test "with -yy a descriptor of a process has its number, others a count or signals, with -y the path" {
	run -0 --separate-stderr syssnoop -yy -e trace=pidfd_open,close -- newest process
	grep -qE '^close\([0-9]+<\{eventfd-count=0x5, eventfd-id=[0-9]+, eventfd-semaphore=1\}>\) += 0$' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^close\([0-9]+<signalfd:\[USR1 CHLD\]>\) += 0$' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^close\([0-9]+</.*/\[eventfd>\(deleted\)\) += 0$' <<<"$stderr" || { echo "$stderr"; false; }
	[[ $stderr =~ pidfd_open\(([0-9]+),\ 0\)\ +=\ ([0-9]+)\<pid:([0-9]+)\> ]] || { echo "$stderr"; false; }
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[3]}" ]
	grep -qE "^close\(${BASH_REMATCH[2]}<pid:${BASH_REMATCH[1]}>\) += 0$" <<<"$stderr" || { echo "$stderr"; false; }
	run -0 --separate-stderr syssnoop -y -e trace=pidfd_open -- newest process
	[[ $stderr =~ =\ [0-9]+\<anon_inode:\[pidfd\]\> ]] || { echo "$stderr"; false; }
}

@test "a filter of a socket is shown with -v" {
	run -0 --separate-stderr syssnoop -v -e trace=setsockopt -- newest filter
	[[ $stderr == *'SO_ATTACH_FILTER, {len=2, filter=[BPF_STMT(BPF_LD|BPF_W|BPF_LEN, 0), BPF_STMT(BPF_RET|BPF_A, 0)]}, 16) = 0'* ]] ||
		{ echo "$stderr"; false; }
}

# Of lines: each is one of syssnoop's.
expect() { # LINE…
	local line
	for line; do
		grep -qF -- "$line" <<<"$stderr" || { echo "no $line in"; echo "$stderr"; return 1; }
	done
}

@test "settings of 64 bits and of other processors, data of epoll: the lines of strace 7.2" {
	run -0 --separate-stderr syssnoop -e trace=prctl,epoll_ctl,open_tree,pidfd_open,ptrace,reboot,rseq,setsockopt,socket -- newest settings
	expect 'socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)) ' ', BTPROTO_HCI) ' ', 7) ' 'setsockopt(-1, SOL_RXRPC, RXRPC_SECURITY_KEYRING, "x", 1) ' 'ptrace(PTRACE_GETREGSET, 0, NT_PPC_VMX, NULL) ' \
		'reboot(0 /* LINUX_REBOOT_MAGIC1??? */, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_CAD_OFF) ' 'prctl(PR_GET_TID_ADDRESS, [0x123456789abc]) ' 'prctl(PR_SET_DUMPABLE, 0xdeadc0de00000001 /* SUID_DUMP_??? */) ' 'prctl(PR_SET_PDEATHSIG, 13464652297489350686) ' \
		'prctl(PR_SET_NAME, "0123456789abcde"...) ' 'prctl(PR_SET_SECCOMP, 0xffffffffffffffff /* SECCOMP_MODE_??? */, 0x1, 0x2, 0x3) ' \
		'prctl(PR_SVE_SET_VL, PR_SVE_SET_VL_ONEXEC|0xff) ' 'prctl(PR_SME_SET_VL, 0x80000|0) ' \
		'prctl(PR_SET_TAGGED_ADDR_CTRL, !PR_TAGGED_ADDR_ENABLE|PR_MTE_TCF_ASYNC|0xcafe<<PR_MTE_TAG_SHIFT|0x57a80000, 0, 0, 0) ' \
		'prctl(PR_PAC_SET_ENABLED_KEYS, PR_PAC_APIBKEY, PR_PAC_APIAKEY|0x10, 0, 0) ' \
		'prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0, 0x1 /* PIDTYPE_TGID */, 0) ' \
		'prctl(PR_SET_VMA, 0x7 /* PR_SET_VMA_??? */, 0x8, 0x9, 0xa) ' 'epoll_ctl(-1, EPOLL_CTL_ADD, -1, {events=EPOLLIN, data=0x5}) ' \
		'open_tree(-1, "", OPEN_TREE_NAMESPACE|0x200) ' 'pidfd_open(0, PIDFD_AUTOKILL) '
	expect 'rseq({cpu_id_start=1, cpu_id=RSEQ_CPU_ID_UNINITIALIZED, rseq_cs=NULL, flags=RSEQ_CS_FLAG_SLICE_EXT_AVAILABLE|0x8, node_id=2, mm_cid=3, slice_ctrl={request=1, granted=0, __reserved=0}, __reserved=0}, 32, RSEQ_FLAG_UNREGISTER|0x10, 0x5) '
	grep -qE '^rseq\(0x[0-9a-f]+, 31, 0, 0x5\) ' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^prctl\(PR_GET_SECCOMP\) += 0$' <<<"$stderr" || { echo "$stderr"; false; }
	run -0 --separate-stderr syssnoop -X verbose -e trace=prctl -- newest settings
	expect 'prctl(0x32 /* PR_SVE_SET_VL */, 0x400ff /* PR_SVE_SET_VL_ONEXEC|0xff */) '
	run -0 --separate-stderr syssnoop -j -e trace=epoll_ctl -- newest settings
	jq -e 'select(.syscall).args.event.data == {"u32": 5, "u64": 5}' <<<"$output"
}

@test "requests of io_submit, with the bytes and vectors that they write" {
	local bytes='{aio_data=0x7, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=-1, aio_buf="hello", aio_nbytes=5, aio_offset=3}'
	run -0 --separate-stderr syssnoop -e trace=io_submit -- newest requests
	expect ", 3, [$bytes, {aio_data=0, aio_lio_opcode=IOCB_CMD_PWRITEV, aio_reqprio=IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4), aio_fildes=-1, aio_buf=[{iov_base=\"abc\", iov_len=3}, {iov_base=\"de\", iov_len=2}], aio_offset=0, aio_flags=IOCB_FLAG_RESFD|IOCB_FLAG_IOPRIO, aio_resfd=9}, NULL]) " \
		"$bytes, ...]) " ', 0, []) '
	grep -qE '^io_submit\(0x[0-9a-f]+, -1, 0x[0-9a-f]+\) ' <<<"$stderr" || { echo "$stderr"; false; }
	[ "$(grep ', 40, ' <<<"$stderr" | grep -o hello | wc -l)" = 32 ]
	run -0 --separate-stderr syssnoop -j -e trace=io_submit -- newest requests
	jq -s -e 'map(select(.syscall).args.iocbpp)[0] | .[0].aio_buf == "hello" and .[1].aio_buf[1].iov_base == "de" and .[2] == null' <<<"$output"
}

@test "the mask of rt_sigreturn, descriptors by the number of a process, a struct that ends within a member" {
	run -0 --separate-stderr syssnoop -v -y -e trace=rt_sigreturn,kcmp,pidfd_getfd,perf_event_open -- newest own
	expect 'rt_sigreturn({mask=[USR2]}) ' ', sample_max_stack=127}, 0, '
	grep -qE '^kcmp\(([0-9]+), \1, KCMP_FILE, ([0-9]+)</dev/null>, \2</dev/null>\) += 0$' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^kcmp\(([0-9]+), 2147483647, KCMP_FILE, ([0-9]+)</dev/null>, \2\) ' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^pidfd_getfd\([0-9]+<anon_inode:\[pidfd\]>, [0-9]+</dev/null>, 0\) += [0-9]+</dev/null>$' <<<"$stderr" || { echo "$stderr"; false; }
	run -0 --separate-stderr syssnoop -P /dev/null -e trace=fsconfig -- newest own
	expect 'fsconfig(-1, FSCONFIG_SET_PATH, "source", "/dev/null", AT_FDCWD) ' 'fsconfig(-1, FSCONFIG_SET_FD, "source", NULL, '
}

@test "requests, structs and flags that strace learnt after 6.1" {
	run -0 --separate-stderr syssnoop -e trace=bpf,io_uring_enter,io_uring_register,ioctl,listns,fanotify_mark,fsmount,setsockopt \
		-- newest later
	for line in 'bpf(BPF_LINK_CREATE, {link_create={prog_fd=-1, target_fd=0, attach_type=BPF_TCX_INGRESS, flags=BPF_F_LINK, tcx={relative_fd=0, expected_revision=0}}}, 32)' \
		'attach_type=BPF_TRACE_FENTRY, flags=BPF_F_LINK, tracing={target_btf_id=7, cookie=0}}}, 32)' \
		'bpf(BPF_TOKEN_CREATE, {token_create={flags=0, bpffs_fd=-1}}, 8)' \
		'io_uring_enter(-1, 0, 1, IORING_ENTER_GETEVENTS|IORING_ENTER_EXT_ARG, {sigmask=NULL, sigmask_sz=0, min_wait_usec=7, ts={tv_sec=0, tv_nsec=1000}}, 24)' \
		'ioctl(-1, PIDFD_GET_INFO, {mask=PIDFD_INFO_PID|PIDFD_INFO_CGROUPID})' \
		'ioctl(-1, PIDFD_GET_NET_NAMESPACE, 0)' \
		'fanotify_mark(-1, FAN_MARK_ADD|FAN_MARK_MNTNS, 0, ' 'fsmount(-1, FSMOUNT_NAMESPACE, 0)' \
		'setsockopt(-1, SOL_SOCKET, SO_RCVPRIORITY, [1], 4)'; do
		grep -qF "$line" <<<"$stderr" || { echo "no $line in"; echo "$stderr"; false; }
	done
}

@test "instructions, a log and verbose arguments of bpf; what arch_prctl is asked" {
	run -0 --separate-stderr syssnoop -v -e trace=bpf,arch_prctl -- newest later
	for line in 'insns=[{code=BPF_ALU64|BPF_K|BPF_MOV, dst_reg=BPF_REG_1, src_reg=BPF_REG_0, off=0, imm=0xfffffffc}, {code=BPF_JMP|BPF_K|BPF_EXIT, ' \
		', log_size=4, log_buf="log "...}, 40)'; do
		grep -qF "$line" <<<"$stderr" || { echo "no $line in"; echo "$stderr"; false; }
	done
	[ "$(uname -m)" != x86_64 ] || # other processors have no such call
		grep -qF 'arch_prctl(ARCH_REQ_XCOMP_PERM, 0x12 /* XFEATURE_XTILE_DATA */)' <<<"$stderr" || { echo "$stderr"; false; }
}

@test "requests of consoles, structs at the end of memory, addresses of radio: the lines of strace" {
	compare newest console radio
	grep -qF 'ioctl(-1, KDMKTONE, 5<<16|440 /* 2711 Hz, 5 ms */)' sn.* || { cat sn.*; false; }
	grep -qF ', kb_value=0xd5c /* K(KT_DEAD2, '"'\\\\'"') */})' sn.* || { cat sn.*; false; }
	grep -qF ', kb_value=???})' sn.* || { cat sn.*; false; }
	grep -qE 'KDSKBDIACR, \{kb_cnt=4, kbdiacr=\[.*, \.\.\. /\* 0x' sn.* || { cat sn.*; false; }
	grep -qF '{sa_family=AF_AX25, fsa_ax25={sax25_call=VALID-13, ' sn.* || { cat sn.*; false; }
}

@test "pointers in lists, strings where others have bytes, lists of nothing: the lines of strace" {
	compare newest deeper
	for line in 'string="abcd"}]} => {controls=[{id=V4L2_CID_BRIGHTNESS, size=0, value=5, value64=5}, {id=V4L2_CID_CONTRAST, size=4, string="abcd"}], error_idx=1})' \
		'G_EXT_CTRLS, {ctrl_class=0 /* V4L2_CTRL_CLASS_??? */, count=2, controls=[{id=V4L2_CID_BRIGHTNESS, size=0, value=5, ' \
		'{op=KD_FONT_OP_SET_DEFAULT, width=3, height=0, data="latin"}' 'width=0, height=0, charcount=1, data=""}' \
		'move_pages(-1, 0, [], NULL, [], 0)' 'clnt_login=TEE_IOCTL_LOGIN_GROUP, clnt_uuid=0, cancel_id=0, num_params=3, params=[{attr=TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_INPUT, a=0x2, ' 'perf_event_open({type=PERF_TYPE_HARDWARE, size=PERF_ATTR_SIZE_VER5'; do
		grep -qF -- "$line" sn.* || { echo "no $line in"; cat sn.*; false; }
	done
	[ "$(uname -m)" != x86_64 ] || # other processors have no such call
		grep -qF 'get_thread_area({entry_number=12, ...})' sn.* || { cat sn.*; false; }
}

@test "messages of udev, and conditions of ss: as strace shows them where it finds the protocol" {
	run -0 --separate-stderr syssnoop -e trace=sendto -- newest datagrams
	for line in ', {code=INET_DIAG_BC_S_COND, yes=20, no=24}, {family=AF_INET, prefix_len=8, port=80, addr=inet_addr("127.0.0.1")}]], 92, ' \
		'[{prefix="libudev", magic=htonl(0x4030201), header_size=40, properties_off=40, properties_len=8, ' \
		'filter_tag_bloom_lo=htonl(0)}, "ACTION=\0"], 48, '; do
		grep -qF -- "$line" <<<"$stderr" || { echo "no $line in"; echo "$stderr"; false; }
	done
}

@test "descriptors in lists that structs lead to have their paths, as strace -y shows them" {
	run -0 --separate-stderr syssnoop -y -e trace=io_uring_register -- newest lists
	grep -qE '^io_uring_register\([0-9]+, IORING_UNREGISTER_PBUF_RING\|IORING_REGISTER_USE_REGISTERED_RING, \{ring_addr=0x3, ' <<<"$stderr" || { echo "$stderr"; false; }
	grep -qE '^io_uring_register\(-1, IORING_UNREGISTER_PBUF_RING, 0x[0-9a-f]+, 2\)' <<<"$stderr" || { echo "$stderr"; false; }
	for line in 'IORING_REGISTER_FILES2, {nr=3, flags=0, data=[N</dev/null>, -1, -2], tags=NULL}, 32)' \
		'IORING_REGISTER_FILES_UPDATE, {offset=1, fds=[N</dev/null>, -1, IORING_REGISTER_FILES_SKIP]}, 3)' \
		'IORING_REGISTER_FILES_UPDATE, {offset=1, fds=[]}, 0)' \
		'RING_FDS, [{offset=-1, data=N</dev/null>}, {offset=2147483648, data=-1}, {offset=2147483648, data=N</dev/null>}, ' \
		'RESTRICTIONS, [{opcode=0x9 /* IORING_RESTRICTION_??? */ /* op: 0xef */}], 1)' \
		'WORKERS, [[IO_WQ_BOUND]=1, [IO_WQ_UNBOUND]=2, [2 /* IO_WQ_??? */]=3] => 0x' 'WORKERS, [], 0)'; do
		sed 's/[0-9]*<\/dev/N<\/dev/g' <<<"$stderr" | grep -qF "$line" || { echo "no $line in"; echo "$stderr"; false; }
	done
	[ "$(grep RING_FDS <<<"$stderr" | grep -o '</dev/null>' | wc -l)" = 10 ] || { echo "$stderr"; false; }
	run -0 --separate-stderr syssnoop -y -e trace=sendmsg,recvmsg -- deeds fds /etc/passwd 3
	[ "$(grep -cE 'cmsg_type=SCM_RIGHTS, cmsg_data=\[([0-9]+<\/etc\/passwd>(, )?){3}\]' <<<"$stderr")" = 2 ] || { echo "$stderr"; false; }
}

@test "numbers of another pid namespace are followed by those of syssnoop's own" {
	syssnoop -f --decode-pids=pidns -e trace=kill -o out -- unshare -p -f bash -c 'kill -0 $$; exit 0'
	cat out
	line=$(grep 'kill(' out)
	[[ $line =~ ^([0-9]+)\ +kill\(1\ /\*\ ([0-9]+)\ in\ strace\'s\ PID\ NS\ \*/,\ 0\) ]] || false
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	[ "${BASH_REMATCH[1]}" -gt 1 ]
}

@test "descriptors of a process by its number in a pid namespace of its own have their paths" {
	syssnoop -f -y -e trace=kcmp -o out -- unshare -p -f newest own
	cat out
	grep -qE '^[0-9]+ +kcmp\(1, 1, KCMP_FILE, ([0-9]+)</dev/null>, \1</dev/null>\) += 0$' out || false
	grep -qE '^[0-9]+ +kcmp\(1, 2147483647, KCMP_FILE, ([0-9]+)</dev/null>, \1\) ' out || false
}

@test "--inner-pids: what a task is sent from another pid namespace does not change its own number" {
	# the signal of the stopped child is that of its parent, which then does nothing for a second
	syssnoop -f --inner-pids -e trace=none -o out -- bash -c 'unshare -p -f busybox sleep 30 & busybox sleep 1
		child=$(</proc/$!/task/$!/children); kill -STOP $child; busybox sleep 1; kill -KILL $child; wait $!; exit 0'
	cat out
	grep -qE '^[0-9]+/1 +--- SIGSTOP ' out || false
	grep -qE '^[0-9]+ +--- SIGCHLD \{.*CLD_STOPPED' out || false
	grep -qE '^[0-9]+/1 +\+\+\+ killed by SIGKILL' out || false
}
