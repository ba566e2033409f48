# Which node ranks are on, what messages within a node take, and how far nodes are from each other.
# In pair.goal a message of 8 bytes goes between 1,000 ns and 500 ns of work. By hand, in ns:
pair="ripple simulate data/pair.goal --format=csv"
echo "one node: 1000 + 100 + 300 + 100 + 500 = 2000"
$pair --set=node.L=300ns --set=node.o=100ns --set=node.G=0 --ranks-per-node=2
echo "two nodes: 1000 + 1750 + 9900 + 1750 + 7 x 0.58 + 500 = 14904.06"
$pair --set=node.L=300ns --set=node.o=100ns --set=node.G=0 | tail -1
echo "and three switches on the way: + 2 x 100"
$pair --set=distance=fat-tree:4:2 --set=L_hop=100ns --placement=data/apart.txt | tail -1
echo "a distance of the machine's file left out: 400 + 1300 + 400 + 7 x 0.08, and what is worked"
$pair -m data/levels.ini --set=distance=none | tail -1
$pair -m data/levels.ini --placement=data/apart.txt | tail -1
echo "halos of 16 ranks in a square: one hop each on such a torus, 4 + 1 from 0 to 12 on one of 8 x 2, 4 on a ring"
halo="ripple simulate pattern:stencil2d:1B --ranks=16 --set=L=1us --set=o=0 --set=g=0 --set=G=0 --set=L_hop=10ns --format=csv"
$halo --set=distance=torus:4x4 | tail -1
$halo --set=distance=torus:8x2 | tail -1
$halo --set=distance=torus:16 | tail -1
echo "twelve rounds of 1.648 us, seven and five of 0.421 us, six and six"
azure="ripple simulate collective:allreduce:8B --ranks=4Ki --machine=azure --format=csv"
levels="--set=node.L=300ns --set=node.o=60ns"
$azure | tail -1
$azure $levels --ranks-per-node=64 | tail -1
$azure $levels --ranks-per-node=64 --placement=cyclic | tail -1
try ripple simulate collective:allreduce:1KiB -m data/levels.ini --ranks=8 --ranks-per-node=2 --noise=fixed:1kHz:100us --replicas=2
try ripple simulate collective:allreduce:1KiB -m data/levels.ini --ranks=4,8 --ranks-per-node=2 --format=json
echo "the same network as a graph and as a matrix"
for form in graph:data/leaves.graph matrix:data/leaves.matrix; do
    ripple simulate collective:barrier --ranks=8 --set=distance=$form --set=L_hop=70ns --format=csv | tail -1
done
try ripple sweep collective:allreduce:8B --ranks=16 --machine=azure --sweep=node.L=100ns,1us --sweep=placement=block,cyclic --ranks-per-node=4 --format=csv -o places.db
try ripple sweep collective:barrier --ranks=8 --sweep=distance=none,graph:data/leaves.graph --set=L_hop=70ns --format=csv -o distance.db
try ripple mine collective:barrier --repeat=50 --ranks=8 -m data/levels.ini --ranks-per-node=4 --noise=fixed:1kHz:100us@0 --format=csv
