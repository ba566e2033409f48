#!/bin/sh
# bench/watch_burner.sh — SPDX-License-Identifier: GPL-3.0-or-later
# Is a culprit found? A burner of 4 ms every 100 ms on CPU 1, beside two ranks that are bound to cores,
# and beside eight ranks on whatever cores there are. Says the rows of the burner, and of every rank
# how much of its lost time is joined to a name; then what `run --watch` makes of it at 1Ki, 16Ki and 1Mi ranks, with
# and without the burner, within SECONDS.
# Usage: watch_burner.sh BUILD-FOLDER [SECONDS [ITERATIONS]]; on a machine that does nothing else.
set -eu
build=$(realpath "${1:?usage: watch_burner.sh BUILD-FOLDER [SECONDS [ITERATIONS]]}")
seconds=${2:-600}
iterations=${3:-1000}
ripple=$build/apps/ripple/ripple
program=$build/apps/proxies/halo_cg
dir=$(mktemp -d)
burner=
trap 'test -z "$burner" || kill "$burner" 2>/dev/null; rm -rf "$dir"' EXIT
cc -O2 -D_GNU_SOURCE -o "$dir/burner" "$(dirname "$0")/burner.c"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$dir"
./burner 1 4000 100000 600 &
burner=$!
echo "== two ranks, bound to cores"
"$ripple" trace -q --watch -o two -- mpirun.openmpi -n 2 --bind-to core "$program" 800 "$iterations"
echo "== eight ranks, more than cores"
"$ripple" trace -q --watch -o eight -- mpirun.openmpi -n 8 --oversubscribe "$program" 300 $((iterations * 3 / 10))
echo "== what it costs"
"$ripple" run -q --watch --ranks=1Ki,16Ki,1Mi --budget "${seconds}s" -o report -- mpirun.openmpi -n 2 --bind-to core "$program" 6000 4
