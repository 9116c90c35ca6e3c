"""Exports in the layouts of other tools, judged by their schemas: jsonschema for Every Eval Ever, PyYAML for Hugging Face, the
converter of Every Eval Ever for lm-evaluation-harness where it is installed."""
import copy
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import unittest

import support

import epicene

WHO = dict(organization="Example Org", relationship="other")
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def half(questions):
    """Answers every task without a model: the same likelihoods, the same text, the first option."""
    answers = []
    for number, question in enumerate(questions):
        if question["task"] in ("masked-pair", "next-word"):
            answers.append(0.1 * (number % 7) - 0.2)
        elif question["task"] == "translate" and question["to"] == "sk":
            answers.append("Bola som unavená." if number % 2 else "Bol som unavený.")
        elif question["task"] == "translate":
            answers.append("Die Ärztin half dem Lehrer." if number % 2 else "Der Arzt half der Lehrerin.")
        else:
            answers.append({"chat": {"text": ["he", "she", "A", "B"][number % 4], "finish": "stop"}})
    return answers


# Benchmarks whose data are inside the program, with the kind of system and options.
RUNS = [
    ("gest", "masked", dict(data="epicene-mini", bootstrap=50)),
    ("gest", "causal", dict(data="epicene-mini", bootstrap=50)),
    ("gest", "translator", dict(data="epicene-mini", lang="sk")),
    ("gest-chat", "chat", dict(data="epicene-mini", limit=96)),
    ("occupations-chat", "chat", dict()),
    ("winobias", "masked", dict(data="epicene-winograd")),
    ("winomt", "translator", dict(data="epicene-winograd", lang="de")),
    ("wibemt", "translator", dict(lang="de")),
    ("unambiguous", "translator", dict(size="xs", lang="de", limit=200)),
    ("into-english", "translator", dict(lang="fi")),
]


def schemas():
    from jsonschema import Draft7Validator

    folder = support.shared() / "interchange"
    read = lambda name: Draft7Validator(json.loads((folder / name).read_text("utf-8")))
    return read("eval.schema.json"), read("instance_level_eval.schema.json")


def problems(log, name, schema):
    """What the gate of Every Eval Ever rejects: the schema, bounds, and the file's name."""
    found = [error.message for error in schema.iter_errors(log)]
    bound = lambda value: float(value) if value is not None else math.nan
    for result in log.get("evaluation_results", []):
        config, score = result["metric_config"], result["score_details"]["score"]
        if not bound(config.get("min_score")) <= score <= bound(config.get("max_score")):
            found.append("score outside bounds")
    details = log.get("model_info", {}).get("additional_details", {})
    found += [f"no {key}" for key in ("deployment_type", "model_availability") if key not in details]
    if not UUID4.fullmatch(name):
        found.append("the file's name is no UUID of version 4")
    return found


class Exports(support.InDirectory):
    def measured(self, benchmark, kind, options):
        system = epicene.System(half, kind=kind, name="half", revision="1")
        return epicene.run(benchmark, system=system, **options)

    def eee(self, result, **options):
        paths = result.to_eee("out", **WHO, model_id={"half": "example/half"}, force=True, **options)
        return [path for path in paths if path.suffix == ".json"]

    def test_every_benchmark_passes_the_schema(self):
        schema, _ = schemas()
        for benchmark, kind, options in RUNS:
            with self.subTest(benchmark=benchmark, kind=kind):
                result = self.measured(benchmark, kind, options)
                for extra in ({}, {"all": True, "raw": True}):
                    for path in self.eee(result, **extra):
                        log = json.loads(path.read_text("utf-8"))
                        self.assertEqual(problems(log, path.stem, schema), [])
                        self.assertEqual(path.parts[:2], ("out", "data"))
                        self.assertTrue(log["evaluation_results"])

    def test_nine_broken_variants_are_rejected(self):
        schema, _ = schemas()
        [path] = self.eee(self.measured(*RUNS[0]))
        whole = json.loads(path.read_text("utf-8"))
        self.assertEqual(problems(whole, path.stem, schema), [])

        def first(log):
            return log["evaluation_results"][0]

        broken = {
            "score outside bounds": lambda log: first(log)["score_details"].update(score=-0.5),
            "missing deployment_type": lambda log: log["model_info"]["additional_details"].pop("deployment_type"),
            "missing eval_library": lambda log: log.pop("eval_library"),
            "unknown key": lambda log: log.update(surprise=1),
            "continuous without bounds": lambda log: first(log)["metric_config"].pop("max_score"),
            "numbers in details": lambda log: first(log)["score_details"]["details"].update(n=384),
            "missing lower_is_better": lambda log: first(log)["metric_config"].pop("lower_is_better"),
            "relationship self": lambda log: log["source_metadata"].update(evaluator_relationship="self"),
        }
        for name, breaks in broken.items():
            log = copy.deepcopy(whole)
            breaks(log)
            self.assertTrue(problems(log, path.stem, schema), name)
        self.assertTrue(problems(whole, "record", schema))
        self.assertEqual(len(broken) + 1, 9)

    def test_answers_pass_their_schema_and_their_checksum(self):
        _, schema = schemas()
        result = self.measured("winomt", "translator", dict(RUNS[6][2]))
        [path] = self.eee(result, samples=True)
        log = json.loads(path.read_text("utf-8"))
        detailed = log["detailed_evaluation_results"]
        text = (pathlib.Path("out") / detailed["file_path"]).read_bytes()
        self.assertEqual(hashlib.sha256(text).hexdigest(), detailed["checksum"])
        lines = [json.loads(line) for line in text.decode().splitlines()]
        self.assertEqual(len(lines), detailed["total_rows"])
        ids = {one["evaluation_result_id"] for one in log["evaluation_results"]}
        for line in lines:
            self.assertEqual([error.message for error in schema.iter_errors(line)], [])
            self.assertIn(line["evaluation_result_id"], ids)
        # The share of right answers is the accuracy of the record.
        right = sum(line["evaluation"]["is_correct"] for line in lines) / len(lines)
        [accuracy] = [r for r in log["evaluation_results"] if r["evaluation_result_id"] == lines[0]["evaluation_result_id"]]
        self.assertAlmostEqual(accuracy["score_details"]["score"], right, places=3)

    def test_a_second_export_is_the_same_bytes(self):
        os.environ["SOURCE_DATE_EPOCH"] = "1795000000"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH", None)
        result = self.measured(*RUNS[0])
        before = [path.read_bytes() for path in self.eee(result)]
        self.assertEqual(before, [path.read_bytes() for path in self.eee(result)])
        self.assertIn(b'"retrieved_timestamp": "1795000000"', before[0])

    def test_missing_facts_are_named(self):
        result = self.measured(*RUNS[0])
        with self.assertRaises(epicene.EpiceneError) as raised:
            result.to_eee("out", **WHO)
        self.assertIn("--model-id half=ORG/NAME", str(raised.exception))
        with self.assertRaises(epicene.EpiceneError) as raised:
            result.to_eee("out", organization="", relationship="other", model_id={"half": "a/b"})
        self.assertIn("--organization", str(raised.exception))

    def test_hugging_face_reads_the_yaml(self):
        import yaml

        result = self.measured("winomt", "translator", dict(RUNS[6][2]))
        told = support.command("export", result.path, "--to", "model-index", "--model-id", "half=example/half").stdout
        [index] = yaml.safe_load(told)["model-index"]
        self.assertEqual(index["name"], "example/half")
        rows = {(row["unit"], row["group"], row["metric"]): row for row in result.rows if row["ideal"] is not None}
        seen = 0
        for entry in index["results"]:
            self.assertEqual(entry["task"]["type"], "translation")
            self.assertTrue(entry["dataset"]["type"] and entry["dataset"]["name"])
            for metric in entry["metrics"]:
                args = metric["args"]
                row = rows[args["unit"], args["group"], metric["type"].removeprefix("winomt_")]
                self.assertEqual((metric["value"], args["ideal"]), (row["value"], row["ideal"]))
                self.assertEqual(args.get("low"), row["low"])
                self.assertEqual(args["distance"], abs(row["value"] - row["ideal"]))
                self.assertEqual(args["signature"], result.signature)
                self.assertIn(args["direction"], ("higher", "target"))
                seen += 1
        self.assertGreater(seen, 5)
        words = ["--to", "hf", "--dataset", "org/winomt", "--task", "acc", "--metric", "acc", "--model-id", "half=example/half"]
        told = support.command("export", result.path, *words, "--report-url", "https://example.org/r", "-o", "hf").stdout
        path = pathlib.Path(told.strip())
        self.assertEqual(path.parts[-2], ".eval_results")
        [entry] = yaml.safe_load(path.read_text("utf-8"))
        accuracies = [row["value"] for row in result.rows if (row["group"], row["metric"]) == ("all", "acc")]
        self.assertEqual(entry["dataset"], {"id": "org/winomt", "task_id": "acc"})
        self.assertTrue(any(abs(entry["value"] - value) < 1e-7 for value in accuracies), entry["value"])
        self.assertEqual(entry["source"]["url"], "https://example.org/r")
        self.assertRegex(entry["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertIn(result.signature, entry["notes"])
        self.assertNotIn("verifyToken", entry)

    def test_the_layout_of_the_harness(self):
        result = self.measured("winomt", "translator", dict(RUNS[6][2]))
        words = ["--to", "lm-eval", "--model-id", "half=example/half", "--samples", "-o", "lm"]
        told = support.command("export", result.path, *words).stdout.split()
        [results] = [pathlib.Path(path) for path in told if "results_" in path]
        [samples] = [pathlib.Path(path) for path in told if "samples_" in path]
        self.assertRegex(str(results), r"example__half/results_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{6}\.json$")
        log = json.loads(results.read_text("utf-8"))
        [task] = log["results"]
        self.assertEqual(samples.name, f"samples_{task}_{results.name.removeprefix('results_').removesuffix('.json')}.jsonl")
        self.assertEqual(log["higher_is_better"][task]["acc"], True)
        self.assertIsNone(log["higher_is_better"][task]["delta_g"])
        self.assertEqual(log["higher_is_better"][task]["delta_g_distance"], False)
        self.assertTrue(0 <= log["results"][task]["acc,none"] <= 1)
        for line in samples.read_text("utf-8").splitlines():
            line = json.loads(line)
            self.assertEqual(line["doc_hash"], hashlib.sha256(json.dumps(line["doc"], indent=2, ensure_ascii=False).encode()).hexdigest())
            self.assertEqual(line["prompt_hash"], hashlib.sha256(line["doc"]["text"].encode()).hexdigest())


class TheirOwnProgram(support.InDirectory):
    """Every Eval Ever's validator and converter, in the environment that EPICENE_EEE names."""

    def setUp(self):
        super().setUp()
        self.python = os.environ.get("EPICENE_EEE")
        if not self.python or not pathlib.Path(self.python).exists():
            raise unittest.SkipTest("every_eval_ever is not installed (EPICENE_EEE names its Python)")

    def theirs(self, *words, cwd="."):
        done = subprocess.run([self.python, "-m", "every_eval_ever", *map(str, words)], capture_output=True, text=True, cwd=cwd)
        return done.returncode, done.stdout + done.stderr

    def test_their_validator_accepts_ours_and_rejects_broken_ones(self):
        epicene.run("gest", model="demo:mlm", data="epicene-mini", bootstrap=50, out="r")
        support.command("export", "r", "--to", "eee", "--organization", "X", "--relationship", "other", "-o", "out")
        [path] = pathlib.Path("out").rglob("*.json")
        code, said = self.theirs("validate", path.relative_to("out"), cwd="out")
        self.assertEqual(code, 0, said)
        whole = json.loads(path.read_text("utf-8"))
        for breaks in (
            lambda log: log["evaluation_results"][0]["score_details"].update(score=-0.5),
            lambda log: log["model_info"]["additional_details"].pop("deployment_type"),
            lambda log: log.pop("eval_library"),
        ):
            log = copy.deepcopy(whole)
            breaks(log)
            path.write_text(json.dumps(log), "utf-8")
            code, said = self.theirs("validate", path.relative_to("out"), cwd="out")
            self.assertEqual(code, 1, said)

    def test_their_converter_reads_the_layout_of_the_harness(self):
        epicene.run("gest", model="demo:mlm", data="epicene-mini", bootstrap=50, out="r")
        support.command("export", "r", "--to", "lm-eval", "--model-id", "demo:mlm=epicene/demo-mlm", "-o", "lm")
        code, said = self.theirs(
            "convert", "lm_eval", "--log_path", "lm", "--output_dir", "back", "--source_organization_name", "X", "--evaluator_relationship", "other"
        )
        self.assertEqual(code, 0, said)
        logs = [json.loads(path.read_text("utf-8")) for path in pathlib.Path("back").rglob("*.json")]
        scores = {result["evaluation_name"]: result["score_details"]["score"] for log in logs for result in log["evaluation_results"]}
        self.assertTrue(scores)


if __name__ == "__main__":
    unittest.main()
