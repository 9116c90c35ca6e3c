#!/usr/bin/env python3
"""Dependency cycles between the modules of a crate: tools/module_cycles.py [--edges] [CRATE…]

Prints for each crate the cycles among its modules (files of `src` and folders with all that is in them), the largest first,
with their lines. `--edges` also lists the uses that close a cycle, fewest first: what to cut first. Tests do not count, nor does
the crate's root, which only names the modules.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USE = re.compile(r"\b(crate|super)((?:::super)*)::(\{[^;]*?\}|\w+)", re.S)
RE_EXPORT = re.compile(r"^pub(?:\(crate\))? use (\w+)::(?:\w+::)*(\{[^}]*\}|\w+)", re.M | re.S)


def without_tests(text):
    """The source without comments, strings and the modules of its tests."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text, flags=re.S)
    return re.split(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*mod \w+\s*\{", text)[0]


def names(part):
    """The first names of a use list: `{a::B, c}` has a and c."""
    if not part.startswith("{"):
        return [part]
    depth, found, word = 0, [], ""
    for letter in part[1:-1]:
        depth += letter == "{"
        depth -= letter == "}"
        if letter == "," and depth == 0:
            found.append(word)
            word = ""
        else:
            word += letter
    first = [re.match(r"\s*(\w+)", word) for word in [*found, word]]
    return [match.group(1) for match in first if match]


def modules(crate):
    """The files of every module below the root, by the module's name."""
    source = ROOT / "crates" / crate / "src"
    files = defaultdict(list)
    for path in sorted(source.rglob("*.rs")):
        parts = path.relative_to(source).with_suffix("").parts
        if parts[0] in ("lib", "main") or path.stem in ("tests",) or path.stem.endswith("_tests"):
            continue
        files[parts[0]].append((path, len(parts) - (path.stem == "mod")))
    return files


def uses(crate):
    """Modules, their lines, and how often each uses another: `{(from, to): [file:line, …]}`."""
    files = modules(crate)
    root = ROOT / "crates" / crate / "src" / "lib.rs"
    exported = {}
    if root.exists():
        for module, items in RE_EXPORT.findall(root.read_text()):
            exported |= {name: module for name in names(items)}
    lines, edges = {}, defaultdict(list)
    for module, paths in files.items():
        lines[module] = 0
        for path, depth in paths:
            whole = path.read_text()
            lines[module] += whole.count("\n")
            text = without_tests(whole)
            for match in USE.finditer(text):
                start, further, part = match.groups()
                if start == "super" and further.count("super") + 1 < depth:
                    continue
                for name in names(part):
                    to = name if name in files else exported.get(name)
                    if to in files and to != module:
                        line = text.count("\n", 0, match.start()) + 1
                        edges[module, to].append(f"{path.relative_to(ROOT)}:{line}")
    return lines, edges


def components(nodes, edges):
    """Strongly connected components (Tarjan)."""
    after = defaultdict(list)
    for one, other in edges:
        after[one].append(other)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in after[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in nodes:
        if node not in index:
            visit(node)
    return [part for part in found if len(part) > 1]


def main():
    sys.setrecursionlimit(10_000)
    given = [argument for argument in sys.argv[1:] if argument != "--edges"]
    crates = given or sorted(str(path.parent.relative_to(ROOT / "crates")) for path in ROOT.glob("crates/*/*/Cargo.toml"))
    for crate in crates:
        lines, edges = uses(crate)
        cycles = components(lines, edges)
        cycles.sort(key=lambda part: -sum(lines[module] for module in part))
        for part in cycles:
            size = sum(lines[module] for module in part)
            print(f"{crate}: {size} of {sum(lines.values())} lines in one cycle: {' '.join(sorted(part))}")
            if "--edges" in sys.argv:
                inside = [edge for edge in edges if set(edge) <= set(part)]
                for edge in sorted(inside, key=lambda edge: len(edges[edge])):
                    places = edges[edge]
                    print(f"  {edge[0]} -> {edge[1]} ({len(places)}): {' '.join(places[:3])}")


if __name__ == "__main__":
    main()
