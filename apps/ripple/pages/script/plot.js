/* apps/ripple/pages/script/plot.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A canvas with axes that is zoomed and panned by mouse, touch and keys. What is shown lies in a
 * view, {t0, t1, r0, r1}: times in ps, ranks from r0 to below r1; several plots may share one.
 */
"use strict";
(() => {
    const LEFT = 62, BOTTOM = 22, RIGHT = 10, TOP = 4;
    const TALL = 400; /* px: from there on the axis stands above, too */
    const FONT = "12px system-ui, sans-serif";

    ripple.newView = (limits) => ({ ...limits, limits, listeners: [] });

    /* Within the limits, and no narrower than a picosecond or a rank. */
    const clamp = (low, high, least, from, to) => {
        const width = Math.min(Math.max(high - low, least), to - from);
        const start = Math.min(Math.max((low + high - width) / 2, from), to - width);
        return [start, start + width];
    };

    ripple.setView = (view, next) => {
        const { limits } = view;
        const wanted = { ...view, ...next };
        [view.t0, view.t1] = clamp(wanted.t0, wanted.t1, 1000, limits.t0, limits.t1);
        [view.r0, view.r1] = clamp(wanted.r0, wanted.r1, 1, limits.r0, limits.r1);
        view.listeners.forEach((listener) => listener());
    };

    /* Frames that were drawn: how long each took in ms, and the same by plot; for who measures. */
    ripple.frames = [];
    ripple.plotFrames = {};

    /* `draw(plot)` puts what is in view on plot.context; `height()` in px, axes left aside;
     * `ranks`: does the vertical axis show ranks, which are zoomed with the time? */
    ripple.newPlot = (canvas, view, { draw, height, ranks }) => {
        const plot = { canvas, view, left: LEFT, top: TOP, ranks };
        let asked = false;

        const frame = () => {
            asked = false;
            const begin = performance.now();
            const ratio = window.devicePixelRatio || 1;
            plot.top = height() > TALL ? BOTTOM : TOP;
            const width = canvas.parentElement.clientWidth, whole = height() + plot.top + BOTTOM;
            const size = [Math.round(width * ratio), Math.round(whole * ratio)];
            if (canvas.width !== size[0] || canvas.height !== size[1]) {
                [canvas.width, canvas.height] = size;
                canvas.style.height = `${whole}px`;
            }
            plot.width = Math.max(1, width - LEFT - RIGHT);
            plot.height = height();
            plot.context = canvas.getContext("2d");
            plot.colours = ripple.colours();
            plot.context.setTransform(ratio, 0, 0, ratio, 0, 0);
            plot.context.clearRect(0, 0, width, whole);
            plot.context.font = FONT;
            plot.context.save();
            plot.context.beginPath();
            plot.context.rect(LEFT, plot.top, plot.width, plot.height);
            plot.context.clip();
            draw(plot);
            plot.context.restore();
            drawTimes(plot, plot.top + plot.height, false);
            if (plot.top > TOP) {
                drawTimes(plot, plot.top, true);
            }
            const took = performance.now() - begin;
            ripple.frames.push(took);
            (ripple.plotFrames[canvas.id] = ripple.plotFrames[canvas.id] || []).push(took);
        };
        plot.redraw = () => {
            if (!asked) {
                asked = true;
                requestAnimationFrame(frame);
            }
        };
        plot.x = (time) => LEFT + (time - view.t0) / (view.t1 - view.t0) * plot.width;
        plot.timeAt = (x) => view.t0 + (x - LEFT) / plot.width * (view.t1 - view.t0);
        plot.y = (rank) => plot.top + (rank - view.r0) / (view.r1 - view.r0) * plot.height;
        plot.rankAt = (y) => view.r0 + (y - plot.top) / plot.height * (view.r1 - view.r0);
        view.listeners.push(plot.redraw);
        new ResizeObserver(plot.redraw).observe(canvas.parentElement);
        const dark = window.matchMedia("(prefers-color-scheme: dark)");
        dark.addEventListener("change", plot.redraw);
        listen(plot);
        plot.redraw();
        return plot;
    };

    /* Does the critical path in view go from rank to rank so often that lines as wide as usual would
     * hide what is below them? */
    ripple.isDense = ({ rank, begin, length }, { t0, t1 }, width) => {
        let ways = 0;
        for (let i = 1; i < rank.length; i++) {
            ways += rank[i] !== rank[i - 1] && begin[i] + length[i] >= t0 && begin[i] <= t1;
        }
        return width < 12 * ways;
    };

    /* Below the plot; above it, too, where it is taller than a window may be. */
    const drawTimes = (plot, bottom, up) => {
        const { context, colours, width, view } = plot;
        context.strokeStyle = colours.soft;
        context.fillStyle = colours.ink;
        context.textBaseline = up ? "bottom" : "top";
        context.textAlign = "center";
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(LEFT, bottom + 0.5);
        context.lineTo(LEFT + width, bottom + 0.5);
        let free = 0; /* where the next label may begin */
        for (const tick of ripple.timeTicks(view.t0, view.t1, Math.max(2, width / 90))) {
            const x = plot.x(tick.at), half = context.measureText(tick.text).width / 2;
            context.moveTo(x, bottom);
            context.lineTo(x, bottom + (up ? -5 : 5));
            if (x - half >= free && x + half <= LEFT + width + RIGHT) {
                context.fillText(tick.text, x, bottom + (up ? -6 : 7));
                free = x + half + 8;
            }
        }
        context.stroke();
    };

    /* The same zoom for all gestures: what was at pixel p is at scale * p + shift now. */
    const move = (plot, scale, dx, dy) => {
        const next = {
            t0: plot.timeAt((LEFT - dx) / scale),
            t1: plot.timeAt((LEFT + plot.width - dx) / scale),
        };
        if (plot.ranks) {
            next.r0 = plot.rankAt((plot.top - dy) / scale);
            next.r1 = plot.rankAt((plot.top + plot.height - dy) / scale);
        }
        ripple.setView(plot.view, next);
    };

    /* Around the middle of what is shown. */
    const zoomMiddle = (plot, scale) => {
        const x = LEFT + plot.width / 2, y = plot.top + plot.height / 2;
        move(plot, scale, x - scale * x, y - scale * y);
    };
    ripple.zoomMiddle = zoomMiddle;

    const KEYS = {
        ArrowLeft: (plot) => move(plot, 1, plot.width / 8, 0),
        ArrowRight: (plot) => move(plot, 1, -plot.width / 8, 0),
        ArrowUp: (plot) => plot.ranks && move(plot, 1, 0, plot.height / 8),
        ArrowDown: (plot) => plot.ranks && move(plot, 1, 0, -plot.height / 8),
        "+": (plot) => zoomMiddle(plot, 2),
        "=": (plot) => zoomMiddle(plot, 2),
        "-": (plot) => zoomMiddle(plot, 0.5),
        Home: (plot) => ripple.setView(plot.view, plot.view.limits),
        0: (plot) => ripple.setView(plot.view, plot.view.limits),
    };

    /* d3 knows mice, wheels and fingers; of what it says only the change since the last time
     * counts here, since keys, fields and other plots move the view, too. */
    const listen = (plot) => {
        const { canvas } = plot;
        let last = d3.zoomIdentity;
        const zoom = d3.zoom().scaleExtent([1e-100, 1e100])
            /* The wheel scrolls the page until the plot was clicked, or with Ctrl. */
            .filter(() => d3.event.type !== "wheel" ? !d3.event.button
                : d3.event.ctrlKey || d3.event.metaKey || document.activeElement === canvas)
            .on("zoom", () => {
                const now = d3.event.transform, scale = now.k / last.k;
                move(plot, scale, now.x - scale * last.x, now.y - scale * last.y);
                last = now;
            });
        d3.select(canvas).call(zoom).on("dblclick.zoom", null);
        canvas.addEventListener("mousedown", () => canvas.focus({ preventScroll: true }));
        canvas.addEventListener("keydown", (event) => {
            const action = event.ctrlKey || event.altKey || event.metaKey ? null : KEYS[event.key];
            if (action) {
                event.preventDefault();
                action(plot);
            }
        });
    };

    /* Facts beside the pointer; `lines` of [name, value], null: nothing is there. */
    ripple.tell = (lines, x, y) => {
        const box = document.getElementById("tip");
        box.hidden = !lines;
        if (!lines) {
            return;
        }
        box.replaceChildren(...lines.map(([name, value]) => {
            const line = document.createElement("div");
            const label = document.createElement("b");
            label.textContent = name;
            line.append(label, ` ${value}`);
            return line;
        }));
        const right = document.documentElement.clientWidth - box.offsetWidth - 8;
        box.style.left = `${Math.max(8, Math.min(x + 14, right)) + window.scrollX}px`;
        const under = y + 18 + box.offsetHeight < window.innerHeight;
        box.style.top = `${(under ? y + 18 : Math.max(4, y - box.offsetHeight - 12)) + window.scrollY}px`;
    };

    /* Facts while the pointer is over a plot, and where it stays when it was clicked. */
    ripple.hover = (plot, factsAt, clicked) => {
        const { canvas } = plot;
        const at = (event) => {
            const box = canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        canvas.addEventListener("pointermove", (event) =>
            ripple.tell(factsAt(...at(event)), event.clientX, event.clientY));
        canvas.addEventListener("pointerleave", () => ripple.tell(null));
        canvas.addEventListener("click", (event) => {
            if (!event.defaultPrevented) { /* the end of a drag is no click: d3 sees to that */
                clicked(...at(event));
                ripple.tell(factsAt(...at(event)), event.clientX, event.clientY);
            }
        });
    };
})();
