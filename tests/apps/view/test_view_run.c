/* tests/apps/view/test_view_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of every picture, and the same of a run that is too large to be kept. */
#include "check.h"
#include "exports/picture_print.h"
#include "sched/pattern.h"
#include "viewed_run.h"

#include <signal.h>
#include <sys/resource.h>

#define TWO "fixed:1ms:60us+fixed:370us:9us"

/* Slices of a lane lie side by side, and add up to what its rank did. */
static void check_lane(const app_picture *p, const app_picture_lane *l)
{
    sim_time time[APP_PICTURE_NUM_KINDS] = {0};
    sim_time at = 0;
    for (size_t k = 0; k < l->num_slices; k++) {
        const app_picture_slice *s = &p->slices[l->first_slice + k];
        CHECK_I64(s->begin, at, "rank %u slice %zu", l->rank, k);
        CHECK((s->kind == APP_PICTURE_DETOUR) == (s->component != APP_PICTURE_NONE),
              "rank %u slice %zu: every detour has a name", l->rank, k);
        time[s->kind] += s->end - s->begin;
        at = s->end;
    }
    CHECK_I64(at, l->finish, "rank %u", l->rank);
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        CHECK_I64(time[k], l->time[k], "rank %u, %s", l->rank, app_picture_kind_name(k));
    }
}

static sim_time lost(const app_picture_lane *l)
{
    return l->time[APP_PICTURE_DETOUR] + l->time[APP_PICTURE_NOISE_WAIT];
}

static void lanes_are_whole_and_the_worst_come_first(void)
{
    g_autoptr(app_picture) p = viewed_run(TWO, NULL);
    CHECK_I64(p->num_lanes, 12, "");
    sim_time detours = 0;
    for (size_t i = 0; i < p->num_lanes; i++) {
        check_lane(p, &p->lanes[i]);
        CHECK(i == 0 || lost(&p->lanes[i - 1]) >= lost(&p->lanes[i]), "lane %zu", i);
        detours += p->lanes[i].time[APP_PICTURE_DETOUR];
    }
    CHECK_I64(p->num_components, 2, "");
    CHECK_I64(p->components[0].length + p->components[1].length, detours, "by name");
    CHECK(p->components[0].detours > 0 && p->components[1].detours > 0, "both strike");
    CHECK(p->makespan > p->ideal && p->ideal > 0, "%" PRId64, p->makespan);
}

static void the_path_leads_from_the_beginning_to_the_end(void)
{
    g_autoptr(app_picture) p = viewed_run(TWO, NULL);
    CHECK(p->num_path > 10, "%zu", p->num_path);
    sim_time at = 0;
    sim_time sum = 0;
    for (size_t i = 0; i < p->num_path; i++) {
        CHECK_I64(p->path[i].begin, at, "stretch %zu", i);
        at = p->path[i].end;
    }
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        sum += p->path_part[k];
    }
    CHECK_I64(at, p->makespan, "");
    CHECK_I64(sum, p->makespan, "");
}

static void messages_go_from_a_send_to_a_receive(void)
{
    g_autoptr(app_picture) p = viewed_run(TWO, NULL);
    CHECK(p->num_messages > 100, "%zu", p->num_messages);
    for (size_t i = 0; i < p->num_messages; i++) {
        const app_picture_message *m = &p->messages[i];
        CHECK(m->received >= m->sent + step_params().L && m->bytes == 1024, "message %zu", i);
        CHECK(i == 0 || p->messages[i - 1].received <= m->received, "message %zu", i);
    }
}

static void make_large(app_view_request *r)
{
    r->num_ops = APP_VIEW_KEPT_OF_ALL + 1;
    r->num_lanes = 5;
}

static void make_five(app_view_request *r)
{
    r->num_lanes = 5;
}

static void check_same_lanes(const app_picture *a, const app_picture *b)
{
    CHECK(a->num_lanes == 5 && b->num_lanes == 5 && a->num_slices == b->num_slices, "%zu %zu",
          a->num_slices, b->num_slices);
    for (size_t i = 0; i < 5; i++) {
        CHECK_I64(a->lanes[i].rank, b->lanes[i].rank, "lane %zu", i);
        CHECK(memcmp(a->lanes[i].time, b->lanes[i].time, sizeof a->lanes[i].time) == 0 &&
                  a->lanes[i].finish == b->lanes[i].finish &&
                  a->lanes[i].whole_until == b->lanes[i].whole_until,
              "lane %zu", i);
    }
    for (size_t i = 0; i < a->num_slices; i++) {
        const app_picture_slice *x = &a->slices[i];
        const app_picture_slice *y = &b->slices[i];
        CHECK(x->begin == y->begin && x->end == y->end && x->kind == y->kind &&
                  x->from == y->from && x->op == y->op && x->component == y->component,
              "slice %zu", i);
    }
    if (CHECK(a->num_messages > 20 && a->num_messages == b->num_messages, "%zu messages",
              b->num_messages)) {
        for (size_t i = 0; i < a->num_messages; i++) {
            const app_picture_message *x = &a->messages[i];
            const app_picture_message *y = &b->messages[i];
            CHECK(x->from == y->from && x->to == y->to && x->sent == y->sent &&
                      x->received == y->received && x->bytes == y->bytes && x->send == y->send,
                  "message %zu", i);
        }
    }
    CHECK(memcmp(a->levels[0].mean, b->levels[0].mean,
                 (size_t)a->levels[0].rows * a->levels[0].columns) == 0,
          "heat");
}

/* Lanes of the worst come from a log: they are the same. */
static void a_large_run_has_the_same_lanes(void)
{
    g_autoptr(app_picture) a = viewed_run(TWO, make_five);
    g_autoptr(app_picture) b = viewed_run(TWO, make_large);
    check_same_lanes(a, b);
}

/* Of 5,000 ranks two share a row: some have one of their own, wherever stretches come from. */
static void blocks_are_the_same_from_memory_and_from_a_log(void)
{
    g_autoptr(app_picture) a = viewed_steps(TWO, 5000, 3, make_five);
    g_autoptr(app_picture) b = viewed_steps(TWO, 5000, 3, make_large);
    CHECK_I64(a->levels[0].ranks_per_row, 2, "");
    if (!CHECK(a->num_blocks == 64 && b->num_blocks == 64, "%zu %zu", a->num_blocks,
               b->num_blocks)) {
        return;
    }
    bool is_some = false;
    for (size_t i = 0; i < a->num_blocks; i++) {
        const app_picture_block *x = &a->blocks[i];
        const app_picture_block *y = &b->blocks[i];
        CHECK(x->first == y->first && x->columns == y->columns && x->ranks == y->ranks &&
                  x->column_width == y->column_width,
              "block %zu", i);
        CHECK(memcmp(x->share, y->share, (size_t)x->ranks * x->columns) == 0, "block %zu", i);
        for (size_t k = 0; k < (size_t)x->ranks * x->columns; k++) {
            is_some = is_some || x->share[k] > 0;
        }
    }
    CHECK(is_some, "something is lost");
    g_autoptr(app_picture) named = viewed_run(TWO, NULL);
    CHECK_I64((int64_t)named->num_blocks, 0, "where every rank has a row there are none");
}

static void show_the_middle(app_view_request *r)
{
    r->from = 1 * SIM_MS;
    r->to = 2 * SIM_MS;
}

/* More is kept of a small run than is shown. */
static void what_is_shown_lies_in_the_time_asked_for(void)
{
    g_autoptr(app_picture) p = viewed_run(TWO, show_the_middle);
    CHECK(p->num_slices > 50 && p->num_messages > 20, "%zu slices, %zu messages", p->num_slices,
          p->num_messages);
    for (size_t i = 0; i < p->num_slices; i++) {
        CHECK(p->slices[i].begin >= SIM_MS && p->slices[i].end <= 2 * SIM_MS, "slice %zu", i);
    }
    for (size_t i = 0; i < p->num_messages; i++) {
        const app_picture_message *m = &p->messages[i];
        CHECK(m->received > SIM_MS - 200 * SIM_US && m->sent <= 2 * SIM_MS, "message %zu", i);
    }
}

static void make_large_without_path(app_view_request *r)
{
    make_large(r);
    r->no_path = true; /* it takes a file, too */
}

/* No file may grow: it is run once more for the lanes of the worst. */
static void lanes_do_not_need_a_file(void)
{
    g_autoptr(app_picture) a = viewed_run(TWO, make_five);
    struct rlimit usual;
    getrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit none = {0, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    g_autoptr(app_picture) b = viewed_run(TWO, make_large_without_path);
    setrlimit(RLIMIT_FSIZE, &usual);
    check_same_lanes(a, b);
}

static void without_noise_nothing_is_lost(void)
{
    g_autoptr(app_picture) p = viewed_run("none", NULL);
    CHECK_I64(p->num_levels, 0, "no heat");
    CHECK_I64(p->time[APP_PICTURE_DETOUR] + p->time[APP_PICTURE_NOISE_WAIT], 0, "");
    CHECK_I64(p->makespan, p->ideal, "");
}

static void ask_for_cones(app_view_request *r)
{
    r->with_cones = true;
}

/* What the ripples of the slices come to, of one rank. */
static app_picture_cone slow_cone(const app_picture *p, uint32_t ripple, uint32_t rank)
{
    app_picture_cone cone = {.ripple = ripple, .rank = rank, .from = SIM_TIME_MAX};
    for (size_t l = 0; l < p->num_lanes; l++) {
        for (size_t k = 0; p->lanes[l].rank == rank && k < p->lanes[l].num_slices; k++) {
            const app_picture_slice *s = &p->slices[p->lanes[l].first_slice + k];
            if (s->kind == APP_PICTURE_NOISE_WAIT && s->ripple == ripple) {
                cone.waits++;
                cone.waited += s->end - s->begin;
                cone.from = MIN(cone.from, s->begin);
                cone.until = s->end;
            }
        }
    }
    return cone;
}

/* Everything that waited behind a detour did so by rank, or behind a later one that is in it. */
static void cones_say_which_rank_waited_behind_which_detour(void)
{
    g_autoptr(app_picture) p = viewed_run(TWO, ask_for_cones);
    g_autofree app_picture_ripple *sum = g_new0(app_picture_ripple, p->num_ripples);
    sim_time absorbed = 0;
    CHECK(p->num_ripples > 50 && p->num_cones > 50, "%zu %zu", p->num_ripples, p->num_cones);
    for (size_t i = 0; i < p->num_cones; i++) {
        const app_picture_cone *c = &p->cones[i];
        const app_picture_cone slow = slow_cone(p, c->ripple, c->rank);
        CHECK(c->waits == slow.waits && c->waited == slow.waited && c->from == slow.from &&
                  c->until == slow.until,
              "cone %zu", i);
        CHECK((c->absorbed > 0) == (c->absorbed_at > p->ripples[c->ripple].begin), "cone %zu", i);
        CHECK(i == 0 || c->ripple > c[-1].ripple ||
                  (c->ripple == c[-1].ripple && c->rank > c[-1].rank),
              "cone %zu", i);
        sum[c->ripple].waits += c->waits;
        sum[c->ripple].waited += c->waited;
        sum[c->ripple].absorbed += c->absorbed;
        sum[c->ripple].until = MAX(sum[c->ripple].until, c->until);
        absorbed += c->absorbed;
    }
    for (size_t i = p->num_ripples; i > 0; i--) { /* later ones are in earlier ones */
        const app_picture_ripple *r = &p->ripples[i - 1];
        const app_picture_ripple *s = &sum[i - 1];
        CHECK(r->waits == s->waits && r->waited == s->waited && r->absorbed == s->absorbed &&
                  r->until == s->until,
              "ripple %zu", i);
        CHECK(r->component < 2 && r->detour > 0 && r->end > r->begin, "ripple %zu", i);
        if (r->after != APP_PICTURE_NONE) {
            CHECK(r->after < i - 1 && p->ripples[r->after].begin <= r->begin, "ripple %zu", i);
            sum[r->after].waits += s->waits;
            sum[r->after].waited += s->waited;
            sum[r->after].absorbed += s->absorbed;
            sum[r->after].until = MAX(sum[r->after].until, s->until);
        }
    }
    CHECK(absorbed > p->absorbed / 2 && absorbed <= p->absorbed, "%" PRId64 " of %" PRId64,
          absorbed, p->absorbed);
}

/* 1,600 ranks, of which a few stand for all in the run without noise. */
static app_picture *viewed_pattern(uint32_t threads, bool is_large, bool is_injected)
{
    g_autoptr(sched_pattern) pattern = sched_pattern_new("stencil1d:1KiB,calc=100us*8", NULL);
    const sched_pattern_options o = {.ranks = 1600, .repeat = 1};
    sim_program *program = sched_pattern_program_new(pattern, &o, NULL);
    const sim_params params = step_params();
    g_autoptr(noise_signature) signature = noise_signature_parse(TWO, 1, NULL);
    const app_detour detour = {.rank = 700, .at = 300 * SIM_US, .length = SIM_MS};
    const app_view_request request = {.program = program,
                                      .params = &params,
                                      .signature = signature,
                                      .injection = {.seed = 1},
                                      .detour = is_injected ? &detour : NULL,
                                      .num_lanes = 20,
                                      .with_cones = true,
                                      .num_ops = is_large ? APP_VIEW_KEPT_OF_ALL + 1 : 1000000,
                                      .threads = threads};
    app_picture *picture = app_view_run(&request, NULL);
    sim_program_free(program);
    return picture;
}

/* All tables, and the map to the byte. */
static GString *text_of(const app_picture *p)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    for (int table = APP_VIEW_TABLE_RANKS; app_view_tables[table] != NULL; table++) {
        if (p->injection != NULL ||
            (table != APP_VIEW_TABLE_FRONT && table != APP_VIEW_TABLE_WAVE)) {
            app_picture_print_csv(p, (app_view_table)table, out);
        }
    }
    fclose(out);
    GString *all = g_string_new_len(text, (gssize)n);
    free(text); // NOLINT(cppcoreguidelines-no-malloc): it is not GLib's
    for (size_t l = 0; l < p->num_levels; l++) {
        const app_picture_level *v = &p->levels[l];
        const gssize cells = (gssize)v->rows * v->columns;
        g_string_append_len(all, (const char *)v->mean, cells);
        g_string_append_len(all, (const char *)v->most, cells);
        g_string_append_len(all, (const char *)(const void *)v->worst, cells * 4);
    }
    return all;
}

static void any_number_of_threads_gives_the_same_picture(void)
{
    static const uint32_t threads[] = {2, 5};
    for (int k = 0; k < 3; k++) {
        const bool is_large = k == 1;
        const bool is_injected = k == 2;
        g_autoptr(app_picture) one = viewed_pattern(1, is_large, is_injected);
        CHECK(one->num_levels > 5 && one->num_slices > 500 && one->time[APP_PICTURE_DETOUR] > 0,
              "%zu slices", one->num_slices);
        GString *wanted = text_of(one);
        for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
            g_autoptr(app_picture) many = viewed_pattern(threads[i], is_large, is_injected);
            GString *text = text_of(many);
            CHECK(g_string_equal(text, wanted), "case %d: %u threads", k, threads[i]);
            g_string_free(text, TRUE);
        }
        g_string_free(wanted, TRUE);
    }
}

SUITE_MAIN("view_run", TEST(lanes_are_whole_and_the_worst_come_first),
           TEST(the_path_leads_from_the_beginning_to_the_end),
           TEST(messages_go_from_a_send_to_a_receive),
           TEST(any_number_of_threads_gives_the_same_picture), TEST(a_large_run_has_the_same_lanes),
           TEST(blocks_are_the_same_from_memory_and_from_a_log),
           TEST(what_is_shown_lies_in_the_time_asked_for), TEST(lanes_do_not_need_a_file),
           TEST(without_noise_nothing_is_lost),
           TEST(cones_say_which_rank_waited_behind_which_detour))
