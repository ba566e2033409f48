/* apps/tracer/calls/init.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that begin, end, pause and abort a program. Init and Finalize are where the ranks
 * talk to each other on our behalf: is there a folder, who is where, what did it come to. */
#include "calls/completion.h"
#include "calls/ending.h"
#include "calls/entry.h"
#include "live/detect.h"
#include "live/mine.h"
#include "live/noted.h"
#include "noise/sample_record.h"
#include "record/archive.h"
#include "record/attempt.h"
#include "record/clock.h"
#include "record/comm.h"
#include "record/cpu.h"
#include "record/definitions.h"
#include "record/off_cpu.h"
#include "record/record.h"
#include "record/span.h"
#include "tracer/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 64 }; /* bytes of a host name that are kept */

static uint32_t *node_of; /* rank 0: [size] */
static char **node_names;
static int num_nodes;

/* mkdir -p. */
static bool make_folder(const char *path)
{
    char *copy = strdup(path);
    bool ok = copy != NULL;
    for (char *p = copy; ok && *p != '\0';) {
        p += strspn(p, "/");
        p += strcspn(p, "/");
        const char separator = *p;
        *p = '\0';
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *p = separator;
    }
    free(copy);
    return ok;
}

/* Which ranks share a node. Collective; the result stays with rank 0. */
static void find_nodes(void)
{
    char name[NAME] = "";
    (void)gethostname(name, sizeof name - 1);
    char *all = tracer.rank == 0 ? tracer_calloc((size_t)tracer.size, NAME) : NULL;
    PMPI_Gather(name, NAME, MPI_CHAR, all, NAME, MPI_CHAR, 0, tracer.world);
    if (tracer.rank == 0) {
        const char *anonymous = getenv(TRACER_ENV_ANONYMOUS);
        node_of = tracer_calloc((size_t)tracer.size, sizeof *node_of);
        node_names = tracer_calloc((size_t)tracer.size, sizeof *node_names);
        for (int r = 0; r < tracer.size; r++) {
            /* Ranks of a node mostly stand together, so the last node is the likely one. */
            int node = num_nodes - 1;
            const char *mine = all + (size_t)r * NAME;
            while (node >= 0 && strcmp(node_names[node], mine) != 0) {
                node--;
            }
            if (node < 0) {
                node = num_nodes++;
                node_names[node] = tracer_calloc(1, NAME);
                memcpy(node_names[node], mine, NAME); /* ends with 0: gethostname's room did */
            }
            node_of[r] = (uint32_t)node;
        }
        for (int i = 0; anonymous != NULL && strcmp(anonymous, "1") == 0 && i < num_nodes; i++) {
            (void)snprintf(node_names[i], NAME, "node %d", i);
        }
        free(all);
    }
}

/* Rank 0: folder and provisional definitions. @return NULL, or why not (static) */
static const char *prepare(void)
{
    static char why[512];
    char anchor[4096];
    char inner[4096];
    char mined[4096];
    char detected[4096];
    const int n = snprintf(anchor, sizeof anchor, "%s/" TRACER_ANCHOR, tracer.dir);
    const int m = snprintf(inner, sizeof inner, "%s/" TRACER_ARCHIVE, tracer.dir);
    const int k = snprintf(mined, sizeof mined, "%s/" TRACER_MINE_FILE, tracer.dir);
    const int d = snprintf(detected, sizeof detected, "%s/" NOISE_SAMPLE_FILE "0", tracer.dir);
    if (n <= 0 || m <= 0 || k <= 0 || (size_t)k >= sizeof mined || d <= 0) {
        return "the name of the folder is too long";
    }
    if (access(anchor, F_OK) == 0 || access(inner, F_OK) == 0 ||
        (tracer.mining && access(mined, F_OK) == 0) ||
        (tracer.detecting && access(detected, F_OK) == 0)) {
        (void)snprintf(why, sizeof why, "%.400s already holds a trace", tracer.dir);
        return why;
    }
    const tracer_definitions all = {.dir = tracer.dir,
                                    .size = tracer.size,
                                    .nodes = node_of,
                                    .node_names = node_names,
                                    .num_nodes = num_nodes,
                                    .start = tracer.start};
    if (!make_folder(tracer.archived ? inner : tracer.dir) ||
        (tracer.archived && !tracer_definitions_write(&all))) {
        const int code = errno;
        const char *complaint = tracer_attempt_error(); /* else it was no call of OTF2's */
        (void)snprintf(why, sizeof why, "cannot write to %.200s: %.250s", tracer.dir,
                       complaint != NULL ? complaint : strerror(code));
        (void)rmdir(inner); /* an archive that was begun would be refused the next time */
        return why;
    }
    return NULL;
}

/* Collective. @return true: every rank has its files open */
static bool start(int provided, uint64_t entered)
{
    const char *dir = getenv(TRACER_ENV_DIR);
    const char *mine = getenv(TRACER_ENV_MINE);
    const char *archive = getenv(TRACER_ENV_ARCHIVE);
    const char *detect = getenv(TRACER_ENV_DETECT);
    const bool only = mine != NULL && strcmp(mine, "only") == 0;
    tracer.archived = !only && (archive == NULL || strcmp(archive, "0") != 0);
    tracer.mining = only || (mine != NULL && strcmp(mine, "1") == 0);
    tracer.detecting = detect != NULL && detect[0] != '\0';
    tracer_attempt_start();
    PMPI_Comm_rank(MPI_COMM_WORLD, &tracer.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &tracer.size);
    PMPI_Comm_dup(MPI_COMM_WORLD, &tracer.world); /* the program must not see our messages */
    tracer.start = tracer_clock();
    tracer.dir = strdup(dir != NULL && dir[0] != '\0' ? dir : TRACER_DEFAULT_DIR);
    if (tracer.dir != NULL && tracer.dir[0] != '/') { /* the program may change its folder */
        char here[4096];
        char *full = NULL;
        if (getcwd(here, sizeof here) != NULL && asprintf(&full, "%s/%s", here, tracer.dir) > 0) {
            free(tracer.dir);
            tracer.dir = full;
        }
    }
    find_nodes();
    int ok = 1;
    if (tracer.rank == 0) {
        MPI_Comm parent = MPI_COMM_NULL;
        PMPI_Comm_get_parent(&parent);
        const char *why = parent != MPI_COMM_NULL
                              ? "MPI_Comm_spawn started this program; its parent is recorded"
                              : prepare();
        if (why != NULL) {
            tracer_say("nothing is recorded: %s", why);
            ok = 0;
        }
    }
    PMPI_Bcast(&ok, 1, MPI_INT, 0, tracer.world);
    if (!ok) {
        return false;
    }
    struct {
        int ok, rank;
    } own = {!tracer.archived || tracer_archive_open(), tracer.rank}, worst;
    PMPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MINLOC, tracer.world);
    if (!worst.ok) {
        if (worst.rank == tracer.rank) {
            tracer_say("nothing is recorded: rank %d cannot write to %s: %s", tracer.rank,
                       tracer.dir, tracer_attempt_error());
        }
        return false;
    }
    tracer_off_cpu_start(entered);
    tracer_clock_align(true);
    tracer_noted_start(entered);
    tracer_comm_start();
    tracer_go(provided == MPI_THREAD_MULTIPLE);
    return true;
}

static int begin(tracer_region region, const tracer_call *entered, int rc, int provided)
{
    const bool ready = rc == MPI_SUCCESS && atomic_load(&tracer.phase) == TRACER_BEFORE;
    if (ready && tracer_span_is_wanted()) {
        tracer_span_begin(); /* and every call goes straight on to MPI */
    } else if (ready && start(provided, entered->enter)) {
        tracer_call c = *entered;
        tracer_leave(&c);
        tracer_plain(&c, region);
    }
    tracer_inside = false;
    return rc;
}

TRACER_REAL(Init, MPI_Init, (int *argc, char ***argv))
TRACER_REAL(Init_thread, MPI_Init_thread, (int *argc, char ***argv, int required, int *provided))

static int trace_init(int *argc, char ***argv)
{
    tracer_call c;
    tracer_enter(&c);
    return begin(REGION_Init, &c, real_Init()(argc, argv), MPI_THREAD_SINGLE);
}

static int trace_init_thread(int *argc, char ***argv, int required, int *provided)
{
    tracer_call c;
    int got = MPI_THREAD_SINGLE;
    tracer_enter(&c);
    const int rc = real_Init_thread()(argc, argv, required, &got);
    if (provided != NULL) {
        *provided = got;
    }
    return begin(REGION_Init_thread, &c, rc, got);
}

TRACER_EXPORT int MPI_Init(int *argc, char ***argv)
{
    return tracer_inside ? real_Init()(argc, argv) : trace_init(argc, argv);
}
TRACER_EXPORT int PMPI_Init(int *argc, char ***argv)
{
    return tracer_inside || !tracer_from_fortran(__builtin_return_address(0))
               ? real_Init()(argc, argv)
               : trace_init(argc, argv);
}
TRACER_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return tracer_inside ? real_Init_thread()(argc, argv, required, provided)
                         : trace_init_thread(argc, argv, required, provided);
}
TRACER_EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return tracer_inside || !tracer_from_fortran(__builtin_return_address(0))
               ? real_Init_thread()(argc, argv, required, provided)
               : trace_init_thread(argc, argv, required, provided);
}

/* Rank 0: the member lists of all communicators, concatenated. Collective. */
static uint32_t *gather_comms(size_t *words)
{
    size_t mine;
    const uint32_t *led = tracer_comm_led(&mine);
    int n = (int)mine;
    int *counts = tracer.rank == 0 ? tracer_calloc(2 * (size_t)tracer.size, sizeof *counts) : NULL;
    int *starts = counts != NULL ? counts + tracer.size : NULL;
    PMPI_Gather(&n, 1, MPI_INT, counts, 1, MPI_INT, 0, tracer.world);
    size_t total = 0;
    for (int r = 0; counts != NULL && r < tracer.size; r++) {
        starts[r] = (int)total;
        total += (size_t)counts[r];
    }
    uint32_t *all = counts != NULL ? tracer_calloc(total + 1, sizeof *all) : NULL;
    PMPI_Gatherv(led, n, MPI_UINT32_T, all, counts, starts, MPI_UINT32_T, 0, tracer.world);
    free(counts);
    *words = total;
    return all;
}

static void print_size(char *text, size_t room, uint64_t bytes)
{
    if (bytes < 1000000) {
        (void)snprintf(text, room, "%.1f kB", (double)bytes / 1e3);
    } else {
        (void)snprintf(text, room, "%.1f MB", (double)bytes / 1e6);
    }
}

/* Collective. Who could not write, in one line for all. @return number of ranks */
static int report_failures(bool ok)
{
    const int first = ok ? tracer.size : tracer.rank;
    const int bad = ok ? 0 : 1;
    int first_of_all;
    int failed;
    PMPI_Allreduce(&first, &first_of_all, 1, MPI_INT, MPI_MIN, tracer.world);
    PMPI_Allreduce(&bad, &failed, 1, MPI_INT, MPI_SUM, tracer.world);
    if (first_of_all == tracer.rank) {
        const char *error = tracer_attempt_error();
        tracer_say("%s: of %d of %d ranks what was not written yet is lost; rank %d had made "
                   "%llu calls by then",
                   error != NULL ? error : "cannot write", failed, tracer.size, tracer.rank,
                   (unsigned long long)tracer_calls());
    }
    return failed;
}

/* Collective: close all files, write the definitions, say what it came to. */
static void stop(void)
{
    tracer_clock_align(false);
    size_t words;
    uint32_t *comms = gather_comms(&words);
    tracer_comm_number(comms, words);
    const bool ok = tracer_record_end() && (!tracer.archived || tracer_archive_close());
    tracer_off_cpu_end();
    const int failed = report_failures(ok);
    uint64_t mine[3] = {tracer_calls(), tracer_archive_bytes(), tracer_calls_of_other_threads()};
    uint64_t sum[3];
    const uint64_t my_events = tracer_archive_events();
    uint64_t *events = tracer.rank == 0 ? tracer_calloc((size_t)tracer.size, sizeof *events) : NULL;
    PMPI_Reduce(mine, sum, 3, MPI_UINT64_T, MPI_SUM, 0, tracer.world);
    PMPI_Gather(&my_events, 1, MPI_UINT64_T, events, 1, MPI_UINT64_T, 0, tracer.world);
    const bool mined = tracer.mining && tracer_mine_unite();
    if (tracer.rank == 0 && mined) {
        tracer_say("%d ranks, %llu calls mined → %s/" TRACER_MINE_FILE, tracer.size,
                   (unsigned long long)sum[0], tracer.dir);
    }
    const bool detected = tracer_detect_finish();
    if (tracer.rank == 0 && detected) {
        tracer_say("%d ranks, how long the typical sequences of %llu calls took → %s", tracer.size,
                   (unsigned long long)sum[0], tracer.dir);
    }
    if (tracer.rank == 0 && tracer.archived) {
        const tracer_definitions d = {.dir = tracer.dir,
                                      .size = tracer.size,
                                      .events = failed == 0 ? events : NULL,
                                      .nodes = node_of,
                                      .node_names = node_names,
                                      .num_nodes = num_nodes,
                                      .comms = comms,
                                      .comm_words = words,
                                      .start = tracer.start,
                                      .end = tracer_clock()};
        char size[32];
        print_size(size, sizeof size, sum[1]);
        if (!tracer_definitions_write(&d)) {
            const char *error = tracer_attempt_error();
            tracer_say("cannot write the definitions of %s: %s; those of the start remain, "
                       "without the number of events",
                       tracer.dir, error != NULL ? error : strerror(errno));
        } else {
            tracer_say("%d ranks, %llu calls%s, %s → %s", tracer.size, (unsigned long long)sum[0],
                       failed > 0 ? " (not all written)" : "", size, tracer.dir);
        }
        if (sum[2] > 0) {
            tracer_say("%llu of the calls were made by other threads than the one that "
                       "initialised MPI; each rank's calls are in the order of their return",
                       (unsigned long long)sum[2]);
        }
    }
    free(events);
    free(comms);
    PMPI_Comm_free(&tracer.world);
}

TRACER_REAL(Finalize, MPI_Finalize, (void))

static int trace_finalize(void)
{
    tracer_call c;
    tracer_enter(&c);
    tracer_leave(&c);
    tracer.paused = false;
    tracer_open(&c, REGION_Finalize);
    tracer_complete_cancelled();
    tracer_close();
    tracer_inside = true;
    stop();
    atomic_store(&tracer.phase, TRACER_OVER);
    tracer_inside = false;
    return real_Finalize()();
}

/* A run that is only timed is never in the phase in which calls are recorded. */
static int pass_finalize(void)
{
    if (!tracer_inside) {
        tracer_span_end();
    }
    return real_Finalize()();
}

TRACER_EXPORT int MPI_Finalize(void)
{
    return tracer_outermost() ? trace_finalize() : pass_finalize();
}
TRACER_EXPORT int PMPI_Finalize(void)
{
    if (!tracer_from_fortran(__builtin_return_address(0))) {
        return real_Finalize()();
    }
    return tracer_outermost() ? trace_finalize() : pass_finalize();
}

TRACER_WRAP(Abort, (MPI_Comm comm, int code), (comm, code))
{
    tracer_call c;
    tracer_enter(&c);
    tracer_leave(&c);
    tracer_plain(&c, REGION_Abort);
    tracer_save("MPI_Abort");
    return real_Abort()(comm, code);
}

/* What is switched off is one long call: it is neither computation nor communication. */
static void control(int level)
{
    static tracer_call off;
    if (level == 0 && !tracer.paused) {
        tracer_enter(&off);
        tracer_lock();
        tracer.paused = true;
        tracer_unlock();
        tracer_inside = false;
    } else if (level > 0 && tracer.paused) {
        tracer_leave(&off);
        tracer.paused = false;
        tracer_plain(&off, REGION_Pcontrol);
    }
}

TRACER_EXPORT int MPI_Pcontrol(const int level, ...)
{
    if (tracer_outermost()) {
        control(level);
    }
    return MPI_SUCCESS;
}
/* From Fortran. Open MPI's binding jumps here, so that the call seems to come from the program. */
TRACER_EXPORT int PMPI_Pcontrol(const int level, ...)
{
    if (tracer_outermost()) {
        control(level);
    }
    return MPI_SUCCESS;
}
