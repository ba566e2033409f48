# The detour injected on one rank is found again as one row; without noise there is none.
try ripple mine collective:allreduce:dissemination:8 --ranks=8 --repeat=20k --noise=fixed:21.34ms:5.7ms@3
try ripple mine collective:allreduce:dissemination:8 --ranks=8 --repeat=2k
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2 --format=csv
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2 --format=json
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2 --mode=paper
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:50Hz:5.7ms@1,2 --mode=projections
try ripple mine
try ripple mine collective:barrier --ranks=4,8
try ripple mine collective:barrier --replicas=3
try ripple mine collective:barrier --mode=old
try ripple mine collective:barrier --min-share=2
try ripple mine collective:barrier --quantum=long
ripple mine collective:barrier --ranks=4000000000 2>&1 | sed 's/[0-9.]* GiB/# GiB/g'
try ripple mine data/truncated.goal
# The way back: what was found is noise again, and each row can be left out.
noise=$(ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2+poisson:20ms:400us | sed -n "s/.*--noise='\(.*\)'/\1/p")
echo "$noise"
ripple simulate collective:barrier --ranks=4 --repeat=2k --knock-out --replicas=5 --noise="$noise" 2>&1 | sed -n '/rank .*gain/,$p' | awk '{print $NF}' | head -4
# What each row costs, at other sizes too; the ranks of a row keep their numbers.
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2+poisson:20ms:400us --impact
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@3 --impact=2 --format=csv
try ripple mine collective:barrier --ranks=4 --repeat=20k --noise=fixed:1kHz:50us@1,2 --impact=64 --format=json
try ripple mine collective:barrier --ranks=4 --repeat=2k --impact
try ripple mine collective:barrier --impact=some
try ripple mine collective:barrier --impact --budget=0
# What `ripple trace --mine` has left.
try ripple mine data/mined.synopsis
try ripple mine data/mined.synopsis --mode=paper
try ripple mine data/mined.synopsis --ranks=8
try ripple mine data/mined.synopsis --impact
try ripple mine data/mined.synopsis --calls=local
try ripple mine data/cut.synopsis
try ripple mine data/old.synopsis
