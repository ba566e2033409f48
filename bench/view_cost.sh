#!/bin/sh
# bench/view_cost.sh — SPDX-License-Identifier: GPL-3.0-or-later
# What `ripple view` costs beside the same runs without a picture: `simulate --no-symmetry`, an ideal and a
# noisy run of all ranks, and `simulate`, whose ideal run is of a few ranks where these stand for all. CPU
# seconds, alternately, and ratios of the medians.
# Usage: bench/view_cost.sh [BUILD [RANKS... ]]; in the environment ROUNDS=N of each [3], PROGRAM [a stencil of
# 20 steps, 4 at 1Mi ranks], NOISE [altix].
set -eu
build=${1:-build/bench}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 64Ki 1Mi
ripple=$build/apps/ripple/ripple
rounds=${ROUNDS:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cost() { # FILE COMMAND...: CPU seconds to FILE
    file=$1
    shift
    /usr/bin/time -f '%U %S' -o "$dir/time" "$@" >/dev/null
    awk '{ print $1 + $2 }' "$dir/time" >>"$dir/$file"
}

median() {
    sort -n "$dir/$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

noise=${NOISE:-altix}
echo "ranks all_s simulate_s lanes_none_s view_s ratio_all ratio"
sizes=$*
for ranks in $sizes; do
    steps=20
    [ "$ranks" = 1Mi ] && steps=4
    program=${PROGRAM:-"pattern:stencil3d:8KiB,calc=1ms*$steps"}
    rm -f "$dir/all" "$dir/simulate" "$dir/none" "$dir/view"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        set -- --ranks="$ranks" --noise="$noise" --quiet
        cost all "$ripple" simulate "$program" "$@" --no-symmetry --replicas=1
        cost simulate "$ripple" simulate "$program" "$@" --replicas=1
        cost none "$ripple" view "$program" "$@" --lanes=none --page="$dir/none.html"
        cost view "$ripple" view "$program" "$@" --page="$dir/view.html"
        round=$((round + 1))
    done
    echo "$ranks $(median all) $(median simulate) $(median none) $(median view)" |
        awk '{ printf "%s %.2f %.2f %.2f %.2f %.2f %.2f\n", $1, $2, $3, $4, $5, $5 / $2, $5 / $3 }'
done
