/* apps/ripple/pages/script/lanes.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One lane per rank: slices of time with a state each. Where slices are narrower than pixels, a
 * column of pixels is divided among the states by their share of its time: all of it is there, not
 * a sample. Detours lie on top, each at least a pixel wide.
 */
"use strict";
(() => {
    const BLOCK = 16;   /* slices between two entries of a table of sums */
    const DENSE = 0.5;  /* slices per pixel from which on shares are drawn */
    const { DETOUR } = ripple;

    /* The slices of one lane, and what finds and sums them fast. */
    ripple.newLane = (facts, columns, first, count) => {
        const part = (name) => columns[name].subarray(first, first + count);
        const lane = { ...facts, count, begin: part("begin"), length: part("length"),
            kind: part("kind"), other: part("other") };
        const kinds = ripple.STATES.length;
        lane.sums = new Float64Array((Math.floor(count / BLOCK) + 1) * kinds); /* before each block */
        lane.end = new Float64Array(count);
        const detours = [], sum = new Float64Array(kinds);
        for (let i = 0; i < count; i++) {
            if (i % BLOCK === 0) {
                lane.sums.set(sum, i / BLOCK * kinds);
            }
            sum[lane.kind[i]] += lane.length[i];
            lane.end[i] = lane.begin[i] + lane.length[i];
            if (lane.kind[i] === DETOUR) {
                detours.push(i);
            }
        }
        lane.detours = Uint32Array.from(detours);
        lane.total = sum;
        return lane;
    };

    /* Adds to `sum` the time spent in each kind before `time`, times `sign`. */
    const addBefore = (lane, time, sign, sum) => {
        const kinds = sum.length;
        const last = ripple.countBelow(lane.begin, lane.count, time);
        const block = Math.floor(Math.max(0, last - 1) / BLOCK);
        for (let k = 0; k < kinds && last > 0; k++) {
            sum[k] += sign * lane.sums[block * kinds + k];
        }
        for (let i = block * BLOCK; i < last; i++) {
            sum[lane.kind[i]] += sign * (Math.min(lane.end[i], time) - lane.begin[i]);
        }
    };

    /* Time spent in each kind from `from` to `to`. */
    ripple.laneSums = (lane, from, to) => {
        const sum = new Float64Array(ripple.STATES.length);
        addBefore(lane, to, 1, sum);
        addBefore(lane, from, -1, sum);
        return sum;
    };

    /* The slice at a time; -1: none is there. */
    ripple.sliceAt = (lane, time) => {
        const i = ripple.countBelow(lane.begin, lane.count, time + 0.5) - 1;
        return i >= 0 && time < lane.end[i] ? i : -1;
    };

    let scratch = null; /* what a lane of shares is put together on, pixel by pixel */
    const scratchOf = (width, height) => {
        if (!scratch || scratch.canvas.width !== width || scratch.canvas.height !== height) {
            const canvas = document.createElement("canvas");
            canvas.width = width;
            canvas.height = height;
            const context = canvas.getContext("2d");
            const image = context.createImageData(width, height);
            scratch = { canvas, context, image, pixels: new Uint32Array(image.data.buffer) };
        }
        scratch.pixels.fill(0);
        return scratch;
    };

    const words = () => ripple.STATES.map(({ colour }) => { /* ABGR, as ImageData wants them */
        const c = d3.rgb(colour);
        return (255 << 24 | c.b << 16 | c.g << 8 | c.r) >>> 0;
    });

    const drawShares = (plot, lane, y, height) => {
        const { left, view } = plot;
        const width = Math.ceil(plot.width), step = (view.t1 - view.t0) / plot.width;
        const { canvas, context, image, pixels } = scratchOf(width, height);
        const colours = words(), kinds = colours.length;
        let before = new Float64Array(kinds), after = new Float64Array(kinds);
        addBefore(lane, view.t0, 1, before);
        for (let x = 0; x < width; x++) {
            after.fill(0);
            addBefore(lane, view.t0 + (x + 1) * step, 1, after);
            let sum = 0, row = height; /* from the lower end up */
            for (let k = 0; k < kinds; k++) {
                if (k !== DETOUR) {
                    sum += (after[k] - before[k]) / step;
                    for (const top = height - Math.round(sum * height); row > top && row > 0;) {
                        pixels[--row * width + x] = colours[k];
                    }
                }
            }
            [before, after] = [after, before];
        }
        context.putImageData(image, 0, 0);
        plot.context.imageSmoothingEnabled = false;
        plot.context.drawImage(canvas, left, y);
    };

    const label = (plot, kind, text, x0, x1, y, height) => {
        const { context } = plot;
        const from = Math.max(x0, plot.left), to = Math.min(x1, plot.left + plot.width);
        const room = to - from - 6;
        if (room < 30 || height < 13 || context.measureText(text).width > room) {
            return;
        }
        const middle = (from + to) / 2, half = context.measureText(text).width / 2 + 2;
        context.fillStyle = ripple.STATES[kind].colour; /* no pattern behind letters */
        context.fillRect(middle - half, y + 1, 2 * half, height - 2);
        context.fillStyle = ripple.STATES[kind].ink;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(text, middle, y + height / 2 + 0.5);
    };

    const drawSlices = (plot, lane, y, height, first, last, nameOf) => {
        const { context } = plot;
        for (let i = first; i < last; i++) {
            const kind = lane.kind[i];
            if (kind === DETOUR) {
                continue;
            }
            const x0 = plot.x(lane.begin[i]), x1 = plot.x(lane.end[i]);
            context.fillStyle = x1 - x0 > 6 ? ripple.fill(kind) : ripple.STATES[kind].colour;
            context.fillRect(x0, y, x1 - x0, height);
            if (x1 - x0 > 36) {
                label(plot, kind, nameOf(lane, i), x0, x1, y, height);
            }
        }
    };

    /* At most one mark per pixel: the next one is looked for beyond the last. */
    const drawDetours = (plot, lane, y, height, nameOf) => {
        const { context, view, left, width } = plot;
        const { detours } = lane;
        let at = 0;
        for (let high = detours.length; at < high;) { /* the first that ends in view */
            const middle = (at + high) >>> 1;
            if (lane.end[detours[middle]] < view.t0) {
                at = middle + 1;
            } else {
                high = middle;
            }
        }
        let drawn = 0;
        context.fillStyle = ripple.STATES[DETOUR].colour;
        while (at < detours.length && lane.begin[detours[at]] < view.t1) {
            const i = detours[at];
            /* On whole pixels: half of two pixels would be pale. */
            const x0 = Math.floor(plot.x(lane.begin[i]));
            const wide = Math.max(1, Math.ceil(plot.x(lane.end[i])) - x0);
            context.fillRect(x0, y, wide, height);
            drawn++;
            if (wide > 36) {
                label(plot, DETOUR, nameOf(lane, i), x0, x0 + wide, y, height);
                context.fillStyle = ripple.STATES[DETOUR].colour;
            }
            const beyond = plot.timeAt(Math.max(left, Math.floor(x0)) + 1);
            if (wide > 1 || x0 > left + width) {
                at++;
                continue;
            }
            let low = at + 1, high = detours.length; /* those that begin within this pixel */
            while (low < high) {
                const middle = (low + high) >>> 1;
                if (lane.begin[detours[middle]] < beyond && lane.end[detours[middle]] < beyond) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            at = low;
        }
        return drawn;
    };

    /* Draws what of a lane is in view. @return {marks: slices in view, detours: drawn} */
    ripple.drawLane = (plot, lane, y, height, nameOf) => {
        const { view } = plot;
        const first = Math.max(0, ripple.countBelow(lane.begin, lane.count, view.t0) - 1);
        const last = ripple.countBelow(lane.begin, lane.count, view.t1);
        const inset = Math.max(1, Math.round(height / 8));
        if (last - first > DENSE * plot.width) {
            drawShares(plot, lane, y + inset, height - 2 * inset);
        } else {
            drawSlices(plot, lane, y + inset, height - 2 * inset, first, last, nameOf);
        }
        return { marks: last - first, detours: drawDetours(plot, lane, y, height, nameOf) };
    };
})();
