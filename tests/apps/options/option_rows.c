/* tests/apps/option_rows.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "option_rows.h"

#include <glib.h>

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

#define MACHINE(VERB, BASE)                                                                        \
    NETWORK(VERB, BASE), DIFFERS(VERB, "--compat", BASE " --set=S=0B", "--compat=loggopsim")

/* Idle, and why. */
#define NO_MACHINE(VERB, BASE, WHY)                                                                \
    REFUSED(VERB, "--machine", BASE, "--machine=chic", IDLE WHY),                                  \
        REFUSED(VERB, "--set", BASE, "--set=L=1ms", IDLE WHY),                                     \
        REFUSED(VERB, "--compat", BASE, "--compat=loggopsim", IDLE WHY)

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

#define STUDY REDUCE " --sweep=L=1us,2us"

const option_row option_rows[] = {
    /* The command itself. */
    SAYS("", "--help", "", "--help", "^Usage: ripple VERB"),
    SAYS("", "--version", "", "--version", "^ripple [0-9]"),
    SAYS("", "--completion", "", "--completion=bash", "complete -F _ripple ripple"),
    SAYS("", "--man", "", "--man=mine", "^\\.TH RIPPLE-MINE"),

    /* simulate */
    FLOPS("simulate"),
    DIFFERS("simulate", "--ranks", REDUCE, "--ranks=8"),
    PROGRAM("simulate", "", " --ranks=32"),
    DIFFERS("simulate", "--wildcards", LATE, "--wildcards=recorded"),
    MACHINE("simulate", REDUCE),
    DIFFERS("simulate", "--noise", REDUCE, "--noise=fixed:1kHz:100us"),
    DIFFERS("simulate", "--repeat", TRACE NOISE, "--repeat=auto"),
    REFUSED("simulate", "--repeat", REDUCE NOISE, "--repeat=auto", IDLE "on a collective"),
    REFUSED("simulate", "--repeat", TRACE, "--repeat=auto", IDLE "without noise"),
    DIFFERS("simulate", "--half-width", STEADY, "--half-width=5%"),
    REFUSED("simulate", "--half-width", TRACE NOISE, "--half-width=1%", IDLE WITHOUT_AUTO),
    DIFFERS("simulate", "--budget", STEADY, "--budget=0s"),
    DIFFERS("simulate", "--threshold", STEADY, "--threshold=10%"),
    REFUSED("simulate", "--threshold", TRACE NOISE, "--threshold=10%", IDLE WITHOUT_AUTO),
    REFUSED("simulate", "--budget", TRACE NOISE, "--budget=1s", IDLE WITHOUT_AUTO),
    REFUSED("simulate", "--per-rank", STEADY, "--per-rank", IDLE "with --repeat=auto"),
    DIFFERS("simulate", "--explain", STEADY, "--explain"),
    REFUSED("simulate", "--record", STEADY, "--record=run.hb", IDLE "with --repeat=auto"),
    NOISY("simulate", REDUCE, REDUCE NOISE),
    REPLICAS("simulate", REDUCE, REDUCE NOISE),
    DIFFERS("simulate", "--knock-out", REDUCE TWO, "--knock-out"),
    DIFFERS("simulate", "--knock-out", REDUCE TWO, "--knock-out=pairs"),
    DIFFERS("simulate", "--knock-out", REDUCE TWO, "--knock-out=largest"),
    REFUSED("simulate", "--knock-out", REDUCE, "--knock-out", IDLE "without noise"),
    REFUSED("simulate", "--knock-out", REDUCE TWO, "--knock-out=both", "--knock-out: 'both'"),
    DIFFERS("run", "--knock-out", REDUCE TWO " --ranks=4,8 --replicas=2", "--knock-out"),
    REFUSED("run", "--knock-out", REDUCE " --noise=none", "--knock-out", IDLE "without noise"),
    REFUSED("simulate", "--cosched", REDUCE " --noise=none", "--cosched", IDLE "without noise"),
    DIFFERS("simulate", "--per-rank", REDUCE, "--per-rank"),
    DIFFERS("simulate", "--per-rank", REDUCE " --format=csv", "--per-rank"),
    DIFFERS("simulate", "--per-rank", REDUCE " --format=json", "--per-rank"),
    DIFFERS("simulate", "--explain", REDUCE, "--explain"),
    DIFFERS("simulate", "--explain", REDUCE " --format=json", "--explain"),
    REFUSED("simulate", "--explain", REDUCE " --format=csv", "--explain", IDLE "with --format=csv"),
    DIFFERS("simulate", "--distribution", REDUCE NOISE, "--distribution"),
    DIFFERS("simulate", "--distribution", REDUCE NOISE " --format=csv", "--distribution"),
    REFUSED("simulate", "--distribution", REDUCE " --format=json", "--distribution",
            IDLE "with --format=json"),
    DIFFERS("simulate", "--replica-csv", REDUCE, "--replica-csv=x.csv"),
    DIFFERS("simulate", "--record", REDUCE, "--record=x.hb"),
    DIFFERS("simulate", "--time-limit", REDUCE " --ranks=64Ki", "--time-limit=1ms"),
    RESULT("simulate", REDUCE),
    SAME("simulate", "--threads", REDUCE NOISE, "--threads=3"),
    HUSHES("simulate", "--quiet", ANYONE, "-q", "ripple simulate: "),
    COMMON("simulate", REDUCE),

    /* schedule */
    FLOPS("schedule"),
    PROGRAM("schedule", "", " --ranks=32 --format=goal"),
    DIFFERS("schedule", "--wildcards", ANYONE " --format=dot", "--wildcards=recorded"),
    NETWORK("schedule", REDUCE " --check"),
    REFUSED("schedule", "--set", REDUCE " --check", "--set=S=0B", IDLE "on the longest path"),
    REFUSED("schedule", "--compat", REDUCE " --check", "--compat=loggopsim",
            IDLE "on the longest path"),
    NO_MACHINE("schedule", REDUCE, "without --check"),
    DIFFERS("schedule", "--check", REDUCE, "--check"),
    DIFFERS("schedule", "--strict", "data/backwards.goal", "--strict"),
    REFUSED("schedule", "--strict", REDUCE, "--strict", IDLE "on what is not GOAL text"),
    REFUSED("schedule", "--strict", TRACE, "--strict", IDLE "on what is not GOAL text"),
    RESULT("schedule", REDUCE),
    COMMON("schedule", REDUCE),

    /* mine */
    FLOPS("mine"),
    PROGRAM("mine", NOISE, " --ranks=32 --min-share=0 --min-count=1"),
    DIFFERS("mine", "--ranks", TRACE, "--ranks=32"),
    DIFFERS("mine", "--repeat", TRACE, "--repeat=2"),
    DIFFERS("mine", "--noise", TRACE, "--noise=none"),
    DIFFERS("mine", "--wildcards", LATE, "--wildcards=recorded"),
    MACHINE("mine", REDUCE),
    NO_MACHINE("mine", TRACE, "on a recorded run"),
    DIFFERS("mine", "--noise", REDUCE, "--noise=fixed:1kHz:100us"),
    NOISY("mine", REDUCE, REDUCE " --repeat=500 --noise=fixed:1kHz:100us+jaguar"),
    DIFFERS("mine", "--calls", TRACE " --min-share=0", "--calls=none"),
    DIFFERS("mine", "--exemplars", TRACE " --min-share=0", "--exemplars=all"),
    REFUSED("mine", "--exemplars", REDUCE, "--exemplars=all", IDLE "on a simulated run"),
    SAYS("mine", "--report", TRACE, "--report=page.html", "^file page.html"),
    REFUSED("mine", "--calls", REDUCE, "--calls=local", IDLE "on a simulated run"),
    REFUSED("mine", "--coll", TRACE, "--coll=sc10", IDLE "on a recorded run"),
    REFUSED("mine", "--compute", TRACE, "--compute=wall", IDLE "on a recorded run"),
    REFUSED("mine", "--no-p2p", TRACE, "--no-p2p", IDLE "on a recorded run"),
    REFUSED("mine", "--no-collectives", TRACE, "--no-collectives", IDLE "on a recorded run"),
    REFUSED("mine", "--roots", TRACE, "--roots=replica", IDLE "on a recorded run"),
    REFUSED("mine", "--wildcards", TRACE, "--wildcards=recorded", IDLE "on a recorded run"),
    REFUSED("mine", "--reduce", TRACE, "--reduce=1us/B", IDLE "on a recorded run"),
    REFUSED("mine", "--without", TRACE, "--without=x", IDLE "on a recorded run"),
    REFUSED("mine", "--cosched", TRACE, "--cosched", IDLE "on a recorded run"),
    REFUSED("mine", "--ranks-per-node", TRACE, "--ranks-per-node=2", IDLE "on a recorded run"),
    REFUSED("mine", "--placement", TRACE, "--placement=cyclic", IDLE "on a recorded run"),
    REFUSED("mine", "--threads-per-rank", TRACE, "--threads-per-rank=2", IDLE "on a recorded run"),
    REFUSED("mine", "--cores-per-node", TRACE, "--cores-per-node=2", IDLE "on a recorded run"),
    REFUSED("mine", "--accept-invalid", TRACE, "--accept-invalid", IDLE "on a recorded run"),
    REFUSED("mine", "--seed", TRACE, "--seed=2", IDLE "on a recorded run"),
    DIFFERS("mine", "--mode", BARRIER " --repeat=2k" NOISE "@0", "--mode=paper"),
    DIFFERS("mine", "--min-share", BARRIER " --repeat=2k" NOISE "@0", "--min-share=0.5"),
    REFUSED("mine", "--min-share", BARRIER " --mode=paper", "--min-share=0.5",
            IDLE "with --mode=paper"),
    DIFFERS("mine", "--min-count", BARRIER " --repeat=2k" NOISE "@0", "--min-count=1000"),
    REFUSED("mine", "--min-count", BARRIER " --mode=paper", "--min-count=9",
            IDLE "with --mode=paper"),
    DIFFERS("mine", "--quantum", BARRIER " --repeat=2k" NOISE "@0 --mode=paper", "--quantum=10us"),
    DIFFERS("mine", "--quantum", BARRIER " --repeat=2k --noise=fixed:3ms:100us@0", "--quantum=6ms"),
    DIFFERS("mine", "--cutoff", BARRIER " --repeat=2k" NOISE "@0 --mode=paper", "--cutoff=1"),
    REFUSED("mine", "--cutoff", BARRIER, "--cutoff=0.1",
            IDLE "without --mode=paper or --mode=projections"),
    RESULT("mine", TRACE),
    COMMON("mine", TRACE),

    /* run */
    /* Without it, sizes up to a million. */
    SAYS("run", "--ranks", REDUCE " --replicas=2 -q" NOISE, "--ranks=8", "^ +8 "),
    PROGRAM("run", " --replicas=2 -q" NOISE, " --ranks=32"),
    DIFFERS("run", "--wildcards", LATE " --replicas=2 --ranks=4", "--wildcards=recorded"),
    REFUSED("run", "--repeat", REDUCE, "--repeat=auto", IDLE "on a collective"),
    DIFFERS("run", "--half-width", LASTING, "--half-width=5%"),
    REFUSED("run", "--half-width", REDUCE, "--half-width=1%", IDLE "on a collective"),
    DIFFERS("run", "--budget", LASTING, "--budget=0s"),
    REFUSED("run", "--budget", LASTING " --repeat=2", "--budget=1s", IDLE WITHOUT_AUTO),
    DIFFERS("run", "--threshold", LASTING, "--threshold=45%"),
    REFUSED("run", "--threshold", LASTING " --noise=none", "--threshold=10%", IDLE "without noise"),
    MACHINE("run", REDUCE " --ranks=8 --noise=none"),
    DIFFERS("run", "--noise", LONG, "--noise=fixed:1kHz:100us"),
    NOISY("run", LONG " --noise=none", LONG NOISE),
    REPLICAS("run", LONG " --noise=none", LONG),
    RECORDING("run"),
    REFUSED("run", "--mpi", GOAL, "--mpi=mpich", IDLE "without a command to record"),
    REFUSED("run", "--clock", GOAL, "--clock=measure", IDLE "without a command to record"),
    REFUSED("run", "--anonymous", GOAL, "--anonymous", IDLE "without a command to record"),
    REFUSED("run", "--watch", GOAL, "--watch", IDLE "without a command to record"),
    DIFFERS("run", "--explain", REDUCE " --ranks=8 --replicas=2" NOISE, "--explain"),
    DIFFERS("run", "--explain", LASTING " --format=json", "--explain"),
    DIFFERS("run", "--time-limit", REDUCE " --ranks=16Ki --replicas=2", "--time-limit=1ms"),
    RESULT("run", GOAL),
    SAME("run", "--threads", REDUCE " --ranks=8,64", "--threads=3"),
    HUSHES("run", "--quiet", ANYONE " --ranks=8 --replicas=2" NOISE, "-q", "ripple run: "),
    COMMON("run", GOAL),

    /* trace */
    RECORDING("trace"),
    TRACED("trace", "--output", "--mpi=openmpi -- printenv RIPPLE_TRACE_DIR", "--output=elsewhere"),
    SAYS("trace", "--output", "--mpi=openmpi -- true", "--output=elsewhere", "elsewhere|tracer"),
    HUSHES("trace", "--quiet", "--mpi=openmpi -- false", "-q", "ended with exit code"),
    SAYS("trace", "--help", "", "--help", "^Usage: ripple trace"),

    /* monitor: what comes depends on the machine */
    SAYS("monitor", "--time", "-q -o x.nit", "--time=300ms",
         "watched for ([3-9][0-9][0-9][.m]|[0-9.]+s)"),
    REFUSED("monitor", "--time", "", "--time=1s -- true", IDLE "with a command"),
    SAYS("monitor", "--max-cpu", "-q -o x.nit --time=200ms", "--max-cpu=0.01%", ", [1-3] sweeps?:"),
    REFUSED("monitor", "--max-cpu", "-q -o x.nit --time=200ms", "--max-cpu=0",
            "--max-cpu: '0' is not a share of a CPU"),
    SAYS("monitor", "--rate", "-q -o x.nit --time=200ms", "--rate=1Hz", ", [1-3] sweeps?:"),
    REFUSED("monitor", "--rate", "--dump x.nit", "--rate=50Hz", IDLE "with --dump"),
    REFUSED("monitor", "--cpu", "-o x.nit --time=200ms", "--cpu=1000000",
            "--cpu: the CPU is not one"),
    REFUSED("monitor", "--pids", "-o x.nit --time=200ms", "--pids=2000000000",
            "--pids: '2000000000' is not the number of a process"),
    SAYS("monitor", "--dump", "", "--dump testdata/fuzz/nit/whole.nit", "^thread 0 node 0 pid 7"),
    SAYS("monitor", "--format", "-q -o x.nit --time=200ms", "--format=csv", "^[a-z_]+,[a-z_]+,"),
    REFUSED("monitor", "--validate", "-o x.nit", "--validate=all", "--validate: 'all'"),
    SAYS("monitor", "--validate", "-o x.nit --time=500ms --rate=200Hz", "--validate=fwq",
         "quanta of 33 ms on CPU"),
    SAYS("monitor", "--report", NIT, "--report=page", "monitor.html|^file page"),
    SAYS("monitor", "--paraver", NIT, "--paraver=x", "^file x.prv"),
    REFUSED("monitor", "--extrae", NIT, "--extrae=x.prv", IDLE "without --paraver"),
    REFUSED("monitor", "--extrae", NIT " --paraver=x", "--extrae=absent.prv", "absent.prv"),
    SAYS("monitor", "--perfetto", NIT, "--perfetto=x.json", "^file x.json"),
    REFUSED("monitor", "--ranks", "--time=200ms", "--ranks=absent", IDLE "without a FILE"),
    REFUSED("monitor", "--merge", NIT " -o x.nit", "--merge", IDLE "on one file"),
    REFUSED("monitor", "--clocks", NIT, "--clocks=sundial", "--clocks: "),
    REFUSED("monitor", "--perfetto", "--time=200ms", "--perfetto=x.json", IDLE "without a FILE"),
    SAYS("monitor", "--output", "--time=200ms", "-o x.nit", "is in x.nit"),
    HUSHES("monitor", "--quiet", "-o x.nit --time=200ms", "-q", "is in x.nit"),
    SAYS("monitor", "--help", "", "--help", "^Usage: ripple monitor"),

    /* measure: what comes depends on the machine */
    REFUSED("measure", "--cpus", "", "--cpus=1000000", "--cpus: "),
    SAYS("measure", "--time", "--windows=1 --events=1 --threshold=1.01 --format=csv -o x.txt",
         "--time=50ms", "^[0-9]+,[0-9]{4,9}[.,]"),
    SAYS("measure", "--events", "--windows=1 --time=50ms --threshold=1.01 --format=csv -o x.txt",
         "--events=1", "^[0-9]+,[0-9.]+,[0-9.e-]+,1,"),
    REFUSED("measure", "--events", "--method=fwq", "--events=1", IDLE "without --method=selfish"),
    SAYS("measure", "--threshold", "--windows=1 --time=50ms -q --format=csv -o x.txt",
         "--threshold=1e6", ",[0-9]{7,}[0-9.]*,(yes|no)$"),
    REFUSED("measure", "--threshold", "--method=ftq", "--threshold=5",
            IDLE "without --method=selfish"),
    SAYS("measure", "--windows", "--time=20ms -q -o x.txt", "--windows=2",
         "window [12] of 2 is kept"),
    SAYS("measure", "--one-by-one", "--windows=1 --time=20ms -q -o x.txt", "--one-by-one",
         "one CPU after the other"),
    SAYS("measure", "--method", "--windows=1 --time=20ms -q -o x.txt", "--method=ftq",
         "intervals +least work"),
    SAYS("measure", "--quantum", "--method=ftq --windows=1 --time=20ms -q --format=csv -o x.txt",
         "--quantum=1ms", "^[0-9]+,[0-9.]+,[0-9.e-]+,20,"),
    REFUSED("measure", "--quantum", "", "--quantum=1ms", IDLE "without --method=fwq or ftq"),
    SAYS("measure", "--samples", "--method=ftq --windows=1 -q --format=csv -o x.txt",
         "--samples=30", "^[0-9]+,[0-9.]+,[0-9.e-]+,30,"),
    REFUSED("measure", "--samples", "", "--samples=10", IDLE "without --method=fwq or ftq"),
    SAYS("measure", "--kernel", "--method=fwq --quantum=100us --windows=1 --time=20ms -q -o x.txt",
         "--kernel=daxpy", "quanta of 100us, kernel daxpy"),
    REFUSED("measure", "--kernel", "--method=ftq", "--kernel=fma", IDLE "without --method=fwq"),
    SAYS("measure", "--netgauge", "--windows=1 --time=20ms --events=1 -o x.txt", "--netgauge",
         "detours in x.txt(.|\n)*^file x.txt"),
    SAYS("measure", "--merge", "data/valid.detours -o x.txt", "--merge", "1 files in x.txt"),
    REFUSED("measure", "--merge", "data/valid.detours", "--merge", IDLE "without --output"),
    REFUSED("measure", "--netgauge", "", "--netgauge", IDLE "without --output"),
    SAYS("measure", "--format", "--windows=1 --time=50ms -q --threshold=1e6 -o x.txt",
         "--format=csv", "^cpu,duration_ns"),
    SAYS("measure", "--output", "--windows=1 --time=50ms --events=1 --threshold=1.01 --format=csv",
         "-o x.txt", "detours in x.txt(.|\n)*^file x.txt"),
    SAYS("measure", "--collective", "data/good.detours", "--collective=1ms",
         "every second collective of 1ms"),
    SAYS("measure", "--report", "data/good.detours", "--report=page", "^file page$"),
    HUSHES("measure", "--quiet",
           "--windows=1 --time=50ms --events=1 --threshold=1.01 --format=csv -o x.txt", "-q",
           "detours in x.txt"),
    SAYS("measure", "--help", "", "--help", "^Usage: ripple measure"),

    /* quick simulates up to a million ranks: tests/cli/quick.sh runs it once. Here: that every
     * option is looked at before. */
    REFUSED("quick", "--cpus", "", "--cpus=1000000", "--cpus: "),
    REFUSED("quick", "--time", "", "--time=0", "--time: no time to measure in"),
    REFUSED("quick", "--budget", "", "--budget=0", "--budget: no time to work in"),
    SAYS("quick", "--budget", "--time=50ms -q", "--budget=1s",
         "Left out, having no room in --budget: "),
    SAYS("quick", "--without", "--time=50ms -q", "--without=nobody",
         "--without: noise .*no component to leave out is called 'nobody'"),
    REFUSED("quick", "--machine", "", "--machine=xt5", "--machine: no such machine"),
    REFUSED("quick", "--set", "", "--set=L=never", "--set: L: not a time"),
    REFUSED("quick", "--compat", "", "--compat=simgrid", "--compat: 'simgrid' is none of"),
    REFUSED("quick", "--ranks-per-node", "", "--ranks-per-node=0", "--ranks-per-node: "),
    REFUSED("quick", "--placement", "", "--placement=cyclic", IDLE "with one rank on a node"),
    REFUSED("quick", "--threads-per-rank", "", "--threads-per-rank=x", "--threads-per-rank: "),
    REFUSED("quick", "--cores-per-node", "", "--cores-per-node=1 --ranks-per-node=2", "too few"),
    REFUSED("quick", "--format", "", "--format=xml", "--format: 'xml' is none of"),
    REFUSED("quick", "--seed", "", "--seed=-1", "--seed: '-1' is not a whole number"),
    REFUSED("quick", "--threads", "", "--threads=0", "--threads: '0' is not a whole number"),
    REFUSED("quick", "--time-limit", "", "--time-limit=0", "--time-limit: no time"),
    SAYS("quick", "--output", "--time=1s", "--output=data/pair.goal", "data/pair.goal"),
    SAYS("quick", "--quiet", "--help", "-q", "^Usage: ripple quick"),
    SAYS("quick", "--help", "", "--help", "^Usage: ripple quick"),

    /* sweep */
    DIFFERS("sweep", "--sweep", STUDY, "--sweep=o=1us,2us"),
    REFUSED("sweep", "--sweep", BARRIER, "--sweep=bytes=1,2", "bytes:" IDLE "on this program"),
    REFUSED("sweep", "--sweep", STUDY NOISE, "--sweep=sigma=1us", "sigma:" IDLE "without cosched"),
    REFUSED("sweep", "--sweep", STUDY, "--sweep=seed=1,2", "seed:" IDLE "without noise"),
    DIFFERS("sweep", "--ranks", STUDY, "--ranks=8"),
    DIFFERS("sweep", "--coll", STUDY, "--coll=allreduce=ring"),
    REFUSED("sweep", "--coll", NAMED " --sweep=L=1us,2us", "--coll=sc10",
            IDLE "on a collective whose algorithm is named"),
    DIFFERS("sweep", "--compute", TRACE " --sweep=L=1us,2us", "--compute=wall"),
    REFUSED("sweep", "--compute", STUDY, "--compute=wall", IDLE "on a collective"),
    DIFFERS("sweep", "--no-p2p", TRACE " --sweep=L=1us,2us", "--no-p2p"),
    REFUSED("sweep", "--no-p2p", STUDY, "--no-p2p", IDLE "on a collective"),
    DIFFERS("sweep", "--no-collectives", TRACE " --sweep=L=1us,2us", "--no-collectives"),
    REFUSED("sweep", "--no-collectives", STUDY, "--no-collectives", IDLE "on a collective"),
    DIFFERS("sweep", "--roots", TRACE " --sweep=ranks=16,64", "--roots=replica"),
    REFUSED("sweep", "--roots", TRACE " --sweep=L=1us,2us", "--roots=replica",
            IDLE "on a trace that is not repeated"),
    DIFFERS("sweep", "--wildcards", LATE " --sweep=L=1us,2us", "--wildcards=recorded"),
    REFUSED("sweep", "--wildcards", STUDY, "--wildcards=recorded", IDLE "on a collective"),
    DIFFERS("sweep", "--reduce", STUDY, "--reduce=1us/B"),
    REFUSED("sweep", "--reduce", NAMED " --sweep=L=1us,2us", "--reduce=1us/B",
            IDLE "on a collective that reduces nothing"),
    DIFFERS("sweep", "--repeat", STUDY, "--repeat=2"),
    DIFFERS("sweep", "--repeat", GOAL " --sweep=L=1us,2us", "--repeat=2"),
    DIFFERS("sweep", "--machine", STUDY, "--machine=chic"),
    DIFFERS("sweep", "--set", STUDY, "--set=o=1ms"),
    DIFFERS("sweep", "--compat", STUDY " --set=S=0B", "--compat=loggopsim"),
    DIFFERS("sweep", "--noise", STUDY, "--noise=fixed:1kHz:100us"),
    DIFFERS("sweep", "--page", STUDY, "--page=x"),
    REFUSED("sweep", "--page", STUDY " --dry-run", "--page=x", IDLE "with --dry-run"),
    NOISY("sweep", STUDY, STUDY NOISE),
    REPLICAS("sweep", STUDY, STUDY NOISE),
    DIFFERS("sweep", "--dry-run", STUDY, "--dry-run"),
    DIFFERS("sweep", "--time-limit", STUDY " --ranks=64Ki", "--time-limit=1ms"),
    RESULT("sweep", STUDY),
    REFUSED("sweep", "--format", STUDY " --dry-run", "--format=csv", IDLE "with --dry-run"),
    SAME("sweep", "--threads", STUDY NOISE, "--threads=3"),
    HUSHES("sweep", "--quiet", STUDY, "-q", "ripple sweep: "),
    COMMON("sweep", STUDY),

    /* report */
    DIFFERS("report", "--output", "some.db", "--output=elsewhere"),
    COMMON("report", "some.db"),

    /* analyze */
    DIFFERS("analyze", "--waits", "some.hb", "--waits=1"),
    REFUSED("analyze", "--waits", "some.hb --format=csv", "--waits=1", "CSV is one table"),
    DIFFERS("analyze", "--top", "some.hb", "--top=1"),
    REFUSED("analyze", "--top", "some.hb --format=csv", "--top=1", "CSV is one table"),
    DIFFERS("analyze", "--path", "some.hb", "--path"),
    REFUSED("analyze", "--path", "some.hb --format=csv", "--path", "CSV is one table"),
    DIFFERS("analyze", "--table", "some.hb --format=csv", "--table=ranks"),
    REFUSED("analyze", "--table", "some.hb", "--table=ranks", "only with --format=csv"),
    RESULT("analyze", "some.hb"),
    COMMON("analyze", "some.hb"),

    /* doctor */
    RESULT("doctor", ""),
    COMMON("doctor", ""),
};
const size_t num_option_rows = G_N_ELEMENTS(option_rows);
