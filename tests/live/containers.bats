#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --container, --with-container and --as. The containers are cgroups with the names that runtimes give them.

bats_require_minimum_version 1.5.0
load wait

ID=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
OTHER=0123ffff89abcdef0123456789abcdef0123456789abcdef0123456789abcdef
HOSTILE=$'lxc.payload.new\tline\e[31m'

# The job: an open, which fails, of /nowhere/NAME from each cgroup, and from none.
work() {
	local cg
	for cg in "$A" "$B" "$H" /sys/fs/cgroup; do
		echo $$ >"$cg/cgroup.procs"
		true 2>/dev/null <"/nowhere/${cg##*/}"
	done
	true
}

traced() { # TOOL OPTION…
	"$@" -- /usr/bin/bash -c "$(declare -p A B H); $(declare -f work); work"
}

setup_file() {
	export A=/sys/fs/cgroup/system.slice/docker-$ID.scope B=/sys/fs/cgroup/kubepods/$OTHER
	export H=/sys/fs/cgroup/$HOSTILE W=$BATS_FILE_TMPDIR
	mkdir -p "$A" "$B" "$H"
	traced opensnoop --path '/nowhere/*' -j --with-container -o "$W/json" 2>"$W/err"
	traced opensnoop --path '/nowhere/*' --with-container -o "$W/text" 2>>"$W/err"
}

teardown_file() {
	rmdir "$A" "$B" "$H"
}

@test "--with-container: JSON has the id, or the name" {
	[[ $(jq -c .container "$W/json") == "\"$ID\"
\"$OTHER\"
\"new\\tline\\u001b[31m\"
null" ]] || { cat "$W/json" "$W/err"; false; }
}

@test "--with-container: a column, an id is cut, foreign bytes are escaped" {
	grep -q 'CONTAINER' "$W/text"
	[[ $(wc -l <"$W/text") == 5 ]]
	grep -q " ${ID:0:12} .*/nowhere/docker-" "$W/text"
	grep -qF ' new\tline\x1b[31m ' "$W/text" || { cat "$W/text"; false; }
	run ! grep -q $'\e' "$W/text"
}

@test "--container: by the id's first digits, several, by name, with argdump's column" {
	traced opensnoop --path '/nowhere/*' -j --container ${ID:0:12} -o "$W/one"
	[[ $(jq -r .path "$W/one") == "/nowhere/docker-$ID.scope" ]]
	traced opensnoop --path '/nowhere/*' -j --container ${ID:0:12} --container ${OTHER:0:5} -o "$W/two"
	[[ $(wc -l <"$W/two") == 2 ]]
	traced argdump -j --container $'new\tline\e[31m' --container $ID --with-container do_sys_openat2 filename:ustr \
		--if 'filename ~ "/nowhere/*"' -o "$W/arg"
	[[ $(jq -c '[.container, .args.filename]' "$W/arg") == "[\"$ID\",\"/nowhere/docker-$ID.scope\"]
[\"new\\tline\\u001b[31m\",\"/nowhere/lxc.payload.new\\tline\\u001b[31m\"]" ]] || { cat "$W/arg"; false; }
}

@test "--container: none such, several such, a name that only docker knows" {
	run -1 opensnoop --container 0123456789abcde0 -d 1
	[[ $output == *"no container '0123456789abcde0'"* ]]
	run -1 opensnoop --container 0123 -d 1
	[[ $output == *'several containers'*'more digits'* ]]
	mkdir -p /var/lib/docker/containers/$ID
	echo "{\"ID\":\"$ID\",\"Name\":\"/web\"}" >/var/lib/docker/containers/$ID/config.v2.json
	traced opensnoop --path '/nowhere/*' -j --container web -o "$W/web"
	[[ $(jq -r .path "$W/web") == "/nowhere/docker-$ID.scope" ]]
}

@test "--as: user, groups and environment of the command" {
	echo 'joe:x:1234:1235:Joe:/home/joe:' >>/etc/passwd
	printf '%s\n' 'joes:x:1235:' 'disk:x:6:mary,joe' 'tty:x:5:mary' >>/etc/group
	# shellcheck disable=SC2016
	run -0 execsnoop -o /dev/null --as joe -- /usr/bin/bash -c \
		'while read -r k v; do case $k in Uid:|Gid:|Groups:) echo $k $v;; esac; done </proc/self/status; echo $USER $LOGNAME $HOME $SHELL'
	[[ $output == "Uid: 1234 1234 1234 1234
Gid: 1235 1235 1235 1235
Groups: 6 1235
joe joe /home/joe /bin/sh" ]] || { echo "$output"; false; }
	run -1 execsnoop --as nobody-such -- true
	[[ $output == *"unknown user 'nobody-such'"* ]]
}
