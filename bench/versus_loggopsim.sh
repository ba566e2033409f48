#!/bin/sh
# bench/versus_loggopsim.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Ripple and LogGOPSim on the same binary schedules, one after the other: wall time of the whole
# command (median of 3, or of RIPPLE_RUNS) and the makespan of each. Fails where these differ, or where one of the two
# prints none.
# Usage: RIPPLE_LOGGOPSIM=PATH versus_loggopsim.sh BUILD-FOLDER [RANKS...]
# Without that variable there is nothing to compare with, and it says so.
set -eu
build=${1:?usage: RIPPLE_LOGGOPSIM=PATH versus_loggopsim.sh BUILD-FOLDER [RANKS...]}
shift
if [ -z "${RIPPLE_LOGGOPSIM:-}" ]; then
    echo "RIPPLE_LOGGOPSIM is not set: no LogGOPSim to compare with" >&2
    exit 0
fi
command -v "$RIPPLE_LOGGOPSIM" >/dev/null || { echo "$RIPPLE_LOGGOPSIM: not found" >&2; exit 1; }
[ $# -gt 0 ] || set -- 1024 16384
ripple=$(realpath "$build/apps/ripple/ripple")
engine=$(realpath "$build/bench/bench_engine")
trace=$(dirname "$0")/../apps/proxies/traces/halo-cg-16
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
differ=0
runs=${RIPPLE_RUNS:-3}

# What LogGOPSim takes: whole nanoseconds.
L=9900 o=1750 g=3400 G=1 O=0 S=65535

run_ripple() {
    "$ripple" simulate --compat=loggopsim --format=csv --set=L=${L}ns --set=o=${o}ns \
        --set=g=${g}ns --set=G=${G}ns/B --set=O=${O}ns/B --set=S=${S}B "$1" 2>"$dir/notes" |
        awk -F, '/^[0-9]/ { print $5 }' # ranks,noise,cosched,replica,makespan_ns,...
}
# Up to 16 hosts it prints "Host N: TIME", above "Maximum finishing time at host N: TIME ...".
run_loggopsim() {
    "$RIPPLE_LOGGOPSIM" -f "$1" -L $L -o $o -g $g -G $G -O $O -S $S |
        awk '/^Host [0-9]+:/ { found = 1; if ($3 + 0 > most) most = $3 + 0 }
             /^Maximum finishing time/ { found = 1; sub(/^[^:]*:/, ""); most = $1 + 0 }
             END { if (found) printf "%.0f\n", most }'
}

# seconds COMMAND: the median; what it prints goes to $dir/out
seconds() {
    for _ in $(seq "$runs"); do
        begin=$(date +%s%N)
        "$@" >"$dir/out"
        echo $((($(date +%s%N) - begin) / 1000))
    done | sort -n | awk -v n="$runs" 'NR == int((n + 1) / 2) { print $1 / 1e6 }'
}

compare() {
    ours=$(seconds run_ripple "$2")
    result=$(cat "$dir/out")
    theirs=$(seconds run_loggopsim "$2")
    reference=$(cat "$dir/out")
    verdict=equal
    if [ -z "$result" ] || [ "$result" != "$reference" ]; then
        verdict=DIFFERENT
        differ=1
    fi
    printf '%-28s ripple %9.3f s  LogGOPSim %9.3f s  %6.1f times as fast  makespan %s ns, %s ns: %s\n' \
        "$1" "$ours" "$theirs" "$(echo "$theirs $ours" | awk '{ print $1 / ($2 > 0 ? $2 : 1e-6) }')" \
        "${result:-none}" "${reference:-none}" "$verdict"
    sed 's/^/    /' "$dir/notes" # what Ripple says of LogGOPSim's defects, and its errors
}

for ranks in "$@"; do
    for program in collective:allreduce:dissemination:1B collective:bcast:binomial:1B "$trace"; do
        "$ripple" schedule --quiet --ranks="$ranks" -o "$dir/schedule.bin" "$program" >/dev/null
        compare "$(basename "$program" | sed 's/collective://') $ranks" "$dir/schedule.bin"
        rm "$dir/schedule.bin"
    done
    "$engine" stencil "$ranks" save="$dir/stencil.bin"
    compare "stencil $ranks" "$dir/stencil.bin"
    rm "$dir/stencil.bin"
done
exit $differ
