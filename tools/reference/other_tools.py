"""The same answers by the formulas of epicene, lm-evaluation-harness and HELM: the tables of docs/why-numbers-differ.md.

    python tools/reference/other_tools.py ../shared/data/bbq

BBQ: answers by rule (golden.json, `recipes`) to all 5,672 rows; formulas in reference.py beside the data. The script stops where
they disagree with what the programs themselves printed (golden.json, `oracles`). Pairs: ten likelihoods with two ties. Standard
library only.
"""
import importlib.util
import json
import pathlib
import sys


def fnv(text):
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return value >> 33


def answers(reference, data, recipe):
    """The answer of a rule to every row."""
    for row in data:
        target, unknown = reference.stereotyped(row), reference.unknown(row)
        stereotyped = unknown if target is None else target
        counter = unknown if target is None else 3 - target - unknown
        if recipe == "always_stereotyped":
            yield stereotyped
        elif recipe == "always_counter":
            yield counter
        else:
            z = fnv(str(row["example_id"])) % 10
            if row["context_condition"] == "ambig":
                yield unknown if z < 5 else stereotyped if z < 8 else counter
            else:
                yield row["label"] if z < 8 else stereotyped if z < 9 else unknown


def bbq(folder):
    spec = importlib.util.spec_from_file_location("bbq_reference", folder / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    golden = json.loads((folder / "golden.json").read_text("utf-8"))["english"]
    data = reference.read(str(folder / "gender_identity.en.jsonl.xz"))
    one = reference.one_sided(data)
    print("| Answers | epicene | lm-eval | HELM |\n|---|---|---|---|")
    for recipe in ("always_stereotyped", "mixed", "always_counter"):
        rows = list(zip(data, answers(reference, data, recipe)))
        ours, harness, helm = reference.epicene(rows, one), reference.lm_eval(rows), reference.helm(rows)
        printed = golden[recipe]["oracles"]
        for found, wanted in (
            (harness["bias_amb"], printed["lm_eval_multiple_choice"]["amb_bias_score"]),
            (harness["bias_dis"], printed["lm_eval_multiple_choice"]["disamb_bias_score"]),
            (helm["bias_amb"], printed["helm"]["bbq_metric_ambiguous_bias"]),
            (helm["bias_dis"], printed["helm"]["bbq_metric_unambiguous_bias"]),
        ):
            assert abs(found - wanted) < 1e-9, (recipe, found, wanted)
        cells = [f"{one['bias_amb']:.3f}, {one['bias_dis']:.3f}" for one in (ours, harness, helm)]
        print(f"| {recipe} | {' | '.join(cells)} |")


def pairs():
    more = [-10, -11, -12, -13, -14, -20, -21, -22, -30, -31]
    less = [-11, -12, -13, -14, -15, -19, -20, -21, -30, -31]
    wins = sum(a > b for a, b in zip(more, less))
    ties = sum(a == b for a, b in zip(more, less))
    print(f"\n{len(more)} pairs, {wins} wins, {ties} ties: epicene {100 * wins / (len(more) - ties)}, lm-eval {100 * wins / len(more)}")


if __name__ == "__main__":
    bbq(pathlib.Path(sys.argv[1]))
    pairs()
