#!/bin/sh
# bench/bench_tracer.sh — SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs: the time of an MPI call as the program sees it, with and without the
# tracer, in turn: at 10,000 calls/s per rank with cold caches, and calls back to back. The tracer
# records context switches, too, with RIPPLE_TRACE_SWITCHES=1 in the environment.
# Usage: bench_tracer.sh BUILD-FOLDER [RANKS]
set -eu
build=${1:?usage: bench_tracer.sh BUILD-FOLDER [RANKS]}
ranks=${2:-2}
runs=9
tracer=$(realpath "$build/apps/tracer/libripple-trace-openmpi.so")
source=$(dirname "$0")/tracer_rate.c
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mpicc.openmpi -O2 -o "$dir/rate" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

plain() {
    mpirun.openmpi -n "$ranks" --bind-to hwthread "$dir/rate" "$@"
}
traced() {
    rm -rf "$dir/trace"
    mpirun.openmpi -n "$ranks" --bind-to hwthread env LD_PRELOAD="$tracer" \
        RIPPLE_TRACE_DIR="$dir/trace" "$dir/rate" "$@" 2>/dev/null
}
median() {
    sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# compare CALLS PERIOD: medians over ranks and runs, taken in turn
compare() {
    : >"$dir/plain" >"$dir/traced"
    i=0
    while [ $i -lt $runs ]; do
        plain "$1" "$2" >>"$dir/plain"
        traced "$1" "$2" >>"$dir/traced"
        i=$((i + 1))
    done
    awk -v what="$3" -v period="$2" -v a="$(median <"$dir/plain")" \
        -v b="$(median <"$dir/traced")" 'BEGIN {
        printf "%s: %.0f ns per call without, %.0f ns with the tracer: %+.0f ns", what, a, b, b - a
        if (period > 0)
            printf ", %.2f %% of a rank'"'"'s time", 100 * (b - a) / period
        printf "\n" }'
}
compare 5000 100000 "10,000 calls/s per rank"
compare 100000 0 "back to back"
