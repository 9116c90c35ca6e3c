#!/usr/bin/env python3
"""Draws docs/images/published.svg: the published stereotype numbers of GEST, one tick a system, from `epicene list published`.

    tools/published_figure.py EPICENE > docs/images/published.svg"""
import subprocess
import sys
from html import escape

ROWS = (
    ("GEST, English language models", "Language models, English: stereotype rate g_s", 1.0, (0.9, 1.7), -1),
    ("GEST, machine translation", "Machine translation: stereotype gap f_s", 0.0, (-0.1, 0.4), 2),
)
WIDTH, LEFT, RIGHT, HEIGHT = 720, 20, 20, 110


def section(text, title):
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(title):
            break
    next(lines)
    for line in lines:
        if not line.strip():
            return
        yield line.split()


def strip(top, title, ideal, span, found):
    def x(value):
        return LEFT + (value - span[0]) / (span[1] - span[0]) * (WIDTH - LEFT - RIGHT)

    values = sorted(value for value, _ in found)
    middle = values[len(values) // 2]
    yield f'<text x="{LEFT}" y="{top + 18}" font-weight="bold">{escape(title)} ({len(values)} published)</text>'
    yield f'<line x1="{x(span[0]):.1f}" y1="{top + 70}" x2="{x(span[1]):.1f}" y2="{top + 70}" stroke="#888"/>'
    for step in range(round((span[1] - span[0]) * 10) + 1):
        value = span[0] + step / 10
        yield f'<text x="{x(value):.1f}" y="{top + 88}" text-anchor="middle" fill="#555">{value:.1f}</text>'
    yield f'<line x1="{x(ideal):.1f}" y1="{top + 26}" x2="{x(ideal):.1f}" y2="{top + 74}" stroke="#009e73" stroke-width="2"/>'
    yield f'<text x="{x(ideal) + 5:.1f}" y="{top + 38}" fill="#00684c">ideal {ideal:g}</text>'
    for value, name in found:
        yield (
            f'<line x1="{x(value):.1f}" y1="{top + 46}" x2="{x(value):.1f}" y2="{top + 70}" stroke="#0072b2" stroke-width="2">'
            f"<title>{escape(name)}: {value:.3f}</title></line>"
        )
    yield f'<text x="{x(middle):.1f}" y="{top + 42}" text-anchor="middle" fill="#004c76">median {middle:.2f}</text>'


def main(program):
    text = subprocess.run([program, "list", "published"], check=True, capture_output=True, text=True).stdout
    parts, words = [], []
    for number, (start, title, ideal, span, column) in enumerate(ROWS):
        found = []
        for row in section(text, start):
            name = row[0] if column == -1 else f"{row[0]} {row[1]}"
            found.append((float(row[column]), name))
        low, high = min(found), max(found)
        words.append(f"{title}: from {low[0]:.2f} ({low[1]}) to {high[0]:.2f} ({high[1]}); the ideal value is {ideal:g}.")
        parts += strip(number * HEIGHT, title, ideal, span, found)
    label = escape(" ".join(words), quote=True)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(ROWS)}" role="img" aria-label="{label}" '
        'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>'
    )
    print("\n".join(parts))
    print("</svg>")


if __name__ == "__main__":
    main(*sys.argv[1:])
