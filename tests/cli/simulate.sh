# What simulate prints: text, CSV, per rank, JSON; the same bytes again; on any number of threads.
try ripple simulate data/pair.goal
try ripple simulate data/pair.goal --format=csv
try ripple simulate data/pair.goal --per-rank --format=csv --set=L=2us --set=o=100ns --set=g=0
try ripple simulate data/pair.goal --compat=loggopsim --per-rank -m data/machine.ini
noisy="--noise=fixed:1kHz:100us --cosched=1us --replicas=6"
try ripple simulate collective:barrier --ranks=4,64 $noisy
try ripple simulate collective:allreduce:ring:1KiB --ranks=8 --noise=fixed:1kHz:100us@0,5-7 --replicas=2 --cosched --format=csv
try ripple simulate collective:allreduce:ring:1KiB --ranks=3 --noise=fixed:1kHz:100us@0,1 --replicas=2 --cosched --per-rank --format=csv
try ripple simulate collective:bcast:4 --ranks=2 --noise=fixed:1kHz:100us --replicas=3 --format=json --explain
try ripple simulate collective:bcast:4 --ranks=4 --explain
try ripple simulate data/pair.goal --noise=data/good.detours --replicas=1
distribution="collective:barrier --ranks=16,33 --noise=fixed:1kHz:100us --replicas=200"
try ripple simulate $distribution --distribution
try ripple simulate $distribution --cosched=5us --distribution --format=csv --replica-csv=replicas.csv
sed -n '2,5p;204,205p;404,405p' replicas.csv
try ripple simulate $distribution --distribution --per-rank --format=csv
try ripple simulate $distribution --replica-csv=nowhere/replicas.csv
try ripple simulate $distribution --replica-csv=/dev/full
try ripple simulate $distribution --replicas=0
try ripple simulate $distribution --record=run.hb
try ripple simulate $distribution --ranks=16 --record=nowhere/run.hb
try ripple simulate $distribution --ranks=16 --record=/dev/full
for threads in 1 2; do
    ripple simulate collective:barrier --ranks=4Ki $noisy --threads=$threads --record=$threads.hb --format=csv -o $threads.csv
done
ripple simulate collective:barrier --ranks=4Ki $noisy --format=csv -o without.csv
cmp 1.hb 2.hb && cmp 1.csv without.csv && echo "the same record on 1 and 2 threads, the same results without"
for format in text csv json; do
    explain=--explain
    [ $format = csv ] && explain=--per-rank # it has no place for an explanation
    for threads in 1 2 3; do
        ripple simulate collective:allgather:8 --ranks=4,32 $noisy --format=$format --threads=$threads $explain -o $threads.out
    done
    ripple simulate collective:allgather:8 --ranks=4,32 $noisy --format=$format $explain >again.out
    cmp 1.out 2.out && cmp 1.out 3.out && cmp 1.out again.out &&
        echo "$format: the same on 1, 2 and 3 threads, and again"
    ripple simulate collective:allgather:8 --ranks=4,32 $noisy --format=$format --seed=2 -o other.out
    cmp -s 1.out other.out || echo "$format: another seed, another result"
done
ripple simulate collective:allgather:8 --ranks=4,32 $noisy --seed=1 --format=csv -o one.csv
ripple simulate collective:allgather:8 --ranks=4,32 $noisy --format=csv | cmp - one.csv && echo "the seed is 1 by default"
ripple simulate collective:barrier --ranks=64 --noise=jaguar --replicas=3 --cosched=0 --format=csv -o zero.csv
ripple simulate collective:barrier --ranks=64 --noise=jaguar --replicas=3 --cosched --format=csv -o none.csv
cmp zero.csv none.csv && echo "--cosched is --cosched=0"
ripple simulate collective:barrier --ranks=4,8 --noise=fixed:1kHz:100us@0,5-7 --replicas=3 --cosched=1us --per-rank --format=csv -o ranks.csv
ripple simulate collective:barrier --ranks=4,8 --noise=fixed:1kHz:100us@0,5-7 --replicas=3 --cosched=1us --format=csv -o runs.csv
python3 - <<'PYTHON'
import csv
def rows(name):
    return list(csv.DictReader(line for line in open(name) if not line.startswith("#")))
last = {}
for row in rows("ranks.csv"):
    key = row["ranks"], row["noise"], row["replica"]
    last.setdefault(key, []).append(float(row["finish_ns"]))
whole = {key for key in last if len(last[key]) == int(key[0])}
runs = {(r["ranks"], r["noise"], r["replica"]): float(r["makespan_ns"])
        for r in rows("runs.csv") if r["cosched"] == "1us"}
print(len(whole), "runs whose last rank ends with the co-scheduled makespan:",
      {key: max(last[key]) for key in whole} == runs)
PYTHON
