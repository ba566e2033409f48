/* schedgen/pattern/pattern_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A pattern in two steps: what its text says (sched_pattern, made by pattern_parse.c), and that at
 * some number of ranks (pattern_shape). Everything an item does is a chain of steps in the sense of
 * coll/step.h, as that of a collective: so a rank's position is a coll_walk, whatever the item.
 */
#pragma once

#include "coll/walk.h"
#include "pattern/pattern_draw_private.h"
#include "pattern/pattern_grid_private.h"
#include "sched/pattern.h"
#include "sim/symmetry.h"

typedef struct pattern_item_class pattern_item_class;
typedef struct pattern_part pattern_part;

/** An item of the text. */
typedef struct pattern_item {
    const pattern_item_class *class;
    char *text; /* as written, without its count */
    int64_t bytes;
    sim_time time;                     /* calc */
    sim_time spread;                   /* calc: a draw is at most this much shorter or longer */
    coll_call call;                    /* collective */
    coll_algorithm algorithm;          /* of it; zeroed: none is named */
    const struct pattern_item *inside; /* wavefront: the calc between receives and sends, or NULL */
} pattern_item;

/**
 * A rank that makes an item. All items that a rank makes are numbered, from the first pass to the
 * last; that number is its turn.
 */
typedef struct pattern_place {
    uint64_t seed;
    uint32_t rank;
    uint32_t turn;
} pattern_place;

/** From where the partners of a rank are counted, where all ranks do the same. */
typedef enum {
    PATTERN_WAYS_DIFFER, /* they do not, or it is not known */
    PATTERN_WAYS_SHIFT,  /* as in coll_ways; or there are none */
    PATTERN_WAYS_MIRROR, /* likewise */
    PATTERN_WAYS_TORUS   /* along each dimension of the grid */
} pattern_ways;

/** What an item is: one for each name, in the file of its name. */
struct pattern_item_class {
    const char *form;    /* "stencil3d[:BYTES]": the name comes first; in help and errors */
    uint32_t dimensions; /* of the grid that ranks are on; 0: on none */
    /**
     * Take what follows the name and the sign after it; NULL: nothing does.
     * @return false with an error; it need not quote the item
     */
    bool (*parse)(pattern_item *item, const char *arguments, GError **error);
    /**
     * Work out what all ranks share at some size; item and ranks are set, and a profile is there.
     * May be NULL. @return false with an error of sched_pattern_check()
     */
    bool (*shape)(pattern_part *part, const sched_pattern_options *options, GError **error);
    /**
     * The next step of a rank. @p walk is zeroed when the item begins; it is COLL_DUE_EXCHANGE
     * afterwards if one more step of the same stage comes, which irequires this one.
     * @return false: there is none. O(1), O(log ranks) at worst
     */
    bool (*next)(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step);
    /** No rank takes more steps than this. */
    uint64_t (*max_steps)(const pattern_part *part);
    /** Do all ranks do the same, each with partners of its own? NULL: no. O(1) */
    pattern_ways (*ways)(const pattern_part *part);
};

/** An item at some size. */
struct pattern_part {
    const pattern_item *item;
    uint32_t ranks;
    coll_course course;       /* collective */
    coll_algorithm algorithm; /* of it */
    pattern_grid grid;        /* stencil, wavefront */
    pattern_ways ways;
};

/**
 * A list of items is a tree: a node is an item, or a group whose children follow it. The first one
 * is the whole list.
 */
typedef struct pattern_node {
    uint32_t count; /* how often in a row */
    uint32_t item;  /* index; PATTERN_GROUP: it is a group */
    uint32_t end;   /* index after its last descendant */
    uint64_t turns; /* items that one time of it comes to */
} pattern_node;

#define PATTERN_GROUP UINT32_MAX

struct sched_pattern {
    uint64_t seed;
    GArray *nodes;    /* of pattern_node */
    GPtrArray *items; /* of pattern_item; those inside others as well */
};

/** A pattern at some size: what its ranks share. */
typedef struct pattern_shape {
    const sched_pattern *pattern;
    const pattern_node *nodes; /* its own */
    pattern_part *parts;       /* one for each item */
    uint32_t ranks;
    uint32_t passes;
    uint32_t turns; /* in a pass */
} pattern_shape;

/** Fill a zeroed shape; sched_pattern_shape_clear() frees it, even after an error. */
bool sched_pattern_shape_init(pattern_shape *shape, const sched_pattern *pattern,
                              const sched_pattern_options *options, GError **error);
void sched_pattern_shape_clear(pattern_shape *shape);

/** Operations of @p rank in all passes. O(nodes), and the steps of each collective. */
uint64_t sched_pattern_shape_ops(const pattern_shape *shape, uint32_t rank);

/** As sim_symmetry_class says (sim/symmetry.h). */
sim_symmetry sched_pattern_shape_symmetry(const pattern_shape *shape);
uint32_t sched_pattern_shape_way(const pattern_shape *shape, uint32_t turn, uint32_t from,
                                 uint32_t to);

/** Where operation @p index of @p rank is: whose it is, in which turn, and which of that turn. */
typedef struct pattern_origin {
    const pattern_item *item;
    uint64_t turn;
    uint64_t step;
} pattern_origin;
pattern_origin sched_pattern_shape_origin(const pattern_shape *shape, uint32_t rank,
                                          uint64_t index);

/** The index of the item that is made in @p turn, in any pass. O(nodes). */
static inline uint32_t pattern_item_at(const pattern_shape *shape, uint32_t turn)
{
    const pattern_node *node = shape->nodes;
    uint64_t rest = turn % node->turns;
    while (node->item == PATTERN_GROUP) {
        node++;
        while (rest >= node->count * node->turns) {
            rest -= node->count * node->turns;
            node = shape->nodes + node->end;
        }
        rest %= node->turns;
    }
    return node->item;
}

/** How far a rank is. Zeroed: at the beginning. */
typedef struct pattern_walk {
    coll_walk in_item;
    uint32_t turn;
    uint16_t item; /* that of the turn, once it is open */
    bool open;
} pattern_walk;

/** The next step of @p rank. @return false: it is through */
static inline bool pattern_walk_next(const pattern_shape *shape, uint32_t rank, pattern_walk *walk,
                                     coll_step *step)
{
    for (;;) {
        if (!walk->open) {
            if (walk->turn == shape->turns * shape->passes) {
                return false;
            }
            walk->item = (uint16_t)pattern_item_at(shape, walk->turn);
            walk->in_item = (coll_walk){0};
            walk->open = true;
        }
        const pattern_part *part = &shape->parts[walk->item];
        const pattern_place at = {shape->pattern->seed, rank, walk->turn};
        if (part->item->class->next(part, at, &walk->in_item, step)) {
            return true;
        }
        walk->turn++;
        walk->open = false;
    }
}
