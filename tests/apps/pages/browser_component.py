#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of what was mined, as its readers meet it: what it shows is read back and compared with
the CSV of what went in. Usage: browser_component.py CHROMIUM CHROMEDRIVER WRITE_SAMPLES FOLDER"""
import os
import subprocess
import sys

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import looks, picoseconds, rows, run_all, tip

STRIPS = "return Array.from(document.querySelectorAll('#strips > button'), "


def shown(browser):
    """Rank and begin of each timeline, in the order of the page."""
    return [tuple(each) for each in browser.js(STRIPS + "(each) => { const e = d3.select(each)"
                                               ".datum(); return [e.rank, e.start]; })")]


def of_row(row):
    return [event for event in EVENTS if event["row"] == row]


def in_time(found):
    return [(e["rank"], e["start_ps"]) for e in sorted(found, key=lambda e: (e["start_ps"], e["rank"]))]


def facts(browser):
    return browser.js("""
        return Object.fromEntries(Array.from(document.querySelectorAll("#facts dt"), (term) =>
            [term.textContent, term.nextElementSibling.textContent]));""")


def middle_of(browser, css):
    """Of the first element, in px from its upper left end."""
    return browser.js("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                      "return [box.width / 2, box.height / 2];", css)


def the_first_component_is_shown_with_36_timelines(b):
    b.open(PATH)
    assert shown(b) == in_time(of_row(0)) and len(shown(b)) == 36
    assert "36 of 36" in b.find("#said").text and "1,425 times" in b.find("#about").text
    assert "gains 3.1 %" in b.find("#about").text


def view_shows_the_events_of_its_row(b):
    b.open(PATH)
    buttons = b.driver.find_elements("css selector", "#rows button.view")
    assert len(buttons) == 2  # the third row has no events
    buttons[1].click()
    b.wait("return document.querySelectorAll('#strips > button').length === 4")
    assert shown(b) == in_time(of_row(1))
    assert "120us" in b.find("#events-title").text
    columns = b.js("return getComputedStyle(document.getElementById('strips'))"
                   ".gridTemplateColumns.split(' ').length")
    assert columns == 1  # few ones are wide


def all_slices_went_in(b):
    b.open(PATH)
    got = b.js("return ripple.page.data.exemplars.map((e) => [e.row, e.rank, e.start, e.end,"
               "e.expected, e.cpu, e.slices.length])")
    assert got == [list(event.values()) for event in EVENTS]
    outside = b.js("return ripple.page.data.exemplars.filter((e) => e.slices.some((s) =>"
                   "s.end < s.begin || s.begin < 2 * e.start - e.end || s.end > 2 * e.end - e.start))")
    assert not outside


def the_event_is_in_the_middle_third(b):
    b.open(PATH)
    places = b.js("""
        return Array.from(document.querySelectorAll("#strips svg"), (svg) => {
            const frame = svg.querySelector(".event .frame");
            return [frame.getAttribute("x") / svg.getAttribute("width"),
                frame.getAttribute("width") / svg.getAttribute("width")];
        });""")
    assert all(abs(x - 1 / 3) < 0.01 and abs(width - 1 / 3) < 0.01 for x, width in places)


def one_scale_for_all_makes_lengths_comparable(b):
    b.open(PATH)
    b.find("#common").click()
    widths = b.js(STRIPS + "(each) => [+each.querySelector('.frame').getAttribute('width'),"
                  "ripple.duration(d3.select(each).datum())])")
    longest = max(length for _, length in widths)
    whole = next(width for width, length in widths if length == longest)
    assert all(abs(width / whole - length / longest) < 0.02 for width, length in widths)
    assert min(width for width, _ in widths) < 0.96 * whole


def a_click_on_a_timeline_tells_all_facts(b):
    b.open(PATH)
    third = b.driver.find_elements("css selector", "#strips > button")[2]
    third.click()
    b.wait("return document.querySelectorAll('#facts dt').length > 5")
    event = next(e for e in of_row(0) if (e["rank"], e["start_ps"]) == shown(b)[2])
    told = facts(b)
    assert picoseconds(told["begin"]) == event["start_ps"], told
    assert picoseconds(told["end"]) == event["end_ps"], told
    assert picoseconds(told["expected"]) == event["expected_ps"], told
    assert picoseconds(told["longer by"]) == \
        event["end_ps"] - event["start_ps"] - event["expected_ps"], told
    assert told["event"] == "MPI_Send <= 8 KiB to rank+1" and told["host"].startswith("node")
    assert third.get_attribute("aria-pressed") == "true"


def hovering_tells_events_neighbours_and_who_ran(b):
    b.open(PATH)
    first = next(e for e in of_row(0) if (e["rank"], e["start_ps"]) == shown(b)[0])
    b.hover("#strips .event", *middle_of(b, "#strips .event"))
    b.wait("return !document.getElementById('tip').hidden")
    assert picoseconds(tip(b)["length"]) == first["end_ps"] - first["start_ps"]
    slices = b.js("return d3.selectAll('#strips > button:first-child .slice').data()"
                  ".map((s) => [s.name, s.begin, s.end, s.kind])")
    assert {each[3] for each in slices} == {0, 1, 2}
    for name, at in (("burner/1234", len(slices) - 1), ("MPI_Isend", 0)):
        place = next(i for i, each in enumerate(slices) if each[0] == name)
        css = f"#strips > button:first-child .slice:nth-of-type({place + 1})"
        b.hover(css, *middle_of(b, css))
        b.wait("return document.getElementById('tip').textContent.includes(arguments[0])", name)
        assert picoseconds(tip(b)["begin"]) == slices[place][1], (tip(b), slices[place], at)
    b.hover("h1", 1, 1)
    b.wait("return document.getElementById('tip').hidden")


def fields_choose_ranks_and_times(b):
    b.open(PATH)
    b.find("#ranks").send_keys("0-6:2,19" + Keys.TAB)
    wanted = [e for e in of_row(0) if e["rank"] in (0, 2, 4, 6, 19)]
    b.wait("return document.querySelectorAll('#strips > button').length === arguments[0]",
           len(wanted))
    assert shown(b) == in_time(wanted)
    b.find("#from").send_keys("2s" + Keys.TAB)
    b.find("#to").send_keys("6s" + Keys.TAB)
    wanted = [e for e in wanted if e["end_ps"] > 2e12 and e["start_ps"] < 6e12]
    b.wait("return document.querySelectorAll('#strips > button').length === arguments[0]",
           len(wanted))
    assert 0 < len(wanted) < 12 and shown(b) == in_time(wanted), (shown(b), in_time(wanted))
    b.find("#ranks").send_keys("x" + Keys.TAB)
    b.wait("return document.getElementById('ranks').getAttribute('aria-invalid') === 'true'")
    assert len(shown(b)) == len(wanted)


def timelines_are_sorted_as_asked(b):
    b.open(PATH)
    Select(b.find("#sort")).select_by_value("excess")
    lost = {(e["rank"], e["start_ps"]): e["end_ps"] - e["start_ps"] - e["expected_ps"]
            for e in of_row(0)}
    b.wait("return d3.select('#strips > button').datum().start !== arguments[0]",
           in_time(of_row(0))[0][1])
    got = [lost[each] for each in shown(b)]
    assert got == sorted(got, reverse=True)


def when_each_kind_came_is_drawn(b):
    for dark in (False, True):
        b.open(PATH, dark=dark)
        bars = b.js("return Array.from(document.querySelectorAll('.course svg'), (svg) =>"
                    "Array.from(svg.querySelectorAll('g'), (g) => [g.lastChild.textContent,"
                    "g.children[1].getBoundingClientRect().height /"
                    "g.children[0].getBoundingClientRect().height,"
                    "getComputedStyle(g.children[1]).fill]))")
        assert [len(each) for each in bars] == [10, 10]
        first = bars[0]
        assert all(height == 0 for _, height, _ in first[:5])
        assert all(height > 0.95 for _, height, _ in first[5:])
        assert len({fill for _, _, fill in first[5:]}) == 1 and first[0][2] != first[9][2]
        assert first[6][0] == "epoch 7, 18s to 21s: 285, 4.75 per second", first[6][0]


def heads_sort_the_table(b):
    b.open(PATH)
    def first_cells():
        return b.js("return Array.from(document.querySelectorAll('#rows tbody tr'),"
                    "(row) => row.cells[0].textContent)")
    assert first_cells() == ["5.7ms", "120us", "20us"]
    heads = b.driver.find_elements("css selector", "#rows th button")
    heads[2].click()  # occurrences, most first
    assert first_cells() == ["20us", "120us", "5.7ms"]
    heads[2].send_keys(Keys.ENTER)
    assert first_cells() == ["5.7ms", "120us", "20us"]
    assert b.find("#rows th[aria-sort=ascending]").text.startswith("occurrences")
    heads[7].click()  # when, latest first: what did not change is last of all, so first here
    heads[7].click()
    assert first_cells()[0] == "5.7ms"
    heads[8].click()  # label
    assert first_cells() == ["120us", "5.7ms", "20us"]


def the_keyboard_reaches_everything_and_is_seen(b):
    b.open(PATH)
    seen = set()
    for _ in range(70):
        b.actions().send_keys(Keys.TAB).perform()
        name, outline = b.js("const at = document.activeElement; return [at.className || at.id ||"
                             "at.tagName, getComputedStyle(at).outlineStyle]")
        assert outline != "none" or name == "BODY", name
        seen.add(name)
    assert {"view", "strip", "ranks", "from", "to", "sort", "common", "SUMMARY"} <= seen, seen
    b.js("document.querySelectorAll('#strips > button')[5].focus()")
    b.actions().send_keys(Keys.ENTER).perform()
    b.wait("return document.querySelectorAll('#facts dt').length > 5")
    assert int(facts(b)["rank"]) == shown(b)[5][0]


def a_narrow_page_fits_and_can_be_read(b):
    for dark in (False, True):
        b.open(PATH, width=390, dark=dark)
        b.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert b.js("return document.documentElement.scrollWidth") == 390
        assert not b.small_texts(), b.small_texts()
    narrow = b.js("return document.querySelector('#strips svg').getAttribute('width')")
    b.size(600)
    b.wait("return +document.querySelector('#strips svg').getAttribute('width') !== arguments[0]",
           float(narrow))


def without_scripts_all_of_it_is_text(b):
    b.size(1280)
    b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        b.driver.get("file://" + os.path.abspath(PATH))
        assert "JavaScript is off" in b.find("noscript").text
        assert len(b.driver.find_elements("css selector", "#rows tbody tr")) == 3
        assert len(b.driver.find_elements("css selector", "details tbody tr")) == 40
    finally:
        b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def nothing_is_loaded_and_nothing_complained_of(b):
    b.open(PATH)
    b.find("#common").click()
    assert b.js("return performance.getEntriesByType('resource').length") == 0
    print(f"first picture after {b.js('return ripple.firstPicture'):.0f} ms")
    assert b.complaints() == []


def pictures_of_it_are_kept(b):
    for look, name in looks():
        b.open(PATH, **look)
        b.driver.find_elements("css selector", "#strips > button")[1].click()
        b.shot(f"component-{name}")
    b.open(PATH)
    b.driver.find_elements("css selector", "#rows button.view")[1].click()
    b.drawn()
    b.shot("component-few")


if len(sys.argv) < 5:
    sys.exit(__doc__)
FOLDER = sys.argv[4]
subprocess.run([sys.argv[3], FOLDER], check=True)
PATH, EVENTS = os.path.join(FOLDER, "component.html"), rows(FOLDER, "events.csv")
run_all(globals(), FOLDER)
