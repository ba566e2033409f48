# Beside another program on the CPU that is measured: not valid, which is said first, and nothing is
# concluded from it.
cpu=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
taskset -c "$cpu" sh -c 'while :; do :; done' &
busy=$!
ripple quick --cpus="$cpu" --time=200ms --budget=3s -q -o invalid >text 2>messages
echo "exit $?"
kill $busy
sed -n 2p text | grep -o '^NOT VALID: the measurement of the noise.*stands for that machine\.'
sed -n '/^what these numbers stand on/,/^Report/p' text | grep -v '^    ' | grep -A9 '^No conclusion'
grep '^What to switch off first' text
grep -o 'class="warning">NOT VALID' invalid/report.html
grep -q 'The measurement is not valid\..* Files:' invalid/report.html && echo "captions say so"

# Numbers are the machine's, and how many sizes there are its load's; what is there is not, and every
# parameter is said once.
ripple quick --time=100ms --budget=4s -q -o report --format=json >quick.json 2>messages
code=$?
[ $code -eq 0 ] || [ $code -eq 3 ] || { echo "exit $code"; cat messages; }
python3 - $code <<'PYTHON'
import json, sys
def once(pairs):
    keys = [key for key, value in pairs]
    assert len(set(keys)) == len(keys), keys
    return dict(pairs)
r = json.load(open("quick.json"), object_pairs_hook=once)
parameters = r["manifest"]["parameters"]
print(r["schema"], sorted(r["manifest"]), sorted(set(parameters) - {"left-out", "without"}))
print("the code agrees with the verdict:", (sys.argv[1] == "0") == r["valid"])
sizes = [64 * 4 ** i for i in range(8)]
there = sizes[:len(r["series"]) // 3]
series = [(s["ranks"], s["mode"], len(s["makespans_ps"])) for s in r["series"]]
wanted = (("ideal", 1), ("unsynchronized", 10), ("co-scheduled", 10))
assert series == [(size, mode, runs) for size in there for mode, runs in wanted], series
assert there and r.get("left_out", []) == sizes[len(there):], r.get("left_out")
for s in r["series"]: # beyond 10 million operations there is none
    assert ("breakdown_ps" in s) == (s["operations"] <= 10e6), s
    whole = sum(s.get("breakdown_ps", {"all": s["makespans_ps"][0]}).values())
    assert whole == s["makespans_ps"][0], s
sources = {s["name"]: s["share"] for s in r["noise"]["sources"]}
nameless = r["unexplained"]
print("sources add up:", abs(sum(sources.values()) - r["noise"]["share"]) < 1e-9,
      0 <= nameless["switched_share"] <= nameless["share"] <= r["noise"]["share"])
watch = r["watch"]
print("watched:", watch["threads"] > 0, watch["interval_ns"] > 0)
own = set(watch["own_sources"])
assert own <= set(sources) and ",".join(watch["own_sources"]) == parameters.get("without", ""), watch
out = r["knock_out"]
names = {name.split("detours.txt: ")[-1] for name in out["components"]}
assert names == set(sources) - own, (names, sources)
tables = out["tables"]
# The smallest size in any case; of the others what there was time for, the largest first.
looked_at = [t["ranks"] for t in tables]
assert looked_at == [n for n in there if n in looked_at] and looked_at[0] == there[0], tables
assert all(t["mode"] == "unsynchronized" and t["replicas"] == 10 for t in tables)
whole = len(out["components"])
partial = [t for t in tables if len(t["gains"]) < whole]
assert tables[0] not in partial and all(2 * len(t["gains"]) >= whole for t in tables), tables
assert len(partial) == sum("to leave out" in line for line in out["conditions"]), out["conditions"]
says = out["findings"][0]
print("the answer:", says.startswith("What to switch off first, unsynchronized, at " if r["valid"]
                                     else "What to switch off first: no conclusion"))
PYTHON
(cd report && ls detours.txt node.nit report.html knock-out-unsynchronized.csv where.svg)
for part in 'What to switch off first' 'Where the detours come from' 'unexplained'; do
    grep -q "$part" report/report.html && echo "on the page: $part"
done
ripple monitor report/node.nit --format=json | python3 -c '
import json, sys
print("what was watched:", json.load(sys.stdin)["nodes"][0]["sweeps"] > 0)'
[ $code -eq 0 ] || accept=--accept-invalid
ripple simulate collective:barrier --ranks=2 --noise=report/detours.txt ${accept-} --replicas=1 --format=csv | tail -n 1 | cut -d, -f1-4
