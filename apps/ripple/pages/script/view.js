/* apps/ripple/pages/script/view.js — SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of ripple view: heat map and timelines of one run, which are zoomed together. */
"use strict";
(() => {
    const byId = (id) => document.getElementById(id);

    /* What messages and the path are packed as, made ready to be drawn. */
    const prepare = (data) => {
        const { messages, path } = data;
        if (messages) {
            messages.to = messages.from.map((from, i) => from + messages.way[i]);
            messages.sent = messages.received.map((time, i) => time - messages.flight[i]);
        }
        if (path) {
            path.begin = new Float64Array(path.length.length);
            for (let i = 0, end = 0; i < path.begin.length; i++) {
                path.begin[i] = end + path.gap[i];
                end = path.begin[i] + path.length[i];
            }
        }
    };

    const complain = (field, wrong) => {
        field.setCustomValidity(wrong);
        field.setAttribute("aria-invalid", wrong ? "true" : "false");
        byId("said").textContent = wrong;
        return !wrong;
    };

    const start = async () => {
        const data = await ripple.load();
        prepare(data);
        const shown = { path: true, wave: true, messages: true, most: false };
        const view = ripple.newView({ t0: 0, t1: Math.max(1, data.makespan), r0: 0, r1: data.ranks });
        /* After a click on the heat map: which rank to look at, and how. */
        const pickRank = (rank, time, deep) => {
            const hasLane = data.lanes.rank.includes(rank);
            byId("picked").textContent = rank < 0 ? "Nothing is lost here."
                : !hasLane ? `Rank ${rank} lost most here; ripple view --lanes=${rank} draws its timeline.`
                : deep && lanes.show(rank, time) ? `Rank ${rank}: its timeline is marked below.`
                : `Rank ${rank} lost most here; its timeline is below.`;
        };
        const heat = data.heat ? ripple.newHeat(byId("heat"), view, data, shown, pickRank) : null;
        const lanes = ripple.newTimelines(byId("lanes"), view, data, shown,
            (text) => { byId("messages-said").textContent = text; });
        const plots = heat ? [heat, lanes] : [lanes];
        lanes.onPick = (facts) => {
            byId("facts").textContent = facts.map(([name, value]) => `${name}: ${value}`).join("; ");
        };

        const choose = () => {
            const text = byId("ranks").value.trim();
            const ranges = text === "" ? null : ripple.parseRanks(text);
            if (!complain(byId("ranks"), text === "" || ranges ? ""
                : `'${text}' is no list of ranks, such as 0-31:2,64`)) {
                return;
            }
            const n = lanes.choose(byId("sort").value, ranges);
            byId("said").textContent = `${n} of ${lanes.all.length} timelines are shown.`;
            if (ranges && heat) {
                ripple.setView(view, { r0: Math.min(...ranges.map((r) => r[0])),
                    r1: Math.max(...ranges.map((r) => r[1])) + 1 });
            }
        };
        const chooseTime = () => {
            const times = ["from", "to"].map((id, i) => {
                const text = byId(id).value.trim();
                return text === "" ? [view.limits.t0, view.limits.t1][i] : ripple.parseTime(text);
            });
            const fine = ["from", "to"].every((id, i) => complain(byId(id), Number.isNaN(times[i])
                ? `'${byId(id).value}' is no time, such as 2.5ms` : ""));
            if (fine && complain(byId("to"), times[1] > times[0] ? "" : "it ends before it begins")) {
                ripple.setView(view, { t0: times[0], t1: times[1] });
            }
        };
        byId("ranks").addEventListener("change", choose);
        byId("sort").addEventListener("change", choose);
        byId("from").addEventListener("change", chooseTime);
        byId("to").addEventListener("change", chooseTime);
        byId("controls").addEventListener("submit", (event) => event.preventDefault());
        byId("closer").addEventListener("click", () => ripple.zoomMiddle(lanes, 2));
        byId("farther").addEventListener("click", () => ripple.zoomMiddle(lanes, 0.5));
        byId("all").addEventListener("click", () => {
            for (const id of ["ranks", "from", "to"]) {
                byId(id).value = "";
            }
            choose();
            ripple.setView(view, view.limits);
        });
        if (heat && heat.blocks.length > 0) {
            const list = byId("block");
            for (const block of heat.blocks.slice().sort((a, b) => b.lost - a.lost)) {
                const text = `${block.first} to ${block.first + block.rows - 1}: ` +
                    `${ripple.percent(block.lost)} lost`;
                list.append(new Option(text, block.first));
            }
            list.parentElement.hidden = false;
            list.addEventListener("change", () => {
                const block = heat.blocks.find((each) => String(each.first) === list.value);
                byId("picked").textContent = "";
                if (block) {
                    ripple.setView(view, { t0: view.limits.t0, t1: view.limits.t1, r0: block.first,
                        r1: block.first + block.rows });
                }
            });
        }
        byId("about-heat").hidden = !heat;
        byId("about-ripples").hidden = !data.ripples;
        /* Where a row is many ranks, their mean hides what happens on one of them. */
        byId("show-most").checked = data.heat && data.heat.levels[0].ranks > 1;
        const there = { path: data.path, messages: data.messages, wave: data.wave && heat,
            most: heat };
        for (const key of Object.keys(shown)) {
            const box = byId(`show-${key}`);
            box.parentElement.hidden = !there[key];
            if (there[key]) {
                shown[key] = box.checked;
                box.addEventListener("change", () => {
                    shown[key] = box.checked;
                    plots.forEach((plot) => plot.redraw());
                });
            }
        }
        view.listeners.push(() => {
            byId("where").textContent = `Shown: ${ripple.time(view.t0, view.t1 - view.t0)} to ` +
                `${ripple.time(view.t1, view.t1 - view.t0)}.`;
        });
        ripple.legend(byId("legend"), [0, 1, 2, 3, 4, 5].filter((kind) =>
            lanes.all.some((lane) => lane.total[kind] > 0)));
        if (heat) {
            ripple.heatKey(byId("heat-key"));
        }
        if (data.recorded) { /* what noise cost is not known */
            byId("sort").querySelector("[value=lost]").remove();
        }
        if (data.wave || data.recorded) { /* a wave goes from rank to rank */
            byId("sort").value = "rank";
        }
        choose();
        ripple.setView(view, {});
        ripple.page = { data, view, heat, lanes };
        requestAnimationFrame(() => requestAnimationFrame(() => {
            ripple.firstPicture = performance.now();
            document.documentElement.dataset.ready = "yes";
        }));
    };

    /* Whatever goes wrong is said on the page: the tables below still stand. */
    start().catch((error) => {
        byId("said").textContent = `The drawing failed (${error.message}); the tables are complete.`;
        document.documentElement.dataset.ready = "failed";
    });
})();
