/* tests/noise/nit/take_records.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Records of a .nit file for fuzz targets, without the checksum and the deflating that would hide
 * them: the first byte is the length of a head, the rest is a frame of data.
 */
#pragma once

#include "nit/nit_records.h"

/** What is read goes to @p with; nothing, if it is refused. */
static inline void nit_take_records(const uint8_t *data, size_t size,
                                    void (*with)(const noise_nit *nit))
{
    const size_t head = size > 0 ? MIN((size_t)data[0], size - 1) : 0;
    nit_cursor first = {data + 1, data + 1 + head, false};
    nit_cursor rest = {data + 1 + head, data + size, false};
    noise_nit_contents contents;
    noise_nit_contents_init(&contents);
    if (size > 0 && noise_nit_contents_take(&contents, NIT_FRAME_HEAD, &first) == NULL &&
        noise_nit_contents_take(&contents, NIT_FRAME_DATA, &rest) == NULL) {
        g_autoptr(noise_nit) nit = noise_nit_contents_finish(&contents);
        with(nit);
    }
    noise_nit_contents_clear(&contents);
}
