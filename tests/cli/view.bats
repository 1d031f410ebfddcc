#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The page of --listen in a headless browser, with events that a program replays (tests/view). Nothing is traced.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	build=$PWD/${BUILD:-build}
	[[ $(type -P chromium-headless-shell chromium chromium-browser google-chrome) ]] ||
		skip "there is no browser (chromium-headless-shell)"
}

page() { tests/view/page "$build/tests/view/replay" "$1"; } # CASE

@test "rows are shown, the newest first, with the numbers of the run" { page rows; }
@test "the newest 5,000 rows are kept" { page bounded; }
@test "/ leads to the filter, and Esc away from it" { page chosen; }
@test "space stops what is shown, not what is kept" { page paused; }
@test "a click on a title sorts" { page ordered; }
@test "what was lost, and what was not sent, is in sight" { page losses; }
@test "histograms are bars, and heat maps over time" { page histogram; }
@test "the rows of a report are a table that is updated" { page table; }
@test "maps of a program are a table and histograms" { page maps; }
@test "stacks are a flame graph that zooms and finds" { page flame; }
@test "hostile names never become markup" { page hostile; }
@test "the browser runs nothing but the page's own script" { page policy; }
