# What was measured before: a tick, a daemon at random and bursts, 20 s of each of two CPUs, made here.
python3 - <<'PYTHON'
import math, random
random.seed(1)
with open("made.detours", "w") as f:
    for cpu in range(2):
        all = [(k * 4e6 + 1e5 * cpu + random.gauss(1e6, 1e3), random.gauss(5e3, 5e2)) for k in range(5000)]
        t = 0
        while (t := t + random.expovariate(1 / 100e6)) < 20e9:
            all.append((t, random.gauss(1.2e6, 1e5)))
        t = 0
        while (t := t + random.expovariate(1 / 1e9)) < 20e9:
            all += [(t + j * 1e5, random.gauss(4e4, 4e3)) for j in range(10)]
        end = 0
        print("# Benchmark Method: selfish", file=f)
        for start, length in sorted(all):
            if start > end + 1:
                print(f"{start:.2f}\t{length:.2f}", file=f)
                end = start + length
        print("# Measurement period: 20.00 s", file=f)
PYTHON
try ripple measure made.detours
ripple measure made.detours --format=csv | cut -d, -f1-4,7,13
ripple measure made.detours --format=json -o divided.detours | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["schema"], sorted(r["noise"]))
print([(s["name"], s["detours"]) for s in r["noise"]["sources"]])'
# Divided: the same makespans; without the tick, fewer detours; divided again, the same sources.
for noise in made.detours divided.detours "divided.detours --without=tick"; do
    ripple simulate pattern:calc=100ms --ranks=4 --noise=$noise --replicas=5 --format=csv | tail -n 1 | cut -d, -f1-7
done
ripple measure divided.detours --format=csv | cut -d, -f1-4
try ripple measure made.detours divided.detours --format=csv
try ripple measure made.detours divided.detours -o both.detours
try ripple measure made.detours -o made.detours
try ripple measure absent.detours
try ripple measure made.detours --time=1s
try ripple measure made.detours --collective=0
# Quanta: 20,000 intervals of 100 us, of which every hundredth loses half its work. No sources; a spectrum.
python3 -c '
print("# Benchmark Method: ftq\n# Compute-Cycle Duration: 100 usec\n# Number of Cycles/Detours: 20000")
print("# Fixed Time Quantum Benchmark\n# cycle number\tworkload iterations")
for k in range(20000):
    print(f"{k}\t{500 if k % 100 == 7 else 1000 - k * 7919 % 3}")
print("# Measurement period: 2.00 s")' >made.ftq
try ripple measure made.ftq --report=page -q
ls page | grep spectrum
