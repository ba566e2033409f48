# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in a headless Chromium, for the tests browser_*.py. Nothing here waits for a time to pass:
what a test waits for is a condition."""
import base64
import csv
import os
import sys
import tempfile
import time
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 60  # s, of a machine that does much else


class Browser:
    def __init__(self, chromium, chromedriver, shots):
        self.shots = shots
        os.makedirs(shots, exist_ok=True)
        options = Options()
        options.binary_location = chromium
        self.profile = tempfile.TemporaryDirectory(prefix="ripple-chromium-")
        for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--no-first-run", f"--user-data-dir={self.profile.name}"):
            options.add_argument(each)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(chromedriver), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """Until the script returns something that is true, which is returned."""
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(
            lambda _: self.js(script, *arguments), f"never true: {script}")

    def drawn(self):
        """Until what was asked for is on the canvas: two frames later."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def size(self, width, height=900, mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": mobile})

    def dark(self, on):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}]})

    def open(self, path, width=1280, dark=False):
        self.size(width, mobile=width < 500)
        self.dark(dark)
        self.driver.get("file://" + os.path.abspath(path))
        ready = self.wait("return document.documentElement.dataset.ready")
        assert ready == "yes", self.js("return document.getElementById('said').textContent")
        self.drawn()

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def actions(self):
        return ActionChains(self.driver, duration=0)

    def scroll_to(self, css, y=0):
        """Such that what is y px below the upper end of the element is in the window's middle."""
        self.js("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                "window.scrollBy(0, box.top + arguments[1] - window.innerHeight / 2);", css, y)

    def at(self, css, x, y):
        """Where in the window a place of an element is."""
        self.scroll_to(css, y)
        left, top = self.js("const box = document.querySelector(arguments[0])"
                            ".getBoundingClientRect(); return [box.left, box.top];", css)
        return left + x, top + y

    def mouse(self, kind, x, y, **more):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                                    {"type": kind, "x": x, "y": y, **more})

    def hover(self, css, x, y):
        x, y = self.at(css, x, y)
        self.mouse("mouseMoved", x, y)

    def click(self, css, x, y):
        x, y = self.at(css, x, y)
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def tap(self, css, x, y):
        x, y = self.at(css, x, y)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent",
                                        {"type": kind, "touchPoints": points})

    def drag(self, css, x, y, by):
        x, y = self.at(css, x, y)
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1)
        for part in (0.3, 0.7, 1):
            self.mouse("mouseMoved", x + part * by, y, button="left", buttons=1)
        self.mouse("mouseReleased", x + by, y, button="left", clickCount=1)

    def wheel(self, css, x, y, by, ctrl=False):
        x, y = self.at(css, x, y)
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by, modifiers=2 if ctrl else 0)

    def pinch(self, css, x, y, wide):
        """Two fingers, 40 px apart at first, `wide` px at last."""
        x, y = self.at(css, x, y)

        def touch(kind, apart):
            points = [] if kind == "touchEnd" else [
                {"x": x - apart / 2, "y": y, "id": 1}, {"x": x + apart / 2, "y": y, "id": 2}]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent",
                                        {"type": kind, "touchPoints": points})
        touch("touchStart", 40)
        for part in (0.5, 1):
            touch("touchMove", 40 + part * (wide - 40))
        touch("touchEnd", wide)

    def shot(self, name):
        """The whole page as a picture, kept as output of the test."""
        height = self.js("window.scrollTo(0, 0);"
                         "return document.documentElement.scrollHeight")
        width = self.js("return document.documentElement.clientWidth")
        got = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1}})
        with open(os.path.join(self.shots, f"{name}.png"), "wb") as file:
            file.write(base64.b64decode(got["data"]))

    def complaints(self):
        """What the browser has said against the page since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def small_texts(self):
        """Visible texts with letters of less than 12 px."""
        return self.js("""
            const found = [];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let text; (text = walk.nextNode());) {
                const parent = text.parentElement, box = parent.getBoundingClientRect();
                if (text.textContent.trim() !== "" && box.width > 0 &&
                    !["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.tagName) &&
                    parseFloat(getComputedStyle(parent).fontSize) < 12) {
                    found.push(`${text.textContent.trim()} (${getComputedStyle(parent).fontSize})`);
                }
            }
            return found;""")


def tip(browser):
    """The facts beside the pointer, by name."""
    return browser.js("""
        const box = document.getElementById("tip");
        return box.hidden ? null : Object.fromEntries(Array.from(box.children, (line) =>
            [line.firstChild.textContent, line.lastChild.textContent.trim()]));""")


def picoseconds(text):
    number, unit = text.split() if " " in text else (text, "ps")
    return round(float(number) * {"ps": 1, "ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12}[unit])


def run(tests, browser):
    """All of them, whatever the others do; a picture of what failed. Returns an exit status."""
    failed = 0
    for test in tests:
        try:
            browser.complaints()
            begin = time.monotonic()
            test(browser)
            print(f"passed: {test.__name__.replace('_', ' ')} ({time.monotonic() - begin:.1f} s)",
                  flush=True)
        except Exception:  # of any kind: the next test shall run
            failed += 1
            print(f"FAILED: {test.__name__.replace('_', ' ')}", flush=True)
            traceback.print_exc(file=sys.stdout)
            try:
                browser.shot(f"failed-{test.__name__}")
            except Exception as error:
                print(f"and there is no picture of it: {error}")
    print(f"{len(tests) - failed} of {len(tests)} passed; pictures are in {browser.shots}")
    return 1 if failed else 0


def rows(folder, name):
    """Of a table of whole numbers, as dictionaries."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]


def looks():
    """Every width and colour scheme that a page has to be looked at in, and how to call it."""
    return [({"width": width, "dark": dark}, f"{width}-{'dark' if dark else 'light'}")
            for width in (1280, 390) for dark in (False, True)]


def run_all(module, folder):
    """All tests of a script (functions of a browser, b), in order, with the browser of its
    command line; the process ends."""
    tests = [each for each in module.values()
             if callable(each) and getattr(each, "__code__", None) and
             each.__code__.co_varnames[:1] == ("b",)]
    browser = Browser(sys.argv[1], sys.argv[2], os.path.join(folder, "pictures"))
    try:
        sys.exit(run(tests, browser))
    finally:
        browser.close()
