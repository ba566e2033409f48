#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a run, as its readers meet it: what the page shows is read back and compared with the
CSV of what went in. Usage: browser_view.py CHROMIUM CHROMEDRIVER WRITE_SAMPLES FOLDER [--speed]

--speed: fails if the page is slower than it should be on an idle machine; else it is only said."""
import os
import statistics
import subprocess
import sys

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import looks, picoseconds, rows, run_all, tip

FIRST_PICTURE, FRAME = 1000, 1000 / 60  # ms
DETOUR = 5
PAGE = "const page = ripple.page, view = page.view, lanes = page.lanes; "


def view(browser):
    return browser.js(PAGE + "return [view.t0, view.t1, view.r0, view.r1]")


def place(browser, rank, time):
    """Where on the timelines a rank is at a time."""
    return browser.js(PAGE + """
        const row = lanes.lanes().findIndex((lane) => lane.rank === arguments[0]);
        return [lanes.x(arguments[1]), lanes.top + (row + 0.5) * lanes.laneHeight];""", rank, time)


def all_slices_are_those_that_went_in(b):
    b.open(PATH)
    got = b.js(PAGE + """
        return lanes.all.flatMap((lane) => Array.from(lane.begin, (begin, i) => [lane.rank, begin,
            lane.end[i], lane.kind[i], lane.other[i] === 0 ? -1 : lane.rank + lane.other[i],
            lane.op[i]]));""")
    wanted = [[row[key] for key in ("rank", "begin_ps", "end_ps", "kind", "from", "op")]
              for row in SLICES]
    assert len(got) == len(wanted) > 20000, (len(got), len(wanted))
    assert got == wanted, next(pair for pair in zip(got, wanted) if pair[0] != pair[1])


def all_cells_are_those_that_went_in(b):
    b.open(PATH)
    got = b.js(PAGE + """
        return page.data.heat.levels.flatMap((level, l) => Array.from(level.mean).flatMap((mean, i) =>
            mean === 0 ? [] : [[l, Math.floor(i / level.columns), i % level.columns, mean,
                level.most[i], Math.floor(i / level.columns) * level.ranks + level.worst[i] - 1]]));""")
    wanted = [[row[key] for key in ("level", "row", "column", "mean", "most", "worst")]
              for row in HEAT]
    assert got == wanted and len(got) > 5000, (len(got), len(wanted))


def hovering_tells_what_is_there(b):
    b.open(PATH)
    b.js(PAGE + "ripple.setView(view, {t0: 1e9, t1: 1.2e9});")
    b.drawn()
    told = 0
    for row in [r for r in SLICES if r["rank"] == 50 and 1e9 < r["begin_ps"] < 1.15e9]:
        if row["end_ps"] - row["begin_ps"] < 1.5e6:
            continue  # a few pixels: another detour may be nearer
        b.hover("#lanes", *place(b, 50, (row["begin_ps"] + row["end_ps"]) / 2))
        b.wait("return !document.getElementById('tip').hidden")
        facts = tip(b)
        assert int(facts["rank"]) == 50, facts
        assert picoseconds(facts["begin"]) == row["begin_ps"], (facts, row)
        assert picoseconds(facts["length"]) == row["end_ps"] - row["begin_ps"], (facts, row)
        assert ("for" in facts) == (row["from"] >= 0), (facts, row)
        told += 1
    assert told > 10, told
    b.hover("h1", 1, 1)
    b.wait("return document.getElementById('tip').hidden")


def hovering_on_the_heat_map_tells_its_cell(b):
    b.open(PATH)
    for row in [r for r in HEAT if r["level"] == 0][:: 400]:
        x, y = b.js(PAGE + """
            const level = page.data.heat.levels[0];
            ripple.setView(view, {t0: arguments[1] * level.time - 1e9, t1: arguments[1] * level.time
                + 1e9, r0: arguments[0] * level.ranks - 8, r1: arguments[0] * level.ranks + 8});
            return [page.heat.x((arguments[1] + 0.5) * level.time),
                page.heat.y((arguments[0] + 0.5) * level.ranks)];""", row["row"], row["column"])
        b.drawn()
        b.hover("#heat", x, y)
        b.wait("return !document.getElementById('tip').hidden")
        facts = tip(b)
        assert facts["ranks"] == f"{4 * row['row']} to {4 * row['row'] + 3}", (facts, row)
        mean = float(facts["lost, mean"].split()[0]) / 100
        assert abs(mean - row["mean"] / 255) < 0.001, (facts, row)
        assert facts["worst"].startswith(f"rank {row['worst']}"), (facts, row)


def a_detour_below_a_pixel_keeps_its_pixel(b):
    b.open(PATH)
    for box in ("show-path", "show-messages"):
        b.find(f"#{box}").click()
    b.drawn()
    detours = [r for r in SLICES if r["kind"] == DETOUR][:: 17]
    missing = b.js(PAGE + """
        const context = document.getElementById("lanes").getContext("2d");
        return arguments[0].filter(([rank, begin]) => {
            const row = lanes.lanes().findIndex((lane) => lane.rank === rank);
            const y = Math.round(lanes.top + (row + 0.5) * lanes.laneHeight);
            const pixel = context.getImageData(Math.floor(lanes.x(begin)), y, 1, 1).data;
            return pixel[0] !== 0xd5 || pixel[1] !== 0x5e || pixel[2] !== 0;
        });""", [[r["rank"], r["begin_ps"]] for r in detours])
    width = b.js(PAGE + "return (view.t1 - view.t0) / lanes.width")
    assert width > 5 * (detours[0]["end_ps"] - detours[0]["begin_ps"]), width
    assert not missing and len(detours) > 20, (len(missing), len(detours))


def thin_slices_become_shares_of_a_column(b):
    b.open(PATH)
    kinds = b.js(PAGE + "return Array.from(ripple.laneSums(lanes.all[3], 1.0003e9, 3.7001e9))")
    wanted = [0] * len(kinds)
    rank = b.js(PAGE + "return lanes.all[3].rank")
    for row in [r for r in SLICES if r["rank"] == rank]:
        wanted[row["kind"]] += max(0, min(row["end_ps"], 3700100000) -
                                   max(row["begin_ps"], 1000300000))
    assert all(abs(a - c) < 1 for a, c in zip(kinds, wanted)), (kinds, wanted)


def the_wheel_zooms_where_the_pointer_is(b):
    b.open(PATH)
    before, time = view(b), 2.5e9
    b.wheel("#lanes", *place(b, 100, time), -240)  # not clicked, no Ctrl: the page scrolls
    b.drawn()
    assert view(b) == before, view(b)
    x, y = place(b, 100, time)
    b.wheel("#lanes", x, y, -240, ctrl=True)
    b.wait(PAGE + "return view.t1 - view.t0 < arguments[0]", 0.8 * (before[1] - before[0]))
    b.drawn()
    pixel = b.js(PAGE + "return (view.t1 - view.t0) / lanes.width")
    assert abs(b.js(PAGE + "return lanes.timeAt(arguments[0])", x) - time) < 3 * pixel
    assert view(b)[2:] == before[2:]


def dragging_moves_what_is_shown(b):
    b.open(PATH)
    b.js(PAGE + "ripple.setView(view, {t0: 2e9, t1: 3e9});")
    b.drawn()
    pixel = b.js(PAGE + "return (view.t1 - view.t0) / lanes.width")
    b.drag("#lanes", 400, 200, 120)
    b.wait(PAGE + "return view.t0 < 2e9")
    b.drawn()
    assert abs(view(b)[0] - (2e9 - 120 * pixel)) < 3 * pixel, view(b)
    assert abs(view(b)[1] - view(b)[0] - 1e9) < 10, view(b)


def two_fingers_zoom(b):
    b.open(PATH, width=390)
    before = view(b)
    b.pinch("#lanes", 200, 200, 160)
    b.wait(PAGE + "return view.t1 - view.t0 < arguments[0]", 0.5 * (before[1] - before[0]))


def keys_zoom_move_and_step(b):
    b.open(PATH)
    canvas = b.find("#lanes")
    b.js("document.getElementById('lanes').focus()")
    canvas.send_keys("+")
    assert view(b)[1] - view(b)[0] == 2.5e9, view(b)
    before = view(b)
    canvas.send_keys(Keys.ARROW_RIGHT)
    assert view(b)[0] > before[0], view(b)
    canvas.send_keys(Keys.HOME)
    assert view(b)[:2] == [0, 5e9], view(b)
    canvas.send_keys(Keys.ARROW_DOWN)
    first = b.js(PAGE + "return lanes.lanes()[0].rank")
    mine = [r for r in SLICES if r["rank"] == first]
    for row in mine[1:6]:
        canvas.send_keys(".")
        facts = dict(each.split(": ", 1) for each in b.find("#facts").text.split("; "))
        assert picoseconds(facts["begin"]) == row["begin_ps"], (facts, row)
        assert picoseconds(facts["end"]) == row["end_ps"], (facts, row)
    canvas.send_keys(",")
    assert f"begin: {b.js('return ripple.exactTime(arguments[0])', mine[4]['begin_ps'])}" in \
        b.find("#facts").text


def the_keyboard_reaches_everything_and_is_seen(b):
    b.open(PATH)
    seen = set()
    for _ in range(40):
        b.actions().send_keys(Keys.TAB).perform()
        name, outline = b.js("const at = document.activeElement; return [at.id || at.tagName,"
                             "getComputedStyle(at).outlineStyle]")
        assert outline != "none" or name == "BODY", name
        seen.add(name)
    wanted = {"ranks", "from", "to", "sort", "closer", "farther", "all", "show-path",
              "show-messages", "heat", "lanes", "SUMMARY"}
    assert wanted <= seen, wanted - seen


def a_click_on_the_heat_map_goes_down_to_64_ranks(b):
    b.open(PATH)
    for clicks in range(12):
        ranks = b.js(PAGE + "return view.r1 - view.r0")
        if ranks <= 64:
            break
        b.click("#heat", 500, 160)
        b.wait(PAGE + "return view.r1 - view.r0 < arguments[0]", ranks)
    assert ranks == 64 and 1 < clicks < 6, (ranks, clicks)
    b.drawn()
    assert b.js(PAGE + "return page.heat.levelShown()") == 0
    for _ in range(4):  # and no deeper, in time neither
        b.click("#heat", 500, 160)
        b.drawn()
    t0, t1, r0, r1 = view(b)
    assert r1 - r0 == 64
    columns = (t1 - t0) / b.js(PAGE + "return page.data.heat.levels[0].time")
    assert abs(columns - 32) < 1e-6, columns
    b.find("#all").click()
    b.wait(PAGE + "return view.r1 - view.r0 === 1024")


def ripples():
    """What write_samples says of them: [slice] -> its ripple or None, and of each all it goes on in."""
    of, count, lane, last = [], 0, None, None
    for row in SLICES:
        last = last if row["rank"] == lane else None
        lane = row["rank"]
        if row["kind"] == DETOUR:
            last, count = count, count + 1
        of.append(last)
    return of, count


def a_click_on_a_detour_shows_what_waited_behind_it(b):
    b.open(PATH)
    for box in ("show-path", "show-messages", "show-wave"):
        b.find(f"#{box}").click()
    of, count = ripples()
    index = next(i for i, row in enumerate(SLICES) if row["rank"] == 100 and row["kind"] == DETOUR
                 and of[i] % 4 == 1)
    row, k = SLICES[index], of[index]
    b.js(PAGE + "ripple.setView(view, {t0: arguments[0] - 1e8, t1: arguments[0] + 2.5e9});",
         row["begin_ps"])
    b.drawn()
    b.click("#lanes", *place(b, 100, (row["begin_ps"] + row["end_ps"]) / 2))
    b.wait(PAGE + "return lanes.rippled() !== null")
    b.drawn()
    assert "source: fixed:1kHz:200ns;" in b.find("#facts").text, b.find("#facts").text
    assert "detour shows what waited" in b.find("#keys").text
    until = b.js("return ripple.exactTime(arguments[0])", k * 1000000)
    waited = b.js("return ripple.exactTime(arguments[0])", (k + 1) * 1000000)
    assert f"waited behind it: {k + 1} times, {waited} in all, until {until}" in \
        b.find("#facts").text, b.find("#facts").text
    has = b.js(PAGE + "return Array.from(lanes.rippled().has)")
    wanted = [0] * (count + 1)
    for each in range(k, k // 4 * 4 + 4):
        wanted[each + 1] = int(each < count)
    assert has == wanted[:count + 1] and sum(has) == 3, (k, [i for i, h in enumerate(has) if h])
    t0, t1, _, _ = view(b)
    pixel = (t1 - t0) / b.js(PAGE + "return lanes.width")
    alone = [(row, of[i]) for i, row in enumerate(SLICES)
             if row["kind"] == 4 and t0 + 3 * pixel < row["begin_ps"] < t1 - 3 * pixel]
    kept = [row for row, its in alone if its is not None and has[its + 1]]
    gone = [row for row, its in alone if its is None or not has[its + 1]][::97]
    assert len(kept) > 5 and len(gone) > 20, (len(kept), len(gone))
    colours = b.js(PAGE + """
        const context = document.getElementById("lanes").getContext("2d");
        return arguments[0].map(([rank, time]) => {
            const row = lanes.lanes().findIndex((lane) => lane.rank === rank);
            const y = Math.round(lanes.top + (row + 0.5) * lanes.laneHeight);
            return Array.from(context.getImageData(Math.floor(lanes.x(time)), y, 1, 1).data.slice(0, 3));
        });""", [[row["rank"], row["begin_ps"]] for row in kept + gone])
    assert all(each == [0xe6, 0x9f, 0] for each in colours[:len(kept)]), colours[:len(kept)]
    assert all(each != [0xe6, 0x9f, 0] for each in colours[len(kept):]), colours[len(kept):]
    b.find("#lanes").send_keys(".")  # on to something that is no detour
    b.wait(PAGE + "return lanes.rippled() === null")


def fields_choose_ranks_and_times(b):
    b.open(PATH)
    b.find("#ranks").send_keys("0-40:10,55" + Keys.ENTER)
    b.wait(PAGE + "return lanes.lanes().length === 6")
    assert sorted(b.js(PAGE + "return lanes.lanes().map((lane) => lane.rank)")) == \
        [0, 10, 20, 30, 40, 55]
    assert view(b)[2:] == [0, 56], view(b)
    b.find("#from").send_keys("1.5ms" + Keys.TAB)
    b.find("#to").send_keys("1800us" + Keys.TAB)
    b.wait(PAGE + "return view.t1 === 1.8e9")
    assert view(b)[0] == 1.5e9, view(b)
    b.find("#to").clear()
    b.find("#to").send_keys("soon" + Keys.TAB)
    b.wait("return document.getElementById('to').getAttribute('aria-invalid') === 'true'")
    assert "soon" in b.find("#said").text and view(b)[1] == 5e9
    b.find("#ranks").clear()
    b.find("#ranks").send_keys("9-3" + Keys.TAB)
    b.wait("return document.getElementById('ranks').getAttribute('aria-invalid') === 'true'")
    b.find("#all").click()
    b.wait(PAGE + "return lanes.lanes().length === 64")


def lanes_are_sorted_as_asked(b):
    b.open(PATH)
    lost = {}
    for row in SLICES:
        lost[row["rank"]] = lost.get(row["rank"], 0) + \
            (row["kind"] in (4, DETOUR)) * (row["end_ps"] - row["begin_ps"])
    ranks = PAGE + "return lanes.lanes().map((lane) => lane.rank)"
    assert b.js(ranks) == sorted(lost)  # since there is a wave
    Select(b.find("#sort")).select_by_value("lost")
    b.wait(PAGE + "return lanes.lanes()[0].rank === 315")
    assert b.js(ranks) == sorted(lost, key=lambda rank: (-lost[rank], rank))
    Select(b.find("#sort")).select_by_value("rank")
    b.wait(PAGE + "return lanes.lanes()[0].rank === 0")
    assert b.js(ranks) == sorted(lost)


def cells_thinner_than_a_pixel_are_not_lost(b):
    b.open(PATH)
    b.js(PAGE + "ripple.setView(view, {t0: 0, t1: 5e9, r0: 500, r1: 524});")
    for box in ("show-path", "show-wave", "show-most"):
        b.find(f"#{box}").click()
    b.drawn()
    level = b.js(PAGE + "return page.heat.levelShown()")
    assert level == 0
    missing = b.js(PAGE + """
        const level = page.data.heat.levels[0], {columns} = level;
        const context = document.getElementById("heat").getContext("2d");
        return Array.from(level.mean).flatMap((mean, i) => {
            const rank = (Math.floor(i / columns) + 0.5) * level.ranks;
            const x = page.heat.x((i % columns + 0.5) * level.time), y = page.heat.y(rank);
            return mean > 0 && rank > 500 && rank < 524 &&
                context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data[3] === 0 ? [i] : [];
        });""")
    assert not missing, missing
    b.size(390)
    b.wait(PAGE + "return page.heat.width < 330")
    b.drawn()
    painted = b.js(PAGE + """
        const context = document.getElementById("heat").getContext("2d");
        const pixel = (time) => context.getImageData(Math.floor(page.heat.x(time)), 160, 1, 1).data[3];
        return [pixel(0.5e9), pixel(0.9e9), pixel(2e9)];""")
    assert painted == [0, 255, 0], painted


def what_is_not_there_cannot_be_chosen(b):
    b.open(PATH)
    assert all(b.find(f"#show-{each}").is_displayed() for each in ("path", "wave", "most"))
    assert b.find("#show-most").is_selected()  # a row is four ranks
    b.open(LARGE)
    assert b.find("#show-most").is_selected()
    b.open(BARE)
    hidden = [each for each in ("path", "wave", "most", "messages")
              if not b.find(f"#show-{each}").is_displayed()]
    assert hidden == ["path", "wave", "most", "messages"], hidden
    assert "detour shows what waited" not in b.find("#keys").text
    assert len(b.driver.find_elements("css selector", "#heat")) == 0
    assert b.js(PAGE + "return lanes.all.length") == 3


def messages_are_lines_when_they_are_few(b):
    b.open(PATH)
    assert "6300 messages are in view" in b.find("#messages-said").text
    b.js(PAGE + "ripple.setView(view, {t0: 1e9, t1: 1.1e9});")
    b.drawn()
    assert b.find("#messages-said").text.startswith("126 messages are drawn"), \
        b.find("#messages-said").text


def a_narrow_page_fits_and_can_be_read(b):
    for dark in (False, True):
        b.open(PATH, width=390, dark=dark)
        assert b.js("return document.documentElement.scrollWidth") == 390
        b.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert b.js("return document.documentElement.scrollWidth") == 390
        assert not b.small_texts(), b.small_texts()
    wide = b.js(PAGE + "return lanes.width")
    b.size(800)
    b.wait(PAGE + "return lanes.width > arguments[0]", wide + 300)


def dark_pages_are_dark(b):
    b.open(PATH)
    light = b.js("return getComputedStyle(document.body).backgroundColor")
    frames = b.js("return ripple.frames.length")
    b.dark(True)
    b.wait("return ripple.frames.length > arguments[0]", frames)
    assert light == "rgb(255, 255, 255)"
    assert b.js("return getComputedStyle(document.body).backgroundColor") != light
    assert b.js(PAGE + "return lanes.colours.ink") != "#222"


def without_scripts_the_tables_are_there(b):
    b.size(1280)
    b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        b.driver.get("file://" + os.path.abspath(PATH))
        assert "JavaScript is off" in b.find("noscript").text
        assert len(b.driver.find_elements("css selector", "details table")) >= 4
    finally:
        b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def nothing_is_loaded_and_nothing_complained_of(b):
    b.open(PATH)
    assert b.js("return performance.getEntriesByType('resource').length") == 0
    b.js(PAGE + "ripple.setView(view, {t0: 1e9, t1: 1.1e9});")
    b.drawn()
    assert b.complaints() == []


def a_hundred_thousand_slices_are_drawn_in_time(b):
    b.open(LARGE)
    first = b.js("return ripple.firstPicture")
    marks = b.js(PAGE + "return lanes.marks")
    b.js("ripple.plotFrames.lanes.length = 0")
    for step in range(30):
        b.js(PAGE + "const by = 14e9 * arguments[0] / 1000;"
             "ripple.setView(view, {t0: by, t1: 14e9 - by});", step)
        b.drawn()
    in_view = b.js(PAGE + "return lanes.marks")
    frame = statistics.median(b.js("return ripple.plotFrames.lanes"))
    print(f"{marks} slices: first picture after {first:.0f} ms, a frame of the timelines takes "
          f"{frame:.1f} ms (median, zooming)")
    assert marks > 1e5 and in_view > 0.9e5, (marks, in_view)
    if "--speed" in sys.argv:
        assert first <= FIRST_PICTURE, first
        assert frame <= FRAME, frame


def pictures_of_it_are_kept(b):
    for look, name in looks():
        b.open(PATH, **look)
        b.shot(f"view-{name}")
    b.open(PATH)
    b.js(PAGE + "ripple.setView(view, {t0: 1e9, t1: 1.1e9});"
         "lanes.choose('rank', [[0, 60, 1]]);")
    b.drawn()
    b.shot("view-close")


if len(sys.argv) < 5:
    sys.exit(__doc__)
FOLDER = sys.argv[4]
subprocess.run([sys.argv[3], FOLDER], check=True)
PATH, LARGE, BARE = (os.path.join(FOLDER, f"{name}.html") for name in ("view", "large", "bare"))
SLICES, HEAT = rows(FOLDER, "slices.csv"), rows(FOLDER, "heat.csv")
run_all(globals(), FOLDER)
