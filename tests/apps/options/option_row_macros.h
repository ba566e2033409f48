/* tests/apps/options/option_row_macros.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Words for the rows of option_rows.c: single rows, and those that several verbs have alike.
 */
#pragma once

#include "option_rows.h"

#define DIFFERS(VERB, OPTION, BASE, GIVEN)                                                         \
    {                                                                                              \
        VERB, OPTION, OPTION_DIFFERS, BASE, GIVEN, NULL                                            \
    }
#define SAME(VERB, OPTION, BASE, GIVEN)                                                            \
    {                                                                                              \
        VERB, OPTION, OPTION_SAME, BASE, GIVEN, NULL                                               \
    }
#define TRACED(VERB, OPTION, BASE, GIVEN)                                                          \
    {                                                                                              \
        VERB, OPTION, OPTION_TRACED, BASE, GIVEN, NULL                                             \
    }
#define REFUSED(VERB, OPTION, BASE, GIVEN, WORDS)                                                  \
    {                                                                                              \
        VERB, OPTION, OPTION_REFUSED, BASE, GIVEN, WORDS                                           \
    }
#define SAYS(VERB, OPTION, BASE, GIVEN, WORDS)                                                     \
    {                                                                                              \
        VERB, OPTION, OPTION_SAYS, BASE, GIVEN, WORDS                                              \
    }
#define HUSHES(VERB, OPTION, BASE, GIVEN, WORDS)                                                   \
    {                                                                                              \
        VERB, OPTION, OPTION_HUSHES, BASE, GIVEN, WORDS                                            \
    }

#define GOAL    "data/pair.goal"
#define TRACE   "traces/halo-cg-16"
#define ANYONE  "testdata/otf2/everything-4"        /* has receives from any source */
#define LATE    ANYONE " --noise=fixed:1ms:900us@3" /* not in the order that was recorded */
#define REDUCE  "collective:allreduce:1KiB"
#define NAMED   "collective:bcast:binomial:1KiB"
#define LONG    REDUCE " --ranks=8 --repeat=100" /* enough for the noise to strike */
#define BARRIER "collective:barrier"
#define NOISE   " --noise=fixed:1kHz:100us"
#define TWO     " --noise=fixed:1kHz:100us+fixed:100Hz:50us"
#define INVALID " --noise=data/invalid.detours"
#define IDLE    " has no effect "
#define NIT     "testdata/fuzz/nit/whole.nit"
/* One pass meets one of these in six. */
#define STEADY       TRACE " --repeat=auto --noise=fixed:10Hz:2ms"
#define LASTING      TRACE " --ranks=16,32 --noise=fixed:10Hz:2ms -q"
#define WITHOUT_AUTO "without --repeat=auto"

/* On a larger grid. */
#define GROWN     " --extrapolate=regrid --ranks=36"
#define REGRID    TRACE GROWN
#define SIZES     " --sweep=ranks=16,64"
#define STRONG_27 "traces/counted/strong7-27.ti.xz --flops-per-second=1e6"
#define STRONG_64 "traces/counted/strong7-64.ti.xz"
#define STRONG    STRONG_27 " --extrapolate=regrid --scaling=strong --ranks=64"
#define GROWS(VERB, MORE)                                                                          \
    DIFFERS(VERB, "--extrapolate", TRACE MORE " --ranks=64", "--extrapolate=regrid"),              \
        DIFFERS(VERB, "--grid", REGRID MORE, "--grid=to=4x9"),                                     \
        DIFFERS(VERB, "--explained", REGRID MORE " --grid=8x2", "--explained=80%"),                \
        DIFFERS(VERB, "--scaling", REGRID MORE, "--scaling=strong"),                               \
        REFUSED(VERB, "--fit", REGRID, "--fit=x", IDLE "without --scaling=strong")
#define GRIDS(VERB, MORE)                                                                          \
    DIFFERS(VERB, "--extrapolate", TRACE MORE " --ranks=64", "--extrapolate=regrid"),              \
        REFUSED(VERB, "--extrapolate", TRACE MORE " --ranks=16", "--extrapolate=regrid",           \
                IDLE "on a trace that is not repeated"),                                           \
        REFUSED(VERB, "--extrapolate", GOAL, "--extrapolate=regrid", IDLE "on a stored schedule"), \
        REFUSED(VERB, "--extrapolate", REDUCE, "--extrapolate=regrid", IDLE "on a collective"),    \
        REFUSED(VERB, "--roots", REGRID, "--roots=copy", IDLE "with --extrapolate=regrid"),        \
        REFUSED(VERB, "--ranks", TRACE " --extrapolate=regrid", "--ranks=17",                      \
                "--ranks: '17' ranks are no grid that 4 x 4, open can grow to"),                   \
        DIFFERS(VERB, "--grid", REGRID MORE, "--grid=to=4x9"),                                     \
        DIFFERS(VERB, "--grid", REGRID MORE, "--grid=seed=2"),                                     \
        REFUSED(VERB, "--grid", TRACE, "--grid=4x4", IDLE "without --extrapolate=regrid"),         \
        REFUSED(VERB, "--grid", REGRID, "--grid=4x0", "--grid: '4x0': extents are whole numbers"), \
        REFUSED(VERB, "--grid", REGRID, "--grid=4x4,periodic=y",                                   \
                "--grid: 'y': y or n is needed for each dimension"),                               \
        REFUSED(VERB, "--grid", REGRID, "--grid=to=3x12",                                          \
                "--grid: '3 x 12, open': dimension 1 cannot become 3"),                            \
        DIFFERS(VERB, "--explained", REGRID MORE " --grid=8x2", "--explained=80%"),                \
        REFUSED(VERB, "--explained", REGRID, "--explained=0%",                                     \
                "--explained: '0%' is not a share"),                                               \
        REFUSED(VERB, "--explained", TRACE, "--explained=90%",                                     \
                IDLE "without --extrapolate=regrid"),                                              \
        DIFFERS(VERB, "--scaling", REGRID MORE, "--scaling=strong"),                               \
        REFUSED(VERB, "--scaling", TRACE, "--scaling=strong",                                      \
                IDLE "without --extrapolate=regrid"),                                              \
        REFUSED(VERB, "--fit", REGRID, "--fit=x", IDLE "without --scaling=strong")

/* The options that all verbs have. */
#define COMMON(VERB, BASE)                                                                         \
    SAYS(VERB, "--help", BASE, "--help", "^Usage: ripple " VERB), SAME(VERB, "--quiet", BASE, "-q")

/* Those of a result. */
#define RESULT(VERB, BASE)                                                                         \
    DIFFERS(VERB, "--format", BASE, "--format=json"),                                              \
        DIFFERS(VERB, "--output", BASE, "--output=x.txt")

/* What becomes of a program: simulated as it is in MORE, on more ranks in TWICE. */
#define PROGRAM(VERB, MORE, TWICE)                                                                 \
    DIFFERS(VERB, "--ranks", GOAL MORE, "--ranks=4"),                                              \
        REFUSED(VERB, "--ranks", GOAL MORE, "--ranks=3",                                           \
                "--ranks: 3 is not a multiple of the 2 ranks of the schedule"),                    \
        REFUSED(VERB, "--ranks", TRACE MORE, "--ranks=24",                                         \
                "--ranks: 24 is not a multiple of the 16 ranks that were recorded"),               \
        DIFFERS(VERB, "--coll", TRACE MORE TWICE, "--coll=allreduce=ring"),                        \
        DIFFERS(VERB, "--coll", REDUCE MORE TWICE, "--coll=allreduce=ring"),                       \
        REFUSED(VERB, "--coll", GOAL MORE, "--coll=sc10", IDLE "on a stored schedule"),            \
        REFUSED(VERB, "--coll", REDUCE MORE, "--coll=bcast=ring",                                  \
                IDLE "on a collective that it does not name"),                                     \
        REFUSED(VERB, "--coll", NAMED MORE, "--coll=bcast=ring",                                   \
                IDLE "on a collective whose algorithm is named"),                                  \
        REFUSED(VERB, "--coll", TRACE MORE, "--coll=bcast=ring --no-collectives",                  \
                IDLE "with --no-collectives"),                                                     \
        DIFFERS(VERB, "--compute", TRACE MORE TWICE, "--compute=wall"),                            \
        REFUSED(VERB, "--compute", GOAL MORE, "--compute=wall", IDLE "on a stored schedule"),      \
        REFUSED(VERB, "--compute", REDUCE MORE, "--compute=wall", IDLE "on a collective"),         \
        DIFFERS(VERB, "--no-p2p", TRACE MORE TWICE, "--no-p2p"),                                   \
        REFUSED(VERB, "--no-p2p", GOAL MORE, "--no-p2p", IDLE "on a stored schedule"),             \
        REFUSED(VERB, "--no-p2p", REDUCE MORE, "--no-p2p", IDLE "on a collective"),                \
        DIFFERS(VERB, "--no-collectives", TRACE MORE TWICE, "--no-collectives"),                   \
        REFUSED(VERB, "--no-collectives", GOAL MORE, "--no-collectives",                           \
                IDLE "on a stored schedule"),                                                      \
        REFUSED(VERB, "--no-collectives", REDUCE MORE, "--no-collectives",                         \
                IDLE "on a collective"),                                                           \
        DIFFERS(VERB, "--roots", TRACE MORE TWICE, "--roots=replica"),                             \
        REFUSED(VERB, "--roots", TRACE MORE, "--ranks=16 --roots=replica",                         \
                IDLE "on a trace that is not repeated"),                                           \
        REFUSED(VERB, "--roots", TRACE MORE TWICE, "--roots=replica --no-collectives",             \
                IDLE "with --no-collectives"),                                                     \
        REFUSED(VERB, "--roots", GOAL MORE, "--roots=replica", IDLE "on a stored schedule"),       \
        REFUSED(VERB, "--roots", REDUCE MORE, "--roots=replica", IDLE "on a collective"),          \
        DIFFERS(VERB, "--copies", TRACE MORE TWICE, "--copies=resampled"),                         \
        REFUSED(VERB, "--copies", TRACE MORE, "--ranks=16 --copies=resampled",                     \
                IDLE "on a trace that is not repeated"),                                           \
        REFUSED(VERB, "--copies", TRACE MORE TWICE, "--copies=drawn",                              \
                "--copies: 'drawn' is none of recorded, resampled"),                               \
        REFUSED(VERB, "--copies", TRACE MORE TWICE, "--copies=resampled,seed=x",                   \
                "a seed is a whole number"),                                                       \
        REFUSED(VERB, "--copies", GOAL MORE, "--copies=resampled", IDLE "on a stored schedule"),   \
        REFUSED(VERB, "--copies", REDUCE MORE, "--copies=resampled", IDLE "on a collective"),      \
        REFUSED(VERB, "--wildcards", TRACE MORE TWICE, "--wildcards=recorded --no-p2p",            \
                IDLE "with --no-p2p"),                                                             \
        REFUSED(VERB, "--wildcards", GOAL MORE, "--wildcards=keep", IDLE "on a stored schedule"),  \
        REFUSED(VERB, "--wildcards", REDUCE MORE, "--wildcards=keep", IDLE "on a collective"),     \
        DIFFERS(VERB, "--reduce", TRACE MORE TWICE, "--reduce=1us/B"),                             \
        DIFFERS(VERB, "--reduce", REDUCE MORE TWICE, "--reduce=1us/B"),                            \
        REFUSED(VERB, "--reduce", GOAL MORE, "--reduce=1us/B", IDLE "on a stored schedule"),       \
        REFUSED(VERB, "--reduce", NAMED MORE, "--reduce=1us/B",                                    \
                IDLE "on a collective that reduces nothing"),                                      \
        REFUSED(VERB, "--reduce", TRACE MORE, "--reduce=1us/B --no-collectives",                   \
                IDLE "with --no-collectives"),                                                     \
        DIFFERS(VERB, "--repeat", TRACE MORE TWICE, "--repeat=2"),                                 \
        DIFFERS(VERB, "--repeat", REDUCE MORE TWICE, "--repeat=2"),                                \
        DIFFERS(VERB, "--repeat", GOAL MORE, "--repeat=2"),                                        \
        REFUSED(VERB, "--repeat", GOAL MORE, "--repeat=2^31",                                      \
                "--repeat: rank 0 has 2 operations, in '2147483648' passes more than can be")

#define NETWORK(VERB, BASE)                                                                        \
    DIFFERS(VERB, "--machine", BASE, "--machine=chic"), DIFFERS(VERB, "--set", BASE, "--set=L=1ms")

/* Idle, and why. */
#define NO_MACHINE(VERB, BASE, WHY)                                                                \
    REFUSED(VERB, "--machine", BASE, "--machine=chic", IDLE WHY),                                  \
        REFUSED(VERB, "--set", BASE, "--set=L=1ms", IDLE WHY)

#define FLOPS(VERB)                                                                                \
    DIFFERS(VERB, "--flops-per-second", "data/simgrid/list", "--flops-per-second=1e9"),            \
        REFUSED(VERB, "--flops-per-second", TRACE, "--flops-per-second=1e9",                       \
                IDLE "on a trace in which times stand"),                                           \
        REFUSED(VERB, "--flops-per-second", GOAL, "--flops-per-second=1e9",                        \
                IDLE "on a stored schedule"),                                                      \
        REFUSED(VERB, "--flops-per-second", REDUCE, "--flops-per-second=1e9",                      \
                IDLE "on a collective")

/* QUIET has no noise, LOUD has. */
#define NOISY(VERB, QUIET, LOUD)                                                                   \
    DIFFERS(VERB, "--without", QUIET TWO, "--without=fixed:100Hz:50us"),                           \
        REFUSED(VERB, "--without", LOUD, "--without=tick", "--without: noise '"),                  \
        REFUSED(VERB, "--without", QUIET, "--without=tick", IDLE "without noise"),                 \
        DIFFERS(VERB, "--cosched", LOUD, "--cosched=1ms"),                                         \
        REFUSED(VERB, "--cosched", QUIET, "--cosched", IDLE "without noise"),                      \
        DIFFERS(VERB, "--ranks-per-node", LOUD, "--ranks-per-node=64"),                            \
        REFUSED(VERB, "--ranks-per-node", LOUD " --placement=data/nodes.txt",                      \
                "--ranks-per-node=2", IDLE "with a placement from a file"),                        \
        REFUSED(VERB, "--placement", LOUD, "--placement=cyclic", IDLE "with one rank on a node"),  \
        REFUSED(VERB, "--placement", QUIET, "--placement=bloc", "'bloc' is neither block nor"),    \
        DIFFERS(VERB, "--placement", LOUD "@node-all --ranks-per-node=4", "--placement=cyclic"),   \
        DIFFERS(VERB, "--threads-per-rank", LOUD, "--threads-per-rank=4"),                         \
        DIFFERS(VERB, "--cores-per-node", LOUD "@node", "--cores-per-node=8"),                     \
        REFUSED(VERB, "--threads-per-rank", QUIET NOISE "@node-all", "--threads-per-rank=2",       \
                IDLE "on noise that strikes all cores"),                                           \
        REFUSED(VERB, "--cores-per-node", LOUD, "--cores-per-node=8",                              \
                IDLE "without noise that strikes one core"),                                       \
        REFUSED(VERB, "--threads-per-rank", QUIET, "--threads-per-rank=2", IDLE "without noise"),  \
        REFUSED(VERB, "--threads-per-rank", LOUD, "--threads-per-rank=1025", "at most 1024"),      \
        REFUSED(VERB, "--cores-per-node", QUIET, "--cores-per-node=2", IDLE "without noise"),      \
        REFUSED(VERB, "--cores-per-node", LOUD " --ranks-per-node=8", "--cores-per-node=4",        \
                "4 cores are too few for 8 ranks"),                                                \
        REFUSED(VERB, "--ranks-per-node", QUIET, "--ranks-per-node=2", IDLE "without noise"),      \
        DIFFERS(VERB, "--accept-invalid", QUIET INVALID, "--accept-invalid"),                      \
        REFUSED(VERB, "--accept-invalid", LOUD, "--accept-invalid",                                \
                IDLE "without a measurement that is not valid"),                                   \
        DIFFERS(VERB, "--seed", LOUD, "--seed=2"),                                                 \
        REFUSED(VERB, "--seed", QUIET, "--seed=2", IDLE "without noise")

#define REPLICAS(VERB, QUIET, LOUD)                                                                \
    DIFFERS(VERB, "--replicas", LOUD, "--replicas=3"),                                             \
        REFUSED(VERB, "--replicas", QUIET, "--replicas=3", IDLE "without noise")

/* A run to be recorded; without a command there is none. */
#define RECORDING(VERB)                                                                            \
    DIFFERS(VERB, "--mpi", "-- true", "--mpi=openmpi"),                                            \
        TRACED(VERB, "--clock", "--mpi=openmpi -- printenv RIPPLE_TRACE_CLOCK",                    \
               "--clock=measure"),                                                                 \
        REFUSED(VERB, "--clock", "-- true", "--clock=never", "--clock: 'never' is none of"),       \
        TRACED(VERB, "--anonymous", "--mpi=openmpi -- printenv RIPPLE_TRACE_ANONYMOUS",            \
               "--anonymous"),                                                                     \
        TRACED(VERB, "--watch", "--mpi=openmpi -- printenv RIPPLE_TRACE_SWITCHES", "--watch"),     \
        REFUSED(VERB, "--max-cpu", "--watch -- true", "--max-cpu=2", "is no share of a CPU"),      \
        REFUSED(VERB, "--max-cpu", "-- true", "--max-cpu=1%", IDLE "without --watch")

#define CALIBRATED "-- data/launcher/orterun -n 2"
#define LAUNCHED   "-- data/launcher/orterun -n 4"
#define VALIDATED  "--machine=xt4 --runs=2 " LAUNCHED
/* The makespan is not that of VALIDATED. */
#define ON_ANOTHER "^simulated +(?!1\\.263ms)[0-9]"

/* Of detect: programs that compute for long enough, and a model of the first. */
#define RING   "'pattern:(calc=1ms~5%,ring)*60' --ranks=8"
#define SUMS   "'pattern:(calc=1ms~5%,allreduce:1KiB)*30' --ranks=8"
#define MODEL  " -o x.model"
#define LEARN  "learn " RING MODEL
#define RECORD "learn " TRACE MODEL " --filter=0s"
#define SCORE  "score ../some.model " RING
#define STRUCK SCORE " --noise=fixed:100Hz:5ms@3 --format=json" /* the network moves the onset */

#define STUDY REDUCE " --sweep=L=1us,2us"
