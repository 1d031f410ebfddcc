# SPDX-License-Identifier: GPL-2.0-only
"""browser.py - a headless Chromium, driven through a pipe (--remote-debugging-pipe): no other library is needed.

Messages are JSON, each ended by a NUL (Chrome DevTools Protocol)."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """Returns the path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, dark=False):
        self.folder = tempfile.TemporaryDirectory()
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()
        # 3 and 4 are what the browser reads and writes
        line = 'exec 3<&%d 4>&%d; exec "$@"' % (to_read, from_write)
        options = ["--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars",
                   "--user-data-dir=" + self.folder.name, "about:blank"]
        if os.getuid() == 0:
            options.insert(0, "--no-sandbox")  # it refuses to run as root with one
        self.process = subprocess.Popen(["bash", "-c", line, "bash", find(), *options], pass_fds=(to_read, from_write),
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.said = 0, b"", []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Runtime.enable")
        self.ask("Log.enable")
        self.ask("Page.enable")
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Emulation.setDeviceMetricsOverride", width=1200, height=700, deviceScaleFactor=1, mobile=False)

    session, loaded = None, False

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 65536)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        self.number += 1
        text = {"id": self.number, "method": method, "params": params}
        if self.session:
            text["sessionId"] = self.session
        os.write(self.to, json.dumps(text).encode() + b"\0")
        while True:
            got = self.message()
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError("%s: %s" % (method, got["error"]))
                return got["result"]
            self.note(got)

    def note(self, event):
        """Remembers what a page should never say: errors, dialogs."""
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.said.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.said.append(params["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Page.javascriptDialogOpening":
            self.said.append("dialog: " + params["message"])

    def open(self, url):
        self.loaded = False
        self.ask("Page.navigate", url=url)
        while not self.loaded:
            self.note(self.message())

    def run(self, script):
        """Returns the value of an expression in the page."""
        got = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(script + ": " + str(got["exceptionDetails"]))
        return got["result"].get("value")

    def wait(self, script, seconds=10):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise AssertionError("not within %d s: %s\n%s" % (seconds, script, self.run("document.body.innerText")[:2000]))
            time.sleep(0.05)

    def key(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **({"text": text} if text and kind == "keyDown" else {}))

    def type(self, text):
        for c in text:
            self.key(c, c)

    def click(self, script):
        """Clicks the middle of an element."""
        x, y = self.run("(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })(%s)" % script)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.session = None
            self.ask("Browser.close")
        except (EOFError, OSError):
            pass
        os.close(self.to)
        os.close(self.answers)
        self.process.wait()
        self.folder.cleanup()
