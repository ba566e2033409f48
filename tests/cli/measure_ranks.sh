# Several processes of one command, by every MPI that is there: each measures its own CPUs into a
# file of its own, from a start in common; no file of their agreement is left.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
found=
for mpi in openmpi mpich; do
    command -v mpirun.$mpi >/dev/null || continue
    found=1
    set --
    [ $mpi = mpich ] || set -- --bind-to none
    mpirun.$mpi "$@" -n 2 ripple measure -q --windows=1 --time=100ms -o out >/dev/null 2>&1
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || echo "$mpi: exit $code"
    rm -f all
    ripple measure -q --merge out.* -o all >/dev/null 2>&1
    sed -n '1s/^# ripple: //p' all | python3 -c '
import json, os, sys
h = json.load(sys.stdin)
cpus = [c["cpu"] for c in h["cpus"]]
if cpus != sorted(set(cpus)) and len(set(cpus)) != len(cpus):
    print("a CPU was measured twice:", cpus)
if set(cpus) != os.sched_getaffinity(0):
    print("CPUs", cpus, "of", os.sched_getaffinity(0))
if len(h["nodes"]) != 1:
    print("nodes", h["nodes"])'
    rm -f out.* all
    ls -A | grep '^\.' && echo "$mpi: files are left"
    mpirun.$mpi "$@" -n 2 ripple measure -q --time=100ms 2>&1 | grep -o '2 processes need --output=FILE: each writes a FILE.RANK' | sort -u
done
[ -n "$found" ] || { echo "skipped: there is no mpirun" >&2; exit 77; }
