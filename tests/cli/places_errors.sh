# One clear line for each mistake about nodes; exit 2 if it is in the command line, else 1.
one() {
    try ripple simulate collective:barrier --ranks=8 "$@"
}
noise=--noise=fixed:1kHz:100us
one --ranks-per-node=2
one $noise --ranks-per-node=0
one $noise --placement=cyclic
one $noise --placement=blok
one $noise --placement=no/such/file
one $noise --placement=data
one $noise --placement=data/nodes.txt
one $noise --placement=data/nodes.txt --ranks-per-node=4
one $noise --placement=data/bad_nodes.txt
one --threads-per-rank=2
one $noise --threads-per-rank=2000
one --cores-per-node=4
one $noise --cores-per-node=4 --ranks-per-node=4 --threads-per-rank=2
one --set=node.L=
one --set=node.l=1us
one --set=distance=tours:4x4
one --set=distance=torus:4x4
one --set=distance=torus:2x2 --set=L_hop=1ns
one --set=L_hop=1ns
one --set=distance=torus:9 --set=L_hop=25d
one --set=distance=torus:99999x9 --set=L_hop=8h
one --set=distance=graph:no/such/file --set=L_hop=1ns
one --set=distance=graph:data/bad_nodes.txt --set=L_hop=1ns
one --set=distance=matrix:data/leaves.graph --set=L_hop=1ns
one --set=distance=graph:data/leaves.graph --set=L_hop=1ns --ranks=9
one -m data/one_level.ini
one -m data/levels.ini --compat=loggopsim
one --compat=loggopsim --set=node.L=1us
one --compat=loggopsim --set=distance=torus:9 --set=L_hop=25ns
try ripple simulate collective:barrier --ranks=64,128 --set=distance=torus:8x8 --set=L_hop=1ns
try ripple run collective:barrier --set=distance=torus:8x8 --set=L_hop=1ns
try ripple quick --set=distance=torus:8x4 --set=L_hop=1ns
try ripple schedule collective:barrier --ranks=4 --check -m data/levels.ini
try ripple sweep collective:barrier --ranks=8 --sweep=L_hop=1ns,2ns
try ripple sweep collective:barrier --ranks=8 --sweep=distance=none,tours:3
try ripple sweep collective:barrier --ranks=8,64 --set=distance=torus:16 --set=L_hop=1ns
