# Whom noise strikes: a tick on each core, on one of a node, on all; a slow node; what is refused.
tick() {
    ripple simulate 'pattern:calc=1ms,allreduce:8B*50' --ranks=128 --ranks-per-node=32 --replicas=10 \
        --noise="fixed:1kHz:25us$1" 2>&1 | grep -E '^ *128 |fixed:1kHz:25us'
}
tick ''
tick @core
tick @node
tick @node-fixed
tick @node-all
try ripple simulate 'pattern:stencil3d:8KiB,calc=10ms*5' --ranks=128 --ranks-per-node=32 --noise=slow:3%@node:2 --replicas=2
try ripple simulate 'pattern:calc=10ms,allreduce:8B*20' --ranks=32 --noise=slow:30%:60ms:10ms@0-31/8 --cosched --replicas=5
try ripple simulate collective:barrier --ranks=8 --noise=slow:3%@node:9
try ripple simulate collective:barrier --ranks=8 --ranks-per-node=4 --noise=fixed:1kHz:1us@node-all:2-5
try ripple simulate collective:barrier --ranks=8 --noise=fixed:1kHz:1us@nodes
try ripple simulate collective:barrier --ranks=8 --noise=fixed:1kHz:1us@0-7/0
try ripple simulate collective:barrier --ranks=8 --noise=slow:3
try ripple simulate collective:barrier --ranks=8 --noise=slow:3%:1s
try ripple simulate collective:barrier --ranks=8 --noise=slow:3%:1s:1s
# A rank of four threads, and cores that nobody uses.
try ripple simulate 'pattern:calc=1ms,allreduce:8B*50' --ranks=32 --ranks-per-node=8 --threads-per-rank=4 --cores-per-node=64 --noise=fixed:1kHz:25us@node --replicas=5
# A rank that never has all its cores.
try ripple simulate 'pattern:calc=10ms,allreduce:8B*10' --ranks=4 --threads-per-rank=4 --noise=fixed:100Hz:3ms
