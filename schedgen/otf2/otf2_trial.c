/* schedgen/otf2/otf2_trial.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2_refused, fuzz_otf2. */
/*
 * OTF2 3.0 trusts the counts and sizes in its files: a damaged anchor or definition can make it
 * loop, allocate without end or crash. So the anchor and the definitions, which are small, are
 * first read by a child process that has little time; what it does not survive is refused.
 */
#include "otf2/otf2_private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 1, BYTES_PER_SECOND = 4 << 20 };

static rlim_t time_for(const char *anchor)
{
    struct stat st;
    g_autofree char *folder = g_strndup(anchor, strlen(anchor) - strlen(".otf2"));
    g_autofree char *defs = g_strconcat(folder, ".def", NULL);
    const rlim_t size = stat(defs, &st) == 0 && st.st_size > 0 ? (rlim_t)st.st_size : 0;
    return SECONDS + size / BYTES_PER_SECOND;
}

void sched_otf2_try(const char *anchor)
{
    g_autoptr(sched_otf2_archive) a = sched_otf2_archive_new(anchor);
    OTF2_Reader *reader = OTF2_Reader_Open(a->path);
    if (reader != NULL && OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS &&
        sched_otf2_definitions_read(a, reader, NULL)) {
        for (uint32_t r = 0; r < a->num_ranks; r++) {
            (void)OTF2_Reader_SelectLocation(reader, a->location[r]);
        }
        (void)OTF2_Reader_OpenDefFiles(reader);
        for (uint32_t r = 0; r < a->num_ranks; r++) {
            g_autofree char *file = sched_otf2_file(a, r, "def");
            OTF2_DefReader *defs = g_file_test(file, G_FILE_TEST_EXISTS)
                                       ? OTF2_Reader_GetDefReader(reader, a->location[r])
                                       : NULL;
            uint64_t n;
            if (defs != NULL) {
                (void)OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &n);
                (void)OTF2_Reader_CloseDefReader(reader, defs);
            }
        }
    }
    if (reader != NULL) {
        (void)OTF2_Reader_Close(reader);
    }
}

/* The child: never returns. */
static void try_alone(const char *anchor, rlim_t seconds)
{
    const struct rlimit limit = {seconds, seconds + 1};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (nowhere >= 0) { /* what a dying process says is not for the user */
        (void)dup2(nowhere, STDERR_FILENO);
        (void)dup2(nowhere, STDOUT_FILENO);
    }
    sched_otf2_try(anchor);
    _exit(0); /* it lived: whether the archive is good, the parent will see */
}

/* @return the status of the child; 0: it lived, or there is none */
static int try_for(const char *anchor, rlim_t seconds)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        try_alone(anchor, seconds);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : 0;
}

static bool ran_out_of_time(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
}

/* What takes too long has a second chance, and more time: on a machine that others use, or with
 * instrumented memory, a second can pass with nothing done. */
bool sched_otf2_survives(const char *anchor, GError **error)
{
    enum { MORE = 4 };
    const rlim_t seconds = time_for(anchor);
    int status = try_for(anchor, seconds);
    if (ran_out_of_time(status)) {
        status = try_for(anchor, MORE * seconds);
    }
    if (status != 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: its anchor file or definitions are damaged: the OTF2 library %s on them",
                    anchor, ran_out_of_time(status) ? "does not come to an end" : "crashes");
        return false;
    }
    return true;
}
