/* apps/ripple/pages/script/timelines.js — SPDX-License-Identifier: GPL-3.0-or-later */
/* The lanes of several ranks below each other, with messages and critical path over them. */
"use strict";
(() => {
    const LANE = 20;             /* px */
    const NOISE_WAIT = 4;        /* kind */
    const MOST_MESSAGES = 2000;  /* lines; more would hide the lanes */

    /* Of each slice: the ripple of a detour, or that which a wait for noise is in, from 1 on. */
    const ripplesOf = ({ lanes, ripples }) => {
        const out = new Uint32Array(lanes.kind.length);
        for (let i = 0, at = 0; ripples && i < out.length; i++) {
            if (lanes.kind[i] === ripple.DETOUR || lanes.kind[i] === NOISE_WAIT) {
                out[i] = ripples.slice[at++];
            }
        }
        return out;
    };

    /* Lanes from the packed columns, one after the other. */
    const lanesOf = (data) => {
        const { lanes } = data, n = lanes.length.length, { tick } = lanes;
        const begin = new Float64Array(n), length = lanes.length.map((ticks) => ticks * tick);
        let at = 0;
        for (const count of lanes.count) {
            for (let i = at, end = 0; i < at + count; i++) {
                begin[i] = end + lanes.gap[i] * tick;
                end = begin[i] + length[i];
            }
            at += count;
        }
        const columns = { begin, length, ripple: ripplesOf(data), kind: lanes.kind, other: lanes.from,
            op: lanes.op, component: lanes.component };
        at = 0;
        return lanes.rank.map((rank, i) => {
            const facts = { rank, finish: lanes.finish[i], lost: lanes.lost[i],
                wholeUntil: lanes.whole_until[i], place: i };
            const lane = ripple.newLane(facts, columns, at, lanes.count[i]);
            lane.ripple = columns.ripple.subarray(at, at + lane.count);
            lane.op = columns.op.subarray(at, at + lane.count);
            lane.component = columns.component.subarray(at, at + lane.count);
            at += lane.count;
            return lane;
        });
    };

    ripple.SORTS = {
        lost: ["time lost", (a, b) => b.lost - a.lost || a.rank - b.rank],
        finish: ["finish, latest first", (a, b) => b.finish - a.finish || a.rank - b.rank],
        rank: ["rank", (a, b) => a.rank - b.rank],
    };

    /* `shown`: {path, messages}; `say(text)`: what is drawn of the messages. */
    ripple.newTimelines = (canvas, view, data, shown, say) => {
        const all = lanesOf(data);
        let lanes = all, rowOf = new Map(), picked = null, rippled = null;
        const rows = () => { rowOf = new Map(lanes.map((lane, row) => [lane.rank, row])); };
        rows();

        const componentOf = (lane, i) =>
            lane.component[i] > 0 ? data.components[lane.component[i] - 1].name : "";
        const nameOf = (lane, i) => {
            const name = componentOf(lane, i) || ripple.STATES[lane.kind[i]].name;
            return lane.other[i] !== 0 ? `${name}, ${lane.rank + lane.other[i]}` : name;
        };

        const drawMessages = (plot) => {
            const { from, to, sent, received } = data.messages;
            const { context, colours } = plot;
            const first = ripple.countBelow(received, received.length, view.t0);
            const last = ripple.countBelow(received, received.length, view.t1);
            const inView = last - first;
            if (inView > MOST_MESSAGES) {
                say(`${inView} messages are in view: zoom in until there are at most ` +
                    `${MOST_MESSAGES} to see them.`);
                return;
            }
            let drawn = 0;
            context.strokeStyle = colours.ink;
            context.lineWidth = 1;
            /* Many are pale, so that the states below them can be told. */
            context.globalAlpha = Math.max(0.3, Math.min(1, plot.width / (2 * Math.max(1, inView))));
            context.beginPath();
            for (let i = first; i < last; i++) {
                const a = rowOf.get(from[i]), b = rowOf.get(to[i]);
                if (a !== undefined && b !== undefined) {
                    context.moveTo(plot.x(sent[i]), plot.top + (a + 0.5) * LANE);
                    context.lineTo(plot.x(received[i]), plot.top + (b + 0.5) * LANE);
                    drawn++;
                }
            }
            context.stroke();
            context.globalAlpha = 1;
            say(drawn > 0 ? `${drawn} messages are drawn: those that a shown rank waited for.` : "");
        };

        const drawPath = (plot) => {
            const { context, colours } = plot;
            const { rank, begin, length } = data.path;
            const dense = ripple.isDense(data.path, view, plot.width);
            const widths = dense ? [2, 1] : [5, 3];
            for (const [width, colour] of [[widths[0], colours.paper], [widths[1], colours.ink]]) {
                context.lineWidth = width;
                context.strokeStyle = colour;
                context.beginPath();
                let before; /* row of the stretch before, where it is shown */
                for (let i = 0; i < rank.length; i++) {
                    const row = rowOf.get(rank[i]), end = begin[i] + length[i];
                    if (row !== undefined && end >= view.t0 && begin[i] <= view.t1) {
                        const y = plot.top + (row + 1) * LANE - 3;
                        context[before === undefined ? "moveTo" : "lineTo"](plot.x(begin[i]), y);
                        context.lineTo(plot.x(end), y);
                    }
                    before = row;
                }
                context.stroke();
            }
        };

        /* A bar below what belongs to something that was found there; one per pixel at most. */
        const drawMarks = (plot, lane, row) => {
            const { context, view, colours } = plot;
            const last = ripple.countBelow(lane.begin, lane.count, view.t1);
            let drawn = -Infinity;
            context.fillStyle = colours.ink;
            for (let i = Math.max(0, ripple.countBelow(lane.begin, lane.count, view.t0) - 1); i < last; i++) {
                const x1 = plot.x(lane.end[i]);
                if (lane.component[i] > 0 && lane.kind[i] !== ripple.DETOUR && x1 > drawn) {
                    const x0 = Math.max(plot.x(lane.begin[i]), drawn);
                    drawn = Math.max(x1, x0 + 1);
                    context.fillRect(x0, plot.top + (row + 1) * LANE - 3, drawn - x0, 3);
                }
            }
        };

        /* All but the picked detour and its ripple becomes pale; these keep a pixel at least. */
        const drawRipple = (plot) => {
            const { context, colours } = plot;
            context.globalAlpha = 0.7;
            context.fillStyle = colours.paper;
            context.fillRect(plot.left, plot.top, plot.width, plot.height);
            context.globalAlpha = 1;
            lanes.forEach((lane, row) => {
                const y = plot.top + row * LANE + 3;
                const last = ripple.countBelow(lane.begin, lane.count, view.t1);
                let i = Math.max(0, ripple.countBelow(lane.begin, lane.count, view.t0) - 1);
                for (; i < last; i++) {
                    const isPicked = lane.kind[i] === ripple.DETOUR && lane.ripple[i] === rippled.of;
                    if (isPicked || (lane.kind[i] === NOISE_WAIT && rippled.has[lane.ripple[i]])) {
                        const x0 = Math.floor(plot.x(lane.begin[i]));
                        context.fillStyle = ripple.STATES[lane.kind[i]].colour;
                        context.fillRect(x0, y, Math.max(1, plot.x(lane.end[i]) - x0), LANE - 6);
                    }
                }
            });
        };

        const drawNames = (plot) => {
            const { context, colours } = plot;
            context.textAlign = "right";
            context.textBaseline = "middle";
            context.fillStyle = colours.ink;
            lanes.forEach((lane, row) =>
                context.fillText(String(lane.rank), plot.left - 6, plot.top + (row + 0.5) * LANE));
        };

        const drawPicked = (plot) => {
            const row = picked ? rowOf.get(picked.lane.rank) : undefined;
            if (row === undefined) {
                return;
            }
            const { lane, slice } = picked;
            const x0 = plot.x(slice < 0 ? view.t0 : lane.begin[slice]);
            const x1 = plot.x(slice < 0 ? view.t1 : lane.end[slice]);
            plot.context.strokeStyle = plot.colours.ink;
            plot.context.lineWidth = 2;
            plot.context.strokeRect(x0 - 1, plot.top + row * LANE, Math.max(3, x1 - x0 + 2), LANE);
        };

        const draw = (plot) => {
            plot.marks = plot.detours = 0;
            lanes.forEach((lane, row) => {
                const got = ripple.drawLane(plot, lane, plot.top + row * LANE, LANE, nameOf);
                plot.marks += got.marks;
                plot.detours += got.detours;
                drawMarks(plot, lane, row);
            });
            say("");
            if (shown.messages && data.messages) {
                drawMessages(plot);
            }
            if (shown.path && data.path) {
                drawPath(plot);
            }
            if (rippled) {
                drawRipple(plot);
            }
            drawPicked(plot);
            plot.context.restore(); /* of the clipping: names are outside */
            plot.context.save();
            drawNames(plot);
        };
        const plot = ripple.newPlot(canvas, view,
            { draw, height: () => Math.max(1, lanes.length) * LANE, ranks: false });

        const sliceFacts = (lane, i) => {
            const kind = lane.kind[i];
            const lines = [["rank", lane.rank], ["state", ripple.STATES[kind].name]];
            if (lane.other[i] !== 0) {
                lines.push(["for", `rank ${lane.rank + lane.other[i]}`]);
            }
            if (kind === ripple.DETOUR) {
                lines.push(["source", componentOf(lane, i) || "not known"]);
            } else if (lane.component[i] > 0) {
                lines.push(["part of", componentOf(lane, i)]);
            }
            lines.push(["length", ripple.exactTime(lane.length[i])],
                ["begin", ripple.exactTime(lane.begin[i])], ["end", ripple.exactTime(lane.end[i])]);
            if (kind === ripple.DETOUR && lane.ripple[i] > 0) {
                const { waits, waited, until } = data.ripples, r = lane.ripple[i] - 1;
                lines.push(["waited behind it", waits[r] === 0 ? "nobody" : `${waits[r]} times, ` +
                    `${ripple.exactTime(waited[r])} in all, until ${ripple.exactTime(until[r])}`]);
            }
            if (lane.op[i] >= 0) {
                lines.push(["operation", lane.op[i]]);
            }
            return lines;
        };
        const laneFacts = (lane, time) => {
            const lines = [["rank", lane.rank], ["time", ripple.exactTime(Math.round(time))]];
            lines.push(time >= lane.wholeUntil ? ["state", "left out of this page: --time shows it"]
                : ["state", time >= lane.finish ? "finished" : "nothing recorded"]);
            return lines;
        };
        const laneAt = (y) => lanes[Math.floor((y - plot.top) / LANE)];

        /* A detour thinner than three pixels is found beside the pointer, too. */
        const sliceNear = (lane, x) => {
            const reach = (view.t1 - view.t0) / plot.width * 1.5, time = plot.timeAt(x);
            const { detours } = lane;
            for (let low = 0, high = detours.length; low < high;) {
                const middle = (low + high) >>> 1, i = detours[middle];
                if (lane.end[i] < time - reach) {
                    low = middle + 1;
                } else if (lane.begin[i] > time + reach) {
                    high = middle;
                } else {
                    return i;
                }
            }
            return ripple.sliceAt(lane, time);
        };
        plot.factsAt = (x, y) => {
            const lane = laneAt(y);
            if (!lane || x < plot.left || y < plot.top) {
                const lost = lane && !data.recorded ? [["lost", ripple.exactTime(lane.lost)]] : [];
                return lane && x < plot.left ? [["rank", lane.rank], ...lost,
                    ["ends", ripple.exactTime(lane.finish)]] : null;
            }
            const i = sliceNear(lane, x);
            return i >= 0 ? sliceFacts(lane, i) : laneFacts(lane, plot.timeAt(x));
        };
        plot.onPick = () => {};
        /* Which ripples the picked one goes on in: each comes after that which it is in. */
        const rippleOf = (lane, slice) => {
            const of = slice >= 0 && lane.kind[slice] === ripple.DETOUR ? lane.ripple[slice] : 0;
            if (of === 0) {
                return null;
            }
            const { after } = data.ripples, has = new Uint8Array(after.length + 1);
            has[of] = 1;
            for (let i = of; i < after.length; i++) {
                has[i + 1] = has[after[i]];
            }
            has[0] = 0;
            return { of, has };
        };
        plot.rippled = () => rippled;
        const pick = (lane, slice) => {
            picked = { lane, slice };
            rippled = rippleOf(lane, slice);
            plot.redraw();
            plot.onPick(slice >= 0 ? sliceFacts(lane, slice) : [["rank", lane.rank]]);
        };
        ripple.hover(plot, plot.factsAt, (x, y) => {
            const lane = laneAt(y);
            if (lane && x >= plot.left) {
                pick(lane, sliceNear(lane, x));
            }
        });

        /* Marks what a rank did at a time, and brings it into view. @return false: not drawn */
        plot.show = (rank, time) => {
            const row = rowOf.get(rank), lane = lanes[row];
            if (row === undefined) {
                return false;
            }
            pick(lane, ripple.sliceAt(lane, time));
            const y = canvas.getBoundingClientRect().top + plot.top + (row + 0.5) * LANE;
            if (y < LANE || y > window.innerHeight - 4 * LANE) {
                window.scrollBy(0, y - window.innerHeight / 2);
            }
            return true;
        };

        /* By keys: from slice to slice, from lane to lane; the view follows. */
        const step = (by) => {
            const lane = picked ? picked.lane : lanes[0];
            const from = picked && picked.slice >= 0 ? picked.slice + by
                : ripple.countBelow(lane.begin, lane.count, view.t0);
            const slice = Math.min(Math.max(0, from), lane.count - 1);
            if (lane.count === 0) {
                return;
            }
            const width = view.t1 - view.t0;
            if (lane.begin[slice] < view.t0 || lane.begin[slice] > view.t1) {
                const t0 = lane.begin[slice] - width / 2;
                ripple.setView(view, { t0, t1: t0 + width });
            }
            pick(lane, slice);
        };
        const change = (by) => {
            const row = picked ? rowOf.get(picked.lane.rank) : -1;
            const lane = lanes[Math.min(Math.max(0, (row === undefined ? -1 : row) + by), lanes.length - 1)];
            if (lane) {
                const time = picked && picked.slice >= 0 ? picked.lane.begin[picked.slice] : view.t0;
                pick(lane, lane.count > 0 ? Math.min(lane.count - 1,
                    ripple.countBelow(lane.begin, lane.count, time)) : -1);
            }
        };
        const KEYS = { ".": () => step(1), ",": () => step(-1), ArrowDown: () => change(1),
            ArrowUp: () => change(-1) };
        canvas.addEventListener("keydown", (event) => {
            if (KEYS[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
                event.preventDefault();
                KEYS[event.key]();
            }
        });

        /* Which lanes, in which order; `ranges` null: all. @return how many */
        plot.choose = (sort, ranges) => {
            lanes = all.filter((lane) => !ranges || ripple.hasRank(ranges, lane.rank))
                .sort(ripple.SORTS[sort][1]);
            rows();
            plot.redraw();
            return lanes.length;
        };
        plot.lanes = () => lanes;
        plot.all = all;
        plot.laneHeight = LANE;
        return plot;
    };
})();
