/* tests/schedgen/regrid/test_regrid_scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computation over the size of a part, fitted to records of one problem on 16, 36 and 64 ranks:
 * what was written is found again, and is what a larger grid computes.
 */
#include "regrid/grid_compare.h"

#include <gsl/gsl_errno.h>
#include <math.h>

/* What was written: 1 us and 100 us of volume before receives are posted, 2 us before a send, 5 us
 * and 3 us of volume before the wait, 4 us before collectives. */
static sim_time straight(uint32_t rank, sched_call_kind before, double volume)
{
    (void)rank;
    const double us = before == SCHED_CALL_IRECV      ? 1 + 100 * volume
                      : before == SCHED_CALL_ISEND    ? 2
                      : before == SCHED_CALL_COMPLETE ? 5 + 3 * volume
                                                      : 4;
    return llround(us * 1e6);
}

/* Rank 14 of 64, which is on no border, takes ten times as long. */
static sim_time disturbed(uint32_t rank, sched_call_kind before, double volume)
{
    const bool slow = rank == 14 && volume < 0.3;
    return straight(rank, before, volume) * (slow ? 10 : 1);
}

/* Below half of the volume there would be nothing left. */
static sim_time steep(uint32_t rank, sched_call_kind before, double volume)
{
    (void)rank;
    (void)before;
    return llround((2 * volume - 1) * 1e8);
}

/* What is packed goes with the border, of parts that are squares; the rest with the volume. */
static sim_time bordered(uint32_t rank, sched_call_kind before, double volume)
{
    (void)rank;
    const double us = before == SCHED_CALL_ISEND ? 20 * sqrt(volume) : 100 * volume;
    return llround(us * 1e6);
}

typedef struct recorded {
    sched_trace *trace;
    sched_regrid *regrid;
} recorded;

typedef sim_time compute(uint32_t rank, sched_call_kind before, double volume);

/* A problem that is 1 on each of 4 x 4 ranks. */
static grid_program problem(uint32_t extent, compute *how)
{
    return (grid_program){.grid = {.num_dims = 2, .extent = {extent, extent}},
                          .iterations = 3,
                          .compute = how,
                          .volume = 16.0 / (extent * extent)};
}

static recorded record(const grid_program *p)
{
    recorded r = {.trace = grid_trace(p)};
    r.regrid = grid_recognise(r.trace, &GRID_ASKED);
    return r;
}

static void drop(recorded *r)
{
    sched_regrid_free(r->regrid);
    sched_trace_free(r->trace);
}

enum { MOST = 3 };

/* What fits a site's computation on 4 and 6, or on 4, 6 and 8 ranks in each dimension. */
typedef struct family {
    recorded of[MOST];
    uint32_t n;
    sched_regrid_scaling *scaling;
} family;

static family fit_some(compute *how, uint32_t n)
{
    g_autoptr(GError) error = NULL;
    gsl_set_error_handler_off(); /* as main does */
    family f = {.n = n};
    for (uint32_t i = 0; i < n; i++) {
        const grid_program p = problem(4 + 2 * i, how);
        f.of[i] = record(&p);
    }
    const sched_regrid *others[] = {f.of[1].regrid, n > 2 ? f.of[2].regrid : NULL};
    f.scaling = sched_regrid_scaling_new(f.of[0].regrid, others, n - 1, &GRID_CONVERT, &error);
    CHECK(f.scaling != NULL, "%s", error != NULL ? error->message : "");
    return f;
}

static family fit(compute *how)
{
    return fit_some(how, MOST);
}

static void family_drop(family *f)
{
    sched_regrid_scaling_free(f->scaling);
    for (uint32_t i = 0; i < f->n; i++) {
        drop(&f->of[i]);
    }
}

/* On 16 x 16 ranks, of what 4 x 4 had. */
static const sched_regrid_part SIXTEENTH = {.volume = 1.0 / 16, .surface = 1.0 / 4};

/* The line that was written for the site: in us. */
static void written(const char *what, double *constant, double *slope)
{
    const bool recv = strstr(what, "before MPI_Irecv") != NULL;
    const bool wait = strstr(what, "before MPI_Waitall") != NULL;
    *constant = recv ? 1 : wait ? 5 : strstr(what, "before MPI_Isend") != NULL ? 2 : 4;
    *slope = recv ? 100 : wait ? 3 : 0;
}

static void check_lines(const family *f, double tolerance)
{
    size_t n = 0;
    g_autofree sched_regrid_site *sites = sched_regrid_scaling_sites(f->scaling, SIXTEENTH, &n);
    double share = 0;
    CHECK(n > 36, "%zu sites of nine classes, at least 4 each", n);
    for (size_t i = 0; i < n; i++) {
        double constant;
        double slope;
        written(sites[i].what, &constant, &slope);
        const double factor = (constant + slope / 16) / (constant + slope);
        CHECK(sites[i].fitted, "%s", sites[i].what);
        CHECK_NEAR(sites[i].constant / 1e6, constant, tolerance, "%s", sites[i].what);
        CHECK_NEAR(sites[i].by_volume / 1e6, slope, tolerance, "%s", sites[i].what);
        CHECK_NEAR(sites[i].factor, factor, tolerance, "%s", sites[i].what);
        CHECK(sites[i].factor_low <= factor + tolerance &&
                  sites[i].factor_high >= factor - tolerance,
              "%s: %g to %g, not %g", sites[i].what, sites[i].factor_low, sites[i].factor_high,
              factor);
        share += sites[i].share;
    }
    CHECK_NEAR(share, 1, 1e-9, "all computation is at some site");
}

static void lines_that_were_written_are_found(void)
{
    family f = fit(straight);
    check_lines(&f, 1e-5);
    family_drop(&f);
}

static void a_disturbed_rank_does_not_move_them(void)
{
    family f = fit(disturbed);
    check_lines(&f, 1e-5);
    family_drop(&f);
}

/* Two sizes are met by a line, too, which would have (20 * 0.28 + 20 * 0.72 v) us before a send. */
static void two_sizes_give_a_surface_and_a_volume(void)
{
    for (uint32_t records = 2; records <= MOST; records++) {
        family f = fit_some(bordered, records);
        size_t n = 0;
        g_autofree sched_regrid_site *sites = sched_regrid_scaling_sites(f.scaling, SIXTEENTH, &n);
        CHECK(n > 36, "%zu sites of nine classes, at least 4 each", n);
        for (size_t i = 0; i < n; i++) {
            const bool send = strstr(sites[i].what, "before MPI_Isend") != NULL;
            const char *what = sites[i].what;
            CHECK(sites[i].fitted, "%s", what);
            CHECK_NEAR(sites[i].constant / 1e6, 0, 1e-5, "%s", what);
            CHECK_NEAR(sites[i].by_surface / 1e6, send ? 20 : 0, 1e-4, "%s", what);
            CHECK_NEAR(sites[i].by_volume / 1e6, send ? 0 : 100, 1e-4, "%s", what);
            CHECK_NEAR(sites[i].factor, send ? 1.0 / 4 : 1.0 / 16, 1e-5, "%s", what);
        }
        family_drop(&f);
    }
}

static void parts_shrink_by_volume_and_face(void)
{
    static const struct {
        sched_grid small, large;
        sched_regrid_part part;
    } ROWS[] = {
        {{.num_dims = 3, .extent = {3, 3, 3}}, {.extent = {5, 5, 5}}, {27.0 / 125, 9.0 / 25}},
        {{.num_dims = 2, .extent = {4, 4}}, {.extent = {4, 8}}, {0.5, (0.5 + 1) / 2}},
        {{.num_dims = 1, .extent = {4}}, {.extent = {12}}, {1.0 / 3, 1}}, /* a face is a point */
        {{.num_dims = 2, .extent = {1, 4}}, {.extent = {1, 8}}, {0.5, 1}},
        {{.num_dims = 2, .extent = {8, 8}}, {.extent = {4, 4}}, {4, 2}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const sched_regrid_part part = sched_regrid_part_of(&ROWS[i].small, &ROWS[i].large);
        CHECK_NEAR(part.volume, ROWS[i].part.volume, 1e-12, "row %zu", i);
        CHECK_NEAR(part.surface, ROWS[i].part.surface, 1e-12, "row %zu", i);
    }
}

/* All computation of two programs, in ps; and by how much they are apart at most. */
static int64_t apart(sched_rank_source *a, sched_rank_source *b)
{
    int64_t most = 0;
    for (uint32_t r = 0; r < b->num_ranks; r++) {
        grid_ops x = grid_take(a, r);
        grid_ops y = grid_take(b, r);
        for (uint32_t i = 0; CHECK_I64(x.num_ops, y.num_ops, "rank %u", r) && i < x.num_ops; i++) {
            if (x.ops[i].type == SIM_OP_CALC) {
                most = MAX(most, ABS(x.ops[i].size - y.ops[i].size));
            }
        }
        grid_drop(&x);
        grid_drop(&y);
    }
    return most;
}

static void a_larger_grid_computes_what_was_written(void)
{
    family f = fit(straight);
    const grid_program large = problem(16, straight);
    g_autoptr(sched_trace) trace = grid_trace(&large);
    g_autoptr(GError) error = NULL;
    for (int by_line = 0; by_line < 2; by_line++) {
        const sched_regrid_target target = {
            .ranks = 256, .strong = true, .scaling = by_line ? f.scaling : NULL, .seed = 1};
        g_autoptr(sched_growth) growth = sched_regrid_grow(f.of[0].regrid, &target, &error);
        sched_convert_report reports[2] = {{0}};
        sched_rank_source *grown = grid_source(f.of[0].trace, growth, &reports[0]);
        sched_rank_source *plain = grid_source(trace, NULL, &reports[1]);
        const int64_t ps = apart(grown, plain);
        /* By volume the 4 us before a collective would become 0.25 us. */
        CHECK(by_line ? ps < 200 : ps > 3 * SIM_US, "%" G_GINT64_FORMAT " ps apart", ps);
        sched_convert_source_free(grown);
        sched_convert_source_free(plain);
        sched_convert_report_clear(&reports[0]);
        sched_convert_report_clear(&reports[1]);
    }
    family_drop(&f);
}

/* A line that ends below 0 says nothing; above, it does. */
static void where_a_line_ends_the_volume_counts(void)
{
    g_autoptr(GError) error = NULL;
    const grid_program small = problem(4, steep);
    const grid_program further = problem(5, steep);
    recorded a = record(&small);
    recorded b = record(&further);
    const sched_regrid *others[] = {b.regrid};
    g_autoptr(sched_regrid_scaling) scaling =
        sched_regrid_scaling_new(a.regrid, others, 1, &GRID_CONVERT, &error);
    CHECK(scaling != NULL, "%s", error != NULL ? error->message : "");
    static const sched_regrid_part PARTS[] = {{.volume = 0.75, .surface = 0.87},
                                              {.volume = 0.25, .surface = 0.5}};
    for (size_t v = 0; v < 2; v++) {
        size_t n = 0;
        g_autofree sched_regrid_site *sites = sched_regrid_scaling_sites(scaling, PARTS[v], &n);
        CHECK(n > 0, "volume %g", PARTS[v].volume);
        for (size_t i = 0; i < n; i++) {
            CHECK(sites[i].fitted == (v == 0), "volume %g, %s", PARTS[v].volume, sites[i].what);
            CHECK_NEAR(sites[i].factor, v == 0 ? 0.5 : 0.25, 1e-6, "%s", sites[i].what);
        }
    }
    drop(&a);
    drop(&b);
}

static void refuses(const grid_program *other, const char *words)
{
    g_autoptr(GError) error = NULL;
    const grid_program p = problem(4, straight);
    recorded a = record(&p);
    recorded b = record(other);
    const sched_regrid *others[] = {b.regrid};
    sched_regrid_scaling *scaling =
        sched_regrid_scaling_new(a.regrid, others, 1, &GRID_CONVERT, &error);
    CHECK(scaling == NULL && error != NULL && strstr(error->message, words) != NULL, "%s: %s",
          words, error != NULL ? error->message : "no error");
    sched_regrid_scaling_free(scaling);
    drop(&a);
    drop(&b);
}

static void records_of_other_programs_are_refused(void)
{
    const grid_program same = problem(4, straight);
    refuses(&same, "they have the same number of ranks");
    grid_program other = problem(6, straight);
    other.lines = true;
    refuses(&other, "only the latter computes after MPI_Allreduce");
    other = problem(6, straight);
    other.form = GRID_SHIFTED;
    refuses(&other, "the programs differ");
    other = problem(6, straight);
    other.grid.periodic[0] = other.grid.periodic[1] = true;
    refuses(&other, "a grid of 6 x 6, periodic is no larger one of 4 x 4, open");
    other = problem(6, straight);
    other.foreign = 3;
    refuses(&other, "explains 9");
}

SUITE_MAIN("regrid_scaling", TEST(lines_that_were_written_are_found),
           TEST(a_disturbed_rank_does_not_move_them), TEST(two_sizes_give_a_surface_and_a_volume),
           TEST(parts_shrink_by_volume_and_face), TEST(a_larger_grid_computes_what_was_written),
           TEST(where_a_line_ends_the_volume_counts), TEST(records_of_other_programs_are_refused))
