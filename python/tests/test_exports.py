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
    """Answers without a model: likelihoods in turn, German sentences in turn."""
    spoken = ["Der Arzt half der Lehrerin.", "Die Ärztin half dem Lehrer."]
    return [spoken[number % 2] if question["task"] == "translate" else 0.1 * (number % 7) - 0.2 for number, question in enumerate(questions)]


# Runs of the tests that need one or two.
GEST = ("gest", "masked", dict(data="epicene-mini", bootstrap=50))
WINOMT = ("winomt", "translator", dict(data="epicene-winograd", lang="de"))


def numbered(lines, count):
    return "".join(lines.format(i=i, gender="fm"[i % 2], who=("She", "He")[i % 2], kind=i % 16 + 1) for i in range(count))


# Data of our own for benchmarks that ship none.
FILES = {
    "pairs.csv": "translator,language,original,stereotype,male,female\n"
    + numbered("t,sk,I did it {i}.,{kind},spal som to {i}.,spala som to {i}.\n", 40),
    "sets.tsv": "gender\tline\ttext\n" + numbered("{gender}\t{i}1\t{who} did it {i}.\n", 120),
    "crows.csv": ",sent_more,sent_less,stereo_antistereo,bias_type\n"
    + numbered("{i},The nurse said {i} that she was tired.,The nurse said {i} that he was tired.,stereo,gender\n", 60),
    "stereoset.jsonl": numbered(
        '{{"id":"s{i}","target":"nurse","bias_type":"gender","context":"The nurse is BLANK {i}.","stereotype":"The nurse is kind {i}.",'
        '"anti-stereotype":"The nurse is rude {i}.","unrelated":"The nurse is a lamp {i}."}}\n',
        40,
    ),
    "backwards.csv": "from,to\n" + numbered("I was tired {i}.,Bola som unavená {i}.\nI was there {i}.,Bol som tam unavený {i}.\n", 40),
    "means.csv": "model_name,dataset_type,dataset_split,logprob_male_professions,logprob_female_professions\n"
    + "".join(f"half,{kind},{split},0.1{kind},-0.05\n" for kind in (1, 2) for split in ("dev", "test")),
}
# What each benchmark is asked with, and by whom. Further files are in the reference data.
ASKED = [
    ("gest", "masked", "--data epicene-mini"),
    ("gest", "causal", "--data epicene-mini"),
    ("gest", "mt", "--data epicene-mini --lang sk"),
    ("gest-pairs", "masked", "--pairs pairs.csv"),
    ("gest-chat", "chat", "--data epicene-mini --limit 96"),
    ("occupations-chat", "chat", "--limit 60"),
    ("winobias", "masked", "--data epicene-winograd"),
    ("winobias-means", "file", "means.csv"),
    ("mbe", "masked", "--data sets.tsv"),
    ("crows-pairs", "masked", "--data crows.csv"),
    ("stereoset", "masked", "--data stereoset.jsonl"),
    ("unambiguous", "mt", "--size xs --lang de --limit 200"),
    ("wibemt", "mt", "--lang de"),
    ("winomt", "mt", "--data epicene-winograd --lang de"),
    ("eurogest", "causal", "--data {shared}/eurogest/sentences --lang es --limit 400"),
    ("mtgeneval", "mt", "--data {shared}/mtgeneval --lang es --limit 400"),
    ("gate", "mt", "--data {shared}/gate --lang es --limit 100"),
    ("mittens", "mt", "--data {shared}/mittens --limit 200"),
    ("into-english", "mt", "--lang fi"),
    ("gest-into-english", "mt", "--data backwards.csv --lang sk"),
    ("bbq", "causal", "--data {shared}/bbq --lang en --limit 200 --prompts 1"),
    ("winogender", "causal", "--data {shared}/winogender"),
]
# Translations with a gender, where the sentence itself would have none.
TRANSLATIONS = {
    "sk": ["Bola som unavená.", "Bol som unavený."],
    "de": ["Die Ärztin half dem Lehrer.", "Der Arzt half der Lehrerin.", "Die Krankenschwester häkelt.", "Der Krankenpfleger häkelt."],
}
# The sources of translations into English.
SOURCES = "am,ar,as,bho,bn,cs,de,es,et,eu,fa,fi,fr,hi,hu,hy,id,it,ja,ka,lg,ln,mai,om,pl,pt,ru,sk,te,th,tr,zh"


def asked(benchmark, kind, words, run):
    """A run of a system `half`: no baseline for the program, although its answers are one's."""
    words = words.format(shared=support.shared()).split()
    if kind == "file":
        support.command("run", "winobias", "--model", f"file:{words[0]}", "--out", run)
        return
    name = "gest" if benchmark == "gest-pairs" else benchmark
    questions = support.command("export-questions", name, "--kind", kind, *words).stdout
    if kind == "mt":
        into = words[words.index("--lang") + 1] if "--lang" in words and not benchmark.endswith("into-english") else "en"
        system = ["--mt", "copy:", "--lang", into, *(["--from", SOURCES] if into == "en" else [])]
    else:
        system = ["--model", "random:1", *(["--task", "chat"] if kind == "chat" else [])]
    answers = support.command("score", "--stream", *system, input=questions).stdout.splitlines()
    # Without the cards that say who answered.
    kept = [line for line in answers if not line.startswith('{"card"') and '"command":' not in line]
    if kind == "mt" and into in TRANSLATIONS:
        told = TRANSLATIONS[into]
        lines = [json.loads(line) for line in questions.splitlines()[1:]]
        kept = [json.dumps({"id": line["id"], "answer": told[place % len(told)]}) for place, line in enumerate(lines)]
    pathlib.Path("answers.jsonl").write_text("\n".join([questions.splitlines()[0], *kept, ""]), "utf-8")
    support.command("import-answers", run, "answers.jsonl", "--system", "half")
    support.command("report", run)


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

    def test_nine_broken_variants_are_rejected(self):
        schema, _ = schemas()
        [path] = self.eee(self.measured(*GEST))
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
        result = self.measured("winomt", "translator", dict(WINOMT[2]))
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
        result = self.measured(*GEST)
        before = [path.read_bytes() for path in self.eee(result)]
        self.assertEqual(before, [path.read_bytes() for path in self.eee(result)])
        self.assertIn(b'"retrieved_timestamp": "1795000000"', before[0])

    def test_missing_facts_are_named(self):
        result = self.measured(*GEST)
        with self.assertRaises(epicene.EpiceneError) as raised:
            result.to_eee("out", **WHO)
        self.assertIn("--model-id half=ORG/NAME", str(raised.exception))
        with self.assertRaises(epicene.EpiceneError) as raised:
            result.to_eee("out", organization="", relationship="other", model_id={"half": "a/b"})
        self.assertIn("--organization", str(raised.exception))

    def test_hugging_face_reads_the_yaml(self):
        import yaml

        result = self.measured("winomt", "translator", dict(WINOMT[2]))
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
        result = self.measured("winomt", "translator", dict(WINOMT[2]))
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


class EveryBenchmark(support.InDirectory):
    """Every benchmark in every layout, judged by jsonschema, PyYAML and, where it is installed, Every Eval Ever itself."""

    def exported(self, run, to, *words):
        given = ["--organization", WHO["organization"], "--relationship", "other"] if to == "eee" else []
        told = support.command("export", run, "--to", to, "--model-id", "half=example/half", *given, *words, "-o", f"{to}/{run}")
        return [pathlib.Path(line) for line in told.stdout.splitlines()]

    def test_every_benchmark_leaves_in_every_layout(self):
        import yaml

        schema, _ = schemas()
        for name, text in FILES.items():
            pathlib.Path(name).write_text(text, "utf-8")
        names = {line.split()[0] for line in support.command("list", "benchmarks").stdout.splitlines()}
        # A run of one's own questions is a run of the benchmark whose measure it takes.
        self.assertEqual(names - {"custom"}, {benchmark for benchmark, _, _ in ASKED})
        results, records, harness = {}, [], []
        for number, (benchmark, kind, words) in enumerate(ASKED):
            with self.subTest(benchmark=benchmark, kind=kind):
                run = f"{number}-{benchmark}"
                asked(benchmark, kind, words, run)
                stored = json.loads((pathlib.Path(run) / "measures.json").read_text("utf-8"))
                self.assertTrue(stored["rows"])
                for extra in ((), ("--all", "--raw", "--force")):
                    for path in self.exported(run, "eee", *extra):
                        log = json.loads(path.read_text("utf-8"))
                        self.assertEqual(problems(log, path.stem, schema), [])
                        self.assertEqual(path.parts[2], "data")
                        self.assertTrue(log["evaluation_results"])
                        records.append(path)
                for path in self.exported(run, "lm-eval"):
                    harness.append(path.parent.parent)
                    log = json.loads(path.read_text("utf-8"))
                    self.assertTrue(any(better is not None for task in log["higher_is_better"].values() for better in task.values()))
                    results[path.parent.parent] = {
                        (task, name.removesuffix(",none")): value
                        for task, values in log["results"].items()
                        for name, value in values.items()
                        if name.endswith(",none") and not name.endswith("_stderr,none")
                    }
                [path] = self.exported(run, "model-index")
                [index] = yaml.safe_load(path.read_text("utf-8"))["model-index"]
                self.assertEqual(index["name"], "example/half")
                for template in ("model-card", "audit"):
                    text = support.command("report", run, "--template", template).stdout
                    for empty in ("|  |", "| |", "**.**", ": .\n", "()", " nan", "NaN", " None", "null"):
                        self.assertNotIn(empty, text, template)
        self.theirs(sorted(set(records)), harness, results)

    def theirs(self, records, harness, results):
        """Their validator accepts the records; their converter gives back the numbers of the harness's layout."""
        python = os.environ.get("EPICENE_EEE")
        if not python or not pathlib.Path(python).exists():
            print("skipped: every_eval_ever is not installed (EPICENE_EEE names its Python)")
            return
        # The validator wants paths that begin with data/.
        for record in records:
            target = pathlib.Path("all", *record.parts[2:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(record.read_bytes())
        done = subprocess.run([python, "-m", "every_eval_ever", "validate", "data/**/*.json"], capture_output=True, text=True, cwd="all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        script = """
import json, sys
from every_eval_ever import cli
for folder in sys.argv[1:]:
    words = ["convert", "lm_eval", "--log_path", folder, "--output_dir", folder + "-back", "--source_organization_name", "X",
             "--evaluator_relationship", "other"]
    assert not cli.main(words), folder
"""
        done = subprocess.run([python, "-c", script, *map(str, harness)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for folder in harness:
            logs = [json.loads(path.read_text("utf-8")) for path in pathlib.Path(f"{folder}-back").rglob("*.json")]
            back = [result for log in logs for result in log["evaluation_results"]]
            found = sorted(result["score_details"]["score"] for result in back)
            self.assertEqual(found, sorted(results[folder].values()), folder)


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
