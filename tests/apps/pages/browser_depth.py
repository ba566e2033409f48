#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the heat map of a million ranks down to each of 64, and to a timeline, by clicks, keys and taps.
Usage: browser_depth.py CHROMIUM CHROMEDRIVER WRITE_SAMPLES FOLDER"""
import os
import subprocess
import sys

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import rows, run_all, tip

PAGE = "const page = ripple.page, view = page.view, lanes = page.lanes; "


def clicks_lead_from_a_million_ranks_to_the_timeline_of_one(b):
    b.open(LARGE)
    got = b.js(PAGE + """
        return page.heat.blocks.flatMap((block) => Array.from(block.mean).flatMap((share, i) =>
            share === 0 ? [] : [[block.first + Math.floor(i / block.columns), i % block.columns,
                share]]));""")
    assert got == [[row[key] for key in ("rank", "column", "share")] for row in BLOCKS]
    few = False
    for clicks in range(20):
        first, ranks = b.js(PAGE + "return [view.r0, view.r1 - view.r0]")
        few = few or b.js(PAGE + "return page.heat.isFew()")
        if ranks <= 64:
            break
        b.click("#heat", 300, 5)
        b.wait(PAGE + "return view.r1 - view.r0 < arguments[0]", ranks)
        b.js(PAGE + "ripple.setView(view, {r0: 0, r1: view.r1 - view.r0});")  # where lanes are
        b.drawn()
    assert few and ranks == 64 and first % 64 == 0 and first < 320, (few, ranks, first, clicks)
    block = b.js(PAGE + "return page.heat.blocksShown()[0].first")
    assert block == first, (block, first)
    lane = next(rank for rank in b.js(PAGE + "return lanes.lanes().map((lane) => lane.rank)")
                if rank >= first)
    row = next(row for row in BLOCKS if row["rank"] == lane)
    where = b.js(PAGE + """
        ripple.setView(view, {t0: 0, t1: view.limits.t1});
        const time = page.heat.blocks[0].time;
        return [page.heat.x((arguments[1] + 0.5) * time), page.heat.y(arguments[0] + 0.5)];""",
                 lane, row["column"])
    b.drawn()
    b.hover("#heat", *where)
    b.wait("return !document.getElementById('tip').hidden")
    facts = tip(b)
    assert facts["rank"] == f"{lane}, drawn below", facts
    assert abs(float(facts["lost"].split()[0]) / 100 - row["share"] / 255) < 0.001, (facts, row)
    b.click("#heat", *where)
    b.wait("return document.getElementById('picked').textContent === arguments[0]",
           f"Rank {lane}: its timeline is marked below.")
    assert f"rank: {lane};" in b.find("#facts").text + ";", b.find("#facts").text
    at = b.js(PAGE + """
        const row = lanes.lanes().findIndex((lane) => lane.rank === arguments[0]);
        return document.getElementById("lanes").getBoundingClientRect().top + lanes.top +
            (row + 0.5) * lanes.laneHeight;""", lane)
    assert 0 < at < b.js("return window.innerHeight"), at


def keys_lead_there_too(b):
    b.open(LARGE)
    b.js("document.getElementById('heat').focus()")
    for presses in range(20):
        ranks = b.js(PAGE + "return view.r1 - view.r0")
        if ranks <= 64:
            break
        b.find("#heat").send_keys(Keys.ENTER)
        b.wait(PAGE + "return view.r1 - view.r0 < arguments[0]", ranks)
        b.drawn()
    assert ranks == 64 and "lost most here" in b.find("#picked").text, (ranks, presses)
    Select(b.find("#block")).select_by_value("524288")
    b.wait(PAGE + "return view.r0 === 524288 && view.r1 === 524288 + 64")
    assert b.js(PAGE + "return page.heat.blocksShown()[0].first") == 524288
    b.open(BARE)
    assert len(b.driver.find_elements("css selector", "#block")) == 0


def a_tap_goes_closer(b):
    b.open(LARGE, width=390)
    ranks = b.js(PAGE + "return view.r1 - view.r0")
    b.tap("#heat", 200, 150)
    b.wait(PAGE + "return view.r1 - view.r0 < arguments[0]", ranks)


def pictures_of_it_are_kept(b):
    for width in (1280, 390):
        b.open(LARGE, width=width, dark=width == 390)
        Select(b.find("#block")).select_by_value("524288")
        b.drawn()
        b.shot(f"block-{width}")


if len(sys.argv) < 5:
    sys.exit(__doc__)
FOLDER = sys.argv[4]
subprocess.run([sys.argv[3], FOLDER], check=True)
LARGE, BARE = (os.path.join(FOLDER, f"{name}.html") for name in ("large", "bare"))
BLOCKS = rows(FOLDER, "blocks.csv")
run_all(globals(), FOLDER)
