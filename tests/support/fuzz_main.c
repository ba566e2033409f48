/* tests/support/fuzz_main.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs a fuzz target without libFuzzer: every file of the corpus, then mutations of them for a
 * bounded time, from a fixed seed. Usage: fuzz_x SECONDS CORPUS-FOLDER...
 * A crash or sanitizer report ends the process; the input is left in fuzz-crash-input.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CRASH_INPUT "fuzz-crash-input"

static const char *const TOKENS[] = {
    "-1", "4294967295", "18446744073709551616", "0", "}", "{", "\n", ":", ",", "", "e", "."};

static GByteArray *mutate(GRand *rand, const GByteArray *from, const GByteArray *other)
{
    GByteArray *out = g_byte_array_new();
    g_byte_array_append(out, from->data, from->len);
    const int rounds = g_rand_int_range(rand, 1, 8);
    for (int i = 0; i < rounds; i++) {
        const guint at = out->len > 0 ? (guint)g_rand_int_range(rand, 0, (gint32)out->len) : 0;
        switch (g_rand_int_range(rand, 0, 6)) {
        case 0: /* flip */
            if (out->len > 0) {
                out->data[at] = (guint8)(out->data[at] ^ (1U << g_rand_int_range(rand, 0, 8)));
            }
            break;
        case 1: /* any byte */
            if (out->len > 0) {
                out->data[at] = (guint8)g_rand_int_range(rand, 0, 256);
            }
            break;
        case 2: /* cut the end off */
            g_byte_array_set_size(out, at);
            break;
        case 3: { /* take a piece out */
            const guint wanted = (guint)g_rand_int_range(rand, 0, 32);
            const guint n = MIN(out->len - at, wanted);
            if (n > 0) {
                g_byte_array_remove_range(out, at, n);
            }
            break;
        }
        case 4: { /* a token that parsers trip over */
            const char *token = TOKENS[g_rand_int_range(rand, 0, G_N_ELEMENTS(TOKENS))];
            g_autoptr(GByteArray) tail = g_byte_array_new();
            g_byte_array_append(tail, out->data + at, out->len - at);
            g_byte_array_set_size(out, at);
            g_byte_array_append(out, (const guint8 *)token, (guint)strlen(token));
            g_byte_array_append(out, tail->data, tail->len);
            break;
        }
        default: /* splice the end of another input on */
            if (other->len > 0) {
                const guint from_other = (guint)g_rand_int_range(rand, 0, (gint32)other->len);
                g_byte_array_set_size(out, at);
                g_byte_array_append(out, other->data + from_other, other->len - from_other);
            }
        }
    }
    return out;
}

/* @p left: the file of the input at work, found again only if the target does not come back. It
 * stays open: some file systems flush a file that is emptied and closed, which would leave a few
 * hundred runs a second. */
static void run(int left, const GByteArray *input)
{
    if (ftruncate(left, 0) != 0 ||
        pwrite(left, input->data, input->len, 0) != (ssize_t)input->len) {
        perror(CRASH_INPUT);
        exit(1);
    }
    uint8_t *copy = malloc(input->len > 0 ? input->len : 1); /* exact size: overruns are seen */
    if (input->len > 0) {
        memcpy(copy, input->data, input->len);
    }
    (void)LLVMFuzzerTestOneInput(copy, input->len);
    free(copy);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s SECONDS CORPUS-FOLDER...\n", argv[0]);
        return 2;
    }
    g_autofree char *base = g_path_get_basename(argv[0]);
    g_autofree char *folder = g_strconcat(base, ".work", NULL);
    if (g_mkdir_with_parents(folder, 0777) != 0 || chdir(folder) != 0) {
        return 1;
    }
    g_autoptr(GPtrArray) corpus =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
    for (int i = 2; i < argc; i++) {
        g_autoptr(GDir) dir = g_dir_open(argv[i], 0, NULL);
        const char *name;
        while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
            g_autofree char *path = g_build_filename(argv[i], name, NULL);
            char *data;
            gsize len;
            if (g_file_get_contents(path, &data, &len, NULL)) {
                g_ptr_array_add(corpus, g_byte_array_new_take((guint8 *)data, len));
            }
        }
    }
    if (corpus->len == 0) {
        fprintf(stderr, "%s: the corpus is empty\n", argv[0]);
        return 1;
    }
    const int left = open(CRASH_INPUT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    for (guint i = 0; i < corpus->len; i++) {
        run(left, g_ptr_array_index(corpus, i));
    }
    g_autoptr(GRand) rand = g_rand_new_with_seed(20101113);
    const gint64 end = g_get_monotonic_time() + (gint64)(atof(argv[1]) * 1e6);
    unsigned long runs = corpus->len;
    while (g_get_monotonic_time() < end) {
        const GByteArray *a =
            g_ptr_array_index(corpus, g_rand_int_range(rand, 0, (gint32)corpus->len));
        const GByteArray *b =
            g_ptr_array_index(corpus, g_rand_int_range(rand, 0, (gint32)corpus->len));
        g_autoptr(GByteArray) input = mutate(rand, a, b);
        run(left, input);
        runs++;
    }
    (void)close(left);
    (void)remove(CRASH_INPUT);
    printf("%s: %lu inputs, nothing found\n", base, runs);
    return 0;
}
