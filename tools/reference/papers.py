#!/usr/bin/env python3
"""Recounts what `epicene reproduce PAPER --format json` says, without its code.

    epicene reproduce gest --data CLONE --format json > gest.json
    python3 tools/reference/papers.py gest.json PUBLISHED [DATA]

PUBLISHED is the folder of printed numbers (crates/bench/benchmarks/data/published). DATA is a folder with GEST's `gest.csv` and
`predictions/*.csv.gz`; with it the means and bounds of Tables 9 and 10 are computed again from the scores. Ends with 1 where a count,
a printed text or a number differs, and where a table is said that is not among the printed ones.
"""

import csv
import gzip
import json
import math
import sys
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

# Numbers that the papers print and PUBLISHED does not have: GEST's Tables 1 and 4, sizes of the other sets.
GEST_SENTENCES = [254, 215, 256, 207, 200, 197, 243, 251, 229, 215, 231, 222, 222, 194, 208, 221]
GEST_VERDICTS = [179, 0, 1, 3, 177, 0, 30, 10, 140]
UNAMBIGUOUS_SENTENCES = [1536, 59520, 1800006]
WIBEMT_SENTENCES = [4158, 66528, 70686]
# WinoMT's numbers for Arabic and Hebrew were made with other rules than the paper's.
WINOMT_CHANGED = ["ar", "he"]

FAULTS = []


def fault(text):
    FAULTS.append(text)


def as_printed(value, like):
    """The value with the decimals of a printed text; decimals of the exact binary value, half to even."""
    if like.startswith("<"):
        return like if value < float(like[1:]) else as_printed(value, like[1:])
    unit = "K" if like.endswith("K") else ""
    number = like.rstrip("K")
    decimals = len(number.partition(".")[2])
    exact = Decimal(value / 1000 if unit else value)
    text = str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN))
    if float(text) == 0:
        text = text.lstrip("-")
    return text + unit


def recount(whole):
    places = {}
    for record in whole["records"]:
        count = places.setdefault(record["place"], [0, 0, 0])
        count[0] += 1
        if record["ours"] is None:
            continue
        count[1] += 1
        text = as_printed(record["ours"], record["printed"])
        name = " ".join(record[key] for key in ("place", "row", "column"))
        if text != record["ours_as_printed"]:
            fault(f"{name}: {record['ours']} prints as {text}, not {record['ours_as_printed']}")
        count[2] += text == record["printed"]
        if (text == record["printed"]) != record["equal"]:
            fault(f"{name}: called {record['equal']}")
    for place, count in places.items():
        said = whole["places"][place]
        said = [said["printed"], said["compared"], said["equal"]]
        if said != count:
            fault(f"{place}: {said} are said, {count} counted")
    total = [sum(count[i] for count in places.values()) for i in range(3)]
    said = [whole["counts"][key] for key in ("printed", "compared", "equal")]
    if said != total:
        fault(f"together: {said} are said, {total} counted")
    return places


def printed_cells(paper, published):
    """Every printed number by place, from the published files alone."""
    cells = {}

    def put(place, values, decimals):
        cells.setdefault(place, []).extend(f"{value:.{decimals}f}" for value in values)

    def read(name):
        return json.loads((published / f"{name}.json").read_text())

    if paper == "gest":
        english, slavic = read("gest_english"), read("gest_slavic")
        for place, key in (("Table 9", "table9_english_mlm"), ("Table 10", "table10_english_glm")):
            for model, parts in english[key].items():
                if model == "Mistral-7B-Instruct-v0.1":
                    continue
                for template in parts["templates"]:
                    for cell in template["per_stereotype"]:
                        put(place, cell["published"], 2)
        for languages in slavic["models"].values():
            for parts in languages.values():
                for cell in parts["per_stereotype"]:
                    put("Table 11", cell["published"], 2)
        for counts in slavic["table7"].values():
            put("Table 7", counts.values(), 0)
        for languages in read("gest_mt")["systems"].values():
            for parts in languages.values():
                put("Table 6", [parts["n"]], 0)
                for cell in parts["per_stereotype"]:
                    put("Table 8", [cell[key] for key in ("lower", "mean", "upper")], 2)
        for row in english["table3"].values():
            put("Table 3", row.values(), 2)
        for row in english["table5_first_letter"].values():
            put("Table 5", row.values(), 0)
        put("Table 1", GEST_SENTENCES, 0)
        put("Table 4", GEST_VERDICTS, 0)
        put("Section 4.2.3", english["correlations"].values(), 2)
        put("Section 4.3.3", slavic["correlations_xlm"].values(), 2)
    elif paper == "mbe":
        tables = read("mbe")
        for row in tables["languages"]:
            cells.setdefault("Table 1", []).extend(row["table1"])
            put("Table 2", [row["ted"], row["news"]], 2)
        for row in tables["agreement"]:
            put("Table 3", [row[key] for key in ("spearman", "pearson", "direction", "diff")], 2)
        for row in tables["methods"]:
            place = {"ja": "Table 4", "ru": "Table 5"}[row["model"][:2]]
            put(place, [row[key] for key in ("ht", "mt", "mbe", "tmp")], 2)
            cells[place].extend(row["diff"].values())
        for row in tables["native_names"]:
            put("Table 6", [row["score"], row["diff"]], 2)
    elif paper == "winomt":
        for row in read("winomt")["systems"]:
            if row["language"] not in WINOMT_CHANGED:
                values = [row[key] for key in ("acc", "delta_g", "delta_s")]
                put("Table 2", [value for value in values if value is not None], 1)
    elif paper == "unambiguous":
        tables = read("unambiguous")
        put("Section 3", UNAMBIGUOUS_SENTENCES, 0)
        for place, key in (("Table 3", "table3_correct_wrong_na"), ("Table 4", "table4_deltaM_deltaF")):
            for values in tables[key].values():
                put(place, values, 2)
    elif paper == "wibemt":
        tables = read("wibemt")
        for system in tables["table3"].values():
            for group in ("F", "M", "none"):
                put("Table 3", system[group]["counts"].values(), 0)
        for group in tables["paper_values"]["tfg"].values():
            put("Figure 3", group.values(), 1)
        for name in ("DeepL", "Microsoft", "Google"):
            put("Figure 4", tables["paper_values"]["figure4_tcg_rounded_1dp"][name], 1)
        put("Section 2.2", WIBEMT_SENTENCES, 0)
        values = tables["paper_values"]
        for row in values["H1"].values():
            put("Section 3", [row[key] for key in ("tfg_F", "tfg_M", "chi2") if key in row], 1)
            if isinstance(row.get("p"), str):
                cells["Section 3"].append(row["p"])
            elif "p" in row:
                put("Section 3", [row["p"]], 3)
        for test in ("H2a", "H2b", "H2c"):
            put("Section 3", [value for key, value in values[test].items() if key != "p_DeepL"], 1)
        put("Section 3", [values["H2b"]["p_DeepL"]], 3)
        put("Section 3", values["verb_by_occupation_group"]["feminine_pct"].values(), 1)
        put("Section 3", values["verb_by_occupation_group"]["chi2_range"], 0)
        put("Section 3", values["all_verb_sentences_tfg"].values(), 1)
    return cells


def english_scores(data):
    """Means and bounds of q by model, template and stereotype: e to the mean of log10 ratios, normal limit of the bootstrap."""
    with open(data / "gest.csv", newline="", encoding="utf-8") as file:
        stereotypes = [int(row["stereotype"]) for row in csv.DictReader(file)]
    found = {}
    for task, first in (("english_mlm", 1), ("english_glm", 3)):
        with gzip.open(data / f"predictions/{task}.csv.gz", "rt", newline="") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = [[] for _ in names]
            for row in rows:
                for column, cell in zip(columns, row):
                    column.append(float(cell))
        for name, scores in zip(names, columns):
            model, _, template = name.rpartition("_template-")
            for identity in range(1, 17):
                own = [s for s, i in zip(scores, stereotypes) if i == identity]
                mean = math.fsum(own) / len(own)
                variance = math.fsum((s - mean) ** 2 for s in own) / len(own)
                half = 1.959963984540054 * math.sqrt(variance / len(own))
                key = (model, int(template) + first, identity)
                found[key] = [math.exp(mean - half), math.exp(mean), math.exp(mean + half)]
    return found


def check_english(whole, data):
    scores = english_scores(data)
    checked = 0
    for record in whole["records"]:
        if record["place"] not in ("Table 9", "Table 10") or record["ours"] is None:
            continue
        model, _, rest = record["row"].partition(", row ")
        template = int(rest.partition("(template ")[2].rstrip(")"))
        _, identity, side = record["column"].split()
        value = scores[model, template, int(identity)][("lower", "mean", "upper").index(side)]
        checked += 1
        if abs(value - record["ours"]) > 1e-9:
            fault(f"{record['row']} {record['column']}: {record['ours']}, computed {value}")
    print(f"Tables 9 and 10: {checked} numbers computed again from the scores")


def main():
    whole = json.loads(Path(sys.argv[1]).read_text())
    places = recount(whole)
    cells = printed_cells(whole["paper"], Path(sys.argv[2]))
    for place in places.keys() - cells.keys():
        fault(f"{place}: the paper has no such numbers")
    for place, values in cells.items():
        said = sorted(r["printed"] for r in whole["records"] if r["place"] == place)
        if said != sorted(values):
            fault(f"{place}: {len(said)} printed numbers are said, {len(values)} published, or they differ")
    if len(sys.argv) > 3:
        check_english(whole, Path(sys.argv[3]))
    for place, (printed, compared, equal) in places.items():
        print(f"{place}: {printed} printed, {compared} compared, {equal} equal")
    for text in FAULTS[:20]:
        print("FAULT", text)
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
