/* classes/class_programs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_classes. */
/**
 * @file
 * From threads to programs.
 */
#include "classes/class_evidence.h"

#include <string.h>

struct noise_class_programs {
    const noise_class_facts *facts;
    GHashTable *names;  /* thread id -> name */
    GHashTable *times;  /* name -> sim_time * */
    GHashTable *chosen; /* set of names; NULL: all */
};

noise_class_programs *noise_class_programs_new(const noise_class_facts *facts)
{
    noise_class_programs *p = g_new0(noise_class_programs, 1);
    p->facts = facts;
    p->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    p->times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return p;
}

void noise_class_programs_free(noise_class_programs *p)
{
    if (p != NULL) {
        g_hash_table_unref(p->names);
        g_hash_table_unref(p->times);
        if (p->chosen != NULL) {
            g_hash_table_unref(p->chosen);
        }
        g_free(p);
    }
}

/* Threads of the kernel have a CPU or a pool in their name; a comma separates names elsewhere. */
static char *program_of(const char *thread)
{
    char *name = g_strdup(thread);
    char *slash = strchr(name, '/');
    if (slash != NULL && slash != name && (g_ascii_isdigit(slash[1]) || slash[1] == 'u')) {
        *slash = '\0';
    }
    return g_strdelimit(name, ",", '_');
}

void noise_class_programs_add(noise_class_programs *p, uint32_t tid, sim_time time)
{
    if (tid == 0) {
        return;
    }
    const char *name = g_hash_table_lookup(p->names, GUINT_TO_POINTER(tid));
    if (name == NULL) {
        const char *thread = p->facts->ran_after != NULL
                                 ? noise_ran_name(p->facts->ran_before, p->facts->ran_after, tid)
                                 : NULL;
        char *own = thread != NULL ? program_of(thread) : g_strdup("ended programs");
        g_hash_table_insert(p->names, GUINT_TO_POINTER(tid), own);
        name = own;
    }
    sim_time *sum = g_hash_table_lookup(p->times, name);
    if (sum == NULL) {
        sum = g_new0(sim_time, 1);
        g_hash_table_insert(p->times, g_strdup(name), sum);
    }
    *sum += time;
}

typedef struct program_time {
    const char *name;
    sim_time time;
} program_time;

static gint by_time(gconstpointer pa, gconstpointer pb)
{
    const program_time *a = pa;
    const program_time *b = pb;
    return a->time != b->time ? (a->time > b->time ? -1 : 1) : strcmp(a->name, b->name);
}

void noise_class_programs_choose(noise_class_programs *p, size_t most)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(program_time));
    GHashTableIter iterator;
    gpointer key;
    gpointer value;
    g_hash_table_iter_init(&iterator, p->times);
    while (g_hash_table_iter_next(&iterator, &key, &value)) {
        const program_time t = {key, *(const sim_time *)value};
        g_array_append_val(all, t);
    }
    g_array_sort(all, by_time);
    p->chosen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < all->len && i < most; i++) {
        g_hash_table_add(p->chosen, g_strdup(g_array_index(all, program_time, i).name));
    }
}

const char *noise_class_programs_name(const noise_class_programs *p, uint32_t tid)
{
    const char *name = tid != 0 ? g_hash_table_lookup(p->names, GUINT_TO_POINTER(tid)) : NULL;
    return name != NULL && (p->chosen == NULL || g_hash_table_contains(p->chosen, name)) ? name
                                                                                         : NULL;
}
