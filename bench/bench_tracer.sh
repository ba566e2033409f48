#!/bin/sh
# bench/bench_tracer.sh — SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs: the time of an MPI call as the program sees it, without the tracer, with it,
# with it while it records the ranks' context switches as well (--watch), while it mines instead
# of writing an archive (--mine), and while it looks for typical sequences, with an archive and without
# (--detect), in turn: at 10,000 calls/s per rank with cold caches, and calls back to back.
# Usage: bench_tracer.sh BUILD-FOLDER [RANKS]
set -eu
build=$(realpath "${1:?usage: bench_tracer.sh BUILD-FOLDER [RANKS]}")
ranks=${2:-2}
runs=9
tracer=$build/apps/tracer/libripple-trace-openmpi.so
source=$(dirname "$0")/tracer_rate.c
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mpicc.openmpi -O2 -o "$dir/rate" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

plain() {
    mpirun.openmpi -n "$ranks" --bind-to hwthread "$dir/rate" "$@"
}
# learn CALLS PERIOD: the typical sequences of the program
learn() {
    rm -rf "$dir/trace" "$dir/model"
    traced 0 0 1 "" "$@" >/dev/null
    "$build/apps/ripple/ripple" detect learn -q --ref=clean -o "$dir/model" "$dir/trace" >/dev/null
}
# traced SWITCHES MINE ARCHIVE MODEL CALLS PERIOD: SWITCHES 1: context switches, too; MINE only: mined, no archive;
# ARCHIVE 0: none; MODEL: its sequences are looked for
traced() {
    rm -rf "$dir/trace"
    switches=$1
    mine=$2
    archive=$3
    model=$4
    shift 4
    mpirun.openmpi -n "$ranks" --bind-to hwthread env LD_PRELOAD="$tracer" \
        RIPPLE_TRACE_DIR="$dir/trace" RIPPLE_TRACE_SWITCHES="$switches" RIPPLE_TRACE_MINE="$mine" \
        RIPPLE_TRACE_ARCHIVE="$archive" RIPPLE_TRACE_DETECT="$model" "$dir/rate" "$@" 2>/dev/null
}
median() {
    sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# difference FROM TO WITH: of the medians
difference() {
    awk -v a="$(median <"$1")" -v b="$(median <"$2")" -v with="$3" -v period="$period" 'BEGIN {
        printf "  %.0f ns %s: %+.0f ns", b, with, b - a
        if (period > 0)
            printf ", %.2f %% of a rank'"'"'s time", 100 * (b - a) / period
        printf "\n" }'
}

# compare CALLS PERIOD WHAT: medians over ranks and runs, taken in turn
compare() {
    period=$2
    : >"$dir/plain" >"$dir/traced" >"$dir/switched" >"$dir/mined" >"$dir/scored" >"$dir/detected"
    learn "$1" "$2"
    i=0
    while [ $i -lt $runs ]; do
        plain "$1" "$2" >>"$dir/plain"
        traced 0 0 1 "" "$1" "$2" >>"$dir/traced"
        traced 1 0 1 "" "$1" "$2" >>"$dir/switched"
        traced 0 only 1 "" "$1" "$2" >>"$dir/mined"
        traced 0 0 1 "$dir/model" "$1" "$2" >>"$dir/scored"
        traced 0 0 0 "$dir/model" "$1" "$2" >>"$dir/detected"
        i=$((i + 1))
    done
    printf '%s: %.0f ns per call without the tracer\n' "$3" "$(median <"$dir/plain")"
    difference "$dir/plain" "$dir/traced" "with it"
    difference "$dir/traced" "$dir/switched" "with it and context switches, beyond that"
    difference "$dir/plain" "$dir/mined" "with it mining, without an archive"
    difference "$dir/traced" "$dir/scored" "with it and typical sequences, beyond that"
    difference "$dir/plain" "$dir/detected" "with typical sequences, without an archive"
}
compare 5000 100000 "10,000 calls/s per rank"
compare 100000 0 "back to back"
