#!/bin/bash
# bench/extrapolated.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Does what is said of a size that nobody recorded depend on the size that was? Each program is enlarged from two
# records of different size: makespan without noise, and by how much the noise preset jaguar makes it longer (mean of the
# replicas with its 95 % interval, Student's t; of the ratio of the two means by Fieller, replica by replica, since each
# strikes the same ranks of both), on a larger grid, in copies, and in copies whose computation is resampled. Copies are as
# many ranks from both: the multiple of the two sizes that is nearest.
# Usage: extrapolated.sh BUILD-FOLDER [RANKS [REPLICAS [PROGRAM...]]]; 0 replicas: without noise
# The first way of each program is judged: within 5 % if makespans are, and slowdowns with their intervals; beyond it, and
# exit code 1, if the former are not, or the latter are further apart by more than their intervals; else the runs do not tell.
set -euo pipefail
build=${1:?usage: extrapolated.sh BUILD-FOLDER [RANKS [REPLICAS [PROGRAM...]]]}
ranks=${2:-16384}
replicas=${3:-10}
[ $# -lt 3 ] && shift $# || shift 3
[ $# -gt 0 ] || set -- stencil7 stencil27 sweep3d pop amg
traces=$(dirname "$0")/../apps/proxies/traces/counted
export LC_ALL=C
way() { # WORDS: the options of a way to enlarge
    case $1 in
    grid) echo --extrapolate=regrid ;;
    copies) echo --extrapolate=blocks ;;
    resampled) echo --extrapolate=blocks --copies=resampled ;;
    esac
}

# One line: of how many ranks, makespan without noise in ms, and the slowdown of each replica in %.
enlarge() { # RECORDED PROGRAM RATE WAY MULTIPLE
    local many=$ranks noise=()
    [ "$4" = grid ] || many=$(((ranks + $5 / 2) / $5 * $5))
    [ "$many" -gt 0 ] || many=$5
    [ "$replicas" = 0 ] || noise=(--noise=jaguar "--replicas=$replicas")
    # shellcheck disable=SC2046 # options are words
    "$build/apps/ripple/ripple" simulate -q "$traces/$2-$1.ti.xz" "--ranks=$many" \
        "--flops-per-second=$3" --format=csv $(way "$4") "${noise[@]}" |
        awk -F, -v many="$many" '
            /^[0-9]/ { ideal = $6 / 1e6; all = all " " 100 * $7 }
            END { printf "%d %.9f%s\n", many, ideal, all }'
}

multiple() { # A B: the least one of both
    local a=$1 b=$2
    while [ "$b" != 0 ]; do set -- "$1" "$2" $((a % b)); a=$b; b=$3; done
    echo $(($1 / a * $2))
}

# Two such lines, from two records, beside each other. @return 1: they are judged, and too far apart
compare() { # PROGRAM WAY RECORDED JUDGED
    awk -v program="$1" -v way="$2" -v from="$3" -v judged="$4" -v noisy="$replicas" '
        function size(x) { return x < 0 ? -x : x }
        function mean(x, n,   i, sum) { for (i = 1; i <= n; i++) sum += x[i]; return sum / n }
        function half(x, n,   i, m, sum) { # of the 95 % interval of the mean, by Student
            m = mean(x, n)
            for (i = 1; i <= n; i++) sum += (x[i] - m) * (x[i] - m)
            return n > 1 ? student(n) * sqrt(sum / (n - 1) / n) : 0
        }
        function student(n) { return n <= 20 ? t[n - 1] : n <= 60 ? 2.09 : 2.0 }
        function with(x, y, n,   i, a, b, sum) { # covariance of the means
            a = mean(x, n)
            b = mean(y, n)
            for (i = 1; i <= n; i++) sum += (x[i] - a) * (y[i] - b)
            return sum / (n - 1) / n
        }
        BEGIN { split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 " \
                      "2.131 2.120 2.110 2.101 2.093", t, " ") }
        { many[NR] = $1; ideal[NR] = $2; for (i = 1; i <= NF - 2; i++) slow[NR, i] = $(i + 2); n = NF - 2 }
        END {
            off = 100 * (ideal[2] - ideal[1]) / ideal[1]
            printf "%-10s %-10s %9.4g %9.4g %+6.2f%%", program, way, ideal[1], ideal[2], off
            most = least = size(off) # of what is apart, as far as the runs tell
            if (noisy > 0) {
                for (i = 1; i <= n; i++) { one[i] = slow[1, i]; two[i] = slow[2, i] }
                base = mean(one, n)
                apart = 100 * (mean(two, n) / base - 1)
                low = -1e9
                high = 1e9
                for (i = 1; i <= n && one[i] == two[i]; i++) continue
                if (i > n) # each the same: there is nothing to be uncertain of, however few they are
                    low = high = 0
                else if (n > 1) { # a replica strikes the same ranks of both
                    k = student(n) * student(n)
                    a = base * base - k * with(one, one, n)
                    b = base * mean(two, n) - k * with(one, two, n)
                    c = mean(two, n) * mean(two, n) - k * with(two, two, n)
                    if (a > 0) { # else any ratio might be
                        root = sqrt(b * b > a * c ? b * b - a * c : 0)
                        low = 100 * ((b - root) / a - 1)
                        high = 100 * ((b + root) / a - 1)
                    }
                }
                said = low == -1e9 ? "any" : i > n ? "each the same" : sprintf("%+.2f .. %+.2f", low, high)
                printf "   %-16s %-16s %+6.2f%% (%s)", sprintf("%.4g +- %.2g", base, half(one, n)), \
                    sprintf("%.4g +- %.2g", mean(two, n), half(two, n)), apart, said
                far = size(low) > size(high) ? size(low) : size(high)
                near = low > 0 ? low : high < 0 ? -high : 0
                if (far > most) most = far
                if (near > least) least = near
            }
            verdict = ": within 5 %"
            if (most > 5) verdict = ": 5 % cannot be told"
            if (least > 5) verdict = ": beyond 5 %"
            printf "   from %s ranks to %s%s\n", from, many[1], \
                judged == "yes" ? verdict : ""
            exit judged == "yes" && least > 5
        }'
}

printf '%s ranks, machine xt4' "$ranks"
[ "$replicas" = 0 ] && printf '\n' || printf ', noise jaguar, %s replicas\n' "$replicas"
printf '%-10s %-10s %9s %9s %7s   %-16s %-16s %7s\n' program enlarged 'ms from' 'ms from' apart 'slower by %' 'slower by %' apart
missed=0
for program in "$@"; do
    case $program in # what a flop, a thousand basic blocks, takes: so that runs are long enough to meet noise
    stencil7 | stencil27) small=27 large=64 rate=1e4 ways='grid copies resampled' ;;
    sweep3d) small=64 large=100 rate=1e5 ways='grid copies resampled' ;;
    pop) small=16 large=64 rate=1e5 ways='grid copies resampled' ;;
    amg) small=64 large=125 rate=1e5 ways='copies resampled' ;;
    *)
        echo "extrapolated.sh: there is no program '$program'; known: stencil7 stencil27 sweep3d pop amg" >&2
        exit 2 ;;
    esac
    judged=yes
    for enlarged in $ways; do
        one=$(enlarge $small "$program" $rate "$enlarged" "$(multiple $small $large)")
        two=$(enlarge $large "$program" $rate "$enlarged" "$(multiple $small $large)")
        printf '%s\n%s\n' "$one" "$two" | compare "$program" "$enlarged" "$small, $large" $judged || missed=1
        judged=no
    done
done
exit $missed
