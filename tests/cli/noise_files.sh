# Files of other tools as noise: divided ones by their sources, samples and histograms with a note on
# what was inferred; what cannot be read, by file, line and value.
run() { try ripple simulate 'pattern:calc=1ms*2' --ranks=4 --noise="$1" --replicas=5; }

cat >trace.txt <<'EOF'
# tracer: osnoise
a-961 [001] d.h. 5789.857532: irq_noise: local_timer:236 start 5789.857529929 duration 1845 ns
a-961 [001] d.h. 5789.858408: irq_noise: local_timer:236 start 5789.858404871 duration 2848 ns
a-54 [001] d... 5789.858413: thread_noise: migration/1:54 start 5789.858409300 duration 3068 ns
EOF
{
    echo '# RTLA osnoise histogram'
    echo '# Time unit is microseconds (us)'
    echo '# Duration: 0 00:00:01'
    echo 'Index CPU-000 CPU-001'
    echo '0 900 1000'
    echo '10 20 0'
} >hist.txt
printf '# Fixed Work Quantum Benchmark\n0\t1000\n1\t1003\n2\t1000\n' >fwq.txt
printf '0 100 98 n1\n0 150 2 n1\n' >psnap.txt
{
    echo '# ripple: {"cpus": [{"node": 0}, {"node": 1}], "sources": [{"name": "tick", "kind":'\
        '"interrupt", "evidence": "LOC"}, {"name": "cron", "kind": "scheduler"}]}'
    echo '# Time [ns]'
    for i in 1 2 3 4 5 6 7 8 9; do echo "${i}00000 2000 0"; done
    echo '999000 1000 1'
    echo '# Time [ns]'
    for i in 1 2 3 4 5 6 7 8 9; do echo "${i}10000 1000 0"; done
    echo '# Measurement period: 0.001 s'
} >nodes.detours

run trace.txt
run trace.txt+without=migration/1
run hist.txt
run fwq.txt
run psnap.txt
run nodes.detours
run nodes.detours@0-2
echo '# kinds and evidence'
ripple simulate 'pattern:calc=1ms*2' --ranks=4 --noise=nodes.detours --replicas=5 --format=json 2>/dev/null |
    grep -E '"(component|kind|evidence)"' | sort | uniq -c

printf '# Fixed Work Quantum Benchmark\n0\t1000\n1\tx\n' >bad.txt
run bad.txt
printf '   Operating System Noise\nCPU Period Runtime Noise Max Noise Max Single\n' >top.txt
run top.txt
run trace.txt+without=nobody
# A component of one measured node is left out by its name in the table.
ripple simulate 'pattern:calc=1ms*2' --ranks=4 --noise=nodes.detours --replicas=5 --format=csv \
    --without='tick@core of measured node 0 of 2,tick@core of measured node 1 of 2' |
    cut -d, -f1-8
