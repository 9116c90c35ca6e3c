#!/usr/bin/env python3
"""Real translations with both intervals side by side: benches/intervals/results.md, and the standard errors that
`epicene plan BENCHMARK` knows (crates/app/cli/data/design-effects.tsv).

    benches/intervals/tables.py EPICENE SHARED/data OUT

EPICENE is the binary; OUT gets tables.md and design-effects.tsv.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

EPICENE, DATA, OUT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp())
SETS = ["af", "be", "ca", "de", "el", "es", "fr", "gl", "hi", "hr", "lv", "no", "pl", "ro", "ru", "sv", "ur"]


def epicene(*arguments):
    done = subprocess.run([EPICENE, *arguments], cwd=WORK, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def rows(*arguments):
    return json.loads(epicene(*arguments, "--format", "json"))["rows"]


def find(found, system=None, unit=None, group=None, metric=None):
    wanted = dict(system=system, unit=unit, group=group, metric=metric)
    for row in found:
        if all(value is None or row[name] == value for name, value in wanted.items()):
            return row
    return None


def unpack(path, to, column=None, count=None):
    lines = gzip.open(DATA / path, "rt", encoding="utf-8").read().split("\n")
    lines = lines[:count] if count else lines
    if column is not None:
        lines = [line.split("\t")[column] for line in lines if line]
    (WORK / to).write_text("\n".join(lines), encoding="utf-8")


def span(row, digits):
    if row is None or row.get("low") is None:
        return ""
    return f"[{row['low']:.{digits}f}, {row['high']:.{digits}f}]"


def p(row):
    if row is None:
        return ""
    return f"{row['value']:.3f}" if row["value"] >= 0.001 else f"{row['value']:.1e}"


def number(row, digits):
    return "" if row is None else f"{row['value']:.{digits}f}"


def both(function):
    return {how: function("--interval", how) for how in ("published", "clustered")}


def wibemt():
    for system in ("deepl", "microsoft"):
        unpack(f"wibemt/verb_{system}_categorised.tsv.gz", f"{system}.txt", column=4)
    systems = [f"--mt={name}=file:{name}.txt" for name in ("deepl", "microsoft")]
    data = str(DATA / "wibemt/verb_sentences.tsv.gz")
    epicene("run", "wibemt", "--data", data, *systems, "--lang", "de", "--judge", "published", "--out", "wib")
    measured = both(lambda *how: rows("report", "wib", *how))
    compared = both(lambda *how: rows("compare", "wib", *how))
    print("| | value | by sentence | by occupation and verb | p by sentence | p by occupation and verb |")
    print("|---|---|---|---|---|---|")
    place = dict(group="part:verb", metric="delta_tfg")
    difference = {how: find(found, **place) for how, found in compared.items()}
    tests = {how: find(found, group="part:verb", metric="p_value") for how, found in compared.items()}
    said = number(difference["clustered"], 2)
    other = number(difference["published"], 2)
    said = said if said == other else f"{said} ({other} where both are classified)"
    print(f"| %TFG Microsoft − DeepL | {said} | {span(difference['published'], 2)} | {span(difference['clustered'], 2)} "
          f"| {p(tests['published'])} | {p(tests['clustered'])} |")
    for system in ("deepl", "microsoft"):
        share = {how: find(found, system=system, group="part:verb", metric="tfg") for how, found in measured.items()}
        print(f"| %TFG {system} | {number(share['clustered'], 2)} | {span(share['published'], 2)} | {span(share['clustered'], 2)} | | |")
        h1 = {how: find(found, system=system, group="H1", metric="delta_tfg") for how, found in measured.items()}
        test = {how: find(found, system=system, group="H1", metric="p_value") for how, found in measured.items()}
        print(f"| H1 {system}: feminine − masculine verbs | {number(h1['clustered'], 2)} | {span(h1['published'], 2)} "
              f"| {span(h1['clustered'], 2)} | {p(test['published'])} | {p(test['clustered'])} |")
    print()
    keep("wibemt", find(measured["clustered"], system="deepl", group="part:verb", metric="tfg"))
    keep("wibemt", difference["clustered"])


def winomt():
    languages = ["de", "es", "fr", "it"]
    mt = []
    for system in ("google", "systran"):
        for language in languages:
            mt += ["--mt", f"{system}=file:{DATA}/winomt/translations/{system}/en-{language}.txt.gz"]
    data = str(DATA / "winomt/en_2019.tsv.gz")
    # The same name in several languages is one system.
    epicene("run", "winomt", "--data", data, *mt, "--lang", ",".join(2 * languages), "--allow-missing", "--out", "wmr")
    measured = both(lambda *how: rows("report", "wmr", *how))
    compared = both(lambda *how: rows("compare", "wmr", *how))
    print("| language | Δacc SYSTRAN − Google | by sentence | by occupation | p by occupation | ΔS Google | by sentence | by occupation | ΔG Google | by sentence | by occupation |")
    print("|" + "---|" * 11)
    for language in languages + ["all"]:
        unit = "all" if language == "all" else f"lang:{language}"
        delta = {how: find(found, unit=unit, metric="delta_acc") for how, found in compared.items()}
        test = find(compared["clustered"], unit=unit, metric="p_value")
        line = f"| {language} | {number(delta['clustered'], 1)} | {span(delta['published'], 1)} | {span(delta['clustered'], 1)} | {p(test)} |"
        for metric in ("delta_s", "delta_g"):
            own = {how: find(found, system="google", unit=unit, group="all", metric=metric) for how, found in measured.items()}
            line += f" {number(own['clustered'], 1)} | {span(own['published'], 1)} | {span(own['clustered'], 1)} |"
        print(line)
    print()
    german = dict(system="google", unit="lang:de", group="all")
    for metric in ("acc", "delta_g", "delta_s"):
        keep("winomt", find(measured["clustered"], **german, metric=metric))
    keep("winomt", find(compared["clustered"], unit="lang:de", metric="delta_acc"))


def unambiguous():
    (WORK / "set.tsv").write_text(epicene("generate", "unambiguous", "--size", "s", "--without", "nanny", "--limit", "14976"))
    mt = []
    for language in SETS:
        unpack(f"unambiguous/pipeline_14976/{language}.result.gz", f"{language}.result", count=14976)
        mt += ["--mt", f"m2m=file:{language}.result"]
    epicene("run", "unambiguous", "--data", "set.tsv", *mt, "--lang", ",".join(SETS), "--bootstrap", "50", "--out", "unr")
    measured = both(lambda *how: rows("report", "unr", *how))
    print("| language | ΔM | by sentence | by occupation | ΔF | by sentence | by occupation |")
    print("|---|---|---|---|---|---|---|")
    out = {(metric, how): 0 for metric in ("delta_m", "delta_f") for how in measured}
    shown = 0
    for language in SETS:
        line, there = f"| {language} |", False
        for metric in ("delta_m", "delta_f"):
            own = {how: find(found, unit=f"lang:{language}", group="all", metric=metric) for how, found in measured.items()}
            if own["clustered"] is None:
                continue
            there = True
            for how, row in own.items():
                if row and row.get("low") is not None:
                    out[metric, how] += row["low"] > 0 or row["high"] < 0
            line += f" {number(own['clustered'], 3)} | {span(own['published'], 3)} | {span(own['clustered'], 3)} |"
        if there:
            shown += 1
            print(line)
    print()
    print(f"ΔM leaves 0 out in {out['delta_m', 'published']} of {shown} languages by sentence, in {out['delta_m', 'clustered']} by "
          f"occupation; ΔF in {out['delta_f', 'published']} and {out['delta_f', 'clustered']}.")
    print()
    for metric in ("correct", "delta_m", "delta_f"):
        keep("unambiguous", find(measured["clustered"], system="m2m", unit="lang:de", group="all", metric=metric))


def gest():
    data = str(DATA / "gest/gest.csv")
    mt = []
    for system in ("deepl", "google_translate"):
        mt += ["--mt", f"{system}=file:{DATA}/gest/translations/{system}/sk/translations.csv.gz"]
    epicene("run", "gest", "--data", data, *mt, "--lang", "sk,sk", "--out", "gmt")
    measured, compared = rows("report", "gmt"), rows("compare", "gmt")
    for metric in ("f_s", "f_m"):
        keep("gest", find(measured, system="deepl", unit="lang:sk", group="all", metric=metric))
    for metric in ("delta_f_s", "delta_f_m"):
        keep("gest", find(compared, unit="lang:sk", group="all", metric=metric))
    scores = DATA / "gest/predictions/english_mlm.csv.gz"
    if scores.exists():
        epicene("run", "gest", "--data", data, "--model", f"file:{scores}", "--out", "glm")
        keep("gest", find(rows("report", "glm"), system="roberta-base", unit="all", group="all", metric="g_s"))


STORED = []


def keep(benchmark, row):
    """A line of design-effects.tsv: the standard error is half the interval over Student's t."""
    from scipy.stats import t

    error = (row["high"] - row["low"]) / (2 * t.ppf(0.975, row["k"] - 1))
    deff = "" if row.get("deff") is None else f"{row['deff']:.2f}"
    paired = "paired" if " - " in row["system"] else ""
    cells = [benchmark, row["system"], row["unit"], row["group"], row["metric"], row["n"], row["k"], deff, f"{error:.5g}", paired]
    STORED.append("\t".join(str(cell) for cell in cells))


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[4:] or ["wibemt", "winomt", "unambiguous", "gest"]
    with open(OUT / "tables.md", "w", encoding="utf-8") as out:
        sys.stdout, terminal = out, sys.stdout
        for name in wanted:
            print(f"**{name}**\n")
            globals()[name]()
        sys.stdout = terminal
    (OUT / "design-effects.tsv").write_text("\n".join(STORED) + "\n", encoding="utf-8")


main()
