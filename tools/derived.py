# SPDX-License-Identifier: GPL-2.0-only
"""derived.py - for docs and pages, which write documents from what coretap says."""
import difflib
import os
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
WIDTH = 120


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def coretap(*words):
    """What it prints, without the recipes of whoever builds."""
    env = {name: value for name, value in os.environ.items() if name != "XDG_CONFIG_HOME"} | {"HOME": "/nonexistent"}
    return subprocess.run([f"{BUILD}/coretap", *words], check=True, capture_output=True, text=True, env=env).stdout


def plain(text):
    """Text as it was before it became roff."""
    for roff, char in ((r"\-", "-"), (r"\(aq", "'"), (r"\&", ""), (r"\:", ""), (r"\[u2026]", "…"), (r"\e", "\\"),
                       (r"\(ha", "^"), (r"\(ti", "~"), (r"\(ga", "`"), (r"\fB", ""), (r"\fI", ""), (r"\fR", "")):
        text = text.replace(roff, char)
    return text


def put(path, before, after, is_check):
    """Writes a document if it changed, or removes it if nothing is left; with is_check shows the change instead. Returns
    whether it changed."""
    if before == after:
        return False
    if is_check:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), path, path))
    elif after:
        with open(path, "w", encoding="utf-8") as file:
            file.write(after)
        print(f"{os.path.basename(sys.argv[0])}: {path}")
    else:
        os.remove(path)
    return True
