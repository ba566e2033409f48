/* noise/nit/nit_programs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_activity, test_format_nit. */
#include "noise/nit_programs.h"

#include <string.h>

char *noise_program_family(const char *name, noise_program_class kind)
{
    const char *slash = strchr(name, '/');
    if (kind != NOISE_PROGRAM_KERNEL || slash == NULL || slash == name ||
        g_str_has_prefix(name, "irq/")) {
        return g_strdup(name);
    }
    const char *number = slash[1] == 'u' ? slash + 2 : slash + 1;
    return g_ascii_isdigit(*number) ? g_strndup(name, (gsize)(slash - name)) : g_strdup(name);
}

static gint64 *key_of(uint32_t node, uint32_t pid)
{
    const gint64 key = (gint64)((uint64_t)node << 32 | pid);
    return g_memdup2(&key, sizeof key);
}

/* By node and process: 1 + the index of its first thread. */
static GHashTable *find_leaders(const noise_nit *nit)
{
    GHashTable *leaders = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (size_t t = 0; t < nit->num_threads; t++) {
        const noise_nit_thread *thread = &nit->threads[t];
        if (thread->pid == thread->tid) {
            g_hash_table_insert(leaders, key_of(thread->node, thread->pid),
                                GSIZE_TO_POINTER(t + 1));
        }
    }
    return leaders;
}

char **noise_nit_programs(const noise_nit *nit)
{
    g_autoptr(GHashTable) leaders = find_leaders(nit);
    char **out = g_new0(char *, nit->num_threads + 1);
    for (size_t t = 0; t < nit->num_threads; t++) {
        const noise_nit_thread *thread = &nit->threads[t];
        g_autofree gint64 *key = key_of(thread->node, thread->pid);
        const size_t leader = GPOINTER_TO_SIZE(g_hash_table_lookup(leaders, key));
        out[t] = noise_program_family(nit->threads[leader > 0 ? leader - 1 : t].name, thread->kind);
    }
    return out;
}
