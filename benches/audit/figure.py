#!/usr/bin/env python3
"""Draws how often judged and corrected 95 % intervals contain the truth (docs/audit.md).

    benches/audit/figure.py benches/audit/results.md docs/images/audit-coverage.svg

Reads the table that benches/audit/run.sh prints.
"""

import sys
from pathlib import Path

PANELS = [("f_m", "f → m"), ("f_m", "m → f"), ("f_s", "f → m"), ("f_s", "m → f")]
NAMES = {"f_m": "f_m, the masculine rate", "f_s": "f_s, the stereotype rate"}
STRATA = ["verdict", "verdict,stereotype", "nothing"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 190, 150, 46, 44, 16

rows = []
for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if len(cells) == 8 and ("→" in cells[0]) and cells[0].endswith("%"):
        kind, share = cells[0].rsplit(" ", 2)[0], float(cells[0].split()[-2])
        rows.append((kind, share, cells[1], cells[2], float(cells[3].rstrip(" %")), float(cells[4].rstrip(" %"))))
assert rows, "there is no table"

total = (LEFT + 4 * WIDTH + 3 * GAP + 12, TOP + HEIGHT + 74)
out = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]} {total[1]}" role="img" font-family="system-ui, sans-serif" font-size="11">',
    "<title>How often 95 % intervals hold the truth, by the share of one-sided errors of the judge</title>",
    "<style>text{fill:#1b1b1f}.g{stroke:#d6d6dc}.j{fill:none;stroke:#b3541e;stroke-width:2}.c{fill:#1d4ed8}.b{fill:#1d4ed8;opacity:.12}"
    "@media(prefers-color-scheme:dark){text{fill:#ececf1}.g{stroke:#44444d}.j{stroke:#ff9d66}.c,.b{fill:#9db8ff}}</style>",
]
low = lambda value: TOP + HEIGHT * (1 - value / 100)
for number, (metric, kind) in enumerate(PANELS):
    x0 = LEFT + number * (WIDTH + GAP)
    across = lambda share: x0 + WIDTH * ((3, 5, 10, 20).index(share) + 0.5) / 4
    out.append(f'<text x="{x0}" y="{TOP - 22}" font-weight="600">{NAMES[metric]}</text>')
    out.append(f'<text x="{x0}" y="{TOP - 8}">errors {kind}</text>')
    out.append(f'<rect class="b" x="{x0}" y="{low(97):.1f}" width="{WIDTH}" height="{low(93) - low(97):.1f}"/>')
    for tick in (0, 25, 50, 75, 95):
        out.append(f'<line class="g" x1="{x0}" x2="{x0 + WIDTH}" y1="{low(tick):.1f}" y2="{low(tick):.1f}"/>')
        if number == 0:
            out.append(f'<text x="{x0 - 6}" y="{low(tick) + 4:.1f}" text-anchor="end">{tick} %</text>')
    for share in (3, 5, 10, 20):
        out.append(f'<text x="{across(share):.1f}" y="{TOP + HEIGHT + 15}" text-anchor="middle">{share} %</text>')
    here = [row for row in rows if row[0] == kind and row[3] == metric]
    for strata in STRATA:
        shift = 3 * (STRATA.index(strata) - 1)
        for _, share, _, _, judged, corrected in sorted(row for row in here if row[2] == strata):
            x = across(share) + shift
            out.append(f'<circle class="c" cx="{x:.1f}" cy="{low(corrected):.1f}" r="3"><title>{share:g} % errors, strata: {strata}: corrected {corrected} %</title></circle>')
            out.append(f'<path class="j" d="M{x - 3:.1f} {low(judged) - 3:.1f}l6 6m0 -6l-6 6"><title>{share:g} % errors, strata: {strata}: judged {judged} %</title></path>')
y = TOP + HEIGHT + 38
out.append(f'<text x="{LEFT}" y="{y}">share of all verdicts that the judge has wrong</text>')
y += 20
out.append(f'<circle class="c" cx="{LEFT + 5}" cy="{y - 4}" r="3"/><text x="{LEFT + 14}" y="{y}">corrected by 300 labels</text>')
out.append(f'<path class="j" d="M{LEFT + 162} {y - 7}l6 6m0 -6l-6 6"/><text x="{LEFT + 174}" y="{y}">judged</text>')
out.append(f'<text x="{LEFT + 232}" y="{y}">band: 93 to 97 %; three marks side by side: strata by verdict, by verdict and stereotype, none</text>')
out.append("</svg>")
Path(sys.argv[2]).write_text("\n".join(out) + "\n", encoding="utf-8")
