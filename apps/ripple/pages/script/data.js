/* apps/ripple/pages/script/data.js — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What C has packed into the page: JSON, and in it columns of numbers. A column is
 * {n, as, z}: n numbers, deflated and in base64. as "bytes": one byte each; "counts": variable
 * length, 7 bits a byte, lowest first; "signed": the same with the sign in the lowest bit; "steps":
 * signed differences, summed up here. packed_column.c writes them.
 */
"use strict";
(() => {
    const inflate = async (base64) => {
        const text = atob(base64);
        const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    };

    /* Times and bytes may be beyond 32 bits, hence doubles and no shifts. */
    const unpackNumbers = (bytes, n, as) => {
        const out = new Float64Array(n);
        for (let i = 0, at = 0, sum = 0; i < n; i++) {
            let value = 0, scale = 1, byte;
            do {
                byte = bytes[at++];
                value += (byte & 127) * scale;
                scale *= 128;
            } while (byte > 127);
            if (as !== "counts") {
                value = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
            }
            sum += value;
            out[i] = as === "steps" ? sum : value;
        }
        return out;
    };

    const unpack = async (column) => {
        const bytes = await inflate(column.z);
        return column.as === "bytes" ? bytes : unpackNumbers(bytes, column.n, column.as);
    };

    /* All columns below `value` in place of what they were packed as. */
    const unpackAll = async (value) => {
        if (value === null || typeof value !== "object") {
            return value;
        }
        if (typeof value.z === "string") {
            return unpack(value);
        }
        const keys = Object.keys(value);
        const done = await Promise.all(keys.map((key) => unpackAll(value[key])));
        keys.forEach((key, i) => { value[key] = done[i]; });
        return value;
    };

    ripple.load = () => unpackAll(JSON.parse(document.getElementById("data").textContent));
})();
