/* tests/support/fuzz_main.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs a fuzz target without libFuzzer: every file of the corpus, then mutations of them for a
 * bounded time, from a fixed seed. Usage: fuzz_x SECONDS CORPUS-FOLDER...
 * The inputs are run by a child process, out of memory that its parent shares: however the child
 * ends (a signal, a sanitizer's report, exit() where nothing should exit, an input that takes a
 * minute), the parent still has the input and leaves it in fuzz_x.work/fuzz-crash-input. To see it
 * again: fuzz_x 0 fuzz_x.work
 */
#include "fuzz.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_MAX_BYTES = 1 << 24, INPUT_MAX_SECONDS = 60 };

/* What the child is at work on. */
struct shared_input {
    bool finished; /* all of them */
    size_t len;
    uint8_t data[INPUT_MAX_BYTES];
};

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

static void run(const GByteArray *input, struct shared_input *shared)
{
    shared->len = MIN(input->len, INPUT_MAX_BYTES);
    uint8_t *copy = malloc(shared->len > 0 ? shared->len : 1); /* exact size: overruns are seen */
    if (shared->len > 0) {
        memcpy(shared->data, input->data, shared->len);
        memcpy(copy, input->data, shared->len);
    }
    (void)alarm(INPUT_MAX_SECONDS);
    (void)LLVMFuzzerTestOneInput(copy, shared->len);
    free(copy);
}

static GPtrArray *corpus_read(char *const *folders, int n)
{
    GPtrArray *corpus = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
    for (int i = 0; i < n; i++) {
        g_autoptr(GDir) dir = g_dir_open(folders[i], 0, NULL);
        const char *name;
        while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
            g_autofree char *path = g_build_filename(folders[i], name, NULL);
            char *data;
            gsize len;
            if (g_file_get_contents(path, &data, &len, NULL)) {
                g_ptr_array_add(corpus, g_byte_array_new_take((guint8 *)data, len));
            }
        }
    }
    return corpus;
}

/* The whole corpus, then mutations of it until the time is over: how many inputs? */
static unsigned long run_all(const GPtrArray *corpus, double seconds, struct shared_input *shared)
{
    for (guint i = 0; i < corpus->len; i++) {
        run(g_ptr_array_index(corpus, i), shared);
    }
    g_autoptr(GRand) rand = g_rand_new_with_seed(20101113);
    const gint64 end = g_get_monotonic_time() + (gint64)(seconds * 1e6);
    unsigned long runs = corpus->len;
    while (g_get_monotonic_time() < end) {
        const GByteArray *a =
            g_ptr_array_index(corpus, g_rand_int_range(rand, 0, (gint32)corpus->len));
        const GByteArray *b =
            g_ptr_array_index(corpus, g_rand_int_range(rand, 0, (gint32)corpus->len));
        g_autoptr(GByteArray) input = mutate(rand, a, b);
        run(input, shared);
        runs++;
    }
    (void)alarm(0);
    return runs;
}

/* Enter the folder the target may litter, so that targets do not meet. */
static bool enter_folder(const char *base)
{
    g_autofree char *folder = g_strconcat(base, ".work", NULL);
    return g_mkdir_with_parents(folder, 0777) == 0 && chdir(folder) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s SECONDS CORPUS-FOLDER...\n", argv[0]);
        return 2;
    }
    g_autofree char *base = g_path_get_basename(argv[0]);
    g_autoptr(GPtrArray) corpus = corpus_read(argv + 2, argc - 2);
    if (corpus->len == 0) {
        fprintf(stderr, "%s: the corpus is empty\n", argv[0]);
        return 1;
    }
    struct shared_input *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!enter_folder(base) || shared == MAP_FAILED) {
        perror(base);
        return 1;
    }
    const pid_t child = fork();
    if (child == 0) {
        const unsigned long runs = run_all(corpus, atof(argv[1]), shared);
        shared->finished = true;
        printf("%s: %lu inputs, nothing found\n", base, runs);
        return 0; /* through the leak check */
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (shared->finished && status == 0) {
        (void)remove("fuzz-crash-input");
        return 0;
    }
    (void)g_file_set_contents("fuzz-crash-input", (const char *)shared->data, (gssize)shared->len,
                              NULL);
    g_autofree char *here = g_get_current_dir();
    fprintf(stderr, "%s: stopped (wait status 0x%x); the last input is %s/fuzz-crash-input\n", base,
            (unsigned)status, here);
    return 1;
}
