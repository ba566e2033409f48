/* apps/tracer/record/span.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_validate_mpi. */
#include "record/span.h"

#include "record/cpu.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { NAME = 64, LIST = 128 };

/* One rank; sent as bytes between processes of one kind. */
typedef struct span {
    uint64_t wall; /* ns; until the end: when it began */
    uint64_t cpu;  /* ns, of all threads; likewise */
    int64_t preempted;
    int32_t first_cpu;
    int32_t last_cpu;
    char host[NAME];
    char allowed[LIST]; /* "0-3,8" */
} span;

static span mine;
static bool begun;

bool tracer_span_is_wanted(void)
{
    const char *wanted = getenv(TRACER_ENV_SPAN);
    return wanted != NULL && strcmp(wanted, "1") == 0;
}

static uint64_t process_cpu(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static int64_t times_preempted(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

/* The CPUs that this process may run on, as the kernel lists them. */
static void read_allowed(char *list)
{
    static const char key[] = "Cpus_allowed_list:";
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    list[0] = '?';
    list[1] = '\0';
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, key, sizeof key - 1) == 0) {
            (void)sscanf(line + sizeof key - 1, " %127s", list);
        }
    }
    if (status != NULL) {
        (void)fclose(status);
    }
}

void tracer_span_begin(void)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &tracer.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &tracer.size);
    PMPI_Comm_dup(MPI_COMM_WORLD, &tracer.world);
    (void)gethostname(mine.host, sizeof mine.host - 1);
    read_allowed(mine.allowed);
    begun = true;
    PMPI_Barrier(tracer.world); /* in the model, too, all begin at once */
    mine.first_cpu = sched_getcpu();
    mine.preempted = times_preempted();
    mine.cpu = process_cpu();
    mine.wall = tracer_clock();
}

/* @return false: errno says why */
static bool write_all(const span *all)
{
    char path[4096];
    const char *dir = getenv(TRACER_ENV_DIR);
    const int n = snprintf(path, sizeof path, "%s/" TRACER_SPAN_FILE, dir != NULL ? dir : ".");
    if (n < 0 || (size_t)n >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    (void)fprintf(out, "# ripple-span 1\n# ranks=%d\n", tracer.size);
    for (int r = 0; r < tracer.size; r++) {
        const span *s = &all[r];
        (void)fprintf(out, "%d %llu %llu %lld %d %d %s %s\n", r, (unsigned long long)s->wall,
                      (unsigned long long)s->cpu, (long long)s->preempted, s->first_cpu,
                      s->last_cpu, s->allowed, s->host);
    }
    const bool ok = ferror(out) == 0;
    return fclose(out) == 0 && ok;
}

void tracer_span_end(void)
{
    if (!begun) {
        return;
    }
    mine.wall = tracer_clock() - mine.wall;
    mine.cpu = process_cpu() - mine.cpu;
    mine.preempted = times_preempted() - mine.preempted;
    mine.last_cpu = sched_getcpu();
    begun = false;
    span *all = tracer.rank == 0 ? tracer_calloc((size_t)tracer.size, sizeof *all) : NULL;
    PMPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0,
                tracer.world);
    if (all != NULL && !write_all(all)) {
        tracer_say("how long the run took cannot be written: %s", strerror(errno));
    }
    free(all);
    PMPI_Comm_free(&tracer.world);
}
