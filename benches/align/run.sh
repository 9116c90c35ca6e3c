#!/bin/sh
# CPU seconds of the aligner on 58,032 sentence pairs, the size of the Unambiguous S set.
#
#     benches/align/run.sh SOURCE.txt TRANSLATIONS.txt [FAST_ALIGN]
#
# The two files are taken line by line and repeated until there are 58,032 pairs. FAST_ALIGN, if given, is the original
# program (github.com/clab/fast_align), run with -d -o -v for comparison.
set -eu
pairs=$(mktemp)
trap 'rm -f "$pairs" "$pairs.ours" "$pairs.theirs"' EXIT
while :; do paste -d '\t' "$1" "$2"; done 2>/dev/null | sed 's/\t/ ||| /' | head -n 58032 > "$pairs"
for threads in 1 2; do
    echo "epicene align, $threads threads:"
    /usr/bin/time -f '%U+%S s of CPU, %e s, %M kB' epicene align --threads $threads "$pairs" > "$pairs.ours"
done
echo 'epicene align --symmetrise grow-diag-final-and:'
/usr/bin/time -f '%U+%S s of CPU, %e s, %M kB' epicene align --symmetrise grow-diag-final-and "$pairs" > /dev/null
if [ $# -gt 2 ]; then
    echo "$3:"
    /usr/bin/time -f '%U+%S s of CPU, %e s, %M kB' "$3" -i "$pairs" -d -o -v 2>/dev/null > "$pairs.theirs"
    cmp "$pairs.ours" "$pairs.theirs" && echo 'the same links'
fi
