# A binary trace of DUMPI, as its authors ship it: by its folder, its metafile, or any rank's file.
try ripple schedule data/dumpi
try ripple simulate data/dumpi/testtrace.meta --ranks=8
ripple schedule data/dumpi -o x.goal >/dev/null
ripple schedule data/dumpi/testtrace-0002.bin -o y.goal >/dev/null
cmp x.goal y.goal && echo "any of its files is the whole trace"
try ripple mine data/dumpi
cp -r data/dumpi short && rm short/testtrace-0001.bin
try ripple simulate short
cp -r data/dumpi cut && head -c 2000 data/dumpi/testtrace-0001.bin >cut/testtrace-0001.bin
try ripple simulate cut
cp -r data/dumpi wrong && printf '\377' | dd of=wrong/testtrace-0003.bin bs=1 seek=16 conv=notrunc status=none
try ripple mine wrong
