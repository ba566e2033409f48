# --compat=loggopsim: its times in every tie, and what is said where it goes wrong.
try() {
    echo "\$ ripple simulate $*"
    ripple simulate --format=csv --per-rank --set=L=1us --set=o=100ns --set=g=50ns --set=G=2ns/B \
        --set=O=0ns/B "$@" 2>&1
    echo
}
# LogGOPSim at commit 76451de1 prints 1750, 21024 and 33565.
cat >tie.goal <<'END'
num_ranks 3
rank 0 {
l1: send 964b to 1 tag 2
}
rank 1 {
l1: calc 14811
l2: send 1514b to 2 tag 0
l3: send 892b to 2 tag 1
l4: recv 964b from 0 tag 2
l3 requires l2
}
rank 2 {
l1: calc 13550
l2: recv 1514b from 1 tag 0
l3: recv 892b from 1 tag 1
l2 requires l1
}
END
try --compat=loggopsim --set=L=9.9us --set=o=1.75us --set=g=3.4us --set=G=1ns/B --set=S=65535B tie.goal
try --set=progress=async --set=rendezvous=instant --set=L=9.9us --set=o=1.75us --set=g=3.4us \
    --set=G=1ns/B --set=S=65535B tie.goal
cat >backwards.goal <<'END'
num_ranks 1
rank 0 {
l1: calc 1000
l2: calc 500 cpu 1
l2 requires l1
}
END
try --compat=loggopsim --set=S=10B backwards.goal
try --compat=loggopsim --set=S=10B --quiet backwards.goal
cat >sizes.goal <<'END'
num_ranks 2
rank 0 {
l1: send 20b to 1
}
rank 1 {
early: calc 50000
late: recv 5b from 0
late requires early
}
END
try --compat=loggopsim --set=S=10B sizes.goal
