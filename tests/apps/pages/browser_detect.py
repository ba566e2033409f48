#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of `ripple detect`: what a browser finds in them is what the same command prints.
Usage: browser_detect.py CHROMIUM CHROMEDRIVER RIPPLE FOLDER"""
import json
import os
import random
import shutil
import subprocess
import sys

from chromium import Browser, run

RANKS, STEPS, STRUCK = 8, 400, range(150, 300)  # rank 3 computes 4 ms longer in these steps


def ripple(*arguments):
    done = subprocess.run([RIPPLE, *arguments, "--quiet"], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8")
    return done.stdout


def record(folder, seed, struck):
    """A ring that never ran: liballprof's files, us."""
    draw = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    lines = [["# htor's PMPI Tracer 0.1 Output File", "# time: never", "# hostname: here.there",
              "# uname: Linux", "MPI_Init:-:1:1:1000"] for _ in range(RANKS)]
    now = [1000] * RANKS
    for step in range(STEPS):
        sent = []
        for r in range(RANKS):
            enter = now[r] + 4000 + draw.randrange(80) + (4000 if r == 3 and step in struck else 0)
            sent.append(enter + 2)
            lines[r].append(f"MPI_Send:{enter}:64:1024:12,1,1:{(r + 1) % RANKS}:0:900,{r},{RANKS}:"
                            f"{sent[r]}")
        for r in range(RANKS):
            left, enter = (r - 1) % RANKS, sent[r] + 1
            now[r] = max(enter, sent[left] + 4) + 1
            lines[r].append(f"MPI_Recv:{enter}:64:1024:12,1,1:{left}:0:900,{r},{RANKS}:0:{now[r]}")
    for r in range(RANKS):
        lines[r].append(f"MPI_Finalize:{now[r] + 10}:-")
        with open(os.path.join(folder, f"pmpi-trace-rank-{r}.txt"), "w", encoding="ascii") as file:
            file.write("\n".join(lines[r]) + "\n")


def open_report(b, width=1280, dark=False):
    b.size(width, mobile=width < 500)
    b.dark(dark)
    b.driver.get("file://" + os.path.abspath(os.path.join(REPORT, "report.html")))
    b.wait("return document.readyState === 'complete'")
    b.drawn()


def rows_are_those_of_the_json(b):
    open_report(b)
    got = b.js("return Array.from(document.querySelector('table').tBodies[0].rows, (row) =>"
               "[row.cells[0].textContent, row.cells[1].textContent]);")
    wanted = sorted(([str(each["rank"]), each["verdict"]] for each in FOUND["ranks"]),
                    key=lambda each: (each[1] != "disturbed", int(each[0])))
    assert got == wanted and got[0] == ["3", "disturbed"], (got, wanted)


def sentences_are_those_of_the_json(b):
    open_report(b)
    text = b.js("return document.body.textContent")
    for each in FOUND["findings"] + FOUND["notes"]:
        assert each in text, each


def the_signals_are_drawn(b):
    open_report(b)
    shown = b.js("return Array.from(document.querySelectorAll('svg')).filter((svg) =>"
                 "svg.getBoundingClientRect().width > 0).length")
    links = b.js("return Array.from(document.querySelectorAll('a[href$=csv]'), (a) =>"
                 "a.getAttribute('href'))")
    assert "metric-by-rank.csv" in links and "ils-rank-3.csv" in links, links
    assert shown == (2 if shutil.which("gnuplot") else 0), shown


def what_was_disturbed_is_marked_on_the_time_line(b):
    b.open(EXPLAIN)
    marked = b.js("const [lane] = ripple.page.lanes.all; return [lane.rank, Array.from("
                  "lane.component, (c, i) => c > 0 ? lane.end[i] - lane.begin[i] : 0)"
                  ".filter((length) => length > 6e9).length]")
    assert marked[0] == 3 and abs(marked[1] - len(STRUCK)) < 15, marked
    assert "disturbed from" in b.js("return document.body.textContent")


def pictures_of_them_are_kept(b):
    for width in (1280, 390):
        for dark in (False, True):
            look = f"{width}-{'dark' if dark else 'light'}"
            open_report(b, width, dark)
            assert b.js("return document.documentElement.scrollWidth") == width
            b.shot(f"detect-{look}")
            b.open(EXPLAIN, width=width, dark=dark)
            assert b.js("return document.documentElement.scrollWidth") == width
            b.shot(f"explain-{look}")
    assert b.complaints() == []


if len(sys.argv) < 5:
    sys.exit(__doc__)
RIPPLE, FOLDER = sys.argv[3:5]
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
CLEAN, TODAY = os.path.join(FOLDER, "clean"), os.path.join(FOLDER, "today")
MODEL, REPORT = os.path.join(FOLDER, "ring.model"), os.path.join(FOLDER, "report")
EXPLAIN = os.path.join(FOLDER, "rank3.html")
for number in (1, 2):
    record(CLEAN + str(number), number, [])
record(TODAY, 3, STRUCK)
ripple("detect", "learn", CLEAN + "1", CLEAN + "2", "-o", MODEL)
FOUND = json.loads(ripple("detect", "score", MODEL, TODAY, "--format=json", f"--report={REPORT}",
                          "--explain=3", f"--page={EXPLAIN}"))["runs"][0]
TESTS = [each for name, each in list(globals().items())
         if callable(each) and getattr(each, "__code__", None) and
         each.__code__.co_varnames[:1] == ("b",) and each is not open_report]
BROWSER = Browser(sys.argv[1], sys.argv[2], os.path.join(FOLDER, "pictures"))
try:
    sys.exit(run(TESTS, BROWSER))
finally:
    BROWSER.close()
