# Every verb explains itself, on standard output; the same text by both ways.
ripple --help
for verb in $(ripple --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help); do
    echo "===== $verb"
    ripple "$verb" --help
    ripple help "$verb" >by-help
    ripple "$verb" -h | cmp - by-help
    # a manual page without a complaint, and named in its own title
    ripple --man="$verb" >page.1
    man --warnings -E UTF-8 -l page.1 2>&1 >/dev/null
    grep -q "^\.TH RIPPLE.*-${verb^^} 1 " page.1 || echo "no title"
done
ripple --man=ripple >page.1
man --warnings -E UTF-8 -l page.1 2>&1 >/dev/null
