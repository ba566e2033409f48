/* apps/ripple/pages/script/units.js — SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and ranks as people write them. Times are picoseconds, as everywhere in Ripple. */
"use strict";
const ripple = {};

(() => {
    const UNITS = [["s", 1e12], ["ms", 1e9], ["us", 1e6], ["ns", 1e3], ["ps", 1]];

    /* The largest unit of which `span` has at least two. */
    const unitOf = (span) => UNITS.find(([, size]) => span >= 2 * size) || UNITS[UNITS.length - 1];

    /* "2.5 ms"; as many digits as `span`, the width of what is shown, tells apart. */
    ripple.time = (ps, span) => {
        if (ps === 0) {
            return "0";
        }
        const [name, size] = UNITS.find(([, s]) => Math.abs(ps) >= s) || UNITS[UNITS.length - 1];
        const digits = span ? Math.ceil(Math.log10(size / span)) + 2 : 3;
        const text = (ps / size).toFixed(Math.min(12, Math.max(0, digits)));
        return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${name}`;
    };

    /* Every digit of it: "2.500017 ms". */
    ripple.exactTime = (ps) => {
        if (ps === 0) {
            return "0";
        }
        const [name, size] = UNITS.find(([, s]) => Math.abs(ps) >= s) || UNITS[UNITS.length - 1];
        return `${Number((ps / size).toPrecision(15))} ${name}`;
    };

    /* "2.5ms" -> 2.5e9; a number alone is in nanoseconds. NaN: not a time. */
    ripple.parseTime = (text) => {
        const match = /^\s*([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)\s*(ps|ns|us|µs|ms|s)?\s*$/i.exec(text);
        if (!match) {
            return NaN;
        }
        const name = (match[2] || "ns").toLowerCase().replace("µs", "us");
        return Math.round(Number(match[1]) * UNITS.find(([unit]) => unit === name)[1]);
    };

    /* "0-31:2,64" -> [[0, 31, 2], [64, 64, 1]], the grammar of Projections; null: not ranks. */
    ripple.parseRanks = (text) => {
        const ranges = [];
        for (const part of text.split(",")) {
            const match = /^\s*(\d+)(?:-(\d+)(?::(\d+))?)?\s*$/.exec(part);
            const from = match ? Number(match[1]) : NaN;
            const to = match && match[2] !== undefined ? Number(match[2]) : from;
            const step = match && match[3] !== undefined ? Number(match[3]) : 1;
            if (!match || to < from || step < 1) {
                return null;
            }
            ranges.push([from, to, step]);
        }
        return ranges;
    };

    ripple.hasRank = (ranges, rank) =>
        ranges.some(([from, to, step]) => rank >= from && rank <= to && (rank - from) % step === 0);

    /* Ticks at round times, some `count` of them, and what stands at each. */
    ripple.timeTicks = (from, to, count) => {
        const [name, size] = unitOf(to - from);
        const digits = Math.max(0, -Math.floor(Math.log10((to - from) / size / count)));
        return d3.ticks(from / size, to / size, count).map((value) => ({
            at: value * size,
            text: `${value.toFixed(Math.min(12, digits)).replace(/(\.[0-9]*?)0+$/, "$1").replace(/\.$/, "")} ${name}`,
        }));
    };

    ripple.bytes = (n) => {
        const exponent = n < 1 ? 0 : Math.min(4, Math.floor(Math.log2(n) / 10));
        return `${Number((n / 1024 ** exponent).toPrecision(4))} ${["B", "KiB", "MiB", "GiB", "TiB"][exponent]}`;
    };

    ripple.percent = (share) => `${Number((100 * share).toPrecision(3))} %`;

    /* How many of the ascending array are below `key`; `n` of it are looked at. */
    ripple.countBelow = (array, n, key) => {
        let low = 0, high = n;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (array[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
})();
