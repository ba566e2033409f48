/* apps/ripple/live/live_scores.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_live_scores. */
#include "live/live_scores.h"

#include "noise/sample_reader.h"
#include "output/error.h"

#include <glib/gstdio.h>

/* So many samples of a rank may wait for other ranks before no more of it is read: it stays in the
 * rank's file. Then so many blocks at a time. */
enum { WAITING = 2048, BLOCKS = 4 };
G_STATIC_ASSERT(WAITING + BLOCKS * NOISE_SAMPLE_ROOM == APP_LIVE_MOST_WAITING);

struct app_live_scores {
    char *folder;
    const noise_interference_model *model;
    app_live_tell *tell;
    void *to;
    GPtrArray *readers;                /* by rank: the first, or those of all ranks */
    noise_interference_scorer *scorer; /* NULL: how many ranks there are is not known yet */
    uint32_t num_ranks;
    uint64_t run;
    GError *error; /* the first one; nothing is read any more */
};

static char *path_of(const char *folder, uint32_t rank)
{
    g_autofree char *name = g_strdup_printf(NOISE_SAMPLE_FILE "%u", rank);
    return g_build_filename(folder, name, NULL);
}

static void free_reader(void *reader)
{
    noise_sample_reader_free(reader);
}

static void add_reader(app_live_scores *s)
{
    g_autofree char *path = path_of(s->folder, s->readers->len);
    g_ptr_array_add(s->readers, noise_sample_reader_new(path));
}

app_live_scores *app_live_scores_new(const char *folder, const noise_interference_model *model,
                                     app_live_tell *tell, void *to)
{
    app_live_scores *s = g_new0(app_live_scores, 1);
    s->folder = g_strdup(folder);
    s->model = model;
    s->tell = tell;
    s->to = to;
    s->readers = g_ptr_array_new_with_free_func(free_reader);
    add_reader(s);
    return s;
}

void app_live_scores_free(app_live_scores *s)
{
    if (s != NULL) {
        noise_interference_scorer_free(s->scorer);
        g_ptr_array_unref(s->readers);
        g_clear_error(&s->error);
        g_free(s->folder);
        g_free(s);
    }
}

static void refuse(app_live_scores *s, uint32_t rank, const char *why)
{
    if (s->error == NULL) {
        g_autofree char *path = path_of(s->folder, rank);
        g_set_error(&s->error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path, why);
    }
}

/* The first header that is read says of how many ranks the run is. */
static bool begin(app_live_scores *s, const noise_sample_header *h)
{
    noise_interference_error why = {""};
    const noise_interference_options options = {
        .num_ranks = h->num_ranks, .tell = s->tell, .to = s->to};
    s->scorer = noise_interference_scorer_new(s->model, &options, &why);
    if (s->scorer == NULL) {
        g_set_error(&s->error, APP_ERROR, APP_ERROR_INPUT, "%s", why.text);
        return false;
    }
    s->num_ranks = h->num_ranks;
    s->run = h->run;
    while (s->readers->len < s->num_ranks) {
        add_reader(s);
    }
    return true;
}

static bool check(app_live_scores *s, uint32_t rank, const noise_sample_header *h)
{
    if (h->model != s->model->checksum || h->num_sequences != s->model->num_sequences) {
        refuse(s, rank, "samples of another model than the one they are to be scored by");
    } else if (s->scorer != NULL &&
               (h->run != s->run || h->num_ranks != s->num_ranks || h->rank != rank)) {
        refuse(s, rank, "samples of another run, or of another rank");
    }
    return s->error == NULL && (s->scorer != NULL || begin(s, h));
}

typedef struct taking {
    app_live_scores *scores;
    uint32_t rank;
    bool checked;
} taking;

static void take(void *data, const noise_sample_header *h, const noise_sample_record *r)
{
    taking *t = data;
    app_live_scores *s = t->scores;
    t->checked = t->checked || check(s, t->rank, h);
    const noise_sample sample = {.sequence = r->sequence,
                                 .t = r->t,
                                 .compute = r->compute,
                                 .begin = r->begin,
                                 .end = r->end,
                                 .has_cpu = r->off >= 0,
                                 .off = r->off >= 0 ? r->off : 0};
    if (t->checked && s->error == NULL &&
        !noise_interference_scorer_add(s->scorer, t->rank, &sample)) {
        refuse(s, t->rank, "samples that are not in order");
    }
}

/* @return was anything read that may not have been all? */
static bool poll_rank(app_live_scores *s, uint32_t rank, uint64_t blocks, bool is_last)
{
    noise_sample_reader *r = g_ptr_array_index(s->readers, rank);
    taking t = {.scores = s, .rank = rank};
    GError *error = NULL;
    bool more = false;
    if (!noise_sample_reader_poll_some(r, blocks, is_last, &more, take, &t, &error)) {
        if (s->error == NULL) {
            s->error = error;
        } else {
            g_error_free(error);
        }
    }
    const noise_sample_header *h = noise_sample_reader_header(r);
    if (s->error == NULL && h != NULL && !t.checked) {
        (void)check(s, rank, h);
    }
    const bool ended = is_last || noise_sample_reader_end(r) != NOISE_SAMPLE_RUNNING;
    if (s->error == NULL && s->scorer != NULL && ended && !more) {
        noise_interference_scorer_end(s->scorer, rank);
    }
    return more;
}

static bool may_read(const app_live_scores *s, uint32_t rank)
{
    return s->scorer == NULL || noise_interference_scorer_waiting(s->scorer, rank) < WAITING;
}

/* Ranks in turn, until all has been read or ranks that are ahead have enough waiting. @return is
 * anything left that was not looked at? */
static bool poll_all(app_live_scores *s, uint64_t blocks, bool is_last)
{
    bool goes_on = true;
    bool held = false;
    while (goes_on && s->error == NULL) {
        goes_on = false;
        held = false;
        for (uint32_t rank = 0; s->error == NULL && rank < s->readers->len; rank++) {
            if (blocks == UINT64_MAX || may_read(s, rank)) {
                goes_on = poll_rank(s, rank, blocks, is_last) || goes_on;
            } else {
                held = true;
            }
        }
    }
    return held;
}

void app_live_scores_poll(app_live_scores *s)
{
    (void)poll_all(s, BLOCKS, false);
}

static void cover(const app_live_scores *s, uint32_t rank, app_live_end *end)
{
    const noise_sample_reader *r = g_ptr_array_index(s->readers, rank);
    const noise_sample_totals *t = noise_sample_reader_totals(r);
    if (noise_sample_reader_end(r) != NOISE_SAMPLE_FINALIZED) {
        end->first = end->cut_off == 0 ? rank : end->first;
        end->until = end->cut_off == 0 ? t->until : MIN(end->until, t->until);
        end->cut_off++;
    }
    if (noise_sample_reader_header(r) == NULL) {
        end->missing++;
        return;
    }
    noise_interference_scorer_cover(s->scorer, rank, t->calls, t->covered_calls, t->compute,
                                    t->covered_compute);
}

bool app_live_scores_finish(app_live_scores *s, app_live_end *end, GError **error)
{
    if (poll_all(s, BLOCKS, true)) { /* ranks wait for each other, in different sequences */
        (void)poll_all(s, UINT64_MAX, true);
    }
    if (s->error == NULL && s->scorer == NULL) {
        g_set_error(&s->error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: no rank has handed on how long its typical sequences took", s->folder);
    }
    if (s->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&s->error));
        return false;
    }
    *end = (app_live_end){.num_ranks = s->num_ranks};
    for (uint32_t rank = 0; rank < s->num_ranks; rank++) {
        cover(s, rank, end);
    }
    noise_interference_scorer_finish(s->scorer);
    return true;
}

const noise_interference_scorer *app_live_scores_scorer(const app_live_scores *s)
{
    return s->scorer;
}

void app_live_scores_remove(const app_live_scores *s)
{
    for (uint32_t rank = 0; rank < s->readers->len; rank++) {
        g_autofree char *path = path_of(s->folder, rank);
        (void)g_remove(path);
    }
}

bool app_live_scores_are_in(const char *folder)
{
    g_autofree char *path = path_of(folder, 0);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}
