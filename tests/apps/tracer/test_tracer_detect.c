/* tests/apps/tracer/test_tracer_detect.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tracer hands on of typical sequences while a program runs is what is found of them in
 * its archive afterwards. */
#include "check.h"
#include "detection/recorded_calls.h"
#include "mpi_record.h"
#include "noise/interference.h"
#include "noise/sample_reader.h"
#include "tracer/protocol.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- models ---- */
static uint32_t call_of(noise_interference_model *m, GHashTable *known, const app_run_calls *calls,
                        uint64_t symbol)
{
    const void *at = g_hash_table_lookup(known, &symbol);
    if (at != NULL) {
        return GPOINTER_TO_UINT(at) - 1;
    }
    const char *name = app_run_calls_find_name(calls, symbol);
    m->calls = realloc(m->calls, (m->num_calls + 1) * sizeof *m->calls);
    m->calls[m->num_calls].symbol = symbol;
    m->calls[m->num_calls].name = strdup(name != NULL ? name : "?");
    g_hash_table_insert(known, g_memdup2(&symbol, sizeof symbol),
                        GUINT_TO_POINTER(m->num_calls + 1));
    return m->num_calls++;
}

static void add_sequence(noise_interference_model *m, GHashTable *known, const app_run_calls *calls,
                         const noise_sequence *s)
{
    noise_interference_sequence *to = &m->sequences[m->num_sequences++];
    to->length = s->length;
    to->misaligned = s->misaligned;
    to->calls = calloc(s->length, sizeof *to->calls);
    for (uint32_t i = 0; i < s->length; i++) {
        to->calls[i] = call_of(m, known, calls, s->symbol[i]);
    }
}

static noise_sequences *learn(const app_run_calls *calls)
{
    const noise_sequences_options options = {.most = 4};
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autofree noise_symbols *ranks = g_new0(noise_symbols, calls->num_ranks);
    for (uint32_t r = 0; r < calls->num_ranks; r++) {
        const app_rank_calls *from = &calls->rank[r];
        uint64_t *symbol = g_new(uint64_t, from->n + 1);
        for (size_t i = 0; i < from->n; i++) {
            symbol[i] = from->call[i].symbol;
        }
        g_ptr_array_add(texts, symbol);
        ranks[r] = (noise_symbols){symbol, from->n};
    }
    return noise_sequences_learn(ranks, calls->num_ranks, &options, NULL);
}

/* Four typical sequences, if there are so many, and each call by itself as one more: as far as
 * there is room. */
static noise_interference_model *model_of(const app_run_calls *calls, noise_match match)
{
    noise_interference_model *m = noise_interference_model_new();
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    noise_sequences *learned = learn(calls);
    m->match = match;
    m->how = strdup("by a test");
    m->sequences = calloc(NOISE_SEQUENCES_MOST, sizeof *m->sequences);
    for (uint32_t i = 0; i < noise_sequences_num(learned); i++) {
        add_sequence(m, known, calls, noise_sequences_at(learned, i));
    }
    noise_sequences_free(learned);
    GHashTableIter each;
    gpointer symbol;
    g_hash_table_iter_init(&each, calls->names);
    while (m->num_sequences < NOISE_SEQUENCES_MOST &&
           g_hash_table_iter_next(&each, &symbol, NULL)) {
        add_sequence(m, known, calls, &(noise_sequence){.symbol = symbol, .length = 1});
    }
    CHECK(noise_interference_model_make_rows(m, 0));
    return m;
}

static void write_model(const noise_interference_model *m, const char *path)
{
    size_t size = 0;
    char *text = noise_interference_model_text(m, &size);
    CHECK(text != NULL && g_file_set_contents(path, text, (gssize)size, NULL));
    free(text);
}

/* ---- samples, as text ---- */
static void print(GString *out, uint32_t sequence, uint64_t t, int64_t begin, int64_t end,
                  int64_t compute, int64_t off)
{
    g_string_append_printf(out,
                           "%u/%" PRIu64 " %" PRIi64 "-%" PRIi64 " %" PRIi64 ", off %" PRIi64 "\n",
                           sequence, t, begin, end, compute, off);
}

static void print_record(void *data, const noise_sample_header *h, const noise_sample_record *r)
{
    (void)h;
    print(data, r->sequence, r->t, r->begin, r->end, r->compute, r->off);
}

static void print_totals(GString *out, uint64_t calls, uint64_t covered, int64_t compute,
                         int64_t covered_compute)
{
    g_string_append_printf(out, "%" PRIu64 " %" PRIu64 " %" PRIi64 " %" PRIi64, calls, covered,
                           compute, covered_compute);
}

/* What a rank handed on; NULL: nothing. */
static char *handed_on(const char *folder, uint32_t rank, noise_sample_end *end, GError **error)
{
    g_autofree char *name = g_strdup_printf(NOISE_SAMPLE_FILE "%u", rank);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(noise_sample_reader) r = noise_sample_reader_new(path);
    g_autoptr(GString) out = g_string_new("");
    if (!noise_sample_reader_poll(r, true, print_record, out, error) ||
        noise_sample_reader_header(r) == NULL) {
        return NULL;
    }
    CHECK_I64(noise_sample_reader_header(r)->rank, rank);
    const noise_sample_totals *t = noise_sample_reader_totals(r);
    print_totals(out, t->calls, t->covered_calls, t->compute, t->covered_compute);
    *end = noise_sample_reader_end(r);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* What is found in a rank's calls. */
static char *found_in(const app_rank_calls *calls, const noise_sequences *sequences)
{
    noise_matcher *m = noise_matcher_new(sequences);
    noise_sample samples[NOISE_SEQUENCES_MOST];
    GString *out = g_string_new("");
    for (size_t i = 0; i < calls->n; i++) {
        const uint32_t n = noise_matcher_take(m, &calls->call[i], samples);
        for (uint32_t k = 0; k < n; k++) {
            const noise_sample *s = &samples[k];
            print(out, s->sequence, s->t, s->begin, s->end, s->compute, s->has_cpu ? s->off : -1);
        }
    }
    print_totals(out, noise_matcher_calls(m), noise_matcher_covered(m), noise_matcher_work(m),
                 noise_matcher_covered_work(m));
    noise_matcher_free(m);
    return g_string_free(out, FALSE);
}

/* ---- runs ---- */
typedef struct run {
    const mpi *mpi;
    const char *program;
    const char *argument;
    int ranks;
    noise_match match;
    const char *dir; /* of this run */
    char *model;     /* its file */
} run;

static noise_sequences *sequences_of(const noise_interference_model *m)
{
    noise_sequence list[NOISE_SEQUENCES_MOST];
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < m->num_sequences; i++) {
        const noise_interference_sequence *s = &m->sequences[i];
        uint64_t *symbol = g_new(uint64_t, s->length);
        for (uint32_t k = 0; k < s->length; k++) {
            symbol[k] = m->calls[s->calls[k]].symbol;
        }
        g_ptr_array_add(texts, symbol);
        list[i] = (noise_sequence){symbol, s->length, s->misaligned};
    }
    return noise_sequences_new(list, m->num_sequences);
}

static void check_same(const run *r, const noise_interference_model *m)
{
    g_autofree char *folder = g_build_filename(r->dir, "trace", NULL);
    g_autoptr(sched_trace) t = read_trace(r->dir);
    if (t == NULL) {
        return;
    }
    g_autoptr(app_run_calls) calls = app_recorded_calls(t, r->match);
    noise_sequences *sequences = sequences_of(m);
    for (uint32_t rank = 0; rank < t->num_ranks; rank++) {
        g_autoptr(GError) error = NULL;
        noise_sample_end end = NOISE_SAMPLE_RUNNING;
        g_autofree char *online = handed_on(folder, rank, &end, &error);
        g_autofree char *after = found_in(&calls->rank[rank], sequences);
        CHECK(error == NULL, "%s", error != NULL ? error->message : "");
        CHECK_STR(online, after, "%s: %s, rank %u", r->mpi->name, r->program, rank);
        CHECK_I64(end, NOISE_SAMPLE_FINALIZED, "%s: %s, rank %u", r->mpi->name, r->program, rank);
        CHECK(calls->rank[rank].n > 40, "%s: %s", r->mpi->name, r->program);
    }
    noise_sequences_free(sequences);
}

/* Record it once to learn it; to its end, since a launcher may end the ranks of one that dies
 * before all have written. @return owned */
static noise_interference_model *learn_program(run *r)
{
    g_autofree char *dir = folder();
    noise_interference_model *m = NULL;
    const char *argument = strcmp(r->program, "dies") == 0 ? "not" : r->argument;
    g_free(record(r->mpi, r->ranks, dir, program(r->mpi, r->program), argument));
    g_autoptr(sched_trace) t = read_trace(dir);
    if (t != NULL) {
        g_autoptr(app_run_calls) calls = app_recorded_calls(t, r->match);
        m = model_of(calls, r->match);
        CHECK(m->num_sequences > 2, "%s: %s", r->mpi->name, r->program);
    }
    remove_folder(dir);
    return m;
}

typedef void check_run(const run *r, const noise_interference_model *m);

static void each_mpi(const char *name, const char *argument, int ranks, noise_match match,
                     check_run *check)
{
    bool ran = false;
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            continue;
        }
        ran = true;
        g_autofree char *dir = folder();
        run r = {&MPI[k], name, argument, ranks, match, dir, g_build_filename(dir, "model", NULL)};
        noise_interference_model *m = learn_program(&r);
        if (m != NULL) {
            write_model(m, r.model);
            g_setenv(TRACER_ENV_DETECT, r.model, TRUE);
            check(&r, m);
            g_unsetenv(TRACER_ENV_DETECT);
        }
        noise_interference_model_free(m);
        remove_folder(dir);
        g_free(r.model);
    }
    if (!ran) {
        SKIP_TEST("no mpirun");
    }
}

static void record_and_compare(const run *r, const noise_interference_model *m)
{
    g_autofree char *said =
        record(r->mpi, r->ranks, r->dir, program(r->mpi, r->program), r->argument);
    CHECK(strstr(said, "typical sequences") != NULL, "%s", said);
    check_same(r, m);
}

static void every_kind_of_call_is_the_same_call_afterwards(void)
{
    each_mpi("everything", NULL, 3, NOISE_MATCH_DISTANCE, record_and_compare);
}

static void calls_on_other_communicators_are_the_same_calls_afterwards(void)
{
    each_mpi("comms", NULL, 4, NOISE_MATCH_XOR, record_and_compare);
}

static void full_buffers_change_no_sample(void)
{
    each_mpi("patterns", "60", 3, NOISE_MATCH_FUNCTION, record_and_compare);
}

static void samples_of_several_threads_are_those_of_the_archive(void)
{
    each_mpi("threads", NULL, 2, NOISE_MATCH_DISTANCE, record_and_compare);
}

static void calls_of_a_thread_while_another_empties_the_buffer_are_those_of_the_archive(void)
{
    each_mpi("threads", "apart", 2, NOISE_MATCH_DISTANCE, record_and_compare);
}

/* 102 calls were made by then. The launcher may end others before they have written. */
static void check_cut_off(const run *r, const noise_interference_model *m)
{
    g_autofree char *folder = g_build_filename(r->dir, "trace", NULL);
    int cut_off = 0;
    (void)m;
    g_setenv(TRACER_ENV_ARCHIVE, "0", TRUE);
    g_autofree char *said =
        record(r->mpi, r->ranks, r->dir, program(r->mpi, r->program), r->argument);
    g_unsetenv(TRACER_ENV_ARCHIVE);
    for (int rank = 0; rank < r->ranks; rank++) {
        noise_sample_end end = NOISE_SAMPLE_RUNNING;
        g_autoptr(GError) error = NULL;
        g_autofree char *text = handed_on(folder, (uint32_t)rank, &end, &error);
        CHECK(error == NULL && end != NOISE_SAMPLE_FINALIZED, "%s", r->mpi->name);
        if (end == NOISE_SAMPLE_CUT_OFF) {
            cut_off++;
            CHECK(strstr(text, "\n102 102 ") != NULL, "%s: %s", r->mpi->name, text);
        }
    }
    CHECK(cut_off >= 1 && strstr(said, "before MPI_Finalize") != NULL, "%s: %s", r->mpi->name,
          said);
    g_autofree char *archive = g_build_filename(folder, TRACER_ANCHOR, NULL);
    CHECK(!g_file_test(archive, G_FILE_TEST_EXISTS), "%s", r->mpi->name);
}

static void ranks_that_exit_without_finalize_hand_on_what_they_have(void)
{
    each_mpi("dies", "exit", 3, NOISE_MATCH_DISTANCE, check_cut_off);
}

/* Rank 1 has another folder, which is not there: as on a node that does not share it. */
static void check_apart(const run *r, const noise_interference_model *m)
{
    g_autofree char *folder = g_build_filename(r->dir, "trace", NULL);
    g_autofree char *script = g_build_filename(r->dir, "script", NULL);
    g_autofree char *text = g_strdup_printf(
        "test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 1 || RIPPLE_TRACE_DIR=%s/elsewhere\n"
        "export RIPPLE_TRACE_DIR\nexec %s %s\n",
        r->dir, program(r->mpi, r->program), r->argument);
    (void)m;
    CHECK(g_file_set_contents(script, text, -1, NULL));
    g_setenv(TRACER_ENV_ARCHIVE, "0", TRUE);
    g_autofree char *said = record(r->mpi, r->ranks, r->dir, "sh", script);
    g_unsetenv(TRACER_ENV_ARCHIVE);
    for (uint32_t rank = 0; rank < (uint32_t)r->ranks; rank++) {
        noise_sample_end end = NOISE_SAMPLE_RUNNING;
        g_autoptr(GError) error = NULL;
        g_autofree char *samples = handed_on(folder, rank, &end, &error);
        CHECK(error == NULL && end == NOISE_SAMPLE_FINALIZED && samples != NULL &&
                  strlen(samples) > 1000,
              "%s, rank %u: %s", r->mpi->name, rank, said);
    }
}

static void samples_of_a_rank_that_sees_another_folder_come_at_the_end(void)
{
    each_mpi("slow", "100", 3, NOISE_MATCH_DISTANCE, check_apart);
}

static void check_refused(const run *r, const noise_interference_model *m)
{
    g_autofree char *folder = g_build_filename(r->dir, "trace", NULL);
    (void)m;
    CHECK(g_file_set_contents(r->model, "nonsense", -1, NULL));
    g_autofree char *said =
        record(r->mpi, r->ranks, r->dir, program(r->mpi, r->program), r->argument);
    CHECK(strstr(said, "nothing is scored: ") != NULL && strstr(said, r->model) != NULL, "%s",
          said);
    g_autoptr(sched_trace) t = read_trace(r->dir); /* the program runs on, and is recorded */
    CHECK(t != NULL && t->ranks[0].complete, "%s", r->mpi->name);
}

static void a_model_that_cannot_be_read_leaves_the_record_as_it_is(void)
{
    each_mpi("slow", "100", 2, NOISE_MATCH_DISTANCE, check_refused);
}

SUITE_MAIN("tracer_detect", TEST(every_kind_of_call_is_the_same_call_afterwards),
           TEST(calls_on_other_communicators_are_the_same_calls_afterwards),
           TEST(full_buffers_change_no_sample),
           TEST(samples_of_several_threads_are_those_of_the_archive),
           TEST(calls_of_a_thread_while_another_empties_the_buffer_are_those_of_the_archive),
           TEST(ranks_that_exit_without_finalize_hand_on_what_they_have),
           TEST(samples_of_a_rank_that_sees_another_folder_come_at_the_end),
           TEST(a_model_that_cannot_be_read_leaves_the_record_as_it_is))
