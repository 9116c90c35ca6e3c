#!/usr/bin/env bash
# Coverage of corrected intervals: 2,000 simulated audits for each way a judge can be wrong, on the verdicts of the 23
# published system-language pairs of GEST. Prints benches/audit/results.md; figure.py draws it. Needs the translations in ../shared/data/gest
# (or SHARED), about ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
gest="${SHARED:-../shared}/data/gest"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
arguments=()
languages=()
for file in "$gest"/translations/*/*/translations.csv.gz; do
  language="$(basename "$(dirname "$file")")"
  system="$(basename "$(dirname "$(dirname "$file")")")"
  arguments+=(--mt "$system=file:$file")
  languages+=("$language")
done
cargo run -q -- run gest --data "$gest/gest.csv" "${arguments[@]}" --lang "$(IFS=,; echo "${languages[*]}")" --out "$work/run" >/dev/null
cargo run -q -- items "$work/run" >"$work/items.jsonl"
cargo run -q -p epicene-audit --example audit_coverage -- "$work/items.jsonl"
