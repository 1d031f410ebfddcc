# SPDX-License-Identifier: GPL-2.0-only
# What Google's "Trace Event Format" asks of an array of events: `include "trace_rules"; trace_errors`
# is a list of what is wrong.

def rule(name; ok): if ok then empty else name end;

def event_errors:
	rule("name"; .name | type == "string"),
	rule("ph"; .ph | IN("X", "i", "b", "e", "M")),
	rule("ts"; .ts | type == "number" and . >= 0),
	rule("pid"; .pid | type == "number"),
	rule("tid"; .tid | type == "number"),
	(if .ph == "X" then rule("dur"; .dur | type == "number" and . >= 0) else empty end),
	(if .ph == "i" then rule("scope"; .s | IN("t", "p", "g")) else empty end),
	(if .ph == "b" or .ph == "e" then rule("id"; (.id | type == "string") and (.cat | type == "string"))
		else empty end),
	(if .ph == "M" then rule("args"; .args | type == "object") else empty end);

# Of one thread, complete events are one inside the other, or one after the other. Times have three
# digits behind the point.
def nesting_errors:
	map(select(.ph == "X")) | group_by([.pid, .tid])[] | sort_by(.ts, -.dur) |
	reduce .[] as $e ({open: [], bad: []};
		.open |= map(select(. > $e.ts + 0.0005)) |
		if .open | length > 0 and (last + 0.0005) < $e.ts + $e.dur
		then .bad += ["nesting of \($e.name) at \($e.ts)"] else . end |
		.open += [$e.ts + $e.dur]) | .bad[];

# Each asynchronous event has one begin and one end, in this order.
def async_errors:
	map(select(.ph == "b" or .ph == "e")) | group_by([.cat, .id])[] |
	rule("pair \(.[0].id)"; length == 2 and .[0].ph == "b" and .[1].ph == "e" and .[0].ts <= .[1].ts);

def trace_errors:
	[rule("array"; type == "array"),
	 (to_entries[] | .key as $i | .value | event_errors | "\($i): \(.)"),
	 nesting_errors, async_errors];
