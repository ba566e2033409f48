# A detour travels through a chain; what it becomes is fitted. A run under noise, in each format.
try ripple view 'pattern:stencil1d,calc=1ms*30' --ranks=16 --inject=rank=8,at=5.2ms,for=6ms --format=csv --table=wave -q
try ripple view 'pattern:stencil1d,calc=1ms*30' --ranks=16 --inject=rank=8,at=5.2ms,for=6ms --lanes=8,9 -q
try ripple view 'pattern:stencil1d,calc=1ms*30' --ranks=16 --inject=rank=8,at=5.2ms,for=6ms --format=csv --table=front -q
try ripple view collective:allreduce:dissemination:8B --ranks=4 --repeat=300 --noise=fixed:1kHz:50us@1+fixed:700us:9us@2 --format=csv -q
try ripple view collective:allreduce:dissemination:8B --ranks=4 --noise=fixed:1kHz:500us@1 --lanes=1,0 --time=..30us --format=csv --table=slices -q
try ripple view collective:allreduce:dissemination:8B --ranks=4 --noise=fixed:1kHz:500us@1 --format=csv --table=messages -q
# What waited behind a detour, on which rank, and where its delay was absorbed.
try ripple view 'pattern:stencil1d,calc=100us*3' --ranks=4 --noise=fixed:1kHz:50us@1 --seed=3 --format=csv --table=ripples -q
try ripple view 'pattern:stencil1d,calc=100us*3' --ranks=4 --noise=fixed:1kHz:50us@1 --seed=3 --format=csv --table=cones -q
try ripple view 'pattern:stencil1d,calc=100us*3' --ranks=4 --noise=fixed:1kHz:50us@1 --seed=3 --table=cones -q
ripple view 'pattern:stencil1d,calc=100us*3' --ranks=4 --inject=rank=1,at=50us,for=70us --format=json -q | sed -n '/"num_ripples"/,/"injection"/p'
ripple view collective:barrier --ranks=2 --noise=fixed:1kHz:500us --lanes=none --format=json -q | sed '/"levels"/,/"lanes"/d'
try ripple view collective:barrier --ranks=2 --lanes=worst:1 -q
try ripple view
try ripple view collective:barrier --ranks=4,8
try ripple view collective:barrier --inject=rank=1,at=1ms
try ripple view collective:barrier --inject=rank=1,at=1ms,for=0
try ripple view collective:barrier --lanes=7-3
try ripple view collective:barrier --lanes=64
try ripple view collective:barrier --time=3ms..2ms
try ripple view collective:barrier --table=path
try ripple view collective:barrier --format=csv --table=front
try ripple view collective:barrier --page=/nowhere/x.html
try ripple view collective:barrier --paraver=/nowhere/x
# A trace as it was recorded.
try ripple view data/ft8 --recorded --lanes=3,0 -q
try ripple view data/ft8 --recorded --lanes=3 --time=..100us --format=csv --table=slices -q
try ripple view data/ft8 --recorded --inject=rank=1,at=0,for=1ms
try ripple view collective:barrier --recorded
# The record of a run: nothing is run.
ripple simulate collective:allreduce:dissemination:8B --ranks=4 --noise=fixed:1kHz:500us --replicas=1 --record=run.hb -o run.txt
try ripple view run.hb --lanes=2
try ripple view run.hb --lanes=2 --format=csv --table=slices
try ripple view run.hb --noise=altix
try ripple view run.hb --recorded
