/* apps/ripple/pages/script/component.js — SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of ripple mine: what was found as a table, and the events behind each row of it. */
"use strict";
(() => {
    const byId = (id) => document.getElementById(id);
    const NARROWEST = 260; /* px of a strip */

    const SORTS = {
        time: (a, b) => a.start - b.start || a.rank - b.rank,
        excess: (a, b) => ripple.excess(b) - ripple.excess(a) || a.start - b.start,
        length: (a, b) => ripple.duration(b) - ripple.duration(a) || a.start - b.start,
        rank: (a, b) => a.rank - b.rank || a.start - b.start,
    };

    /* Heads of columns become buttons: once for falling, again for rising. */
    const sortable = (table, rows) => {
        const body = table.tBodies[0], lines = Array.from(body.rows);
        Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = head.textContent;
            head.replaceChildren(button);
            head.setAttribute("aria-sort", "none");
            button.addEventListener("click", () => {
                const down = head.getAttribute("aria-sort") !== "descending";
                const key = (line) => rows[lines.indexOf(line)].values[column];
                const sorted = lines.slice().sort((a, b) => {
                    const p = key(a), q = key(b);
                    const order = typeof p === "number" ? p - q : String(p).localeCompare(String(q));
                    return down ? -order : order;
                });
                for (const other of table.tHead.rows[0].cells) {
                    other.setAttribute("aria-sort", "none");
                }
                head.setAttribute("aria-sort", down ? "descending" : "ascending");
                body.append(...sorted);
            });
        });
        return lines;
    };

    /* Slices, packed one exemplar after the other, go to theirs. */
    const prepare = (data) => {
        const { slices, names } = data;
        let at = 0;
        for (const e of data.exemplars) {
            const count = e.slices;
            e.slices = Array.from({ length: count }, (_, i) => ({
                begin: slices.begin[at + i], end: slices.begin[at + i] + slices.length[at + i],
                kind: slices.kind[at + i], name: names[slices.name[at + i]],
                bytes: slices.bytes[at + i], peer: slices.peer[at + i], cpu: slices.cpu[at + i],
                on: slices.on[at + i],
            }));
            e.mean = data.rows[e.row].values[0];
            at += count;
        }
    };

    const start = async () => {
        const data = await ripple.load();
        prepare(data);
        const state = { row: -1, picked: null, shown: [] };
        ripple.hatch(document.body);

        const said = (text) => { byId("said").textContent = text; };
        const parse = (id, parser, wrong) => {
            const text = byId(id).value.trim();
            const value = text === "" ? undefined : parser(text);
            const bad = value === null || Number.isNaN(value);
            byId(id).setAttribute("aria-invalid", bad ? "true" : "false");
            if (bad) {
                said(`'${text}' is no ${wrong}`);
            }
            return { bad, value };
        };

        /* Those of the component that is looked at, chosen and ordered. null: a field is wrong. */
        const chosen = () => {
            const ranks = parse("ranks", ripple.parseRanks, "list of ranks, such as 0-31:2,64");
            const from = parse("from", ripple.parseTime, "time, such as 2.5ms");
            const to = parse("to", ripple.parseTime, "time, such as 2.5ms");
            if (ranks.bad || from.bad || to.bad) {
                return null;
            }
            return data.exemplars.filter((e) => e.row === state.row &&
                (ranks.value === undefined || ripple.hasRank(ranks.value, e.rank)) &&
                (from.value === undefined || e.end > from.value) &&
                (to.value === undefined || e.start < to.value)).sort(SORTS[byId("sort").value]);
        };

        const pick = (e, strip) => {
            state.picked = e;
            for (const other of byId("strips").children) {
                other.setAttribute("aria-pressed", other === strip ? "true" : "false");
            }
            const list = document.createElement("dl");
            for (const [name, value] of ripple.exemplarFacts(e)) {
                const term = document.createElement("dt"), says = document.createElement("dd");
                term.textContent = name;
                says.textContent = value;
                list.append(term, says);
            }
            byId("facts").replaceChildren(list);
        };

        const draw = () => {
            const width = byId("strips").clientWidth;
            if (width === 0) { /* not shown yet */
                return;
            }
            const few = state.shown.length < 6; /* as the tool of 2009 has it: one column */
            const columns = few ? 1 : Math.max(1, Math.min(4, Math.floor(width / NARROWEST)));
            const common = byId("common").checked;
            const longest = Math.max(...state.shown.map(ripple.duration), 1);
            byId("strips").style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
            const inner = Math.floor((width - 12 * (columns - 1)) / columns) - 14;
            d3.selectAll("#strips > button > svg").each(function each(e) {
                const span = 3 * (common ? longest : Math.max(1, ripple.duration(e)));
                ripple.drawStrip(d3.select(this), e, inner, span);
            });
        };

        const show = () => {
            const shown = chosen();
            if (!shown) {
                return;
            }
            state.shown = shown;
            d3.select("#strips").selectAll("button").remove();
            d3.select("#strips").selectAll("button").data(shown).enter().append("button")
                .attr("type", "button").attr("class", "strip").attr("aria-pressed", "false")
                .attr("aria-label", (e) => `rank ${e.rank}, ${e.type}, ${ripple.time(e.start)}: ` +
                    `${ripple.time(ripple.duration(e))}`)
                .on("click", function click(e) { pick(e, this); })
                .each(function each(e) {
                    const head = d3.select(this).append("span").attr("class", "strip-head");
                    head.append("b").text(`rank ${e.rank}`);
                    head.append("span").text(` at ${ripple.time(e.start, ripple.duration(e))}: ` +
                        ripple.time(ripple.duration(e)));
                }).append("svg").attr("aria-hidden", "true");
            byId("facts").replaceChildren();
            const all = data.exemplars.filter((e) => e.row === state.row).length;
            said(state.row < 0 ? "" : `${shown.length} of ${all} timelines are shown.`);
            draw();
        };

        const table = document.querySelector("#rows table");
        const lines = table ? sortable(table, data.rows) : [];
        const view = (row) => {
            state.row = row;
            lines.forEach((line, i) => line.classList.toggle("chosen", i === row));
            byId("events").hidden = false;
            byId("events-title").textContent = `Events with ${data.rows[row].cells[0]}, ` +
                `${data.rows[row].cells[7]}`;
            byId("about").textContent = data.rows[row].about;
            show();
        };
        lines.forEach((line, row) => {
            const cell = document.createElement("td");
            line.append(cell);
            if (data.exemplars.some((e) => e.row === row)) {
                const button = document.createElement("button");
                button.type = "button";
                button.className = "view";
                button.textContent = "view";
                button.setAttribute("aria-label", `view events with ${data.rows[row].cells[0]}`);
                button.addEventListener("click", () => {
                    view(row);
                    byId("events-title").scrollIntoView({ block: "start" });
                });
                cell.append(button);
            }
        });
        if (lines.length > 0) {
            const head = document.createElement("th");
            head.textContent = "events";
            table.tHead.rows[0].append(head);
        }
        for (const id of ["ranks", "from", "to", "sort"]) {
            byId(id).addEventListener("change", show);
        }
        byId("common").addEventListener("change", draw);
        byId("controls").addEventListener("submit", (event) => event.preventDefault());
        let width = 0;
        new ResizeObserver(() => {
            if (byId("strips").clientWidth !== width) {
                width = byId("strips").clientWidth;
                draw();
            }
        }).observe(byId("strips"));
        const first = data.rows.findIndex((_, row) => data.exemplars.some((e) => e.row === row));
        if (first >= 0) {
            view(first);
        }
        ripple.page = { data, state, view };
        requestAnimationFrame(() => {
            ripple.firstPicture = performance.now();
            document.documentElement.dataset.ready = "yes";
        });
    };

    start().catch((error) => {
        byId("said").textContent = `The drawing failed (${error.message}); the tables are complete.`;
        document.documentElement.dataset.ready = "failed";
    });
})();
