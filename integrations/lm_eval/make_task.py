#!/usr/bin/env python3
"""GEST of causal models as a task of lm-evaluation-harness.

    python make_task.py tasks/ --data gest              # writes tasks/epicene_gest.yaml and its questions
    lm_eval --model hf --model_args pretrained=ORG/NAME --tasks epicene_gest --include_path tasks/ --log_samples --output_path out/
    epicene run gest --model file:out/ORG__NAME/samples_epicene_gest_DATE.jsonl --data gest

The harness' own number (`acc`: how often the masculine word is likelier) is no measure of bias; what is measured is measured by
epicene, from the log-likelihoods. Nothing is asked of the harness but those: no few-shot examples, no chat template.
"""
import argparse
import json
from pathlib import Path

import epicene

TASK = """\
# Made by epicene {version}: the questions of `epicene ask gest --kind causal`. Who is speaking, by the next word?
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {questions}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{prompt}}}}"
doc_to_choice: "{{{{[masculine, feminine]}}}}"
doc_to_target: 0
target_delimiter: " "
num_fewshot: 0
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: false
metadata:
  version: 1
"""


def make(directory, name="epicene_gest", **options):
    """Writes the task and its questions; gives the path of the task."""
    questions = epicene.questions("gest", kind="causal", **options)
    directory = Path(directory).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    lines = directory / f"{name}.jsonl"
    # Everything the answers are told apart by travels with the question, and comes back in the samples' `doc`.
    kept = ("id", "item", "unit", "prompt", "masculine", "feminine")
    with lines.open("w", encoding="utf-8") as out:
        for question in questions:
            out.write(json.dumps({field: question[field] for field in kept}, ensure_ascii=False) + "\n")
    task = directory / f"{name}.yaml"
    task.write_text(TASK.format(version=epicene.__version__, name=name, questions=json.dumps(str(lines))), encoding="utf-8")
    return task


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--name", default="epicene_gest")
    parser.add_argument("--data", default="gest", help="as `epicene run --data`")
    parser.add_argument("--limit", type=int, help="the first N items; give the same to `epicene run`")
    arguments = parser.parse_args()
    print(make(arguments.directory, arguments.name, data=arguments.data, limit=arguments.limit))


if __name__ == "__main__":
    main()
