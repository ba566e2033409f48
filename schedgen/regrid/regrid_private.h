/* schedgen/regrid/regrid_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Recognition of a grid in parts. regrid_record.c takes from the templates who sends what to whom;
 * regrid_layout.c lays ranks on a grid; regrid_candidate.c finds grids that come into question;
 * regrid_comm.c finds communicators that are lines or planes of one; regrid_master.c finds the one
 * sequence of messages that all ranks keep to, but for what leaves the grid, and what is left over
 * (regrid_match.c); regrid_parts.c and regrid_kinds.c tell exchanges apart, of which
 * regrid_exchange.c says what was found; regrid_class.c says which ranks stand for which;
 * regrid.c puts it together.
 * regrid_extents.c says which grid it grows to, regrid_grow.c is the larger program.
 */
#pragma once

#include "convert/convert_private.h"
#include "sched/regrid.h"

#define REGRID_NONE UINT32_MAX

/* ---- the record ---------------------------------------------------------------------------- */

/** A message that a rank sends or receives. */
typedef struct regrid_item {
    int64_t bytes; /* receives: 0, as they may take more than comes */
    uint32_t peer; /* world rank, or SIM_ANY */
    uint32_t tag;
    uint32_t comm; /* of the trace */
    uint32_t name; /* of the call: sched_trace.names */
    uint32_t call; /* index in its rank */
    bool is_recv;
} regrid_item;

/** A collective that a rank makes. */
typedef struct regrid_coll {
    uint64_t what; /* digest of kind, bytes and counts */
    uint32_t comm;
    uint32_t root; /* rank in it */
    uint32_t name;
    uint8_t kind;     /* coll_kind */
    bool uneven;      /* it has counts, and they differ */
    bool root_counts; /* the root alone has counts */
} regrid_coll;

typedef struct regrid_rank {
    regrid_item *items; /* in the order of the messages of the template */
    regrid_coll *colls;
    uint32_t num_items;
    uint32_t num_colls;
} regrid_rank;

/** All messages of one rank to another. */
typedef struct regrid_edge {
    uint64_t messages;
    uint32_t from;
    uint32_t to;
} regrid_edge;

typedef struct regrid_record {
    const sched_trace *trace;
    regrid_rank *ranks; /* [trace->num_ranks] */
    regrid_edge *edges; /* by from, then to */
    size_t num_edges;
    bool *used; /* [trace->num_comms] */
    uint64_t messages;
    uint64_t bytes;
    uint64_t collectives;
} regrid_record;

bool sched_regrid_record_init(regrid_record *record, const sched_trace *trace,
                              const sched_convert_options *options, GError **error);
void sched_regrid_record_clear(regrid_record *record);
/** Fill edges, from the items. */
void sched_regrid_record_connect(regrid_record *record);
/** A template, which is the caller's own only during the call. */
typedef void regrid_take(void *data, uint32_t rank, const conv_template *template);
/**
 * Convert the record alone, rank by rank from 0 on; a second time, from 0 on again, if it turns out
 * that something has to be known of all ranks first.
 */
bool sched_regrid_templates_take(const sched_trace *trace, const sched_convert_options *options,
                                 regrid_take *taken, void *data, GError **error);
/** The name of call @p index of a rank: the walk goes on to it. @p name: of the one before. */
uint32_t sched_regrid_name_at(sched_walk *walk, uint32_t index, uint32_t *name);
/** Of an item or a collective. */
const char *sched_regrid_record_name(const regrid_record *record, uint32_t name);

/* ---- ranks on a grid ----------------------------------------------------------------------- */

typedef struct regrid_layout {
    sched_grid grid;
    uint32_t order;        /* communicator of all ranks, in whose order they are on the grid */
    const uint32_t *place; /* [ranks] of a rank in it; NULL: its own number. Borrowed */
} regrid_layout;

typedef struct regrid_point {
    int32_t x[SCHED_REGRID_DIMS];
} regrid_point;

regrid_point sched_regrid_layout_point(const regrid_layout *layout, uint32_t rank);
uint32_t sched_regrid_grid_size(const sched_grid *grid);
regrid_point sched_regrid_grid_point(const sched_grid *grid, uint32_t index);
uint32_t sched_regrid_grid_index(const sched_grid *grid, const regrid_point *point);
/** The shortest way from one point to another; half way round a periodic dimension: upwards. */
regrid_point sched_regrid_layout_way(const sched_grid *grid, regrid_point from, regrid_point to);
/** A number of its own for each way. */
uint64_t sched_regrid_way_key(const sched_grid *grid, const regrid_point *way);
/** Does the way stay on the grid? */
bool sched_regrid_way_stays(const sched_grid *grid, const regrid_point *way, regrid_point from);
/**
 * Can it be a way of the program? It has to go less than half way through each dimension, or one
 * step; and to stay on the grid from one rank in so many, since of a grid that is small in all
 * dimensions, any message would be a way of its own. The diagonal of 3 x 3 x 3 is one in 3.4.
 */
enum { REGRID_FEW = 6 };
bool sched_regrid_way_is_one(const sched_grid *grid, const regrid_point *way);
/** From how many ranks does it? */
uint64_t sched_regrid_way_ranks(const sched_grid *grid, const regrid_point *way);

/* ---- grids that come into question --------------------------------------------------------- */

typedef struct regrid_candidate {
    regrid_layout layout;
    uint64_t messages; /* explained by their way alone */
    size_t num_ways;
} regrid_candidate;

/** Orders of ranks that the record shows: [num_orders] by place in regrid_layout.order. */
typedef struct regrid_orders {
    GArray *comms;  /* of uint32_t */
    GArray *places; /* of uint32_t *, NULL: the world's */
} regrid_orders;

void sched_regrid_orders_init(regrid_orders *orders, const regrid_record *record);
void sched_regrid_orders_clear(regrid_orders *orders);

/** The best first. @return of regrid_candidate; owned by the caller */
GArray *sched_regrid_candidates_find(const regrid_record *record, const regrid_orders *orders,
                                     const sched_regrid_options *options);

/* ---- communicators ------------------------------------------------------------------------- */

/** What a communicator of the trace is on the grid. */
typedef struct regrid_comm {
    uint32_t span;   /* bit d: dimension d; members share all other coordinates */
    uint32_t family; /* the first communicator of those that are one on the larger grid, or NONE */
    bool in_order;   /* members are in the order of the grid */
} regrid_comm;

/** @return [trace->num_comms], owned by the caller */
regrid_comm *sched_regrid_comms_find(const regrid_record *record, const regrid_layout *layout);

/* ---- what all ranks keep to ---------------------------------------------------------------- */

typedef struct regrid_way {
    regrid_point by;
    uint32_t back;  /* the opposite one, or NONE */
    bool explained; /* every rank from where it stays on the grid goes it */
} regrid_way;

typedef struct regrid_match {
    regrid_layout layout;
    regrid_comm *comms;
    GArray *ways; /* of regrid_way */
    uint32_t num_ranks;
    uint32_t **item; /* [num_ranks][items] which way a message goes; NONE: it is not explained */
    bool *odd;       /* [num_ranks] the order of its messages is another */
    uint32_t reach[SCHED_REGRID_DIMS];
    bool fixed[SCHED_REGRID_DIMS]; /* cannot grow: no rank inside, or two ways coincide */
    uint64_t sends;                /* explained */
    uint64_t recvs;
    uint64_t bytes;
    uint32_t unbalanced; /* a way that more messages are sent than received, or NONE */
    bool sweeps;         /* ranks receive from some sides, and then send to others */
} regrid_match;

regrid_match *sched_regrid_match_new(const regrid_record *record, const regrid_layout *layout);
void sched_regrid_match_free(regrid_match *match);
uint64_t sched_regrid_match_score(const regrid_match *match);
static inline const regrid_way *regrid_match_way(const regrid_match *match, uint32_t way)
{
    return &g_array_index(match->ways, regrid_way, way);
}

/** Every way that exists, and of each message which it goes, before it is known if it is explained.
 */
void sched_regrid_ways_find(regrid_match *match, const regrid_record *record);
/** Match the ranks with the same coordinates in fixed open dimensions with the best of them. */
void sched_regrid_master_match(regrid_match *match, const regrid_record *record);

/* ---- classes ------------------------------------------------------------------------------- */

/** Ranks that do the same: at the same borders. Of the recorded grid and of a larger one. */
typedef struct regrid_classes {
    uint32_t num_classes;
    uint32_t reach[SCHED_REGRID_DIMS]; /* 0: one class; else 2 reach + 1 */
    bool exact[SCHED_REGRID_DIMS];     /* a class for each coordinate */
    uint32_t *first;                   /* [num_classes + 1] in ranks */
    uint32_t *ranks;                   /* recorded ones, by class */
} regrid_classes;

void sched_regrid_classes_init(regrid_classes *classes, const regrid_record *record,
                               const regrid_match *match);
void sched_regrid_classes_clear(regrid_classes *classes);
/** Which class a point on a grid of that size is in. */
uint32_t sched_regrid_class_of(const regrid_classes *classes, const sched_grid *grid,
                               regrid_point point);

/* ---- computation over the size of a part --------------------------------------------------- */

/** The mean of the computations of one rank at one site. */
typedef struct regrid_sample {
    double time; /* ps */
    uint32_t record;
    uint32_t rank;
    uint64_t passages;
} regrid_sample;

/** What comes before a computation and after it, on ranks of one class. */
typedef struct regrid_site {
    uint64_t key;
    char *what;
    GArray *samples; /* of regrid_sample, by record, then rank */
} regrid_site;

typedef struct regrid_sites {
    GHashTable *known; /* by key: index + 1 */
    GArray *sites;     /* of regrid_site */
} regrid_sites;

void sched_regrid_sites_init(regrid_sites *sites);
void sched_regrid_sites_clear(regrid_sites *sites);
/**
 * Add the computations of a record.
 * @param number of the record
 * @param site_of [ranks], filled with the sites of each rank's computations in the order of its
 *                template, which are the caller's; NULL: nobody asks
 */
bool sched_regrid_sites_add(regrid_sites *sites, const sched_regrid *regrid, uint32_t number,
                            const sched_convert_options *convert, uint32_t **site_of,
                            GError **error);
/** How much computation of recorded @p rank, the @p calc-th, is there in parts of some size? */
double sched_regrid_scaling_factor(const sched_regrid_scaling *scaling, const double *factors,
                                   uint32_t rank, uint32_t calc);
/** @return [sites] for sched_regrid_scaling_factor(), owned by the caller */
double *sched_regrid_scaling_factors(const sched_regrid_scaling *scaling, sched_regrid_part part);

enum { REGRID_TERMS = 2 };

/** c[0] surface + c[1] volume, both 0 or more; or c[0] + c[1] volume. */
typedef struct regrid_curve {
    double c[REGRID_TERMS]; /* ps */
    double cov[REGRID_TERMS][REGRID_TERMS];
    double residual; /* root mean square, ps; NAN: two samples */
    double apart;    /* all samples, ps */
    double quantile; /* of the interval */
    bool by_surface;
    bool fitted; /* and above 0 in parts of volume 1; else the rest says nothing */
} regrid_curve;

/** @param times [n] ps, of parts of size @p parts [n] */
regrid_curve sched_regrid_curve_fit(const sched_regrid_part *parts, const double *times,
                                    uint32_t n);
double sched_regrid_curve_at(const regrid_curve *curve, sched_regrid_part part);
/**
 * Half of the 95 % interval of what it is there; NAN: two samples.
 * @param of_factor set to that of how many times it is what it is in parts of volume 1
 */
double sched_regrid_curve_half(const regrid_curve *curve, sched_regrid_part part,
                               double *of_factor);

/* ---- butterflies --------------------------------------------------------------------------- */

/** All stages once, one after the other. */
typedef struct regrid_run {
    uint32_t first; /* item */
    uint32_t items; /* of each stage */
    bool up;        /* from 2^0 on, else from the largest distance */
    bool power_known;
    int32_t power;    /* a stage's bytes are 2^power times those of the one before */
    int64_t tag_step; /* its tags so much more */
} regrid_run;

typedef struct regrid_butterfly {
    bool mirror; /* with rank xor 2^k; else to rank + 2^k, from rank - 2^k */
    uint32_t num_stages;
    GArray *runs; /* of regrid_run; all items of a rank */
} regrid_butterfly;

/** @return owned by the caller; NULL: it is none */
regrid_butterfly *sched_regrid_butterfly_find(const regrid_record *record);
void sched_regrid_butterfly_free(regrid_butterfly *butterfly); /* NULL is a no-op */
/** The stage that an item of every rank is of. */
uint32_t sched_regrid_butterfly_stage(const regrid_butterfly *butterfly,
                                      const regrid_record *record, uint32_t item);
bool sched_regrid_butterfly_fit(const sched_regrid *regrid, const sched_regrid_target *target,
                                sched_grid *grid, GError **error);
sched_growth *sched_regrid_butterfly_grow(const sched_regrid *regrid,
                                          const sched_regrid_target *target);

/* ---- exchanges ----------------------------------------------------------------------------- */

/** Which calls of all ranks belong together: one exchange, made once. */
typedef struct regrid_parts {
    uint32_t num_ranks;
    uint32_t num_parts;
    uint32_t **of; /* [ranks][items] */
} regrid_parts;

/** O(n log n) in messages, and 64 bytes for each while it lasts, 8 for each afterwards. */
void sched_regrid_parts_find(regrid_parts *parts, const regrid_record *record);
void sched_regrid_parts_clear(regrid_parts *parts);

/** All exchanges of one kind, while they are counted. */
typedef struct regrid_kind {
    GString *sends; /* calls */
    GString *recvs;
    uint32_t least_tag;
    uint32_t most_tag;
    uint64_t messages;
    uint64_t receives;
    uint64_t bytes;
    uint32_t ranks;
    uint32_t last_rank; /* counted */
    int64_t least_bytes;
    int64_t most_bytes;
    uint64_t explained_sends;
    uint64_t explained_recvs;
    uint32_t first_rank; /* NONE: no message yet */
    uint32_t first_item;
    uint32_t odd_rank; /* where the first one is that is not explained, or NONE */
    uint32_t odd_item;
    uint32_t odd_weight; /* the lower, the more it says */
} regrid_kind;

typedef struct regrid_place {
    uint32_t rank;
    uint32_t item;
} regrid_place;

typedef struct regrid_kinds {
    GArray *kinds;         /* of regrid_kind */
    regrid_parts parts;    /* each exchange that is made */
    uint32_t *of;          /* [parts.num_parts] */
    uint64_t *first;       /* [kinds + 1] in members */
    regrid_place *members; /* by kind, then rank and item */
    GHashTable *ways;      /* keys of the program's ways on the grid that was found */
} regrid_kinds;

/** Exchanges of the same calls, tags and ways are one kind. */
void sched_regrid_kinds_find(regrid_kinds *kinds, const sched_regrid *regrid);
void sched_regrid_kinds_clear(regrid_kinds *kinds);
/** What should have been there instead of the first message that is not explained. */
char *sched_regrid_kinds_expected(const regrid_kinds *kinds, uint32_t kind,
                                  const sched_regrid *regrid);
/** Has the grid of the whole record an explanation of it? */
bool sched_regrid_explains(const sched_regrid *regrid, uint32_t rank, uint32_t item);
/** The way of a message on the grid that was found, which need not be one of the program's. */
regrid_point sched_regrid_way_by(const sched_regrid *regrid, uint32_t rank,
                                 const regrid_item *item);
/** Is it one of the program's? */
bool sched_regrid_way_known(const regrid_kinds *kinds, const sched_regrid *regrid,
                            const regrid_point *by);

/* ---- the whole ----------------------------------------------------------------------------- */

struct sched_regrid {
    regrid_record record;
    regrid_orders orders;
    regrid_match *match;         /* NULL: no grid comes into question */
    regrid_butterfly *butterfly; /* NULL: it is none, or a grid that can grow */
    regrid_classes classes;
    GPtrArray *refusals; /* of char * */
    GArray *ways;        /* of sched_regrid_way */
    GArray *rest;        /* of sched_regrid_rest */
    uint64_t rest_in_all;
    bool ambiguous; /* another grid explains as much, by as many ways */
    double runner_up;
    char *pattern;
};

/** Of nothing yet. */
sched_regrid *sched_regrid_new(void);
/** Take the grid that explains the most of its record, whose orders are known. */
void sched_regrid_choose(sched_regrid *regrid, const sched_regrid_options *options);
/** Add a call to a list of them, once. */
void sched_regrid_add_name(GString *names, const char *name);
/** Add what speaks against enlarging it: collectives that cannot grow, classes without a rank. */
void sched_regrid_refusals_find(sched_regrid *regrid, const sched_regrid_options *options);
/** Fill ways, rest and pattern. */
void sched_regrid_findings_make(sched_regrid *regrid);
