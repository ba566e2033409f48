# Beside another program on the CPU that is measured: not valid, which is said first, and nothing is
# concluded from it.
cpu=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
taskset -c "$cpu" sh -c 'while :; do :; done' &
busy=$!
ripple quick --cpus="$cpu" --time=200ms -q -o invalid >text 2>messages
echo "exit $?"
kill $busy
sed -n 2p text | grep -o '^NOT VALID: the measurement of the noise.*stands for that machine\.'
sed -n '/^what these numbers stand on/,/^Report/p' text | grep -v '^    ' | grep -A9 '^No conclusion'
grep -o 'class="warning">NOT VALID' invalid/report.html
grep -q 'The measurement is not valid\..* Files:' invalid/report.html && echo "captions say so"

# Numbers are the machine's; what is there is not, and every parameter is said once.
ripple quick --time=100ms -q -o report --format=json >quick.json 2>messages
code=$?
[ $code -eq 0 ] || [ $code -eq 3 ] || { echo "exit $code"; cat messages; }
python3 - $code <<'PYTHON'
import json, sys
def once(pairs):
    keys = [key for key, value in pairs]
    assert len(set(keys)) == len(keys), keys
    return dict(pairs)
r = json.load(open("quick.json"), object_pairs_hook=once)
print(r["schema"], sorted(r["manifest"]), sorted(r["manifest"]["parameters"]))
print("the code agrees with the verdict:", (sys.argv[1] == "0") == r["valid"])
series = [(s["ranks"], s["mode"], len(s["makespans_ps"])) for s in r["series"]]
print(series)
taken = r["taken"]
print("classes and their shares:", len(taken) > 0, all(0 <= t["share"] < 1 for t in taken))
for s in r["series"]: # beyond 10 million operations there is none
    assert ("breakdown_ps" in s) == (s["operations"] <= 10e6), s
    whole = sum(s.get("breakdown_ps", {"all": s["makespans_ps"][0]}).values())
    assert whole == s["makespans_ps"][0], s
PYTHON
(cd report && ls)
[ $code -eq 0 ] || accept=--accept-invalid
ripple simulate collective:barrier --ranks=2 --noise=report/detours.txt ${accept-} --replicas=1 --format=csv | tail -n 1 | cut -d, -f1-4
