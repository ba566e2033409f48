# Jaguar's noise on a 1-byte allreduce at 64Ki ranks: unsynchronized at least five times slower
# than co-scheduled (Hoefler et al., SC'10, section 4.2).
ripple simulate collective:allreduce:dissemination:1B --ranks=64Ki --noise=jaguar --cosched --replicas=1 --format=csv -q >jaguar.csv
awk -F, '$3 == "no" { free += $5 } $3 == "yes" { together += $5 }
         END { print (free >= 5 * together) ? "at least five times slower" : free / together }' jaguar.csv
