/* noise/miner/miner_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_file. */
#include "miner/state.h"
#include "noise/error.h"
#include "synopsis/packed.h"

static bool add(noise_miner *miner, const char *name, const uint8_t *bytes, size_t size,
                GError **error)
{
    noise_synopsis other;
    size_t where = 0;
    const char *wrong = noise_synopsis_unpack(&other, bytes, size, 0, &where);
    if (wrong != NULL) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: byte %zu: %s", name, where,
                    wrong);
    } else if (!noise_synopsis_same_form(&miner->synopsis, &other)) {
        wrong = "another mode";
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                    "%s: was not mined in this mode: its bins are others", name);
    } else {
        noise_synopsis_absorb(&miner->synopsis, &other);
        miner->options.tick = miner->options.tick == 0 ? miner->synopsis.tick : miner->options.tick;
    }
    noise_synopsis_clear(&other);
    return wrong == NULL;
}

bool noise_miner_add_file(noise_miner *miner, const char *path, GError **error)
{
    char *bytes = NULL;
    size_t size = 0;
    if (!g_file_get_contents(path, &bytes, &size, error)) {
        return false;
    }
    const bool added = add(miner, path, (const uint8_t *)bytes, size, error);
    g_free(bytes);
    return added;
}

uint64_t noise_miner_lost(const noise_miner *miner)
{
    return miner->synopsis.lost;
}
