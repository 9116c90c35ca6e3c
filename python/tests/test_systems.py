"""Systems that are Python functions, and what happens when they misbehave."""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import support

import epicene

RUN = dict(data="epicene-mini", bootstrap=50)


def without_names(rows):
    return [{key: value for key, value in row.items() if key != "system"} for row in rows]


class Callables(support.InDirectory):
    def test_a_function_measures_like_the_null_system_it_is(self):
        asked = []

        def he(questions):
            asked.extend(questions)
            return [3.0] * len(questions)

        result = epicene.run("gest", system=he, kind="masked", **RUN)
        null = epicene.run("gest", model="always:he", **RUN)
        # A null system is left out of what is said of all systems together.
        own = [row for row in result.rows if row["system"] == "he"]
        known = [row for row in null.rows if row["system"] == "always:he"]
        self.assertTrue(own)
        self.assertEqual(without_names(own), without_names(known))
        self.assertIn("python:he", result.signature)
        self.assertEqual({"task", "masculine", "feminine", "one_token", "item", "unit"}, set(asked[0]))
        # Without a revision nothing of an earlier run is believed.
        before = len(asked)
        epicene.run("gest", system=he, kind="masked", **RUN)
        self.assertEqual(len(asked), 2 * before)

    def test_with_a_revision_nothing_is_asked_twice(self):
        import array

        def scorer(questions):
            return array.array("d", [0.25] * len(questions))

        system = epicene.System(scorer, kind="causal", name="mine", revision="1", batch_size=10)
        first = epicene.run("gest", system=system, **RUN)

        def never(questions):
            raise AssertionError("asked twice")

        again = epicene.run("gest", system=epicene.System(never, kind="causal", name="mine", revision="1"), **RUN)
        self.assertEqual(first.rows, again.rows)
        other = epicene.System(lambda questions: [0.5] * len(questions), kind="causal", name="mine", revision="2")
        self.assertNotEqual(first.rows, epicene.run("gest", system=other, **RUN).rows)

    def test_a_translator(self):
        def shout(texts, to):
            self.assertEqual(to, "sk")
            return ["Bola som unavená." if "cook" in text else "Bol som unavený." for text in texts]

        result = epicene.run("gest", system=epicene.translator(shout), lang="sk", **RUN)
        self.assertEqual({row["unit"] for row in result.rows} & {"lang:sk"}, {"lang:sk"})
        verdicts = {item["verdict"] for item in result.items}
        self.assertLessEqual(verdicts, {"m", "f"})

    def test_questions_and_answers_from_elsewhere(self):
        questions = epicene.questions("gest", kind="causal", data="epicene-mini")
        self.assertEqual(questions[0]["task"], "next-word")
        told = epicene.measure(questions, [3.0] * len(questions), system="he", out="told", bootstrap=50)
        null = epicene.run("gest", system=lambda questions: [3.0] * len(questions), kind="causal", **RUN)
        self.assertEqual(without_names(told.rows), without_names(null.rows))
        with self.assertRaisesRegex(epicene.EpiceneError, "questions and 1 answers"):
            epicene.measure(questions, [1.0], system="he", out="short")

    def test_what_a_system_raises_reaches_the_caller(self):
        calls = []

        def breaks(questions):
            calls.append(len(questions))
            if len(calls) == 3:
                raise LookupError("no such word")
            return [0.1] * len(questions)

        system = epicene.System(breaks, kind="causal", name="b", revision="1", batch_size=50)
        with self.assertRaisesRegex(LookupError, "no such word"):
            epicene.run("gest", system=system, out="kept", **RUN)
        epicene.run("gest", system=system, out="kept", **RUN)
        # Two batches were kept, the broken one was asked again.
        self.assertEqual(sum(calls), len(epicene.questions("gest", kind="causal", data="epicene-mini")) + 50)

    def test_bad_answers_are_refused_by_name(self):
        for answers, problem in [
            (lambda n: [0.0] * (n - 1), "gave"),
            (lambda n: [float("nan")] * n, "not a finite number"),
            (lambda n: ["he"] * n, "item gest"),
            (lambda n: "he", "one answer for each question"),
        ]:
            with self.subTest(problem=problem), self.assertRaisesRegex(Exception, problem):
                epicene.run("gest", system=lambda questions: answers(len(questions)), kind="masked", out="bad", **RUN)


class Errors(support.InDirectory):
    def test_words_are_those_of_the_command_line(self):
        for call, words in [
            (lambda: epicene.run("gesst", model="random:1"), ["run", "gesst", "--model", "random:1"]),
            (lambda: epicene.run("gest", model="demo:none"), ["run", "gest", "--model", "demo:none"]),
            (lambda: epicene.run("gest", data="epicene-mini"), ["run", "gest", "--data", "epicene-mini"]),
            (lambda: epicene.run("gest", model="random:1", data="epicene-mini", limit=0), ["run", "gest", "--model", "random:1", "--data", "epicene-mini", "--limit", "0"]),
            (lambda: epicene.run("gest", model="random:1", weight="none"), ["run", "gest", "--model", "random:1", "--weight", "none"]),
            (lambda: epicene.measure("nowhere"), ["report", "nowhere"]),
            (lambda: epicene.detect("x", lang="qq"), ["detect", "--lang", "qq"]),
        ]:
            with self.assertRaises(epicene.EpiceneError) as raised:
                call()
            said = support.command(*words, input="x\n", check=False)
            self.assertEqual(said.returncode, 2)
            self.assertIn(raised.exception.message, said.stderr)
            if raised.exception.hint and "did you mean" not in raised.exception.hint:
                self.assertIn(raised.exception.hint, said.stderr)

    def test_failures_have_kinds(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder, "broken.csv")
            broken.write_text("from,to\n", encoding="utf-8")
            for kind, call in [
                (epicene.UsageError, lambda: epicene.run("gesst", model="random:1")),
                (epicene.UsageError, lambda: epicene.run("gest", model="random:1", data="epicene-mini", limit=0)),
                (epicene.InputError, lambda: epicene.measure(folder)),
                (epicene.InputError, lambda: epicene.run("gest", mt=f"file:{broken}", lang="sk", data="epicene-mini")),
                (epicene.SystemFailed, lambda: epicene.run("gest", model=f"dir:{folder}", data="epicene-mini")),
            ]:
                with self.assertRaises(kind):
                    call()

    def test_unknown_options_have_a_hint(self):
        with self.assertRaisesRegex(epicene.EpiceneError, "did you mean bootstrap"):
            epicene.run("gest", model="random:1", bootstraps=3)

    def test_gates(self):
        with self.assertRaises(epicene.GateFailed) as raised:
            epicene.run("gest", model="demo:mlm", fail_if="g_s[all]>1", **RUN)
        self.assertTrue(raised.exception.rows)
        self.assertIn("g_s", raised.exception.rows[0])
        result = raised.exception.result
        self.assertTrue(result.check("g_s>99").passed)
        failed = result.check("g_s[all]>1")
        self.assertFalse(failed)
        self.assertTrue(str(failed).startswith("FAIL g_s "), str(failed))
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(result.fired("g_s[all]>1"), list(failed.lines))
        self.assertEqual(epicene.run("gest", model="demo:mlm", fail_if="g_s>99", **RUN).rows, result.rows)


class Manners(support.InDirectory):
    def test_other_threads_run_meanwhile(self):
        counted = 0
        over = threading.Event()

        def count():
            nonlocal counted
            while not over.is_set():
                counted += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        epicene.run("gest", model="demo:mlm", fresh=True, **RUN)
        over.set()
        thread.join()
        self.assertGreater(counted, 20)

    def test_two_threads_give_the_bytes_of_two_processes(self):
        # Each system answers when both are asked: one command after the other would wait in vain.
        text = (
            "import epicene, sys\n"
            "benchmark, data, value, out = sys.argv[1:]\n"
            "system = epicene.System(lambda asked: [float(value)] * len(asked), kind='masked', name='s', revision='1')\n"
            "epicene.run(benchmark, system=system, data=data, bootstrap=50, out=out)\n"
        )
        runs = [("gest", "epicene-mini", 0.25), ("winobias", "epicene-winograd", 0.5)]
        both = threading.Barrier(len(runs), timeout=60)

        def measure(benchmark, data, value):
            waits = [True]

            def answer(asked):
                if waits:
                    both.wait()
                    waits.clear()
                return [value] * len(asked)

            system = epicene.System(answer, kind="masked", name="s", revision="1")
            return epicene.run(benchmark, system=system, data=data, bootstrap=50, out=f"threads/{benchmark}")

        with concurrent.futures.ThreadPoolExecutor(len(runs)) as threads:
            for done in [threads.submit(measure, *run) for run in runs]:
                done.result()
        for benchmark, data, value in runs:
            out = f"processes/{benchmark}"
            done = subprocess.run([sys.executable, "-c", text, benchmark, data, str(value), out], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("measures.json", "items.jsonl", "log.jsonl"):
                ours, theirs = (pathlib.Path(place, benchmark, name) for place in ("threads", "processes"))
                self.assertEqual(ours.read_bytes(), theirs.read_bytes(), ours)
            command = json.loads(pathlib.Path("threads", benchmark, "manifest.json").read_text())["command"]
            self.assertEqual(command[1:3], ["run", benchmark])

    def test_control_c_keeps_what_was_answered(self):
        text = (
            "import epicene, time, sys\n"
            "def slow(questions):\n"
            "    print('asked', flush=True); time.sleep(0.3); return [0.1] * len(questions)\n"
            "system = epicene.System(slow, kind='causal', name='slow', revision='1', batch_size=5)\n"
            "try:\n"
            "    epicene.run('gest', system=system, data='epicene-mini', out='run')\n"
            "except KeyboardInterrupt as stopped:\n"
            "    print('stopped', stopped, flush=True)\n"
            "print(len(epicene.detect(['Bola som.'], lang='sk')), 'after')\n"
        )
        child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3):
            self.assertEqual(child.stdout.readline(), "asked\n")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertIn("stopped", out, err)
        self.assertIn("1 after", out)
        status = support.command("status", "run", "--json").stdout
        self.assertIn('"answered":1', status.replace(" ", ""))

    def test_progress_is_told(self):
        seen = []
        epicene.run(
            "gest",
            system=lambda questions: time.sleep(0.06) or [0.0] * len(questions),
            kind="masked",
            progress=lambda done, total, what: seen.append((done, total, what)),
            **RUN,
        )
        self.assertTrue(seen)
        self.assertEqual({what for _, _, what in seen}, {"gest"})
        self.assertEqual(sorted(seen), seen)

    def test_import_loads_no_other_package(self):
        text = "import sys; before = set(sys.modules); import epicene; print(*sorted(set(sys.modules) - before))"
        loaded = {name.split(".")[0] for name in self.script(text).stdout.split()}
        heavy = {"IPython", "mlflow", "numpy", "pandas", "polars", "pyarrow", "torch", "transformers", "wandb"}
        self.assertIn("epicene", loaded)
        self.assertEqual(loaded & heavy, set())

    def test_what_a_question_costs(self):
        questions = 0

        def scorer(asked):
            nonlocal questions
            questions += len(asked)
            return [0.0] * len(asked)

        options = dict(data="epicene-mini", bootstrap=2)
        epicene.run("gest", system=scorer, kind="masked", **options)
        before = time.perf_counter()
        epicene.run("gest", model="always:he", fresh=True, **options)
        between = time.perf_counter()
        questions = 0
        epicene.run("gest", system=scorer, kind="masked", **options)
        cost = (time.perf_counter() - between) - (between - before)
        print(f"overhead: {cost / questions * 1e6:.0f} microseconds a question ({questions} questions)")

    def test_the_command(self):
        own = os.path.join(os.path.dirname(sys.executable), "epicene")
        version = subprocess.run([own, "--version"], capture_output=True, text=True)
        self.assertEqual((version.returncode, version.stdout.strip()), (0, f"epicene {epicene.__version__}"))
        self.assertEqual(subprocess.run([own, "run", "gesst"], capture_output=True).returncode, 2)
        module = subprocess.run([sys.executable, "-m", "epicene", "list", "benchmarks"], capture_output=True, text=True)
        self.assertIn("gest", module.stdout)
        gate = [own, "run", "gest", "--model", "demo:mlm", "--data", "epicene-mini", "--bootstrap", "50"]
        failed = subprocess.run([*gate, "--fail-if", "g_s>1", "--junit", "junit.xml"], capture_output=True)
        self.assertEqual(failed.returncode, 1)
        import xml.etree.ElementTree as tree

        suite = tree.parse("junit.xml").getroot().find("testsuite")
        self.assertEqual(suite.get("name"), "gest")
        self.assertTrue(suite.findall("testcase/failure"))
        # The command that a manifest records is the one that was typed.
        self.assertIn('"epicene"', next(iter(__import__("pathlib").Path("epicene-runs").rglob("manifest.json"))).read_text())


if __name__ == "__main__":
    unittest.main()
