#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of real runs: what a browser finds in them is what the same command prints.
Usage: browser_runs.py CHROMIUM CHROMEDRIVER RIPPLE FOLDER"""
import csv
import json
import os
import subprocess
import sys

from chromium import looks, run_all

PROGRAM = ["pattern:stencil1d,calc=1ms*60", "--noise=altix", "--inject=rank=32,at=5ms,for=6ms"]
MINED = ["pattern:stencil1d,calc=1ms*100", "--ranks=64", "--noise=altix+fixed:100Hz:300us"]
PAGE = "const page = ripple.page; "


def ripple(*arguments):
    done = subprocess.run([RIPPLE, *arguments, "--quiet"], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8")
    return done.stdout


def table(name):
    text = ripple("view", *PROGRAM, f"--table={name}", "--format=csv")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def ps(text):
    """Of nanoseconds, without rounding."""
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


def slices_are_those_of_the_table(b):
    b.open(VIEW)
    got = b.js(PAGE + """
        return page.lanes.all.flatMap((lane) => Array.from(lane.begin, (begin, i) => [lane.rank,
            begin, lane.end[i], ripple.STATES[lane.kind[i]].name,
            lane.other[i] === 0 ? "" : String(lane.rank + lane.other[i]), String(lane.op[i])]));""")
    wanted = [[int(row["rank"]), ps(row["begin_ns"]), ps(row["end_ns"]), row["state"],
               row["from_rank"], row["operation"]] for row in table("slices")]
    assert len(got) == len(wanted) > 10000, (len(got), len(wanted))
    for one, other in zip(got, wanted):
        assert one == other or (one[:5] == other[:5] and one[5] == "-1"), (one, other)


def cells_are_those_of_the_table(b):
    b.open(VIEW)
    got = b.js(PAGE + """
        return page.data.heat.levels.flatMap((level, l) => Array.from(level.mean).flatMap((mean, i) =>
            mean === 0 ? [] : [[l, Math.floor(i / level.columns) * level.ranks,
                i % level.columns * level.time, mean / 255, level.most[i] / 255]]));""")
    rows = [[int(row["level"]), int(row["first_rank"]), ps(row["from_ns"]), float(row["share"]),
             float(row["worst_share"])] for row in table("heat")]
    assert len(got) == len(rows) > 1000, (len(got), len(rows))
    for one, other in zip(got, rows):
        assert one[:3] == other[:3], (one, other)
        assert abs(one[3] - other[3]) < 1e-4 and abs(one[4] - other[4]) < 1e-4, (one, other)


def messages_and_path_are_those_of_the_tables(b):
    b.open(VIEW)
    got = b.js(PAGE + "const m = page.data.messages; return Array.from(m.from, (from, i) =>"
               "[from, m.to[i], m.sent[i], m.received[i], m.bytes[i]])")
    assert got == [[int(row["from_rank"]), int(row["to_rank"]), ps(row["sent_ns"]),
                    ps(row["received_ns"]), int(row["bytes"])] for row in table("messages")]
    got = b.js(PAGE + "const p = page.data.path; return Array.from(p.rank, (rank, i) =>"
               "[rank, p.begin[i], p.begin[i] + p.length[i], p.noise[i]])")
    assert got == [[int(row["rank"]), ps(row["begin_ns"]), ps(row["end_ns"]), ps(row["noise_ns"])]
                   for row in table("path")]


def the_line_through_the_front_has_the_fitted_speed(b):
    b.open(VIEW)
    lines = b.js(PAGE + "return page.data.wave.lines.map((l) => [l.t0, l.r0, l.t1, l.r1])")
    speeds = {int(row["direction"]): float(row["ranks_per_s"]) for row in table("wave")}
    assert len(lines) == len(speeds) == 2
    for t0, r0, t1, r1 in lines:
        speed = (r1 - r0) / (t1 - t0) * 1e12
        direction = 1 if max(r0, r1) > 32 else -1
        assert abs(abs(speed) / speeds[direction] - 1) < 1e-6, (speed, speeds)
    front = [[int(row["rank"]), ps(row["arrived_ns"])] for row in table("front")]
    assert b.js(PAGE + "const w = page.data.wave; return w.rank.map((rank, i) =>"
                "[rank, w.time[i]])") == front


def rows_of_the_miner_are_those_of_its_json(b):
    b.open(MINE)
    found = json.loads(ripple("mine", *MINED, "--format=json"))["noise_found"]
    got = b.js(PAGE + "return page.data.rows.map((row) => row.values)")
    for values in got:  # what came all the time sorts behind all that began later
        values[7] = values[7] if values[7] < 9e18 else None
    assert len(found) > 0 and got == [
        [row["t_noise_ps"], row["low_ps"], row["occurrences"], row["period_ps"],
         row["period_confidence"], row["share"], row["num_ranks"],
         row.get("when", {}).get("from_ps"), row["label"]] for row in found]
    assert len(b.driver.find_elements("css selector", "#rows tbody tr")) == len(found)


def pictures_of_them_are_kept(b):
    for look, name in looks():
        for page, path in (("run", VIEW), ("mined", MINE)):
            b.open(path, **look)
            assert b.js("return document.documentElement.scrollWidth") == look["width"]
            assert not b.small_texts(), b.small_texts()
            b.shot(f"{page}-{name}")
    assert b.complaints() == []


if len(sys.argv) < 5:
    sys.exit(__doc__)
RIPPLE, FOLDER = sys.argv[3:5]
os.makedirs(FOLDER, exist_ok=True)
VIEW, MINE = os.path.join(FOLDER, "run.html"), os.path.join(FOLDER, "mined.html")
ripple("view", *PROGRAM, f"--page={VIEW}")
ripple("mine", *MINED, f"--report={MINE}")
run_all(globals(), FOLDER)
