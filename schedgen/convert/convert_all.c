/* schedgen/convert/convert_all.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_threads. */
/*
 * The templates of all ranks, by several threads. What a rank adds to the report is kept until all
 * are done, as its order is that of the ranks; what is only counted goes to the thread's own sums.
 */
#include "convert/convert_private.h"
#include "model/parallel_private.h"

/* What one thread works with. */
typedef struct filling_thread {
    conv_template template;
    conv_tally *tally;
    conv_left_out *left_out;
} filling_thread;

typedef struct filling {
    const conv_context *context;
    conv_filled *filled;
    void *data;
    filling_thread threads[SCHED_PARALLEL_MOST];
    sched_convert_report *reports; /* [ranks] */
    GError **errors;               /* [ranks] */
} filling;

static bool fill_one(void *data, uint32_t rank, uint32_t thread)
{
    filling *f = data;
    filling_thread *t = &f->threads[thread];
    if (t->tally == NULL) {
        t->tally = sched_convert_tally_new();
        t->left_out = sched_convert_left_out_new(f->context->trace);
    }
    if (t->template.steps == NULL) {
        t->template = sched_convert_template_new();
    }
    f->reports[rank].notices = sched_notices_new();
    conv_context own = *f->context;
    own.report = &f->reports[rank];
    own.tally = t->tally;
    own.left_out = t->left_out;
    if (!sched_convert_template_fill(&t->template, &own, rank, &f->errors[rank])) {
        return false;
    }
    f->filled(f->data, rank, &t->template, thread);
    return true;
}

static void add_report(sched_convert_report *sum, const sched_convert_report *more)
{
    sum->calls += more->calls;
    sum->p2p += more->p2p;
    sum->collectives += more->collectives;
    sum->compute = conv_add_times(sum->compute, more->compute);
    for (guint i = 0; more->notices != NULL && i < more->notices->len; i++) {
        const sched_notice *notice = &g_array_index(more->notices, sched_notice, i);
        sched_notices_add(sum->notices, notice->count, notice->what);
    }
}

/* In the order of the ranks, whoever was faster; and of errors the first. */
static void gather(filling *f, GError **error)
{
    const conv_context *context = f->context;
    bool told = false;
    for (uint32_t i = 0; i < SCHED_PARALLEL_MOST; i++) {
        filling_thread *t = &f->threads[i];
        if (t->tally != NULL) {
            sched_convert_tally_join(context->tally, t->tally);
            sched_convert_left_out_join(context->left_out, t->left_out);
        }
        sched_convert_tally_free(t->tally);
        sched_convert_left_out_free(t->left_out);
        sched_convert_template_clear(&t->template);
    }
    for (uint32_t rank = 0; rank < context->trace->num_ranks; rank++) {
        add_report(context->report, &f->reports[rank]);
        sched_convert_report_clear(&f->reports[rank]);
        if (f->errors[rank] != NULL && !told) {
            g_propagate_error(error, f->errors[rank]);
            told = true;
        } else {
            g_clear_error(&f->errors[rank]);
        }
    }
}

bool sched_convert_fill_all(const conv_context *context, conv_filled *filled, void *data,
                            GError **error)
{
    const uint32_t n = context->trace->num_ranks;
    g_autofree sched_convert_report *reports = g_new0(sched_convert_report, (gsize)n + 1);
    g_autofree GError **errors = g_new0(GError *, (gsize)n + 1);
    filling f = {
        .context = context, .filled = filled, .data = data, .reports = reports, .errors = errors};
    const bool ok = sched_parallel_do(n, fill_one, &f);
    gather(&f, error);
    return ok;
}
