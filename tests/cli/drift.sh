# Clocks that drift apart move unsynchronized noise only, and the same on any number of threads.
run="collective:allreduce:1KiB --ranks=16 --repeat=200 --replicas=3 --cosched --format=csv -q"
results() {
    ripple simulate $run --noise=$1 --threads=${2-1} | grep -v '^#' | cut -d, -f1,3-
}
results fixed:1kHz:100us >none.csv
results fixed:1kHz:100us+drift=0 >zero.csv
results fixed:1kHz:100us+drift=2000 >drift.csv
results fixed:1kHz:100us+drift=2000 3 >threads.csv
cmp none.csv zero.csv && cmp drift.csv threads.csv && echo "drift=0 is none; the same on 1 and 3 threads"
diff none.csv drift.csv
ripple simulate $run --noise=jaguar+drift=20 | head -n 1

# A sweep takes it as any noise.
ripple sweep collective:allreduce:1KiB --ranks=16 --repeat=200 --replicas=3 \
    --sweep=noise=fixed:1kHz:100us,fixed:1kHz:100us+drift=2000 --sweep=cosched=no,yes --format=csv -o sweep.db -q

try ripple simulate data/pair.goal --noise=fixed:1kHz:1us+drift=-5
try ripple simulate data/pair.goal --noise=fixed:1kHz:1us+drift=200000
try ripple simulate data/pair.goal --noise=fixed:1kHz:1us+drift=1+drift=2
try ripple simulate data/pair.goal --noise=fixed:1kHz:1us+drift=1@0
try ripple simulate data/pair.goal --noise=poisson:1s:1ms+drift=20
try ripple simulate data/pair.goal --noise=drift=20
try ripple mine collective:barrier --ranks=4 --noise=fixed:1kHz:1us+drift=20 --cosched
