/* tests/noise/interference/fuzz_interference_model.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "noise/interference.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* What is accepted is written and read again as the same bytes. */
static void check(const noise_interference_model *model)
{
    size_t size = 0, size2 = 0;
    noise_interference_error error;
    char *text = noise_interference_model_text(model, &size);
    noise_interference_model *again = noise_interference_model_parse("again", text, size, &error);
    if (again == NULL) {
        abort();
    }
    char *text2 = noise_interference_model_text(again, &size2);
    if (size != size2 || memcmp(text, text2, size) != 0) {
        abort();
    }
    noise_sequences_free(noise_interference_model_sequences(again));
    noise_interference_model_free(again);
    free(text2);
    free(text);
}

static void parse(const char *data, size_t size)
{
    noise_interference_error error = {{0}};
    noise_interference_model *model = noise_interference_model_parse("input", data, size, &error);
    if ((model == NULL) != (error.text[0] != '\0')) {
        abort();
    }
    if (model != NULL) {
        check(model);
    }
    noise_interference_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char last[] = "checksum ";
    parse((const char *)data, size);
    /* Behind the checksum, too: with one that fits. */
    char *sealed = malloc(size + 64);
    memcpy(sealed, data, size);
    size_t end = size;
    for (size_t i = 0; i + strlen(last) <= size; i++) {
        if (memcmp(sealed + i, last, strlen(last)) == 0 && (i == 0 || sealed[i - 1] == '\n')) {
            end = i;
        }
    }
    static const char digits[] = "0123456789abcdef";
    uint64_t hash = XXH3_64bits(sealed, end);
    memcpy(sealed + end, last, strlen(last));
    end += strlen(last);
    for (unsigned i = 0; i < 16; i++) {
        sealed[end++] = digits[(hash >> (60 - 4 * i)) & 15];
    }
    sealed[end++] = '\n';
    parse(sealed, end);
    free(sealed);
    return 0;
}
