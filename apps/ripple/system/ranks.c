/* apps/ripple/system/ranks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_ranks, cli_measure_ranks. */
#include "system/ranks.h"

#include "output/error.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const gint64 PATIENCE_US = INT64_C(60) * G_USEC_PER_SEC;
static const gulong POLL_US = 20000;
/* What a killed command has left behind is older than any process of this one. */
static const int64_t STALE_NS = INT64_C(30) * 1000000000;

struct app_rendezvous {
    app_rank rank;
    char *folder;
    char *name; /* of the files: ".NAME.come.3" */
};

static bool number_of(const char *name, unsigned *out)
{
    const char *text = g_getenv(name);
    guint64 value = 0;
    if (text == NULL || !g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &value, NULL)) {
        return false;
    }
    *out = (unsigned)value;
    return true;
}

app_rank app_rank_of_environment(void)
{
    /* SLURM_STEP_NUM_TASKS is set by srun only, not in the batch script around it. */
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        app_rank r;
        if (number_of(names[i][0], &r.rank) && number_of(names[i][1], &r.size) && r.size > 0 &&
            r.rank < r.size) {
            return r;
        }
    }
    return (app_rank){0, 1};
}

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* "0-3,8" as flags by CPU. */
static GArray *flags_of(const char *list)
{
    GArray *flags = g_array_new(FALSE, TRUE, 1);
    g_auto(GStrv) parts = g_strsplit(list, ",", -1);
    for (char **part = parts; *part != NULL && **part != '\0'; part++) {
        char *end = NULL;
        const unsigned long first = strtoul(*part, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, NULL, 10) : first;
        if (last < 1U << 16 && last + 1 > flags->len) {
            g_array_set_size(flags, (guint)last + 1);
        }
        for (unsigned long c = first; c <= last && c < flags->len; c++) {
            g_array_index(flags, char, c) = 1;
        }
    }
    return flags;
}

char **app_rank_deal_cpus(char *const *masks, char *const *nodes, unsigned n)
{
    GPtrArray *out = g_ptr_array_new();
    g_autoptr(GPtrArray) flags = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autofree unsigned *num = g_new0(unsigned, n);
    g_autofree GString **lists = g_new(GString *, n);
    guint most = 0;
    for (unsigned r = 0; r < n; r++) {
        GArray *f = flags_of(masks[r]);
        most = MAX(most, f->len);
        g_ptr_array_add(flags, f);
        lists[r] = g_string_new(NULL);
    }
    for (guint cpu = 0; cpu < most; cpu++) {
        g_autoptr(GHashTable) taker = g_hash_table_new(g_str_hash, g_str_equal);
        for (unsigned r = 0; r < n; r++) {
            const GArray *f = flags->pdata[r];
            gpointer best = NULL;
            if (cpu < f->len && g_array_index(f, char, cpu) != 0 &&
                (!g_hash_table_lookup_extended(taker, nodes[r], NULL, &best) ||
                 num[r] < num[GPOINTER_TO_UINT(best)])) {
                g_hash_table_insert(taker, nodes[r], GUINT_TO_POINTER(r));
            }
        }
        GHashTableIter iter;
        gpointer who;
        g_hash_table_iter_init(&iter, taker);
        while (g_hash_table_iter_next(&iter, NULL, &who)) {
            const unsigned r = GPOINTER_TO_UINT(who);
            g_string_append_printf(lists[r], "%s%u", num[r]++ > 0 ? "," : "", cpu);
        }
    }
    for (unsigned r = 0; r < n; r++) {
        g_ptr_array_add(out, g_string_free(lists[r], FALSE));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

static char *file_of(const app_rendezvous *v, const char *what, unsigned rank)
{
    g_autofree char *name = g_strdup_printf(".%s.%s.%u", v->name, what, rank);
    return g_build_filename(v->folder, name, NULL);
}

/* g_file_set_contents() renames: a file is there whole or not at all. */
static bool put(const app_rendezvous *v, const char *what, const char *text, GError **error)
{
    g_autofree char *path = file_of(v, what, v->rank.rank);
    GError *failure = NULL;
    if (!g_file_set_contents(path, text, -1, &failure)) {
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "--output: %s", failure->message);
        g_error_free(failure);
        return false;
    }
    return true;
}

/* Its words "STAMP WORD WORD ...", or NULL: not there, or left behind by an earlier command. */
static char **get(const app_rendezvous *v, const char *what, unsigned rank)
{
    g_autofree char *path = file_of(v, what, rank);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    char **words = g_strsplit(g_strchomp(text), " ", -1);
    if (words[0] == NULL || now_ns() - g_ascii_strtoll(words[0], NULL, 10) > STALE_NS) {
        g_strfreev(words);
        return NULL;
    }
    return words;
}

static bool missing(unsigned rank, unsigned size, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT,
                "rank %u of %u has not come within a minute (do all see the folder of --output?)",
                rank, size);
    return false;
}

/* Rank 0: hear all, deal out the CPUs, name the start. Each recognises its own stamp in the answer,
 * so that nobody takes an old one. */
static bool invite(app_rendezvous *v, int64_t lead, GError **error)
{
    const unsigned n = v->rank.size;
    g_auto(GStrv) masks = g_new0(char *, n + 1);
    g_auto(GStrv) nodes = g_new0(char *, n + 1);
    g_auto(GStrv) stamps = g_new0(char *, n + 1);
    const gint64 end = g_get_monotonic_time() + PATIENCE_US;
    for (unsigned r = 0; r < n; r++) {
        g_auto(GStrv) words = NULL;
        while ((words = get(v, "come", r)) == NULL || g_strv_length(words) < 3) {
            g_clear_pointer(&words, g_strfreev);
            if (g_get_monotonic_time() > end) {
                return missing(r, n, error);
            }
            g_usleep(POLL_US);
        }
        stamps[r] = g_strdup(words[0]);
        nodes[r] = g_strdup(words[1]);
        masks[r] = g_strdup(words[2]);
    }
    g_auto(GStrv) dealt = app_rank_deal_cpus(masks, nodes, n);
    g_autoptr(GString) answer = g_string_new(NULL);
    const int64_t now = now_ns();
    g_string_append_printf(answer, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, now, now + lead);
    for (unsigned r = 0; r < n; r++) {
        g_string_append_printf(answer, " %s/%s/%s", stamps[r], masks[r], dealt[r]);
    }
    return put(v, "start", answer->str, error);
}

/* Once rank 0 has answered this very call. */
static bool follow(const app_rendezvous *v, const char *stamp, app_agreement *out, GError **error)
{
    const gint64 end = g_get_monotonic_time() + PATIENCE_US;
    for (;;) {
        g_auto(GStrv) words = get(v, "start", 0);
        if (words != NULL && g_strv_length(words) == 2 + v->rank.size) {
            g_auto(GStrv) mine = g_strsplit(words[2 + v->rank.rank], "/", 3);
            if (g_strv_length(mine) == 3 && g_str_equal(mine[0], stamp)) {
                out->start = g_ascii_strtoll(words[1], NULL, 10);
                g_autoptr(GArray) all = flags_of(mine[1]);
                g_autoptr(GArray) dealt = flags_of(mine[2]);
                unsigned difference = 0;
                for (guint i = 0; i < all->len; i++) {
                    difference += g_array_index(all, char, i) != 0;
                }
                for (guint i = 0; i < dealt->len; i++) {
                    difference -= g_array_index(dealt, char, i) != 0;
                }
                out->shared = difference > 0;
                out->cpus = g_steal_pointer(&mine[2]);
                mine[2] = g_strdup("");
                return true;
            }
        }
        if (g_get_monotonic_time() > end) {
            return missing(0, v->rank.size, error);
        }
        g_usleep(POLL_US);
    }
}

static void remove_file(const app_rendezvous *v, const char *what, unsigned rank)
{
    g_autofree char *path = file_of(v, what, rank);
    (void)g_remove(path);
}

static void rendezvous_free(app_rendezvous *v)
{
    remove_file(v, "come", v->rank.rank);
    g_free(v->folder);
    g_free(v->name);
    g_free(v);
}

app_rendezvous *app_rendezvous_new(app_rank rank, const char *beside, const char *cpus,
                                   int64_t lead, app_agreement *agreement, GError **error)
{
    app_rendezvous *v = g_new0(app_rendezvous, 1);
    v->rank = rank;
    v->folder = g_path_get_dirname(beside);
    v->name = g_path_get_basename(beside);
    g_autofree char *boot = NULL; /* one boot is one node, also for containers with other names */
    if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL)) {
        boot = g_strdup(g_get_host_name());
    }
    g_autofree char *stamp = g_strdup_printf("%" G_GINT64_FORMAT, now_ns());
    g_autofree char *text = g_strdup_printf("%s %s %s", stamp, g_strchomp(boot), cpus);
    if (!put(v, "come", text, error) || (rank.rank == 0 && !invite(v, lead, error)) ||
        !follow(v, stamp, agreement, error)) {
        rendezvous_free(v);
        return NULL;
    }
    return v;
}

void app_rendezvous_finish(app_rendezvous *v)
{
    if (v == NULL) {
        return;
    }
    g_autofree char *stamp = g_strdup_printf("%" G_GINT64_FORMAT, now_ns());
    g_autofree char *start = file_of(v, "start", 0);
    const gint64 end = g_get_monotonic_time() + PATIENCE_US;
    if (v->rank.rank > 0) {
        (void)put(v, "done", stamp, NULL);
        while (g_file_test(start, G_FILE_TEST_EXISTS) && g_get_monotonic_time() < end) {
            g_usleep(POLL_US);
        }
    } else {
        for (unsigned r = 1; r < v->rank.size; r++) {
            for (;;) {
                g_auto(GStrv) words = get(v, "done", r);
                if (words != NULL || g_get_monotonic_time() > end) {
                    break;
                }
                g_usleep(POLL_US);
            }
            remove_file(v, "done", r);
        }
        (void)g_remove(start);
    }
    rendezvous_free(v);
}
