# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# tracefs.bash - what is done where there is no tracefs, as in a container: `load tracefs`.

# Becomes COMMAND, in a mount namespace of its own. Status 99: it could not be unmounted.
without_tracefs() { # COMMAND…
	exec unshare -m sh -c 'umount -l /sys/kernel/debug /sys/kernel/tracing 2>/dev/null
		[ ! -e /sys/kernel/tracing/trace ] || exit 99; exec "$@"' sh "$@"
}
