/* apps/ripple/monitor/monitor_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/monitor_report.h"

#include "monitor/activity_page.h"
#include "monitor/activity_print.h"
#include "monitor/rank_logs.h"
#include "noise/extrae.h"
#include "output/error.h"
#include "output/number_text.h"
#include "output/output.h"
#include "sim/unit.h"

#include <string.h>

enum { MOST_RANGES = 4 };
#define MOST_NS (UINT64_C(1) << 50) /* 13 days */

void app_monitor_options_add(app_monitor_options *m, app_options *options)
{
    const GOptionEntry entries[] = {
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &m->report,
         "write a page with figures, " APP_ACTIVITY_PAGE ", into this folder", "FOLDER"},
        {"paraver", 0, 0, G_OPTION_ARG_FILENAME, &m->paraver,
         "write a Paraver trace: BASE.prv, .pcf, .row, and views BASE.NAME.cfg", "BASE"},
        {"extrae", 0, 0, G_OPTION_ARG_FILENAME, &m->extrae,
         "with --paraver: lay Extrae's trace of the application, with marks of "
         "libripple-marker.so, "
         "over what was watched",
         "FILE.prv"},
        {"perfetto", 0, 0, G_OPTION_ARG_FILENAME, &m->perfetto,
         "write Chrome's trace events as JSON, for Perfetto", "FILE"},
        {"ranks", 0, 0, G_OPTION_ARG_FILENAME, &m->ranks,
         "take the ranks' switch records, switches.RANK, from this folder", "FOLDER"},
        {"merge", 0, 0, G_OPTION_ARG_NONE, &m->merge,
         "write the files of several nodes as one, to the file of -o", NULL},
        {"clocks", 0, 0, G_OPTION_ARG_STRING, &m->clocks,
         "compare the clocks of several nodes by this [the best there is]", "mpi|marker|realtime"},
        {NULL},
    };
    app_options_add(options, "Reports of files", entries);
}

void app_monitor_options_clear(app_monitor_options *m)
{
    g_free(m->clocks);
    g_free(m->ranks);
    g_free(m->paraver);
    g_free(m->extrae);
    g_free(m->perfetto);
    g_free(m->report);
}

bool app_monitor_options_refuse(const app_monitor_options *m, GError **error)
{
    static const char *const IDLE = "without a FILE to report on";
    const app_option_use uses[] = {
        {"--report", m->report != NULL, IDLE},     {"--paraver", m->paraver != NULL, IDLE},
        {"--perfetto", m->perfetto != NULL, IDLE}, {"--ranks", m->ranks != NULL, IDLE},
        {"--extrae", m->extrae != NULL, IDLE},     {"--merge", m->merge, IDLE},
        {"--clocks", m->clocks != NULL, IDLE},
    };
    return app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error);
}

/* ---- Reading ---- */

/* The files of several nodes, as they are and as one. */
typedef struct inputs {
    size_t n;
    GPtrArray *sets;  /* of noise_nit_set, each of one node */
    GPtrArray *parts; /* of GBytes */
} inputs;

static bool read_inputs(const char *const *files, size_t n, inputs *in, GError **error)
{
    in->n = n;
    in->sets = g_ptr_array_new_with_free_func((GDestroyNotify)noise_nit_set_free);
    in->parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (size_t i = 0; i < n; i++) {
        char *data = NULL;
        gsize size = 0;
        if (!g_file_get_contents(files[i], &data, &size, error)) {
            return false;
        }
        g_ptr_array_add(in->parts, g_bytes_new_take(data, size));
        noise_nit_set *set = noise_nit_set_parse(files[i], data, size, error);
        if (set == NULL) {
            return false;
        }
        g_ptr_array_add(in->sets, set);
    }
    return true;
}

static void inputs_clear(inputs *in)
{
    g_clear_pointer(&in->sets, g_ptr_array_unref);
    g_clear_pointer(&in->parts, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(inputs, inputs_clear)

static noise_nit_set *merge(const inputs *in, const char *const *files, const app_rank_logs *ranks,
                            noise_clocks_by by, GError **error)
{
    g_autofree const noise_nit **nits = g_new0(const noise_nit *, in->n);
    for (size_t i = 0; i < in->n; i++) {
        nits[i] = ((const noise_nit_set *)g_ptr_array_index(in->sets, i))->nit;
    }
    g_autoptr(noise_nit_set) set = g_new0(noise_nit_set, 1);
    set->n = in->n;
    set->names = g_new0(char *, in->n + 1);
    set->clocks = g_new0(noise_node_clock, in->n);
    const noise_clock_round *rounds =
        ranks != NULL ? (const noise_clock_round *)(void *)ranks->rounds->data : NULL;
    if (!noise_node_clocks_find(nits, files, in->n, rounds, ranks != NULL ? ranks->rounds->len : 0,
                                by, set->clocks, error)) {
        return NULL;
    }
    for (size_t i = 0; i < in->n; i++) {
        set->names[i] = g_path_get_basename(files[i]);
    }
    set->nit = noise_nit_merge(nits, set->clocks, in->n);
    return g_steal_pointer(&set);
}

/* ---- Writing ---- */

typedef struct trace_file {
    const noise_activity_trace *trace;
    void (*write)(const noise_activity_trace *trace, FILE *out); /* NULL: a view */
    size_t view;
} trace_file;

static bool write_file(const trace_file *file, const char *path, GError **error)
{
    app_output *output = app_output_open(path, error);
    if (output == NULL) {
        return false;
    }
    if (file->write != NULL) {
        file->write(file->trace, app_output_stream(output));
    } else {
        noise_paraver_write_view(file->trace, file->view, app_output_stream(output));
    }
    return app_output_close(output, error);
}

static bool write_paraver(const noise_activity_trace *trace, const char *base, GError **error)
{
    static const struct {
        const char *suffix;
        void (*write)(const noise_activity_trace *trace, FILE *out);
    } FILES[] = {{".prv", noise_paraver_write_prv},
                 {".pcf", noise_paraver_write_pcf},
                 {".row", noise_paraver_write_row}};
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *path = g_strconcat(base, FILES[i].suffix, NULL);
        const trace_file file = {trace, FILES[i].write, 0};
        if (!write_file(&file, path, error)) {
            return false;
        }
    }
    for (size_t v = 0; noise_paraver_views[v].name != NULL; v++) {
        g_autofree char *path = g_strconcat(base, ".", noise_paraver_views[v].name, ".cfg", NULL);
        const trace_file file = {trace, NULL, v};
        if (!write_file(&file, path, error)) {
            return false;
        }
    }
    return true;
}

static uint64_t to_common(const void *data, uint32_t node, uint64_t when)
{
    return noise_node_clock_apply(&((const noise_node_clock *)data)[node], when);
}

/* Extrae's trace of the application, on the clock of @p trace. Owned by the caller. */
static noise_extrae *read_extrae(const noise_activity_trace *trace, const noise_nit_set *set,
                                 const char *path, noise_extrae_fit *fit, GError **error)
{
    char *data = NULL;
    gsize size = 0;
    if (!g_file_get_contents(path, &data, &size, error)) {
        app_error_blame_option(error, "--extrae");
        return NULL;
    }
    g_autoptr(GBytes) text = g_bytes_new_take(data, size);
    g_autoptr(noise_extrae) extrae = noise_extrae_parse(path, text, error);
    return extrae != NULL &&
                   noise_extrae_fit_marks(extrae, trace, to_common, set->clocks, fit, error)
               ? g_steal_pointer(&extrae)
               : NULL;
}

/* The trace of the application and what was watched, as one. */
static bool write_both(const noise_activity_trace *trace, const noise_extrae *extrae,
                       const noise_extrae_fit *fit, const char *path, const char *base,
                       GError **error)
{
    g_autofree char *stem =
        g_str_has_suffix(path, ".prv") ? g_strndup(path, strlen(path) - 4) : g_strdup(path);
    g_autofree char *names = g_strconcat(stem, ".pcf", NULL);
    g_autofree char *pcf = NULL;
    (void)g_file_get_contents(names, &pcf, NULL,
                              NULL); /* without it, kinds of events have no names */
    static const char *const SUFFIXES[] = {".prv", ".pcf", ".row"};
    for (size_t i = 0; i < G_N_ELEMENTS(SUFFIXES); i++) {
        g_autofree char *to = g_strconcat(base, SUFFIXES[i], NULL);
        app_output *output = app_output_open(to, error);
        if (output == NULL) {
            return false;
        }
        if (i == 0) {
            noise_extrae_write_prv(extrae, fit, trace, app_output_stream(output));
        } else if (i == 1) {
            noise_extrae_write_pcf(trace, pcf, app_output_stream(output));
        } else {
            noise_extrae_write_row(extrae, trace, app_output_stream(output));
        }
        if (!app_output_close(output, error)) {
            return false;
        }
    }
    return true;
}

static bool write_merged(const inputs *in, const noise_nit_set *set, const char *path,
                         GError **error)
{
    g_autoptr(GBytes) bytes = noise_nit_set_build((const char *const *)set->names, set->clocks,
                                                  (GBytes *const *)in->parts->pdata, in->n);
    app_output *output = app_output_open(path, error);
    if (output == NULL) {
        return false;
    }
    gsize size = 0;
    const void *data = g_bytes_get_data(bytes, &size);
    fwrite(data, 1, size, app_output_stream(output)); /* errors are kept until it is closed */
    return app_output_close(output, error);
}

static bool write_traces(const app_context *context, const app_monitor_options *m,
                         const app_activity *shown, const app_rank_logs *ranks, GError **error)
{
    const noise_rank_track *tracks =
        ranks != NULL ? (const noise_rank_track *)(void *)ranks->tracks->data : NULL;
    const GArray *exact = ranks != NULL ? ranks->exact : NULL;
    g_autoptr(noise_activity_trace) trace = noise_activity_trace_new_exact(
        shown->activity, tracks, ranks != NULL ? ranks->tracks->len : 0,
        exact != NULL ? (const noise_exact *)(const void *)exact->data : NULL,
        exact != NULL ? exact->len : 0);
    noise_extrae_fit fit = {0};
    g_autoptr(noise_extrae) extrae = NULL;
    if (m->extrae != NULL) { /* before anything is written */
        extrae = read_extrae(trace, shown->set, m->extrae, &fit, error);
        if (extrae == NULL) {
            return false;
        }
    }
    const trace_file perfetto = {trace, noise_chrome_write, 0};
    if ((m->paraver != NULL && !write_paraver(trace, m->paraver, error)) ||
        (extrae != NULL && !write_both(trace, extrae, &fit, m->extrae, m->paraver, error)) ||
        (m->perfetto != NULL && !write_file(&perfetto, m->perfetto, error))) {
        return false;
    }
    if (m->report == NULL) {
        return true;
    }
    g_autofree char *made_by = app_manifest_line(context->manifest);
    const app_activity_page page = {shown, trace, made_by};
    return app_activity_page_write(&page, m->report, error);
}

/* By what it is known who ran. */
static void add_records(const app_rank_logs *ranks, GString *text)
{
    uint64_t lost = 0;
    const GArray *cpus = ranks->cpus->cpus;
    g_autofree uint32_t *number = g_new(uint32_t, cpus->len + 1);
    for (guint c = 0; c < cpus->len; c++) {
        const noise_cpu_slices *s = &g_array_index(cpus, noise_cpu_slices, c);
        number[c] = s->cpu;
        lost += s->lost;
    }
    g_autofree char *list = app_activity_format_list(number, cpus->len, MOST_RANGES);
    g_autofree char *turns = app_format_number(ranks->exact->len);
    g_string_append_printf(text,
                           " Who ran on CPUs %s is by the kernel's records (%s turns on a CPU), "
                           "exact: an activation is a wake-up. Where records are missing it is by "
                           "the sweeps",
                           list, turns);
    if (lost > 0) {
        g_string_append_printf(text, "; %" G_GUINT64_FORMAT " had no room", lost);
    }
    g_string_append(text, ".");
}

/* What the ranks lost, and how much of it has a name. */
static char *rank_note(const app_rank_logs *ranks)
{
    if (ranks == NULL) {
        return NULL;
    }
    uint64_t lost = 0;
    uint64_t explained = 0;
    uint64_t missing = 0;
    for (size_t i = 0; i < ranks->join->num_ranks; i++) {
        lost += ranks->join->total[i].lost_ns;
        explained += ranks->join->total[i].lost_explained_ns;
        missing += ranks->join->total[i].missing;
    }
    g_autofree char *time = sim_unit_format_time_short((sim_time)MIN(lost, MOST_NS) * SIM_NS);
    g_autofree char *share = app_format_percent(lost > 0 ? (double)explained / (double)lost : 1);
    GString *text = g_string_new(NULL);
    g_string_printf(text,
                    "By their switch records %u rank%s could have run for %s more; %s of it is "
                    "joined to a name",
                    ranks->tracks->len, ranks->tracks->len == 1 ? "" : "s", time, share);
    if (ranks->elsewhere > 0) {
        g_string_append_printf(text, "; %u more ran on nodes that were not watched",
                               ranks->elsewhere);
    }
    if (missing > 0) {
        g_string_append_printf(text, "; %" G_GUINT64_FORMAT " switches are not in the records",
                               missing);
    }
    g_string_append(text, ". Calls to MPI are not told from computing here.");
    if (ranks->exact != NULL) {
        add_records(ranks, text);
    }
    return g_string_free(text, FALSE);
}

bool app_monitor_report(const app_context *context, const app_monitor_options *m,
                        const char *const *files, size_t n, GError **error)
{
    static const char *const WAYS[] = {"mpi", "marker", "realtime", NULL};
    unsigned way = 0;
    if (m->clocks != NULL && !app_parse_choice("--clocks", m->clocks, WAYS, &way, error)) {
        return false;
    }
    const app_option_use uses[] = {
        {"--clocks", m->clocks != NULL, n == 1 ? "on one file" : NULL},
        {"--merge", m->merge, n == 1 ? "on one file" : NULL},
        {"--extrae", m->extrae != NULL, m->paraver == NULL ? "without --paraver" : NULL},
    };
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error)) {
        return false;
    }
    if (m->merge && context->output == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--merge: where to? Name a file with -o");
        return false;
    }
    g_autoptr(app_rank_logs) ranks = m->ranks != NULL ? app_rank_logs_read(m->ranks, error) : NULL;
    g_auto(inputs) in = {0};
    if ((m->ranks != NULL && ranks == NULL) || !read_inputs(files, n, &in, error)) {
        return false;
    }
    g_autoptr(noise_nit_set) merged = NULL;
    if (n > 1) {
        const noise_clocks_by by =
            m->clocks != NULL ? (noise_clocks_by)(way + NOISE_CLOCKS_MPI) : NOISE_CLOCKS_SAME;
        merged = merge(&in, files, ranks, by, error);
        if (merged == NULL) {
            return false;
        }
    }
    noise_nit_set *set = n > 1 ? merged : g_ptr_array_index(in.sets, 0);
    if (ranks != NULL) {
        app_rank_logs_place(ranks, set);
    }
    const noise_activity_theft *thefts =
        ranks != NULL ? (const noise_activity_theft *)(void *)ranks->thefts->data : NULL;
    const noise_activity_theft none = {0};
    g_autoptr(noise_activity) activity =
        noise_activity_new(set->nit, ranks != NULL && thefts == NULL ? &none : thefts,
                           ranks != NULL ? ranks->thefts->len : 0);
    g_autofree char *note = rank_note(ranks);
    const app_activity shown = {set, activity, note};
    return (!m->merge || write_merged(&in, set, context->output, error)) &&
           write_traces(context, m, &shown, ranks, error) &&
           app_result_write(context, m->merge ? NULL : context->output, context->format,
                            &APP_ACTIVITY_WRITER, &shown, error);
}
