# A recorded program: repeated, simulated, mined; and records that are damaged.
try ripple simulate data/ft8/pmpi-trace-rank-3.txt --ranks=8,16,64 --noise=fixed:1kHz:100us --replicas=3 --cosched
try ripple simulate data/ft8 --compute=wall --coll=alltoall=pairwise,reduce=linear --format=csv
try ripple simulate data/ft8 --no-collectives --format=csv
try ripple simulate data/ft8 --ranks=12
try ripple simulate data/ft8 --repeat=3 --format=csv
try ripple schedule data/ft8 --repeat=3 --ranks=16 --check
try ripple simulate data/ft8 --repeat=100k
try ripple mine data/ft8
try ripple mine data/ft8 --ranks=16
try ripple mine data/ft8 --noise=fixed:5ms:1ms@5
ripple simulate data/ft8 --ranks=16 --per-rank --format=csv | tail -n +3 >direct
tar -C data -cJf ft8.tar.xz ft8
ripple simulate ft8.tar.xz --ranks=16 --per-rank --format=csv | tail -n +3 | cmp - direct && echo "from the archive: the same"
rm direct ft8.tar.xz
damaged() {
    cp -rL data/ft8 damaged
    sed -i "$2" damaged/pmpi-trace-rank-"$1".txt
    try ripple simulate damaged -o result.txt
    rm -r damaged
}
damaged 1 's/4096/many/'
damaged 1 's/^MPI_Reduce:.*//'
damaged 1 's/^MPI_Alltoall:/MPI_Alltoal:/'
damaged 1 '/^MPI_Alltoall/s/:[0-9]*$/:1/'
cp -rL data/ft8 hole && rm hole/pmpi-trace-rank-5.txt
try ripple simulate hole -o result.txt
cp -rL data/ft8 short && sed -i '/MPI_Finalize/d; $d' short/pmpi-trace-rank-2.txt
try ripple simulate short --format=csv
files
