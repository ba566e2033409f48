#!/bin/sh
# bench/view_cost.sh — SPDX-License-Identifier: GPL-3.0-or-later
# What `ripple view` costs beside the same runs without a picture (`simulate --no-symmetry`: an ideal and a
# noisy run of all ranks): CPU seconds of both, alternately, and the ratio of the medians.
# Usage: bench/view_cost.sh [BUILD [RANKS... ]]; with ROUNDS=N in the environment N of each [3].
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

echo "ranks steps simulate_s lanes_none_s view_s ratio_lanes_none ratio"
for ranks in "$@"; do
    steps=20
    [ "$ranks" = 1Mi ] && steps=4
    program="pattern:stencil3d:8KiB,calc=1ms*$steps"
    rm -f "$dir/simulate" "$dir/none" "$dir/view"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        cost simulate "$ripple" simulate "$program" --no-symmetry --ranks="$ranks" --noise=altix --replicas=1 --quiet
        cost none "$ripple" view "$program" --ranks="$ranks" --noise=altix --lanes=none --quiet \
            --page="$dir/none.html"
        cost view "$ripple" view "$program" --ranks="$ranks" --noise=altix --quiet --page="$dir/view.html"
        round=$((round + 1))
    done
    echo "$ranks $steps $(median simulate) $(median none) $(median view)" |
        awk '{ printf "%s %s %.1f %.1f %.1f %.2f %.2f\n", $1, $2, $3, $4, $5, $4 / $3, $5 / $3 }'
done
