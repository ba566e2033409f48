/* apps/ripple/program/recognition.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_regrid. */
#include "program/recognition.h"

#include "output/error.h"
#include "output/number_text.h"
#include "output/result.h"
#include "program/recognition_exchanges.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <math.h>

typedef struct recognition {
    const app_source *source;
    sched_regrid_findings f;
    sched_regrid_exchanges *exchanges;
} recognition;

/* "(1,0,-1)" */
static char *format_way(const sched_regrid_findings *f, const sched_regrid_way *way)
{
    GString *text = g_string_new("(");
    for (uint32_t d = 0; d < f->grid.num_dims; d++) {
        g_string_append_printf(text, "%s%d", d > 0 ? "," : "", way->by[d]);
    }
    g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void print_explained(const sched_regrid_findings *f, FILE *out)
{
    g_autofree char *messages = app_format_number(f->messages);
    g_autofree char *bytes = app_format_number(f->bytes);
    g_autofree char *of_messages = app_exchanges_share(f->explained_messages, f->messages);
    g_autofree char *of_bytes = app_exchanges_share(f->explained_bytes, f->bytes);
    fprintf(out, "explained   %s of %s messages, %s of %s bytes", of_messages, messages, of_bytes,
            bytes);
    if (f->runner_up >= 0) {
        if (f->runner_up < share(f->explained_messages, f->messages)) {
            fprintf(out, "; the next best grid at most %.3g %%", 100 * f->runner_up);
        } else {
            fputs("; another grid as many, by no fewer ways", out);
        }
    }
    fputc('\n', out);
}

static void print_grid(const sched_regrid_findings *f, FILE *out)
{
    g_autofree char *grid = sched_grid_format(&f->grid);
    fprintf(out, "pattern     %s\n", f->pattern);
    fprintf(out, "grid        %s; ranks row-major in the order of %s\n", grid, f->order);
    print_explained(f, out);
    fprintf(out, "classes     %u of ranks that do the same\n", f->classes);
    for (size_t i = 0; i < f->num_ways; i++) {
        g_autofree char *way = format_way(f, &f->ways[i]);
        g_autofree char *messages = app_format_number(f->ways[i].messages);
        g_autofree char *bytes = app_format_number(f->ways[i].bytes);
        fprintf(out, "%-11s by %s: %s messages, %s bytes, %s\n", i == 0 ? "ways" : "", way,
                messages, bytes, f->ways[i].calls);
    }
}

/* "12.3us", which a fit may put below 0 */
static char *format_time(double ps)
{
    g_autofree char *text = sim_unit_format_time_short(llround(fabs(ps)));
    return g_strdup_printf("%s%s", ps < 0 ? "-" : "", text);
}

/* "after A, before B; ranks first x inner: 1.2us s + 30us v +- 0.1us, residuals 0.2us, 12 ranks" */
static char *format_site(const sched_regrid_site *site)
{
    const bool has_surface = site->by_surface != 0;
    g_autofree char *other = format_time(has_surface ? site->by_surface : site->constant);
    g_autofree char *by_volume = format_time(fabs(site->by_volume));
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%5.3g %%  %s: ", 100 * site->share, site->what);
    if (!site->fitted) {
        g_string_append(text, "nothing above 0 fits, as the volume");
        return g_string_free(text, FALSE);
    }
    g_string_append_printf(text, "%s%s %c %s v", other, has_surface ? " s" : "",
                           site->by_volume < 0 ? '-' : '+', by_volume);
    if (!isnan(site->residual)) {
        g_autofree char *half = format_time(site->half_width);
        g_autofree char *residual = format_time(site->residual);
        g_string_append_printf(text, " +- %s, residual %s", half, residual);
    }
    g_string_append_printf(text, ", %u samples", site->samples);
    return g_string_free(text, FALSE);
}

static void print_sites(const recognition *r, FILE *out)
{
    enum { SHOWN = 10 };
    const sched_regrid_part recorded = {1, 1};
    const sched_regrid_scaling *scaling = app_source_scaling(r->source);
    if (scaling == NULL) {
        return;
    }
    size_t n = 0;
    g_autofree sched_regrid_site *sites = sched_regrid_scaling_sites(scaling, recorded, &n);
    fprintf(out,
            "computation by call site over the volume v and the surface s of a rank's part, here "
            "1; +-: 95 %% interval there, a sample: the mean of a rank\n");
    for (size_t i = 0; i < MIN(n, SHOWN); i++) {
        g_autofree char *line = format_site(&sites[i]);
        fprintf(out, "            %s\n", line);
    }
    if (n > SHOWN) {
        fprintf(out, "            and %zu more\n", n - SHOWN);
    }
}

static void print_text(const void *result, FILE *out)
{
    const recognition *r = result;
    const sched_regrid_findings *f = &r->f;
    fprintf(out, "program     %s\n", app_source_description(r->source));
    if (f->pattern != NULL) {
        print_grid(f, out);
    }
    app_exchanges_print(r->exchanges, f->messages, out);
    if (f->collectives > 0) {
        g_autofree char *collectives = app_format_number(f->collectives);
        fprintf(out, "collectives %s calls, made anew by all ranks of their communicator\n",
                collectives);
    }
    for (size_t i = 0; i < f->num_rest; i++) {
        fprintf(out, "%-11s %s (%" G_GUINT64_FORMAT ")\n", i == 0 ? "unexplained" : "",
                f->rest[i].what, f->rest[i].count);
    }
    uint64_t named = 0;
    for (size_t i = 0; i < f->num_rest; i++) {
        named += f->rest[i].count;
    }
    if (f->rest_in_all > named) {
        fprintf(out, "            and %" G_GUINT64_FORMAT " more sends and receives\n",
                f->rest_in_all - named);
    }
    for (size_t i = 0; i < f->num_refusals; i++) {
        fprintf(out, "%-11s %s\n", i == 0 ? "refused" : "", f->refusals[i]);
    }
    print_sites(r, out);
    if (f->num_refusals == 0) {
        fputs("enlarged    by --extrapolate=regrid\n", out);
    }
}

static void print_csv(const void *result, FILE *out)
{
    const recognition *r = result;
    const sched_regrid_findings *f = &r->f;
    fputs("way,messages,bytes,calls\n", out);
    for (size_t i = 0; i < f->num_ways; i++) {
        g_autofree char *way = format_way(f, &f->ways[i]);
        app_output_csv_text(out, way);
        fprintf(out, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",", f->ways[i].messages,
                f->ways[i].bytes);
        app_output_csv_text(out, f->ways[i].calls);
        fputc('\n', out);
    }
    fprintf(out, "unexplained,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",\n",
            f->messages - f->explained_messages, f->bytes - f->explained_bytes);
}

static void build_grid(const sched_regrid_findings *f, JsonBuilder *b)
{
    sim_json_text(b, "pattern", f->pattern);
    sim_json_text(b, "order", f->order);
    sim_json_begin_array(b, "extents");
    for (uint32_t d = 0; d < f->grid.num_dims; d++) {
        json_builder_add_int_value(b, f->grid.extent[d]);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "periodic");
    for (uint32_t d = 0; d < f->grid.num_dims; d++) {
        json_builder_add_boolean_value(b, f->grid.periodic[d]);
    }
    json_builder_end_array(b);
    sim_json_int(b, "classes", f->classes);
    sim_json_begin_array(b, "ways");
    for (size_t i = 0; i < f->num_ways; i++) {
        g_autofree char *way = format_way(f, &f->ways[i]);
        json_builder_begin_object(b);
        sim_json_text(b, "by", way);
        sim_json_int(b, "messages", (int64_t)f->ways[i].messages);
        sim_json_int(b, "bytes", (int64_t)f->ways[i].bytes);
        sim_json_text(b, "calls", f->ways[i].calls);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* A number that may not be known is left out then. */
static void build_known(JsonBuilder *b, const char *name, double value)
{
    if (!isnan(value)) {
        sim_json_double(b, name, value);
    }
}

static void build_sites(const sched_regrid_scaling *scaling, JsonBuilder *b)
{
    const sched_regrid_part recorded = {1, 1};
    size_t n = 0;
    g_autofree sched_regrid_site *sites = sched_regrid_scaling_sites(scaling, recorded, &n);
    sim_json_begin_array(b, "sites");
    for (size_t i = 0; i < n; i++) {
        const sched_regrid_site *site = &sites[i];
        json_builder_begin_object(b);
        sim_json_text(b, "what", site->what);
        sim_json_double(b, "share", site->share);
        sim_json_int(b, "samples", site->samples);
        sim_json_bool(b, "fitted", site->fitted);
        if (site->fitted) {
            sim_json_double(b, "constant_ps", site->constant);
            sim_json_double(b, "by_surface_ps", site->by_surface);
            sim_json_double(b, "by_volume_ps", site->by_volume);
            build_known(b, "half_width_ps", site->half_width);
            build_known(b, "residual_ps", site->residual);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build(const void *result, JsonBuilder *b)
{
    const recognition *r = result;
    const sched_regrid_findings *f = &r->f;
    sim_json_text(b, "program", app_source_description(r->source));
    if (f->pattern != NULL) {
        build_grid(f, b);
    }
    app_exchanges_build(r->exchanges, f->messages, b);
    sim_json_int(b, "messages", (int64_t)f->messages);
    sim_json_int(b, "bytes", (int64_t)f->bytes);
    sim_json_int(b, "explained_messages", (int64_t)f->explained_messages);
    sim_json_int(b, "explained_bytes", (int64_t)f->explained_bytes);
    if (f->runner_up >= 0) {
        sim_json_double(b, "runner_up_share", f->runner_up);
    }
    sim_json_int(b, "collectives", (int64_t)f->collectives);
    sim_json_begin_array(b, "unexplained");
    for (size_t i = 0; i < f->num_rest; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "what", f->rest[i].what);
        sim_json_int(b, "count", (int64_t)f->rest[i].count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_int(b, "unexplained_in_all", (int64_t)f->rest_in_all);
    if (app_source_scaling(r->source) != NULL) {
        build_sites(app_source_scaling(r->source), b);
    }
    sim_json_begin_array(b, "refusals");
    for (size_t i = 0; i < f->num_refusals; i++) {
        json_builder_add_string_value(b, f->refusals[i]);
    }
    json_builder_end_array(b);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

bool app_recognition_write(const app_context *context, const app_source *source,
                           const sched_regrid *regrid, GError **error)
{
    g_autoptr(sched_regrid_exchanges) exchanges = sched_regrid_exchanges_new(regrid);
    const recognition r = {source, sched_regrid_find(regrid), exchanges};
    if (!app_result_write(context, context->output, context->format, &WRITER, &r, error)) {
        return false;
    }
    if (r.f.num_refusals > 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: cannot be enlarged on a grid: %s",
                    app_source_trace(source)->path, r.f.refusals[0]);
        return false;
    }
    return true;
}
