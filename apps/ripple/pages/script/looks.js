/* apps/ripple/pages/script/looks.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours and patterns. States have those of Okabe and Ito (2008), and a pattern or a height each:
 * colour is never the only sign. Heat goes through anchors of viridis, lighter = more.
 */
"use strict";
(() => {
    const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

    /* Colours of the page as it is now, light or dark. */
    ripple.colours = () => {
        const names = ["paper", "ink", "soft", "faint"];
        return Object.fromEntries(names.map((name) => [name, style(`--${name}`)]));
    };

    /* In the order of the kinds that C writes. `tall`: fills its lane. `ink`: of letters on it. */
    ripple.STATES = [
        { name: "compute", colour: "#56b4e9", ink: "#000", pattern: "" },
        { name: "send", colour: "#0072b2", ink: "#fff", pattern: "up" },
        { name: "receive", colour: "#009e73", ink: "#000", pattern: "flat" },
        { name: "wait", colour: "#f0e442", ink: "#000", pattern: "dots" },
        { name: "wait for noise", colour: "#e69f00", ink: "#000", pattern: "down" },
        { name: "detour", colour: "#d55e00", ink: "#000", pattern: "", tall: true },
        { name: "MPI call", colour: "#cc79a7", ink: "#000", pattern: "cross" },
    ];
    ripple.DETOUR = 5;

    const drawPattern = (context, pattern) => {
        const lines = {
            up: [[0, 8, 8, 0]],
            down: [[0, 0, 8, 8]],
            flat: [[0, 4, 8, 4]],
            cross: [[0, 4, 8, 4], [4, 0, 4, 8]],
            dots: [[1, 2, 3, 2], [5, 6, 7, 6]],
        }[pattern] || [];
        context.beginPath();
        for (const [x0, y0, x1, y1] of lines) {
            context.moveTo(x0, y0);
            context.lineTo(x1, y1);
        }
        context.stroke();
    };

    const fills = new Map();
    /* What fills a state on a canvas. */
    ripple.fill = (kind) => {
        if (!fills.has(kind)) {
            const { colour, ink, pattern } = ripple.STATES[kind];
            const tile = document.createElement("canvas");
            tile.width = tile.height = 8;
            const context = tile.getContext("2d");
            context.fillStyle = colour;
            context.fillRect(0, 0, 8, 8);
            context.strokeStyle = ink;
            context.globalAlpha = 0.35;
            drawPattern(context, pattern);
            fills.set(kind, context.createPattern(tile, "repeat"));
        }
        return fills.get(kind);
    };

    const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779",
        "#6ece58", "#b5de2b", "#fde725"];
    const scale = () => d3.interpolateRgbBasis(VIRIDIS);

    /* [256] colours of a byte of heat as ABGR, what ImageData has on little-endian machines. The
     * scale is of square roots, so that small shares are told apart; 0 is what the page is. */
    ripple.heatTable = () => {
        const table = new Uint32Array(256);
        const of = scale();
        for (let i = 1; i < 256; i++) {
            const c = d3.rgb(of(Math.sqrt(i / 255)));
            table[i] = (255 << 24 | c.b << 16 | c.g << 8 | c.r) >>> 0;
        }
        return table;
    };
    ripple.heatColour = (share) => scale()(Math.sqrt(share));

    /* A legend as HTML: a swatch with its pattern and the name of each kind in `kinds`. */
    ripple.legend = (parent, kinds) => {
        for (const kind of kinds) {
            const item = document.createElement("span");
            item.className = "key";
            const swatch = document.createElement("canvas");
            swatch.width = 28;
            swatch.height = 14;
            swatch.setAttribute("aria-hidden", "true");
            const context = swatch.getContext("2d");
            context.fillStyle = ripple.fill(kind);
            const inset = ripple.STATES[kind].tall ? 0 : 2;
            context.fillRect(0, inset, 28, 14 - 2 * inset);
            item.append(swatch, ` ${ripple.STATES[kind].name}`);
            parent.append(item);
        }
    };
})();
