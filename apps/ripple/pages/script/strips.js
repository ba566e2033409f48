/* apps/ripple/pages/script/strips.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small timelines, one per event that a component of the noise has hit: the event in the middle, its
 * neighbours on either side, MPI calls above, who ran on its CPU below. SVG, so that each part can
 * be hovered and its title read.
 */
"use strict";
(() => {
    const HEIGHT = { call: 16, main: 22, system: 16, axis: 20, gap: 2 };
    const COMPUTE = 0, CALL = 1, SYSTEM = 2; /* kinds of slices, as C writes them */

    const TOP = { [CALL]: 0, [COMPUTE]: HEIGHT.call + HEIGHT.gap,
        [SYSTEM]: HEIGHT.call + HEIGHT.main + 2 * HEIGHT.gap };
    const BARS = HEIGHT.call + HEIGHT.main + HEIGHT.system + 2 * HEIGHT.gap;
    const COLOURS = { [COMPUTE]: "#56b4e9", [CALL]: "#cc79a7", [SYSTEM]: "#e69f00" };

    ripple.duration = (e) => e.end - e.start;
    /* What waiting for a late partner does not explain; the mean of the component where it is not
     * known what the event should have taken. */
    ripple.excess = (e) => e.expected < 0 ? e.mean
        : ripple.duration(e) - Math.max(0, e.waited) - e.expected;

    ripple.exemplarFacts = (e) => {
        const facts = [["rank", e.rank], ["event", e.type], ["begin", ripple.exactTime(e.start)],
            ["end", ripple.exactTime(e.end)], ["length", ripple.exactTime(ripple.duration(e))]];
        if (e.expected >= 0) {
            facts.push(["expected", ripple.exactTime(e.expected)],
                ["longer by", ripple.exactTime(ripple.excess(e))]);
        }
        if (e.detour >= 0) {
            facts.push(["detour that hit it", ripple.exactTime(e.detour)]);
        }
        if (e.waited >= 0) {
            facts.push(["waited for a late partner", ripple.exactTime(e.waited)]);
        }
        facts.push(["CPU time", e.cpu >= 0 ? ripple.exactTime(e.cpu) : "not recorded"]);
        return facts.concat(e.facts);
    };

    const sliceFacts = (slice) => {
        const facts = [["", slice.name], ["begin", ripple.exactTime(slice.begin)],
            ["end", ripple.exactTime(slice.end)],
            ["length", ripple.exactTime(slice.end - slice.begin)]];
        if (slice.bytes >= 0) {
            facts.push(["bytes", slice.bytes]);
        }
        if (slice.peer >= 0) {
            facts.push(["partner", `rank ${slice.peer}`]);
        }
        if (slice.cpu >= 0) {
            facts.push(["CPU time", ripple.exactTime(slice.cpu)]);
        }
        if (slice.on >= 0) {
            facts.push(["on CPU", slice.on]);
        }
        return facts;
    };

    const hover = (selection, factsOf) => selection
        .on("pointermove", (d) => ripple.tell(factsOf(d), d3.event.clientX, d3.event.clientY))
        .on("pointerleave", () => ripple.tell(null));

    const bars = (group, slices, x) => {
        const bar = group.selectAll("g.slice").data(slices).enter().append("g")
            .attr("class", "slice");
        bar.append("rect").attr("x", (s) => x(s.begin)).attr("y", (s) => TOP[s.kind])
            .attr("width", (s) => Math.max(1, x(s.end) - x(s.begin)))
            .attr("height", (s) => [HEIGHT.main, HEIGHT.call, HEIGHT.system][s.kind])
            .attr("fill", (s) => COLOURS[s.kind]).attr("stroke", "var(--paper)");
        hover(bar, sliceFacts);
        /* A name where it fits: some 7 px a letter. */
        bar.filter((s) => x(s.end) - x(s.begin) > 7 * s.name.length + 4).append("text")
            .attr("x", (s) => (x(s.begin) + x(s.end)) / 2)
            .attr("y", (s) => TOP[s.kind] + (s.kind === COMPUTE ? 16 : 12.5))
            .text((s) => s.name);
    };

    /* The event itself, and its last part, as long as what is not expected: hatched, since when
     * within the event it came is not known. */
    const eventBar = (group, e, x, kind) => {
        const top = TOP[kind], height = kind === CALL ? HEIGHT.call : HEIGHT.main;
        const excess = Math.min(ripple.duration(e), Math.max(0, ripple.excess(e)));
        const bar = group.append("g").attr("class", "event");
        bar.append("rect").attr("x", x(e.start)).attr("y", top).attr("height", height)
            .attr("width", Math.max(1, x(e.end) - x(e.start))).attr("fill", COLOURS[kind]);
        bar.append("rect").attr("x", x(e.end - excess)).attr("y", top).attr("height", height)
            .attr("width", Math.max(1, x(e.end) - x(e.end - excess))).attr("fill", "url(#hatch)");
        bar.append("rect").attr("x", x(e.start)).attr("y", top).attr("height", height)
            .attr("width", Math.max(1, x(e.end) - x(e.start))).attr("class", "frame");
        hover(bar, () => ripple.exemplarFacts(e));
    };

    /* `span`: ps from the left to the right end, the event in the middle; `width` in px. */
    ripple.drawStrip = (svg, e, width, span) => {
        const middle = (e.start + e.end) / 2;
        const x = d3.scaleLinear().domain([middle - span / 2, middle + span / 2]).range([0, width]);
        svg.attr("width", width).attr("height", BARS + HEIGHT.axis)
            .attr("viewBox", `0 0 ${width} ${BARS + HEIGHT.axis}`);
        svg.selectAll("*").remove();
        const [from, to] = x.domain();
        bars(svg, e.slices.filter((s) => s.end >= from && s.begin <= to &&
            !(s.begin === e.start && s.end === e.end && s.kind === e.kind)), x);
        eventBar(svg, e, x, e.kind);
        const axis = svg.append("g").attr("class", "axis")
            .attr("transform", `translate(0,${BARS})`);
        axis.append("line").attr("x2", width);
        const ticks = ripple.timeTicks(0, span, Math.max(2, width / 110));
        const tick = axis.selectAll("g").data(ticks).enter().append("g")
            .attr("transform", (t) => `translate(${x(from + t.at)},0)`);
        tick.append("line").attr("y2", 4);
        tick.append("text").attr("y", 16).text((t) => t.text)
            .style("text-anchor", (t) => t.at === 0 ? "start"
                : x(from + t.at) > width - 30 ? "end" : "middle");
    };

    /* The part of an event that is not expected, once for all strips. */
    ripple.hatch = (parent) => {
        const pattern = d3.select(parent).append("svg").attr("width", 0).attr("height", 0)
            .style("position", "absolute").append("defs").append("pattern").attr("id", "hatch")
            .attr("width", 8).attr("height", 8).attr("patternUnits", "userSpaceOnUse");
        pattern.append("rect").attr("width", 8).attr("height", 8).attr("fill", "#d55e00");
        pattern.append("path").attr("d", "M0,8L8,0").attr("stroke", "#000").attr("opacity", 0.5);
    };
})();
