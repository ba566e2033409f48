/* apps/ripple/pages/script/heat.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank over time, coloured by the share of the time that was lost. The data are a pyramid: level 0
 * is the finest, each next one has half as many rows and columns. What is drawn is the finest level
 * of which a cell is at least a pixel wide or high; in the other direction cells are taken together.
 */
"use strict";
(() => {
    const HEIGHT = 320;
    const DRILLED = 64; /* ranks: a click goes no deeper */
    const COLUMNS = 32; /* of the finest level: nor deeper than so many */
    const KEPT = 8;     /* pictures of levels */

    /* Cells are stored row by row, rank 0 first. */
    const cellAt = (level, rank, time) => {
        const column = Math.floor(time / level.time), row = Math.floor(rank / level.ranks);
        const inside = column >= 0 && column < level.columns && row >= 0 && row < level.rows;
        return inside ? row * level.columns + column : -1;
    };

    /* Shares with `rows` by `columns` cells taken together: their mean, or the most of them. What
     * is not 0 stays so. */
    const foldShares = (level, what, rows, columns) => {
        const high = Math.ceil(level.rows / rows), wide = Math.ceil(level.columns / columns);
        const shares = level[what], sums = new Uint32Array(high * wide);
        for (let r = 0, i = 0; r < level.rows; r++) {
            const to = Math.floor(r / rows) * wide;
            for (let c = 0; c < level.columns; c++, i++) {
                const at = to + Math.floor(c / columns);
                sums[at] = what === "most" ? Math.max(sums[at], shares[i]) : sums[at] + shares[i];
            }
        }
        const cells = what === "most" ? 1 : rows * columns;
        return { high, wide, shares: sums.map((sum) => Math.ceil(sum / cells)) };
    };

    /* A level as a picture, a pixel for each cell, or for so many; `what`: "mean", or "most" of the
     * worst rank. Only the last few are kept. */
    const pictures = new Map();
    const picture = (level, what, fold, table) => {
        const key = `${level.rows} ${level.columns} ${what} ${fold.rows} ${fold.columns}`;
        if (!pictures.has(key)) {
            const { high, wide, shares } = foldShares(level, what, fold.rows, fold.columns);
            const canvas = document.createElement("canvas");
            canvas.width = wide;
            canvas.height = high;
            const context = canvas.getContext("2d");
            const image = context.createImageData(wide, high);
            const pixels = new Uint32Array(image.data.buffer);
            for (let i = 0; i < pixels.length; i++) {
                pixels[i] = table[shares[i]];
            }
            context.putImageData(image, 0, 0);
            if (pictures.size >= KEPT) {
                pictures.delete(pictures.keys().next().value);
            }
            pictures.set(key, canvas);
        }
        return pictures.get(key);
    };

    /* The rank that lost most in a cell; -1: none lost anything. */
    const worstOf = (level, cell) => level.worst[cell] === 0 ? -1
        : Math.floor(cell / level.columns) * level.ranks + level.worst[cell] - 1;

    const drawRanks = (plot) => {
        const { context, colours, view } = plot;
        context.textAlign = "right";
        context.textBaseline = "middle";
        context.fillStyle = colours.ink;
        context.strokeStyle = colours.soft;
        context.beginPath();
        for (const rank of d3.ticks(view.r0, view.r1 - 1, 6)) {
            if (Number.isInteger(rank)) {
                const y = Math.min(Math.max(plot.y(rank + 0.5), plot.top + 7), plot.top + plot.height - 6);
                context.fillText(String(rank), plot.left - 8, y);
                context.moveTo(plot.left - 5, plot.y(rank + 0.5));
                context.lineTo(plot.left, plot.y(rank + 0.5));
            }
        }
        context.moveTo(plot.left - 0.5, plot.top);
        context.lineTo(plot.left - 0.5, plot.top + plot.height);
        context.stroke();
    };

    /* White below black: seen on any colour of the heat. */
    const strokeTwice = (context, dash) => {
        context.setLineDash([]);
        context.lineWidth = 4;
        context.strokeStyle = "#fff";
        context.stroke();
        context.setLineDash(dash);
        context.lineWidth = 2;
        context.strokeStyle = "#000";
        context.stroke();
        context.setLineDash([]);
    };

    const drawPath = (plot, path) => {
        const { context } = plot;
        context.beginPath();
        for (let i = 0; i < path.rank.length; i++) { /* from the first stretch to the last */
            const y = plot.y(path.rank[i] + 0.5);
            context[i === 0 ? "moveTo" : "lineTo"](plot.x(path.begin[i]), y);
            context.lineTo(plot.x(path.begin[i] + path.length[i]), y);
        }
        strokeTwice(context, []);
    };

    const drawWave = (plot, data, wave) => {
        const { context } = plot;
        context.beginPath();
        for (const line of wave.lines) {
            context.moveTo(plot.x(line.t0), plot.y(line.r0 + 0.5));
            context.lineTo(plot.x(line.t1), plot.y(line.r1 + 0.5));
        }
        strokeTwice(context, [6, 4]);
        const near = plot.height / (plot.view.r1 - plot.view.r0) * (data.ranks / wave.rank.length);
        const radius = Math.max(1, Math.min(4, near)); /* such that they do not hide the line */
        for (let i = 0; i < wave.rank.length; i++) {
            context.beginPath();
            context.arc(plot.x(wave.time[i]), plot.y(wave.rank[i] + 0.5), radius, 0, 2 * Math.PI);
            context.fillStyle = "#fff";
            context.fill();
            context.lineWidth = 1;
            context.strokeStyle = "#000";
            context.stroke();
        }
    };

    /* `data` as C has packed it; `shown`: {path, wave, most}, what of it; `picked(rank)`. */
    ripple.newHeat = (canvas, view, data, shown, picked) => {
        const table = ripple.heatTable();
        const levels = data.heat.levels;

        /* Pixels of a cell. */
        const sizeOf = (plot, level) => ({
            columns: level.time / (view.t1 - view.t0) * plot.width,
            rows: level.ranks / (view.r1 - view.r0) * plot.height,
        });
        const levelFor = (plot) => levels.find((level) => {
            const size = sizeOf(plot, level);
            return size.columns >= 1 || size.rows >= 1;
        }) || levels[levels.length - 1];
        /* How many cells share a pixel in the other direction: a power of two. */
        const foldFor = (plot, level) => {
            const size = sizeOf(plot, level);
            const fold = (pixels) => 2 ** Math.max(0, Math.ceil(Math.log2(1 / pixels)));
            return { rows: fold(size.rows), columns: fold(size.columns) };
        };

        const draw = (plot) => {
            const { context } = plot;
            const level = levelFor(plot), fold = foldFor(plot, level);
            const wide = level.time * fold.columns, high = level.ranks * fold.rows;
            context.imageSmoothingEnabled = false;
            context.drawImage(picture(level, shown.most ? "most" : "mean", fold, table),
                view.t0 / wide, view.r0 / high, (view.t1 - view.t0) / wide,
                (view.r1 - view.r0) / high, plot.left, plot.top, plot.width, plot.height);
            if (shown.path && data.path) {
                drawPath(plot, data.path);
            }
            if (shown.wave && data.wave) {
                drawWave(plot, data, data.wave);
            }
            context.restore(); /* of the clipping: labels are outside */
            context.save();
            drawRanks(plot);
        };
        const plot = ripple.newPlot(canvas, view, { draw, height: () => HEIGHT, ranks: true });

        const facts = (x, y) => {
            const rank = plot.rankAt(y), time = plot.timeAt(x), level = levelFor(plot);
            const cell = x >= plot.left ? cellAt(level, rank, time) : -1;
            if (cell < 0) {
                return null;
            }
            const row = Math.floor(rank / level.ranks), column = Math.floor(time / level.time);
            const first = Math.ceil(row * level.ranks);
            const last = Math.min(data.ranks, Math.ceil((row + 1) * level.ranks)) - 1;
            const lines = [
                [first >= last ? "rank" : "ranks", first >= last ? first : `${first} to ${last}`],
                ["time", `${ripple.time(column * level.time, level.time)} to ` +
                    ripple.time((column + 1) * level.time, level.time)],
                [first >= last ? "lost" : "lost, mean", ripple.percent(level.mean[cell] / 255)],
            ];
            const worst = worstOf(level, cell);
            if (worst >= 0 && last > first) {
                lines.push(["lost, worst", ripple.percent(level.most[cell] / 255)], ["worst",
                    `rank ${worst}${data.lanes.rank.includes(worst) ? ", drawn below" : ""}`]);
            }
            return lines;
        };

        /* Four times closer, around what was clicked. */
        const drill = (x, y) => {
            const rank = plot.rankAt(y), time = plot.timeAt(x);
            const cell = cellAt(levelFor(plot), rank, time);
            if (x < plot.left || cell < 0) {
                return;
            }
            /* A quarter of what there was, but not less than what is worth a look. */
            const closer = (from, to, least) => Math.max(0.25, Math.min(1, least / (to - from)));
            const times = closer(view.t0, view.t1, COLUMNS * levels[0].time);
            const ranks = closer(view.r0, view.r1, Math.min(DRILLED, data.ranks));
            const next = {
                t0: time - (time - view.t0) * times, t1: time + (view.t1 - time) * times,
                r0: rank - (rank - view.r0) * ranks, r1: rank + (view.r1 - rank) * ranks,
            };
            picked(worstOf(levelFor(plot), cell));
            ripple.setView(view, next);
        };
        ripple.hover(plot, facts, drill);
        plot.facts = facts;
        plot.levelShown = () => levels.indexOf(levelFor(plot));
        return plot;
    };

    /* From nothing lost to everything lost, with numbers. */
    ripple.heatKey = (parent) => {
        const shares = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];
        parent.append("lost: none ");
        for (const share of shares) {
            const swatch = document.createElement("span");
            swatch.className = "heat";
            swatch.style.background = ripple.heatColour(share);
            swatch.style.color = share > 0.2 ? "#000" : "#fff";
            swatch.textContent = `${Math.round(100 * share)}`;
            parent.append(swatch);
        }
        parent.append(" %");
    };
})();
