/* apps/ripple/verbs/verb_doctor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output. */
/**
 * @file
 * ripple doctor: what works on this machine and what does not, and why.
 */
#include "noise/evidence_sources.h"
#include "noise/signature.h"
#include "output/error.h"
#include "output/result.h"
#include "pages/interactive_page.h"
#include "sim/json_member.h"
#include "sim/machine.h"
#include "system/bundle.h"
#include "system/launch.h"
#include "verbs/verb_list.h"

#include <hwloc.h>
#include <otf2/otf2.h>
#include <sqlite3.h>
#include <string.h>

typedef enum { FINDING_OK, FINDING_LIMITED, FINDING_MISSING } finding_status;

static const char *const STATUS[] = {"ok", "limited", "missing"};

typedef struct finding {
    const char *what;
    finding_status status;
    char *detail;
} finding;

static void finding_clear(gpointer data)
{
    g_free(((finding *)data)->detail);
}

static void G_GNUC_PRINTF(4, 5)
    add(GArray *findings, const char *what, finding_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const finding f = {what, status, g_strdup_vprintf(format, args)};
    va_end(args);
    g_array_append_val(findings, f);
}

/* First line of a small file of the kernel, or NULL. Owned by the caller. */
static char *first_line(const char *path)
{
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    text[strcspn(text, "\n")] = '\0';
    return g_strstrip(text);
}

/*
 * What a program says its version is: the first line it prints or, where that is a heading, what
 * follows "Version:". NULL if it cannot be run. Owned by the caller.
 */
static char *version_of(const char *program)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_add_many(builder, program, "--version", NULL);
    g_auto(GStrv) argv = g_strv_builder_end(builder);
    g_autofree char *text = NULL;
    int status;
    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                      NULL, &text, NULL, &status, NULL) ||
        !g_spawn_check_wait_status(status, NULL)) {
        return NULL;
    }
    static const char LABEL[] = "Version:";
    const char *label = strstr(text, LABEL);
    const char *from = label != NULL ? label + strlen(LABEL) : text;
    return g_strstrip(g_strndup(from, strcspn(from, "\n")));
}

/* Which program starts the ranks of each MPI, best name first. */
static const struct {
    app_mpi mpi;
    const char *launchers[4];
    const char *package;
} MPIS[] = {
    {APP_MPI_OPENMPI, {"mpirun.openmpi", "orterun", "prterun", NULL}, "openmpi-bin"},
    {APP_MPI_MPICH, {"mpiexec.hydra", "mpirun.mpich", NULL}, "mpich"},
};

static void check_mpi(GArray *findings, size_t i)
{
    const char *name = app_mpi_name(MPIS[i].mpi);
    g_autofree char *launcher = NULL;
    for (size_t j = 0; MPIS[i].launchers[j] != NULL && launcher == NULL; j++) {
        launcher = g_find_program_in_path(MPIS[i].launchers[j]);
    }
    if (launcher == NULL) {
        add(findings, name, FINDING_MISSING, "no launcher in PATH (package %s)", MPIS[i].package);
    } else {
        g_autofree char *version = version_of(launcher);
        add(findings, name, FINDING_OK, "%s: %s", launcher,
            version != NULL ? version : "version not known");
    }
    g_autofree char *tracer = app_launch_tracer(MPIS[i].mpi);
    if (tracer != NULL) {
        add(findings, "tracer", FINDING_OK, "for %s: %s", name, tracer);
    } else {
        add(findings, "tracer", FINDING_MISSING,
            "for %s: not built; 'trace' and 'run -- command' need it (it is built where %s's "
            "compiler wrapper is found)",
            name, name);
    }
}

static void check_otf2(GArray *findings)
{
    add(findings, "OTF2", FINDING_OK, "%d.%d.%d", OTF2_VERSION_MAJOR, OTF2_VERSION_MINOR,
        OTF2_VERSION_BUGFIX);
}

static void check_sqlite(GArray *findings)
{
    add(findings, "SQLite", FINDING_OK, "%s", sqlite3_libversion());
}

static void check_clock(GArray *findings)
{
    g_autofree char *source =
        first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    g_autofree char *cpuinfo = NULL;
    (void)g_file_get_contents("/proc/cpuinfo", &cpuinfo, NULL, NULL);
    const bool invariant = cpuinfo != NULL && strstr(cpuinfo, "constant_tsc") != NULL &&
                           strstr(cpuinfo, "nonstop_tsc") != NULL;
    if (invariant) {
        add(findings, "clock", FINDING_OK, "invariant TSC; the kernel's clock source is %s",
            source != NULL ? source : "not known");
    } else {
        add(findings, "clock", FINDING_LIMITED,
            "no invariant TSC: 'measure' reads the kernel's clock (%s), which is slower",
            source != NULL ? source : "source not known");
    }
}

static void check_cpus(GArray *findings)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0) {
        add(findings, "CPUs", FINDING_LIMITED, "hwloc cannot read the topology");
        return;
    }
    const int all = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    hwloc_topology_destroy(topology);
    const int allowed = (int)g_get_num_processors(); /* by the inherited affinity */
    if (allowed == 1 && all > 1) {
        add(findings, "CPUs", FINDING_LIMITED,
            "this process may use 1 of %d: replicas run one after the other", all);
    } else {
        add(findings, "CPUs", FINDING_OK, "this process may use %d of %d on %d cores", allowed, all,
            cores);
    }
}

static void check_evidence(GArray *findings)
{
    g_autoptr(GArray) sources = noise_evidence_sources("");
    for (guint i = 0; i < sources->len; i++) {
        const noise_evidence_source *s = &g_array_index(sources, noise_evidence_source, i);
        add(findings, s->what, s->status == NOISE_EVIDENCE_OK ? FINDING_OK : FINDING_LIMITED, "%s",
            s->detail);
    }
}

static void check_gnuplot(GArray *findings)
{
    g_autofree char *version = version_of("gnuplot");
    if (version != NULL) {
        add(findings, "gnuplot", FINDING_OK, "%s", version);
    } else {
        add(findings, "gnuplot", FINDING_MISSING,
            "not found: reports keep data and scripts but no drawn figures (package gnuplot-nox)");
    }
}

static void check_d3(GArray *findings)
{
    g_autofree char *path = app_d3_find(NULL);
    if (path != NULL) {
        add(findings, "D3", FINDING_OK, "%s", path);
    } else {
        add(findings, "D3", FINDING_MISSING,
            "not found: pages of runs are without the drawings that zoom (package node-d3)");
    }
}

static void check_trace(GArray *findings)
{
    static const char *const folders[] = {"../" RIPPLE_DATADIR "/ripple/traces",
                                          "../proxies/traces", NULL};
    g_autofree char *path = app_bundle_find(folders, "halo-cg-16");
    if (path != NULL) {
        add(findings, "example", FINDING_OK, "a record of 16 ranks: %s", path);
    } else {
        add(findings, "example", FINDING_MISSING,
            "the record of 16 ranks that ships with Ripple is not installed");
    }
}

static void check_presets(GArray *findings)
{
    g_autofree char *machines = app_join(sim_machine_presets(), ", ");
    g_autofree char *noise = app_join(noise_presets(), ", ");
    add(findings, "machines", FINDING_OK, "built in: %s", machines);
    add(findings, "noise", FINDING_OK, "built in: %s", noise);
}

static void print_text(const void *result, FILE *out)
{
    const GArray *findings = result;
    for (guint i = 0; i < findings->len; i++) {
        const finding *f = &g_array_index(findings, finding, i);
        fprintf(out, "%-8s %-16s %s\n", STATUS[f->status], f->what, f->detail);
    }
}

static void print_csv(const void *result, FILE *out)
{
    const GArray *findings = result;
    fputs("status,what,detail\n", out);
    for (guint i = 0; i < findings->len; i++) {
        const finding *f = &g_array_index(findings, finding, i);
        fprintf(out, "%s,", STATUS[f->status]);
        app_output_csv_text(out, f->what);
        fputc(',', out);
        app_output_csv_text(out, f->detail);
        fputc('\n', out);
    }
}

static void build(const void *result, JsonBuilder *builder)
{
    const GArray *findings = result;
    sim_json_begin_array(builder, "findings");
    for (guint i = 0; i < findings->len; i++) {
        const finding *f = &g_array_index(findings, finding, i);
        json_builder_begin_object(builder);
        sim_json_text(builder, "status", STATUS[f->status]);
        sim_json_text(builder, "what", f->what);
        sim_json_text(builder, "detail", f->detail);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

static int run(app_context *context, void *state, GError **error)
{
    (void)state;
    if (!app_context_check_args(context, 0, 0, error)) {
        return APP_EXIT_USAGE;
    }
    g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(finding));
    g_array_set_clear_func(findings, finding_clear);
    for (size_t i = 0; i < G_N_ELEMENTS(MPIS); i++) {
        check_mpi(findings, i);
    }
    check_otf2(findings);
    check_sqlite(findings);
    check_clock(findings);
    check_cpus(findings);
    check_evidence(findings);
    check_gnuplot(findings);
    check_d3(findings);
    check_presets(findings);
    check_trace(findings);

    return app_result_write(context, context->output, context->format, &WRITER, findings, error)
               ? APP_EXIT_DONE
               : APP_EXIT_ERROR;
}

static const char *const EXAMPLES[] = {
    "ripple doctor",
    "List what works here and what does not.",
    NULL,
};

const app_verb app_verb_doctor = {
    .name = "doctor",
    .summary = "say what works here and what does not, and why",
    .usage = "",
    .description =
        "Looks at this machine: MPI implementations and the tracer for each, clock, "
        "CPUs,\nwhat detours can be told by, gnuplot and the data that ship with Ripple. "
        "Finding something\nmissing is a result, not an error: the exit code is 0.",
    .examples = EXAMPLES,
    .takes = APP_TAKES_FORMAT,
    .run = run,
};
