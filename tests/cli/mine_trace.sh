# Inside the calls of a recorded run: a ring of four ranks that never ran, in which every 17th MPI_Send of
# rank 1 takes 6 ms longer, and rank 2 computes 2 ms longer in every 29th step. Times in us.
mkdir ring
awk 'BEGIN {
    P = 4
    for (r = 0; r < P; r++) {
        f[r] = "ring/pmpi-trace-rank-" r ".txt"
        print "# htor'\''s PMPI Tracer 0.1 Output File\n# time: never\n# hostname: here.there\n# uname: Linux\n" > f[r]
        print "MPI_Init:-:1:1:1000" > f[r]
        t[r] = 1000
    }
    for (i = 1; i <= 1500; i++) {
        for (r = 0; r < P; r++) {
            e = t[r] + 400 + (i * 7 + r * 3) % 3 + (r == 2 && i % 29 == 0 ? 2000 : 0)
            s[r] = e + 2 + (r == 1 && i % 17 == 0 ? 6000 : 0)
            print "MPI_Send:" e ":64:1024:12,1,1:" (r + 1) % P ":0:900," r "," P ":" s[r] > f[r]
        }
        for (r = 0; r < P; r++) {
            l = (r + P - 1) % P
            e = s[r] + 1
            t[r] = (e > s[l] + 4 ? e : s[l] + 4) + 1
            print "MPI_Recv:" e ":64:1024:12,1,1:" l ":0:900," r "," P ":0:" t[r] > f[r]
        }
    }
    for (r = 0; r < P; r++) {
        print "MPI_Finalize:" t[r] + 10 ":-" > f[r]
    }
}'
try ripple mine ring
try ripple mine ring --calls=local
try ripple mine ring --calls=none
ripple mine ring --exemplars=1 2>&1 | tail -n +10 | head -n 14
ripple mine ring --format=json | sed -n '/"places"/,$p'
try ripple mine ring --exemplars=7
try ripple mine ring --exemplars=some
try ripple mine collective:barrier --exemplars=all
ripple mine ring --report=page.html >/dev/null && grep -c 'MPI_Send &lt;= 1 KiB to rank+1' page.html | sed 's/[1-9][0-9]*/named/'
try ripple mine ring --report=/nowhere/x.html
rm -r ring page.html
# Logs of Projections.
mkdir logs
printf 'VERSION 7.0\nPROCESSORS 1\nCHARE 0 "Main" 1\nENTRY CHARE 3 "work()" 0 2\nEND\n' >logs/x.sts
awk 'BEGIN {
    print "PROJECTIONS-RECORD"
    for (i = 1; i <= 400; i++) {
        print "2 0 3 " t " " i " 0 64"
        t += 200 + (i % 10 == 0 ? 5700 : 0)
        print "3 0 3 " t " " i " 0 0"
        t += 50
        print "14 " t " 0\n15 " (t += 100) " 0"
    }
}' | sed 's/^2 0 3  /2 0 3 0 /' >logs/x.0.log
try ripple mine logs
try ripple mine logs/x.sts --mode=projections
try ripple mine logs --noise=fixed:1ms:1us
echo '3 0' >>logs/x.0.log
try ripple mine logs
rm -r logs
files
