/* tests/sim/machine/test_machine.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/error.h"
#include "sim/machine.h"
#include "sim/nearest.h"

#include <glib/gstdio.h>

#define SEED    20101113
#define CALLS   "[machine]\nschema_version=3\nL=1us\no=200ns\ng=300ns\nG=0.16ns/B\n"
#define COLD    "[machine]\nschema_version=4\nL=1us\no=200ns\ng=300ns\nG=0.16ns/B\n"
#define LEVELS  "[machine]\nschema_version=2\nL=1us\no=200ns\ng=300ns\nG=0.16ns/B\n"
#define MINIMAL "[machine]\nschema_version=1\nL=1us\no=200ns\ng=300ns\nG=0.16ns/B\n"

/* By member: between them may be bytes that mean nothing. */
static bool same_params(const sim_params *a, const sim_params *b)
{
    return a->L == b->L && a->o == b->o && a->g == b->g && a->G == b->G && a->O == b->O &&
           a->S == b->S && a->progress == b->progress && a->rendezvous == b->rendezvous &&
           a->order == b->order;
}

static void presets_are_table_three(void)
{
    /* Hoefler, Schneider, Lumsdaine, SC'10, Table III: L, o, g in us, G in us/B. */
    static const struct {
        const char *name;
        double L, o, g, G;
    } row[] = {
        {"chic", 5.33, 0.77, 1.56, 0.00125}, {"altix", 1.64, 0.99, 0.90, 0.00123},
        {"cnl", 4.77, 2.87, 2.04, 0.00267},  {"zeptoos", 8.67, 3.42, 2.81, 0.00269},
        {"xt4", 9.9, 1.75, 3.40, 0.00058},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(sim_machine) machine = sim_machine_load(row[i].name, NULL);
        if (!CHECK(machine != NULL, "%s", row[i].name)) {
            continue;
        }
        const sim_params *p = &machine->params;
        CHECK_NEAR((double)p->L / 1e6, row[i].L, 1e-9, "%s", row[i].name);
        CHECK_NEAR((double)p->o / 1e6, row[i].o, 1e-9, "%s", row[i].name);
        CHECK_NEAR((double)p->g / 1e6, row[i].g, 1e-9, "%s", row[i].name);
        CHECK_NEAR((double)p->G / 1e12, row[i].G, 1e-12, "%s", row[i].name);
        CHECK_I64(p->O, 0);
        CHECK_I64(p->S, 65535);
        CHECK_I64(p->progress, SIM_PROGRESS_POLLING);
        CHECK_I64(p->rendezvous, SIM_RENDEZVOUS_HANDSHAKE);
    }
}

static void every_preset_is_whole(void)
{
    const char *const *names = sim_machine_presets();
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        g_autoptr(sim_machine) machine = sim_machine_load(names[n], NULL);
        CHECK(machine != NULL && machine->params.L > 0 && machine->params.o > 0 &&
                  machine->params.g > 0 && machine->params.G > 0,
              "%s", names[n]);
        CHECK(sim_machine_preset_description(names[n]) != NULL, "%s", names[n]);
        for (int key = 0; machine != NULL && key < SIM_NUM_KEYS; key++) {
            CHECK((machine->provenance[key] != NULL) == (key <= SIM_KEY_RENDEZVOUS), "%s %s",
                  names[n], sim_key_name((sim_key)key));
        }
    }
    CHECK_I64(n, 8);
    CHECK(sim_machine_preset_description("nothing") == NULL);
}

/* Against the slopes of the raw tables: half of a line's bandwidth would be a gross mistake. */
static void current_presets_have_the_bandwidth_of_their_network(void)
{
    g_autoptr(sim_machine) azure = sim_machine_load("azure", NULL);
    g_autoptr(sim_machine) daint = sim_machine_load("daint", NULL);
    /* InfiniBand EDR is 100 Gb/s, 80 ps/B; Aries gives about 10 GB/s, 100 ps/B. */
    CHECK(azure->params.G >= 80 * SIM_RATE_PER_PS && azure->params.G <= 125 * SIM_RATE_PER_PS);
    CHECK(daint->params.G >= 90 * SIM_RATE_PER_PS && daint->params.G <= 125 * SIM_RATE_PER_PS);
}

/* The column L of the tables at 1 byte, in ns: a message there and back is 2 (L + 2 o). */
static void a_ping_pong_of_netgauges_presets_takes_as_long_as_it_measured(void)
{
    static const struct {
        const char *name;
        double half;
    } ROWS[] = {{"daint", 1311.0}, {"azure", 1646.726}, {"c5n", 21873.5}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(sim_machine) machine = sim_machine_load(ROWS[i].name, NULL);
        const sim_params *p = &machine->params;
        CHECK_NEAR((double)(p->L + 2 * p->o) / (double)SIM_NS, ROWS[i].half, 1, "%s", ROWS[i].name);
    }
}

static void a_minimal_file_gets_defaults(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine =
        sim_machine_load_data("dir/my.ini", MINIMAL, strlen(MINIMAL), &error);
    if (!CHECK(machine != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_STR(machine->name, "my.ini");
    CHECK_I64(machine->params.L, SIM_US);
    CHECK_I64(machine->params.o, 200 * SIM_NS);
    CHECK_I64(machine->params.g, 300 * SIM_NS);
    CHECK_I64(machine->params.G, 160 * SIM_RATE_PER_PS);
    CHECK_I64(machine->params.O, 0);
    CHECK_I64(machine->params.S, 65535);
    CHECK_STR(machine->provenance[SIM_KEY_L], "dir/my.ini");
    CHECK_STR(machine->provenance[SIM_KEY_S], "default");
}

static void bad_files_are_refused_by_name(void)
{
    static const struct {
        const char *text;
        const char *wanted;
    } row[] = {
        {"", "f: not a machine file"},
        {"nonsense", "f: not a machine file"},
        {"[machine]\nL=1us\n", "f: schema_version: ''"},
        {"[machine]\nschema_version=6\n", "f: schema_version: '6' (these are read: 1 to 5)"},
        {CALLS "[calls]\ncold=1us:1ns:0\n",
         "f: calls.cold: schema_version is 3, and must be 4 for this"},
        {MINIMAL "[calls]\ncold=1us:1ns:0\n", "schema_version is 1, and must be 4 for this"},
        {COLD "[calls]\ncold=1us:1ns\n",
         "f: calls.cold: not of the form COMPUTED:FIRST:FURTHER: '1us:1ns'"},
        {MINIMAL "[calls]\nbcast=1ns\n", "f: [calls]: schema_version is 1, and must be 3 for this"},
        {LEVELS "[calls]\nbcast=1ns\n", "f: [calls]: schema_version is 2, and must be 3 for this"},
        {CALLS "[calls]\nbroadcast=1ns\n",
         "f: unknown key in [calls]: 'broadcast'; did you mean 'bcast'?"},
        {CALLS "[calls]\nallreduc=1ns\n", "'allreduc'; did you mean 'allreduce'?"},
        {CALLS "[calls]\nbcast=\n", "f: calls.bcast: not a time"},
        {CALLS "[calls]\nbcast=-1ns\n", "f: calls.bcast: not a time"},
        {CALLS "[calls]\nbcast=1ns+\n", "f: calls.bcast: not a time per byte"},
        {CALLS "[calls]\nbcast=1ns+2ns\n", "f: calls.bcast: not a time per byte"},
        {CALLS "[call]\nbcast=1ns\n", "f: unknown group: 'call'; did you mean 'calls'?"},
        {CALLS "[provenance]\ncalls.gathr=x\n", "'calls.gathr'; did you mean 'calls.gather'?"},
        {MINIMAL "[node]\nL=1us\n", "f: [node]: schema_version is 1, and must be 2 for this"},
        {MINIMAL "distance=torus:4\n", "f: distance: schema_version is 1, and must be 2"},
        {MINIMAL "L_hop=4ns\n", "f: L_hop: schema_version is 1, and must be 2"},
        {MINIMAL "H=2us\n", "f: H: schema_version is 1, and must be 5 for this"},
        {LEVELS "[node]\nH=2us\n", "f: node.H: schema_version is 2, and must be 5 for this"},
        {CALLS "H=2us\n", "f: H: schema_version is 3, and must be 5 for this"},
        {LEVELS "[node]\n", "f: [node] is empty: it says what differs within a node"},
        {LEVELS "[node]\nprogress=async\n", "f: unknown key in [node]: 'progress'; known are L"},
        {LEVELS "[node]\nl=1us\n", "f: unknown key in [node]: 'l'; did you mean 'L'?"},
        {LEVELS "[node]\nL=1 league\n", "f: node.L: not a time"},
        {LEVELS "[nodes]\nL=1us\n", "f: unknown group: 'nodes'; did you mean 'node'?"},
        {LEVELS "distance=tours:4x4\n", "f: distance: distance 'tours:4x4': no such form; did you"},
        {LEVELS "distance=torus:4xB\n", "f: distance: distance 'torus:4xB': wanted torus:AxBxC"},
        {LEVELS "distance=matrix:\n", "f: distance: distance 'matrix:': which file?"},
        {LEVELS "distance=graph\n", "f: distance: distance 'graph': which file?"},
        {LEVELS "L_hop=fast\n", "f: L_hop: not a time"},
        {LEVELS "l_hop=4ns\n", "f: unknown key in [machine]: 'l_hop'; did you mean 'L_hop'?"},
        {LEVELS "[provenance]\nnode.l=x\n", "'node.l'; did you mean 'node.L'?"},
        {"[network]\nL=1us\n", "f: no group [machine]"},
        {MINIMAL "[provenence]\n", "f: unknown group: 'provenence'; did you mean 'provenance'?"},
        {MINIMAL "l=3us\n", "f: unknown key in [machine]: 'l'; did you mean 'L'?"},
        {MINIMAL "rendevous=instant\n", "'rendevous'; did you mean 'rendezvous'?"},
        {MINIMAL "bandwidth=3\n", "'bandwidth'; known are schema_version, name, L"},
        {MINIMAL "[provenance]\nQ=x\n", "f: unknown key in [provenance]: 'Q'"},
        {"[machine]\nschema_version=1\nL=1us\no=1us\nG=1ns/B\n", "f: g: there is no"},
        {"[machine]\nschema_version=1\nL=\no=1us\ng=1us\nG=1ns/B\n", "f: L: not a time"},
        {MINIMAL "S=4K\n", "f: S: not a size (a number of bytes, with B, k, M, G, Ki, Mi or "
                           "Gi): '4K'"},
        {MINIMAL "O=-1ns/B\n", "f: O: not a time per byte"},
        {MINIMAL "progress=asinc\n", "f: progress: unknown value: 'asinc'; did you mean 'async'?"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_machine) machine =
            sim_machine_load_data("f", row[i].text, strlen(row[i].text), &error);
        CHECK(machine == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].wanted);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE), "row %zu", i);
    }
}

static void unknown_presets_get_a_suggestion(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine = sim_machine_load("xt5", &error);
    CHECK(machine == NULL);
    CHECK_ERROR(error, "'xt5'; did you mean 'xt4'?");
}

static void set_is_all_or_nothing(void)
{
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    const sim_params before = machine->params;
    static const char *const bad[] = {"L",           "L=",
                                      "L=3 parsecs", "=3us",
                                      "Q=3us",       "progress=",
                                      "G=3",         "S=-1",
                                      "o=1e3us",     "node.L=",
                                      "node.l=1us",  "node=none",
                                      "L_hop=-1ns",  "distance=torus:",
                                      "distance="};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!sim_machine_set(machine, bad[i], &error), "%s", bad[i]);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE), "%s", bad[i]);
    }
    CHECK(same_params(&before, &machine->params));
    CHECK(machine->node_keys == 0 && machine->distance == NULL);
    CHECK(sim_machine_set(machine, "L=3us", NULL) && machine->params.L == 3 * SIM_US);
    CHECK(sim_machine_set(machine, "G=0", NULL) && machine->params.G == 0);
    CHECK(sim_machine_set(machine, "O=10GB/s", NULL) && machine->params.O == 100 * SIM_RATE_PER_PS);
    CHECK(sim_machine_set(machine, "S=64KiB", NULL) && machine->params.S == 65536);
    CHECK(sim_machine_set(machine, "S=inf", NULL) && machine->params.S == INT64_MAX);
    CHECK(sim_machine_set(machine, "progress=async", NULL) &&
          machine->params.progress == SIM_PROGRESS_ASYNC);
    CHECK(sim_machine_set(machine, "rendezvous=instant", NULL) &&
          machine->params.rendezvous == SIM_RENDEZVOUS_INSTANT);
    CHECK_STR(machine->provenance[SIM_KEY_L], "--set");
    CHECK(strstr(machine->provenance[SIM_KEY_o], "Table III") != NULL);
}

static void calls_cost_what_the_group_says(void)
{
    static const char text[] = CALLS "[calls]\nallreduce=95ns + 20ps/B\nbarrier=0\nbcast=none\n"
                                     "[provenance]\ncalls.allreduce=measured\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) m = sim_machine_load_data("f", text, sizeof text - 1, &error);
    if (!CHECK(m != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const sim_key allreduce = (sim_key)(SIM_KEY_CALLS + SIM_CALL_ALLREDUCE);
    const sim_key barrier = (sim_key)(SIM_KEY_CALLS + SIM_CALL_BARRIER);
    const sim_key bcast = (sim_key)(SIM_KEY_CALLS + SIM_CALL_BCAST);
    CHECK(sim_machine_has_calls(m) && m->node_keys == 0, "and nothing of a node");
    CHECK(sim_machine_has(m, allreduce) && sim_machine_has(m, barrier), "0 is a value");
    CHECK(!sim_machine_has(m, bcast), "none");
    CHECK_I64(sim_call_cost_of(&m->calls[SIM_CALL_ALLREDUCE], 0), 95 * SIM_NS);
    CHECK_I64(sim_call_cost_of(&m->calls[SIM_CALL_ALLREDUCE], 1000), 115 * SIM_NS);
    CHECK_I64(sim_call_cost_of(&m->calls[SIM_CALL_ALLREDUCE], INT64_MAX), SIM_TIME_MAX);
    g_autofree char *value = sim_machine_format_value(m, allreduce);
    CHECK_STR(value, "95ns+20ps/B");
    CHECK_STR(m->provenance[allreduce], "measured");
    CHECK_STR(sim_key_name(allreduce), "calls.allreduce");
    g_autofree char *ini = sim_machine_to_ini(m);
    CHECK(strstr(ini, "schema_version=3") != NULL && strstr(ini, "[calls]") != NULL, "%s", ini);
    CHECK(sim_machine_set(m, "calls.allreduce=none", NULL) &&
              sim_machine_set(m, "calls.barrier=none", NULL),
          "taken away");
    CHECK(!sim_machine_has_calls(m), "all");
    g_autofree char *without = sim_machine_to_ini(m);
    CHECK(strstr(without, "schema_version=1") != NULL && strstr(without, "calls") == NULL, "%s",
          without);
    CHECK(!sim_machine_set(m, "calls.bcst=1ns", &error), "no such call");
    CHECK_ERROR(error, "'calls.bcst'; did you mean 'calls.bcast'?");
}

static void a_computation_makes_calls_cost_more(void)
{
    static const char text[] = COLD "[calls]\ncold=80us:400ns:150ns, 700us:1.8us:600ns\n"
                                    "[provenance]\ncalls.cold=measured\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) m = sim_machine_load_data("f", text, sizeof text - 1, &error);
    if (!CHECK(m != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK(sim_machine_has_calls(m) && sim_machine_has(m, SIM_KEY_COLD), "it is one of [calls]");
    CHECK_I64(m->cold.num_points, 2);
    g_autofree char *value = sim_machine_format_value(m, SIM_KEY_COLD);
    CHECK_STR(value, "80us:400ns:150ns,700us:1.8us:600ns");
    CHECK_STR(m->provenance[SIM_KEY_COLD], "measured");
    g_autofree char *ini = sim_machine_to_ini(m);
    CHECK(strstr(ini, "schema_version=4") != NULL, "%s", ini);
    CHECK(sim_machine_set(m, "calls=none", NULL) && m->cold.num_points == 0, "with all others");
    CHECK(!sim_machine_has_calls(m), "none");
    CHECK(sim_machine_set(m, "calls.cold=1us:1ns:1ns", NULL), "set");
    CHECK(sim_machine_set(m, "calls.cold=none", NULL) && !sim_machine_has(m, SIM_KEY_COLD));
}

/* Values of a node, a distance and costs of calls: some of them, or none. */
static void add_levels(sim_machine *machine, GRand *rand)
{
    static const char *const forms[] = {"torus:8x8x8", "fat-tree:36:2", "dragonfly:9:4:2",
                                        "matrix:/a/b c;d", "graph:way/to"};
    static const char *const settings[] = {"node.L=300ns",    "node.o=0",
                                           "node.g=1.5ns",    "node.G=20GB/s",
                                           "node.O=0.3ps/B",  "node.S=inf",
                                           "node.S=4096B",    "L_hop=33ns",
                                           "H=1.5us",         "node.H=70ns",
                                           "calls.bcast=7ns", "calls.alltoall=0+1.5ps/B",
                                           "calls.cold=0",    "calls.cold=1us:0:0,3ms:2us:33ps"};
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
        if (g_rand_int_range(rand, 0, 3) == 0) {
            CHECK(sim_machine_set(machine, settings[i], NULL), "%s", settings[i]);
        }
    }
    if (g_rand_boolean(rand)) {
        const char *form = forms[g_rand_int_range(rand, 0, (gint32)G_N_ELEMENTS(forms))];
        g_autofree char *set = g_strconcat("distance=", form, NULL);
        CHECK(sim_machine_set(machine, set, NULL), "%s", set);
    }
}

static sim_machine *random_machine(GRand *rand)
{
    sim_machine *machine = sim_machine_load("xt4", NULL);
    g_free(machine->name);
    machine->name = g_strdup_printf(" name \\ %u = [x]\t;", g_rand_int(rand));
    sim_params *p = &machine->params;
    p->L = (sim_time)(((uint64_t)g_rand_int(rand) << 29) | g_rand_int(rand));
    p->o = g_rand_int_range(rand, 0, G_MAXINT32);
    p->g = g_rand_int_range(rand, 0, 10);
    p->G = (sim_rate)(((uint64_t)g_rand_int(rand) << 20) | g_rand_int(rand));
    p->O = g_rand_int_range(rand, 0, 3);
    p->S = g_rand_boolean(rand) ? INT64_MAX : g_rand_int_range(rand, 0, G_MAXINT32);
    p->progress = (sim_progress)g_rand_int_range(rand, 0, 2);
    p->rendezvous = (sim_rendezvous)g_rand_int_range(rand, 0, 2);
    g_free(machine->provenance[SIM_KEY_G]);
    machine->provenance[SIM_KEY_G] = g_strdup_printf("%u lines\nof words", g_rand_int(rand));
    add_levels(machine, rand);
    return machine;
}

static void written_files_read_back_the_same(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 300; i++) {
        g_autoptr(sim_machine) machine = random_machine(rand);
        g_autofree char *ini = sim_machine_to_ini(machine);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_machine) back = sim_machine_load_data("f", ini, strlen(ini), &error);
        if (!CHECK(back != NULL, "seed %d: %s\n%s", SEED, error ? error->message : "", ini)) {
            break;
        }
        CHECK_STR(back->name, machine->name);
        CHECK(same_params(&back->params, &machine->params), "%s", ini);
        CHECK_I64(back->node_keys, machine->node_keys);
        CHECK_I64(back->L_hop, machine->L_hop);
        CHECK_STR(back->distance, machine->distance);
        CHECK((strstr(ini, "schema_version=1") != NULL) ==
              (machine->node_keys == 0 && machine->distance == NULL &&
               machine->provenance[SIM_KEY_L_HOP] == NULL && !sim_machine_has_calls(machine)));
        for (int key = 0; key < SIM_NUM_KEYS; key++) {
            CHECK_STR(back->provenance[key], machine->provenance[key]);
            CHECK(sim_machine_has(back, (sim_key)key) == sim_machine_has(machine, (sim_key)key));
            g_autofree char *value = sim_machine_format_value(machine, (sim_key)key);
            CHECK((value != NULL) == sim_machine_has(machine, (sim_key)key));
            if (value == NULL) {
                continue;
            }
            g_autofree char *set = g_strconcat(sim_key_name((sim_key)key), "=", value, NULL);
            CHECK(sim_machine_set(back, set, NULL), "%s", set);
        }
        CHECK(same_params(&back->params, &machine->params), "%s", ini);
    }
    g_rand_free(rand);
}

static void what_is_not_said_of_a_node_is_as_between_nodes(void)
{
    g_autoptr(GError) error = NULL;
    static const char text[] = LEVELS "O=1ps/B\nS=4KiB\ndistance=torus:4x4\nL_hop=50ns\n"
                                      "[node]\nL=300ns\nG=20GB/s\n"
                                      "[provenance]\nnode.L=guessed\n";
    g_autoptr(sim_machine) machine = sim_machine_load_data("f", text, strlen(text), &error);
    if (!CHECK(machine != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(machine->node.L, 300 * SIM_NS);
    CHECK_I64(machine->node.o, 200 * SIM_NS);
    CHECK_I64(machine->node.g, 300 * SIM_NS);
    CHECK_I64(machine->node.G, 50 * SIM_RATE_PER_PS);
    CHECK_I64(machine->node.O, SIM_RATE_PER_PS);
    CHECK_I64(machine->node.S, 4096);
    CHECK_STR(machine->provenance[SIM_KEY_NODE_L], "guessed");
    CHECK_STR(machine->provenance[SIM_KEY_NODE_G], "f");
    CHECK_STR(machine->provenance[SIM_KEY_NODE_o], "as between nodes");
    CHECK_STR(machine->distance, "torus:4x4");
    CHECK_I64(machine->L_hop, 50 * SIM_NS);
    CHECK(sim_machine_check(machine, NULL));
    /* It follows the network, whatever is said first. */
    CHECK(sim_machine_set(machine, "o=1us", NULL) && machine->node.o == SIM_US);
    CHECK(sim_machine_set(machine, "L=9us", NULL) && machine->node.L == 300 * SIM_NS);
    CHECK(sim_machine_set(machine, "node.o=7ns", NULL) && machine->node.o == 7 * SIM_NS);
    CHECK(sim_machine_set(machine, "o=2us", NULL) && machine->node.o == 7 * SIM_NS);
}

static void a_distance_and_what_a_hop_takes_need_each_other(void)
{
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(sim_machine_check(machine, NULL));
    CHECK(sim_machine_set(machine, "distance=torus:8x8", NULL));
    CHECK(!sim_machine_check(machine, &error));
    CHECK_ERROR(error, "distance=torus:8x8: there is no L_hop");
    g_clear_error(&error);
    CHECK(sim_machine_set(machine, "L_hop=100ns", NULL) && sim_machine_check(machine, NULL));
    CHECK(sim_machine_set(machine, "distance=none", NULL) && machine->distance == NULL);
    CHECK(sim_machine_check(machine, NULL)); /* its L_hop has gone with it */
    CHECK(machine->L_hop == 0 && !sim_machine_has(machine, SIM_KEY_L_HOP));
    CHECK(sim_machine_set(machine, "L_hop=100ns", NULL));
    CHECK(!sim_machine_check(machine, &error));
    CHECK_ERROR(error, "L_hop has no effect without distance");
}

/* H=0 is no H, so that it can be taken away; nodes follow the network there as elsewhere. */
static void a_handshake_that_takes_nothing_is_none(void)
{
    g_autoptr(sim_machine) machine = sim_machine_load("xt4", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(!sim_machine_has(machine, SIM_KEY_H) && !sim_machine_has(machine, SIM_KEY_NODE_H));
    CHECK(sim_machine_set(machine, "H=2us", NULL) && machine->params.H == 2 * SIM_US);
    CHECK(sim_machine_has(machine, SIM_KEY_H) && !sim_machine_has(machine, SIM_KEY_NODE_H));
    CHECK(sim_machine_check(machine, NULL));
    CHECK(sim_machine_set(machine, "node.L=1us", NULL) && machine->node.H == 2 * SIM_US);
    CHECK_STR(machine->provenance[SIM_KEY_NODE_H], "as between nodes");
    g_autofree char *ini = sim_machine_to_ini(machine);
    CHECK(strstr(ini, "schema_version=5") != NULL && strstr(ini, "node.H") == NULL, "%s", ini);
    CHECK(sim_machine_set(machine, "H=0", NULL) && machine->node.H == 0);
    CHECK(!sim_machine_has(machine, SIM_KEY_H) && !sim_machine_has(machine, SIM_KEY_NODE_H));
    CHECK(sim_machine_set(machine, "node.H=5ns", NULL) && sim_machine_has(machine, SIM_KEY_NODE_H));
    CHECK(sim_machine_set(machine, "rendezvous=instant", NULL));
    CHECK(!sim_machine_check(machine, &error));
    CHECK_ERROR(error, "node.H has no effect with rendezvous=instant: make it 0");
}

static void files_of_a_distance_lie_beside_the_machine(void)
{
    static const char text[] = LEVELS "distance=graph:net.txt\nL_hop=1ns\n";
    static const char whole[] = LEVELS "distance=matrix:/far/net.txt\nL_hop=1ns\n";
    g_autoptr(sim_machine) machine = sim_machine_load_data("my/m.ini", text, strlen(text), NULL);
    g_autoptr(sim_machine) far = sim_machine_load_data("my/m.ini", whole, strlen(whole), NULL);
    CHECK_STR(machine->distance, "graph:my/net.txt");
    CHECK_STR(far->distance, "matrix:/far/net.txt");
}

static void a_file_is_read_from_disk(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "here.ini", NULL);
    CHECK(g_file_set_contents(path, MINIMAL "name = Here\n", -1, NULL));
    g_autoptr(sim_machine) machine = sim_machine_load(path, NULL);
    CHECK(machine != NULL && strcmp(machine->name, "Here") == 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) folder = sim_machine_load(dir, &error);
    CHECK(folder == NULL);
    CHECK_ERROR(error, dir);
    (void)g_unlink(path);
    (void)g_rmdir(dir);
}

static void the_nearest_name_is_found_only_if_near(void)
{
    static const char *const names[] = {"handshake", "instant", "o", "O", NULL};
    CHECK_STR(sim_nearest_name("hadnshake", names), "handshake");
    CHECK_STR(sim_nearest_name("INSTANT", names), "instant");
    CHECK_STR(sim_nearest_name("O", names), "O");
    CHECK(sim_nearest_name("q", names) == NULL);
    CHECK(sim_nearest_name("", names) == NULL);
}

SUITE_MAIN("machine", TEST(presets_are_table_three), TEST(every_preset_is_whole),
           TEST(current_presets_have_the_bandwidth_of_their_network),
           TEST(a_ping_pong_of_netgauges_presets_takes_as_long_as_it_measured),
           TEST(a_minimal_file_gets_defaults), TEST(bad_files_are_refused_by_name),
           TEST(unknown_presets_get_a_suggestion), TEST(set_is_all_or_nothing),
           TEST(written_files_read_back_the_same), TEST(calls_cost_what_the_group_says),
           TEST(a_computation_makes_calls_cost_more),
           TEST(what_is_not_said_of_a_node_is_as_between_nodes),
           TEST(a_distance_and_what_a_hop_takes_need_each_other),
           TEST(a_handshake_that_takes_nothing_is_none),
           TEST(files_of_a_distance_lie_beside_the_machine), TEST(a_file_is_read_from_disk),
           TEST(the_nearest_name_is_found_only_if_near))
