# What analyze says of the record of a run, in all formats, and of what is none.
ripple simulate data/pair.goal --set=L=2us --set=o=100ns --set=g=0 --record=pair.hb -o pair.txt
try ripple analyze pair.hb
try ripple analyze pair.hb --path --waits=1 --top=1 --format=json
noisy="--noise=fixed:50kHz:2us --replicas=1"
ripple simulate collective:allreduce:8B --ranks=8 --noise=fixed:20kHz:20us --replicas=1 --machine=chic --record=run.hb -o run.txt
try ripple analyze run.hb --path --top=3 --waits=4
for table in breakdown kinds ranks operations path causes waits; do
    try ripple analyze run.hb --format=csv --table=$table
done
# Large messages to one rank: its interface, and the receives that it posts late.
ripple simulate collective:gather:70000B --ranks=9 $noisy --record=gather.hb -o gather.txt
try ripple analyze gather.hb --waits=12
try ripple analyze gather.hb --waits=0 --top=1
# Levels and distance apart: one message within a node, then three over three switches each, two more than one.
ripple simulate collective:allreduce:1KiB -m data/levels.ini --ranks=16 --ranks-per-node=2 $noisy --record=levels.hb -o levels.txt
try ripple analyze levels.hb --top=1 --waits=2
try ripple analyze levels.hb --format=csv
try ripple analyze levels.hb --format=csv --table=operations --top=2
# What a run says of itself is what its record says, and everything adds up.
ripple simulate collective:alltoall:3KiB --ranks=64 --noise=jaguar --replicas=1 --format=json --record=all.hb -o all.json
ripple analyze all.hb --format=json --path --waits=1000 -o analysis.json
ripple analyze all.hb --format=csv --table=path -o path.csv
ripple analyze all.hb --format=csv --table=ranks -o ranks.csv
python3 - <<'PYTHON'
import csv, json
from fractions import Fraction
def rows(name):
    return list(csv.DictReader(line for line in open(name) if not line.startswith("#")))
run = [s for s in json.load(open("all.json"))["series"] if s["mode"] == "unsynchronized"][0]
said, own = run["breakdown_ps"], json.load(open("analysis.json"))
parts = {p["part"]: p["time_ps"] for p in own["breakdown"]}
folded = dict(compute=parts["compute"], o=parts["o"], O=parts["O"], L=parts["L"] + parts["S"],
              gap=parts["g"] + parts["G"], peer_noise=parts["peer_noise"], noise=parts["noise"])
print("the breakdown of the run:", folded == said)
print("parts add up:", sum(parts.values()) == own["makespan_ps"] == run["makespans_ps"][0])
print("kinds add up:", sum(k["time_ps"] for k in own["kinds"]) == own["makespan_ps"])
path = own["path"]
print("the path is whole:", path[0]["finish_ps"] == own["makespan_ps"], path[-1]["start_ps"] == 0,
      all(a["start_ps"] == b["finish_ps"] for a, b in zip(path, path[1:])),
      len(path) == own["path_stretches"])
print("as CSV:", [Fraction(r["finish_ns"]) * 1000 for r in rows("path.csv")] == [p["finish_ps"] for p in path])
ranks = rows("ranks.csv")
print("ranks add up:", sum(Fraction(r["time_ns"]) * 1000 for r in ranks) == own["makespan_ps"],
      len(ranks) == own["path_ranks"])
waits = [w["wait_ps"] for w in own["waits"]]
print("longest waits first:", len(waits) == min(1000, sum(c["waits"] for c in own["causes"])), waits == sorted(waits, reverse=True))
PYTHON
for threads in 1 2; do
    ripple simulate collective:barrier --ranks=4Ki $noisy --threads=$threads --record=$threads.hb -o $threads.txt
    ripple analyze $threads.hb | sed 1d >$threads.out
done
cmp 1.out 2.out && echo "the same of a run on 1 and 2 threads"
# What cannot be.
try ripple analyze
try ripple analyze pair.hb run.hb
try ripple analyze nowhere.hb
try ripple analyze data/pair.goal
try ripple analyze data
head -c 300 run.hb >cut.hb
try ripple analyze cut.hb
python3 -c 'd = bytearray(open("run.hb", "rb").read()); d[len(d) // 2] ^= 1; open("bad.hb", "wb").write(d)'
try ripple analyze bad.hb
try ripple analyze bad.hb -o out.txt
try ripple analyze run.hb --waits=many
try ripple analyze run.hb --top=0
try ripple analyze run.hb --table=waits
try ripple analyze run.hb --format=csv --table=wait
try ripple analyze run.hb --format=csv --path
try ripple analyze run.hb --format=csv --waits=5
try ripple analyze run.hb --format=csv --table=ranks --top=5
try ripple analyze run.hb -o run.hb
try ripple analyze run.hb -o /dev/full
try ripple analyze run.hb -o out.txt
files
