# One clear line for each mistake, before any work; no file is left behind, none is changed.
one() {
    try ripple sweep "$@"
}
c=collective:allreduce:1B
one
one $c
one $c $c --sweep=L=1us,2us
one $c --sweep=ranks
one $c --sweep=rank=4,8
one $c --sweep=L=1us,1us
one $c --sweep=L=1us,2us,1000ns
one $c --sweep=noise=altix,jaguar,altix
one $c --sweep=L=1us,2us --ranks=4,4
one $c --sweep=L=1us..3us
one $c --sweep=L=3us..1us/3
one $c --sweep=L=1us..2us/x0.5
one $c --sweep=L=1us,soon
one $c --sweep=ranks=0,1
one $c --sweep=ranks=1..1Mi/+1
one $c --sweep=noise=altix,jagar
one $c --sweep=machine=xt4,xt5
one $c --sweep=cosched=maybe
one $c --sweep=progress=polling,asinc
one $c --sweep='coll=alltoallv=rng;sc10'
one $c --sweep=L=1us,2us --set=L=3us
one $c --sweep=L=1us,2us --sweep=L=3us,4us
one $c --sweep=L=1us,2us --set=noise=altix
one $c --sweep=L=1us,2us --replicas=0
one $c --sweep=L=1us,2us --replicas=5
one $c --sweep=sigma=1us,2us --noise=altix
one $c --sweep=compute=cpu,wall
one $c --sweep=L=1us..2us/1001 --sweep=o=1us..2us/1001
one data/pair.goal --sweep=ranks=2,3
one data/pair.goal --sweep=bytes=1,8
one no-such-file --sweep=L=1us,2us
one data/deadlock.goal --sweep=L=1us,2us
one data/machine.ini
files
one $c --sweep=ranks=2^28..2^31/x8 2>&1 | sed 's/[0-9.]* GiB/N GiB/g'
files

# Study files: file, line and value.
study() {
    printf '[study]\nschema_version = 1\n%b' "$1" >study.ini
    one study.ini
}
study '[parameters]\nprogram = collective:barrier\n[sweep]\nrank = 4,8\n'
study '[parameters]\nprogram = collective:barrier\n[sweep]\nranks = 4,8x\n'
study '[parameters]\nprogram = collective:barrier\nnoise = altic\n'
study '[sweeps]\n'
study '[parameters]\nprogram = no-such-file\n'
study '[parameters]\nprogram = collective:barrier\nsigma = 1us\n'
study '[together]\nL = 1us,2us\no = 1us\n'
study '[parameters]\nprogram = collective:barrier\n[together]\nL = 1us,1us,1us\no = 1us,2us,1us\n'
files

# Databases.
one $c --sweep=L=1us,2us -o no-such-folder/x.db
one $c --sweep=L=1us,2us -o data
one $c --sweep=L=1us,2us -o study.ini
ripple sweep $c --sweep=L=1us,2us -o there.db -q >/dev/null
sqlite3 there.db .dump >before
one $c --sweep=L=1us,3us -o there.db
one $c --sweep=L=1us,2us,3us -o there.db
sqlite3 there.db .dump | cmp - before && echo unchanged
sqlite3 there.db "UPDATE meta SET value = '0.0.1' WHERE name = 'ripple_version'"
one $c --sweep=L=1us,2us -o there.db
sqlite3 there.db "PRAGMA user_version = 9"
one $c --sweep=L=1us,2us -o there.db
sqlite3 other.db "CREATE TABLE t (a)"
one $c --sweep=L=1us,2us -o other.db
one $c --sweep=program=collective:barrier,collective:bcast -o new.db
# What SQLite does not take for a file; a database that holds something else under our names.
one $c --sweep=L=1us,2us -o ''
one $c --sweep=L=1us,2us -o :memory:
ripple sweep $c --sweep=L=1us,2us -o endless.db -q >/dev/null
sqlite3 endless.db 'DROP VIEW done' 'ALTER TABLE meta RENAME TO other' "CREATE VIEW meta AS
    WITH RECURSIVE n (name) AS (SELECT 'x' UNION ALL SELECT name FROM n) SELECT name, 1 AS value FROM n"
one $c --sweep=L=1us,2us -o endless.db
try ripple report endless.db
try ripple report .
files
# A link is not of the command's making, and stays.
ln -s nowhere.db link.db
ln -s round.db round.db
one data/deadlock.goal --sweep=L=1us,2us -o link.db
one $c --sweep=L=1us,2us -o round.db
try ripple report link.db
files
