#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --openmetrics and --listen on the command line: what they take, and what they exclude.

bats_require_minimum_version 1.5.0
load refused

@test "--listen takes a port, with an address or not" {
	local text
	for text in x 0 65536 -1 1.2.3.4 1.2.3.4: :9435 1.2.3:9435 1.2.3.4:9435x localhost:9435 ::1:9435 '[::1]' '[::1]9435' \
		'[1.2.3.4]:9435' '[::1:9435' "[$(printf '1%.0s' {1..60})]:9435" 127.0.0.1:99999999999999999999; do
		wrong '--listen takes PORT, ADDRESS:PORT or [ADDRESS]:PORT' opensnoop --listen "$text"
	done
	for text in 9435 127.0.0.1:9435 0.0.0.0:1 '[::1]:9435' '[::]:65535'; do
		run "$build/opensnoop" --listen "$text" --btf /none --dry-run
		[[ $output == *"cannot read the kernel's types from /none"* ]] || { echo "$text: $output"; false; }
	done
}

@test "metrics only grow: what they exclude" {
	wrong 'exclude --clear' opensnoop --count --interval 1 --clear --listen 9435
	wrong 'exclude --clear' argdump --hist count vfs_read --svg x.svg --openmetrics x.prom
	wrong 'exclude --clear' argdump --hist count vfs_read --heatmap --openmetrics x.prom
	wrong 'stacks are no metrics' argdump --folded vfs_read --openmetrics x.prom
	wrong 'it is empty' opensnoop --openmetrics ''
}
