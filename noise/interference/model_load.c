/* noise/interference/model_load.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_model_text. */
#include "noise/interference.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

/* All of it, or NULL with errno. */
static char *read_all(FILE *file, size_t *size)
{
    char *data = NULL;
    size_t room = 0;
    *size = 0;
    do {
        room = room == 0 ? 1 << 16 : 2 * room;
        char *grown = room <= MOST_BYTES ? realloc(data, room) : NULL;
        if (grown == NULL) {
            free(data);
            errno = room <= MOST_BYTES ? ENOMEM : EFBIG;
            return NULL;
        }
        data = grown;
        *size += fread(data + *size, 1, room - *size, file);
    } while (*size == room);
    if (ferror(file)) {
        const int why = errno;
        free(data);
        errno = why;
        return NULL;
    }
    return data;
}

noise_interference_model *noise_interference_model_load(const char *path,
                                                        noise_interference_error *error)
{
    FILE *file = fopen(path, "re");
    size_t size = 0;
    char *data = file != NULL ? read_all(file, &size) : NULL;
    const int why = errno;
    if (file != NULL) {
        fclose(file);
    }
    if (data == NULL) {
        snprintf(error->text, sizeof error->text, "%.300s: %s", path, strerror(why));
        return NULL;
    }
    noise_interference_model *model = noise_interference_model_parse(path, data, size, error);
    free(data);
    return model;
}
