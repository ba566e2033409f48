/* apps/ripple/pages/script/heat.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank over time, coloured by the share of the time that was lost. The data are a pyramid: level 0
 * is the finest, each next one has half as many rows and columns. What is drawn is the finest level
 * of which a cell is at least a pixel wide or high; in the other direction cells are taken together.
 * Closer there may be a level of few ranks a row, and blocks of ranks that have a row each.
 */
"use strict";
(() => {
    const HEIGHT = 320;
    const DRILLED = 64; /* ranks: a click goes no deeper */
    const COLUMNS = 32; /* of the finest level: nor deeper than so many */
    const KEPT = 16;    /* pictures of levels */
    const ROWS = 8;     /* in view: with fewer the level of few ranks a row tells more */
    const SEEN = 2;     /* px of a rank from which on blocks are drawn */

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
        const key = `${level.name} ${what} ${fold.rows} ${fold.columns}`;
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

    /* Blocks as levels whose rows are one rank each, from rank `first` on. */
    const blocksOf = ({ blocks }) => {
        let at = 0;
        return !blocks ? [] : blocks.first.map((first, i) => {
            const cells = blocks.count[i] * blocks.columns;
            const mean = blocks.share.subarray(at, at += cells);
            return { name: `block ${i}`, first, rows: blocks.count[i], columns: blocks.columns,
                time: blocks.time, mean, most: mean, lost: d3.mean(mean) / 255 };
        });
    };

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
    const strokeTwice = (context, dash, width) => {
        context.setLineDash([]);
        context.lineWidth = 2 * width;
        context.strokeStyle = "#fff";
        context.stroke();
        context.setLineDash(dash);
        context.lineWidth = width;
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
        strokeTwice(context, [], ripple.isDense(path, plot.view, plot.width) ? 1 : 2);
    };

    const drawWave = (plot, data, wave) => {
        const { context } = plot;
        context.beginPath();
        for (const line of wave.lines) {
            context.moveTo(plot.x(line.t0), plot.y(line.r0 + 0.5));
            context.lineTo(plot.x(line.t1), plot.y(line.r1 + 0.5));
        }
        strokeTwice(context, [6, 4], 2);
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

    /* `data` as C has packed it; `shown`: {path, wave, most}, what of it; `picked(rank, time,
     * deep)`: of a click, which rank lost most there (-1: none); deep: no closer than this. */
    ripple.newHeat = (canvas, view, data, shown, picked) => {
        const table = ripple.heatTable();
        const { levels, few } = data.heat, blocks = blocksOf(data.heat);
        levels.forEach((level, i) => { level.name = `level ${i}`; });
        if (few) {
            few.name = "few";
        }

        /* Pixels of a cell. */
        const sizeOf = (plot, level) => ({
            columns: level.time / (view.t1 - view.t0) * plot.width,
            rows: level.ranks / (view.r1 - view.r0) * plot.height,
        });
        const levelFor = (plot) => {
            const level = levels.find((each) => {
                const size = sizeOf(plot, each);
                return size.columns >= 1 || size.rows >= 1;
            }) || levels[levels.length - 1];
            const rows = (view.r1 - view.r0) / level.ranks;
            return few && level.ranks > few.ranks && rows < ROWS ? few : level;
        };
        /* How many cells share a pixel in the other direction: a power of two. */
        const foldFor = (plot, level) => {
            const size = sizeOf(plot, level);
            const fold = (pixels) => 2 ** Math.max(0, Math.ceil(Math.log2(1 / pixels)));
            return { rows: fold(size.rows), columns: fold(size.columns) };
        };
        const blocksShown = (plot) => plot.height / (view.r1 - view.r0) < SEEN ? []
            : blocks.filter((each) => each.first < view.r1 && each.first + each.rows > view.r0);
        const blockAt = (plot, rank) => blocksShown(plot).find((each) =>
            rank >= each.first && rank < each.first + each.rows);
        const blockCell = (block, rank, time) => Math.floor(rank - block.first) * block.columns +
            Math.min(block.columns - 1, Math.max(0, Math.floor(time / block.time)));

        const drawBlock = (plot, block) => {
            const { context } = plot;
            const fold = { rows: 1, columns: foldFor(plot, { ranks: 1, time: block.time }).columns };
            const image = picture(block, shown.most ? "most" : "mean", fold, table);
            const x0 = plot.x(0), x1 = plot.x(image.width * fold.columns * block.time);
            const y0 = plot.y(block.first), y1 = plot.y(block.first + block.rows);
            context.clearRect(plot.left, y0, plot.width, y1 - y0);
            context.drawImage(image, x0, y0, x1 - x0, y1 - y0);
        };
        /* Beside the map: where each rank has a row of its own. */
        const drawBlockMarks = (plot) => {
            plot.context.fillStyle = plot.colours.ink;
            for (const block of blocks) {
                const y0 = Math.max(plot.top, plot.y(block.first));
                const y1 = Math.min(plot.top + plot.height, plot.y(block.first + block.rows));
                if (y1 > plot.top && y0 < plot.top + plot.height) {
                    plot.context.fillRect(plot.left + plot.width + 3, y0, 5, Math.max(2, y1 - y0 - 1));
                }
            }
        };

        const draw = (plot) => {
            const { context } = plot;
            const level = levelFor(plot), fold = foldFor(plot, level);
            const wide = level.time * fold.columns, high = level.ranks * fold.rows;
            context.imageSmoothingEnabled = false;
            context.drawImage(picture(level, shown.most ? "most" : "mean", fold, table),
                view.t0 / wide, view.r0 / high, (view.t1 - view.t0) / wide,
                (view.r1 - view.r0) / high, plot.left, plot.top, plot.width, plot.height);
            blocksShown(plot).forEach((block) => drawBlock(plot, block));
            if (shown.path && data.path) {
                drawPath(plot, data.path);
            }
            if (shown.wave && data.wave) {
                drawWave(plot, data, data.wave);
            }
            context.restore(); /* of the clipping: labels are outside */
            context.save();
            drawRanks(plot);
            drawBlockMarks(plot);
        };
        const plot = ripple.newPlot(canvas, view, { draw, height: () => HEIGHT, ranks: true });

        const isDrawn = (rank) => data.lanes.rank.includes(rank);
        const spanOf = (column, level) => `${ripple.time(column * level.time, level.time)} to ` +
            ripple.time((column + 1) * level.time, level.time);
        const blockFacts = (block, rank, time) => {
            const cell = blockCell(block, rank, time);
            return [["rank", `${rank}${isDrawn(rank) ? ", drawn below" : ""}`],
                ["time", spanOf(cell % block.columns, block)],
                ["lost", ripple.percent(block.mean[cell] / 255)]];
        };
        const facts = (x, y) => {
            const rank = plot.rankAt(y), time = plot.timeAt(x), level = levelFor(plot);
            const cell = x >= plot.left ? cellAt(level, rank, time) : -1;
            if (cell < 0) {
                return null;
            }
            const block = blockAt(plot, rank);
            if (block) {
                return blockFacts(block, Math.floor(rank), time);
            }
            const row = Math.floor(rank / level.ranks), column = Math.floor(time / level.time);
            const first = Math.ceil(row * level.ranks);
            const last = Math.min(data.ranks, Math.ceil((row + 1) * level.ranks)) - 1;
            const lines = [
                [first >= last ? "rank" : "ranks", first >= last ? first : `${first} to ${last}`],
                ["time", spanOf(column, level)],
                [first >= last ? "lost" : "lost, mean", ripple.percent(level.mean[cell] / 255)],
            ];
            const worst = worstOf(level, cell);
            if (worst >= 0 && last > first) {
                lines.push(["lost, worst", ripple.percent(level.most[cell] / 255)], ["worst",
                    `rank ${worst}${isDrawn(worst) ? ", drawn below" : ""}`]);
            }
            return lines;
        };

        /* Which rank lost most of the cell that is drawn there; -1: none lost anything. */
        const worstAt = (rank, time) => {
            const block = blockAt(plot, rank), level = levelFor(plot);
            if (block) {
                return block.mean[blockCell(block, rank, time)] > 0 ? Math.floor(rank) : -1;
            }
            return worstOf(level, cellAt(level, rank, time));
        };
        /* Four times closer; at last to those 64 ranks, from a multiple of 64 on, among which the
         * rank is, or the worst one of a row that is more than these. */
        const drillTo = (rank, time) => {
            const worst = worstAt(rank, time), deep = view.r1 - view.r0 <= DRILLED;
            /* A quarter of what there was, but not less than what is worth a look. */
            const closer = (from, to, least) => Math.max(0.25, Math.min(1, least / (to - from)));
            const times = closer(view.t0, view.t1, COLUMNS * levels[0].time);
            const ranks = closer(view.r0, view.r1, Math.min(DRILLED, data.ranks));
            const next = {
                t0: time - (time - view.t0) * times, t1: time + (view.t1 - time) * times,
                r0: rank - (rank - view.r0) * ranks, r1: rank + (view.r1 - rank) * ranks,
            };
            if (!deep && next.r1 - next.r0 < DRILLED + 0.5) {
                const aim = worst >= 0 && levelFor(plot).ranks > DRILLED ? worst : rank;
                next.r0 = Math.floor(aim / DRILLED) * DRILLED;
                next.r1 = next.r0 + DRILLED;
            }
            picked(worst, time, deep);
            ripple.setView(view, next);
        };
        const drill = (x, y) => {
            const rank = plot.rankAt(y), time = plot.timeAt(x);
            if (x >= plot.left && cellAt(levelFor(plot), rank, time) >= 0) {
                drillTo(rank, time);
            }
        };
        ripple.hover(plot, facts, drill);

        /* The middle of the cell in view of which most is lost. */
        const worstPlace = () => {
            let best = { share: 0, rank: (view.r0 + view.r1) / 2, time: (view.t0 + view.t1) / 2 };
            const look = (level, first, ranks) => {
                const c0 = Math.max(0, Math.ceil(view.t0 / level.time - 0.5));
                const c1 = Math.min(level.columns, Math.ceil(view.t1 / level.time - 0.5));
                const r0 = Math.max(0, Math.ceil((view.r0 - first) / ranks - 0.5));
                const r1 = Math.min(level.rows, Math.ceil((view.r1 - first) / ranks - 0.5));
                for (let r = r0; r < r1; r++) {
                    for (let c = c0; c < c1; c++) {
                        const share = level.mean[r * level.columns + c];
                        if (share > best.share) {
                            best = { share, rank: Math.min(data.ranks - 0.5, first + (r + 0.5) * ranks),
                                time: (c + 0.5) * level.time };
                        }
                    }
                }
            };
            const shownBlocks = blocksShown(plot);
            shownBlocks.forEach((block) => look(block, block.first, 1));
            if (shownBlocks.length === 0) {
                look(levelFor(plot), 0, levelFor(plot).ranks);
            }
            return best;
        };
        canvas.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey) {
                const { rank, time } = worstPlace();
                event.preventDefault();
                drillTo(rank, time);
            }
        });
        plot.blocks = blocks;
        plot.blocksShown = () => blocksShown(plot);
        plot.isFew = () => levelFor(plot) === few;
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
